// Several nodes behave as one: three nodes on one PostgreSQL, where each client makes each call on a random one, so that what one node has
// acknowledged is read on any other. Every tenth commit is given up by PostgreSQL, and the second half runs at SERIALIZABLE.
import { expect } from "bun:test";
import { temporaryDirectory } from "../test/support/service.ts";
import { makeClients } from "./clients.ts";
import { environmentOf } from "./planted-fault.ts";
import type { Form, Prove } from "./proof.ts";
import { Random } from "./random.ts";
import { makeSite, type Site } from "./site.ts";

const roundsOf: Readonly<Record<Form, number>> = { long: 60, short: 4, control: 10 };
const nodesCount = 3;
const clientsCount = 16;
const callsPerRound = 500;
const callsOfShortRound = 100;

/** A transaction in PostgreSQL that conflicts with another one is the server's to give up, at any commit. */
const giveUpCommits = `create function give_up() returns trigger language plpgsql as $$ begin
    if random() < 0.1 then raise exception 'given up' using errcode = '40001'; end if; return new; end $$`;
const atCommit = `create constraint trigger give_up after insert on ledger deferrable initially deferred
    for each row execute function give_up()`;

/** Not a fault: the service has no setting for it. */
const serializable = environmentOf([
  {
    file: "src/platform/database/postgres.ts",
    find: "begin isolation level read committed",
    replace: "begin isolation level serializable",
  },
]);

export const prove: Prove = async ({ form, seed, made, isOver, show }) => {
  const random = new Random(seed);
  const site = await makeSite(temporaryDirectory(), { settings: { max_connections: "100" } });
  await end(await startNodes(site, 1, {}));
  const clients = await makeClients(site.dataDirectory, site.location, clientsCount, random);
  await site.ask(async (rows) => {
    await rows(giveUpCommits);
    await rows(atCommit);
  });
  const rounds = roundsOf[form];
  const halves = form === "control" ? [{}] : [{}, serializable];
  for (const [half, settings] of halves.entries()) {
    const nodes = await startNodes(site, nodesCount, settings);
    while (made.runs < ((half + 1) * rounds) / halves.length && !isOver()) {
      const load = clients.begin(() => nodes, false);
      await load.reach(form === "long" ? callsPerRound : callsOfShortRound);
      await load.end();
      await site.ask(clients.compare);
      made.runs += 1;
      made.inputs = clients.acknowledged();
      show(`${made.runs} of ${rounds} rounds, ${made.inputs} acknowledged calls`, made.runs / rounds);
    }
    await end(nodes);
  }
  expect(await site.findings()).toEqual([]);
  const [row] = await site.ask((rows) =>
    rows<{ given_up: number }>(
      "select xact_rollback as given_up from pg_stat_database where datname = current_database()",
    ),
  );
  await site.server?.stop("immediate");
  return [`${row?.given_up} transactions were rolled back meanwhile`];
};

/** Nodes have directories of their own. */
const startNodes = (site: Site, count: number, settings: Record<string, string>) =>
  Promise.all(
    Array.from({ length: count }, () => site.start({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), ...settings })),
  );

async function end(nodes: Awaited<ReturnType<typeof startNodes>>): Promise<void> {
  for (const node of nodes) node.kill("SIGTERM");
  for (const node of nodes) expect(await node.ended).toBe(0);
}
