// The difference between two texts, as lines for a terminal or a patch.
import { createTwoFilesPatch } from "diff";
import { inert } from "../../../src/contract/printable.ts";
import { print } from "./print.ts";
import { bold, cyan, green, red } from "./style.ts";

const contextLines = 3;

/** A unified diff without colors; empty if the texts are the same. */
export function diffOf(before: Side, after: Side): string {
  if (before.text === after.text) return "";
  const patch = createTwoFilesPatch(before.name, after.name, before.text, after.text, undefined, undefined, {
    context: contextLines,
  });
  // The first line is a rule of equals signs, which no program needs.
  return patch.slice(patch.indexOf("---"));
}

/** A text and what it is called in the diff. */
export interface Side {
  readonly name: string;
  readonly text: string;
}

/** The diff in colors where the terminal has them. */
export function inColors(patch: string): string {
  return patch
    .split("\n")
    .map((line) => {
      const shown = inert(line);
      if (/^(---|\+\+\+) /.test(line)) return bold(shown);
      if (line.startsWith("@@")) return cyan(shown);
      return line.startsWith("+") ? green(shown) : line.startsWith("-") ? red(shown) : shown;
    })
    .join("\n");
}

export const printDiff = (patch: string): void => print(process.stdout.isTTY ? inColors(patch) : patch);
