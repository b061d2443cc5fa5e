// The colors of code that is only read. The text is shown at once, and colored when the script of its language is here.
import { useEffect, useState } from "react";
import type { Run } from "./highlighted.ts";
import { isPlain } from "./prose.ts";

const none: readonly Run[] = [];

/** @param text not longer than what is shown: all of it is parsed */
export function useRuns(text: string, contentType: string): readonly Run[] {
  const [found, setFound] = useState<{ readonly text: string; readonly type: string; readonly runs: readonly Run[] }>();
  useEffect(() => {
    if (isPlain(contentType)) return;
    let isWanted = true;
    import("./highlighted.ts")
      .then(({ runsOf }) => runsOf(text, contentType))
      .then((runs) => isWanted && setFound({ text, type: contentType, runs }))
      // Without the script, the text stays in one color.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [text, contentType]);
  return found?.text === text && found.type === contentType ? found.runs : none;
}

export interface Styled {
  readonly text: string;
  readonly from: number;
  readonly classes: string | undefined;
}

/** Cuts a part of a text at the ends of its runs. @param from where the part begins in the text */
export function cutAtRuns(part: string, from: number, runs: readonly Run[]): readonly Styled[] {
  const pieces: Styled[] = [];
  const end = from + part.length;
  let at = from;
  const push = (to: number, classes: string | undefined) => {
    if (to > at) pieces.push({ text: part.slice(at - from, to - from), from: at, classes });
    at = Math.max(at, to);
  };
  for (let index = firstAfter(runs, from); index < runs.length; index += 1) {
    const run = runs[index];
    if (!run || run.from >= end) break;
    push(Math.max(run.from, from), undefined);
    push(Math.min(run.to, end), run.classes);
  }
  push(end, undefined);
  return pieces;
}

/** The index of the first run that ends after a position. */
function firstAfter(runs: readonly Run[], position: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.to ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
