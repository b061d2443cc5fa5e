// ./commonplace search rebuild: builds the search index again.
import { listWorkspaces, requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { countSnippets } from "../../library/search/index.store.ts";
import { rebuildIndex } from "../../library/search/rebuild.ts";
import type { Database } from "../../platform/database/database.ts";
import { formatNumber } from "../format.ts";
import type { Command, CommandContext } from "./command.ts";
import { inPortions } from "./database-access.ts";
import { readId } from "./options.ts";
import { printResult } from "./output.ts";
import { startProgressBar } from "./progress.ts";

export const searchCommands: readonly Command[] = [
  {
    name: "search rebuild",
    summary: "Rebuild the search index",
    options: { workspace: { value: "ID", meaning: "Only this workspace" } },
    notes: [
      "Run this if ./commonplace doctor finds that the index is incomplete. The service",
      "can keep running: it searches the old index until the new one is complete.",
    ],
    run: async (context) => {
      const rebuilt = await inPortions(context, (database) => rebuildAll(database, context));
      const snippets = rebuilt.reduce((sum, each) => sum + each.snippets, 0);
      printResult(context, rebuilt, [`Indexed ${formatNumber(snippets)} ${snippets === 1 ? "snippet" : "snippets"}.`]);
    },
  },
];

interface Rebuilt {
  readonly workspace_id: string;
  readonly snippets: number;
}

async function rebuildAll(database: Database, { options }: CommandContext): Promise<Rebuilt[]> {
  const workspaces = await database.read(async (transaction) => {
    const chosen = options.isSet("workspace")
      ? [await requireWorkspace(transaction, readId(options, "workspace"))]
      : await listWorkspaces(transaction);
    const counted: Rebuilt[] = [];
    for (const { id } of chosen) counted.push({ workspace_id: id, snippets: await countSnippets(transaction, id) });
    return counted;
  });
  const total = workspaces.reduce((sum, { snippets }) => sum + snippets, 0);
  const bar = startProgressBar("Indexing", total, "snippets");
  let done = 0;
  try {
    for (const { workspace_id: id, snippets } of workspaces) {
      await rebuildIndex({ database, pace: () => undefined, goOn: () => true }, id, (some) => bar.update(done + some));
      done += snippets;
    }
  } finally {
    bar.end();
  }
  return workspaces;
}
