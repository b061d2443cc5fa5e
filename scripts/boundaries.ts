// Checks the code against ARCHITECTURE.md: which module may import which, where SQL is allowed, and what rules must not use.
// `npm test` runs it; `bun scripts/boundaries.ts` lists each violation with its line and the broken rule.
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A module is a folder of `src`; `config` is src/config.ts and src/config/, `root` are the other files of `src`, `web` is the front end,
 * `site` the documentation, `cli` is the command line for the service's users, `mcp` the server for agents. */
const mayImport = {
  contract: [],
  platform: ["contract"],
  config: ["contract", "platform"],
  accounts: ["contract", "platform", "config"],
  metering: ["contract", "platform", "config", "accounts"],
  library: ["contract", "platform", "config", "accounts", "metering"],
  api: ["contract", "platform", "config", "accounts", "metering", "library", "mcp"],
  console: ["contract", "platform", "config", "accounts", "metering", "library"],
  docs: ["contract", "platform"],
  operations: ["contract", "platform", "config", "accounts", "metering", "library"],
  root: ["contract", "platform", "config", "accounts", "metering", "library", "api", "console", "docs", "operations"],
  web: ["contract"],
  site: ["web"],
  mcp: [],
  cli: ["mcp"],
} as const satisfies Record<string, readonly string[]>;
type Module = keyof typeof mayImport;

/** Folders that are not part of the service. */
const forDevelopers = /^(?:bench|prove|scripts|test)\//;

/**
 * Files of `src` that the pages and cpl use too, so that all follow one rule. They import only each other: nothing more reaches a browser or
 * another machine.
 */
const sharedWithPages: ReadonlySet<string> = new Set([
  ...["folding", "parts", "pieces"].map((name) => `src/library/search/${name}.ts`),
  "src/contract/console/user-agent.ts",
  "src/contract/closest-name.ts",
  "src/contract/exit-status.ts",
  "src/contract/printable.ts",
  ...["format-names", "import-report", "tool-block", "wanted-files"].map((name) => `src/library/formats/${name}.ts`),
  "src/library/placeholders.ts",
]);

/** Modules whose files, except the stores, are rules: functions of their parameters. */
const ruleModules: ReadonlySet<Module> = new Set(["contract", "accounts", "metering", "library"]);

/** Files of rule modules that may use HTTP or the clock, and why. */
const adapters: Readonly<Record<string, string>> = {
  "src/contract/example-workspace.ts": "has code in the text of an example",
  "src/library/examples/texts.ts": "has code in the texts of examples",
  "src/metering/payments/stripe.ts": "calls Stripe's API",
  "src/accounts/sign-in/": "runs Better Auth, which speaks in requests and keeps its own time",
};

/** What does not run in the service, but in browsers and on other machines. */
const runsElsewhere: ReadonlySet<Module> = new Set(["web", "cli", "mcp"]);

/** What cpl uses of the library. It imports no more of the service than the limits. */
const formats = "src/library/formats/";
const usedByFormats: ReadonlySet<string> = new Set([
  ...["src/contract/limits.ts", "src/contract/formats.ts", "src/library/placeholders.ts"],
]);

/** The only file that reads texts with each package, because it limits what the package takes; and which names of the package read, if not all. */
const parsers: Readonly<Record<string, { readonly file: string; readonly names?: RegExp }>> = {
  yaml: { file: `${formats}yaml-document.ts`, names: /\b(?:parse\w*|Parser|Composer|Lexer)\b/ },
  "fast-xml-parser": { file: `${formats}xml.ts` },
  "jsonc-parser": { file: `${formats}json.ts` },
  "csv-parse": { file: `${formats}tables.ts` },
  fflate: { file: `${formats}zip.ts`, names: /\b(?:[Uu]nzip|[Ii]nflate)/ },
  "markdown-it": { file: "web/library/markdown/tree.ts" },
};

/** What others wrote is parsed in threads and processes of their own, never where requests are answered: nothing from here on imports a parser. */
const answersRequests = "src/service.ts";

/** cpl runs in Node.js too, with all that it imports. */
const bunOnly = { rule: "cpl runs in Node.js, without Bun", pattern: /\bBun\.|"bun(?::\w+)?"/ };

/** Patterns of code that rules must not contain. */
const forbiddenInRules: readonly { readonly rule: string; readonly pattern: RegExp }[] = [
  { rule: "rules know no HTTP", pattern: /\bfetch\(|\bnew (?:Request|Response|Headers)\(|\bBun\.serve\b/ },
  { rule: "rules read no environment", pattern: /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/ },
  {
    rule: "rules read no clock",
    pattern: /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bsetTimeout\(|\bBun\.sleep\(/,
  },
];

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
}

/**
 * All violations in these files, by path.
 * @param files text by path from the project's root, such as `src/library/folders.ts`
 */
export function findViolations(files: ReadonlyMap<string, string>): Violation[] {
  const all = [...files].flatMap(([path, text]) => [
    ...importViolations(path, text),
    ...parserViolations(path, text),
    ...sqlViolations(path, text),
    ...ruleViolations(path, text),
    ...(isForNode(path) ? linesMatching(path, text, bunOnly.pattern, bunOnly.rule) : []),
  ]);
  all.push(...parsersOfService(files));
  return all.sort((left, right) => (left.path < right.path ? -1 : 1) || left.line - right.line);
}

/** The modules that depend on themselves; empty if the table has no cycle. */
export function cycles(table: Readonly<Record<string, readonly string[]>> = mayImport): string[] {
  const reaches = (from: string, seen: ReadonlySet<string>): boolean =>
    (table[from] ?? []).some((to) => seen.has(to) || reaches(to, new Set([...seen, to])));
  return Object.keys(table).filter((module) => reaches(module, new Set([module])));
}

/** Paths of the checked files, relative to the project's root. */
export const sourceFiles = (root: string): string[] =>
  ["{src,web,site,mcp}/**/*.{ts,tsx}", "cli/src/**/*.ts"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(root),
  ]);

/** The module of a file; undefined for one outside of `src` and the other modules, or in a folder that the table does not have. */
function moduleOf(path: string): Module | undefined {
  const [top, second, ...rest] = path.split("/");
  if (top === "web" || top === "site" || top === "cli" || top === "mcp") return top;
  if (top !== "src" || second === undefined) return undefined;
  if (rest.length === 0) return second === "config.ts" ? "config" : "root";
  return second in mayImport ? (second as Module) : undefined;
}

function importViolations(path: string, text: string): Violation[] {
  const from = moduleOf(path);
  if (from === undefined)
    return [{ path, line: 1, rule: `${path.split("/").slice(0, 2).join("/")} is not a module of the table` }];
  return importsOf(path, text).flatMap(({ target, isType, line }) => {
    if (forDevelopers.test(target)) return [{ path, line, rule: `the service must not import ${target}` }];
    const to = moduleOf(target);
    if (path.startsWith(formats) && !target.startsWith(formats) && !usedByFormats.has(target))
      return [{ path, line, rule: `a format must not import ${target}` }];
    if (sharedWithPages.has(path) && !sharedWithPages.has(target))
      return [{ path, line, rule: `a file that the pages use must not import ${target}` }];
    if (to === undefined || to === from || (runsElsewhere.has(from) && sharedWithPages.has(target))) return [];
    if (from === "cli" && target.startsWith(formats)) return [];
    if (!(mayImport[from] as readonly string[]).includes(to))
      return [{ path, line, rule: `${from} must not import ${to} (${target})` }];
    if (from === "web" && !isType && !path.endsWith(".macro.ts"))
      return [{ path, line, rule: `web imports only types from the contract (${target})` }];
    return [];
  });
}

interface Import {
  readonly target: string;
  readonly isType: boolean;
  readonly line: number;
}

/** The files that a file imports, types included. */
function importsOf(path: string, text: string): Import[] {
  const statement =
    /^(?:import|export)\s+(type\s)?(?:[^"'`;]*?\sfrom\s+)?"(\.{1,2}\/[^"]+)"|\bimport\(\s*"(\.{1,2}\/[^"]+)"\s*\)/gm;
  return [...text.matchAll(statement)].map(({ 0: all, 1: type, 2: named, 3: dynamic, index }) => ({
    target: normalize(join(dirname(path), named ?? dynamic ?? "")),
    isType: type !== undefined || isAllTypes(all),
    line: lineAt(text, index),
  }));
}

/** `import { type A, type B }` imports no value either. */
function isAllTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/.exec(statement)?.[1];
  if (names === undefined || /^import\s+\w/.test(statement)) return false;
  return names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
}

function sqlViolations(path: string, text: string): Violation[] {
  const from = moduleOf(path);
  if (from === undefined || from === "platform" || path.endsWith(".store.ts")) return [];
  return linesMatching(path, text, /\bsql`/, "SQL belongs in *.store.ts files and in the platform only");
}

function ruleViolations(path: string, text: string): Violation[] {
  const from = moduleOf(path);
  if (from === undefined || !ruleModules.has(from)) return [];
  if (Object.keys(adapters).some((adapter) => path.startsWith(adapter))) return [];
  const imports = importsOf(path, text)
    .filter(({ target }) => target.startsWith("src/platform/http/"))
    .map(({ line, target }) => ({ path, line, rule: `rules know no HTTP (${target})` }));
  return [...imports, ...forbiddenInRules.flatMap(({ rule, pattern }) => linesMatching(path, text, pattern, rule))];
}

function parserViolations(path: string, text: string): Violation[] {
  // The documentation is built from files that we wrote.
  if (moduleOf(path) === "site") return [];
  const statement =
    /^(?:import|export)\s+([^"'`;]*?)\s*from\s+"([^"./][^"]*)"|(?:(\{[^{}]*\})\s*=\s*await\s+)?\bimport\(\s*"([^"./][^"]*)"/gm;
  return [...text.matchAll(statement)].flatMap((match) => {
    const { 0: all, 1: names = match[3], 2: from = match[4] ?? "", index } = match;
    const found = Object.entries(parsers).find(([name]) => from === name || from.startsWith(`${name}/`));
    if (!found || found[1].file === path || names?.startsWith("type ") || isAllTypes(all)) return [];
    const [name, parser] = found;
    // Without braces, all names are imported.
    if (parser.names && names?.startsWith("{") && !parser.names.test(names)) return [];
    return [{ path, line: lineAt(text, index), rule: `only ${parser.file} reads with ${name}` }];
  });
}

function parsersOfService(files: ReadonlyMap<string, string>): Violation[] {
  const forbidden = new Set(Object.values(parsers).map(({ file }) => file));
  const seen = new Set<string>();
  const open = [answersRequests];
  const found: Violation[] = [];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { target, isType, line } of importsOf(path, files.get(path) ?? "")) {
      if (isType) continue;
      if (forbidden.has(target))
        found.push({ path, line, rule: `${answersRequests} must not parse files (${target})` });
      else open.push(target);
    }
  }
  return found;
}

const isForNode = (path: string): boolean =>
  path.startsWith(formats) || moduleOf(path) === "cli" || moduleOf(path) === "mcp";

const linesMatching = (path: string, text: string, pattern: RegExp, rule: string): Violation[] =>
  text
    .split("\n")
    .flatMap((content, index) => (pattern.test(withoutComment(content)) ? [{ path, line: index + 1, rule }] : []));

const withoutComment = (line: string): string => (/^\s*(?:\/\/|\/?\*)/.test(line) ? "" : line);

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

if (import.meta.main) {
  const root = join(import.meta.dir, "..");
  const paths = sourceFiles(root);
  const found = findViolations(new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")])));
  for (const { path, line, rule } of found) console.log(`${path}:${line}  ${rule}`);
  console.log(
    `${paths.length} files, ${found.length} violations of the import table and the rules in scripts/boundaries.ts`,
  );
  process.exit(found.length === 0 ? 0 : 1);
}
