// ./commonplace team …: what snippets, folders and tags belong to.
import { createTeam, listTeams } from "../workspaces/workspaces.ts";
import type { Command } from "./commands.ts";
import { fields, moment, onDatabase, print, table } from "./run.ts";
import { workspaceOption } from "./workspace.ts";

export const teamCommands: readonly Command[] = [
  {
    name: "team create",
    summary: "Make a team in a workspace",
    options: { workspace: workspaceOption, name: { value: "N", meaning: "Its name", isRequired: true } },
    run: async (run) => {
      const { given } = run;
      const team = await onDatabase(run, (transaction) =>
        createTeam(transaction, given.required("workspace"), given.required("name")),
      );
      print(run, team, fields({ id: team.id, name: team.name, workspace: team.workspace_id }));
    },
  },
  {
    name: "team list",
    summary: "List the teams of a workspace",
    options: { workspace: workspaceOption },
    run: async (run) => {
      const teams = await onDatabase(run, (transaction) => listTeams(transaction, run.given.required("workspace")));
      const rows = teams.map((team) => [team.id, team.name, moment(team.created_at)]);
      print(run, teams, table(["ID", "NAME", "CREATED"], rows));
    },
  },
];
