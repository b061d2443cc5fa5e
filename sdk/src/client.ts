// The client: one method per operation, made from the generated table, over one way of calling.
import { readAnswer } from "./answer.ts";
import { CommonplaceError, RateLimitError } from "./errors.ts";
import { exchange, type Fetch, sleep, withJoinedSignal } from "./exchange.ts";
import type { CallOptions, Operation } from "./operation.ts";
import {
  type GetFolderArguments,
  type GetTagArguments,
  Operations,
  type Pagination,
  type Snippet,
} from "./operations.generated.ts";
import { buildCall } from "./request.ts";

/** What a client is made with. */
export interface CommonplaceOptions {
  /** Where the operations are, such as `https://snippets.example.com/api`. HTTPS only: the key travels in every call. */
  readonly baseUrl: string | URL;
  /** The secret of an API key: `cpl_…`. */
  readonly apiKey: string;
  /** Used instead of the global `fetch`: for a proxy, a certificate authority, or a test. */
  readonly fetch?: Fetch | undefined;
  /**
   * Waits a refusal by the rate limit (429) out and calls again: such a call was not carried out. `true` waits at most 120
   * seconds in all for one call. Nothing else is ever tried again. Default: false.
   */
  readonly waitForRateLimit?: boolean | { readonly maxWaitSeconds: number } | undefined;
  /** How long one exchange with the service may take; waiting for the rate limit does not count. Default: 60. */
  readonly timeoutSeconds?: number | undefined;
  /** Ends every call of this client when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Used instead of a timer to wait for the rate limit: for tests that must not sleep. */
  readonly sleep?: ((seconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const maxWaitSecondsDefault = 120;
const timeoutSecondsDefault = 60;
const pageItemsMax = 100;

/**
 * A client of the snippet service. Every method resolves with the whole answer and rejects with a `CommonplaceError`.
 *
 * ```ts
 * const client = new Commonplace({ baseUrl: "https://snippets.example.com/api", apiKey });
 * const { data } = await client.getSnippet({ id });
 * ```
 */
export class Commonplace extends Operations {
  // Private fields: neither JSON.stringify nor an inspector sees the key.
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #fetch: Fetch;
  readonly #sleep: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly #maxWaitSeconds: number;
  readonly #timeoutSeconds: number;
  readonly #signal: AbortSignal | undefined;

  /** @throws TypeError that names the option and what it must be */
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
    this.#maxWaitSeconds = typeof wait === "object" ? wait.maxWaitSeconds : wait ? maxWaitSecondsDefault : 0;
  }

  /**
   * Every snippet of a folder, newest first, page by page; each page is a call of `getFolder`. A snippet that is made or deleted
   * meanwhile shifts the pages: one may come twice or be left out.
   */
  snippetsInFolder(
    { limit = pageItemsMax, ...where }: GetFolderArguments,
    options?: CallOptions,
  ): AsyncGenerator<Snippet, void> {
    return turnPages(where.offset, (offset) => this.getFolder({ ...where, limit, offset }, options));
  }

  /** Every snippet with a tag, as `snippetsInFolder` does for a folder; each page is a call of `getTag`. */
  snippetsWithTag(
    { limit = pageItemsMax, ...where }: GetTagArguments,
    options?: CallOptions,
  ): AsyncGenerator<Snippet, void> {
    return turnPages(where.offset, (offset) => this.getTag({ ...where, limit, offset }, options));
  }

  /** @internal */
  protected override async call<Answer>(
    operation: Operation,
    args: object,
    options: CallOptions = {},
  ): Promise<Answer> {
    const { url, method, body } = buildCall(this.#baseUrl, operation, args);
    const headers = this.#headers(options.headers, body !== undefined);
    const init: RequestInit = { method, headers, redirect: "manual", ...(body !== undefined && { body }) };
    return await withJoinedSignal([this.#signal, options.signal], async (signal) => {
      let waitedSeconds = 0;
      for (;;) {
        const raw = await exchange(this.#fetch, url, init, this.#timeoutSeconds, signal);
        const outcome = readAnswer(operation, raw, this.#apiKey);
        if (!(outcome instanceof CommonplaceError)) return asPromised<Answer>(outcome);
        const waitSeconds = outcome instanceof RateLimitError ? outcome.retryAfterSeconds : undefined;
        if (waitSeconds === undefined || !(waitedSeconds + waitSeconds <= this.#maxWaitSeconds)) throw outcome;
        await this.#sleep(waitSeconds, signal);
        signal.throwIfAborted();
        waitedSeconds += waitSeconds;
      }
    });
  }

  #headers(further: CallOptions["headers"], hasBody: boolean): Headers {
    const headers = new Headers(further);
    headers.set("Authorization", `Bearer ${this.#apiKey}`);
    headers.set("Accept", "application/json");
    if (hasBody) headers.set("Content-Type", "application/json");
    return headers;
  }
}

/** The service promises this shape for the operation, and its own tests hold every answer against the table it is made from. */
const asPromised = <Answer>(envelope: object): Answer => envelope as Answer;

interface Page {
  readonly data: { readonly snippets: readonly Snippet[] };
  readonly pagination: Pagination;
}

async function* turnPages(firstOffset = 0, readPage: (offset: number) => Promise<Page>): AsyncGenerator<Snippet, void> {
  for (let offset = firstOffset; ; ) {
    const { data, pagination } = await readPage(offset);
    yield* data.snippets;
    if (!pagination.hasMore) return;
    offset += pagination.limit;
  }
}

/** What may not stand in a header is refused here, where the message does not repeat it as `fetch` would. */
function checkApiKey(apiKey: string): string {
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey must be the secret of an API key, without white space");
  return apiKey;
}

function checkBaseUrl(baseUrl: string | URL): string {
  const refusal = 'baseUrl must be an HTTPS address such as "https://snippets.example.com/api"';
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError(refusal);
  }
  const { protocol, origin, pathname, username, password, search, hash } = url;
  if (protocol !== "https:" || username + password + search + hash !== "") throw new TypeError(refusal);
  return origin + pathname.replace(/\/+$/, "");
}

function checkTimeout(seconds: number): number {
  if (!(seconds > 0)) throw new TypeError("timeoutSeconds must be a number above 0");
  return seconds;
}
