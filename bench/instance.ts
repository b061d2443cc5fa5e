// Workspaces with their teams and keys, made directly in a database: through the command, each would be a process of its own.
import { createTeam, createWorkspace } from "../src/accounts/workspaces/workspaces.ts";
import type { Config } from "../src/config.ts";
import { createKey } from "../src/metering/keys/keys.ts";
import type { Database } from "../src/platform/database/database.ts";
import { openDatabase } from "../src/platform/database/open.ts";

const allowance = 1_000_000_000;

export interface Tenant {
  readonly teamId: string;
  /** The secrets of its keys. */
  readonly keys: readonly string[];
}

/** An object to request, and whose it is. */
export interface Target {
  readonly tenant: Tenant;
  readonly id: string;
}

export interface Instance {
  readonly tenants: readonly Tenant[];
  readonly snippets: Target[];
  readonly folders: Target[];
}

export interface InstanceSize {
  readonly workspaces: number;
  readonly keysInWorkspace: number;
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

export const createInstance = async (
  database: Database,
  { workspaces, keysInWorkspace }: InstanceSize,
): Promise<Instance> => ({
  tenants: await database.transaction(async (transaction) => {
    const tenants: Tenant[] = [];
    for (let count = 1; count <= workspaces; count += 1) {
      const { id } = await createWorkspace(transaction, `Workspace ${count}`, allowance);
      const { id: teamId } = await createTeam(transaction, id, "Team");
      const keys: string[] = [];
      for (let key = 1; key <= keysInWorkspace; key += 1)
        keys.push((await createKey(transaction, id, `Key ${key}`, "all")).secret);
      tenants.push({ teamId, keys });
    }
    return tenants;
  }),
  snippets: [],
  folders: [],
});
