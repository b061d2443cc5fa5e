// What a file of a two-way sync says, as plain values: the fields at its beginning, the folder that it is in, and its text.
import { createHash } from "node:crypto";
import { isScalar } from "yaml";
import { bodyText, frontMatterOf, withFrontMatter } from "../../../../src/library/formats/front-matter.ts";
import { InputFile } from "../../../../src/library/formats/input-file.ts";
import { idField, mainField, typeField } from "../../../../src/library/formats/markdown.ts";
import { ReadError } from "../../../../src/library/formats/read-error.ts";
import { isRecord } from "../../../../src/library/formats/yaml.ts";
import { readYamlDocument } from "../../../../src/library/formats/yaml-document.ts";
import { yamlNode } from "../../../../src/library/formats/yaml-text.ts";

export type Value = string | readonly string[];
/**
 * Of a snippet: `title`, `shortcut`, `note`, `content-type`, `tags`, `archived`, `folder`. Of a variation: `variation`, `content-type`,
 * `variation-of`, `folder`.
 */
export type Fields = Readonly<Record<string, Value>>;

export interface Document {
  readonly fields: Fields;
  readonly text: string;
}

/** What was the same on both sides after the last sync. */
export interface Base {
  readonly fields: Fields;
  /** The hash of the text. */
  readonly hash: string;
}

export interface ParsedFile {
  readonly id: string | undefined;
  readonly document: Document;
  /** A further variation of another file. */
  readonly isFurther: boolean;
}

const snippetFields = ["title", "shortcut", typeField, "tags", "note", "archived"] as const;
const furtherFields = [mainField, "variation", typeField] as const;
const typeDefault = "markdown";

/** With only `\n` between lines. */
export const inLines = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** Editors change line endings on their own, so the same text with other ones is no change. */
export const hashOfText = (text: string): string => createHash("sha256").update(inLines(text)).digest("hex");

export const baseOf = ({ fields, text }: Document): Base => ({ fields, hash: hashOfText(text) });

export const sameValue = (one: Value | undefined, other: Value | undefined): boolean =>
  JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

/** Some systems do not distinguish case in the names of folders, or how accents are written. */
/** Whether two paths mean the same folder of the library. One on the disk may begin with a dash, which new ones do not. */
export const sameFolder = (one: string, other: string): boolean =>
  keyOfPath(withoutDashes(one)) === keyOfPath(withoutDashes(other));
const withoutDashes = (path: string): string => path.replaceAll(/(?<=^|\/)[- ]+(?=[^/])/g, "");
export const keyOfPath = (path: string): string => path.normalize("NFC").toLowerCase();

/** A field that is empty is the same as a field that is missing. */
export const sameField = (name: string, one: Fields, other: Fields): boolean =>
  name === "folder"
    ? sameFolder(String(one[name] ?? ""), String(other[name] ?? ""))
    : sameValue(one[name], other[name]);

export const sameFields = (one: Fields, other: Fields): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => sameField(name, one, other));

export const same = (one: Base, other: Base): boolean =>
  one.hash === other.hash && sameFields(one.fields, other.fields);

export const sameDocument = (one: Document, other: Document): boolean => same(baseOf(one), baseOf(other));

/** The text with the line endings of another one, if that has any. */
export const withEndingsOf = (text: string, other: string): string =>
  other.includes("\r\n") ? inLines(text).replaceAll("\n", "\r\n") : text;

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const stemOf = (path: string): string => nameOf(path).replace(/\.md$/i, "");

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Tags have no order. */
export const sortedTags = (tags: readonly string[]): string[] => [...new Set(tags)].sort();

/** A value in braces, such as a placeholder without quotation marks, would be no value. @throws ReadError */
function requireTexts(path: string, content: string, fields: Readonly<Record<string, unknown>>): void {
  const isMap = (value: unknown) => [value].flat().some(isRecord);
  const wrong = [...new Set([...snippetFields, ...furtherFields, idField])].find((name) => isMap(fields[name]));
  if (wrong === undefined) return;
  const line = inLines(content)
    .split("\n")
    .findIndex((each) => each.startsWith(`${wrong}:`));
  const place = { file: path, line: line === -1 ? undefined : line + 1 };
  throw new ReadError(`The field "${wrong}" must be text. Put its value in quotation marks.`, place);
}

/** The fields, and the text with only `\n` between its lines. @throws ReadError for fields that cannot be read */
export function parseFile(path: string, content: string): ParsedFile {
  // All of them are texts, so a number is what is written: 1.10, not 1.1.
  const { texts: fields, body } = split(path, content);
  requireTexts(path, content, fields);
  const text = inLines(bodyText(body));
  const isFurther = fields[mainField] !== undefined && fields[mainField] !== null;
  const own: Fields = isFurther
    ? { [mainField]: textOf(fields[mainField]), variation: textOf(fields.variation) || stemOf(path) }
    : {
        title: textOf(fields.title) || stemOf(path),
        shortcut: textOf(fields.shortcut),
        note: textOf(fields.note),
        tags: sortedTags([fields.tags ?? []].flat().map(textOf).filter(Boolean)),
        archived: fields.archived === true ? "true" : "",
      };
  return {
    id: textOf(fields[idField]).toLowerCase() || undefined,
    document: {
      fields: { ...own, [typeField]: textOf(fields[typeField]) || typeDefault, folder: folderOf(path) },
      text,
    },
    isFurther,
  };
}

function split(path: string, content: string) {
  const file = new InputFile(path, content.replace(/^\uFEFF/, ""));
  const found = frontMatterOf(file);
  const head = file.text.slice(0, file.text.length - found.body.length);
  // Between two horizontal lines, a text that has no fields is a text.
  const isText = found.isPresent && Object.keys(found.fields).length === 0 && /\n(?![ \t]*(?:#|---|\r|\n))./.test(head);
  return found.isPresent && !isText
    ? { head, ...found }
    : { head: "", texts: {} as Readonly<Record<string, unknown>>, body: file.text };
}

/** The fields as the beginning of a file has them. Those that are empty are left out. */
function shown(fields: Fields): Record<string, unknown> {
  const names = fields[mainField] === undefined ? snippetFields : furtherFields;
  const isShown = (name: string) => name === "title" || (fields[name] ?? "").length > 0;
  return Object.fromEntries(
    names.filter(isShown).map((name) => [name, name === "archived" ? true : (fields[name] ?? "")]),
  );
}

/** A new file. */
export const renderNew = (id: string, { fields, text }: Document): string =>
  withFrontMatter({ ...shown(fields), [idField]: id }, inLines(text));

/**
 * The file with these fields and this text. Whatever else its person wrote at its beginning stays: other fields, comments, and their order. A file
 * that says all of this already stays as it is.
 * @param id undefined leaves the one in the file, if any
 */
export function render(path: string, content: string, id: string | undefined, document: Document): string {
  const { head, body } = split(path, content);
  const parsed = parseFile(path, content);
  const wanted = shown(document.fields);
  const isKept = (name: string) => sameValue(parsed.document.fields[name], document.fields[name]);
  const changed = (document.fields[mainField] === undefined ? snippetFields : furtherFields).filter(
    (name) => !isKept(name),
  );
  const isOtherId = id !== undefined && parsed.id !== id;
  const isSameText = hashOfText(parsed.document.text) === hashOfText(document.text);
  if (changed.length === 0 && !isOtherId && isSameText) return content;
  const isCrlf = /^[^\n]*\r\n/.test(content);
  const mark = content.startsWith("\uFEFF") ? "\uFEFF" : "";
  const asInFile = (text: string): string => (isCrlf ? inLines(text).replaceAll("\n", "\r\n") : inLines(text));
  // What stands around the text stays, since editors have their own habits there.
  const around = isSameText ? body : head === "" ? `${inLines(document.text)}\n` : `\n${inLines(document.text)}\n`;
  if (head === "") {
    const added = Object.fromEntries(Object.entries(wanted).filter(([name]) => changed.some((each) => each === name)));
    if (changed.length === 0 && id === undefined) return mark + asInFile(around);
    const isBlankFirst = /^\r?\n/.test(around);
    return (
      mark +
      asInFile(withFrontMatter({ ...added, ...(id && { [idField]: id }) }, "").slice(0, -1)) +
      asInFile(isBlankFirst ? around.replace(/^\r?\n/, "") : around)
    );
  }
  const isSameHead = changed.length === 0 && !isOtherId;
  const newHead = isSameHead
    ? head
    : withFields(head, { ...wanted, ...(id && { [idField]: id }) }, [...changed, idField]);
  return mark + asInFile(newHead) + asInFile(around);
}

/** The fields at the beginning of a file, some of them changed. */
function withFields(head: string, wanted: Readonly<Record<string, unknown>>, changed: readonly string[]): string {
  const lines = inLines(head).replace(/\n$/, "").split("\n");
  const yaml = readYamlDocument(lines.slice(1, -1).join("\n"));
  for (const name of changed) {
    const value = yamlNode(wanted[name]);
    const before = yaml.get(name, true);
    // A block stays one, whatever it then has to hold. Everything else keeps its comment.
    const isReplaced = Array.isArray(value) || (isScalar(before) && before.type?.startsWith("BLOCK") === true);
    if (value !== undefined) yaml.set(name, isReplaced ? yaml.createNode(value) : value);
    else if (name !== idField) yaml.delete(name);
  }
  return `---\n${yaml.toString({ lineWidth: 0 })}---\n`;
}
