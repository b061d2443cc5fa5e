// Highlights code that is only read, with the languages of the editor. Loaded with the first such text.
import { classHighlighter, highlightTree } from "@lezer/highlight";
import { languageOf } from "./guess-language.ts";

/** A run of characters with its classes. What lies between two runs has none. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly classes: string;
}

/** A browser takes seconds to lay out tens of thousands of elements. What follows the last run has no color. */
const runsMax = 8_000;

/** The colored runs of a text, in their order. */
export async function runsOf(text: string, contentType: string): Promise<readonly Run[]> {
  const loaded = await languageOf(contentType, text)?.load?.();
  if (!loaded) return [];
  const runs: Run[] = [];
  highlightTree(loaded.parser.parse(text), classHighlighter, (from, to, classes) => {
    const last = runs.at(-1);
    if (last?.to === from && last.classes === classes) runs[runs.length - 1] = { ...last, to };
    else if (runs.length < runsMax) runs.push({ from, to, classes });
  });
  return runs;
}
