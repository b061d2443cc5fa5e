// The report on a release shows what its results say, failures too.
import "./support/once.ts";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { reportPage } from "../scripts/report/page.ts";
import type { ReleaseReport } from "../scripts/report/report.ts";

const folder = join(import.meta.dir, "../docs/reports");
const versions = readdirSync(folder).flatMap((name) => (name.endsWith(".json") ? [name.replace(".json", "")] : []));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

test("the version in package.json has a report", () => {
  expect(versions).toContain(manifest.version);
});

test.each(versions)("the page about %s is what its results give", (version) => {
  const report: ReleaseReport = JSON.parse(read(`${version}.json`));
  expect(report.version).toBe(version);
  expect(read(`${version}.md`)).toBe(reportPage(report));
});

describe("the page", () => {
  const origin = { date: "2026-12-01", commit: "abcdef12" };
  const report: ReleaseReport = {
    version: "9.9.9",
    tests: [{ folder: "test/api", files: 1_200, seconds: { sqlite: 30, postgres: 10 } }],
    tools: { Bun: "1.0.0 (`bun`)" },
    benchmarks: [],
  };
  const row = { id: "P1", sentence: "Nothing is lost", engine: "sqlite", seed: 7 } as const;
  const outcome = { runs: 1_000, inputs: 2_000, notes: [] };
  const control = { isSeen: true } as const;
  const proofs = (...rows: NonNullable<ReleaseReport["proofs"]>["rows"]): string =>
    reportPage({ ...report, proofs: { ...origin, machine: "A machine", minutes: 5, rows } });

  test("leaves out what was not run", () => {
    expect(reportPage(report).match(/^## .*$/gm)).toEqual(["## Tests"]);
    expect(reportPage(report)).toContain("| `test/api` | 1,200 | 30 | 10 | ████████████████ |");
  });

  test("says on which day and commit a proof ran, and whether it held", () => {
    const page = proofs({ ...row, outcome, control, seconds: 60 });
    expect(page).toContain("Run on 2026-12-01, at commit abcdef12. 5 minutes, seed 7.");
    expect(page).toContain("| P1 | SQLite | 1,000 | 2,000 | held | 60 | ████████████████ |");
  });

  test("says that a proof failed, did not find its planted fault, or was skipped", () => {
    const failed = { ...row, outcome: { ...outcome, failure: "a row is missing" }, control, seconds: 60 };
    expect(proofs(failed)).toContain("| **failed** |");
    const blind = { ...row, outcome, control: { isSeen: false, instead: "nothing" } as const, seconds: 60 };
    expect(proofs(blind)).toContain("| **failed** |");
    expect(proofs({ ...row, skipped: "it needs root" })).toContain("| skipped: it needs root |");
  });

  test("shows each benchmark with its target, and each file with its size", () => {
    const { benchmarks } = JSON.parse(read(`${manifest.version}.json`)) as ReleaseReport;
    const page = reportPage({
      ...report,
      benchmarks: benchmarks.slice(0, 1).map((run) => ({ ...run, ...origin })),
      release: { ...origin, files: [{ name: "commonplace.deb", bytes: 67_000_000 }] },
    });
    expect(page).toContain("at commit abcdef12.\n\n```\n");
    expect(page).toMatch(/│.* {2}(met|missed) +(ratio )?[≥≤]/);
    expect(page).toContain("| `commonplace.deb` | 67 MB | ████████████████ |");
  });
});
