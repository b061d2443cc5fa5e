// The options of every command: what is checked before the database is opened.
import { describe, expect, test } from "bun:test";
import { commands } from "../../src/commands.ts";
import { findCommand, parseOptions } from "../../src/operations/commands/command-line.ts";
import { readDumpFile } from "../../src/operations/commands/options.ts";
import "../support/once.ts";
import { expectFailure, expectFitting, run } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const here = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };

describe.each(commands.map((command) => [command.name, command] as const))("%s", (name, command) => {
  const words = name.split(" ");
  const hint = `./commonplace ${name} --help`;

  test("--help says what it does and names every option, in 80 columns", async () => {
    const { status, stdout, stderr } = await run([...words, "--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toStartWith(`${command.summary}.\n\n  ./commonplace ${name}`);
    for (const option of [...Object.keys(command.options), "data", "json", "help"])
      expect(stdout).toMatch(new RegExp(`^ +--${option}\\b`, "m"));
    expectFitting(stdout);
  });

  test("an option that it does not have: status 2", async () => {
    const outcome = await run([...words, "--bogus", "x"], here);
    if (name !== "serve") return expectFailure(outcome, 2, "unknown option --bogus", hint);
    // What the service prints belongs to a log.
    const { time: _, ...refusal } = JSON.parse(outcome.stderr);
    expect({ ...outcome, stderr: refusal }).toEqual({
      status: 2,
      stdout: "",
      stderr: { level: "error", message: "service ended", cause: "unknown option --bogus", hint },
    });
  });

  const required = Object.keys(command.options).filter((option) => command.options[option]?.isRequired);
  for (const option of required)
    test(`without --${option}: status 2`, async () => {
      const others = required.filter((other) => other !== option).flatMap((other) => [`--${other}`, "x"]);
      expectFailure(await run([...words, ...others], here), 2, `--${option} is required`, hint);
    });
});

test("a workspace and a team are dumped before they are deleted, unless --no-dump is given", () => {
  for (const name of ["workspace delete", "team delete"]) {
    const command = findCommand(commands, name.split(" "));
    if (!command) throw new Error(`there is no ${name}`);
    const id = [`--${name.split(" ")[0]}`, crypto.randomUUID()];
    const fileOf = (...words: string[]) => readDumpFile(parseOptions(command, [...id, ...words]), "default.jsonl");
    expect([fileOf(), fileOf("--dump-to", "x.jsonl"), fileOf("--no-dump")]).toEqual([
      ...["default.jsonl", "x.jsonl", undefined],
    ]);
    expect(() => fileOf("--no-dump", "--dump-to", "x.jsonl")).toThrow("use --dump-to or --no-dump, not both");
  }
});
