// Python's own readers of formats: csv, json, plistlib, xml.etree, zipfile, and PyYAML with the parser libyaml; and requests, which
// programs that use the API have.

/** Debian's Python has its packages, such as PyYAML; another one may come first in the search path. */
const candidates = ["/usr/bin/python3", "python3"];

const run = (program: string, script: string, input: string | Uint8Array) =>
  Bun.spawnSync([program, "-c", script], {
    stdin: Buffer.from(input),
    env: { PATH: process.env.PATH, PYTHONIOENCODING: "utf-8" },
  });

function programWith(module: string): string | undefined {
  return candidates.find((name) => Bun.which(name) && run(name, `import ${module}`, "").exitCode === 0);
}

type Module = "csv" | "requests" | "yaml";
const modules: readonly Module[] = ["csv", "requests", "yaml"];
const programs = new Map(modules.map((module) => [module, programWith(module)]));

/** The Python that has a module. */
export const programFor = (module: Module): string => programs.get(module) ?? "python3";

/** Whether the tests that need a module must be skipped, which it says. */
export function isMissing(module: Module): boolean {
  if (programs.get(module) !== undefined) return false;
  console.warn(`Tests are skipped: there is no Python with the module ${module}`);
  return true;
}

/** The result of a Python script that reads the bytes `given` and sets `result`. */
export function python(script: string, given: string | Uint8Array): unknown {
  const program = programFor(/\byaml\b/.test(script) ? "yaml" : "csv");
  const whole = `import sys, json\ngiven = sys.stdin.buffer.read()\n${script}\nprint(json.dumps(result))`;
  const { exitCode, stdout, stderr } = run(program, whole, given);
  if (exitCode !== 0) throw new Error(String(stderr).slice(-2_000));
  return JSON.parse(String(stdout));
}
