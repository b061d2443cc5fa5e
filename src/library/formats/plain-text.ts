// Plain files: each is the text of a snippet, and its name is the title.
import { DifferentNames, fileName } from "./file-names.ts";
import { eachFile, type Format, textFile } from "./format.ts";
import { folderNames, lost } from "./paths-of-tree.ts";

/** The ending of a content type. What is not here ends in `.txt`. */
const endings: Readonly<Record<string, string>> = {
  plaintext: "txt",
  markdown: "md",
  html: "html",
  css: "css",
  javascript: "js",
  typescript: "ts",
  json: "json",
  yaml: "yml",
  python: "py",
  ruby: "rb",
  go: "go",
  rust: "rs",
  java: "java",
  kotlin: "kt",
  php: "php",
  sql: "sql",
  shell: "sh",
  c: "c",
  cpp: "cpp",
  csharp: "cs",
  swift: "swift",
  lua: "lua",
  perl: "pl",
  r: "r",
  xml: "xml",
  toml: "toml",
};
const types = new Map(Object.entries(endings).map(([type, ending]) => [ending, type]));

export const plainText: Format = {
  name: "Plain text files",
  source: "docs/use/formats.md",
  // What nothing else is.
  claims: () => true,
  read: eachFile((file, into) => {
    const type = types.get(/\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? "");
    into.add(file.at(), {
      // An ending that does not become the content type says something, too.
      title: type === undefined ? file.name : file.stem,
      content: file.text,
      type: type ?? "plaintext",
      folder: file.folders,
    });
  }),
  write: (tree) => {
    const namesOf = folderNames(tree);
    const names = new DifferentNames();
    const files = tree.snippets.map(({ title, folder, variations: [first] }) => {
      const path = [...namesOf(folder), title].map(fileName).join("/");
      return textFile(names.of(path, `.${endings[first?.type ?? ""] ?? "txt"}`), first?.content ?? "");
    });
    const withShortcut = tree.snippets.filter(({ shortcut }) => shortcut !== null);
    const warnings = lost("Plain text files", tree, { folders: true, nesting: true });
    const count = withShortcut.length;
    if (count > 0)
      warnings.push({
        message: `Plain text files do not support shortcuts (left out of ${count} ${count === 1 ? "snippet" : "snippets"}).`,
      });
    return { files, warnings };
  },
};
