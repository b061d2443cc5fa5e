// Several nodes on one PostgreSQL database, compared with one of them alone.
import { join } from "node:path";
import { transactionRunner } from "./bare-transactions.ts";
import { load } from "./load.ts";
import type { Plan } from "./plan.ts";
import type { Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { callsOf, writeReads } from "./requests.ts";
import { clients, keys, warmUpSeconds, withShared } from "./shared.ts";
import { median } from "./statistics.ts";

const nodes = 3;

/** Several nodes and as many workspaces as keys, so that no call waits for the balance of another. */
export const measureNodes = (directory: string, plan: Plan): Promise<Result[]> =>
  withShared(directory, plan, keys, async (shared) => {
    const requests = join(directory, "reads");
    writeReads(requests, callsOf("/snippet?id=", shared.instance.snippets));
    const servers = await Promise.all(Array.from({ length: nodes }, (_, number) => shared.startNode(number)));
    const [first] = servers as [Server];
    const one = async (seconds: number) => (await load(first, { requests, connections: clients, seconds })).perSecond;
    const all = async (seconds: number) => {
      const share = { requests, connections: Math.floor(clients / nodes), seconds };
      const rounds = await Promise.all(servers.map((server) => load(server, share)));
      return rounds.reduce((sum, round) => sum + round.perSecond, 0);
    };
    const taken: { bare: number; one: number; all: number }[] = [];
    for (let round = 0; round <= plan.rounds; round += 1) {
      showProgress("Nodes of PostgreSQL", round === 0 ? "warming up" : `round ${round} of ${plan.rounds}`);
      const seconds = round === 0 ? warmUpSeconds : plan.seconds;
      const bare = await shared.runBare(seconds);
      const each = { bare, one: await one(seconds), all: await all(seconds) };
      if (round > 0) taken.push(each);
    }
    await Promise.all(servers.map((server) => server.stop()));
    const compare = (name: string, ours: "one" | "all", theirs: "bare" | "one"): Result => ({
      group: `GET /snippet, PostgreSQL, ${clients} connections, ${keys} workspaces`,
      name,
      unit: "/s",
      service: median(taken.map((each) => each[ours])),
      baseline: median(taken.map((each) => each[theirs])),
      ratio: median(taken.map((each) => each[ours] / each[theirs])),
    });
    return [compare(`1 node : ${transactionRunner}`, "one", "bare"), compare(`${nodes} nodes : 1 node`, "all", "one")];
  });
