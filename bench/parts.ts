// The parts of a run, by the names that `--only` takes.
import { join } from "node:path";
import { measureConsole } from "./console.ts";
import { measureFairness } from "./fairness.ts";
import { measureNodes } from "./nodes.ts";
import { measurePostgres } from "./one-node.ts";
import { measurePages } from "./pages.ts";
import type { Plan } from "./plan.ts";
import { measureCrowd, measureReads } from "./reads.ts";
import type { Result } from "./report.ts";
import { measureSearch } from "./search.ts";
import { createSite, type Site } from "./site.ts";
import { measureSizes } from "./sizes.ts";
import { measureStarts } from "./starts.ts";
import { measureWrites } from "./writes.ts";

const snippetsInFolder = 1_000;

/** What a run has for its parts. */
export interface Run {
  readonly plan: Plan;
  /** For files; removed in the end. */
  readonly directory: string;
  /** The instance of one workspace with many keys, made when it is first asked for. */
  readonly site: () => Promise<Site>;
}

export function createRun(directory: string, plan: Plan): Run {
  let site: Promise<Site> | undefined;
  const size = { workspaces: 1, keysInWorkspace: 64, snippets: plan.snippets, inFolder: snippetsInFolder };
  return {
    plan,
    directory,
    site: () => {
      site ??= createSite(join(directory, "site"), size);
      return site;
    },
  };
}

async function measureManyKeys({ directory, plan }: Run): Promise<Result[]> {
  const size = { workspaces: 500, keysInWorkspace: 10, snippets: plan.crowdSnippets, inFolder: snippetsInFolder };
  return measureCrowd(await createSite(join(directory, "crowd"), size), plan);
}

export const parts: Readonly<Record<string, (run: Run) => Promise<Result[]>>> = {
  reads: async ({ site, plan }) => measureReads(await site(), plan),
  start: async ({ site, plan }) => measureStarts(await site(), plan),
  writes: async ({ site, plan }) => measureWrites(await site(), plan),
  crowd: measureManyKeys,
  postgres: ({ directory, plan }) => measurePostgres(join(directory, "postgres"), plan),
  nodes: ({ directory, plan }) => measureNodes(join(directory, "nodes"), plan),
  fairness: ({ directory, plan }) => measureFairness(join(directory, "fairness"), plan),
  sizes: ({ directory, plan }) => measureSizes(join(directory, "sizes"), plan),
  search: ({ directory, plan }) => measureSearch(join(directory, "search"), plan),
  console: ({ directory, plan }) => measureConsole(join(directory, "console"), plan),
  pages: ({ directory, plan }) => measurePages(join(directory, "pages"), plan),
};
