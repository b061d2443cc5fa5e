// What applies to every command of the operator on a database.
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../../src/commands.ts";
import { engine, someOnPostgres, urlWithoutCredentials } from "../support/engine.ts";
import { expectFailure, expectFitting, makeWorkspace, run, runJson, type Settings } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** The form of JSON and of refusals does not depend on the engine; commands-answers.test.ts has the values on both. */
const isSqlite = engine.name === "sqlite";
const data = temporaryDirectory();
const here: Settings = { COMMONPLACE_DATA_DIRECTORY: data };
const address = "grace@example.com";
const neverExisted = "00000000-0000-7000-8000-000000000000";

let made: Awaited<ReturnType<typeof makeWorkspace>>;
let location: Awaited<ReturnType<typeof engine.locate>>;
beforeAll(async () => {
  made = await makeWorkspace(here);
  location = await engine.locate(data);
  await runJson(["person", "create", "--email", address], here);
});

/** The arguments of each command. */
const examples: Record<string, () => string[]> = {
  "setup-link": () => [],
  "workspace create": () => ["--name", "Another"],
  "workspace list": () => [],
  "workspace show": () => ["--workspace", made.workspace],
  "workspace alerts": () => [
    "--workspace",
    made.workspace,
    "--webhook",
    `https://hooks.invalid/${crypto.randomUUID()}`,
    "--test",
  ],
  "workspace change": () => ["--workspace", made.workspace, "--subscription", "active"],
  "workspace dump": () => ["--workspace", made.workspace, "--to", join(temporaryDirectory(), "export")],
  "team create": () => ["--workspace", made.workspace, "--name", "Another"],
  "team list": () => ["--workspace", made.workspace],
  "team dump": () => ["--team", made.team, "--to", join(temporaryDirectory(), "export")],
  "trash list": () => ["--workspace", made.workspace],
  "trash restore": () => ["--workspace", made.workspace, "--snippet", neverExisted],
  "trash empty": () => ["--workspace", made.workspace, "--team", made.team],
  import: () => [join(import.meta.dir, "../fixtures/formats/raycast.json"), "--team", made.team],
  export: () => ["--team", made.team, "--to", join(temporaryDirectory(), "out.zip")],
  "key create": () => ["--workspace", made.workspace, "--name", "Another", "--team", made.team],
  "key list": () => ["--workspace", made.workspace],
  "key show": () => ["--key", made.key],
  "key change": () => ["--key", made.key, "--scope", "read-write"],
  "key identify": () => [made.secret],
  "key rotate": () => ["--key", made.key, "--overlap", "24h"],
  "key deactivate": () => ["--key", made.key],
  "key activate": () => ["--key", made.key],
  "key delete": () => ["--key", made.key],
  "person create": () => [
    "--email",
    `${crypto.randomUUID().slice(0, 8)}@a.example`,
    "--workspace",
    made.workspace,
    "--role",
    "owner",
  ],
  "person list": () => [],
  "person disable": () => ["--email", address],
  "person enable": () => ["--email", address],
  "person sign-out": () => ["--email", address],
  "person demote": () => ["--email", address],
  "person export": () => ["--email", address, "--to", join(temporaryDirectory(), "export")],
  "quota show": () => ["--workspace", made.workspace],
  "quota grant": () => [
    "--workspace",
    made.workspace,
    "--package",
    "100K",
    "--reference",
    `a payment, ${crypto.randomUUID()}`.slice(0, 30),
  ],
  usage: () => ["--workspace", made.workspace],
  "invoice list": () => ["--workspace", made.workspace],
  "audit export": () => ["--to", join(temporaryDirectory(), "audit.jsonl")],
  "instance rekey": () => [],
  "search rebuild": () => ["--workspace", made.workspace],
  "database copy": () => [
    ...["--from", location.engine === "sqlite" ? `sqlite:${location.path}` : location.url],
    ...["--to", `sqlite:${join(temporaryDirectory(), "copy.db")}`],
  ],
};

const givenTo = (name: string): string[] => examples[name]?.() ?? [];

describe.each(someOnPostgres(commands.map((command) => [command.name, command] as const)))("%s", (name, command) => {
  const words = name.split(" ");

  const isLeftOut = [
    "workspace delete",
    "workspace restore",
    "team delete",
    "team restore",
    "person delete",
    "serve",
    "setup-link",
    "health",
    // Its own test has a store that it may change.
    "certificate trust",
    "trash restore",
    "import undo",
    "key delete",
  ];
  if ([...isLeftOut, "backup", "backup verify", "restore"].includes(name)) return;

  test("prints lines for people", async () => {
    const people = await run([...words, ...givenTo(name)], here);
    expect(people).toEqual({ status: 0, stdout: expect.stringMatching(/^[^[{].*\n$/s), stderr: "" });
    expect(people.stdout).not.toContain("\u001b");
    // What is said about a line of a file stays on one line, as programs that search for it expect.
    expectFitting(people.stdout.replace(/^ {2}\S+:\d+: .*$/gm, ""));
  });

  test.skipIf(!isSqlite)("prints with --json one JSON value and nothing else", async () => {
    await runJson([...words, ...givenTo(name)], here);
  });

  const target = ["workspace", "key"].find((option) => command.options[option]?.isRequired);
  if (!target) return;
  test.skipIf(!isSqlite)(`an unknown ${target}: one line, status 1, also with --json`, async () => {
    const given = givenTo(name);
    given[given.indexOf(`--${target}`) + 1] = neverExisted;
    const [people, json] = await Promise.all([
      run([...words, ...given], here),
      run([...words, ...given, "--json"], here),
    ]);
    expectFailure(people, 1, `${target === "key" ? "key" : "workspace"} not found: ${neverExisted}`);
    expectFailure(json, 1, `${target === "key" ? "key" : "workspace"} not found: ${neverExisted}`);
  });
});

test("where there is no database yet, one line says so; only workspace create makes one", async () => {
  const empty = temporaryDirectory();
  const outcome = await run(["workspace", "list", "--data", empty]);
  const location = await engine.locate(empty);
  expectFailure(
    outcome,
    1,
    location.engine === "sqlite"
      ? `no database at ${location.path} yet. Start the service first, or use --data DIR`
      : `PostgreSQL at ${urlWithoutCredentials(location.url)}: it contains no Commonplace data yet. Start the service first`,
  );
  expect([...new Bun.Glob("*").scanSync({ cwd: empty, onlyFiles: false })]).toEqual([]);
});
