// ./commonplace key …: the API keys of a workspace. The secret is printed once, by `key create`.
import type { Transaction } from "../database/database.ts";
import { activateKey, createKey, deactivateKey, deleteKey, type Key, listKeys } from "../keys/keys.ts";
import { requireWorkspace } from "../workspaces/workspaces.ts";
import type { Command } from "./commands.ts";
import { fields, moment, onDatabase, print, table } from "./run.ts";
import { workspaceOption } from "./workspace.ts";

const teamsOf = (key: Key): string => (key.is_all_teams ? "all" : key.team_permissions.join(" ") || "none");

const describe = (key: Key): string[] =>
  fields({
    id: key.id,
    name: key.name,
    key: `${key.secret_start}...`,
    status: key.status,
    teams: teamsOf(key),
    created: moment(key.created_at),
    "last used": moment(key.last_used_at),
  });

/** A command that does one thing to one key. */
const actOnKey = (
  verb: string,
  summary: string,
  act: (transaction: Transaction, id: string) => Promise<Key>,
): Command => ({
  name: `key ${verb}`,
  summary,
  options: { key: { value: "ID", meaning: "The key's id, not its secret", isRequired: true } },
  run: async (run) => {
    const key = await onDatabase(run, (transaction) => act(transaction, run.given.required("key")));
    print(run, key, verb === "delete" ? [`Deleted ${key.name} (${key.id}).`] : describe(key));
  },
});

export const keyCommands: readonly Command[] = [
  {
    name: "key create",
    summary: "Make an API key; its secret is shown once",
    options: {
      workspace: workspaceOption,
      name: { value: "N", meaning: "Its name", isRequired: true },
      "all-teams": { meaning: "Reaches every team, later ones included" },
      team: { value: "ID", meaning: "Reaches this team; may be repeated", isRepeatable: true },
    },
    run: async (run) => {
      const { given } = run;
      const teamIds = given.texts("team").map((id) => id.toLowerCase());
      if (given.isSet("all-teams") === teamIds.length > 0) return given.refuse("give either --all-teams or --team ID");
      const key = await onDatabase(run, async (transaction) => {
        const workspace = await requireWorkspace(transaction, given.required("workspace"));
        return createKey(transaction, workspace.id, given.required("name"), given.isSet("all-teams") ? "all" : teamIds);
      });
      print(run, key, [
        ...describe(key),
        "",
        key.secret,
        "",
        "The line above is the key. It is shown once: keep it now.",
      ]);
    },
  },
  {
    name: "key list",
    summary: "List the API keys of a workspace, without secrets",
    options: { workspace: workspaceOption },
    run: async (run) => {
      const keys = await onDatabase(run, async (transaction) => {
        const workspace = await requireWorkspace(transaction, run.given.required("workspace"));
        return listKeys(transaction, workspace.id);
      });
      const rows = keys.map((key) => [
        key.id,
        key.name,
        `${key.secret_start}...`,
        key.status,
        moment(key.created_at),
        moment(key.last_used_at),
        teamsOf(key),
      ]);
      print(run, keys, table(["ID", "NAME", "KEY", "STATUS", "CREATED", "LAST USED", "TEAMS"], rows));
    },
  },
  actOnKey("deactivate", "Refuse a key from its next call on", deactivateKey),
  actOnKey("activate", "Let a deactivated key in again", activateKey),
  actOnKey("delete", "Delete a deactivated key for good (waiting 24 hours is recommended)", deleteKey),
];
