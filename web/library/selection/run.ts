// Runs a change of many snippets portion by portion. One at a time; it can be stopped after each portion.
import { ApiError } from "../../call.ts";
import { pluralize } from "../../components/format.ts";
import { toast } from "../../components/toast.tsx";
import { createStore } from "../../store.ts";
import { addDone, type Done, nothingDone, type Outcome, portionMax, portionsOf } from "./plan.ts";

export interface Progress {
  /** What happens: "Moving snippets". */
  readonly label: string;
  readonly done: number;
  /** Undefined while nobody knows. */
  readonly total: number | undefined;
  /** By `performance.now()`. */
  readonly startedAt: number;
  readonly stop: () => void;
}

/** The change that is running, if it is a long one. */
export const progress = createStore<Progress | undefined>(undefined);

export const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Repeats a request that came too early, once it may come. */
export async function withPatience<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfterSeconds === null || signal.aborted)
        throw error;
      if (error.retryAfterSeconds > 0)
        toast(`Too many requests in one minute. Continuing in ${pluralize(error.retryAfterSeconds, "second")}.`);
      await wait(error.retryAfterSeconds, signal);
    }
  }
}

/** Shows the progress of long work, and gives it a signal that stops it. */
export async function withProgress<Result>(
  label: string,
  total: number | undefined,
  work: (signal: AbortSignal, advance: (done: number) => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const startedAt = performance.now();
  const isLong = total === undefined || total > portionMax;
  const show = (done: number) => {
    if (isLong) progress.set({ label, done, total, startedAt, stop: () => controller.abort() });
  };
  show(0);
  try {
    return await work(controller.signal, show);
  } finally {
    if (isLong) progress.set(undefined);
  }
}

/** @param work changes one portion */
export const runPortions = <Item>(
  label: string,
  items: readonly Item[],
  work: (portion: readonly Item[]) => Promise<Done>,
): Promise<Outcome> =>
  withProgress(label, items.length, async (signal, advance) => {
    let outcome = nothingDone(items.length);
    for (const portion of portionsOf(items)) {
      if (signal.aborted) return { ...outcome, stop: "person" };
      try {
        outcome = addDone(outcome, await withPatience(() => work(portion), signal));
      } catch (error) {
        return {
          ...outcome,
          stop: signal.aborted
            ? "person"
            : error instanceof Error
              ? error
              : new Error("Something went wrong. Try again."),
        };
      }
      advance(outcome.ids.length + outcome.refusals.length);
    }
    return outcome;
  });
