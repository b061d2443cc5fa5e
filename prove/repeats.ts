// A request that is sent again is carried out and charged once: creates through connections that are cut in the middle of the responses, by
// services that are killed, until each has a response. And a payment reference credits once.
import { expect } from "bun:test";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Commonplace } from "../sdk/src/index.ts";
import { grantPackage } from "../src/metering/quota/quota.ts";
import { DatabaseUnavailable } from "../src/platform/database/database.ts";
import { startCuttingProxy } from "../test/support/cutting-proxy.ts";
import { databaseSettings, engine, openNode, type Rows } from "../test/support/engine.ts";
import { makeWorkspace, type Workspace } from "../test/support/nodes.ts";
import { type ServiceProcess, spawnService } from "../test/support/process.ts";
import { expectConsistentBalances } from "../test/support/quota-totals.ts";
import { temporaryDirectory, text } from "../test/support/service.ts";
import type { Form, Prove } from "./proof.ts";
import { Random } from "./random.ts";

const createsOf: Readonly<Record<Form, number>> = { long: 10_000, short: 150, control: 200 };
const paymentsOf: Readonly<Record<Form, number>> = { long: 500, short: 20, control: 0 };
const killsOf: Readonly<Record<Form, number>> = { long: 20, short: 2, control: 0 };
const clientsCount = 8;
/** A TLS handshake takes about two kilobytes of it, a response one. */
const bytesBeforeCutMax = 8_000;
const allowance = 1_000_000;

export const prove: Prove = async ({ form, seed, made, isOver, show }) => {
  const random = new Random(seed);
  const nodes = await startNodes(engine.name === "postgres" ? 3 : 1);
  const proxy = await startCuttingProxy(
    () => random.pick(nodes.all).port,
    () => random.integer(1, bytesBeforeCutMax),
  );
  const count = createsOf[form];
  const counts = { attempts: 0, replays: 0, kills: 0 };
  /** What the clients were told: the ID of the snippet with each title. */
  const told = new Map<string, string>();
  let next = 0;
  const work = async (client: Commonplace, teamId: string) => {
    while (next < count && !isOver()) {
      next += 1;
      const body = { title: `Snippet ${next}`, content: text("x"), teamId };
      const idempotencyKey = `create ${next} of ${seed}`.replaceAll(" ", "-");
      // Now and then twice at once.
      const sent = Array.from({ length: random.isTrue(0.1) ? 2 : 1 }, () =>
        client.postSnippet(body, { idempotencyKey }),
      );
      for (const { data, response } of await Promise.all(sent)) {
        const known = told.get(body.title);
        if (known !== undefined && known !== data.snippetId)
          throw new Error(`carried out more than once: ${body.title} as ${known} and as ${data.snippetId}`);
        told.set(body.title, data.snippetId);
        if (response?.isReplay) counts.replays += 1;
      }
      made.runs = told.size;
      made.inputs = counts.attempts;
      if (told.size % 50 === 0) show(`${told.size} of ${count} creates, ${proxy.cuts()} cuts`, told.size / count);
    }
  };
  const counting = (url: string, init: RequestInit) => {
    counts.attempts += 1;
    return fetch(url, { ...init, tls: { ca: nodes.ca } } as RequestInit);
  };
  const clients = nodes.workspace.keys.map(
    ({ secret }) =>
      new Commonplace({
        baseUrl: `https://localhost:${proxy.port}/api`,
        apiKey: secret,
        fetch: counting,
        retryWrites: { maxSeconds: Number.POSITIVE_INFINITY },
        sleep: () => Bun.sleep(random.integer(1, 20)),
      }),
  );
  let isDone = false;
  const killing = (async () => {
    for (; !isDone && counts.kills < killsOf[form]; await Bun.sleep(1)) {
      if (told.size * (killsOf[form] + 1) < count * (counts.kills + 1)) continue;
      counts.kills += 1;
      await nodes.killOne(random);
    }
  })();
  await Promise.all(clients.map((client) => work(client, nodes.workspace.teamId)));
  isDone = true;
  await killing;
  await proxy.close();
  await nodes.stop();
  const cut = await compare(nodes.rows, nodes.workspace.id, told);

  const payments = await proveReferences(nodes.dataDirectory, nodes.workspace.id, paymentsOf[form], random, isOver);
  await expectConsistentBalances(nodes.rows, nodes.workspace.id);
  expect(proxy.cuts()).toBeGreaterThan(told.size / 10);
  return [
    `${told.size} creates in ${counts.attempts} requests: ${proxy.cuts()} connections cut, ${counts.replays} responses sent again, ${counts.kills} kills`,
    `${cut} requests were cut before they were complete`,
    `${payments.references} payment references in ${payments.reports} reports`,
  ];
};

/** Compares the tables with what the clients were told. @returns how many requests were cut themselves, each of which is a failed one */
async function compare(rows: Rows, workspaceId: string, told: ReadonlyMap<string, string>): Promise<number> {
  const snippets = await rows<{ title: string; id: string }>(
    "select title, id from snippets where workspace_id = ?",
    workspaceId,
  );
  const titles = new Set(snippets.map(({ title }) => title));
  if (titles.size < snippets.length)
    throw new Error(`carried out more than once: ${snippets.length - titles.size} of ${titles.size} creates`);
  expect(new Map(snippets.map(({ title, id }) => [title, id]))).toEqual(new Map(told));
  const ledger = await rows<{ operation: string; status: number; units: number; error_code: string | null }>(
    "select operation, status, units, error_code from ledger where workspace_id = ?",
    workspaceId,
  );
  const incomplete = ledger.filter(({ error_code }) => error_code === "body_incomplete");
  const settled = ledger.filter(({ error_code }) => error_code !== "body_incomplete");
  expect(settled.filter(({ operation, status }) => operation !== "postSnippet" || status !== 200)).toEqual([]);
  const charged = settled.filter(({ units }) => units > 0);
  if (charged.length !== told.size) throw new Error(`${charged.length} charges for ${told.size} creates`);
  expect(charged.reduce((sum, { units }) => sum + units, 0)).toBe(told.size);
  return incomplete.length;
}

/** Reports each payment several times, from several connections at once, and again after a failure. */
async function proveReferences(
  dataDirectory: string,
  workspaceId: string,
  count: number,
  random: Random,
  isOver: () => boolean,
) {
  const databases = await Promise.all([1, 2, 3].map(() => openNode(dataDirectory)));
  let [references, reports] = [0, 0];
  const credited: boolean[] = [];
  while (references < count && !isOver()) {
    references += 1;
    const reference = `payment ${references}`;
    const report = async (): Promise<void> => {
      reports += 1;
      try {
        const outcome = await random
          .pick(databases)
          .transaction((transaction) => grantPackage(transaction, workspaceId, "100K", reference));
        credited.push(outcome.credited);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        await report();
      }
    };
    await Promise.all(Array.from({ length: random.integer(1, 4) }, report));
    if (random.isTrue(0.3)) await report();
  }
  for (const database of databases) await database.close();
  const grants = await engine.rowsOf(dataDirectory)<{ reference: string; units: number }>(
    "select reference, units from quota_grants where workspace_id = ? and reference is not null",
    workspaceId,
  );
  expect(new Set(grants.map(({ reference }) => reference)).size).toBe(references);
  expect(grants).toHaveLength(references);
  expect(credited.filter(Boolean)).toHaveLength(references);
  return { references, reports };
}

/** Services on one database, and a workspace in it. */
async function startNodes(count: number) {
  const dataDirectory = temporaryDirectory();
  const database = await openNode(dataDirectory);
  const workspace: Workspace = await makeWorkspace(database, { keys: clientsCount, allowance });
  await database.close();
  const settings = {
    COMMONPLACE_LOG_LEVEL: "error",
    COMMONPLACE_CONSOLE: "off",
    ...(await databaseSettings(dataDirectory)),
    ...(engine.name === "postgres" && { COMMONPLACE_DATABASE_CONNECTIONS: "5" }),
  };
  const directories = [dataDirectory, ...Array.from({ length: count - 1 }, temporaryDirectory)];
  const all: ServiceProcess[] = [await spawnService(dataDirectory, settings)];
  for (const directory of directories.slice(1)) {
    // One certificate for all of them.
    cpSync(join(dataDirectory, "tls"), join(directory, "tls"), { recursive: true });
    all.push(await spawnService(directory, settings));
  }
  return {
    all,
    workspace,
    dataDirectory,
    rows: engine.rowsOf(dataDirectory),
    ca: readFileSync(join(dataDirectory, "tls/ca.crt"), "utf8"),
    /** Kills one of them and starts it again. */
    killOne: async (random: Random) => {
      const at = random.integer(0, all.length - 1);
      all[at]?.kill("SIGKILL");
      await all[at]?.ended;
      all[at] = await spawnService(directories[at] ?? "", settings);
    },
    stop: async () => {
      for (const node of all) node.kill("SIGTERM");
      await Promise.all(all.map((node) => node.ended));
    },
  };
}
