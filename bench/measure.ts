// The measurements of the embedded engine. Rounds of the service and its yardstick alternate, so that other load on
// the machine affects both.
import { type Load, load, type Round } from "./load.ts";
import { residentMegabytes, runScript, type Server } from "./processes.ts";
import type { Result } from "./report.ts";
import { batchSize } from "./sample.ts";
import { median } from "./statistics.ts";

/** The size of the measurements. */
export interface Plan {
  readonly snippets: number;
  /** Increasing numbers of snippets at which the same calls are compared. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly singleSeconds: number;
  readonly batchSeconds: number;
  readonly starts: number;
}

export interface Servers {
  readonly service: Server;
  readonly bare: Server;
}

/** Shows the progress of a measurement. */
export type ShowProgress = (text: string) => void;

/** The median of one figure of the rounds. */
export const medianOf = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of));

/** Puts the same load on both servers, in turn. @returns the rounds of both, pair by pair */
async function alternate(
  { service, bare }: Servers,
  rounds: number,
  of: Load,
  showProgress: ShowProgress,
): Promise<[Round, Round][]> {
  const pairs: [Round, Round][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    showProgress(`round ${round} of ${rounds}`);
    pairs.push([await load(service, of), await load(bare, of)]);
  }
  return pairs;
}

const latencyResults = (group: string, ours: readonly Round[], theirs: readonly Round[]): Result[] =>
  [
    { name: "median", of: (round: Round) => round.medianMilliseconds },
    { name: "p99", of: (round: Round) => round.p99Milliseconds },
  ].map(({ name, of }) => ({ group, name, unit: "ms", service: medianOf(ours, of), yardstick: medianOf(theirs, of) }));

/** GET /snippet from many connections, and the memory of both servers meanwhile. */
export async function measureReads(
  servers: Servers,
  { rounds, seconds }: Plan,
  requests: string,
  showProgress: ShowProgress,
): Promise<Result[]> {
  const connections = 64;
  const group = `GET /snippet, ${connections} connections`;
  const baseLoad = { requests, connections };
  const idle = { service: residentMegabytes(servers.service), yardstick: residentMegabytes(servers.bare) };
  const loaded = { ...idle };
  const timer = setInterval(() => {
    loaded.service = Math.max(loaded.service, residentMegabytes(servers.service));
    loaded.yardstick = Math.max(loaded.yardstick, residentMegabytes(servers.bare));
  }, 100);
  await alternate(servers, 1, { ...baseLoad, seconds: 1 }, () => showProgress("warming up"));
  const pairs = await alternate(servers, rounds, { ...baseLoad, seconds }, showProgress);
  clearInterval(timer);
  const [ours, theirs] = [pairs.map(([service]) => service), pairs.map(([, bare]) => bare)];
  return [
    {
      group,
      name: "requests",
      unit: "/s",
      service: medianOf(ours, (round) => round.perSecond),
      yardstick: medianOf(theirs, (round) => round.perSecond),
      ratio: median(pairs.map(([service, bare]) => service.perSecond / bare.perSecond)),
      aim: { of: "ratio", atLeast: 0.5 },
    },
    ...latencyResults(group, ours, theirs),
    { group: "Memory", name: "idle", unit: "MB", ...idle, aim: { of: "service", atMost: 90 } },
    { group: "Memory", name: "under load", unit: "MB", ...loaded },
  ];
}

/** GET /snippet from one connection. */
export async function measureSingleReads(
  servers: Servers,
  plan: Plan,
  requests: string,
  showProgress: ShowProgress,
): Promise<Result[]> {
  const pairs = await alternate(
    servers,
    plan.rounds,
    { requests, connections: 1, seconds: plan.singleSeconds },
    showProgress,
  );
  return latencyResults(
    "GET /snippet, 1 connection",
    pairs.map(([service]) => service),
    pairs.map(([, bare]) => bare),
  );
}

/** POST /snippets, compared with bare inserts of the same rows. @param copy a copy of the database for the bare inserts */
export async function measureBatches(
  service: Server,
  { rounds, batchSeconds }: Plan,
  requests: string,
  copy: string,
  showProgress: ShowProgress,
): Promise<Result[]> {
  const cases = [1, 8].map((connections) => ({ connections, rounds: [] as Round[], ratios: [] as number[] }));
  const inserts: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    showProgress(`round ${round} of ${rounds}`);
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
    service: medianOf(each.rounds, (round) => round.perSecond) * batchSize,
    yardstick: median(inserts),
    ratio: median(each.ratios),
    aim: { of: "ratio", atLeast: 0.5 },
  }));
}

/** The time from the start of the process to its first response. */
export async function measureStarts(
  plan: Plan,
  start: { service: () => Promise<Server>; bare: () => Promise<Server> },
  call: (server: Server) => Promise<void>,
  showProgress: ShowProgress,
): Promise<Result[]> {
  const time = async (startServer: () => Promise<Server>): Promise<number> => {
    const startedAt = performance.now();
    const server = await startServer();
    await call(server);
    const milliseconds = performance.now() - startedAt;
    await server.stop();
    return milliseconds;
  };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let count = 1; count <= plan.starts; count += 1) {
    showProgress(`${count} of ${plan.starts}`);
    ours.push(await time(start.service));
    theirs.push(await time(start.bare));
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
