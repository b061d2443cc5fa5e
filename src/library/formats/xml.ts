// XML with places. Entities that a file declares are not followed.
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { type InputFile, lineAt, lineStarts } from "./input-file.ts";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import type { Place } from "./tree.ts";

/** An element: its attributes, the elements in it, and its own text. */
export interface XmlElement {
  readonly place: Place;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (name: string) => readonly XmlElement[];
  readonly text: string;
  /** The elements in it in their order, with their names. */
  readonly all: readonly { readonly name: string; readonly element: XmlElement }[];
}

const attributesName = ":@";
const textName = "#text";

type Parsed = Readonly<Record<string, unknown>> & { readonly [attributesName]?: Readonly<Record<string, string>> };

/** Why a file is refused that declares entities, or anything else that has to be followed. */
export function declarationError(file: InputFile): ReadError | undefined {
  const declared = file.text.search(/<!(?:ENTITY|ELEMENT|ATTLIST|NOTATION)\b/i);
  if (declared < 0) return undefined;
  const line = lineAt(lineStarts(file.text), declared);
  return new ReadError("XML files that declare entities are not supported.", file.at(line));
}

/** @returns an element that has the root as its only child. @throws ReadError */
export function readXml(file: InputFile): XmlElement {
  const { text } = file;
  if (text.length > readLimits.xmlBytesMax)
    throw new ReadError(`An XML file can be at most ${readLimits.xmlBytesMax / 1024 / 1024} MiB.`, file.at());
  const starts = lineStarts(text);
  const declared = declarationError(file);
  if (declared) throw declared;
  const valid = XMLValidator.validate(text, { allowBooleanAttributes: false });
  if (valid !== true) throw new ReadError(`Not valid XML: ${valid.err.msg}`, file.at(valid.err.line));
  const meta = XMLParser.getMetaDataSymbol() as symbol;
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    processEntities: true,
    htmlEntities: true,
    captureMetaData: true,
    maxNestedTags: readLimits.depthMax,
  });
  const elementOf = (parsed: Parsed, children: readonly Parsed[]): XmlElement => {
    // The parser notes where an element begins.
    const { startIndex } = ((parsed as Record<symbol, unknown>)[meta] ?? {}) as { startIndex?: number };
    const all = children.flatMap((child) =>
      Object.entries(child).flatMap(([name, inside]) =>
        name === attributesName || name === textName ? [] : [{ name, element: elementOf(child, inside as Parsed[]) }],
      ),
    );
    return {
      place: file.at(startIndex === undefined ? undefined : lineAt(starts, startIndex)),
      attributes: parsed[attributesName] ?? {},
      all,
      children: (name) => all.filter((each) => each.name === name).map(({ element }) => element),
      text: children.map((child) => child[textName] ?? "").join(""),
    };
  };
  try {
    return elementOf({}, parser.parse(text));
  } catch (error) {
    const isDeep = error instanceof RangeError || (error instanceof Error && /nested/i.test(error.message));
    throw new ReadError(isDeep ? "The XML is nested too deeply." : "Not valid XML.", file.at());
  }
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** What XML 1.0 has no way to say. */
const unsayable = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu;

export const isSayableInXml = (text: string): boolean => text.search(unsayable) < 0;

/** A text as the value of an attribute, without what XML has no way to say. Line ends are written as numbers, because a parser would make spaces of them. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(unsayable, "")
    .replaceAll(/[&<>"]/g, (found) => escapes[found] ?? found)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (found) => `&#${found.charCodeAt(0)};`);
