// Lets other work of the process go first during long computations.

/** Goes on at once, or in the next turn of the event loop if the last pause was a while ago. */
export type Breathe = () => Promise<void> | undefined;

const sliceMilliseconds = 4;

export function createBreather(): Breathe {
  let sliceEnd = performance.now() + sliceMilliseconds;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        sliceEnd = performance.now() + sliceMilliseconds;
        resolve();
      });
    });
  };
}

/** How long background work goes on before it rests. */
const workMilliseconds = { min: 2, max: 8 };
/** The same while nobody asks for anything. */
const quietWorkMilliseconds = 4;
/** Timers are not finer than this. */
const restMillisecondsMin = 1;

/** Goes on at once, or after a rest if the last one was a while ago. @param rest how many times as long as the work the rest lasts */
export type Pace = (rest: number) => Promise<void> | undefined;

/**
 * For background work: requests have the rests to themselves, where a breather would make them wait at each turn of the event loop. Where
 * they make a rest longer than it was meant to be, the work after it may last longer too, up to as long as the rest: so the work gets its
 * share however busy the service is. While there are no requests, it hardly rests: work that is spread over a longer time takes twice as
 * much of the processor.
 * @param isQuiet whether there are no requests
 */
export function createPace(wait: (milliseconds: number) => Promise<void>, isQuiet: () => boolean): Pace {
  let startedAt = performance.now();
  let sliceMilliseconds = workMilliseconds.min;
  return (rest) => {
    const endedAt = performance.now();
    const worked = endedAt - startedAt;
    if (worked < sliceMilliseconds) return undefined;
    return wait(Math.max(restMillisecondsMin, isQuiet() ? 0 : worked * rest)).then(() => {
      startedAt = performance.now();
      const share = (startedAt - endedAt) / Math.max(1, rest);
      sliceMilliseconds = isQuiet()
        ? quietWorkMilliseconds
        : Math.min(workMilliseconds.max, Math.max(workMilliseconds.min, share));
    });
  };
}
