// Comments that refer to a decision or a promise, such as "(decisions, Rate limit; promise P14)", name one that the documentation has.
import "./support/once.ts";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const list = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const documents = list("docs")
  .filter((path) => path.endsWith(".md"))
  .map(read);
const decisions = documents.find((text) => text.startsWith("# Decisions\n")) ?? "";
const proofs = documents.find((text) => text.startsWith("# Proofs\n")) ?? "";
const headings = new Set([...decisions.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => heading));
const promises = new Set([...proofs.matchAll(/^\| (P\d+) \|/gm)].map(([, promise = ""]) => promise));

/** Each comment of a file as one line of text. */
const commentsOf = (text: string): string[] =>
  [...text.matchAll(/(?:^ *(?:\/\/|\/?\*).*\n?)+/gm)].map(([comment]) =>
    comment.replaceAll(/^ *(?:\/\/+|\/?\*+\/?)/gm, "").replaceAll(/\s+/g, " "),
  );

/** The parts of parentheses that refer to something: "decisions, Rate limit", "promises P2 and P16", "interface, Folder". */
const referencesOf = (text: string): string[] =>
  commentsOf(text)
    .flatMap((comment) => [...comment.matchAll(/\(([^()]+)\)/g)])
    .flatMap(([, inside = ""]) => inside.split(/; ?/))
    .filter((part) => /^(?:decisions|interface), |^promises? P\d/i.test(part));

const isKnown = (reference: string): boolean =>
  reference.startsWith("decisions, ")
    ? headings.has(reference.slice("decisions, ".length))
    : (reference.match(/\bP\d+\b/g)?.every((promise) => promises.has(promise)) ?? false);

const files = ["cli", "mcp", "prove", "scripts", "sdk", "src", "test", "web"]
  .flatMap(list)
  .filter((path) => /\.(?:tsx?|js|css)$/.test(path) && !/node_modules|\/dist\//.test(path))
  .map((path) => ({ path, text: read(path) }));

test("the decisions and promises that comments refer to exist", () => {
  const references = files.flatMap(({ path, text }) => referencesOf(text).map((reference) => ({ path, reference })));
  expect(references.length).toBeGreaterThan(60);
  expect(references.filter(({ reference }) => !isKnown(reference))).toEqual([]);
});

test("no comment names a decision by a number", () => {
  const numbered = files.filter(({ text }) =>
    commentsOf(text).some((comment) => /\bdecisions?, sections?\b/i.test(comment)),
  );
  expect(numbered.map(({ path }) => path)).toEqual([]);
});

describe("a reference is found", () => {
  test("in comments of each kind, also across lines, but not in code", () => {
    const text = [
      '// At most 20 (decisions, Rate\n// limit; promise P14).\nconst text = "(decisions, Nothing)";',
      "/** A record (decisions, Records). */\n  /**\n   * A key (interface, Authentication).\n   */",
    ].join("\n");
    expect(referencesOf(text)).toEqual([
      "decisions, Rate limit",
      "promise P14",
      "decisions, Records",
      "interface, Authentication",
    ]);
  });

  test("and refused if it names a heading or promise that is not there, or a page that the repository does not have", () => {
    expect(["decisions, Rate limit", "promises P2 and P16"].filter((reference) => !isKnown(reference))).toEqual([]);
    const wrong = ["decisions, Nothing", "decisions, section 8", "interface, Folder", "promise P99"];
    expect(wrong.filter(isKnown)).toEqual([]);
  });
});
