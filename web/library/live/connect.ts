// Learns of changes by others as long as the page is visible: by a stream, and by asking where streams do not get through.
import { callConsole, readEvents } from "../../call.ts";

/** The service writes into a new stream at once, and then at least every 25 seconds. Where less arrives, something in between holds it back. */
const firstSignSeconds = 10;
const silentSeconds = 60;
/** Streams that fail in a row before the page asks instead. */
const failuresMax = 3;
const askEverySeconds = 15;
/** While the page asks, it tries a stream again this often. */
const tryStreamEverySeconds = 300;

/** How long to wait after so many failures: longer each time, and not the same for all pages. */
export const backoffSeconds = (failures: number, random: number): number =>
  Math.min(30, 2 ** failures) * (0.5 + random / 2);

/** @param onChange something may have changed @returns a function that ends it */
export function connectLive(workspaceId: string, onChange: () => void): () => void {
  let session = new AbortController();
  let failures = 0;
  /** Changes may have been missed before. */
  let hasGap = false;

  const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });

  /** Reads one stream to its end. */
  const listen = async (signal: AbortSignal): Promise<void> => {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), firstSignSeconds * 1000);
    try {
      await readEvents(
        "getLibraryEvents",
        { workspaceId, signal: AbortSignal.any([signal, silence.signal]) },
        (events) => {
          failures = 0;
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), silentSeconds * 1000);
          if (hasGap || events.length > 0) onChange();
          hasGap = false;
        },
      );
    } finally {
      clearTimeout(timer);
    }
  };

  /** Asks again and again, until it is time to try a stream. */
  const ask = async (signal: AbortSignal): Promise<void> => {
    const end = performance.now() + tryStreamEverySeconds * 1000;
    let since: string | undefined;
    while (!signal.aborted && performance.now() < end) {
      const { data } = await callConsole("getLibraryEvents", { query: { since }, workspaceId, signal });
      if (hasGap || data.teamIds === null || data.teamIds.length > 0) onChange();
      hasGap = false;
      since = data.position;
      await pause(askEverySeconds, signal);
    }
  };

  const run = async ({ signal }: AbortController): Promise<void> => {
    while (!signal.aborted) {
      try {
        if (failures < failuresMax) await listen(signal);
        else {
          await ask(signal);
          // One stream is tried. If it fails too, the page asks on.
          failures = failuresMax - 2;
        }
      } catch {
        // What went wrong does not matter here: other reads of the page say it.
      }
      hasGap = true;
      failures += 1;
      await pause(backoffSeconds(failures, Math.random()), signal);
    }
  };

  const react = () => {
    session.abort();
    session = new AbortController();
    if (document.hidden) return;
    void run(session);
  };
  document.addEventListener("visibilitychange", react);
  react();
  return () => {
    document.removeEventListener("visibilitychange", react);
    session.abort();
  };
}
