// A full disk or a lost database: 503 with Retry-After, no half-finished work, no free requests, and service again without a restart. PostgreSQL
// is stopped, frozen, and full; connections are reset, and cut before, during, and after a commit.
import { expect } from "bun:test";
import { type Fate, startPostgresProxy } from "../test/support/postgres-proxy.ts";
import type { PrivatePostgres } from "../test/support/private-postgres.ts";
import type { Settings } from "../test/support/program.ts";
import { type Clients, type Load, makeClients } from "./clients.ts";
import { type LoopDisk, makeLoopDisk } from "./loop-disk.ts";
import type { Form, Prove } from "./proof.ts";
import { Random } from "./random.ts";
import { supervise } from "./server-processes.ts";
import { makeSite, type Site } from "./site.ts";

const roundsOf: Readonly<Record<Form, number>> = { long: 100, short: 4, control: 12 };
const clientsCount = 8;
const callsBeforeMax = 40;
const backMillisecondsMax = 5_000;
const fullMilliseconds = 3_000;
const refusedEnough = 12;
const diskMegabytes = { sqlite: 192, postgres: 512 };
const cutMilliseconds = 600;

interface Outage {
  readonly name: string;
  /** Begins and ends it. */
  readonly act: (load: Load) => Promise<void>;
}

export const prove: Prove = async ({ engine, form, seed, made, isOver, show }) => {
  const random = new Random(seed);
  const disk = makeLoopDisk(diskMegabytes[engine]);
  const site = await makeSite(disk.path);
  const { outages, settings, close } = await listOutages(site, disk, random, () => clients);
  const service = await site.start(settings);
  // Now and then a text that needs new space.
  const length = () => (random.isTrue(0.2) ? random.integer(100, 10_000) : 3);
  const clients = await makeClients(site.dataDirectory, site.location, clientsCount, random, length);
  const [rounds, counts] = [roundsOf[form], new Map<string, number>()];
  let slowest = 0;
  while (made.runs < rounds && !isOver()) {
    const outage = random.pick(outages);
    const supervisor = site.server && supervise(site.server);
    const load = clients.begin(() => [service], false);
    await load.reach(random.integer(1, callsBeforeMax));
    await outage.act(load);
    while (!(await site.ask((rows) => rows("select 1")).catch(() => undefined))) await Bun.sleep(20);
    const backAt = performance.now();
    await load.reach(clientsCount);
    const milliseconds = performance.now() - backAt;
    expect(milliseconds).toBeLessThan(backMillisecondsMax);
    slowest = Math.max(slowest, milliseconds);
    await load.end();
    await supervisor?.end();
    await site.ask(clients.compare);
    counts.set(outage.name, (counts.get(outage.name) ?? 0) + 1);
    made.runs += 1;
    made.inputs = clients.acknowledged();
    show(`${made.runs} of ${rounds} outages, ${made.inputs} acknowledged calls`, made.runs / rounds);
  }
  expect(await site.findings()).toEqual([]);
  service.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  await close();
  await site.server?.stop("immediate");
  return [
    `outages: ${[...counts].map(([name, count]) => `${count} ${name}`).join(", ")}`,
    `${clients.refused()} requests got 503; the slowest return to service took ${Math.round(slowest)} ms`,
  ];
};

async function listOutages(site: Site, disk: LoopDisk, random: Random, clients: () => Clients) {
  const full: Outage = {
    name: "with a full disk",
    act: async () => {
      const enough = clients().refused() + refusedEnough;
      disk.fill();
      const until = performance.now() + fullMilliseconds;
      while (clients().refused() < enough && performance.now() < until) await Bun.sleep(5);
      disk.free();
    },
  };
  const { server, location } = site;
  if (!server || location.engine !== "postgres") return { outages: [full], settings: {}, close: async () => undefined };
  const proxy = await startPostgresProxy(server.port);
  const settings: Settings = {
    COMMONPLACE_DATABASE_URL: location.url.replace(`:${server.port}/`, `:${proxy.port}/`),
  };
  const atCommits = (fate: Fate): Outage => ({
    name: `where a commit ${fate}`,
    act: async () => {
      proxy.decide = () => (random.isTrue(0.2) ? fate : "passes");
      await Bun.sleep(cutMilliseconds);
      proxy.decide = () => "passes";
    },
  });
  const fates = [
    "never arrives",
    "is cut off under way",
    "loses its answer",
    "is carried out and called a failure",
    "fails",
  ] as const;
  const reset: Outage = {
    name: "with connections that are reset and refused",
    act: async () => {
      proxy.isReachable = random.isTrue();
      proxy.cutAll();
      await Bun.sleep(random.integer(0, cutMilliseconds));
      proxy.isReachable = true;
    },
  };
  const outages = [full, reset, ...fates.map(atCommits), stopped(server, random), frozen(server, random)];
  return { outages, settings, close: proxy.close };
}

/** It is started again by its supervisor. */
const stopped = (server: PrivatePostgres, random: Random): Outage => ({
  name: "with PostgreSQL stopped",
  act: () => server.stop(random.pick(["fast", "immediate"])),
});

const frozen = (server: PrivatePostgres, random: Random): Outage => ({
  name: "with PostgreSQL frozen",
  act: async () => {
    await server.freeze();
    await Bun.sleep(random.integer(100, 2_000));
    server.thaw();
  },
});
