// Several clients at once, and the comparison of a database with their logs.
import { expect } from "bun:test";
import type { DatabaseLocation } from "../src/platform/database/location.ts";
import { openDatabase } from "../src/platform/database/open.ts";
import type { Rows } from "../test/support/engine.ts";
import { makeWorkspace, type Target, type Workspace } from "../test/support/nodes.ts";
import { expectConsistentBalances } from "../test/support/quota-totals.ts";
import { Client, reading, type State, unitsOf } from "./client.ts";
import type { Random } from "./random.ts";

/** A workspace of its own and its clients. */
export interface Clients {
  readonly workspace: Workspace;
  readonly all: readonly Client[];
  /** Fails unless the database is what the clients' logs say; nobody may be writing. */
  readonly compare: (rows: Rows) => Promise<void>;
  /** Lets all work until `end`; if one finds something wrong, `end` and `reach` fail. */
  readonly begin: (targets: () => readonly Target[], endsInSilence: boolean) => Load;
  /** Reads through the API some of what each wrote last. */
  readonly readSome: (target: Target, count: number) => Promise<void>;
  readonly acknowledged: () => number;
  /** How many requests got 503. */
  readonly refused: () => number;
}

export interface Load {
  /** Waits until so many more calls are acknowledged, or no client works any more. */
  readonly reach: (calls: number) => Promise<void>;
  /** Responses that come from now on count for nothing. */
  readonly distrust: () => void;
  readonly end: () => Promise<void>;
}

const allowance = 1_000_000_000;

/** @param contentLength how often a snippet's name is repeated in its text */
export async function makeClients(
  dataDirectory: string,
  location: DatabaseLocation,
  count: number,
  random: Random,
  contentLength = () => 3,
): Promise<Clients> {
  const database = await openDatabase(
    { dataDirectory, database: location, databaseConnections: 1 },
    { mustExist: true },
  );
  const workspace = await makeWorkspace(database, { keys: count, allowance });
  await database.close();
  const all = Array.from({ length: count }, (_, number) => new Client(workspace, number, random, contentLength));
  const acknowledged = () => all.reduce((sum, client) => sum + client.acknowledged, 0);
  return {
    workspace,
    all,
    acknowledged,
    refused: () => all.reduce((sum, client) => sum + client.refused, 0),
    begin: (targets, endsInSilence) => {
      let [isOver, hasEnded] = [false, false];
      const working = Promise.all(all.map((client) => client.work(targets, () => isOver, endsInSilence)));
      let failure: unknown;
      working
        .catch((error) => {
          failure = error;
        })
        .finally(() => {
          hasEnded = true;
        });
      return {
        reach: async (calls) => {
          const enough = acknowledged() + calls;
          while (acknowledged() < enough && !hasEnded) await Bun.sleep(1);
          if (failure !== undefined) throw failure;
        },
        distrust: () => {
          for (const client of all) client.isDistrusted = true;
        },
        end: async () => {
          isOver = true;
          await working;
          for (const client of all) client.isDistrusted = false;
        },
      };
    },
    readSome: async (target, count) => {
      for (const client of all) await client.readSome(target, Math.ceil(count / all.length));
    },
    compare: async (rows) => {
      const stored = await readStored(rows, workspace.id);
      const ledger = await rows<LedgerRow>(
        `select id, key_id, key_call, operation, status, units, balance_after from ledger where workspace_id = ?
         order by key_id, key_call`,
        workspace.id,
      );
      for (const client of all) compareClient(client, stored, ledger);
      const [name] = stored.keys();
      if (name !== undefined)
        throw new Error(`carried out: ${name} is in the database, but its client was told that it is not`);
      // Each call drew from the balance that the one before left.
      let balance = allowance;
      for (const row of ledger.toSorted((left, right) => right.balance_after - left.balance_after)) {
        balance -= row.units;
        expect(row.balance_after).toBe(balance);
      }
      await expectConsistentBalances(rows, workspace.id);
    },
  };
}

async function readStored(rows: Rows, workspaceId: string): Promise<Map<string, Stored>> {
  const snippets = (table: string, place: string) =>
    rows<Stored & { variation_count: number }>(
      `select id, title as name, content, '${place}' as place, variation_count from ${table} where workspace_id = ?`,
      workspaceId,
    );
  const inLibrary = await snippets("snippets", "library");
  const further = new Map(
    (
      await rows<{ snippet_id: string; count: number }>(
        "select snippet_id, count(*) as count from variations where workspace_id = ? group by snippet_id",
        workspaceId,
      )
    ).map(({ snippet_id, count }) => [snippet_id, count]),
  );
  for (const { id, variation_count } of inLibrary) expect([variation_count, further.get(id)]).toEqual([2, 1]);
  const tags = await rows<{ id: string; name: string }>(
    "select id, tag_name as name from tags where workspace_id = ?",
    workspaceId,
  );
  const found: [string, Stored][] = [
    ...[...inLibrary, ...(await snippets("trashed_snippets", "trash"))].map(
      ({ id, name, content, place }): [string, Stored] => [
        `snippet ${name}`,
        { id, name, content: content ?? "", place },
      ],
    ),
    ...tags.map(({ id, name }): [string, Stored] => [`tag ${name}`, { id, name, place: "library" }]),
  ];
  return new Map(found);
}

interface Stored extends State {
  readonly id: string;
}

interface LedgerRow {
  readonly id: string;
  readonly key_id: string;
  readonly key_call: number;
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly balance_after: number;
}

/**
 * Compares the key's ledger and what the client wrote with the log, and settles what is unknown.
 * @param stored what is in the database, by kind and name; what is the client's is taken out
 */
function compareClient(client: Client, stored: Map<string, Stored>, ledger: readonly LedgerRow[]): void {
  const { items } = client;
  const done: Record<string, number> = {};
  for (const item of items) {
    const isLike = (state: State | undefined): Stored | undefined => {
      if (!state || state.place === "nowhere") return undefined;
      const found = stored.get(`${item.kind} ${state.name}`);
      const { place, content } = state;
      return found?.place === place && found.content === content && (!item.id || found.id === item.id)
        ? found
        : undefined;
    };
    const { pending } = item;
    const found = isLike(pending) ?? isLike(item.state);
    if (found === undefined && item.state.place !== "nowhere")
      throw new Error(
        `lost: ${item.kind} ${item.id} should be ${shown(item.state)}, but there is ${shown([...stored.values()].find(({ id }) => id === item.id))}`,
      );
    if (found && pending && isLike(pending)) {
      done[pending.operation] = (done[pending.operation] ?? 0) + 1;
      item.state = pending;
    }
    item.pending = undefined;
    if (!found) continue;
    item.id = found.id;
    stored.delete(`${item.kind} ${found.name}`);
  }
  // A batch is three items and one call.
  if (done.postTags !== undefined) done.postTags /= 3;
  items.splice(0, items.length, ...items.filter(({ state }) => state.place !== "nowhere"));
  compareLedger(
    client,
    ledger.filter(({ key_id }) => key_id === client.key.id),
    done,
  );
}

const shown = (state: State | undefined): string => JSON.stringify(state)?.slice(0, 200) ?? "nothing";

function compareLedger(
  { entries, untoldRows }: Client,
  rows: readonly LedgerRow[],
  done: Readonly<Record<string, number>>,
): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const acknowledged = entries.filter(({ fate }) => fate === "acknowledged");
  for (const { requestId = "", operation, status, remaining } of acknowledged) {
    const row = byId.get(requestId);
    if (!row) throw new Error(`lost: the acknowledged call ${requestId} of ${operation} is not in the ledger`);
    expect(row).toMatchObject({ operation, status: status ?? 0, units: unitsOf[operation] ?? Number.NaN });
    if (remaining !== undefined) expect(row.balance_after).toBe(remaining);
  }
  for (const { requestId = "", fate } of entries)
    if (fate === "refused" && byId.has(requestId)) throw new Error(`charged: the refused call ${requestId}`);
  const ids = new Set(acknowledged.map(({ requestId }) => requestId));
  expect(rows.filter(({ id }) => ids.has(id)).map(({ id }) => id)).toEqual([...ids] as string[]);
  expect(rows.map(({ key_call }) => key_call)).toEqual(rows.map((_, index) => index + 1));
  const untold = rows.filter(({ id }) => !ids.has(id) && !untoldRows.has(id));
  for (const [operation, calls] of Object.entries(Object.groupBy(untold, (row) => row.operation))) {
    const possible = entries.filter((entry) => entry.fate === "unknown" && entry.operation === operation).length;
    const count = calls?.length ?? 0;
    if (reading.has(operation) ? count > possible : count !== done[operation])
      throw new Error(
        `half done: ${count} untold calls of ${operation} in the ledger, ${done[operation] ?? 0} in the library`,
      );
  }
  for (const [operation, count] of Object.entries(done))
    if (untold.filter((row) => row.operation === operation).length !== count)
      throw new Error(`free: ${count} calls of ${operation} in the library that nobody was charged for`);
  for (const { id } of untold) untoldRows.add(id);
  for (const entry of entries) if (entry.fate === "unknown") entry.fate = "settled";
}
