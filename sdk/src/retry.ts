// When a write is sent again, and under which key: the service carries out and charges only the first request with an idempotency key.
import { type CommonplaceError, ConflictError, ConnectionError, ServiceError } from "./errors.ts";

/** 16 random bytes. Unlike `crypto.randomUUID`, they are also available to pages that were not loaded over HTTPS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The service or a proxy in front of it could not respond. It may have been carried out. */
const lostStatuses: readonly (number | undefined)[] = [502, 503, 504];

const firstPauseSeconds = 0.5;

/**
 * How long to wait before a write is sent again: until the service asks for it, or twice as long each time.
 * @param retries how often it was sent again already
 * @returns undefined where sending it again would not help
 */
export function pauseBeforeRetry(failure: CommonplaceError, retries: number): number | undefined {
  const isLost = failure instanceof ConnectionError && failure.code !== "certificate_not_trusted";
  const isUnavailable = failure instanceof ServiceError && lostStatuses.includes(failure.status);
  const isInProgress = failure instanceof ConflictError && failure.code === "request_in_progress";
  if (!isLost && !isUnavailable && !isInProgress) return undefined;
  const asked = failure instanceof ConnectionError ? undefined : failure.retryAfterSeconds;
  // Clients that lost the same service do not all return at the same moment.
  return asked ?? firstPauseSeconds * 2 ** retries * (0.5 + Math.random() / 2);
}
