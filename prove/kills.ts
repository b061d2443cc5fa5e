// A kill at any moment: the data is whole, the service responds again within five seconds, and nobody has to do anything. Kills hit at random
// moments, at chosen lines of the source, and at chosen calls with which SQLite or PostgreSQL change their files.
import { expect } from "bun:test";
import type { PrivatePostgres } from "../test/support/private-postgres.ts";
import type { ServiceProcess } from "../test/support/process.ts";
import type { Settings } from "../test/support/program.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import { type Clients, makeClients } from "./clients.ts";
import { type FaultOrder, type FaultyCalls, makeFaultyCalls } from "./faulty-calls.ts";
import { killAt, killPoints } from "./kill-points.ts";
import { environmentOf } from "./planted-fault.ts";
import type { EngineName, Form, Prove } from "./proof.ts";
import { Random } from "./random.ts";
import { endProcess, processesOf, supervise } from "./server-processes.ts";
import { makeSite, type Site } from "./site.ts";

const killsOf: Readonly<Record<Form, number>> = { long: 500, short: 6, control: 30 };
const clientsCount = 8;
const callsBeforeKillMax = 80;
const serviceMillisecondsMax = 5_000;
/** When a chosen line or call was not reached until then, the kill comes at that moment. */
const reachMilliseconds = 3_000;
const fileCallsMax = 400;
const readPerRound = 4;
/** Checking all of PostgreSQL's tables and indexes takes a while. */
const roundsPerCheck = 10;
const noticeMilliseconds = 50;
/** As a shell reports it: 128 and SIGKILL. */
const killedStatus = 137;

/** A way to kill something while calls are made. */
interface Kill {
  readonly name: string;
  readonly isOfServer?: boolean;
  /** Of the service that is to be killed. */
  readonly settings?: Settings;
  /** The chosen call on a file. */
  readonly order?: FaultOrder;
}

type ChooseKill = (random: Random, site: Site) => Kill;

export const prove: Prove = async ({ engine, form, seed, made, isOver, show }) => {
  const random = new Random(seed);
  const calls = makeFaultyCalls();
  const directory = temporaryDirectory();
  // For everything that this process starts: what it does elsewhere does not count.
  Object.assign(process.env, calls.environmentFor(directory));
  const site = await makeSite(directory);
  const { server } = site;
  let service = await site.start();
  const clients = await makeClients(site.dataDirectory, site.location, clientsCount, random);
  const [kills, counts] = [killsOf[form], new Map<string, number>()];
  let slowest = 0;
  while (made.runs < kills && !isOver()) {
    const kill = form === "control" ? atRandom() : random.pick(kindsOf[engine])(random, site);
    let milliseconds: number;
    if (kill.isOfServer && server) milliseconds = await killServer(site, service, server, clients, kill, random, calls);
    else {
      await end(service);
      ({ service, milliseconds } = await killService(site, clients, kill, random, calls));
    }
    expect(milliseconds).toBeLessThan(serviceMillisecondsMax);
    slowest = Math.max(slowest, milliseconds);
    await site.ask(clients.compare);
    if (engine === "sqlite" || made.runs % roundsPerCheck === 0) expect(await site.findings()).toEqual([]);
    await clients.readSome(service, readPerRound);
    counts.set(kill.name, (counts.get(kill.name) ?? 0) + 1);
    made.runs += 1;
    made.inputs = clients.acknowledged();
    show(`${made.runs} of ${kills} kills, ${made.inputs} acknowledged calls`, made.runs / kills);
  }
  expect(await site.findings()).toEqual([]);
  await end(service);
  await server?.stop("immediate");
  const kinds = [...counts].map(([name, count]) => `${count} ${name}`);
  return [`kills: ${kinds.join(", ")}`, `the slowest return to service took ${Math.round(slowest)} ms`];
};

/** As an operator ends it, so that the next one can be started with other settings. */
async function end(service: ServiceProcess): Promise<void> {
  service.kill("SIGTERM");
  expect(await service.ended).toBe(0);
}

const atRandom = (): Kill => ({ name: "of the service at a random moment" });

const atLine: ChooseKill = (random, { server }) => {
  const engine = server ? "postgres" : "sqlite";
  const points = killPoints.filter((point) => (point.engine ?? engine) === engine);
  return { name: "of the service at a chosen line", settings: environmentOf([killAt(random.pick(points))]) };
};

const orderOf = (random: Random): FaultOrder => ({
  action: random.pick(["kill before", "kill after", "kill halfway"]),
  chosen: random.integer(1, fileCallsMax),
  kinds: ["write", "flush", "shape"],
});

const atFileChange: ChooseKill = (random) => ({
  name: "of the service at a chosen change of a file",
  order: orderOf(random),
});

const atServerFileChange: ChooseKill = (random) => ({
  name: "of PostgreSQL at a chosen change of a file",
  isOfServer: true,
  order: orderOf(random),
});

const ofServer: ChooseKill = () => ({ name: "of a process of PostgreSQL at a random moment", isOfServer: true });

const kindsOf: Readonly<Record<EngineName, readonly ChooseKill[]>> = {
  sqlite: [atRandom, atLine, atFileChange],
  postgres: [atRandom, atLine, atServerFileChange, ofServer],
};

/** Kills the service and starts it again. @returns it, and how long it took to respond */
async function killService(site: Site, clients: Clients, kill: Kill, random: Random, calls: FaultyCalls) {
  calls.order(kill.order);
  // One that is killed while it starts has acknowledged nothing.
  const service = await site.start(kill.settings).catch((error) => {
    expect(String(error)).toContain(`serve ended with ${killedStatus}`);
  });
  if (service) {
    const load = clients.begin(() => [service], true);
    await load.reach(random.integer(1, callsBeforeKillMax));
    await Bun.sleep(random.integer(0, 10));
    if (kill.settings || kill.order) await Promise.race([service.ended, Bun.sleep(reachMilliseconds)]);
    service.kill("SIGKILL");
    await Promise.all([service.ended, load.end()]);
  }
  calls.order(undefined);
  if (site.server) await waitForSessions(site);
  const startedAt = performance.now();
  const again = await site.start();
  return { service: again, milliseconds: performance.now() - startedAt };
}

/** A commit that the killed service had sent may still be under way. */
async function waitForSessions(site: Site): Promise<void> {
  const sessions = () =>
    site.ask((rows) => rows("select 1 from pg_stat_activity where application_name = 'commonplace'"));
  while ((await sessions()).length > 0) await Bun.sleep(5);
}

/** Kills a process of PostgreSQL, which its supervisor starts again. @returns how long calls were not served once it was back */
async function killServer(
  site: Site,
  service: ServiceProcess,
  server: PrivatePostgres,
  clients: Clients,
  kill: Kill,
  random: Random,
  calls: FaultyCalls,
) {
  const load = clients.begin(() => [service], false);
  const supervisor = supervise(server);
  calls.order(kill.order);
  await load.reach(random.integer(1, callsBeforeKillMax));
  const until = performance.now() + reachMilliseconds;
  while (kill.order && calls.seen().hits === 0 && performance.now() < until) await Bun.sleep(1);
  if (calls.seen().hits === 0) endProcess(random.pick(processesOf(server)));
  calls.order(undefined);
  // Until it has noticed, responses to what was under way may still come.
  await Bun.sleep(noticeMilliseconds);
  while (!(await site.ask((rows) => rows("select 1")).catch(() => undefined))) await Bun.sleep(20);
  const backAt = performance.now();
  await load.reach(clientsCount);
  const milliseconds = performance.now() - backAt;
  await load.end();
  await supervisor.end();
  return milliseconds;
}
