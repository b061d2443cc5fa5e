// Rounds of the service and its baseline in turn, so that other load on the machine affects both, and what they come to.
import { type Load, load, type Round } from "./load.ts";
import { ownMegabytes, processorSeconds, residentMegabytes, type Server } from "./processes.ts";
import type { Aim, Result } from "./report.ts";
import { median } from "./statistics.ts";

export interface Servers {
  readonly service: Server;
  readonly bare: Server;
}

/** A round, and the processor time of the server meanwhile. */
export interface Measured extends Round {
  readonly microsecondsPerCall: number;
}

export interface Pair {
  readonly service: Measured;
  readonly baseline: Measured;
}

/** Shows the progress of a measurement. */
export type ShowProgress = (text: string) => void;

export async function measureRound(server: Server, run: () => Promise<Round>): Promise<Measured> {
  const secondsBefore = processorSeconds(server);
  const round = await run();
  return { ...round, microsecondsPerCall: ((processorSeconds(server) - secondsBefore) / round.calls) * 1e6 };
}

/** Runs rounds on both servers in turn. */
export async function alternate(
  { service, bare }: Servers,
  rounds: number,
  of: Load,
  showProgress: ShowProgress,
  {
    run = load,
    isWarm = false,
  }: {
    readonly run?: (server: Server, of: Load) => Promise<Round>;
    /** Without a second to warm up before the first round. */
    readonly isWarm?: boolean;
  } = {},
): Promise<Pair[]> {
  const measure = (server: Server, of: Load) => measureRound(server, () => run(server, of));
  const pairs: Pair[] = [];
  for (let round = isWarm ? 1 : 0; round <= rounds; round += 1) {
    showProgress(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    const load = round === 0 ? { ...of, seconds: 1 } : of;
    const pair = { service: await measure(service, load), baseline: await measure(bare, load) };
    if (round > 0) pairs.push(pair);
  }
  return pairs;
}

/** The median of one figure of the rounds. */
export const medianOf = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of));

/** The resident memory of processes, in MB. */
export interface Memory {
  readonly service: number;
  readonly baseline: number;
  /** What of the service's is not the program or the mapped database; undefined where the system does not say. */
  readonly own: number | undefined;
}

export const readMemory = ({ service, bare }: Servers): Memory => ({
  service: residentMegabytes(service),
  baseline: residentMegabytes(bare),
  own: ownMegabytes(service),
});

/** Runs `work` and looks at the memory ten times a second. @returns the most of each */
export async function withMemory<T>(servers: Servers, work: () => Promise<T>): Promise<{ value: T; memory: Memory }> {
  let memory = readMemory(servers);
  const look = () => {
    const now = readMemory(servers);
    memory = {
      service: Math.max(memory.service, now.service),
      baseline: Math.max(memory.baseline, now.baseline),
      own: now.own === undefined ? undefined : Math.max(memory.own ?? 0, now.own),
    };
  };
  const timer = setInterval(look, 100);
  try {
    const value = await work();
    look();
    return { value, memory };
  } finally {
    clearInterval(timer);
  }
}

export const memoryResults = (name: string, { service, baseline, own }: Memory, atMost: number): Result[] => [
  { group: "Memory", name, unit: "MB", service, baseline, aim: { of: "service", atMost } },
  ...(own === undefined
    ? []
    : [{ group: "Memory", name: `${name}, without files`, unit: "MB", service: own } as const]),
];

function figure(pairs: readonly Pair[], of: (round: Measured) => number) {
  return {
    service: median(pairs.map(({ service }) => of(service))),
    baseline: median(pairs.map(({ baseline }) => of(baseline))),
    ratio: median(pairs.map(({ service, baseline }) => of(service) / of(baseline))),
  };
}

/** How many calls a second. */
export const rateResult = (group: string, pairs: readonly Pair[], atLeast: number): Result => ({
  group,
  name: "requests",
  unit: "/s",
  ...figure(pairs, (round) => round.perSecond),
  aim: { of: "ratio", atLeast },
});

/** The processor time of a call. It is steadier than the rate where other programs run meanwhile. */
export const processorResult = (group: string, pairs: readonly Pair[]): Result => ({
  group,
  name: "CPU time per request",
  unit: "µs",
  ...figure(pairs, (round) => round.microsecondsPerCall),
});

export const medianResult = (group: string, pairs: readonly Pair[]): Result => ({
  group,
  name: "median",
  unit: "ms",
  ...figure(pairs, (round) => round.medianMilliseconds),
});

export const p99Result = (group: string, pairs: readonly Pair[], aim?: Aim): Result => ({
  group,
  name: "p99",
  unit: "ms",
  ...figure(pairs, (round) => round.p99Milliseconds),
  ...(aim ? { aim } : {}),
});
