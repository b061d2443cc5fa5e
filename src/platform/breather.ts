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

const workMilliseconds = 2;
/** Timers are not finer than this. */
const restMillisecondsMin = 1;

/** Goes on at once, or after a rest if the last one was a while ago. @param rest how many times as long as the work the rest lasts */
export type Pace = (rest: number) => Promise<void> | undefined;

/** For background work: requests have the rests to themselves, where a breather would make them wait at each turn of the event loop. */
export function createPace(wait: (milliseconds: number) => Promise<void>): Pace {
  let startedAt = performance.now();
  return (rest) => {
    const worked = performance.now() - startedAt;
    if (worked < workMilliseconds) return undefined;
    return wait(Math.max(restMillisecondsMin, worked * rest)).then(() => {
      startedAt = performance.now();
    });
  };
}
