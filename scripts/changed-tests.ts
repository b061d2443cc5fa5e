// Which test files a change can affect: those that import what changed, run it as a program, read it, or test its module.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

const root = join(import.meta.dir, "..");

export interface Choice {
  /** Test files, or undefined where all must run. */
  readonly files: readonly string[] | undefined;
  /** One sentence about what was chosen and why. */
  readonly reason: string;
}

/** A change to one of these can affect any test. */
const global =
  /^(package(-lock)?\.json|bunfig\.toml|(test\/)?tsconfig\.json|scripts\/(verify|test-\w+|changed-tests|install)\b.*|test\/support\/(cleanup|cheap-passwords|built-pages|built-program|late-collection)\.ts)$/;
/** Directories too general to mean anything when a test names one in a string. */
const unspecific: ReadonlySet<string> = new Set([".", "src", "test", "dist", "node_modules"]);
/** Tests that import it run the entire program, with everything that it loads on demand. */
const programSupport = "test/support/program.ts";
const reasonsShown = 3;

/**
 * The test files that the working tree and the commits since the base can affect.
 * @param base a revision; by default where the branch left main
 * @throws Error if Git does not know the base
 */
export function chooseChanged(base: string | undefined): Choice {
  const since = base ?? git(["merge-base", "HEAD", "main"])[0] ?? "HEAD";
  const changed = [
    ...git(["diff", "--name-only", "--no-renames", since]),
    ...git(["ls-files", "--others", "--exclude-standard"]),
  ];
  const tests = [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].sort();
  return chooseAffected(changed, tests, since.slice(0, 12));
}

function git(words: readonly string[]): string[] {
  const { success, stdout, stderr } = Bun.spawnSync(["git", ...words], { cwd: root });
  if (!success) throw new Error(`git ${words.join(" ")}: ${stderr.toString().trim()}`);
  return stdout.toString().split("\n").filter(Boolean);
}

/** The same for given paths. @param since the revision, for the sentence */
export function chooseAffected(changed: readonly string[], tests: readonly string[], since: string): Choice {
  const everywhere = changed.find((path) => global.test(path));
  if (everywhere !== undefined)
    return { files: undefined, reason: `All test files, because ${everywhere} changed since ${since}` };
  const files = tests.filter((test) => {
    const reached = reachedFrom(test);
    return changed.some((path) => reached.has(path) || isSameModule(path, test) || isReadBy(reached, path));
  });
  const because = changed.length === 0 ? "nothing" : `${summarize(changed)}`;
  return { files, reason: `${files.length} of ${tests.length} test files, because ${because} changed since ${since}` };
}

function summarize(paths: readonly string[]): string {
  const others = paths.length - reasonsShown;
  return `${paths.slice(0, reasonsShown).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** A folder of `test` has the tests of the module of that name, including code that only a running service loads. */
function isSameModule(path: string, test: string): boolean {
  const module = /^(?:src\/)?(\w+)\//.exec(path)?.[1];
  return module !== undefined && test.startsWith(`test/${module}/`);
}

/** Whether the file is in a directory that the test names in a string, such as "deploy". */
const isReadBy = (reached: ReadonlySet<string>, path: string): boolean => {
  for (let directory = dirname(path); directory !== "."; directory = dirname(directory))
    if (reached.has(`${directory}/`)) return true;
  return false;
};

const reachedBy = new Map<string, ReadonlySet<string>>();

/** Every file that a test imports or names, directly or through others; directories end with a slash. */
function reachedFrom(test: string): ReadonlySet<string> {
  const found = reachedBy.get(test) ?? findReached(test);
  reachedBy.set(test, found);
  return found;
}

function findReached(test: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [test];
  const isProgram = linksOf(test).imported.includes(programSupport);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const { imported, onDemand, named } = linksOf(path);
    waiting.push(...imported);
    // What the service loads on demand counts for tests that run the program, and for those that import it themselves.
    if (isProgram || path.startsWith("test/")) waiting.push(...onDemand, ...named);
  }
  return reached;
}

interface Links {
  readonly imported: readonly string[];
  readonly onDemand: readonly string[];
  /** Files and directories whose paths are in strings, as for `readFileSync` and `Bun.spawn`. */
  readonly named: readonly string[];
}

const known = new Map<string, Links>();
const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

function linksOf(path: string): Links {
  const links = known.get(path) ?? scan(path);
  known.set(path, links);
  return links;
}

function scan(path: string): Links {
  const extension = /\.(tsx?)$/.exec(path)?.[1] as "ts" | "tsx" | undefined;
  if (extension === undefined) return { imported: [], onDemand: [], named: [] };
  const text = readFileSync(join(root, path), "utf8");
  const imports = transpilers[extension].scanImports(text).filter((found) => found.path.startsWith("."));
  const target = (to: string) => normalize(join(dirname(path), to));
  const isFile = (to: string) => existsSync(join(root, to)) && statSync(join(root, to)).isFile();
  return {
    imported: imports
      .filter(({ kind }) => kind !== "dynamic-import")
      .map((found) => target(found.path))
      .filter(isFile),
    onDemand: imports
      .filter(({ kind }) => kind === "dynamic-import")
      .map((found) => target(found.path))
      .filter(isFile),
    named: [...text.matchAll(/["'`]([\w.@/-]*\w[\w.@/-]*)["'`]/g)].flatMap(([, words = ""]) =>
      placesOf(words, dirname(path)),
    ),
  };
}

/** The file or directory that a string names, relative to the project's root or to the directory of its file. */
function placesOf(words: string, directory: string): string[] {
  return [words, join(directory, words)].flatMap((candidate) => {
    const path = relative(root, join(root, candidate)).replace(/\/$/, "");
    if (path === "" || path.startsWith("..") || unspecific.has(path) || !isInProject(path)) return [];
    if (!statSync(join(root, path)).isDirectory()) return [path];
    // The name of a module is also that of its tests' folder.
    return path.startsWith("test/") && !path.startsWith("test/fixtures") ? [] : [`${path}/`];
  });
}

const entries = new Set(readdirSync(root).filter((name) => !unspecific.has(name) || name === "src" || name === "test"));
const isInProject = (path: string): boolean =>
  entries.has(path.split("/")[0] ?? "") && existsSync(join(root, path)) && !path.startsWith("node_modules");
