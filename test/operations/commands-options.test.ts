// The options of every command: what is checked before the database is opened.
import { describe, expect, test } from "bun:test";
import { commands } from "../../src/commands.ts";
import "../support/once.ts";
import { expectFailure, expectFitting, run } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const here = { COMMONPLACE_DATA: temporaryDirectory() };

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
    expectFailure(await run([...words, "--bogus", "x"], here), 2, "unknown option --bogus", hint);
  });

  const required = Object.keys(command.options).filter((option) => command.options[option]?.isRequired);
  for (const option of required)
    test(`without --${option}: status 2`, async () => {
      const others = required.filter((other) => other !== option).flatMap((other) => [`--${other}`, "x"]);
      expectFailure(await run([...words, ...others], here), 2, `--${option} is required`, hint);
    });
});
