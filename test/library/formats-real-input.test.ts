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
  vscode: {
    ...{ directory: "vscode/snippets", pattern: "**/*.json", snippets: 6_168 },
    warnings: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a tab stop.
      "4,948 snippets contain tab stops or variables, such as ${0:$TM_SELECTED_TEXT}",
      "263 snippets contain escapes, such as \\$",
      "37 snippets contain placeholders, such as {{trans('$1')}}",
      "434 snippets have settings that Commonplace has no field for (prefix, scope, and desciption)",
    ],
  },
  espanso: {
    ...{ directory: "espanso", pattern: "*.yml", snippets: 1_980 },
    warnings: [
      "63 snippets contain cursor markers, such as $|$",
      "The comments in 26 files are left out",
      "616 snippets have settings that Commonplace has no field for (propagate_case, word, triggers, vars, and regex)",
    ],
  },
} as const;

/** All of each snippet that both formats keep, in no particular order. */
const contents = ({ snippets }: Tree): string[] =>
  snippets
    .map(({ title, shortcut, note, variations }) =>
      JSON.stringify([title, shortcut, note, variations.map(({ name, type, content }) => [name, type, content])]),
    )
    .sort();

for (const [format, { directory, pattern, snippets, warnings }] of Object.entries(sources))
  test.skipIf(!isPresent)(`${snippets} snippets of ${format} go in, out, and in again unchanged${skipped}`, () => {
    const first = readFiles(filesIn(resolve(data, directory), pattern));
    expect(first.format).toBe(format as keyof typeof sources);
    expect(first.tree.snippets).toHaveLength(snippets);
    const messages = first.warnings.map(({ message }) => message);
    expect(messages.slice(0, warnings.length).map((message, at) => message.slice(0, warnings[at]?.length))).toEqual([
      ...warnings,
    ]);
    // One for each match that Espanso fills in, or that uses a global variable.
    const named = messages
      .slice(warnings.length)
      .map((message) => /^The global variable|: Espanso fills in/.exec(message)?.[0]);
    expect([...new Set(named)].sort()).toEqual(
      format === "espanso" ? [": Espanso fills in", "The global variable"] : [],
    );
    const again = readFiles(writeFiles(first.tree, first.format).files);
    expect(contents(again.tree)).toEqual(contents(first.tree));
  });
