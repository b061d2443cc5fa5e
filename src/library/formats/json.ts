// JSON with places, comments, and trailing commas, as editors write it.
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import { type InputFile, lineAt, lineStarts } from "./input-file.ts";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import type { Place } from "./tree.ts";

/** A value in a JSON file, and where it is. */
export class JsonValue {
  constructor(
    readonly node: Node,
    private readonly placeAt: (offset: number) => Place,
  ) {}

  get place(): Place {
    return this.placeAt(this.node.offset);
  }

  get isObject(): boolean {
    return this.node.type === "object";
  }

  /** The items of an array; none for any other value. */
  get items(): JsonValue[] {
    return this.node.type === "array" ? (this.node.children ?? []).map((node) => this.#at(node)) : [];
  }

  /** The fields of an object, those with equal names too; none for any other value. */
  get fields(): { name: string; value: JsonValue }[] {
    if (this.node.type !== "object") return [];
    return (this.node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
      name && value ? [{ name: String(name.value), value: this.#at(value) }] : [],
    );
  }

  /** The value of a field; of several with this name, the last. */
  get(name: string): JsonValue | undefined {
    return this.fields.findLast((field) => field.name === name)?.value;
  }

  get isArray(): boolean {
    return this.node.type === "array";
  }

  get string(): string | undefined {
    return this.node.type === "string" ? String(this.node.value) : undefined;
  }

  get number(): number | undefined {
    return this.node.type === "number" ? Number(this.node.value) : undefined;
  }

  /** A text, or the lines of one. */
  get lines(): string | undefined {
    if (!this.isArray) return this.string;
    const lines = this.items.map((item) => item.string);
    return lines.every((line) => line !== undefined) ? lines.join("\n") : undefined;
  }

  /** The text of a field; empty where it has none. */
  textOf(name: string): string {
    return this.get(name)?.string ?? "";
  }

  /** Plain values. */
  get plain(): unknown {
    return getNodeValue(this.node);
  }

  #at(node: Node): JsonValue {
    return new JsonValue(node, this.placeAt);
  }
}

export function parseJson(file: InputFile): JsonValue | ReadError {
  const { text } = file;
  if (text.length > readLimits.jsonBytesMax)
    return new ReadError(`A JSON file can be at most ${readLimits.jsonBytesMax / 1024 / 1024} MiB.`, file.at());
  const starts = lineStarts(text);
  const placeAt = (offset: number) => file.at(lineAt(starts, offset));
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined)
    return new ReadError(`JSON can be nested at most ${readLimits.depthMax} levels deep.`, placeAt(deepAt));
  const errors: ParseError[] = [];
  const node = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first)
    return new ReadError(`Not valid JSON: ${sentence(printParseErrorCode(first.error))}`, placeAt(first.offset));
  return node ? new JsonValue(node, placeAt) : new ReadError("The file is empty.", file.at());
}

/** Of a text that was parsed. */
export function hasComments(text: string): boolean {
  let isFound = false;
  const onComment = () => {
    isFound = true;
  };
  if (/\/[/*]/.test(text)) visit(text, { onComment });
  return isFound;
}

/** Where arrays and objects are too deep in each other, found without the parser's recursion. Comments count too, which does no harm. */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > readLimits.depthMax) return index;
  }
  return undefined;
}

/** Where a string ends, or its line, if it does not. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === '"' || character === "\n") return index;
  }
  return text.length;
}

/** `ValueExpected` → `value expected.` */
const sentence = (code: string): string => `${code.replaceAll(/(?<=.)[A-Z]/g, " $&").toLowerCase()}.`;
