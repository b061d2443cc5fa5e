// The shared engine: nodes on one PostgreSQL server, compared with a minimal client that sends the same statements.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";
import { addSnippets, createInstance, type Instance, sampleTargets, withDatabase, writeRequests } from "./instance.ts";
import { load, type Round } from "./load.ts";
import { medianOf, type Plan } from "./measure.ts";
import { refreshStatistics, startDatabase } from "./postgres.ts";
import { runScript, type Server, startService } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { median } from "./statistics.ts";

const clients = 64;
const connections = 10;
const nodes = 3;
const warmUpSeconds = 4;

export async function measureShared(directory: string, plan: Plan): Promise<Result[]> {
  mkdirSync(directory);
  const { url, stop } = await startDatabase();
  try {
    const location = { engine: "postgres", url } as const;
    const instance = await withDatabase(location, directory, async (database) => {
      const instance = await createInstance(database);
      await addSnippets(database, instance, plan.snippets, (done) =>
        showProgress("Filling PostgreSQL", done.toLocaleString("en-US"), done / plan.snippets),
      );
      return instance;
    });
    await refreshStatistics(url);
    const start = (count: number) =>
      startService(join(directory, `node-${count}`), {
        COMMONPLACE_DATABASE_URL: url,
        COMMONPLACE_DATABASE_CONNECTIONS: String(connections),
      });
    const servers = await Promise.all(Array.from({ length: nodes }, (_, count) => start(count)));
    const results = await measureNodes(directory, plan, instance, url, servers);
    await Promise.all(servers.map((server) => server.stop()));
    await withDatabase(location, directory, checkBalances);
    return results;
  } finally {
    await stop();
  }
}

async function measureNodes(
  directory: string,
  { rounds, seconds }: Plan,
  instance: Instance,
  url: string,
  servers: readonly Server[],
): Promise<Result[]> {
  const [requests, targets] = [join(directory, "requests"), join(directory, "targets.json")];
  writeRequests(requests, "/api", "/snippet?id=", instance.snippets);
  writeFileSync(targets, JSON.stringify(sampleTargets(instance.snippets)));
  const [first] = servers;
  if (!first) return [];
  const bare = () => runScript<Round>("bare-statements.ts", url, connections, seconds, targets);
  const single = () => load(first, { requests, connections: clients, seconds });
  const all = async (): Promise<Round> => {
    const share = { requests, connections: Math.floor(clients / nodes), seconds };
    const parts = await Promise.all(servers.map((server) => load(server, share)));
    return {
      perSecond: parts.reduce((sum, part) => sum + part.perSecond, 0),
      medianMilliseconds: median(parts.map((part) => part.medianMilliseconds)),
      p99Milliseconds: Math.max(...parts.map((part) => part.p99Milliseconds)),
    };
  };

  showProgress("GET /snippet, PostgreSQL", "warming up");
  // The first call of each key opens its month, which the minimal client does not do: long enough to call with every key.
  await load(first, { requests, connections: clients, seconds: Math.max(seconds, warmUpSeconds) });
  const measured = { bare: [] as Round[], single: [] as Round[], all: [] as Round[] };
  for (let round = 1; round <= rounds; round += 1) {
    showProgress("GET /snippet, PostgreSQL", `round ${round} of ${rounds}`);
    measured.bare.push(await bare());
    measured.single.push(await single());
    measured.all.push(await all());
  }
  const group = `GET /snippet, PostgreSQL, ${clients} clients, ${connections} connections a node`;
  const rate = (list: readonly Round[]) => medianOf(list, (round) => round.perSecond);
  const ratios = (ours: readonly Round[], theirs: readonly Round[]) =>
    median(ours.map((round, index) => round.perSecond / (theirs[index]?.perSecond ?? Number.NaN)));
  return [
    {
      group,
      name: "1 node : the statements alone",
      unit: "/s",
      service: rate(measured.single),
      yardstick: rate(measured.bare),
      ratio: ratios(measured.single, measured.bare),
      aim: { of: "ratio", atLeast: 0.5 },
    },
    {
      group,
      name: `${nodes} nodes : 1 node`,
      unit: "/s",
      service: rate(measured.all),
      yardstick: rate(measured.single),
      ratio: ratios(measured.all, measured.single),
    },
    {
      group,
      name: "median, 1 node",
      unit: "ms",
      service: medianOf(measured.single, (round) => round.medianMilliseconds),
      yardstick: medianOf(measured.bare, (round) => round.medianMilliseconds),
    },
    {
      group,
      name: "p99, 1 node",
      unit: "ms",
      service: medianOf(measured.single, (round) => round.p99Milliseconds),
      yardstick: medianOf(measured.bare, (round) => round.p99Milliseconds),
    },
  ];
}

/**
 * Speed is worth nothing if calls are miscounted. @throws when a balance is not the grants minus the ledger, or a
 * ledger row is missing or duplicated
 */
async function checkBalances(database: Database): Promise<void> {
  const wrong = await database.read((transaction) =>
    transaction.all<{ workspace_id: string }>(
      sql`select m.workspace_id from quota_months m where m.balance <>
            (select sum(g.units) from quota_grants g where g.workspace_id = m.workspace_id and g.month = m.month)
            - (select coalesce(sum(l.units), 0) from ledger l where l.workspace_id = m.workspace_id)
          union all
          select k.workspace_id from api_keys k where k.call_count <>
            (select count(distinct l.key_call) from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id)`,
    ),
  );
  if (wrong.length > 0) throw new Error(`the books of ${wrong.length} workspaces do not balance after the load`);
}
