// Runs the commands that a release consists of.
import { join } from "node:path";

export const root = join(import.meta.dir, "../..");

/** Runs a command in the project's directory. @returns standard output @throws Error with what it printed, if it failed */
export function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  const { success, stdout, stderr, exitCode } = Bun.spawnSync([...words], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdin: "inherit",
    stderr: "pipe",
  });
  if (!success) throw new Error(`${words.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout.toString();
}
