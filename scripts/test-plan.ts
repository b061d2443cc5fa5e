// Decides which test files a run consists of, on which engines, and which of them one process runs after another.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Engine = "sqlite" | "postgres";

/** The heading under which the counts of several parts are added up. */
export type Group = "PostgreSQL" | "SQLite" | "One engine";

/** Test files that one process runs after another. */
export interface Part {
  /** Such as `part 1 of 3`. */
  readonly name: string;
  readonly group: Group;
  readonly engine: Engine;
  readonly files: readonly string[];
  /** Its position in the order of the parts, from 0 to 1. */
  readonly place: number;
}

/** Seconds of test files as they were recorded, by engine and path. */
export type Seconds = Readonly<Record<Engine, Readonly<Record<string, number>>>>;

const root = join(import.meta.dir, "..");
/** Short enough that no part runs alone at the end for long, and long enough for its start, which takes a second. */
const partSeconds = 75;
/** The last part of each group is shorter, so that all processors have work until shortly before the end. */
const lastPartShare = 0.5;
/** Assumed for a file without a recorded time. */
const unknownSeconds = 1;
/** Files that take longer run in turns. */
const secondsEveryTime = 4;
/** In how many runs every file has had its turn. */
const turns = 6;

export const testFiles = (): string[] => [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].sort();

/** The files of a group that a run consists of. */
export type Plan = Readonly<Record<Group, readonly string[]>>;

const engines: Readonly<Record<Group, Engine>> = { PostgreSQL: "postgres", "One engine": "sqlite", SQLite: "sqlite" };

/** All files on each engine, those that import `once.ts` or `pages.ts` on one. @param wanted this engine alone */
export function planAll(files: readonly string[], wanted?: string): Plan {
  const once = files.filter((path) => imports(path, "once") || imports(path, "pages"));
  const others = files.filter((path) => !once.includes(path));
  return ofEngine({ PostgreSQL: others, "One engine": once, SQLite: others }, wanted);
}

/** These files on each engine, whatever they import. @param wanted this engine alone */
export const planNamed = (files: readonly string[], wanted?: string): Plan =>
  ofEngine({ PostgreSQL: files, "One engine": [], SQLite: files }, wanted);

/**
 * What fits in a few minutes: the files that import `every-time.ts`, those that take only seconds on SQLite, and a sixth of the others,
 * chosen by chance from sixths that take equally long. None of those that import `all-only.ts`.
 * @param seconds what each file took the last time that it was recorded
 */
export function planTurn(plan: Plan, seconds: Seconds): Plan {
  const turn = Math.floor(Math.random() * turns);
  return mapPlan(plan, (all, group) => {
    const files = all.filter((path) => !imports(path, "all-only"));
    const took = (path: string) => secondsOf(path, group, seconds);
    const isEveryTime = (path: string) =>
      imports(path, "every-time") || (engines[group] === "sqlite" && took(path) < secondsEveryTime);
    const others = files.filter((path) => !isEveryTime(path));
    const chosen = new Set(share(others, took, Array(turns).fill(1))[turn]);
    return files.filter((path) => isEveryTime(path) || chosen.has(path));
  });
}

/** How many files a plan has, each engine counted. */
export const fileCount = (plan: Plan): number => Object.values(plan).flat().length;

const ofEngine = (plan: Plan, wanted?: string): Plan =>
  mapPlan(plan, (files, group) => (wanted === undefined || engines[group] === wanted ? files : []));

const mapPlan = (plan: Plan, work: (files: readonly string[], group: Group) => readonly string[]): Plan => ({
  PostgreSQL: work(plan.PostgreSQL, "PostgreSQL"),
  "One engine": work(plan["One engine"], "One engine"),
  SQLite: work(plan.SQLite, "SQLite"),
});

/**
 * The parts, about equally long but for the last of each group. Those of each group are spread over the run: what waits for a disk runs
 * beside what needs a processor.
 * @param seconds what each file took the last time that it was recorded
 */
export const partsOf = (plan: Plan, seconds: Seconds): Part[] =>
  (Object.keys(plan) as Group[])
    .flatMap((group) => split(group, plan[group], seconds))
    .sort((left, right) => left.place - right.place);

/** Whether a test file imports this file of `test/support`. */
const imports = (path: string, name: string): boolean =>
  new RegExp(`^(import|.* from) "(\\.\\.?/)+support/${name}\\.ts"`, "m").test(readFileSync(join(root, path), "utf8"));

const secondsOf = (path: string, group: Group, recorded: Seconds): number =>
  recorded[engines[group]][path] ?? unknownSeconds;

/** About equally long parts but for the last, which is shorter. */
function split(group: Group, files: readonly string[], recorded: Seconds): Part[] {
  const took = (path: string): number => secondsOf(path, group, recorded);
  const count = Math.ceil(files.reduce((sum, path) => sum + took(path), 0) / partSeconds);
  const shares = Array.from({ length: count }, (_, index) => (index > 0 && index === count - 1 ? lastPartShare : 1));
  return share(files, took, shares)
    .filter((some) => some.length > 0)
    .map((some, index, { length }) => ({
      name: `part ${index + 1} of ${length}`,
      group,
      engine: engines[group],
      files: some,
      place: (index + 0.5) / length,
    }));
}

/** Assigns each file, the longest first, to the list with the least work for its share. @returns a list for each share */
function share(files: readonly string[], took: (path: string) => number, shares: readonly number[]): string[][] {
  const lists = shares.map((part) => ({ files: [] as string[], part, seconds: 0 }));
  for (const path of [...files].sort((left, right) => took(right) - took(left))) {
    const least = lists.reduce((found, list) => (list.seconds / list.part < found.seconds / found.part ? list : found));
    least.files.push(path);
    least.seconds += took(path);
  }
  return lists.map((list) => list.files);
}
