// ./commonplace key …: the API keys of a workspace. The secret is printed once, by `key create`.
import type { Transaction } from "../database/database.ts";
import { activateKey, createKey, deactivateKey, deleteKey, type Key, listKeys, showKey } from "../keys/keys.ts";
import { requireWorkspace } from "../workspaces/workspaces.ts";
import type { Command } from "./commands.ts";
import { nameOption, readId, readRequiredName, workspaceOption } from "./options.ts";
import { bold, day, fields, fromDatabase, moment, onDatabase, print, table } from "./run.ts";

const describe = (key: Key): string[] =>
  fields({
    id: key.id,
    name: key.name,
    key: `${key.secret_start}...`,
    status: key.status,
    teams: key.is_all_teams ? "all" : key.team_permissions.join("\n") || "none",
    created: moment(key.created_at),
    "last used": moment(key.last_used_at),
  });

/** A command about one key. */
const onKey = (
  verb: string,
  summary: string,
  act: (transaction: Transaction, id: string) => Promise<Key>,
  more: readonly string[] = [],
): Command => ({
  name: `key ${verb}`,
  summary,
  options: { key: { value: "ID", meaning: "The key's id, not its secret", isRequired: true } },
  ...(more.length > 0 && { more }),
  run: async (run) => {
    const key = await onDatabase(run, (transaction) => act(transaction, readId(run.given, "key")));
    print(run, key, verb === "delete" ? [`Deleted ${key.name} (${key.id}).`] : describe(key));
  },
});

export const keyCommands: readonly Command[] = [
  {
    name: "key create",
    summary: "Make an API key; its secret is shown once",
    options: {
      workspace: workspaceOption,
      name: nameOption,
      "all-teams": { meaning: "It reaches every team, later ones included" },
      team: { value: "ID", meaning: "It reaches this team; give several to reach them all", isRepeatable: true },
    },
    run: async (run) => {
      const { given } = run;
      const name = readRequiredName(given);
      const teams = given.isSet("all-teams") ? "all" : given.texts("team").map((id) => id.toLowerCase());
      if (given.isSet("all-teams") === given.isSet("team")) return given.refuse("give either --all-teams or --team ID");
      const key = await onDatabase(run, async (transaction) => {
        const workspace = await requireWorkspace(transaction, readId(given, "workspace"));
        return createKey(transaction, workspace.id, name, teams);
      });
      print(run, key, [...describe(key), "", `  ${bold(key.secret)}`, "", "Keep this key now: it is not shown again."]);
    },
  },
  {
    name: "key list",
    summary: "List the API keys of a workspace, without secrets",
    options: { workspace: workspaceOption },
    run: async (run) => {
      const keys = await fromDatabase(run, async (transaction) => {
        const workspace = await requireWorkspace(transaction, readId(run.given, "workspace"));
        return listKeys(transaction, workspace.id);
      });
      const rows = keys.map((key) => [key.id, key.secret_start, key.status, day(key.last_used_at), key.name]);
      print(run, keys, table(["ID", "KEY", "STATUS", "LAST USED", "NAME"], rows));
    },
  },
  onKey("show", "Show an API key and the teams it reaches", showKey),
  onKey("deactivate", "Refuse a key from its next call on", deactivateKey),
  onKey("activate", "Let a deactivated key in again", activateKey),
  onKey("delete", "Delete a deactivated key for good", deleteKey, [
    "Best deactivated 24 hours before: whoever still uses it is noticed while",
    "it can be activated again.",
  ]),
];
