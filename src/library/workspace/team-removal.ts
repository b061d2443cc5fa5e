// Removes the teams whose time to be restored is over, with all that they have. Requests wait for a portion, never for all of it.
import { beginRemoval, recordTeamDeletion } from "../../accounts/workspaces/team-deletion.ts";
import { deleteTeamRow, findKeptTeam, listTeamsDeletedBefore } from "../../accounts/workspaces/teams.store.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import { freeBytes } from "../../metering/storage/storage.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import type { YieldToCalls } from "../../platform/jobs.ts";
import { addDays } from "../../platform/time.ts";
import { emptyTrash, portionMax, portionOf } from "../empty-trash.ts";
import { deleteChangesOfTeam } from "../feed/cleanup.ts";
import { folderStore } from "../folders.store.ts";
import type { GroupStore } from "../groups.store.ts";
import { deleteImportsOfTeam } from "../import/imports.store.ts";
import { indexSnippets } from "../search/index-snippets.ts";
import { lockSnippets, removeSnippets } from "../snippets.store.ts";
import { sumSnippetBytes } from "../stored-bytes.store.ts";
import { bytesOfRow, sum } from "../stored-bytes.ts";
import { tagStore } from "../tags.store.ts";
import * as store from "./team-rows.store.ts";

interface TeamId {
  readonly workspace_id: string;
  readonly id: string;
}

/** @returns how many teams were removed. What is left of one when the service stops is removed the next time. */
export async function removeDeletedTeams(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  const due = await database.read((transaction) =>
    listTeamsDeletedBefore(transaction, addDays(transaction.now, -consoleLimits.graceDays)),
  );
  let removed = 0;
  for (const team of due) {
    // Somebody may have restored it at the last moment.
    if (!(await database.transaction((transaction) => beginRemoval(transaction, team.workspace_id, team.id)))) continue;
    if (!(await emptyTeam(database, team, yieldToCalls))) break;
    await database.transaction((transaction) => removeTeam(transaction, team));
    removed += 1;
  }
  return removed;
}

/** Deletes one portion. @returns false where nothing was left */
type Step = (transaction: Transaction, team: TeamId) => Promise<boolean>;

/** @returns false where the service stops */
async function emptyTeam(database: Database, team: TeamId, yieldToCalls: YieldToCalls): Promise<boolean> {
  for (const step of steps) {
    let isMore = true;
    while (isMore) {
      if (!(await yieldToCalls())) return false;
      isMore = await database.transaction((transaction) => step(transaction, team));
    }
  }
  return removeActs(database, team, yieldToCalls);
}

const removePortionOfSnippets: Step = async (transaction, { workspace_id, id }) => {
  const ids = portionOf(await store.listMeasuredSnippets(transaction, workspace_id, id, portionMax.snippets));
  if (ids.length === 0) return false;
  lockSnippets(transaction, "delete", workspace_id, ids);
  const bytes = await sumSnippetBytes(transaction, "library", workspace_id, ids);
  removeSnippets(transaction, workspace_id, ids);
  freeBytes(transaction, workspace_id, bytes);
  await indexSnippets(transaction, workspace_id, ids);
  return true;
};

const removePortionOfTrash: Step = async (transaction, { workspace_id, id }) =>
  (await emptyTrash(transaction, workspace_id, { teamIds: [id] })).isMore;

/** Rows of one transaction. */
const portionRows = 100;

const removePortionOfGroups =
  <Row extends { readonly id: string }>(groups: GroupStore<Row>, textsOf: (row: Row) => readonly string[]): Step =>
  async (transaction, { workspace_id, id }) => {
    const rows = await groups.listCounted(transaction, workspace_id, [id], portionRows);
    if (rows.length === 0) return false;
    const ids = rows.map((row) => row.id);
    groups.lockForDeletion(transaction, workspace_id, ids);
    groups.moveChildrenToRoot(transaction, workspace_id, ids);
    groups.remove(transaction, workspace_id, ids);
    freeBytes(transaction, workspace_id, sum(rows.map((row) => bytesOfRow(...textsOf(row)))));
    return true;
  };

const removePortionOfImports: Step = async (transaction, { workspace_id, id }) =>
  (await deleteImportsOfTeam(transaction, workspace_id, id, importRowsAtOnce)) > 0;
const importRowsAtOnce = 1_000;

const steps: readonly Step[] = [
  removePortionOfSnippets,
  removePortionOfTrash,
  removePortionOfGroups(folderStore, ({ folder_name, folder_color }) => [folder_name, folder_color]),
  removePortionOfGroups(tagStore, ({ tag_name, tag_color }) => [tag_name, tag_color]),
  removePortionOfImports,
  (transaction, { workspace_id, id }) => deleteChangesOfTeam(transaction, workspace_id, id),
];

const beforeAllActs = "00000000-0000-0000-0000-000000000000";
const actsAtOnce = 1_000;

/** Walks through what people did in the workspace, which has no index by team. @returns false where the service stops */
async function removeActs(database: Database, { workspace_id, id }: TeamId, yieldToCalls: YieldToCalls) {
  let afterId: string | undefined = beforeAllActs;
  while (afterId !== undefined) {
    if (!(await yieldToCalls())) return false;
    const from: string = afterId;
    const acts = await database.read((transaction) => store.listActsAfter(transaction, workspace_id, from, actsAtOnce));
    const own = acts.filter(({ team_id }) => team_id === id).map((act) => act.id);
    if (own.length > 0)
      await database.transaction(async (transaction) => store.deleteActs(transaction, workspace_id, own));
    afterId = acts.length === actsAtOnce ? acts.at(-1)?.id : undefined;
  }
  return true;
}

/** Removes the team itself, with its members and what keys could access of it. */
async function removeTeam(transaction: Transaction, { workspace_id, id }: TeamId): Promise<void> {
  const team = await findKeptTeam(transaction, workspace_id, id);
  if (!team) return;
  store.deleteExamplesOf(transaction, workspace_id, id);
  await deleteTeamRow(transaction, workspace_id, id);
  recordTeamDeletion(
    transaction,
    { kind: "service", id: null, name: "Commonplace", clientAddress: null },
    "team.remove",
    team,
  );
}
