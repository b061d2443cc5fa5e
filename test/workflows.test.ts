// The workflows in .github: actionlint accepts them, each job has only the permissions it needs, and nothing is published untested.
import "./support/once.ts";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { releaseProblem } from "../scripts/check-release.ts";
import { temporaryDirectory } from "./support/service.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = join(import.meta.dir, "..");
const folder = join(root, ".github/workflows");
const workflows = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace(".yml", ""),
    Bun.YAML.parse(readFileSync(join(folder, file), "utf8")) as Workflow,
  ]),
);
const jobs = Object.entries(workflows).flatMap(([workflow, { permissions, jobs }]) =>
  Object.entries(jobs).map(([name, job]) => ({
    name: `${workflow}/${name}`,
    job,
    permissions: job.permissions ?? permissions,
  })),
);
const steps = jobs.flatMap(({ name, job }) => job.steps.map((step) => ({ name, step })));
const commands = steps.flatMap(({ name, step: { run } }) => (run === undefined ? [] : [{ name, run }]));
const releaseJobs = workflows.release?.jobs ?? {};

const lint = (directory: string) => {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, join(root, "scripts/lint-workflows.ts"), directory]);
  return { exitCode, faults: stdout.toString() };
};

describe("actionlint", () => {
  test("finds nothing in the workflows", () => {
    expect(Object.keys(workflows).sort()).toEqual(["audit", "release", "test"]);
    expect(lint(folder)).toEqual({ exitCode: 0, faults: "" });
  });

  test("would find a job that waits for one that is not there", () => {
    const directory = temporaryDirectory();
    const text = readFileSync(join(folder, "release.yml"), "utf8").replace("needs: build", "needs: biuld");
    writeFileSync(join(directory, "release.yml"), text);
    expect(lint(directory)).toEqual({ exitCode: 1, faults: expect.stringContaining('job "biuld"') });
  });
});

test("bash can read every command", () => {
  const broken = commands.filter(({ run }) => !Bun.spawnSync(["bash", "-n"], { stdin: Buffer.from(run) }).success);
  expect(broken).toEqual([]);
  expect(commands.length).toBeGreaterThan(10);
});

describe("the permissions of a job", () => {
  test("to change something are only those that it needs", () => {
    const writing = jobs.map(({ name, permissions }) => [
      name,
      Object.keys(permissions).filter((scope) => permissions[scope] === "write"),
    ]);
    expect(Object.fromEntries(writing)).toEqual({
      "audit/audit": [],
      "release/attest": ["id-token", "attestations"],
      "release/build": [],
      "release/publish-image": ["packages", "id-token", "attestations"],
      "release/publish-packages": ["id-token"],
      "release/publish-release": ["contents"],
      "test/all": [],
      "test/start": [],
    });
  });

  test("are not left to the next program: no checkout keeps its credentials, and each job ends in time", () => {
    const checkouts = steps.filter(({ step }) => step.uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThanOrEqual(5);
    expect(checkouts.filter(({ step }) => step.with?.["persist-credentials"] !== false)).toEqual([]);
    expect(jobs.filter(({ job }) => !job["timeout-minutes"])).toEqual([]);
  });
});

describe("a secret", () => {
  test("reaches only the step that needs it, in the environment that guards it, and no command line or log", () => {
    const withSecret = steps.filter(({ step }) => JSON.stringify(step).includes("secrets."));
    expect(withSecret.map(({ name }) => name)).toEqual(["release/publish-packages", "release/publish-release"]);
    const elsewhere = withSecret.filter(({ step: { env, ...rest } }) => JSON.stringify(rest).includes("secrets."));
    expect(elsewhere).toEqual([]);
    const publishing = Object.entries(releaseJobs).filter(([name]) => name.startsWith("publish-"));
    expect(publishing.map(([, { environment }]) => environment)).toEqual(["release", "release", "release"]);
  });

  test("cannot be taken by text from outside: no command contains an expression, and none prints its commands", () => {
    expect(commands.filter(({ run }) => /\$\{\{|set -x|\bprintenv\b/.test(run))).toEqual([]);
  });
});

test("each push and pull request runs all tests", () => {
  expect(Object.keys(workflows.test?.on ?? {})).toEqual(["push", "pull_request"]);
  expect(workflows.test?.jobs.all?.steps.at(-1)?.run).toBe(".ci/run");
});

describe("a release", () => {
  test("is built only after the tests pass, and published only after that", () => {
    const needs = (name: string): string[] => {
      const direct = [releaseJobs[name]?.needs ?? []].flat();
      return [...direct, ...direct.flatMap(needs)];
    };
    const others = Object.keys(releaseJobs).filter((name) => name !== "build");
    expect(others.filter((name) => !needs(name).includes("build"))).toEqual([]);
    expect(needs("publish-release")).toEqual(expect.arrayContaining(["attest", "publish-image", "publish-packages"]));
    const building = (releaseJobs.build?.steps ?? []).map(({ run = "" }) => run);
    const tested = building.indexOf(".ci/run");
    expect(tested).toBeGreaterThan(0);
    expect(building.findIndex((run) => run.includes("npm run release"))).toBeGreaterThan(tested);
  });

  test("is refused if its tag is not that of the version, or if the changelog does not have it with a date", () => {
    const changelog = "# Changelog\n\n## 1.3.0 (unreleased)\n\n- New.\n\n## 1.2.3 (2026-12-01)\n\n- Tags.\n";
    expect(releaseProblem("v1.2.3", "1.2.3", changelog)).toBeUndefined();
    expect(releaseProblem("v1.2.4", "1.2.3", changelog)).toBe("the tag is v1.2.4, but package.json has version 1.2.3");
    expect(releaseProblem("v1.3.0", "1.3.0", changelog)).toBe('CHANGELOG.md has no section "## 1.3.0 (YYYY-MM-DD)"');
    expect(releaseProblem("v1.2", "1.2", changelog)).toBe('CHANGELOG.md has no section "## 1.2 (YYYY-MM-DD)"');
  });
});
