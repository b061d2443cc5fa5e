// A failed write or flush is never hidden. Of the calls with which SQLite changes its files, one after another fails, until a run has no
// such call any more; the data is compared after each. Then pages of the database are damaged.
import { expect } from "bun:test";
import type { ServiceProcess } from "../test/support/process.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import { type Clients, makeClients } from "./clients.ts";
import { damagePages } from "./damaged-pages.ts";
import { type FaultOrder, type FaultyCalls, makeFaultyCalls } from "./faulty-calls.ts";
import type { Form, Prove } from "./proof.ts";
import { Random } from "./random.ts";
import { makeSite, type Site } from "./site.ts";

/** How far apart the calls are that fail; the seed decides where they begin. */
const stepOf: Readonly<Record<Form, number>> = { long: 5, short: 100, control: 2 };
const pagesOf: Readonly<Record<Form, number>> = { long: 60, short: 3, control: 0 };
const clientsCount = 4;
const callsPerRun = 30;
const callsBeforeDamage = 400;
const startMilliseconds = 5_000;
const ownFailure = /^serve ended with 1: .*"service ended"/s;

export const prove: Prove = async (run) => {
  const { form, seed, made, isOver, show } = run;
  const random = new Random(seed);
  const calls = makeFaultyCalls();
  const directory = temporaryDirectory();
  // For everything that this process starts: what it does elsewhere does not count.
  Object.assign(process.env, calls.environmentFor(directory));
  const site = await makeSite(directory);
  const first = await site.start();
  const clients = await makeClients(site.dataDirectory, site.location, clientsCount, random);
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const load = clients.begin(() => [first], false);
  await load.reach(callsBeforeDamage);
  await load.end();
  await end(first);
  const damage = await damagePages(site.dataDirectory, clients, random, pagesOf[form], run);
  for (const plan of form === "control" ? plans.slice(0, 1) : plans)
    for (
      let [chosen, isClean] = [random.integer(1, stepOf[form]), false];
      !isClean && !isOver();
      chosen += stepOf[form]
    ) {
      const outcome = await failService(site, clients, calls, { ...plan, chosen });
      calls.order(undefined);
      const service = await site.start();
      await site.ask(clients.compare);
      expect(await site.findings()).toEqual([]);
      await end(service);
      count(outcome);
      isClean = outcome === nothingFailed;
      made.runs += 1;
      made.inputs = clients.acknowledged();
      show(`${made.runs} runs, call ${chosen}, ${plan.action}: ${outcome}`);
    }
  return [...damage, ...[...counts].map(([name, times]) => `${times} runs: ${name}`)];
};

const plans: readonly Pick<FaultOrder, "action" | "kinds">[] = [
  // What could not be flushed is then the last that was written.
  { action: "fail from here", kinds: ["flush"] },
  { action: "fail from here", kinds: ["write", "flush", "shape"] },
  { action: "fail once", kinds: ["write", "flush", "shape"] },
];

const nothingFailed = "no call was left to fail";

async function end(service: ServiceProcess): Promise<void> {
  service.kill("SIGTERM");
  expect(await service.ended).toBe(0);
}

/** A run of the service in which a call on SQLite's files fails, from the start to the end. @returns what came of it */
async function failService(site: Site, clients: Clients, calls: FaultyCalls, order: FaultOrder): Promise<string> {
  calls.order(order);
  let service: ServiceProcess;
  try {
    service = await site.start();
  } catch (error) {
    // It says why, as for any other error that an operator has to fix.
    expect(String(error instanceof Error ? error.message : error)).toMatch(ownFailure);
    expect(calls.seen().hits).toBeGreaterThan(0);
    return "the service refused to start and said why";
  }
  const load = clients.begin(() => [service], true);
  await Promise.race([load.reach(callsPerRun), Bun.sleep(startMilliseconds)]);
  await load.end();
  const wasHit = calls.seen().hits > 0;
  service.kill("SIGTERM");
  const status = await service.ended;
  if (status === 1) {
    expect(service.log()).toContain(`"message":"service ended"`);
    expect(calls.seen().hits).toBeGreaterThan(0);
    return "the service stopped and said why";
  }
  expect(status).toBe(0);
  if (wasHit) return "requests were refused or served, and the service went on";
  return calls.seen().hits > 0 ? "it failed while the service was stopped" : nothingFailed;
}
