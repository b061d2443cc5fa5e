// Runs everything that must hold, and says at the end how many tests passed and failed.
// `npm test` runs all of it; `npm test -- test/matrix.test.ts` only these test files, without the checks before them.

export {};

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const bun = process.execPath;
const checks: readonly Check[] = [
  { name: "format and lint", command: ["node_modules/.bin/biome", "check", "--error-on-warnings", "."] },
  { name: "types", command: ["node_modules/.bin/tsc", "--project", "."] },
  { name: "generated files", command: [bun, "scripts/generate.ts", "--check"] },
];
const testTimeoutMilliseconds = 60_000;

const files = process.argv.slice(2);
const failedChecks: string[] = [];
for (const check of files.length > 0 ? [] : checks) {
  const startedAt = performance.now();
  process.stdout.write(`${check.name.padEnd(16)} `);
  const { exitCode, stdout, stderr } = Bun.spawnSync([...check.command], { stdout: "pipe", stderr: "pipe" });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${exitCode === 0 ? "ok" : "FAILED"}  ${seconds} s\n`);
  if (exitCode === 0) continue;
  failedChecks.push(check.name);
  process.stdout.write(`${stdout}${stderr}\n`);
}

const tests = Bun.spawn([bun, "test", "--timeout", String(testTimeoutMilliseconds), ...files], {
  stdout: "inherit",
  stderr: "pipe",
});
let output = "";
const decoder = new TextDecoder();
for await (const chunk of tests.stderr) {
  const text = decoder.decode(chunk, { stream: true });
  output += text;
  process.stderr.write(text);
}
const exitCode = await tests.exited;

/** The number that the test runner gives in its closing lines, as in ` 12 pass`. */
const counted = (word: string): number =>
  Number([...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm"))].at(-1)?.[1] ?? 0);
const passed = counted("pass");
const skipped = counted("skip");
// A runner that ended badly without naming a failed test still failed.
const failed = Math.max(counted("fail"), exitCode === 0 && passed > 0 ? 0 : 1);

process.stdout.write("\n");
if (failedChecks.length > 0) process.stdout.write(`Failed checks: ${failedChecks.join(", ")}\n`);
const checksFailed = failed + failedChecks.length;
process.stdout.write(`${passed} passed, ${checksFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
process.exit(checksFailed > 0 ? 1 : 0);
