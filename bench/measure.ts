// The measurements, each beside its yardstick in the same minutes: rounds alternate, so that what else the machine does hits both.
import { type Load, load, type Round } from "./load.ts";
import { residentMegabytes, runScript, type Server } from "./processes.ts";
import type { Result } from "./report.ts";
import { batchSize } from "./sample.ts";
import { median } from "./statistics.ts";

/** How much is done. */
export interface Plan {
  readonly snippets: number;
  /** Numbers of snippets between which the same calls are compared, rising. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly loneSeconds: number;
  readonly batchSeconds: number;
  readonly starts: number;
}

export interface Sides {
  readonly service: Server;
  readonly bare: Server;
}

/** Tells how far a measurement is. */
export type Tell = (text: string) => void;

const middle = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of));

/** The same load on both, in turn. @returns the rounds of both, pair by pair */
async function alternate({ service, bare }: Sides, rounds: number, of: Load, tell: Tell): Promise<[Round, Round][]> {
  const pairs: [Round, Round][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`round ${round} of ${rounds}`);
    pairs.push([await load(service, of), await load(bare, of)]);
  }
  return pairs;
}

const latencies = (group: string, ours: readonly Round[], theirs: readonly Round[]): Result[] =>
  [
    { name: "median", of: (round: Round) => round.medianMilliseconds },
    { name: "p99", of: (round: Round) => round.p99Milliseconds },
  ].map(({ name, of }) => ({ group, name, unit: "ms", service: middle(ours, of), yardstick: middle(theirs, of) }));

/** GET /snippet from many connections; and the memory of both while it lasts. */
export async function reads(sides: Sides, { rounds, seconds }: Plan, requests: string, tell: Tell): Promise<Result[]> {
  const connections = 64;
  const group = `GET /snippet, ${connections} connections`;
  const most = { requests, connections };
  const idle = { service: residentMegabytes(sides.service), yardstick: residentMegabytes(sides.bare) };
  const loaded = { ...idle };
  const watch = setInterval(() => {
    loaded.service = Math.max(loaded.service, residentMegabytes(sides.service));
    loaded.yardstick = Math.max(loaded.yardstick, residentMegabytes(sides.bare));
  }, 100);
  await alternate(sides, 1, { ...most, seconds: 1 }, () => tell("warming up"));
  const pairs = await alternate(sides, rounds, { ...most, seconds }, tell);
  clearInterval(watch);
  const [ours, theirs] = [pairs.map(([service]) => service), pairs.map(([, bare]) => bare)];
  return [
    {
      group,
      name: "requests",
      unit: "/s",
      service: middle(ours, (round) => round.perSecond),
      yardstick: middle(theirs, (round) => round.perSecond),
      ratio: median(pairs.map(([service, bare]) => service.perSecond / bare.perSecond)),
      aim: { of: "ratio", atLeast: 0.5 },
    },
    ...latencies(group, ours, theirs),
    { group: "Memory", name: "idle", unit: "MB", ...idle, aim: { of: "service", atMost: 90 } },
    { group: "Memory", name: "under load", unit: "MB", ...loaded },
  ];
}

/** A call that waits for nobody and that nobody waits for. */
export async function loneReads(sides: Sides, plan: Plan, requests: string, tell: Tell): Promise<Result[]> {
  const pairs = await alternate(sides, plan.rounds, { requests, connections: 1, seconds: plan.loneSeconds }, tell);
  return latencies(
    "GET /snippet, 1 connection",
    pairs.map(([service]) => service),
    pairs.map(([, bare]) => bare),
  );
}

/** POST /snippets beside the bare inserts of the same rows. @param copy the same database, for the bare inserts alone */
export async function batches(
  service: Server,
  { rounds, batchSeconds }: Plan,
  requests: string,
  copy: string,
  tell: Tell,
): Promise<Result[]> {
  const cases = [1, 8].map((connections) => ({ connections, rounds: [] as Round[], ratios: [] as number[] }));
  const inserts: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`round ${round} of ${rounds}`);
    const bare = await runScript<{ perSecond: number }>("bare-inserts.ts", copy, batchSeconds);
    inserts.push(bare.perSecond * batchSize);
    for (const each of cases) {
      const ours = await load(service, { requests, connections: each.connections, seconds: batchSeconds });
      each.rounds.push(ours);
      each.ratios.push(ours.perSecond / bare.perSecond);
    }
  }
  return cases.map((each) => ({
    group: `POST /snippets, ${batchSize} in each`,
    name: each.connections === 1 ? "1 connection" : `${each.connections} connections`,
    unit: "snippets/s",
    service: middle(each.rounds, (round) => round.perSecond) * batchSize,
    yardstick: median(inserts),
    ratio: median(each.ratios),
    aim: { of: "ratio", atLeast: 0.5 },
  }));
}

/** From starting the process to its first answer. @param start starts a server and makes one call, each time anew */
export async function starts(
  plan: Plan,
  begin: { service: () => Promise<Server>; bare: () => Promise<Server> },
  call: (server: Server) => Promise<void>,
  tell: Tell,
): Promise<Result[]> {
  const time = async (start: () => Promise<Server>): Promise<number> => {
    const begunAt = performance.now();
    const server = await start();
    await call(server);
    const milliseconds = performance.now() - begunAt;
    await server.stop();
    return milliseconds;
  };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let count = 1; count <= plan.starts; count += 1) {
    tell(`${count} of ${plan.starts}`);
    ours.push(await time(begin.service));
    theirs.push(await time(begin.bare));
  }
  return [
    {
      group: "Start",
      name: "to the first answer",
      unit: "ms",
      service: median(ours),
      yardstick: median(theirs),
      aim: { of: "service", atMost: 300 },
    },
  ];
}
