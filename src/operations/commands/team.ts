// ./commonplace team …: what snippets, folders and tags belong to.
import { removalOf } from "../../accounts/workspaces/deletion.ts";
import { listTeamsWithDeleted } from "../../accounts/workspaces/team-deletion.ts";
import { createTeam } from "../../accounts/workspaces/workspaces.ts";
import { formatMoment } from "../format.ts";
import type { Command } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { nameOption, readId, readRequiredName, workspaceOption } from "./options.ts";
import { formatDay, formatFields, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

export const teamCommands: readonly Command[] = [
  {
    name: "team create",
    summary: "Create a team in a workspace",
    options: { workspace: workspaceOption, name: nameOption },
    run: async (context) => {
      const name = readRequiredName(context.options);
      const team = await inTransaction(context, async (transaction) => {
        const created = await createTeam(transaction, readId(context.options, "workspace"), name);
        const target = { kind: "team", id: created.id, name };
        recordCommand(transaction, created.workspace_id, { action: "team.create", target, after: { name } });
        return created;
      });
      printResult(
        context,
        team,
        formatFields({
          id: team.id,
          name: team.name,
          workspace: team.workspace_id,
          created: formatMoment(team.created_at),
        }),
      );
    },
  },
  {
    name: "team list",
    summary: "List the teams of a workspace, including deleted ones",
    options: { workspace: workspaceOption },
    run: async (context) => {
      const teams = await readDatabase(context, (transaction) =>
        listTeamsWithDeleted(transaction, readId(context.options, "workspace")),
      );
      const rows = teams.map(({ id, created_at, deleted_at, name }) => [
        id,
        formatDay(created_at),
        deleted_at === null ? "-" : formatDay(removalOf(deleted_at)),
        name,
      ]);
      printResult(context, teams, formatTable(["ID", "CREATED", "REMOVAL DATE", "NAME"], rows, "No teams yet."));
    },
  },
];
