import { type Fetch } from "./exchange.ts";
import type { CallOptions } from "./operation.ts";
import { type GetFolderArguments, type GetTagArguments, Operations, type Snippet } from "./operations.generated.ts";
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
    readonly waitForRateLimit?: boolean | {
        readonly maxWaitSeconds: number;
    } | undefined;
    /** How long one exchange with the service may take; waiting for the rate limit does not count. Default: 60. */
    readonly timeoutSeconds?: number | undefined;
    /** Ends every call of this client when it aborts. */
    readonly signal?: AbortSignal | undefined;
    /** Used instead of a timer to wait for the rate limit: for tests that must not sleep. */
    readonly sleep?: ((seconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}
/**
 * A client of the snippet service. Every method resolves with the whole answer and rejects with a `CommonplaceError`.
 *
 * ```ts
 * const client = new Commonplace({ baseUrl: "https://snippets.example.com/api", apiKey });
 * const { data } = await client.getSnippet({ id });
 * ```
 */
export declare class Commonplace extends Operations {
    #private;
    /** @throws TypeError that names the option and what it must be */
    constructor(options: CommonplaceOptions);
    /**
     * Every snippet of a folder, newest first, page by page; each page is a call of `getFolder`. A snippet that is made or deleted
     * meanwhile shifts the pages: one may come twice or be left out.
     */
    snippetsInFolder({ limit, ...where }: GetFolderArguments, options?: CallOptions): AsyncGenerator<Snippet, void>;
    /** Every snippet with a tag, as `snippetsInFolder` does for a folder; each page is a call of `getTag`. */
    snippetsWithTag({ limit, ...where }: GetTagArguments, options?: CallOptions): AsyncGenerator<Snippet, void>;
}
