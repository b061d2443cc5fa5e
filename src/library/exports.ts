// Exports: everything of a team as a file (decisions, Import and export).
import { requireTeams } from "./access.ts";
import type { Handler } from "./call.ts";
import { listSomeIds } from "./export/team.store.ts";
import { planExportOf, readGroups, readTeam } from "./export/team.ts";
import type { Tree } from "./formats/tree.ts";

/** A team with no more than this is read at once, and a thread writes its file; starting a process would take longer. */
const smallTeam = { snippets: 50, groups: 100, bytes: 32 * 1024 } as const;

/** What is to be made of an export. */
export interface TeamToExport {
  /** Undefined for a team that is not small: a process reads it. */
  readonly tree: Tree | undefined;
}

/** Its data is what the caller makes the file of. */
export const getExport: Handler<"getExport"> = async (call, { query: { teamId, format } }) => {
  const { transaction, caller } = call;
  await requireTeams(call, teamId);
  const withVersions = format === undefined || format === "commonplace";
  const team = { workspaceId: caller.workspaceId, teamId, withVersions };
  const large: TeamToExport = { tree: undefined };
  const ids = await listSomeIds(transaction, caller.workspaceId, teamId, smallTeam.snippets + 1);
  if (ids.length > smallTeam.snippets) return { data: large, teamId };
  const groups = await readGroups(transaction, team, smallTeam.groups);
  const plan = groups && (await planExportOf(transaction, team, ids));
  if (!plan || plan.bytes > smallTeam.bytes) return { data: large, teamId };
  const small: TeamToExport = { tree: await readTeam(transaction, team, plan, groups) };
  return { data: small, items: plan.texts, teamId };
};
