// Slow and hostile clients cannot block other clients: each attack runs in a separate process, while a client of another workspace sends
// one request after another. A second service, which nobody attacks, is asked at the same time, for comparison.
import { join } from "node:path";
import type { Order } from "./attacker.ts";
import type { AttackName } from "./attacks.ts";
import {
  type Aimed,
  type Memory,
  memoryOf,
  mostOf,
  type Scheduled,
  type Site,
  scheduledOf,
  scheduledUntilNow,
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
  { name: "fastReaders", connections: 15, aimed: "exports" },
  { name: "nestedFiles", connections: 6, aimed: "imports" },
];
/** What the controls show. */
const shown: readonly Attacking[] = [
  { name: "rapidReset", connections: 16 },
  { name: "fastReaders", connections: 2, aimed: "exports" },
];
const attacksOf: Readonly<Record<Form, readonly Attacking[]>> = {
  long: all,
  short: all.map((attack) => ({ ...attack, connections: Math.min(attack.connections, 50) })),
  control: shown,
};
const secondsOf: Readonly<Record<Form, number>> = { long: 10, short: 2, control: 10 };

/** Without a limit, each of these takes seconds. Longer ones would take until after the control. */
const controlNestedLength = 400;

/** An attacker that gets less of the processor time that it asks for, because other programs need it, hardly attacks. */
const attackerShareMin = 0.45;
/** One that asks for less needs none to attack. */
const idleShare = 0.5;
/** So often an attack is tried that cannot be judged. */
const triesMax = 3;

/** What an attack did to others. */
interface Felt {
  readonly verdict: "withstood" | "others wait too long" | "too much memory" | "the machine is too busy to judge";
  readonly line: string;
}

export const prove: Prove = async (run) => {
  const attacked = await startSite({
    isAttacked: true,
    ...(run.form === "control" && { nestedLength: controlNestedLength }),
  });
  const calm = await startSite({ isAttacked: false });
  const attacks = attacksOf[run.form];
  const lines: string[] = [];
  const failures: string[] = [];
  for (const attack of attacks) {
    if (run.isOver()) failures.push(`there was no time for ${nameOf(attack)}`);
    else {
      run.show(nameOf(attack), (lines.length + failures.length) / attacks.length);
      const { verdict, line } = await withstand(attack, attacked, calm, run);
      if (verdict === "withstood") lines.push(line);
      else failures.push(`${verdict}: ${line}`);
    }
  }
  await attacked.stop();
  await calm.stop();
  if (failures.length > 0) throw new Error([...failures, "", "withstood:", ...lines].join("\n"));
  return lines;
};

const nameOf = ({ name, connections, aimed }: Attacking): string =>
  `${name}${aimed ? ` of ${aimed}` : ""}, ${connections} connections`;

/** Tries again where the machine was too busy to tell. */
async function withstand(attack: Attacking, attacked: Site, calm: Site, run: Run): Promise<Felt> {
  for (let tries = triesMax; ; tries -= 1) {
    const felt = await feel(attack, attacked, calm, run);
    if (felt.verdict !== "the machine is too busy to judge" || tries === 1 || run.isOver()) return felt;
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
  // Where others wait long, the attacker ends before their last response is there.
  let attacking: Scheduled = { ran: 0, waited: 0 };
  const watch = setInterval(() => {
    memory = mostOf(memory, memoryOf(pid));
    attacking = scheduledUntilNow(child.pid, attacking);
  }, memoryMilliseconds);
  const [times, calmTimes] = await Promise.all([ask(attacked, until), ask(calm, until)]);
  clearInterval(watch);
  const served = shareOf(before, scheduledOf(pid));
  const damage = (await new Response(child.stdout).text()).trim();
  await child.exited;
  run.made.runs += 1;
  run.made.inputs += times.length;
  const p99 = percentile(times);
  const { resident, own } = memory;
  const isIdle = attacking.ran + attacking.waited < idleShare * seconds * 1e9;
  const attackerShare = isIdle ? 1 : shareOf({ ran: 0, waited: 0 }, attacking);
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  const machine = `not attacked: ${percentile(calmTimes)} ms; the service got ${percent(served)} of the processor time it asked for, the attacker ${percent(attackerShare)}`;
  const line = `${nameOf(attack)}: p99 ${p99} ms (${machine}), ${resident} MB (${own} without files), ${damage}`;
  return { verdict: judge({ p99, megabytes: resident, served, attacking: attackerShare }), line };
}

/** Where the service gets half of the time that it asks for, everything takes twice as long: what is too long beyond that is its own. */
function judge({
  p99,
  megabytes,
  served,
  attacking,
}: Readonly<Record<"p99" | "megabytes" | "served" | "attacking", number>>) {
  if (megabytes > megabytesMax) return "too much memory";
  if (p99 * served > p99MillisecondsMax) return "others wait too long";
  const isClear = p99 <= p99MillisecondsMax && attacking >= attackerShareMin;
  return isClear ? "withstood" : "the machine is too busy to judge";
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
