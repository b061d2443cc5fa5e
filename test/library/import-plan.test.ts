// The plan of an import is made before anything is written: what exceeds a limit is listed with its place, and never shortened.
import { expect, test } from "bun:test";
import { readFiles } from "../../src/library/formats/formats.ts";
import { countPlan, planImport } from "../../src/library/import/plan.ts";
import { fileOf } from "../support/tree-texts.ts";
import "../support/once.ts";

const nothing = { folders: [], tags: [], snippets: [] };

test("what the service would refuse is listed by its line, and the rest is imported", () => {
  const rows = [
    { name: "Good", text: "a" },
    { name: "x".repeat(201), text: "b" },
    { name: "Shortcut", text: "c", keyword: "k".repeat(101) },
    { name: "Text", text: "t".repeat(1_000_001) },
    { name: "NUL", text: "a\0b" },
    { name: "Half a character", text: "\ud800" },
  ];
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
  const { tree, places } = readFiles([fileOf("rows.json", text)]);
  const plan = planImport(tree, places, nothing, "skip");
  expect(countPlan(plan)).toEqual({ folders: 0, tags: 0, created: 1, replaced: 0, skipped: 0 });
  expect(plan.problems.map(({ place, message }) => [place?.line, message])).toEqual([
    [3, `"${"x".repeat(60)}…": the title must be 1 to 200 characters.`],
    [4, '"Shortcut": the shortcut must be 0 to 100 characters.'],
    [5, '"Text": the text must be 0 to 1000000 characters.'],
    [6, '"NUL": the text must not contain a NUL character.'],
    [7, '"Half a character": the text must not contain a lone surrogate.'],
  ]);
});

test("each snippet of the team is the duplicate of one in the files at most, of the one most like it", () => {
  const rows = [
    { name: "Other title", text: "one", keyword: "!a" },
    { name: "A", text: "two", keyword: "!a" },
    { name: "Equal", text: "three", keyword: "!a" },
    { name: "Fourth", text: "four", keyword: "!a" },
  ];
  const { tree, places } = readFiles([fileOf("rows.json", JSON.stringify(rows))]);
  const mine = (id: string, title: string, content?: string) => ({
    id,
    title,
    shortcut: "!a",
    type: "plaintext",
    content,
  });
  const existing = { ...nothing, snippets: [mine("1", "A"), mine("2", "B", "three"), mine("3", "C")] };
  expect(planImport(tree, places, existing, "replace").snippets).toEqual([
    { kind: "replace", at: 0, id: "3" },
    { kind: "replace", at: 1, id: "1" },
    { kind: "replace", at: 2, id: "2" },
    { kind: "create", at: 3 },
  ]);
});
