// A tree as plain lines that a test can list, and files as readers of formats get them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { GivenFile } from "../../src/library/formats/open-files.ts";
import type { Tree, TreeSnippet } from "../../src/library/formats/tree.ts";

/** All files of a directory. */
export const filesIn = (directory: string, pattern = "**/*"): GivenFile[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: directory, dot: true })]
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(directory, path)) }));

export const fileOf = (path: string, text: string | Uint8Array): GivenFile => ({
  path,
  bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
});

/** What a person sees of each snippet; absent parts are left out. */
export const shownAll = (tree: Tree): object[] => tree.snippets.map((snippet) => shown(tree, snippet));

function shown({ folders, tags }: Tree, snippet: TreeSnippet) {
  const group = new Map([...folders, ...tags].map((each) => [each.key, each]));
  const pathOf = (key: string | null): string => {
    const folder = key === null ? undefined : group.get(key);
    return folder ? [pathOf(folder.parent), folder.name].filter(Boolean).join("/") : "";
  };
  const [first, ...further] = snippet.variations;
  return {
    title: snippet.title,
    ...(snippet.shortcut !== null && { shortcut: snippet.shortcut }),
    [first?.type ?? ""]: first?.content,
    ...(snippet.note !== null && { note: snippet.note }),
    ...(snippet.folder !== null && { folder: pathOf(snippet.folder) }),
    ...(snippet.tags.length > 0 && { tags: snippet.tags.map((key) => group.get(key)?.name) }),
    ...(further.length > 0 && { further: further.map(({ name, type, content }) => [name, type, content]) }),
  };
}
