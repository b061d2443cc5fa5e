// P26: trouble with clocks changes no charge and opens no window. Clocks that a proof sets step forward and back and cross the ends of months
// while keys call; a model says which calls are admitted and what each month is charged. Then a month ends for 500 calls at once.
import { createWorkspace } from "../src/accounts/workspaces/workspaces.ts";
import { type Calls, createCalls } from "../src/api/charge-call.ts";
import { createKey } from "../src/metering/keys/keys.ts";
import { type Database, steadyClock } from "../src/platform/database/database.ts";
import { Downloads, ResponseRoom } from "../src/platform/http/downloads.ts";
import { hashSecret } from "../src/platform/secrets/secrets.ts";
import { engine, openNode, type Rows } from "../test/support/engine.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import { chooseStep, monthOf, RealWindow, WindowModel } from "./clock-model.ts";
import { proveMonthEnd, proveRestarts } from "./clock-services.ts";
import type { Prove, Run } from "./proof.ts";
import { Random } from "./random.ts";

const sequencesOf = { long: 100_000, short: 200, control: 2_000 };
const limit = 6;
/** They share a clock: many of them at once, since each request waits for a commit. */
const workspacesInGroup = 24;
const keysInWorkspace = 5;
const events = 24;
const nodesOfPostgres = 3;

/** The clock of the machine, and how long it has really run. */
interface Time {
  wall: number;
  elapsed: number;
}

interface Life {
  readonly hash: string;
  readonly window: WindowModel;
  readonly real: RealWindow;
}

/** A moment of a history: by the model's time of the service, and by the time that really passed. */
interface Now {
  readonly now: number;
  readonly elapsed: number;
}

interface WorkspaceModel {
  readonly id: string;
  readonly allowance: number;
  readonly keys: readonly Life[];
  /** Units left in each month that a call has opened. */
  readonly months: Map<string, number>;
  admitted: number;
  done: number;
}

export const prove: Prove = async (run) => {
  const services = run.engine === "sqlite" ? await proveRestarts(run) : await proveMonthEnd(run);
  const directory = temporaryDirectory();
  const time: Time = { wall: Date.parse("2026-01-15T12:00:00.000Z"), elapsed: 0 };
  // SQLite's time is the process's own; the nodes on PostgreSQL share the server's, which can be set back.
  const isSteady = run.engine === "sqlite";
  const clock = isSteady
    ? steadyClock(
        () => time.wall,
        () => time.elapsed,
      )
    : () => time.wall;
  const databases: Database[] = [];
  for (let node = 0; node < (isSteady ? 1 : nodesOfPostgres); node += 1)
    databases.push(await openNode(directory, clock));
  const nodes = databases.map((database) =>
    createCalls(database, {
      requestsPerMinute: limit,
      trashDays: 30,
      storageBytesMax: 2 ** 30,
      report: (_, error) => console.error(error),
    }),
  );
  const service = new ServiceTime(time, isSteady);
  try {
    const random = new Random(run.seed);
    const sequences = sequencesOf[run.form];
    while (run.made.runs < sequences && !run.isOver()) {
      const [database] = databases;
      if (!database) throw new Error("no node");
      await proveHistory(run, database, engine.rowsOf(directory), nodes, time, service, random);
      run.made.runs += workspacesInGroup * keysInWorkspace;
      run.show(`${run.made.runs.toLocaleString("en-US")} sequences`, run.made.runs / sequences);
    }
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
  return [services];
};

/** The time that a service has to go by: the model's own. */
class ServiceTime {
  readonly #time: Time;
  readonly #isSteady: boolean;
  #now: number;
  #elapsed: number;

  constructor(time: Time, isSteady: boolean) {
    this.#time = time;
    this.#isSteady = isSteady;
    this.#now = time.wall;
    this.#elapsed = time.elapsed;
  }

  read(): number {
    const { wall, elapsed } = this.#time;
    const continued = this.#now + elapsed - this.#elapsed;
    this.#now = this.#isSteady ? Math.max(wall, continued) : wall;
    this.#elapsed = elapsed;
    return this.#now;
  }
}

/** One history of the clock, and the keys that live through it. */
async function proveHistory(
  run: Run,
  database: Database,
  rows: Rows,
  nodes: readonly Calls[],
  time: Time,
  service: ServiceTime,
  random: Random,
): Promise<void> {
  const workspaces = await makeWorkspaces(database, random);
  const isSteady = run.engine === "sqlite";
  service.read();
  const history: string[] = [];
  let newest = time.wall;
  for (let event = 0; event < events; event += 1) {
    // A server's clock is set back by up to a window in all; what is more is not promised.
    newest = Math.max(newest, time.wall);
    const { name, elapsed, wall } = chooseStep(random, time.wall, isSteady ? undefined : newest - 60_000);
    const jump = wall - time.wall - elapsed;
    time.elapsed += elapsed;
    time.wall = wall;
    history.push(name);
    for (const { keys } of workspaces) for (const { real } of keys) real.step(time.elapsed, jump);
    const now = { now: service.read(), elapsed: time.elapsed };
    await Promise.all(
      workspaces.map((workspace) => proveCalls(run, workspace, nodes, now, random, () => history.join(", "))),
    );
  }
  for (const workspace of workspaces) await proveBooks(rows, workspace, history, isSteady);
}

const makeWorkspaces = (database: Database, random: Random): Promise<WorkspaceModel[]> =>
  database.transaction(async (transaction) => {
    const made: WorkspaceModel[] = [];
    for (let number = 0; number < workspacesInGroup; number += 1) {
      const allowance = random.integer(3, 60);
      const { id } = await createWorkspace(transaction, "Clock", allowance);
      const keys: Life[] = [];
      for (let key = 0; key < keysInWorkspace; key += 1) {
        const { secret } = await createKey(transaction, id, `Key ${key}`, "all");
        keys.push({ hash: hashSecret(secret), window: new WindowModel(), real: new RealWindow() });
      }
      made.push({ id, allowance, keys, months: new Map(), admitted: 0, done: 0 });
    }
    return made;
  });

/** Calls of all keys of a workspace at one moment, at once. */
async function proveCalls(
  run: Run,
  workspace: WorkspaceModel,
  nodes: readonly Calls[],
  { now, elapsed }: Now,
  random: Random,
  history: () => string,
): Promise<void> {
  const isSteady = run.engine === "sqlite";
  const asked = workspace.keys.map((key) => ({
    key,
    calls: random.weighted([
      [5, 0],
      [5, 1],
      [3, 2],
      [1, limit + 1],
    ]),
  }));
  const outcomes = await Promise.all(
    asked.map(({ key, calls }) =>
      Promise.all(Array.from({ length: calls }, async () => (await call(random.pick(nodes), key.hash)).kind)),
    ),
  );
  let admitted = 0;
  for (const [index, { key, calls }] of asked.entries()) {
    run.made.inputs += calls;
    const used = isSteady ? key.window.count(now) : key.real.count(elapsed);
    const expected = Math.min(calls, Math.max(0, limit - used));
    const found = outcomes[index]?.filter((kind) => kind === "done" || kind === "refused").length ?? 0;
    // On a server that was set back, a key may wait longer, but no window opens.
    const isRight = isSteady || key.real.isExact(elapsed) ? found === expected : found <= expected;
    if (!isRight)
      throw new Error(
        `${found} of ${calls} calls were admitted instead of ${expected}, with ${used} in the window, after: ${history()}`,
      );
    for (let count = 0; count < found; count += 1) {
      key.window.add(now);
      key.real.add(elapsed);
    }
    admitted += found;
  }
  if (admitted === 0) return;
  workspace.admitted += admitted;
  const month = monthOf(now);
  const done = outcomes.flat().filter((kind) => kind === "done").length;
  const balance = workspace.months.get(month) ?? workspace.allowance;
  workspace.months.set(month, balance - done);
  const expected = Math.min(balance, admitted);
  if (isSteady && done !== expected)
    throw new Error(`${done} calls were carried out instead of ${expected}, after: ${history()}`);
  workspace.done += done;
}

const downloads = new Downloads();

/** A call that costs 1. */
const call = (node: Calls, secretHash: string) =>
  node.run(
    { secretHash, clientAddress: "203.0.113.7" },
    {
      name: "getMe",
      input: { query: {}, body: undefined },
      ifNoneMatch: null,
      bodyBytes: 0,
      room: new ResponseRoom(downloads),
      origin: { requestId: Bun.randomUUIDv7(), clientAddress: "127.0.0.1", receivedAt: performance.now() },
    },
  );

/**
 * Compares months, grants, and the ledger with each other and with what the clients were answered.
 * @param isSteady the model knows in which month each call was admitted
 */
async function proveBooks(
  rows: Rows,
  { id, allowance, months, admitted, done }: WorkspaceModel,
  history: readonly string[],
  isSteady: boolean,
): Promise<void> {
  const fail = (what: string): never => {
    throw new Error(`${what}, after: ${history.join(", ")}`);
  };
  const found = await rows<{ month: string; balance: number }>(
    "select month, balance from quota_months where workspace_id = ? order by month",
    id,
  );
  const expected = [...months].sort().map(([month, balance]) => ({ month, balance }));
  if (isSteady && !Bun.deepEquals(found, expected))
    fail(`months ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  const grants = await rows<{ month: string; units: number }>(
    "select month, units from quota_grants where workspace_id = ? order by month",
    id,
  );
  const once = found.map(({ month }) => ({ month, units: allowance }));
  if (!Bun.deepEquals(grants, once)) fail(`grants ${JSON.stringify(grants)} instead of ${JSON.stringify(once)}`);
  const ledger = await rows<{ admitted_at: string; units: number }>(
    "select admitted_at, units from ledger where workspace_id = ?",
    id,
  );
  const sum = (of: typeof ledger) => of.reduce((units, row) => units + row.units, 0);
  if (ledger.length !== admitted || sum(ledger) !== done)
    fail(`${ledger.length} rows and ${sum(ledger)} units in the ledger instead of ${admitted} and ${done}`);
  for (const { month, balance } of found) {
    const drawn = sum(ledger.filter(({ admitted_at }) => admitted_at.startsWith(month)));
    if (balance < 0 || allowance - drawn !== balance)
      fail(`${drawn} units instead of ${allowance - balance} drawn in ${month}, and ${balance} left`);
  }
}
