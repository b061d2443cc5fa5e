// Slow and hostile clients cannot stop others: each attack runs in a process of its own, while a client of another workspace sends one
// request after the other. A second service, which nobody attacks, is asked at the same time, for comparison.
import { join } from "node:path";
import type { Order } from "./attacker.ts";
import type { AttackName } from "./attacks.ts";
import {
  type Aimed,
  type Memory,
  memoryOf,
  mostOf,
  type Site,
  scheduledOf,
  shareOf,
  startSite,
} from "./hostile-site.ts";
import type { Form, Prove, Run } from "./proof.ts";

const p99MillisecondsMax = 200;
const megabytesMax = 400;
const pauseMilliseconds = 5;
const memoryMilliseconds = 50;

interface Attacking {
  readonly name: AttackName;
  readonly connections: number;
  /** What it asks for where it is not a small snippet. */
  readonly aimed?: Aimed;
}

const all: readonly Attacking[] = [
  { name: "rapidReset", connections: 4 },
  { name: "rapidReset", connections: 16 },
  { name: "manyStreams", connections: 4 },
  { name: "manyStreams", connections: 16 },
  { name: "manyStreams", connections: 16, aimed: "nothing" },
  { name: "pings", connections: 2 },
  { name: "continuations", connections: 4 },
  { name: "headerBombs", connections: 4 },
  { name: "closedWindows", connections: 4 },
  { name: "slowHeaders", connections: 500 },
  { name: "slowBodies", connections: 500 },
  { name: "silence", connections: 5_000 },
  { name: "deepJson", connections: 4 },
  { name: "largeBodies", connections: 32 },
  { name: "fastReaders", connections: 12, aimed: "notes" },
  { name: "fastReaders", connections: 12, aimed: "texts" },
  { name: "fastReaders", connections: 12, aimed: "largest" },
  { name: "slowReaders", connections: 21, aimed: "texts" },
  { name: "slowReaders", connections: 21, aimed: "largest" },
  { name: "unread", connections: 4, aimed: "largest" },
];
const attacksOf: Readonly<Record<Form, readonly Attacking[]>> = {
  long: all,
  short: all.map((attack) => ({ ...attack, connections: Math.min(attack.connections, 50) })),
  control: all.filter(({ name, connections }) => name === "rapidReset" && connections === 16),
};
const secondsOf: Readonly<Record<Form, number>> = { long: 20, short: 2, control: 10 };

/**
 * With less of the processor time that the service asked for, it is not the attack that makes others wait: other programs do. The attacker
 * and the measuring client need some of two processors too.
 */
const shareMin = 0.6;
/** So often an attack is tried that cannot be judged. */
const triesMax = 3;

/** What an attack did to others. */
interface Felt {
  readonly p99: number;
  readonly megabytes: number;
  /** Of the processor time that the service asked for, what it got. */
  readonly share: number;
  readonly line: string;
}

export const prove: Prove = async (run) => {
  const attacked = await startSite(true);
  const calm = await startSite(false);
  const attacks = attacksOf[run.form];
  const lines: string[] = [];
  const unjudged: string[] = [];
  for (const attack of attacks) {
    if (run.isOver()) break;
    run.show(nameOf(attack), lines.length / attacks.length);
    const { line, p99 } = await withstand(attack, attacked, calm, run);
    lines.push(line);
    if (p99 > p99MillisecondsMax) unjudged.push(line);
  }
  await attacked.stop();
  await calm.stop();
  if (unjudged.length > 0)
    throw new Error(["the machine was too busy to judge; run it again on a quiet one:", ...unjudged].join("\n"));
  return lines;
};

const nameOf = ({ name, connections, aimed }: Attacking): string =>
  `${name}${aimed ? ` of ${aimed}` : ""}, ${connections} connections`;

/** Tries again where the machine was too busy to tell. @throws when the customer's requests took too long, or failed, or the memory grew too large */
async function withstand(attack: Attacking, attacked: Site, calm: Site, run: Run): Promise<Felt> {
  for (let tries = run.form === "control" ? 1 : triesMax; ; tries -= 1) {
    const felt = await feel(attack, attacked, calm, run);
    const { p99, megabytes, share, line } = felt;
    if (megabytes > megabytesMax) throw new Error(`too much memory: ${line}`);
    if (p99 <= p99MillisecondsMax) return felt;
    if (share >= shareMin) throw new Error(`others wait too long: ${line}`);
    if (tries === 1 || run.isOver()) return felt;
  }
}

async function feel(attack: Attacking, attacked: Site, calm: Site, run: Run): Promise<Felt> {
  const { name, connections, aimed = "snippet" } = attack;
  const seconds = secondsOf[run.form];
  const { pid, port } = attacked.service;
  const order: Order = { name, seconds, target: { port, connections, requests: attacked.requests[aimed] } };
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "attacker.ts"), JSON.stringify(order)], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, BUN_OPTIONS: "" },
  });
  const until = performance.now() + seconds * 1_000;
  const before = scheduledOf(pid);
  let memory: Memory = { resident: 0, own: 0 };
  const watch = setInterval(() => {
    memory = mostOf(memory, memoryOf(pid));
  }, memoryMilliseconds);
  const [times, calmTimes] = await Promise.all([ask(attacked, until), ask(calm, until)]);
  clearInterval(watch);
  const share = shareOf(before, scheduledOf(pid));
  const damage = (await new Response(child.stdout).text()).trim();
  await child.exited;
  run.made.runs += 1;
  run.made.inputs += times.length;
  const p99 = percentile(times);
  const { resident, own } = memory;
  const machine = `not attacked: ${percentile(calmTimes)} ms, ${Math.round(share * 100)}% of its processor time`;
  const line = `${nameOf(attack)}: p99 ${p99} ms (${machine}), ${resident} MB (${own} without files), ${damage}`;
  return { p99, megabytes: resident, share, line };
}

/** One request after the other. @returns how long each took in milliseconds */
async function ask({ service, customer }: Site, until: number): Promise<number[]> {
  const times: number[] = [];
  const headers = { Authorization: `Bearer ${customer.key}` };
  while (performance.now() < until) {
    const startedAt = performance.now();
    const response = await service.fetch(new URL(customer.path, service.baseUrl), { headers });
    if (response.status !== 200) throw new Error(`another customer was refused: ${await response.text()}`);
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    await Bun.sleep(pauseMilliseconds);
  }
  return times;
}

const percentile = (times: readonly number[]): number =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0);
