// Sends one request and reads the whole response, within a time limit and until aborted.
import { connectionFailure } from "./connection-failure.ts";
import { ConnectionError } from "./errors.ts";

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

type OnChunk = (chunk: Uint8Array) => void | Promise<void>;

/** A response that was read completely. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** The longest delay of a timer. */
const timerSecondsMax = 2_147_483;

/** @throws ConnectionError without a complete response; the signal's reason when it aborts */
export async function exchange(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  timeoutSeconds: number,
  signal: AbortSignal,
  onChunk?: OnChunk,
): Promise<RawResponse> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener("abort", abort);
  let hasTimedOut = false;
  const startTimer = () =>
    setTimeout(() => {
      hasTimedOut = true;
      controller.abort();
    }, milliseconds(timeoutSeconds));
  let timer = startTimer();
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    const { status, headers } = response;
    if (!onChunk || !response.body || !isPlain({ status, headers }))
      return { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) };
    const reader = response.body.getReader();
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      clearTimeout(timer);
      if (value) await received(onChunk, value);
      timer = startTimer();
    }
    return { status, headers, bytes: new Uint8Array() };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof NotTaken) {
      // Nobody wants the rest.
      controller.abort();
      throw cause.cause;
    }
    throw hasTimedOut
      ? new ConnectionError({
          code: "timeout",
          message: `No response from ${new URL(url).host} within ${timeoutSeconds} seconds`,
        })
      : connectionFailure(url, cause);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** What `onChunk` of a request has thrown, which is not the connection's failure. */
class NotTaken extends Error {}

async function received(onChunk: OnChunk, chunk: Uint8Array): Promise<void> {
  try {
    await onChunk(chunk);
  } catch (cause) {
    throw new NotTaken("the chunk was not taken", { cause });
  }
}

/** A text or file without an envelope. The units left are in a header, which a proxy's page does not have. */
export const isPlain = ({ status, headers }: Pick<RawResponse, "status" | "headers">): boolean =>
  status === 304 || (status === 200 && headers.has("X-Remaining-Requests"));

/** The text of a response. A byte order mark is part of it. */
export const textOf = ({ bytes }: Pick<RawResponse, "bytes">): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** Resolves after `seconds`. @throws the signal's reason when it aborts earlier */
export function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds(seconds));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
}

const milliseconds = (seconds: number): number => Math.min(seconds, timerSecondsMax) * 1_000;

/**
 * Runs `work` with one signal that aborts when any of `signals` does, and listens to none of them afterwards: a signal may
 * outlive many calls.
 */
export async function withJoinedSignal<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    releases.push(() => signal.removeEventListener("abort", abort));
  }
  try {
    return await work(controller.signal);
  } finally {
    for (const release of releases) release();
  }
}
