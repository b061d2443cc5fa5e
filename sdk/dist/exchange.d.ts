/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
/** An answer read to its end. */
export interface RawAnswer {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
}
/** @throws ConnectionError without a whole answer; the signal's reason when it aborts */
export declare function exchange(fetch: Fetch, url: string, init: RequestInit, timeoutSeconds: number, signal: AbortSignal): Promise<RawAnswer>;
/** Resolves after `seconds`. @throws the signal's reason when it aborts before */
export declare function sleep(seconds: number, signal: AbortSignal): Promise<void>;
/**
 * Runs `work` with one signal that aborts when any of `signals` does, and listens to none of them afterwards: a signal may
 * outlive many calls.
 */
export declare function withJoinedSignal<Result>(signals: readonly (AbortSignal | undefined)[], work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
