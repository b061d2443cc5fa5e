// Work that a service does beside its calls: a round now and then, with pauses inside it, until the service stops.

/** Resolves after the time, or as soon as the signal says stop. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** By the clock on the wall of this process, which it does not keep alive. */
export const wait: Wait = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    timer.unref();
    signal.addEventListener("abort", end);
  });

export interface Rounds {
  readonly firstAfterSeconds: number;
  readonly everySeconds: number;
  /** One round. It asks `mayGoOn` before each portion of its work: calls have gone first then, and false is the end. */
  readonly round: (mayGoOn: () => Promise<boolean>) => Promise<void>;
  /** A round failed; it is tried again when the next is due. */
  readonly onFailure: (cause: unknown) => void;
}

/** After a portion, calls have the computer for so many times as long as it took. */
const pauseFactor = 9;

/** @returns what ends it: resolved when nothing of it runs any more */
export function startRounds(rounds: Rounds, waitFor: Wait = wait): () => Promise<void> {
  const stopping = new AbortController();
  const running = run(rounds, waitFor, stopping.signal);
  return () => {
    stopping.abort();
    return running;
  };
}

async function run({ firstAfterSeconds, everySeconds, round, onFailure }: Rounds, waitFor: Wait, signal: AbortSignal) {
  await waitFor(firstAfterSeconds * 1_000, signal);
  while (!signal.aborted) {
    let begunAt = performance.now();
    const mayGoOn = async () => {
      await waitFor((performance.now() - begunAt) * pauseFactor, signal);
      begunAt = performance.now();
      return !signal.aborted;
    };
    await round(mayGoOn).catch(onFailure);
    await waitFor(everySeconds * 1_000, signal);
  }
}
