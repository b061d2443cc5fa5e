// A collection of Alfred: a zip with one JSON file for each snippet, and what is put around their keywords.
import { createHash } from "node:crypto";
import type { Code } from "./codes.ts";
import { DifferentNames, fileName } from "./file-names.ts";
import { type Format, textFile } from "./format.ts";
import { firstText, warnOfInserted } from "./found-codes.ts";
import type { InputFile } from "./input-file.ts";
import { folderNames, lost, snippetsByFolder } from "./paths-of-tree.ts";
import type { TreeSnippet } from "./tree.ts";
import { warnOfFields } from "./tree-builder.ts";
import { readXml } from "./xml.ts";
import { writeZip } from "./zip.ts";

const isSettings = (file: InputFile): boolean => file.text.includes("<key>snippetkeyword");
const isSnippet = (file: InputFile): boolean => file.json?.get("alfredsnippet")?.isObject === true;

const codes: readonly Code[] = [
  {
    name: "Alfred placeholders",
    pattern: /\{(?:cursor|clipboard|date|time|datetime|isodate|random|query|var|snippet)\b[^{}\n]*\}/,
  },
];

export const alfred: Format = {
  name: "Alfred",
  source: "https://www.alfredapp.com/help/features/snippets/",
  claims: (file) => isSnippet(file) || isSettings(file),
  codes,
  read: (claimed, into, { archiveName }) => {
    const settings = new Map(claimed.filter(isSettings).map((file) => [file.folders.join("/"), affixes(file)]));
    for (const file of claimed.filter(isSnippet)) {
      const snippet = file.json?.get("alfredsnippet");
      if (!snippet) continue;
      const content = snippet.get("snippet")?.string;
      if (content === undefined) {
        into.leaveOut(snippet.place, `"${snippet.textOf("name")}" has no text.`);
        continue;
      }
      if (snippet.get("dontautoexpand")?.plain === true) warnOfFields(snippet.place, ["dontautoexpand"], into);
      const keyword = snippet.textOf("keyword");
      const { prefix, suffix } = settings.get(file.folders.join("/")) ?? { prefix: "", suffix: "" };
      into.add(snippet.place, {
        title: snippet.textOf("name"),
        content,
        shortcut: keyword === "" ? null : prefix + keyword + suffix,
        folder: file.folders.length > 0 ? file.folders : archiveName ? [archiveName] : [],
      });
    }
  },
  write: (tree) => {
    const namesOf = folderNames(tree);
    const names = new DifferentNames();
    const files = [...snippetsByFolder(tree)].map(([folder, snippets]) => {
      const entries = new DifferentNames();
      const texts = snippets.map((snippet) => writeSnippet(snippet, entries));
      const path = names.of(fileName(namesOf(folder).join(" - ") || "Commonplace"), ".alfredsnippets");
      return { path, bytes: writeZip([textFile("info.plist", noAffixes), ...texts]) };
    });
    const warnings = [...lost("Alfred", tree, { folders: true }), ...warnOfInserted("Alfred", codes, tree.snippets)];
    return { files, warnings };
  },
};

/** What Alfred puts before and after each keyword of the collection. */
function affixes(file: InputFile): { prefix: string; suffix: string } {
  const found = { prefix: "", suffix: "" };
  let key = "";
  for (const { name, element } of readXml(file).children("plist")[0]?.children("dict")[0]?.all ?? [])
    if (name === "key") key = element.text;
    else if (key === "snippetkeywordprefix") found.prefix = element.text;
    else if (key === "snippetkeywordsuffix") found.suffix = element.text;
  return found;
}

const noAffixes = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>snippetkeywordprefix</key>
	<string></string>
	<key>snippetkeywordsuffix</key>
	<string></string>
</dict>
</plist>
`;

function writeSnippet(given: TreeSnippet, names: DifferentNames) {
  const { title, shortcut } = given;
  const snippet = firstText(given);
  const name = names.of(fileName(title));
  // The same snippet keeps its ID, so that a second import replaces the first.
  const digits = createHash("sha256")
    .update(JSON.stringify([name, shortcut]))
    .digest("hex")
    .slice(0, 32)
    .toUpperCase();
  const uid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const fields = { snippet, uid, name: title, ...(shortcut !== null && { keyword: shortcut }) };
  return textFile(`${name} [${uid}].json`, `${JSON.stringify({ alfredsnippet: fields }, undefined, 2)}\n`);
}
