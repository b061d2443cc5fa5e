// Real input: what people use in VS Code and Espanso goes in, out, and in again; every text, shortcut, and note is compared.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readFiles, writeFiles } from "../../src/library/formats/formats.ts";
import type { Tree } from "../../src/library/formats/tree.ts";
import { filesIn } from "../support/tree-texts.ts";
import "../support/once.ts";

const data = resolve(import.meta.dir, "../../../shared/data");
const isPresent = existsSync(data);
const skipped = isPresent ? "" : " (skipped: shared/data is not here)";

const sources = {
  vscode: { directory: "vscode/snippets", pattern: "**/*.json", snippets: 6_168 },
  espanso: { directory: "espanso", pattern: "*.yml", snippets: 1_980 },
} as const;

/** All of each snippet that both formats keep, in no particular order. */
const contents = ({ snippets }: Tree): string[] =>
  snippets
    .map(({ title, shortcut, note, variations }) =>
      JSON.stringify([title, shortcut, note, variations.map(({ name, type, content }) => [name, type, content])]),
    )
    .sort();

for (const [format, { directory, pattern, snippets }] of Object.entries(sources))
  test.skipIf(!isPresent)(`${snippets} snippets of ${format} go in, out, and in again unchanged${skipped}`, () => {
    const first = readFiles(filesIn(resolve(data, directory), pattern));
    expect(first.format).toBe(format as keyof typeof sources);
    expect(first.tree.snippets).toHaveLength(snippets);
    expect(first.warnings.filter(({ message }) => !message.startsWith("The global variable"))).toEqual([]);
    const again = readFiles(writeFiles(first.tree, first.format).files);
    expect(contents(again.tree)).toEqual(contents(first.tree));
  });
