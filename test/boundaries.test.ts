// The boundaries between modules: today's code keeps them, and a violation of each kind is found.
import "./support/once.ts";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cycles, findViolations, sourceFiles } from "../scripts/boundaries.ts";

const root = join(import.meta.dir, "..");
const rulesOf = (path: string, text: string): string[] =>
  findViolations(new Map([[path, text]])).map(({ line, rule }) => `${line}: ${rule}`);

test("the code keeps them", () => {
  const paths = sourceFiles(root);
  expect(paths.length).toBeGreaterThan(300);
  expect(findViolations(new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")])))).toEqual([]);
});

test("the table itself allows no cycle", () => {
  expect(cycles()).toEqual([]);
  expect(cycles({ library: ["metering"], metering: ["accounts"], accounts: ["library"] })).not.toEqual([]);
});

describe("a planted violation is found:", () => {
  test("a module that imports one above it, also for a type alone, in one line or many, or when it is first needed", () => {
    const rule = "library must not import api (src/api/handle-call.ts)";
    for (const text of [
      'import { handleCall } from "../api/handle-call.ts";',
      'import type { ApiDependencies } from "../api/handle-call.ts";',
      'import {\n  handleCall,\n} from "../api/handle-call.ts";',
      'export * from "../api/handle-call.ts";',
      'import "../api/handle-call.ts";',
      'const api = () => import("../api/handle-call.ts");',
    ])
      expect(rulesOf("src/library/folders.ts", text)).toEqual([`1: ${rule}`]);
    expect(rulesOf("src/platform/log.ts", 'import { readConfig } from "../config.ts";')).toEqual([
      "1: platform must not import config (src/config.ts)",
    ]);
    expect(rulesOf("src/operations/doctor/doctor.ts", 'import { startService } from "../../service.ts";')).toEqual([
      "1: operations must not import root (src/service.ts)",
    ]);
  });

  test("anything of the search in a page but what marks matches, and anything else in that", () => {
    const imports = (name: string) => `import { placesOf } from "../../src/library/search/${name}.ts";`;
    expect(rulesOf("web/library/list.tsx", imports("pieces"))).toEqual([]);
    expect(rulesOf("web/library/list.tsx", imports("query"))).toEqual([
      "1: web must not import library (src/library/search/query.ts)",
    ]);
    expect(rulesOf("src/library/search/pieces.ts", 'import { limits } from "../../contract/limits.ts";')).toEqual([
      "1: a file that the pages use must not import src/contract/limits.ts",
    ]);
  });

  test("a parser outside of the file that limits what it takes, in whatever way it is imported", () => {
    const rule = "1: only src/library/formats/yaml-document.ts reads with yaml";
    for (const text of [
      'import { parse, stringify } from "yaml";',
      'import {\n  isMap,\n  parseDocument as read,\n} from "yaml";',
      'import { Composer } from "yaml";',
      'import * as yaml from "yaml";',
      'import yaml from "yaml";',
      'export * from "yaml";',
      'const { parse } = await import("yaml");',
    ])
      expect(rulesOf("cli/src/sync/targets.ts", text)).toEqual([rule]);
    for (const text of ['import { stringify, visit } from "yaml";', 'import type { Parser } from "yaml";'])
      expect(rulesOf("src/library/formats/espanso.ts", text)).toEqual([]);
    expect(rulesOf("web/library/list.tsx", 'import MarkdownIt, { type Token } from "markdown-it";')).toEqual([
      "1: only web/library/markdown/tree.ts reads with markdown-it",
    ]);
    expect(rulesOf("src/library/formats/csv.ts", 'import { parse } from "csv-parse/sync";')).toEqual([
      "1: only src/library/formats/tables.ts reads with csv-parse",
    ]);
  });

  test("a parser in the thread that answers requests, also one that is loaded when it is needed", () => {
    const files = (statement: string) =>
      new Map([
        ["src/service.ts", 'import { FormatProcesses } from "./library/import/format-processes.ts";'],
        ["src/library/import/format-processes.ts", statement],
        ["src/library/formats/formats.ts", 'import { readXml } from "./xml.ts";'],
      ]);
    for (const statement of [
      'import { readFiles } from "../formats/formats.ts";',
      'const { readFiles } = await import("../formats/formats.ts");',
    ])
      expect(findViolations(files(statement))).toEqual([
        {
          path: "src/library/formats/formats.ts",
          line: 1,
          rule: "src/service.ts must not parse files (src/library/formats/xml.ts)",
        },
      ]);
    expect(findViolations(files('import type { ReadResult } from "../formats/formats.ts";'))).toEqual([]);
  });

  test("anything of the service in cpl but what the pages use too, and Bun, without which it must run", () => {
    const imports = (path: string) => `import { fillIn } from "../../src/library/${path}.ts";`;
    expect(rulesOf("cli/src/placeholders.ts", imports("placeholders"))).toEqual([]);
    expect(rulesOf("cli/src/placeholders.ts", imports("snippets"))).toEqual([
      "1: cli must not import library (src/library/snippets.ts)",
    ]);
    expect(rulesOf("cli/src/commands/sync.ts", 'import "../../../src/library/formats/formats.ts";')).toEqual([]);
    expect(rulesOf("src/library/formats/vscode.ts", 'import "../snippets.ts";')).toEqual([
      "1: a format must not import src/library/snippets.ts",
    ]);
    expect(rulesOf("cli/src/cache.ts", "const file = Bun.file(path);")).toEqual([
      "1: cpl runs in Node.js, without Bun",
    ]);
  });

  test("a test, a proof, a benchmark or a script in the service", () => {
    for (const target of ["test/support/service.ts", "prove/proof.ts", "bench/bench.ts", "scripts/build.ts"])
      expect(rulesOf("src/library/folders.ts", `import "../../${target}";`)).toEqual([
        `1: the service must not import ${target}`,
      ]);
  });

  test("SQL outside of the stores and the platform", () => {
    const text = "// a comment about sql`…` is none\nconst rows = transaction.all(sql`select 1`);";
    expect(rulesOf("src/library/folders.ts", text)).toEqual([
      "2: SQL belongs in *.store.ts files and in the platform only",
    ]);
    expect(rulesOf("src/library/folders.store.ts", text)).toEqual([]);
    expect(rulesOf("src/platform/database/migrate.ts", text)).toEqual([]);
  });

  test("HTTP in a rule", () => {
    expect(rulesOf("src/metering/quota/quota.ts", 'import type { X } from "../../platform/http/receive.ts";')).toEqual([
      "1: rules know no HTTP (src/platform/http/receive.ts)",
    ]);
    expect(rulesOf("src/library/tags.ts", 'await fetch("https://example.com");')).toEqual(["1: rules know no HTTP"]);
  });

  test("the environment in a rule", () => {
    const text = "const name = process.env.COMMONPLACE_URL;";
    expect(rulesOf("src/accounts/members/members.ts", text)).toEqual(["1: rules read no environment"]);
    expect(rulesOf("src/config.ts", text)).toEqual([]);
  });

  test("the clock in a rule", () => {
    for (const text of ["const now = new Date();", "const now = Date.now();", "const now = performance.now();"])
      expect(rulesOf("src/library/snippets.ts", text)).toEqual(["1: rules read no clock"]);
    expect(rulesOf("src/library/snippets.ts", "const at = new Date(Date.parse(transaction.now));")).toEqual([]);
  });

  test("a value of the contract in the front end, and anything of another module", () => {
    const path = "web/pages/keys.tsx";
    expect(rulesOf(path, 'import { limits } from "../../src/contract/limits.ts";')).toEqual([
      "1: web imports only types from the contract (src/contract/limits.ts)",
    ]);
    expect(rulesOf(path, 'import { type Folder, limits } from "../../src/contract/folder.ts";')).toHaveLength(1);
    expect(rulesOf(path, 'import type { Folder } from "../../src/contract/folder.ts";')).toEqual([]);
    expect(rulesOf(path, 'import { type Folder, type Tag } from "../../src/contract/folder.ts";')).toEqual([]);
    expect(rulesOf("web/table.macro.ts", 'import { limits } from "../src/contract/limits.ts";')).toEqual([]);
    expect(rulesOf(path, 'import type { Key } from "../../src/metering/keys/keys.ts";')).toEqual([
      "1: web must not import metering (src/metering/keys/keys.ts)",
    ]);
  });

  test("a folder of src that no module of the table is", () => {
    expect(rulesOf("src/helpers/text.ts", "")).toEqual(["1: src/helpers is not a module of the table"]);
  });
});
