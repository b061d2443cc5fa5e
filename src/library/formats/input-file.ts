// A file that is to be read: its text, and what parsers make of it, each at most once.
import { type JsonValue, parseJson } from "./json.ts";
import type { Place } from "./tree.ts";

export class InputFile {
  #json: JsonValue | Error | undefined;

  constructor(
    /** Relative, with `/` between its parts. */
    readonly path: string,
    readonly text: string,
  ) {}

  get name(): string {
    return this.path.slice(this.path.lastIndexOf("/") + 1);
  }

  /** The name without what follows its last dot. */
  get stem(): string {
    return this.name.replace(/(?<=.)\.[^.]*$/, "");
  }

  /** The names of the folders that it is in. */
  get folders(): readonly string[] {
    return this.path.split("/").slice(0, -1);
  }

  at(line?: number): Place {
    return { file: this.path, line };
  }

  get looksLikeJson(): boolean {
    return /^\s*(?:\/[/*]|[[{])/.test(this.text);
  }

  /** Undefined where it is not JSON. */
  get json(): JsonValue | undefined {
    if (!this.looksLikeJson) return undefined;
    this.#json ??= parseJson(this);
    return this.#json instanceof Error ? undefined : this.#json;
  }

  /** Why it is not JSON, where it looks like it. */
  get jsonError(): Error | undefined {
    return this.json === undefined && this.#json instanceof Error ? this.#json : undefined;
  }
}

/** Lines of a text that may end in any of the three ways, and where each begins. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1);
  }
  return starts;
}

/** The line, counted from 1, that an offset is in. */
export function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
