// The parts of P26 that need whole services: restarts with a clock that was set, and a month that ends for three nodes at once.
import { steadyClock } from "../src/platform/database/database.ts";
import { engine } from "../test/support/engine.ts";
import { makeWorkspace, startNode } from "../test/support/nodes.ts";
import { limited, restart } from "../test/support/rate-limit.ts";
import { type Started, temporaryDirectory } from "../test/support/service.ts";
import { chooseStep, WindowModel } from "./clock-model.ts";
import type { Run } from "./proof.ts";
import { Random } from "./random.ts";

const restartsOf = { long: 200, short: 4, control: 0 };
const limit = 6;
const followedMilliseconds = 86_400_000;
const monthEndsOf = { long: 20, short: 2, control: 0 };
const callsAtMonthEnd = 500;
const keysAtMonthEnd = 50;
const skews = [-20, 0, 20];

/** Services on SQLite that are restarted while their clock is set: their time continues from the newest call, unless that is over a day ahead. */
export async function proveRestarts(run: Run): Promise<string> {
  const restarts = restartsOf[run.form];
  if (restarts === 0) return "no restarts";
  const config = { requestsPerMinute: limit };
  let started: Started = await limited({ config });
  const { secret } = started.key;
  const random = new Random(run.seed);
  const window = new WindowModel();
  let newest = 0;
  let now = started.clock.now;
  let made = 0;
  for (; made < restarts && !run.isOver(); made += 1) {
    for (let calls = random.integer(0, limit + 2); calls > 0; calls -= 1) {
      const { status } = await started.call("GET", "/me", { key: secret });
      run.made.inputs += 1;
      const isExpected = window.count(now) < limit;
      if ((status === 200) !== isExpected)
        throw new Error(`${status} after ${made} restarts, with ${window.count(now)} calls in the window`);
      if (!isExpected) continue;
      window.add(now);
      newest = now;
    }
    const { elapsed, wall } = chooseStep(random, started.clock.now);
    started.clock.elapsed += elapsed;
    started.clock.now = wall;
    started = await restart(started, config);
    const behind = newest - wall;
    now = behind > 0 && behind <= followedMilliseconds ? newest : wall;
    run.show(`${made} restarts`, made / restarts);
  }
  return `${made} restarts, each after the clock was changed`;
}

/** Each round, a month ends while 500 calls are on their way to three nodes whose clocks differ. */
export async function proveMonthEnd(run: Run): Promise<string> {
  const rounds = monthEndsOf[run.form];
  if (rounds === 0) return "no month ends";
  const directory = temporaryDirectory();
  const location = await engine.prepare(directory);
  if (location.engine !== "postgres") throw new Error("three nodes share a PostgreSQL");
  const rows = engine.rowsOf(directory);
  const times = skews.map((skew) => ({ skew, now: Date.UTC(2027, 0, 1) }));
  const clockOf = (time: { readonly now: number }) =>
    steadyClock(
      () => time.now,
      () => time.now,
    );
  const nodes = await Promise.all(times.map((time) => startNode(location.url, { clock: clockOf(time) })));
  let both = 0;
  try {
    for (let round = 0; round < rounds && !run.isOver(); round += 1) {
      const [first] = nodes;
      if (!first) throw new Error("no node");
      const workspace = await makeWorkspace(first.database, { allowance: 10_000, keys: keysAtMonthEnd });
      for (const time of times) time.now = Date.UTC(2027, 1 + round, 1) + time.skew - 50;
      // The clocks go on with every fifth answer, and so pass midnight in the middle.
      const calls = Array.from({ length: callsAtMonthEnd }, async (_, number) => {
        const key = workspace.keys[number % keysAtMonthEnd]?.secret ?? "";
        const answer = await nodes[number % nodes.length]?.call(key, "GET", "/me");
        if (number % 5 === 0) for (const time of times) time.now += 1;
        return answer;
      });
      const answers = await Promise.all(calls);
      run.made.inputs += answers.length;
      const failed = answers.find((answer) => answer?.status !== 200);
      if (failed) throw new Error(`${failed.status}: ${failed.body.message}`);
      const months = await rows<{ month: string; balance: number; grants: number; granted: number; drawn: number }>(
        `select m.month, m.balance,
           (select count(*) from quota_grants g where g.workspace_id = m.workspace_id and g.month = m.month) as grants,
           (select sum(g.units) from quota_grants g where g.workspace_id = m.workspace_id and g.month = m.month) as granted,
           (select coalesce(sum(l.units), 0) from ledger l where l.workspace_id = m.workspace_id
             and to_char(l.admitted_at at time zone 'UTC', 'YYYY-MM') = m.month) as drawn
         from quota_months m where m.workspace_id = ? order by m.month`,
        workspace.id,
      );
      for (const { month, balance, grants, granted, drawn } of months)
        if (grants !== 1 || granted !== 10_000 || granted - drawn !== balance)
          throw new Error(`${month}: ${grants} grants of ${granted} units, ${drawn} drawn, ${balance} left`);
      const drawn = months.reduce((sum, month) => sum + month.drawn, 0);
      if (drawn !== callsAtMonthEnd) throw new Error(`${drawn} units were charged for ${callsAtMonthEnd} calls`);
      if (months.length === 2) both += 1;
      run.show(`${round + 1} month ends`, round / rounds);
    }
    if (both === 0) throw new Error("no month ended during the calls");
    return `${both} of ${rounds} month ends passed within ${callsAtMonthEnd} calls on three nodes: one grant in each month`;
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await engine.release(directory);
  }
}
