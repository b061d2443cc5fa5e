// YAML with places. Anchors are followed a limited number of times.
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  visit,
  type YAMLMap,
} from "yaml";
import type { InputFile } from "./input-file.ts";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import type { Place } from "./tree.ts";
import { plainOf, readYamlDocument, YamlRefused } from "./yaml-document.ts";
import { danglingAlias, needsQuotes, reasonOf } from "./yaml-reasons.ts";

/** A value in a YAML file, and where it is. */
export interface YamlValue {
  readonly place: Place;
  readonly plain: unknown;
  /** Of a number, as it is written: `10.00` can be a text, and `007` a name. */
  readonly written: string | undefined;
  /** The same for the fields of a map. */
  readonly writtenFields: ReadonlyMap<string, string>;
}

export interface YamlFile {
  /** The fields of the document, in order. */
  readonly fields: readonly {
    readonly name: string;
    readonly value: YamlValue;
    readonly items: readonly YamlValue[];
  }[];
  readonly hasComments: boolean;
}

/** @throws ReadError */
export function readYaml(file: InputFile, startLine = 1): YamlFile {
  // Line ends of other systems mean the same in YAML, except a lone CR, which the parser takes for a character.
  const text = file.text.replaceAll(/\r\n?/g, "\n");
  const lines = new LineCounter();
  const atOffset = (offset: number) => file.at(lines.linePos(offset).line + startLine - 1);
  const placeOf = (node: Node | null | undefined) => (node?.range ? atOffset(node.range[0]) : file.at());
  try {
    const document = readYamlDocument(text, lines);
    const reason = reasonOf(document, text);
    if (reason) throw new ReadError(`Not valid YAML: ${reason.message}.`, atOffset(reason.offset));
    const alias = danglingAlias(document);
    if (alias !== undefined) throw new ReadError(`Not valid YAML: ${needsQuotes("*")}.`, atOffset(alias));
    endLastScalar(document, text);
    const placed = (node: ParsedNode | null): YamlValue => ({
      place: placeOf(node),
      plain: plainOf(node, document),
      written: writtenNumber(node),
      writtenFields: new Map(
        (isMap(node) ? node.items : []).flatMap(({ key, value }) => {
          const written = writtenNumber(value);
          return isScalar(key) && written !== undefined ? [[String(key.value), written]] : [];
        }),
      ),
    });
    const map: YAMLMap.Parsed | undefined = isMap(document.contents)
      ? (document.contents as YAMLMap.Parsed)
      : undefined;
    return {
      fields: (map?.items ?? []).map(({ key, value }) => ({
        name: isScalar(key) ? String(key.value) : "",
        value: isSeq(value) ? { ...placed(null), place: placeOf(value), plain: undefined } : placed(value),
        items: isSeq(value) ? value.items.map((item) => placed(item as ParsedNode)) : [],
      })),
      hasComments: hasComments(document),
    };
  } catch (error) {
    if (error instanceof ReadError) throw error;
    if (error instanceof YamlRefused)
      throw error.reason === "depth"
        ? new ReadError("The YAML is nested too deeply.", atOffset(error.offset))
        : new ReadError(`A YAML file can be at most ${readLimits.yamlBytesMax / 1024 / 1024} MiB.`, file.at());
    // Thrown for anchors that are used too often.
    throw new ReadError("The YAML uses anchors in a way that is not supported.", file.at());
  }
}

/**
 * A block scalar in a last line without a line break has no line break at its end (YAML 1.2.2, production 165). The parser adds one.
 */
function endLastScalar(document: Document, text: string): void {
  const lastLine = text.lastIndexOf("\n") + 1;
  if (text.slice(lastLine).trim() === "") return;
  visit(document, {
    Scalar: (_, scalar) => {
      const [start = 0, end = 0] = scalar.range ?? [];
      const isLast = scalar.type?.startsWith("BLOCK_") === true && start < lastLine && end >= text.length;
      if (isLast && typeof scalar.value === "string") scalar.value = scalar.value.replace(/\n$/, "");
    },
  });
}

const writtenNumber = (node: unknown): string | undefined =>
  isScalar(node) && typeof node.value === "number" ? node.source : undefined;

function hasComments(document: Document): boolean {
  let isFound = Boolean(document.commentBefore || document.comment);
  visit(document, (_, node) => {
    isFound ||= isNode(node) && Boolean(node.commentBefore || node.comment);
    return isFound ? visit.BREAK : undefined;
  });
  return isFound;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
