// massCode: its vault of Markdown files, and the JSON database of its earlier versions.
import type { Format } from "./format.ts";
import { frontMatterOf } from "./front-matter.ts";
import type { InputFile } from "./input-file.ts";
import type { JsonValue } from "./json.ts";
import { shortened } from "./messages.ts";
import { type TreeBuilder, warnOfFields } from "./tree-builder.ts";

const isDatabase = ({ json }: InputFile): boolean =>
  json?.get("folders") !== undefined &&
  json.get("snippets")?.items.some((item) => item.get("content")?.isArray && item.get("folderId") !== undefined) ===
    true;

const isVaultFile = ({ text }: InputFile): boolean =>
  /^---\r?\n/.test(text) && /^contents:/m.test(text) && /^## Fragment:/m.test(text);

export const massCode: Format = {
  name: "massCode",
  source: "https://masscode.io/documentation/storage.html",
  claims: (file) => isVaultFile(file) || isDatabase(file),
  read: (claimed, into) => {
    for (const file of claimed)
      if (isVaultFile(file)) readVaultFile(file, into);
      else readDatabase(file, into);
  },
};

interface Fragment {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

const languageOf = (language: string): string =>
  /^(?:plain_text|)$/.test(language) ? "plaintext" : language.replaceAll("_", "-");

const fromFragments = ([first, ...further]: readonly Fragment[]) => ({
  content: first?.content ?? "",
  type: first?.type,
  variationName: first?.name || undefined,
  further,
});

const timeOf = (value: unknown): string | null =>
  typeof value === "number" && value > 0 && value < 8.64e15 ? new Date(value).toISOString() : null;

const vaultFields: ReadonlySet<string> = new Set([
  ...["id", "name", "description", "contents", "tags", "folderId"],
  ...["isDeleted", "isFavorites", "createdAt", "updatedAt"],
]);

/** Folders of massCode itself. */
const ownFolders = /^(?:\.masscode|inbox|trash|code)$/;

function readVaultFile(file: InputFile, into: TreeBuilder): void {
  const { fields, body } = frontMatterOf(file);
  const name = String(fields.name ?? file.stem);
  if (fields.isDeleted) {
    into.warn(file.at(), `"${name}" is in massCode's trash, which is not imported.`);
    return;
  }
  const tags = Array.isArray(fields.tags) ? fields.tags : [];
  // The tags are numbers, and their names are in massCode's own state.
  if (tags.some((tag) => typeof tag !== "string"))
    into.warn(file.at(), `"${name}" has tags without names, which are left out.`);
  if (fields.isFavorites) into.warn(file.at(), `"${name}" is a favorite; that mark is not imported.`);
  const { fragments, rest } = fragmentsOf(body);
  if (rest !== undefined)
    into.warn(file.at(), `"${name}" has text outside its fragments, which is left out: ${shortened(rest)}`);
  warnOfFields(
    file.at(),
    Object.keys(fields).filter((field) => !vaultFields.has(field)),
    into,
  );
  into.add(file.at(), {
    title: name,
    note: typeof fields.description === "string" ? fields.description : "",
    tags: tags.filter((tag) => typeof tag === "string"),
    folder: file.folders.filter((each) => !ownFolders.test(each)),
    ...fromFragments(fragments),
    createdAt: timeOf(fields.createdAt),
  });
}

/** What is outside the fragments is not part of a text. Each fragment is a heading with a block of code; the block ends with as many backticks as it began with, or with the file. */
function fragmentsOf(body: string): { fragments: Fragment[]; rest: string | undefined } {
  const lines = body.split(/\r?\n/);
  const fragments: Fragment[] = [];
  let rest: string | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const name = /^## Fragment:(.*)$/.exec(lines[index] ?? "")?.[1]?.trim();
    const [, fence, language = ""] = (name !== undefined && /^(`{3,})(.*)$/.exec(lines[index + 1] ?? "")) || [];
    if (name === undefined || fence === undefined) {
      if (lines[index]?.trim()) rest ??= lines[index];
      continue;
    }
    const start = index + 2;
    index = start;
    while (index < lines.length && lines[index]?.trimEnd() !== fence) index += 1;
    fragments.push({
      name: name || "Fragment",
      type: languageOf(language.trim()),
      content: lines.slice(start, index).join("\n"),
    });
  }
  return { fragments, rest };
}

function readDatabase(file: InputFile, into: TreeBuilder): void {
  const byId = (list: string) => new Map((file.json?.get(list)?.items ?? []).map((each) => [each.textOf("id"), each]));
  const [folders, tags] = [byId("folders"), byId("tags")];
  for (const item of file.json?.get("snippets")?.items ?? []) {
    const name = item.textOf("name");
    if (item.get("isDeleted")?.plain === true) {
      into.warn(item.place, `"${name}" is in massCode's trash, which is not imported.`);
      continue;
    }
    if (item.get("isFavorites")?.plain === true)
      into.warn(item.place, `"${name}" is a favorite; that mark is not imported.`);
    const fragments = (item.get("content")?.items ?? []).map((each) => ({
      name: each.textOf("label") || "Fragment",
      type: languageOf(each.textOf("language")),
      content: each.textOf("value"),
    }));
    into.add(item.place, {
      title: name,
      note: item.textOf("description"),
      tags: (item.get("tagsIds")?.items ?? []).flatMap((id) => tags.get(id.string ?? "")?.textOf("name") || []),
      folder: namesOf(folders, item.textOf("folderId")),
      ...fromFragments(fragments),
      createdAt: timeOf(item.get("createdAt")?.number),
    });
  }
}

function namesOf(folders: ReadonlyMap<string, JsonValue>, id: string): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  for (
    let folder = folders.get(id);
    folder && !seen.has(folder.textOf("id"));
    folder = folders.get(folder.textOf("parentId"))
  ) {
    seen.add(folder.textOf("id"));
    // Its own folders, such as the inbox, are places of the program.
    if (folder.get("isSystem")?.plain !== true) names.unshift(folder.textOf("name") || "Untitled");
  }
  return names;
}
