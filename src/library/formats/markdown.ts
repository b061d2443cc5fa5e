// A folder of Markdown files, one for each snippet, with its fields at the beginning.
import { DifferentNames, fileName } from "./file-names.ts";
import type { Format } from "./format.ts";
import { textFile } from "./format.ts";
import { bodyText, frontMatterOf, withFrontMatter } from "./front-matter.ts";
import type { InputFile } from "./input-file.ts";
import { folderNames, lost, tagNames } from "./paths-of-tree.ts";
import { ReadError } from "./read-error.ts";
import { firstVariationName, type OutputFile, type Tree } from "./tree.ts";
import { type TreeBuilder, warnOfComments } from "./tree-builder.ts";

export const markdown: Format = {
  name: "Markdown",
  source: "docs/use/formats.md",
  claims: ({ text }) => /^---[ \t]*(?:\r\n|\r|\n)[\s\S]*?(?:\r\n|\r|\n)---[ \t]*(?:\r|\n|$)/.test(text),
  alsoReads: ({ path }) => /\.(?:md|markdown)$/i.test(path),
  read: readFiles,
  write: (tree) => ({
    files: writeFiles(tree),
    warnings: lost("Markdown", tree, {
      note: true,
      tags: true,
      folders: true,
      nesting: true,
      variations: true,
      archived: true,
    }),
  }),
};

/** A file that is a further variation of the file that it names. */
interface Further {
  readonly file: InputFile;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly hasComments: boolean;
}

/** The ID of a snippet in the files of `cpl sync`. An import makes snippets with IDs of their own. */
export const idField = "commonplace-id";
/** Names that people's own notes do not have: many have a `type`, such as `meeting`, and `of` says nothing to its reader. */
export const typeField = "content-type";
/** The name of the file with the first variation. */
export const mainField = "variation-of";
const knownOfFurther = new Set([mainField, "variation", typeField]);
const known = new Set(["title", "shortcut", "note", "tags", typeField, "variation", mainField, "archived", idField]);
const stringOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Says which fields of a file are not read, also because they are not texts. */
function warnOfUnread({ file, fields, hasComments }: Further, read: ReadonlySet<string>, into: TreeBuilder): void {
  const isUnread = ([name, value]: [string, unknown]) =>
    !read.has(name) || (name !== "tags" && typeof value === "object" && value !== null);
  for (const [name] of Object.entries(fields).filter(isUnread))
    into.warn(file.at(), `The field "${name}" is left out.`);
  if (hasComments) warnOfComments(file.at(), into);
}

function readFiles(claimed: readonly InputFile[], into: TreeBuilder): void {
  const parts = claimed.flatMap((file): Further[] => {
    try {
      const { texts: fields, body, isPresent, hasComments } = frontMatterOf(file);
      return [{ file, fields, hasComments, content: isPresent ? bodyText(body) : body }];
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      into.leaveOut(error.place ?? file.at(), error.message);
      return [];
    }
  });
  const mainOf = ({ file, fields }: Further) => [...file.folders, stringOf(fields[mainField])].join("/");
  const paths = new Set(parts.filter(({ fields }) => fields[mainField] === undefined).map(({ file }) => file.path));
  const further = Map.groupBy(
    parts.filter((part) => part.fields[mainField] !== undefined && paths.has(mainOf(part))),
    mainOf,
  );
  for (const part of parts) {
    if (part.fields[mainField] !== undefined && paths.has(mainOf(part))) continue;
    const { file, fields, content } = part;
    warnOfUnread(part, known, into);
    if (fields[mainField] !== undefined)
      into.warn(
        file.at(),
        `"${stringOf(fields[mainField])}" is missing, so this text is imported as a separate snippet, not as a variation.`,
      );
    for (const each of further.get(file.path) ?? []) warnOfUnread(each, knownOfFurther, into);
    into.add(file.at(), {
      title: stringOf(fields.title) || file.stem,
      content,
      type: stringOf(fields[typeField]) || "markdown",
      shortcut: stringOf(fields.shortcut),
      note: stringOf(fields.note),
      tags: [fields.tags ?? []].flat().map(stringOf).filter(Boolean),
      folder: file.folders,
      isArchived: fields.archived === true,
      variationName: stringOf(fields.variation) || undefined,
      further: (further.get(file.path) ?? [])
        .map((each) => ({
          name: stringOf(each.fields.variation) || each.file.stem,
          type: stringOf(each.fields[typeField]) || "markdown",
          content: each.content,
          number: Number(/\.(\d+)\.md$/.exec(each.file.path)?.[1] ?? 0),
        }))
        .sort((left, right) => left.number - right.number),
    });
  }
}

function writeFiles(tree: Tree): OutputFile[] {
  const namesOf = folderNames(tree);
  const tagsOf = tagNames(tree);
  const directories = new Map<string, DifferentNames>();
  const files: OutputFile[] = [];
  for (const snippet of tree.snippets) {
    const { title, shortcut, note, isArchived, variations } = snippet;
    const directory = namesOf(snippet.folder)
      .map((name) => `${fileName(name)}/`)
      .join("");
    const names = directories.get(directory) ?? new DifferentNames();
    directories.set(directory, names);
    const stem = names.of(fileName(title));
    const tags = tagsOf(snippet);
    for (const [index, { name, type, content }] of variations.entries()) {
      const fields =
        index === 0
          ? {
              title,
              ...(shortcut !== null && { shortcut }),
              [typeField]: type,
              ...(tags.length > 0 && { tags }),
              ...(note !== null && { note }),
              ...(isArchived && { archived: true }),
              ...(name !== firstVariationName && { variation: name }),
            }
          : { [mainField]: `${stem}.md`, variation: name, [typeField]: type };
      const path = index === 0 ? `${directory}${stem}.md` : `${directory}${stem}.${index + 1}.md`;
      files.push(textFile(path, withFrontMatter(fields, content)));
    }
  }
  return files;
}
