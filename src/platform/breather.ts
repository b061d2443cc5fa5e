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
