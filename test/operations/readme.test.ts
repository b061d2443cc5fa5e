// The quick start, the README, and the page of commands do what they say: their commands run as they are printed, in order, against a service
// on a data directory of its own.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { engine } from "../support/engine.ts";
import { fromSource, type Program, root, runToEnd, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** The README reads a snippet that the quick start creates. */
const pages = ["docs/build/quick-start.md", "README.md", "docs/operate/commands.md"] as const;
const isPresent = pages.every((page) => existsSync(join(root, page)));
const data = temporaryDirectory();

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

const texts = new Map(pages.map((page) => [page, isPresent ? readFileSync(join(root, page), "utf8") : ""]));
const readme = texts.get("README.md") ?? "";
const blocks: readonly Block[] = [...texts].flatMap(([page, text]) =>
  Array.from(text.matchAll(/^```(\w+)\n(.*?)^```$/gms), (match) => ({
    page,
    language: match[1] ?? "",
    text: match[2] ?? "",
    line: text.slice(0, match.index).split("\n").length,
  })),
);

/** Commands that install, start or test: in the README, and here only checked to exist. */
const isProjectCommand = (line: string): boolean => /^(npm |git clone |cd |#|$)/.test(line.trim());
const isRun = ({ language, text }: Block): boolean => language === "sh" && !text.split("\n").every(isProjectCommand);

let program: Program;
/** Placeholders of the reader's own values, and the values here. */
const placeholders = new Map<string, string>();

beforeAll(async () => {
  if (!isPresent) return;
  program = await serve({ COMMONPLACE_DATA_DIRECTORY: data }, ["--json"], fromSource);
  const { key = "", team_id = "", workspace_id = "" } = program.first;
  placeholders.set("YOUR_KEY", key).set("TEAM_ID", team_id).set("WORKSPACE_ID", workspace_id);
});
afterAll(async () => program?.[Symbol.asyncDispose]());

test.skipIf(!isPresent)("each page has commands to run, and the quick start answers to compare", () => {
  const runOn = (page: string): number => blocks.filter((block) => block.page === page && isRun(block)).length;
  expect(pages.map(runOn)).toEqual([4, 1, expect.any(Number)]);
  expect(runOn("docs/operate/commands.md")).toBeGreaterThanOrEqual(1);
  expect(blocks.filter(({ language }) => language === "json").length).toBeGreaterThanOrEqual(1);
});

test.skipIf(!isPresent)("the npm commands that the README names exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const named = Array.from(
    readme.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test))\b/g),
    ([, run, short]) => run ?? short,
  );
  expect(named).toContain("start");
  expect(named).toContain("test");
  expect(named.filter((name) => name === undefined || scripts[name] === undefined)).toEqual([]);
});

/** The README is for a service on SQLite: what only that has, a service on PostgreSQL does not. */
const isForThisEngine = ({ text }: Block): boolean =>
  engine.name === "sqlite" || !/commonplace (backup|restore)\b/.test(text);

for (const [index, block] of blocks.entries()) {
  if (!isRun(block) || !isForThisEngine(block)) continue;
  const following = ["json", "text"].includes(blocks[index + 1]?.language ?? "") ? blocks[index + 1] : undefined;
  test(`the commands of ${block.page}, line ${block.line}, run${following ? ", and print what the README shows" : ""}`, async () => {
    const script = filledIn(block.text);
    expect(script.match(/\b[A-Z]+_(?:ID|KEY)\b/g) ?? []).toEqual([]);
    const { status, stdout, stderr } = await runToEnd(["bash", "-euo", "pipefail", "-c", script], {
      COMMONPLACE_DATA_DIRECTORY: data,
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).not.toContain("commonplace:");
    if (!block.text.includes("curl ")) return;

    if (following?.language === "text") {
      expect(`${stdout}\n`).toBe(following.text);
      return;
    }
    const answer = JSON.parse(stdout);
    expect(answer.success).toBeTrue();
    if (answer.data.snippetId) placeholders.set("SNIPPET_ID", answer.data.snippetId);
    if (following) expect(keysOf(answer)).toEqual(keysOf(JSON.parse(following.text)));
  });
}

/** The script with the reader's own values, the port and the data directory of this service. */
function filledIn(script: string): string {
  let filled = script
    .replaceAll("localhost:8443", `localhost:${new URL(program.baseUrl).port}`)
    .replaceAll(/(?<![\w/])data\/tls\//g, `${data}/tls/`);
  for (const [placeholder, value] of placeholders)
    filled = filled.replaceAll(new RegExp(`\\b${placeholder}\\b`, "g"), value);
  return filled;
}

/** The names in a JSON value, at every depth, in order. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value).map(([name, inner]) => [name, keysOf(inner)]);
}
