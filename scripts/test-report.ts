// What `npm test` prints about its parts: their output in order, why tests failed, the slowest files, and the counts.
import type { Result } from "./test-parts.ts";
import type { Group, Part } from "./test-plan.ts";

export type Titles = Readonly<Record<Group, string>>;
export type Results = readonly (readonly [Part, Result])[];

const slowestShown = 10;

/** Prints the output of concurrent parts in order: the first live, each other one when all before it have ended. */
export class Screen {
  readonly #waiting = new Map<number, string[]>();
  readonly #ended = new Set<number>();
  #shown = 0;

  print(index: number, text: string): void {
    if (index === this.#shown) process.stdout.write(text);
    else this.#waiting.set(index, [...(this.#waiting.get(index) ?? []), text]);
  }

  end(index: number): void {
    this.#ended.add(index);
    while (this.#ended.has(this.#shown)) {
      this.#shown += 1;
      for (const text of this.#waiting.get(this.#shown) ?? []) process.stdout.write(text);
      this.#waiting.delete(this.#shown);
    }
  }
}

export const failuresText = (results: Results, titles: Titles): string =>
  results
    .flatMap(([part, { failures }]) => failures.map((failure) => `\nOn ${titles[part.group]}: ${failure}\n`))
    .join("");

/** The files that took longest, each on its engine. */
export function slowestText(results: Results, titles: Titles): string {
  const files = results.flatMap(([part, { seconds }]) =>
    Object.entries(seconds).map(([path, took]) => ({ path, took, title: titles[part.group] })),
  );
  const slowest = files.sort((left, right) => right.took - left.took).slice(0, slowestShown);
  const lines = slowest.map(({ path, took, title }) => `${took.toFixed(1).padStart(6)} s  ${path}, ${title}\n`);
  return lines.length === 0 ? "" : `\nThe slowest files:\n${lines.join("")}`;
}

/** The counts of each group, one line each. */
export const groupsText = (results: Results, titles: Titles): string =>
  Object.entries(titles)
    .map(([group, title]) => ({ title, ofGroup: results.filter(([part]) => part.group === group) }))
    .filter(({ ofGroup }) => ofGroup.length > 0)
    .map(({ title, ofGroup }) => `${title.padEnd(18)} ${countsText(ofGroup)}\n`)
    .join("");

/** Such as `12 passed, 0 failed, 3 skipped`. */
export function countsText(results: Results): string {
  const skipped = sumOf(results, "skipped");
  return `${sumOf(results, "passed")} passed, ${sumOf(results, "failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

export const sumOf = (results: Results, count: "passed" | "failed" | "skipped"): number =>
  results.reduce((total, [, result]) => total + result[count], 0);
