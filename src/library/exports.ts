// Exports: everything of a team as a file (decisions, Import and export).
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { requireTeams } from "./access.ts";
import type { Handler } from "./call.ts";
import { sumTextsForExport } from "./export/team.store.ts";
import { readTeam } from "./export/team.ts";

/** Its data is the tree, of which the caller makes the file. */
export const getExport: Handler<"getExport"> = async (call, { query: { teamId, format } }) => {
  const { transaction, caller, reserve } = call;
  await requireTeams(call, teamId);
  const bytes = await sumTextsForExport(transaction, caller.workspaceId, teamId);
  if (bytes > limits.exportTextBytesMax) throw errors.exportTooLarge(limits.exportTextBytesMax);
  reserve?.(bytes);
  const withVersions = format === undefined || format === "commonplace";
  const tree = await readTeam(transaction, caller.workspaceId, teamId, { withVersions });
  const texts = tree.snippets.flatMap(({ variations }) => variations.map((each) => 1 + each.formerVersions.length));
  return { data: tree, items: texts.reduce((sum, count) => sum + count, 0), teamId };
};
