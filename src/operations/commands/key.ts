// ./commonplace key …: the API keys of a workspace. A secret is printed once, by `key create` or `key rotate`.
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { overlaps } from "../../contract/console/limits.ts";
import { type KeyVerb, keyAuditEntry } from "../../metering/keys/key-audit.ts";
import {
  activateKey,
  changeKey,
  createKey,
  deactivateKey,
  deleteKey,
  type Key,
  type KeyTeams,
  listKeys,
  type Overlap,
  readKey,
  rotateKey,
} from "../../metering/keys/keys.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { formatMoment } from "../format.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { inTransaction, readDatabase } from "./database-access.ts";
import { keyIdentify } from "./key-identify.ts";
import { formatLimits, limitOptions, listLimits, readLimits } from "./key-limits.ts";
import { nameOption, readId, readName, readRequiredName, workspaceOption } from "./options.ts";
import { bold, formatDay, formatFields, formatTable, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

const keyOption = { value: "ID", meaning: "Key ID, not the secret", isRequired: true } as const;

const formatKey = (key: Key): string[] =>
  formatFields({
    id: key.id,
    name: key.name,
    key: `${key.secret_start}...`,
    status: key.status,
    teams: key.is_all_teams ? "all" : key.team_permissions.join("\n") || "none",
    created: formatMoment(key.created_at) + (key.created_by === null ? "" : ` by ${key.created_by}`),
    "last used": formatMoment(key.last_used_at),
    ...formatLimits(key),
    ...(key.previous_secret_until !== null && { "old secret works until": formatMoment(key.previous_secret_until) }),
  });

const printSecret = (context: CommandContext, key: Key & { secret: string }): void =>
  printResult(context, key, [
    ...formatKey(key),
    "",
    `  ${bold(key.secret)}`,
    "",
    "Save this key now. It cannot be shown again.",
  ]);

const record = async (
  transaction: Transaction,
  verb: KeyVerb,
  key: Key,
  change: { readonly before?: Key; readonly after?: Key; readonly overlap?: Overlap },
): Promise<void> => recordCommand(transaction, key.workspace_id, await keyAuditEntry(transaction, verb, change));

/** A command that changes one key. */
const changeCommand = (
  verb: Extract<KeyVerb, "activate" | "deactivate" | "delete">,
  summary: string,
  apply: (transaction: Transaction, id: string) => Promise<Key>,
  notes: readonly string[] = [],
): Command => ({
  name: `key ${verb}`,
  summary,
  options: { key: keyOption },
  ...(notes.length > 0 && { notes }),
  run: async (context) => {
    const key = await inTransaction(context, async (transaction) => {
      const id = readId(context.options, "key");
      const before = await readKey(transaction, id);
      const after = await apply(transaction, id);
      await record(transaction, verb, after, verb === "delete" ? { before } : { before, after });
      return after;
    });
    printResult(context, key, verb === "delete" ? [`Deleted ${key.name} (${key.id}).`] : formatKey(key));
  },
});

const allTeamsOption = { meaning: "Access to all teams, including future ones" } as const;
const teamOption = { value: "ID", meaning: "Access to this team; repeat for more teams", isRepeatable: true } as const;

/** @returns undefined where no option says it */
function readTeams(options: ParsedOptions): KeyTeams | undefined {
  if (options.isSet("all-teams") && options.isSet("team")) return options.refuse("use either --all-teams or --team ID");
  if (options.isSet("all-teams")) return "all";
  return options.isSet("team") ? options.texts("team").map((id) => id.toLowerCase()) : undefined;
}

function readOverlap(options: ParsedOptions): Overlap {
  const text = options.required("overlap");
  return (
    overlaps.find((overlap) => overlap === text) ?? options.refuse(`--overlap must be one of: ${overlaps.join(", ")}`)
  );
}

export const keyCommands: readonly Command[] = [
  {
    name: "key create",
    summary: "Create an API key; its secret is shown once",
    options: {
      workspace: workspaceOption,
      name: nameOption,
      "all-teams": allTeamsOption,
      team: teamOption,
      ...limitOptions(false),
    },
    run: async (context) => {
      const { options } = context;
      const name = readRequiredName(options);
      const limits = readLimits(context, false);
      const teams = readTeams(options) ?? options.refuse("use either --all-teams or --team ID");
      const key = await inTransaction(context, async (transaction) => {
        const workspace = await requireWorkspace(transaction, readId(options, "workspace"));
        const created = await createKey(transaction, workspace.id, name, teams, null, limits);
        await record(transaction, "create", created, { after: created });
        return created;
      });
      printSecret(context, key);
    },
  },
  {
    name: "key list",
    summary: "List the API keys of a workspace, without secrets",
    options: { workspace: workspaceOption },
    run: async (context) => {
      const keys = await readDatabase(context, async (transaction) => {
        const workspace = await requireWorkspace(transaction, readId(context.options, "workspace"));
        return listKeys(transaction, workspace.id);
      });
      const hasLimits = keys.some((key) => listLimits(key) !== "-");
      const rows = keys.map((key) => [
        ...[key.id, key.secret_start, key.status, formatDay(key.last_used_at), key.name],
        ...(hasLimits ? [listLimits(key)] : []),
      ]);
      const head = ["ID", "KEY", "STATUS", "LAST USED", "NAME", ...(hasLimits ? ["LIMITS"] : [])];
      printResult(context, keys, formatTable(head, rows, "No API keys yet."));
    },
  },
  {
    name: "key show",
    summary: "Show an API key and its teams",
    options: { key: keyOption },
    run: async (context) => {
      const key = await inTransaction(context, (transaction) => readKey(transaction, readId(context.options, "key")));
      printResult(context, key, formatKey(key));
    },
  },
  keyIdentify,
  {
    name: "key change",
    summary: "Change an API key's name, teams, or limits",
    options: {
      key: keyOption,
      name: { ...nameOption, isRequired: false },
      "all-teams": allTeamsOption,
      team: teamOption,
      ...limitOptions(true),
    },
    run: async (context) => {
      const { options } = context;
      const changes = { name: readName(options), teams: readTeams(options), ...readLimits(context, true) };
      if (Object.values(changes).every((value) => value === undefined))
        return options.refuse("nothing to change: use --name, a team option, or a limit");
      const key = await inTransaction(context, async (transaction) => {
        const id = readId(options, "key");
        const before = await readKey(transaction, id);
        const after = await changeKey(transaction, id, changes);
        await record(transaction, "change", after, { before, after });
        return after;
      });
      printResult(context, key, formatKey(key));
    },
  },
  {
    name: "key rotate",
    summary: "Replace an API key's secret; its ID stays the same",
    options: {
      key: keyOption,
      overlap: {
        value: "TIME",
        meaning: `When the old secret stops working: ${overlaps.join(", ")}`,
        isRequired: true,
      },
    },
    notes: ["If you rotate again during the overlap, the oldest secret stops working", "immediately."],
    run: async (context) => {
      const overlap = readOverlap(context.options);
      const key = await inTransaction(context, async (transaction) => {
        const id = readId(context.options, "key");
        const before = await readKey(transaction, id);
        const after = await rotateKey(transaction, id, overlap);
        await record(transaction, "rotate", after, { before, after, overlap });
        return after;
      });
      printSecret(context, key);
    },
  },
  changeCommand("deactivate", "Deactivate an API key; its requests are refused immediately", deactivateKey),
  changeCommand("activate", "Reactivate an API key", activateKey),
  changeCommand("delete", "Delete a deactivated API key permanently", deleteKey, [
    "We recommend deactivating a key 24 hours before you delete it: if something",
    "still uses the key, you can reactivate it.",
  ]),
];
