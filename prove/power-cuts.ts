// What was acknowledged survives a power failure: writes under load on a disk whose power is cut again and again.

import { expect } from "bun:test";
import { makeClients } from "./clients.ts";
import { makeLoopDisk } from "./loop-disk.ts";
import type { Form, Prove } from "./proof.ts";
import { Random } from "./random.ts";
import { endProcess, isRunning, processesOf } from "./server-processes.ts";
import { makeSite } from "./site.ts";

const cutsOf: Readonly<Record<Form, number>> = { long: 150, short: 3, control: 10 };
const diskMegabytes = 1_024;
const clientsCount = 8;
const callsBeforeCutMax = 120;
const serviceMillisecondsMax = 5_000;
const readPerRound = 10;
/** What the control sets on the server; the service refuses to start on it unless a fault is planted in that check, too. */
const serverSettings = JSON.parse(process.env.PROVE_SERVER_SETTINGS ?? "{}");

export const prove: Prove = async ({ form, seed, made, isOver, show }) => {
  const random = new Random(seed);
  const disk = makeLoopDisk(diskMegabytes);
  const site = await makeSite(disk.path, { settings: { checkpoint_timeout: "30s", ...serverSettings } });
  let service = await site.start();
  // Now and then a text of some hundred pages, so that the log of SQLite is written back to the database.
  const length = () => (random.isTrue(0.1) ? random.integer(100, 5_000) : 3);
  const clients = await makeClients(site.dataDirectory, site.location, clientsCount, random, length);
  disk.sync();
  const cuts = cutsOf[form];
  let slowestStart = 0;
  while (made.runs < cuts && !isOver()) {
    const load = clients.begin(() => [service], true);
    await load.reach(random.integer(1, callsBeforeCutMax));
    await Bun.sleep(random.integer(0, 10));
    const serverProcesses = site.server ? processesOf(site.server) : [];
    load.distrust();
    disk.cutPower();
    // A service that does not notice could still acknowledge something.
    await Bun.sleep(random.integer(0, 100));
    service.kill("SIGKILL");
    for (const pid of serverProcesses) endProcess(pid);
    await Promise.all([service.ended, load.end()]);
    while (serverProcesses.some(isRunning)) await Bun.sleep(5);
    await disk.restorePower();

    await site.server?.start();
    const startedAt = performance.now();
    service = await site.start();
    const took = performance.now() - startedAt;
    slowestStart = Math.max(slowestStart, took);
    expect(took).toBeLessThan(serviceMillisecondsMax);
    await site.ask(clients.compare);
    expect(await site.findings()).toEqual([]);
    await clients.readSome(service, readPerRound);
    made.runs += 1;
    made.inputs = clients.acknowledged();
    show(`${made.runs} of ${cuts} cuts, ${made.inputs} acknowledged calls`, made.runs / cuts);
  }
  service.kill("SIGKILL");
  await service.ended;
  await site.server?.stop("immediate");
  return [
    `0 of ${clients.acknowledged()} acknowledged calls lost; the slowest start took ${Math.round(slowestStart)} ms`,
  ];
};
