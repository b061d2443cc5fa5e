// The service that the model is compared with: one node on SQLite, three on PostgreSQL.
import { createTeam, createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { operations } from "../../src/contract/operations.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { engine } from "../../test/support/engine.ts";
import { movedClock, startNode } from "../../test/support/nodes.ts";
import { startService, temporaryDirectory } from "../../test/support/service.ts";
import type { Received } from "./compare.ts";

const startsAt = "2026-03-15T12:00:00.000Z";
const nodesOnPostgres = 3;

export interface Sent {
  readonly operation: string;
  readonly secret: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a sequence of requests needs of the service. */
export interface Nodes {
  readonly count: number;
  /** Sends a request to one of the nodes, by its place. */
  readonly send: (sent: Sent, place: number) => Promise<Received>;
  readonly now: () => number;
  readonly advance: (milliseconds: number) => void;
  readonly database: Database;
}

export async function startNodes(requestsPerMinute: number): Promise<Nodes> {
  if (engine.name === "sqlite") {
    const { service, fetch, baseUrl, clock } = await startService({ at: startsAt, config: { requestsPerMinute } });
    const advance = (milliseconds: number) => clock.advance(milliseconds / 1_000);
    return { count: 1, send: sender([{ baseUrl, fetch }]), now: () => clock.now, advance, database: service.database };
  }
  const location = await engine.prepare(temporaryDirectory());
  if (location.engine !== "postgres") throw new Error("the engine is PostgreSQL");
  const time = movedClock(startsAt);
  const start = () => startNode(location.url, { clock: time.clock, requestsPerMinute, connections: 4 });
  const nodes = [await start(), ...(await Promise.all(Array.from({ length: nodesOnPostgres - 1 }, start)))];
  const [first] = nodes;
  if (!first) throw new Error("no node");
  let now = Date.parse(startsAt);
  const advance = (milliseconds: number) => {
    now += milliseconds;
    time.advance(milliseconds / 1_000);
  };
  return { count: nodes.length, send: sender(nodes), now: () => now, advance, database: first.database };
}

interface Target {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

function sender(targets: readonly Target[]): Nodes["send"] {
  return async ({ operation, secret, query, body, headers }, place) => {
    const { baseUrl, fetch } = targets[place] as Target;
    const { method, path } = operations[operation as keyof typeof operations];
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${baseUrl}${path}${search && `?${search}`}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`, ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

interface Made {
  readonly id: string;
  readonly teams: readonly string[];
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
}

/** Creates a workspace with two teams, and a key for each list of them; undefined stands for all teams. */
export const createIn = (
  database: Database,
  names: { readonly workspace: string; readonly teams: readonly string[]; readonly keys: readonly string[] },
  allowance: number,
  teamsOfKeys: readonly (readonly number[] | undefined)[],
): Promise<Made> =>
  database.transaction(async (transaction) => {
    const { id } = await createWorkspace(transaction, names.workspace, allowance);
    const teams: string[] = [];
    for (const name of names.teams) teams.push((await createTeam(transaction, id, name)).id);
    const keys = [];
    for (const [index, places] of teamsOfKeys.entries()) {
      const reached = places?.map((place) => teams[place] ?? "") ?? "all";
      keys.push(await createKey(transaction, id, names.keys[index] ?? "", reached));
    }
    return { id, teams, keys };
  });
