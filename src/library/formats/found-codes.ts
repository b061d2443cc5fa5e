// What an export says about texts with codes of another tool, or with our placeholders.
import { placeholderNames } from "../placeholders.ts";
import { counted, shortened } from "./messages.ts";
import type { TreeSnippet, Warning } from "./tree.ts";

/** The text that a format with one text for a snippet writes. */
export const firstText = ({ variations: [first] }: TreeSnippet): string => first?.content ?? "";

/** The first placeholder of a text; undefined if it has none. */
export function placeholderExample(text: string): string | undefined {
  const [name] = placeholderNames(text);
  return name === undefined ? undefined : `{{${name}}}`;
}

/** Counts snippets, and remembers what the first one has. */
export class Found {
  #count = 0;
  #example = "";

  /** @param example undefined: the snippet is not one of them */
  add(example: string | undefined): void {
    if (example === undefined) return;
    if (this.#count === 0) this.#example = example;
    this.#count += 1;
  }

  warning(what: string, outcome: string): Warning[] {
    if (this.#count === 0) return [];
    const subject = `${counted(this.#count, "snippet")} ${this.#count === 1 ? "contains" : "contain"}`;
    return [{ message: `${subject} ${what}, such as ${shortened(this.#example)}. ${outcome}` }];
  }
}
