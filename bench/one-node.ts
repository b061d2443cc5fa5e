// One node on PostgreSQL, compared with pgbench and with bare inserts on the same server.
import { join } from "node:path";
import { transactionRunner } from "./bare-transactions.ts";
import { measureBatches } from "./batches.ts";
import { type Measured, measureRound } from "./compare.ts";
import { load } from "./load.ts";
import type { Plan } from "./plan.ts";
import { runScript } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { callsOf, writeBatches, writeReads } from "./requests.ts";
import { batchSize } from "./sample.ts";
import { clients, keys, warmUpSeconds, withShared } from "./shared.ts";
import { median } from "./statistics.ts";
import { diskResult } from "./writes.ts";

/** The least ratios that are aimed at. */
const aims = { read: 1.5, batches: 0.7 } as const;

/** One node and many keys of one workspace, whose calls all draw from one balance. */
export const measurePostgres = (directory: string, plan: Plan): Promise<Result[]> =>
  withShared(directory, plan, 1, async (shared) => {
    const { instance, startNode } = shared;
    const [reads, batches] = [join(directory, "reads"), join(directory, "batches")];
    writeReads(reads, callsOf("/snippet?id=", instance.snippets));
    writeBatches(batches, instance.tenants);
    const node = await startNode(1);
    const [ours, theirs]: [Measured[], number[]] = [[], []];
    for (let round = 0; round <= plan.rounds; round += 1) {
      showProgress("GET /snippet, PostgreSQL", round === 0 ? "warming up" : `round ${round} of ${plan.rounds}`);
      const seconds = round === 0 ? warmUpSeconds : plan.seconds;
      const bare = await shared.runBare(seconds);
      const taken = await measureRound(node, () => load(node, { requests: reads, connections: clients, seconds }));
      if (round === 0) continue;
      theirs.push(bare);
      ours.push(taken);
    }
    const inserting = await measureBatches(node, plan, {
      group: `POST /snippets, ${batchSize} in each, PostgreSQL`,
      requests: batches,
      cases: [{ connections: 8, atLeast: aims.batches }],
      insertBare: async (count, seconds) =>
        (await runScript<{ perSecond: number }>("bare-batches.ts", shared.bareUrl, count, seconds)).perSecond,
    });
    await node.stop();
    const group = `GET /snippet, PostgreSQL, ${clients} connections, ${keys} keys of 1 workspace`;
    return [
      {
        group,
        name: `requests : ${transactionRunner}`,
        unit: "/s",
        service: median(ours.map((round) => round.perSecond)),
        baseline: median(theirs),
        ratio: median(ours.map((round, index) => round.perSecond / (theirs[index] ?? Number.NaN))),
        aim: { of: "ratio", atLeast: aims.read },
      },
      ...(["median", "p99"] as const).map(
        (name): Result => ({
          group,
          name,
          unit: "ms",
          service: median(ours.map((round) => (name === "p99" ? round.p99Milliseconds : round.medianMilliseconds))),
        }),
      ),
      {
        group,
        name: "CPU time per request, node",
        unit: "µs",
        service: median(ours.map((round) => round.microsecondsPerCall)),
      },
      ...inserting,
      diskResult("PostgreSQL", shared.bytesPerSnippet),
    ];
  });
