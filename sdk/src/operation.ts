// What every operation has in common: its row in the generated table, the options of a request, and the envelope of a response.

/** A row of the generated table: where a request goes and which of its arguments are query parameters. */
export interface Operation {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The arguments that are query parameters; all others are fields of the body. */
  readonly query: readonly string[];
  readonly body: "none" | "optional" | "required" | "file";
  /** The response is a text alone; the client puts it into an envelope. */
  readonly isText?: true;
  /** The response is a file; the client puts it into an envelope. */
  readonly isFile?: true;
}

/** A file that the service sent. */
export interface ReceivedFile {
  /** As the service suggests it. */
  readonly name: string;
  /** Empty if `onChunk` received them. */
  readonly bytes: Uint8Array;
  /** What the format leaves out, and what the other tool would replace or run. The last one may only say how many more there are. */
  readonly warnings: readonly string[];
  /** How many snippets contain code that the other tool runs when you insert them. The first warning names them. */
  readonly codeCount: number;
}

/** The options of one request besides its arguments. */
export interface RequestOptions {
  /** Aborts the request, even while it waits for the rate limit; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Identifies a write: the service carries out and charges only the first request with this key, for 24 hours. Keep it if your program
   * itself may send the request again, for example after a restart. By default, the client creates one for each write.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Receives the bytes of a file as they arrive, so that a large file is never in memory as a whole. The time limit of the request counts from
   * the last chunk. If the request fails, the chunks are an incomplete file.
   */
  readonly onChunk?: ((chunk: Uint8Array) => void | Promise<void>) | undefined;
  /** False does not wait when the rate limit refuses this request, whatever the client's setting: for what must not happen later. */
  readonly waitForRateLimit?: false | undefined;
  /** Replaces the client's time limit for this request. */
  readonly timeoutSeconds?: number | undefined;
  /** Additional request headers. They cannot replace the headers that the client sends itself. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What every response says about the workspace's quota. */
export interface Usage {
  /** Units left after the request. */
  remainingRequests: number;
}

/** The usage of an operation whose cost depends on its input. */
export interface UsageDeducted extends Usage {
  /** Units charged for the request. */
  usageDeducted: number;
}

/** The response of a successful operation. */
export interface Envelope<Data, Used extends Usage = Usage> {
  success: true;
  data: Data;
  usage: Used;
  /**
   * What the response headers say about the request. Not enumerable: `JSON.stringify` and comparisons see the response exactly as the
   * service sent it. Every method sets it; a copy (`{ ...result }`) does not have it.
   */
  readonly response?: ResponseInfo;
}

/** What the response headers say about a request. Undefined where a header is missing or must not be read. */
export interface ResponseInfo {
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Units that the request was charged, also if it failed. */
  readonly cost: number | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Present if the response is the one to an earlier request with the same idempotency key: this request itself cost nothing. */
  readonly isReplay?: true;
  /** The version of the text. Send it as `If-None-Match` to learn whether the text is still the same. */
  readonly etag?: string;
  /** When the key expires; present in its last 14 days. */
  readonly keyExpiresAt?: string;
}

/** The state of the key's rate limit after a request. */
export interface RateLimit {
  /** Requests that the key may send in one window. */
  readonly limit: number;
  /** Requests that remain. */
  readonly remaining: number;
  /** Seconds until the oldest request leaves the window and one more is allowed. */
  readonly resetSeconds: number;
}

/** @internal */
export function readResponseInfo(headers: Headers): ResponseInfo {
  const read = (name: string, pattern: RegExp): number | undefined => {
    const digits = pattern.exec(headers.get(name) ?? "")?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const etag = headers.get("ETag");
  const keyExpiresAt = headers.get("X-Key-Expires-At");
  const limit = read("RateLimit-Policy", /;\s*q=(\d+)/);
  const remaining = read("RateLimit", /;\s*r=(\d+)/);
  const resetSeconds = read("RateLimit", /;\s*t=(\d+)/);
  const isKnown = limit !== undefined && remaining !== undefined && resetSeconds !== undefined;
  return {
    requestId: headers.get("X-Request-Id") ?? undefined,
    cost: read("X-Request-Cost", /^(\d+)$/),
    rateLimit: isKnown ? { limit, remaining, resetSeconds } : undefined,
    ...(headers.get("Idempotency-Replayed") === "true" && { isReplay: true }),
    ...(etag !== null && { etag }),
    ...(keyExpiresAt !== null && { keyExpiresAt }),
  };
}
