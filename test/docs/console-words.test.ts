// The guides for people who use the console name its buttons, fields, and pages in bold, as they are.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/program.ts";

const filesOf = (pattern: string): string[] => [...new Bun.Glob(pattern).scanSync(root)];
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** What the console's pages write, in quotes or between tags. */
const source = [...filesOf("web/**/*.{ts,tsx}"), ...filesOf("src/contract/console/*.ts")].map(read).join("\n");

const isWord = (word: string): boolean =>
  new RegExp(`(?:["'\`>}]|^)\\s*${RegExp.escape(word)}\\s*(?:["'\`<{]|$)`, "m").test(source);

describe.each([...filesOf("docs/administer/*.md"), ...filesOf("docs/use/{library,account}.md")].toSorted())(
  "%s",
  (path) => {
    test("what it names in bold is in the console", () => {
      const named = [...read(path).matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = ""]) => word.replaceAll(/\s+/g, " "));
      expect(named.filter((word) => !isWord(word))).toEqual([]);
    });
  },
);

test("the guides name more than 50 words of the console", () => {
  const words = filesOf("docs/administer/*.md").flatMap((path) => read(path).match(/\*\*[^*]+\*\*/g) ?? []);
  expect(new Set(words).size).toBeGreaterThan(50);
});
