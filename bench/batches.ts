// POST /snippets compared with bare inserts of the same snippets, on either engine.
import { type Measured, measureRound } from "./compare.ts";
import { load } from "./load.ts";
import type { Plan } from "./plan.ts";
import type { Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { batchSize } from "./sample.ts";
import { median } from "./statistics.ts";

export interface Batches {
  readonly group: string;
  readonly requests: string;
  /** The connections that send batches, and the least ratio that is aimed at. */
  readonly cases: readonly { readonly connections: number; readonly atLeast?: number }[];
  /** Inserts batches for some seconds. @returns how many a second */
  readonly insertBare: (connections: number, seconds: number) => Promise<number>;
}

export async function measureBatches(
  service: Server,
  { rounds, seconds }: Plan,
  { group, requests, cases, insertBare }: Batches,
): Promise<Result[]> {
  const measured = cases.map((each) => ({ ...each, ours: [] as Measured[], theirs: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    showProgress(group, round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    for (const { connections, ours, theirs } of measured) {
      const bare = await insertBare(connections, round === 0 ? 1 : seconds);
      const of = { requests, connections, seconds: round === 0 ? 1 : seconds };
      const taken = await measureRound(service, () => load(service, of));
      if (round === 0) continue;
      theirs.push(bare);
      ours.push(taken);
    }
  }
  return measured.flatMap(({ connections, atLeast, ours, theirs }): Result[] => [
    {
      group,
      name: connections === 1 ? "1 connection" : `${connections} connections`,
      unit: "snippets/s",
      service: median(ours.map((round) => round.perSecond)) * batchSize,
      baseline: median(theirs) * batchSize,
      ratio: median(ours.map((round, index) => round.perSecond / (theirs[index] ?? Number.NaN))),
      ...(atLeast === undefined ? {} : { aim: { of: "ratio", atLeast } }),
    },
  ]);
}
