// The reasons why a request of a known key is not admitted, as the request log shows them.
import { errors, type Refusal } from "../../contract/errors.ts";
import type { CountedReason, RefusalReason } from "../keys/refused-requests.ts";
import type { LogFilter } from "./log.store.ts";

interface ReasonRow {
  readonly refusal: Refusal;
  /** Where the refusal's own message depends on the request. */
  readonly message?: string;
  readonly explanation: string;
}

export const forbiddenStatus = 403;

const table: Readonly<Record<RefusalReason, ReasonRow>> = {
  rate_limit: {
    refusal: errors.rateLimited(0),
    message: "Rate limit exceeded",
    explanation: "0 units: rate-limited requests are not charged",
  },
  key_inactive: {
    refusal: errors.keyInvalid(),
    explanation: "0 units: requests with a deactivated key are not charged",
  },
  secret_expired: {
    refusal: errors.keyInvalid(),
    explanation: "0 units: requests with an expired secret are not charged",
  },
  key_expired: {
    refusal: errors.keyExpired(),
    explanation: "0 units: requests with an expired key are not charged",
  },
  network: {
    refusal: errors.networkNotAllowed(),
    explanation: "0 units: requests from networks that the key does not allow are not charged",
  },
  key_rate_limit: {
    refusal: errors.keyRateLimited(0),
    message: "Rate limit of the API key exceeded",
    explanation: "0 units: rate-limited requests are not charged",
  },
};

// The keys of this constant are exactly the reasons.
const reasons = Object.keys(table) as RefusalReason[];

/** The status of a counted request. */
export const statusOf = (reason: CountedReason): number =>
  reason === "forbidden" ? forbiddenStatus : table[reason].refusal.status;

/** Statuses that no request in the ledger has. */
export const refusalStatuses: ReadonlySet<number> = new Set(reasons.map((reason) => table[reason].refusal.status));

export const isReason = (text: string): text is RefusalReason => Object.hasOwn(table, text);

/** The reasons that match a filter of the log. Refused requests have no operation. */
export const reasonsOf = ({ operation, status }: LogFilter): RefusalReason[] =>
  operation !== undefined
    ? []
    : reasons.filter((reason) => status === undefined || table[reason].refusal.status === status);

export function refusalOf(reason: RefusalReason) {
  const { refusal, message = refusal.message, explanation } = table[reason];
  return { refusal, status: refusal.status, code: refusal.code, message, explanation };
}
