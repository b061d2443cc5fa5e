// The operator's command line: help, the messages about invalid arguments, and how a process is started.
import { beforeAll, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../src/commands.ts";
import "../support/once.ts";
import {
  environment,
  expectFailure,
  expectFitting,
  makeWorkspace,
  root,
  run,
  runExecutable,
  runJson,
  runToEnd,
  type Settings,
} from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const data = temporaryDirectory();
const here: Settings = { COMMONPLACE_DATA_DIRECTORY: data };

let made: Awaited<ReturnType<typeof makeWorkspace>>;
beforeAll(async () => {
  made = await makeWorkspace(here);
});

test("lists every command in 80 columns, without a word, with help, with --help", async () => {
  const [bare, help, option, group, one, same] = await Promise.all([
    run([]),
    run(["help"]),
    run(["--help"]),
    run(["key", "-h"]),
    run(["help", "key", "list"]),
    run(["key", "list", "--json", "-h", "--bogus"]),
  ]);
  expect(bare).toEqual({ status: 0, stdout: bare.stdout, stderr: "" });
  for (const { name, summary } of commands) expect(bare.stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
  expectFitting(bare.stdout);
  expect([help, option]).toEqual([bare, bare]);
  expect(group.stdout.match(/^ {2}key \w+/gm)).toHaveLength(commands.filter(({ name }) => /^key /.test(name)).length);
  expect(group.stdout).not.toContain("workspace create");
  expect(one.stdout).toStartWith("List the API keys of a workspace, without secrets.\n");
  expect(same).toEqual(one);
});

test("tells its version", async () => {
  const { version } = await Bun.file(join(root, "package.json")).json();
  expect(await run(["--version"])).toEqual({ status: 0, stdout: `commonplace ${version}\n`, stderr: "" });
});

test("words that are no command: status 2", async () => {
  const [unknown, pair, half, early] = await Promise.all([
    run(["bogus"], here),
    run(["workspace", "rename"], here),
    run(["quota", "--json"], here),
    run(["--json", "workspace", "list"], here),
  ]);
  expectFailure(unknown, 2, 'unknown command "bogus"', "./commonplace --help");
  const verbs = "create, list, show, change, alerts, dump, delete, restore";
  expectFailure(pair, 2, `"workspace" must be followed by one of: ${verbs}`, "./commonplace workspace --help");
  expectFailure(half, 2, '"quota" must be followed by one of: show, grant', "./commonplace quota --help");
  expectFailure(early, 2, "put the command before its options", "./commonplace --help");
});

test("options that cannot be understood: status 2", async () => {
  const show = ["workspace", "show"];
  const cases: [string[], string][] = [
    [[...show, "stray"], 'unexpected argument "stray"'],
    [[...show, "--workspace", made.workspace, "stray"], 'unexpected argument "stray"'],
    [[...show, "--json", "stray"], 'unexpected argument "stray"'],
    [[...show, "--json", "--json"], "--json can be given only once"],
    [[...show, "--workspace", "a", "--workspace", "b"], "--workspace can be given only once"],
    [[...show, "--json=yes"], "--json does not take a value"],
    [[...show, "--workspace"], "--workspace requires a value"],
    [[...show, "--workspace", "--json"], "--workspace requires a value"],
    [[...show, "--workspace", ""], "--workspace cannot be empty"],
    [[...show, "--workspace="], "--workspace cannot be empty"],
    [[...show, "--constructor"], "unknown option --constructor"],
    [[...show, "-w", "x"], "unknown option -w"],
    [[...show, "--"], "unknown option --"],
  ];
  await Promise.all(
    cases.map(async ([words, message]) =>
      expectFailure(await run(words, here), 2, message, "./commonplace workspace show --help"),
    ),
  );
});

test("the executable hands everything on, from any directory and through a link", async () => {
  const elsewhere = temporaryDirectory();
  symlinkSync(join(root, "commonplace"), join(elsewhere, "link"));
  const words = ["workspace", "show", "--workspace", made.workspace, "--json"];
  const [direct, linked, failed] = await Promise.all([
    runExecutable(words, here, elsewhere),
    runToEnd([join(elsewhere, "link"), ...words], here, elsewhere),
    runExecutable(["team", "create", "--workspace", made.workspace, "--name", "two  words\n"], here),
  ]);
  expect(JSON.parse(direct.stdout)).toMatchObject({ id: made.workspace });
  expect(linked).toEqual({ status: 0, stdout: direct.stdout, stderr: "" });
  expect(failed).toMatchObject({ status: 2, stdout: "" });
});

test("--data DIR goes before COMMONPLACE_DATA_DIRECTORY", async () => {
  const elsewhere = temporaryDirectory();
  const created = await runJson(["workspace", "create", "--name", "Elsewhere", "--data", elsewhere], here);
  const [there, main] = await Promise.all([
    runJson(["workspace", "list", `--data=${elsewhere}`], here),
    runJson(["workspace", "list"], here),
  ]);
  expect(there).toEqual([created]);
  expect(main.map((one: { id: string }) => one.id)).not.toContain(created.id);
  expectFailure(
    await run(["workspace", "list", "--data="], here),
    2,
    "--data cannot be empty",
    "./commonplace workspace list --help",
  );
});

test("a wrong setting is refused by every command, in one line", async () => {
  const outcome = await run(["workspace", "list"], { ...here, COMMONPLACE_HTTPS_PORT: "http" });
  expectFailure(outcome, 1, 'COMMONPLACE_HTTPS_PORT must be a whole number from 0 to 65535, not "http"');
});

test("what is no id is refused and not repeated: it may be a secret, or move the cursor", async () => {
  const outcome = await run(["workspace", "show", "--workspace", "a\u001b[2J\nb"], here);
  const message = "--workspace must be an ID. To find it, run ./commonplace workspace list";
  expectFailure(outcome, 2, message, "./commonplace workspace show --help");
});

test("bold on a terminal, never with NO_COLOR or --json", async () => {
  const onTerminal = async (words: string[], settings: Settings = {}) => {
    const chunks: Uint8Array[] = [];
    const child = Bun.spawn(["./commonplace", ...words], {
      cwd: root,
      env: await environment({ ...here, ...settings }),
      terminal: { cols: 80, rows: 24, data: (_, bytes) => void chunks.push(bytes.slice()) },
    });
    await child.exited;
    return Buffer.concat(chunks).toString();
  };
  const [bold, plain, json] = await Promise.all([
    onTerminal(["workspace", "list"]),
    onTerminal(["workspace", "list"], { NO_COLOR: "1" }),
    onTerminal(["workspace", "list", "--json"]),
  ]);
  expect(bold).toStartWith("\u001b[1mID ");
  expect(plain).toStartWith("ID ");
  expect(plain).not.toContain("\u001b");
  expect(JSON.parse(json)).toBeArray();
});
