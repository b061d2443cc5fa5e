// The client: one method per operation, created from the generated table, over one way to send a request.

import { CommonplaceError, ConnectionError, RateLimitError } from "./errors.ts";
import { exchange, type Fetch, sleep, withJoinedSignal } from "./exchange.ts";
import type { Operation, RateLimit, RequestOptions } from "./operation.ts";
import {
  type Change,
  type CursorPagination,
  type GetChangesArguments,
  type GetFolderArguments,
  type GetTagArguments,
  Operations,
  type Pagination,
  type Snippet,
} from "./operations.generated.ts";
import { buildCall, type HttpCall } from "./request.ts";
import { readResponse } from "./response.ts";
import { newIdempotencyKey, pauseBeforeRetry } from "./retry.ts";

/** The options of a client. */
export interface CommonplaceOptions {
  /** The URL of the API, such as `https://snippets.example.com/api`. Must be HTTPS, because every request contains the key. */
  readonly baseUrl: string | URL;
  /** The secret of an API key: `cpl_…`. */
  readonly apiKey: string;
  /** Replaces the global `fetch`: for a proxy, a certificate authority, or a test. */
  readonly fetch?: Fetch | undefined;
  /**
   * Waits when the rate limit refuses a request (429), then sends it again: a refused request changed nothing. `true` waits at most 120
   * seconds in total for one request. Default: false.
   */
  readonly waitForRateLimit?: boolean | { readonly maxSeconds: number } | undefined;
  /**
   * Sends a write again if its response is lost or the service is not available (502, 503, 504): the client sends an idempotency key with each
   * write, so it is carried out and charged only once. `true` tries for at most 30 seconds. Reads are never sent again, since each is charged.
   * Default: true.
   */
  readonly retryWrites?: boolean | { readonly maxSeconds: number } | undefined;
  /** The time limit of one request; waiting for the rate limit does not count. Default: 60. */
  readonly timeoutSeconds?: number | undefined;
  /** Aborts every request of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the timer that waits before a request is sent again: for tests that must not sleep. */
  readonly sleep?: ((seconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const maxWaitSecondsDefault = 120;
const maxRetrySecondsDefault = 30;
const timeoutSecondsDefault = 60;
const pageItemsMax = 100;
const changeWaitSeconds = 25;
const rateWindowSeconds = 60;

/**
 * A client of the snippet service. Every method resolves with the whole response and rejects with a `CommonplaceError`.
 *
 * ```ts
 * const client = new Commonplace({ baseUrl: "https://snippets.example.com/api", apiKey });
 * const { data } = await client.getSnippet({ id });
 * ```
 */
export class Commonplace extends Operations {
  // Private fields: JSON.stringify and inspectors do not see the key.
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #fetch: Fetch;
  readonly #sleep: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly #maxWaitSeconds: number;
  readonly #maxRetrySeconds: number;
  readonly #timeoutSeconds: number;
  readonly #signal: AbortSignal | undefined;

  /** @throws TypeError that names the invalid option and its rule */
  constructor(options: CommonplaceOptions) {
    super();
    this.#apiKey = checkApiKey(options.apiKey);
    this.#baseUrl = checkBaseUrl(options.baseUrl);
    this.#timeoutSeconds = checkTimeout(options.timeoutSeconds ?? timeoutSecondsDefault);
    // Called as a plain function: a browser's fetch refuses any other `this`.
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#sleep = options.sleep ?? sleep;
    this.#signal = options.signal;
    const wait = options.waitForRateLimit ?? false;
    this.#maxWaitSeconds = typeof wait === "object" ? wait.maxSeconds : wait ? maxWaitSecondsDefault : 0;
    const retry = options.retryWrites ?? true;
    this.#maxRetrySeconds = typeof retry === "object" ? retry.maxSeconds : retry ? maxRetrySecondsDefault : 0;
  }

  /**
   * Every snippet of a folder, newest first, page by page; each page is one `getFolder` request. If snippets are created or deleted
   * meanwhile, the pages shift: a snippet may appear twice or be missing.
   */
  snippetsInFolder(
    { limit = pageItemsMax, ...where }: GetFolderArguments,
    options?: RequestOptions,
  ): AsyncGenerator<Snippet, void> {
    return paginate(where.offset, (offset) => this.getFolder({ ...where, limit, offset }, options));
  }

  /** Every snippet with a tag, like `snippetsInFolder`; each page is one `getTag` request. */
  snippetsWithTag(
    { limit = pageItemsMax, ...where }: GetTagArguments,
    options?: RequestOptions,
  ): AsyncGenerator<Snippet, void> {
    return paginate(where.offset, (offset) => this.getTag({ ...where, limit, offset }, options));
  }

  /**
   * Follows the changes of the library, page by page, until `options.signal` aborts. Without `cursor`, the first page has only a cursor: then
   * list what you need. To continue from there later, keep the `cursor` of the last page that you have handled. Each page is one `getChanges`
   * request, which waits up to 25 seconds for a change; if there was none, the page is empty. If less than half of the rate limit is
   * left, or the service cannot wait, there is a pause between pages.
   */
  async *followChanges(
    { waitSeconds = changeWaitSeconds, limit = pageItemsMax, ...where }: GetChangesArguments = {},
    options?: RequestOptions,
  ): AsyncGenerator<ChangesPage, never> {
    for (let { cursor } = where; ; ) {
      const askedAt = performance.now();
      const { data, response } = await this.getChanges({ ...where, limit, waitSeconds, cursor }, options);
      const isEarly = data.changes.length === 0 && cursor !== undefined && performance.now() - askedAt < 1_000;
      yield data;
      cursor = data.cursor;
      const pauseSeconds = data.hasMore ? 0 : pauseBetweenPages(response?.rateLimit, isEarly);
      if (pauseSeconds > 0)
        await withJoinedSignal([this.#signal, options?.signal], (signal) => this.#sleep(pauseSeconds, signal));
    }
  }

  /** @internal */
  protected override async call<Result>(
    operation: Operation,
    args: object,
    options: RequestOptions = {},
  ): Promise<Result> {
    const { url, method, body } = buildCall(this.#baseUrl, operation, args);
    const headers = this.#headers(operation, options, body);
    const canRetry = headers.has("Idempotency-Key") && method !== "GET";
    const init: RequestInit = { method, headers, redirect: "manual", ...(body !== undefined && { body }) };
    return await withJoinedSignal([this.#signal, options.signal], async (signal) => {
      let [waitedSeconds, retriedSeconds] = [0, 0];
      for (let retries = 0; ; ) {
        const startedAt = performance.now();
        const outcome = await this.#exchange(operation, url, init, signal, options);
        if (!(outcome instanceof CommonplaceError)) return asEnvelope<Result>(outcome);
        const waitSeconds = outcome instanceof RateLimitError ? outcome.retryAfterSeconds : undefined;
        const pauseSeconds = canRetry ? pauseBeforeRetry(outcome, retries) : undefined;
        if (waitSeconds !== undefined && options.waitForRateLimit !== false) {
          waitedSeconds += waitSeconds;
          if (!(waitedSeconds <= this.#maxWaitSeconds)) throw outcome;
        } else if (pauseSeconds !== undefined) {
          retries += 1;
          retriedSeconds += pauseSeconds + (performance.now() - startedAt) / 1_000;
          if (!(retriedSeconds <= this.#maxRetrySeconds)) throw outcome;
        } else throw outcome;
        await this.#sleep(waitSeconds ?? pauseSeconds ?? 0, signal);
        signal.throwIfAborted();
      }
    });
  }

  /** @returns an error instead of throwing it, unless the signal aborts */
  async #exchange(
    operation: Operation,
    url: string,
    init: RequestInit,
    signal: AbortSignal,
    { onChunk, timeoutSeconds }: RequestOptions,
  ): Promise<object> {
    try {
      const seconds = timeoutSeconds === undefined ? this.#timeoutSeconds : checkTimeout(timeoutSeconds);
      const raw = await exchange(this.#fetch, url, init, seconds, signal, operation.isFile ? onChunk : undefined);
      return readResponse(operation, raw, this.#apiKey);
    } catch (failure) {
      if (failure instanceof ConnectionError) return failure;
      throw failure;
    }
  }

  /** @internal */
  protected override async *pages<Result extends { readonly pagination: CursorPagination }>(
    operation: Operation,
    args: { readonly cursor?: string | undefined },
    options?: RequestOptions,
  ): AsyncGenerator<Result, void> {
    let { cursor } = args;
    do {
      const page = await this.call<Result>(operation, { ...args, cursor }, options);
      yield page;
      cursor = page.pagination.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  #headers(
    { method, body: kind }: Operation,
    { headers: extra, idempotencyKey }: RequestOptions,
    body: HttpCall["body"],
  ): Headers {
    const headers = new Headers(extra);
    const isGenerated = method !== "GET" && this.#maxRetrySeconds > 0 && !headers.has("Idempotency-Key");
    const key = idempotencyKey ?? (isGenerated ? newIdempotencyKey() : undefined);
    if (key !== undefined) headers.set("Idempotency-Key", key);
    headers.set("Authorization", `Bearer ${this.#apiKey}`);
    headers.set("Accept", "application/json");
    const mediaType = kind === "file" ? "application/octet-stream" : "application/json";
    if (body !== undefined) headers.set("Content-Type", mediaType);
    return headers;
  }
}

/** The service promises this type for the operation, and its tests check every response against the table that the type comes from. */
const asEnvelope = <Result>(envelope: object): Result => envelope as Result;

/** Leaves time for another request after each page, such as one that reads what was changed. */
function pauseBetweenPages(rateLimit: RateLimit | undefined, isEarly: boolean): number {
  const isBusy = rateLimit !== undefined && rateLimit.remaining * 2 < rateLimit.limit;
  return Math.max(isEarly ? 1 : 0, isBusy ? (2 * rateWindowSeconds) / rateLimit.limit : 0);
}

/** One page of changes. */
export interface ChangesPage {
  readonly changes: readonly Change[];
  /** The `cursor` of the next page. */
  readonly cursor: string;
}

interface Page {
  readonly data: { readonly snippets: readonly Snippet[] };
  readonly pagination: Pagination;
}

async function* paginate(firstOffset = 0, readPage: (offset: number) => Promise<Page>): AsyncGenerator<Snippet, void> {
  for (let offset = firstOffset; ; ) {
    const { data, pagination } = await readPage(offset);
    yield* data.snippets;
    if (!pagination.hasMore) return;
    offset += pagination.limit;
  }
}

/** Rejects invalid header text here, since the error of `fetch` would repeat it. */
function checkApiKey(apiKey: string): string {
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey must be the secret of an API key, without whitespace");
  return apiKey;
}

function checkBaseUrl(baseUrl: string | URL): string {
  const message = 'baseUrl must be an HTTPS URL such as "https://snippets.example.com/api"';
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError(message);
  }
  const { protocol, origin, pathname, username, password, search, hash } = url;
  if (protocol !== "https:" || username + password + search + hash !== "") throw new TypeError(message);
  return origin + pathname.replace(/\/+$/, "");
}

function checkTimeout(seconds: number): number {
  if (!(seconds > 0)) throw new TypeError("timeoutSeconds must be greater than 0");
  return seconds;
}
