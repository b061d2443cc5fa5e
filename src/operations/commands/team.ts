// ./commonplace team …: what snippets, folders and tags belong to.
import { createTeam, listTeams } from "../../accounts/workspaces/workspaces.ts";
import type { Command } from "./commands.ts";
import { nameOption, readId, readRequiredName, workspaceOption } from "./options.ts";
import { recordCommand } from "./record.ts";
import { day, fields, fromDatabase, moment, onDatabase, print, table } from "./run.ts";

export const teamCommands: readonly Command[] = [
  {
    name: "team create",
    summary: "Make a team in a workspace",
    options: { workspace: workspaceOption, name: nameOption },
    run: async (run) => {
      const name = readRequiredName(run.given);
      const team = await onDatabase(run, async (transaction) => {
        const made = await createTeam(transaction, readId(run.given, "workspace"), name);
        const target = { kind: "team", id: made.id, name };
        recordCommand(transaction, made.workspace_id, { action: "team.create", target, after: { name } });
        return made;
      });
      print(
        run,
        team,
        fields({ id: team.id, name: team.name, workspace: team.workspace_id, created: moment(team.created_at) }),
      );
    },
  },
  {
    name: "team list",
    summary: "List the teams of a workspace",
    options: { workspace: workspaceOption },
    run: async (run) => {
      const teams = await fromDatabase(run, (transaction) => listTeams(transaction, readId(run.given, "workspace")));
      const rows = teams.map((team) => [team.id, day(team.created_at), team.name]);
      print(run, teams, table(["ID", "CREATED", "NAME"], rows));
    },
  },
];
