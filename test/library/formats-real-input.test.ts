// Real input: what people use in VS Code and Espanso goes in, out, and in again; every text, shortcut, and note is compared.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readFiles, writeFiles } from "../../src/library/formats/formats.ts";
import type { Tree } from "../../src/library/formats/tree.ts";
import { undefinedVariables } from "../support/espanso-files.ts";
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
const contents = ({ snippets }: Tree, only?: "texts"): string[] =>
  snippets
    .map(({ title, shortcut, note, variations }) =>
      JSON.stringify([
        title,
        shortcut,
        only ? "" : note,
        variations.map(({ name, type, content }) => [name, type, content]),
      ]),
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
    const written = writeFiles(first.tree, first.format);
    const again = readFiles(written.files);
    expect(contents(again.tree, "texts")).toEqual(contents(first.tree, "texts"));
    // Settings come back too, except what could run a command, and what VS Code does not know, such as the misspelled "desciption".
    const after = new Set(contents(again.tree));
    const changed = contents(first.tree).filter((each) => !after.has(each));
    expect(changed.filter((each) => !/type: (?:shell|script)|desciption:/.test(each))).toEqual([]);
    expect(changed).toHaveLength(format === "espanso" ? 22 : 5);
    if (format !== "espanso") return;
    expect(undefinedVariables(written.files)).toEqual([]);
    expect(written.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Variables that could run a command are left out: .* and 16 more\. Espanso asks/),
      expect.stringMatching(/^63 snippets contain cursor markers/),
    ]);
  });
