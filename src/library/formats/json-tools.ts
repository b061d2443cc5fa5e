// Tools that keep their texts in one JSON file: Raycast, Text Blaze, ByteStash, Snipo, and gists.
import { placeholderNames } from "../placeholders.ts";
import type { Code } from "./codes.ts";
import { eachFile, type Format, textFile } from "./format.ts";
import { type Ask, type Asked, firstText, identifiers, warnOfInserted, withAsked } from "./found-codes.ts";
import type { InputFile } from "./input-file.ts";
import type { JsonValue } from "./json.ts";
import { folderNames, lost, snippetsByFolder } from "./paths-of-tree.ts";
import type { WrittenCode } from "./tree.ts";
import { type TreeBuilder, warnOfFields } from "./tree-builder.ts";

const written = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Names and numbers that mean something only in the tool itself. */
const isId = (name: string): boolean => /^(?:id|uid|uuid|_id|position|order)$|(?:_id|Id)$/.test(name);

/** Says which fields with a value are not read. */
function warnOfOthers(item: JsonValue, read: readonly string[], into: TreeBuilder): void {
  const known = new Set(read);
  const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);
  const others = item.fields.filter(({ name, value }) => !known.has(name) && !isId(name) && !isEmpty(value.plain));
  warnOfFields(
    item.place,
    others.map(({ name }) => name),
    into,
  );
}

const timeFields = ["created_at", "createdAt", "updated_at", "updatedAt"] as const;

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));

/** A time of another tool as we write ours; null for anything else. */
function timeOf(value: JsonValue | undefined): string | null {
  if (value?.number !== undefined && value.number > 0 && value.number < 8.64e15)
    return new Date(value.number).toISOString();
  return value?.string !== undefined && isTime(value.string) ? new Date(value.string).toISOString() : null;
}

const times = (value: JsonValue) => ({
  createdAt: timeOf(value.get("created_at") ?? value.get("createdAt")),
});

/** One of the texts of a snippet, such as a file of a gist. */
interface Part {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** The first part is the text of the snippet, the others its further variations. */
const fromParts = ([first, ...further]: readonly Part[]) => ({
  content: first?.content ?? "",
  type: first?.type,
  variationName: first?.name || undefined,
  further: further.map((part, index) => ({ ...part, name: part.name || `Part ${index + 2}` })),
});

const raycastCodes: readonly Code[] = [
  {
    name: "Raycast placeholders",
    pattern:
      /\{(?:cursor|clipboard|selection|date|time|datetime|day|uuid|argument|snippet|browser-tab|calculator)\b[^{}\n]*\}/,
  },
];
/** It asks for no more values for one snippet. */
const raycastArgumentsMax = 3;
const raycastAsked: Asked = {
  name: "arguments",
  isAsked: (text) => placeholderNames(text).length <= raycastArgumentsMax,
};
const raycastAsk: Ask = (name) => `{argument name="${name.replaceAll('"', "'")}"}`;

export const raycast: Format = {
  name: "Raycast",
  source: "https://manual.raycast.com/snippets/how-to-import-snippets",
  claims: ({ json }) =>
    json?.items.some((item) => item.get("name")?.string !== undefined && item.get("text")?.string !== undefined) ===
    true,
  codes: raycastCodes,
  read: eachFile((file, into) => {
    for (const item of file.json?.items ?? []) {
      const content = item.get("text")?.string;
      if (content === undefined) into.leaveOut(item.place, "The entry has no text.");
      else {
        warnOfOthers(item, ["name", "text", "keyword"], into);
        into.add(item.place, { title: item.textOf("name"), content, shortcut: item.textOf("keyword") });
      }
    }
  }),
  write: (tree) => {
    const snippets = tree.snippets.map((snippet) => {
      const text = firstText(snippet);
      return {
        name: snippet.title,
        text: raycastAsked.isAsked(text) ? withAsked(text, raycastAsk) : text,
        ...(snippet.shortcut !== null && { keyword: snippet.shortcut }),
      };
    });
    const warnings = [
      ...lost("Raycast", tree, {}),
      ...warnOfInserted("Raycast", raycastCodes, tree.snippets, raycastAsked),
    ];
    return { files: [textFile("raycast-snippets.json", written(snippets))], warnings };
  },
};

/** The version of Text Blaze's export that we write. */
const textBlazeVersion = 7;
const textBlazeFile = "text-blaze.json";

/** Commands can have others in them, and several lines. */
const textBlazeCodes: readonly Code[] = [
  { name: "commands", pattern: /\{\s*(?:\/?[a-z]+\s*(?:[:;][^{}]*\}?|\})|=[^{}]*\}?)/i },
];

/** Those that do more than insert a text: they load and send what is on the web, press keys, and click. */
const textBlazeActions = /\{\s*(?:urlload|urlsend|run|click|key|import|site)\s*(?:[:;}])[^{}]*\}?/i;

/** A form has a field for each placeholder, whose value a formula repeats. */
function textBlazeText(text: string): string {
  const fields = identifiers(placeholderNames(text));
  return withAsked(text, (name, isFirst) =>
    isFirst ? `{formtext: name=${fields.get(name)}}` : `{=${fields.get(name)}}`,
  );
}

export const textBlaze: Format = {
  name: "Text Blaze",
  source: "https://blaze.today/docs/text-blaze/exporting/",
  claims: ({ json }) =>
    json?.get("version")?.number !== undefined &&
    json.get("folders")?.items.some((folder) => folder.get("snippets")?.isArray) === true,
  codes: textBlazeCodes,
  read: eachFile((file, into) => {
    for (const folder of file.json?.get("folders")?.items ?? [])
      for (const item of folder.get("snippets")?.items ?? []) {
        const html = item.textOf("html");
        const text = item.get("text")?.string ?? html;
        const isFormatted = item.textOf("type") === "html" && html !== "" && html !== text;
        warnOfOthers(item, ["name", "shortcut", "type", "text", "html"], into);
        if (isFormatted) into.warn(item.place, "The formatted text is kept as a variation, in HTML.");
        into.add(item.place, {
          title: item.textOf("name"),
          content: text,
          shortcut: item.textOf("shortcut"),
          folder: folder.textOf("name") === "" ? [] : [folder.textOf("name")],
          further: isFormatted ? [{ name: "HTML", type: "html", content: html }] : [],
        });
      }
  }),
  write: (tree) => {
    const namesOf = folderNames(tree);
    const folders = [...snippetsByFolder(tree)].map(([folder, snippets]) => ({
      name: namesOf(folder).join(" / ") || "Commonplace",
      snippets: snippets.map((snippet) => ({
        name: snippet.title,
        shortcut: snippet.shortcut ?? "",
        type: "text",
        text: textBlazeText(firstText(snippet)),
      })),
    }));
    const text = written({ version: textBlazeVersion, folders });
    const lines = text.split("\n");
    const starts = lines.flatMap((line, index) => (line === `${" ".repeat(8)}{` ? index + 1 : []));
    const inOrder = [...snippetsByFolder(tree).values()].flat();
    const code = inOrder.flatMap((snippet, index): WrittenCode[] => {
      const example = textBlazeActions.exec(firstText(snippet))?.[0];
      const place = { file: textBlazeFile, line: starts[index] };
      return example === undefined ? [] : [{ title: snippet.title, place, example }];
    });
    const warnings = [
      ...lost("Text Blaze", tree, { folders: true }),
      ...warnOfInserted("Text Blaze", textBlazeCodes, tree.snippets, { name: "form fields", isAsked: () => true }),
    ];
    return { files: [textFile(textBlazeFile, text)], warnings, code };
  },
};

export const byteStash: Format = {
  name: "ByteStash",
  source: "https://github.com/jordan-dalby/ByteStash",
  claims: ({ json }) => json?.get("snippets")?.items.some((item) => item.get("fragments")?.isArray) === true,
  read: eachFile((file, into) => {
    for (const item of file.json?.get("snippets")?.items ?? []) {
      const fragments = item.get("fragments")?.items ?? [];
      if (fragments.length === 0) into.warn(item.place, `"${item.textOf("title")}" has no text.`);
      warnOfOthers(item, ["title", "description", "language", "fragments", "categories", ...timeFields], into);
      into.add(item.place, {
        title: item.textOf("title"),
        note: item.textOf("description"),
        tags: textsOf(item.get("categories")),
        ...fromParts(fragments.map((each) => part(each, "file_name", "code"))),
        ...times(item),
      });
    }
  }),
};

const textsOf = (value: JsonValue | undefined): string[] => (value?.items ?? []).flatMap((item) => item.string || []);

const part = (value: JsonValue, nameField: string, textField: string): Part => ({
  name: value.textOf(nameField),
  type: languageOf(value.textOf("language")),
  content: value.textOf(textField),
});

const languageOf = (language: string): string => (/^(?:plain_?text|text|)$/i.test(language) ? "plaintext" : language);

const isSnipo = (file: InputFile): boolean =>
  file.json?.get("folders") !== undefined &&
  file.json.get("tags") !== undefined &&
  file.json.get("snippets")?.items.some((item) => item.get("is_favorite") !== undefined) === true;

const snipoFields = [
  ...["title", "description", "language", "content", "files", "folders", "tags", "is_favorite", "is_archived"],
  ...timeFields,
];

export const snipo: Format = {
  name: "Snipo",
  source: "https://github.com/MohamedElashri/snipo",
  claims: isSnipo,
  read: eachFile((file, into) => {
    for (const item of file.json?.get("snippets")?.items ?? []) {
      const files = (item.get("files")?.items ?? []).map((each) => part(each, "filename", "content"));
      const legacy = { name: "", type: languageOf(item.textOf("language")), content: item.textOf("content") };
      const [folder, ...others] = item.get("folders")?.items ?? [];
      if (others.length > 0)
        into.warn(item.place, `"${item.textOf("title")}" is placed only in the first of its folders.`);
      if (item.get("is_favorite")?.plain === true)
        into.warn(item.place, `"${item.textOf("title")}" is a favorite; that mark is not imported.`);
      warnOfOthers(item, snipoFields, into);
      into.add(item.place, {
        title: item.textOf("title"),
        note: item.textOf("description"),
        tags: (item.get("tags")?.items ?? []).flatMap((tag) => tagOf(tag, into)),
        folder: folder ? snipoFolder(file, folder) : [],
        isArchived: item.get("is_archived")?.plain === true,
        ...fromParts(files.length > 0 ? files : [legacy]),
        ...times(item),
      });
    }
  }),
};

function tagOf(tag: JsonValue, into: TreeBuilder): string[] {
  const name = tag.textOf("name");
  return name === "" ? [] : [into.tag(name, tag.textOf("color") || null)];
}

/** The names of a folder and of those around it. */
function snipoFolder(file: InputFile, folder: JsonValue): string[] {
  const all = new Map((file.json?.get("folders")?.items ?? []).map((each) => [each.get("id")?.number, each]));
  const names: string[] = [];
  const seen = new Set<number>();
  for (let each: JsonValue | undefined = folder; each; ) {
    names.unshift(each.textOf("name") || "Untitled");
    const parent: number | undefined = each.get("parent_id")?.number;
    if (parent === undefined || seen.has(parent)) break;
    seen.add(parent);
    each = all.get(parent);
  }
  return names;
}

const gistsOf = ({ json }: InputFile): JsonValue[] => (json?.isArray ? json.items : json ? [json] : []).filter(isGist);
const isGist = (value: JsonValue): boolean =>
  value.get("files")?.fields.some(({ value: file }) => file.get("filename") !== undefined) === true;

export const gists: Format = {
  name: "GitHub gists",
  source: "https://docs.github.com/en/rest/gists/gists",
  claims: (file) => gistsOf(file).length > 0,
  read: eachFile((file, into) => {
    for (const gist of gistsOf(file)) {
      const files = (gist.get("files")?.fields ?? []).map(({ value }) => value);
      const present = files.filter((each) => {
        const name = each.textOf("filename");
        if (each.get("content")?.string === undefined)
          into.leaveOut(
            each.place,
            `"${name}" has no text, because GitHub omits it from lists of gists. Save the gist itself.`,
          );
        else if (each.get("truncated")?.plain === true)
          into.leaveOut(each.place, `"${name}" is incomplete, because GitHub shortens long files.`);
        else return true;
        return false;
      });
      if (present.length === 0) continue;
      into.add(gist.place, {
        title: gist.textOf("description") || (present[0]?.textOf("filename") ?? ""),
        note: gist.textOf("html_url"),
        ...fromParts(present.map((each) => part(each, "filename", "content"))),
        ...times(gist),
      });
    }
  }),
};
