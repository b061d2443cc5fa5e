// Slow and hostile clients cannot stop others: each attack runs in a process of its own, while a client of another workspace sends one
// request after the other. A second service, which nobody attacks, is asked at the same time: what it takes is the machine's share.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { databaseSettings, openNode } from "../test/support/engine.ts";
import type { AttackName } from "../test/support/floods.ts";
import { makeWorkspace, type Workspace } from "../test/support/nodes.ts";
import { type ServiceProcess, spawnService } from "../test/support/process.ts";
import { temporaryDirectory, text } from "../test/support/service.ts";
import type { Order } from "./attacker.ts";
import type { Form, Prove, Run } from "./proof.ts";

const allowance = 100_000_000;
const p99MillisecondsMax = 200;
const megabytesMax = 400;
const pauseMilliseconds = 5;
/** To PostgreSQL. */
const connections = "8";

interface Attacking {
  readonly name: AttackName;
  readonly connections: number;
}

const all: readonly Attacking[] = [
  { name: "rapidReset", connections: 4 },
  { name: "rapidReset", connections: 16 },
  { name: "manyStreams", connections: 4 },
  { name: "manyStreams", connections: 16 },
  { name: "pings", connections: 2 },
  { name: "continuations", connections: 4 },
  { name: "headerBombs", connections: 4 },
  { name: "closedWindows", connections: 4 },
  { name: "slowHeaders", connections: 500 },
  { name: "slowBodies", connections: 500 },
  { name: "silence", connections: 5_000 },
  { name: "deepJson", connections: 4 },
];
const attacksOf: Readonly<Record<Form, readonly Attacking[]>> = {
  long: all,
  short: all.map((attack) => ({ ...attack, connections: Math.min(attack.connections, 50) })),
  control: all.filter(({ name, connections }) => name === "rapidReset" && connections === 16),
};
const secondsOf: Readonly<Record<Form, number>> = { long: 20, short: 2, control: 10 };
const triesOf: Readonly<Record<Form, number>> = { long: 3, short: 3, control: 1 };

export const prove: Prove = async (run) => {
  const attacked = await startSite();
  const calm = await startSite();
  const notes: string[] = [];
  for (const attack of attacksOf[run.form]) {
    if (run.isOver()) break;
    run.show(`${attack.name}, ${attack.connections} connections`, run.made.runs / attacksOf[run.form].length);
    notes.push(await withstandOnce(attack, attacked, calm, run));
  }
  for (const { service } of [attacked, calm]) {
    service.kill("SIGTERM");
    await service.ended;
  }
  return notes;
};

interface Site {
  readonly service: ServiceProcess;
  readonly attacker: Workspace;
  readonly customer: Workspace;
  /** Of a snippet of each. */
  readonly paths: { readonly attacker: string; readonly customer: string };
}

async function startSite(): Promise<Site> {
  const dataDirectory = temporaryDirectory();
  const service = await spawnService(dataDirectory, {
    ...(await databaseSettings(dataDirectory)),
    COMMONPLACE_DATABASE_CONNECTIONS: connections,
    COMMONPLACE_LOG: "warn",
  });
  const node = await openNode(dataDirectory);
  const [attacker, customer] = [await makeWorkspace(node, { allowance }), await makeWorkspace(node, { allowance })];
  await node.close();
  const pathOf = async ({ key, teamId }: Workspace) => {
    const client = service.clientFor(key);
    const { data } = await client.postSnippet({ title: "A snippet", content: text("x".repeat(1_000)), teamId });
    return `/api/snippet?id=${data.snippetId}`;
  };
  return { service, attacker, customer, paths: { attacker: await pathOf(attacker), customer: await pathOf(customer) } };
}

/** Another program can take the machine for a moment: an attack that works does so each time. */
async function withstandOnce(attack: Attacking, attacked: Site, calm: Site, run: Run): Promise<string> {
  for (let tries = triesOf[run.form]; ; tries -= 1)
    try {
      return await withstand(attack, attacked, calm, run);
    } catch (error) {
      if (tries === 1 || run.isOver()) throw error;
    }
}

/** @throws when the customer's requests took too long, or failed, or the memory grew too large */
async function withstand({ name, connections }: Attacking, attacked: Site, calm: Site, run: Run): Promise<string> {
  const seconds = secondsOf[run.form];
  const order: Order = {
    name,
    seconds,
    target: {
      port: attacked.service.port,
      connections,
      request: { path: attacked.paths.attacker, key: attacked.attacker.key },
    },
  };
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "attacker.ts"), JSON.stringify(order)], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, BUN_OPTIONS: "" },
  });
  const until = performance.now() + seconds * 1_000;
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, ownMegabytes(attacked.service.pid));
  }, 100);
  const [times, calmTimes] = await Promise.all([ask(attacked, until), ask(calm, until)]);
  clearInterval(watch);
  const damage = (await new Response(child.stdout).text()).trim();
  await child.exited;
  run.made.runs += 1;
  run.made.inputs += times.length;
  const [p99, share] = [percentile(times), percentile(calmTimes)];
  const line = `${name}, ${connections} connections: p99 ${p99} ms (not attacked: ${share} ms), ${megabytes} MB, ${damage}`;
  if (p99 > p99MillisecondsMax + 2 * share) throw new Error(`others wait too long: ${line}`);
  if (megabytes > megabytesMax) throw new Error(`too much memory: ${line}`);
  return line;
}

/** One request after the other. @returns how long each took in milliseconds */
async function ask({ service, customer, paths }: Site, until: number): Promise<number[]> {
  const times: number[] = [];
  const headers = { Authorization: `Bearer ${customer.key}` };
  while (performance.now() < until) {
    const startedAt = performance.now();
    const response = await service.fetch(new URL(paths.customer, service.baseUrl), { headers });
    if (response.status !== 200) throw new Error(`another customer was refused: ${await response.text()}`);
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    await Bun.sleep(pauseMilliseconds);
  }
  return times;
}

const percentile = (times: readonly number[]): number =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0);

/** Without files, such as the program and the mapped database. */
function ownMegabytes(pid: number): number {
  const kibibytes = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round((Number(kibibytes) * 1_024) / 1e6);
}
