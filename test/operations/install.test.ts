// ./commonplace installs what is missing: one process at a time, while the others wait.
import { describe, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import "../support/once.ts";
import { root } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** Counts its runs, and installs once the file `go` is there. */
const npm = `#!/bin/sh
echo "$@" >>npm-runs
until [ -e go ]; do sleep 0.05; done
mkdir -p node_modules
`;

/** A fresh clone with the script, and an npm of its own. */
function clone(): { readonly directory: string; readonly start: () => Bun.Subprocess<"ignore", "ignore", "pipe"> } {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "scripts"));
  cpSync(join(root, "scripts/install.sh"), join(directory, "scripts/install.sh"));
  writeFileSync(join(directory, "package-lock.json"), "{}");
  mkdirSync(join(directory, "bin"));
  writeFileSync(join(directory, "bin/npm"), npm);
  chmodSync(join(directory, "bin/npm"), 0o755);
  const start = () =>
    Bun.spawn(["sh", join(directory, "scripts/install.sh"), "runtime"], {
      env: { PATH: `${join(directory, "bin")}:${process.env.PATH}` },
      stdio: ["ignore", "ignore", "pipe"],
    });
  return { directory, start };
}

const runsOf = (directory: string): string[] =>
  readFileSync(join(directory, "npm-runs"), "utf8").split("\n").filter(Boolean);

describe("the dependencies", () => {
  test("are installed once if two start together; the second says what it waits for", async () => {
    const { directory, start } = clone();
    const first = start();
    while (!existsSync(join(directory, "npm-runs"))) await Bun.sleep(10);
    const second = start();
    let said = "";
    for await (const text of second.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said.includes("\n")) writeFileSync(join(directory, "go"), "");
    }
    expect(said).toBe(
      `Waiting for process ${first.pid} to finish installing dependencies. If that process is no longer running, delete .installing.\n`,
    );
    expect([await first.exited, await second.exited]).toEqual([0, 0]);
    expect(runsOf(directory)).toHaveLength(1);
    expect(existsSync(join(directory, ".installing"))).toBeFalse();
  });

  test("are installed once by many that start together after an installation was killed", async () => {
    const { directory, start } = clone();
    const killed = Bun.spawn(["true"]);
    await killed.exited;
    symlinkSync(String(killed.pid), join(directory, ".installing"));
    writeFileSync(join(directory, "go"), "");
    const starts = Array.from({ length: 5 }, start);
    expect(await Promise.all(starts.map(({ exited }) => exited))).toEqual([0, 0, 0, 0, 0]);
    expect(runsOf(directory)).toHaveLength(1);
  });
});
