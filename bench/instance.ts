// Fills an instance with many workspaces, directly in its database, for load on several keys and on large databases.
import { writeFileSync } from "node:fs";
import { createTeam, createWorkspace } from "../src/accounts/workspaces/workspaces.ts";
import type { Config } from "../src/config.ts";
import { folderStore } from "../src/library/folders.store.ts";
import { insertSnippets } from "../src/library/snippets.store.ts";
import { createVariations } from "../src/library/write-variations.ts";
import { createKey } from "../src/metering/keys/keys.ts";
import type { Database } from "../src/platform/database/database.ts";
import { openDatabase } from "../src/platform/database/open.ts";
import { sampleSnippet } from "./sample.ts";

const allowance = 1_000_000_000;
/** Each workspace has one key; the service handles the calls of one key one after the other. */
const workspaceCount = 64;
const snippetsInFolder = 100;
const rowsPerTransaction = 1_000;
/** Different requests in a file; more would only enlarge the file. */
const requestsMax = 50_000;

interface Tenant {
  readonly workspaceId: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly key: string;
}

/** An object to request, and the key to request it with. */
export interface Target {
  readonly key: string;
  readonly id: string;
}

export interface Instance {
  readonly tenants: readonly Tenant[];
  readonly snippets: Target[];
  readonly folders: Target[];
}

export async function withDatabase<T>(
  location: Config["database"],
  directory: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDirectory: directory, database: location, databaseConnections: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export const createInstance = async (database: Database): Promise<Instance> => ({
  tenants: await database.transaction(async (transaction) => {
    const tenants: Tenant[] = [];
    for (let count = 1; count <= workspaceCount; count += 1) {
      const { id: workspaceId } = await createWorkspace(transaction, `Workspace ${count}`, allowance);
      const { id: teamId } = await createTeam(transaction, workspaceId, "Team");
      const key = await createKey(transaction, workspaceId, "Key", "all");
      tenants.push({ workspaceId, teamId, keyId: key.id, key: key.secret });
    }
    return tenants;
  }),
  snippets: [],
  folders: [],
});

/** Adds snippets in folders of a hundred, spread over the workspaces, up to a total. */
export async function addSnippets(
  database: Database,
  { tenants, snippets, folders }: Instance,
  total: number,
  report: (done: number) => void,
): Promise<void> {
  for (let round = 0; snippets.length < total; round += 1) {
    const tenant = tenants[round % tenants.length];
    if (!tenant) throw new Error("an instance without a workspace can not grow");
    const { workspaceId, teamId, keyId, key } = tenant;
    const count = Math.min(rowsPerTransaction, total - snippets.length);
    await database.transaction(async (transaction) => {
      const own = {
        team_id: teamId,
        workspace_id: workspaceId,
        created_at: transaction.now,
        updated_at: transaction.now,
      };
      const made = Array.from({ length: Math.ceil(count / snippetsInFolder) }, (_, index) => ({
        id: transaction.newId(),
        folder_name: `Folder ${index}`,
        folder_color: "#336699",
        parent_folder_id: null,
        ...own,
      }));
      folderStore.insert(transaction, made);
      const rows = Array.from({ length: count }, (_, index) => {
        const { title, note, shortcut, content } = sampleSnippet(snippets.length + index, teamId);
        const folder_id = made[Math.floor(index / snippetsInFolder)]?.id ?? null;
        return { id: transaction.newId(), team_id: teamId, folder_id, title, snippet_note: note, shortcut, content };
      });
      insertSnippets(
        transaction,
        workspaceId,
        keyId,
        rows.map(({ content: _, ...row }) => row),
      );
      createVariations(
        transaction,
        workspaceId,
        rows.map(({ id, content }) => ({ snippet_id: id, name: "Default", variant_order_index: 0, content })),
      );
      snippets.push(...rows.map(({ id }) => ({ key, id })));
      folders.push(...made.map(({ id }) => ({ key, id })));
    });
    report(snippets.length);
  }
}

/** Writes requests for random targets to a file of the load generator. @param call such as `/snippet?id=` */
export function writeRequests(path: string, basePath: string, call: string, targets: readonly Target[]): void {
  const requests = sampleTargets(targets).map(
    ({ key, id }) => `GET ${basePath}${call}${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  writeFileSync(path, requests.join("\0"));
}

/** Random targets, as many as a file holds. */
export function sampleTargets(targets: readonly Target[]): Target[] {
  if (targets.length <= requestsMax) return [...targets];
  return Array.from({ length: requestsMax }, () => targets[Math.floor(Math.random() * targets.length)] as Target);
}
