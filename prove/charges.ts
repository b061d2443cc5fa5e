// P1: each acknowledged request is charged its cost exactly once, and the balance is never negative, under concurrency and kills. The
// oracle is the clients' own log, compared with the ledger by plain SQL: sorted by the balance that it reports, each response continues
// where the one before ended, and what is missing between two are exactly the rows of requests whose responses report no balance or were lost.
import { expect } from "bun:test";
import type { OperationName } from "../src/contract/operations.ts";
import type { Database } from "../src/platform/database/database.ts";
import { engine, openNode, type Rows } from "../test/support/engine.ts";
import { makeLoad, type RecordedCall } from "../test/support/node-processes.ts";
import { type Answer, callOn, makeWorkspace, type Target, type Workspace } from "../test/support/nodes.ts";
import { freePort } from "../test/support/ports.ts";
import { type ServiceProcess, spawnService } from "../test/support/process.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import type { Prove, Run } from "./proof.ts";

/** For each number of nodes: requests, kills among them; and rounds with one unit left. */
const sizes = {
  long: { requests: 100_000, kills: 50, rounds: 200 },
  short: { requests: 2_000, kills: 3, rounds: 5 },
  control: { requests: 2_000, kills: 2, rounds: 0 },
};
const clients = 64;
const parallelRequests = 1_000;
/** The one is never used up; the other is, so that requests are refused for it. */
const [plenty, scarce] = [100_000_000, 4_000];

/** A node that can be killed and started again on the same port. */
interface Killable extends Target {
  readonly isServing: () => boolean;
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

async function startNode(databaseDirectory: string, dataDirectory: string): Promise<Killable> {
  const location = await engine.locate(databaseDirectory);
  const settings = {
    COMMONPLACE_LOG_LEVEL: "error",
    COMMONPLACE_HTTPS_PORT: String(freePort()),
    ...(location.engine === "postgres" && {
      COMMONPLACE_DATABASE_URL: location.url,
      COMMONPLACE_DATABASE_CONNECTIONS: "10",
    }),
  };
  const start = () => spawnService(dataDirectory, settings);
  let isServing = true;
  let node: ServiceProcess = await start();
  const waiting: (() => void)[] = [];
  const end = async () => {
    isServing = false;
    node.kill("SIGKILL");
    await node.ended;
  };
  return {
    baseUrl: node.baseUrl,
    fetch: (async (input: string, init?: RequestInit) => {
      while (!isServing) await new Promise<void>((resolve) => waiting.push(resolve));
      return node.fetch(input, init);
    }) as typeof fetch,
    isServing: () => isServing,
    kill: async () => {
      await end();
      node = await start();
      isServing = true;
      for (const resolve of waiting.splice(0)) resolve();
    },
    stop: end,
  };
}

/** A response as its client noted it, or a request without one. */
interface Noted {
  readonly operation: OperationName;
  readonly id: string;
  readonly status: number;
  readonly cost: number;
  readonly remaining: number | undefined;
}

/** Keeps of each response what the proof needs: all of them would not fit into memory. */
class ClientLog extends Array<RecordedCall> {
  readonly noted: Noted[] = [];
  readonly statuses = new Map<string, number>();
  unanswered = 0;
  override push(...calls: RecordedCall[]): number {
    for (const { operation, answer } of calls) {
      const isOurs = (answer?.status ?? 0) >= 500;
      const name = isOurs ? `${answer?.status} ${answer?.body.error}` : String(answer?.status ?? "no response");
      this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
      // A response that says that the outcome is unknown tells as much as none.
      if (!answer || answer.body.error === "outcome_unknown") this.unanswered += 1;
      else this.noted.push(note(operation, answer));
    }
    return this.count();
  }
  count = (): number => this.noted.length + this.unanswered;
}

const note = (operation: OperationName, { requestId, status, headers, body }: Answer): Noted => ({
  operation,
  id: requestId,
  status,
  cost: Number(headers.get("x-request-cost")),
  remaining: status === 200 ? Number(body.usage.remainingRequests) : undefined,
});

interface LedgerRow {
  readonly id: string;
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly balance_after: number;
}

/** What a workspace stores is the sum of its texts, and 256 bytes for each row. */
async function checkStorage(rows: Rows, workspaceId: string): Promise<void> {
  const texts: Readonly<Record<string, readonly string[]>> = {
    snippets: ["title", "snippet_note", "shortcut", "variation_name", "content_type", "content"],
    variations: ["name", "content_type", "content"],
    former_versions: ["content_type", "content"],
  };
  const tables = [
    ...Object.entries(texts),
    ...Object.entries(texts).map(([name, columns]) => [`trashed_${name}`, columns] as const),
  ];
  const sums = [
    ...tables,
    ["folders", ["folder_name", "folder_color"]] as const,
    ["tags", ["tag_name", "tag_color"]] as const,
  ].map(
    ([table, columns]) =>
      `(select coalesce(sum(256 + ${columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ")}), 0)
        from ${table} where workspace_id = ?)`,
  );
  const [storage] = await rows<{ counted: number; stored: number }>(
    `select (select bytes from workspace_storage where workspace_id = ?) as counted, ${sums.join(" + ")} as stored`,
    ...Array.from({ length: sums.length + 1 }, () => workspaceId),
  );
  expect(Number(storage?.counted)).toBe(Number(storage?.stored));
}

/** @returns how many rows no client has a response for */
async function checkBooks(rows: Rows, { id }: Workspace, log: ClientLog, allowance: number): Promise<number> {
  const [books] = await rows<{ granted: number; charged: number; left: number; negative: number }>(
    `select (select sum(units) from quota_grants where workspace_id = ?) as granted,
       (select sum(units) from ledger where workspace_id = ?) as charged,
       (select sum(balance) from quota_months where workspace_id = ?) as "left",
       (select count(*) from quota_months where workspace_id = ? and balance < 0)
         + (select count(*) from ledger where workspace_id = ? and (balance_after < 0 or units < 0)) as negative`,
    ...Array.from({ length: 5 }, () => id),
  );
  expect({
    grantsMinusLedger: Number(books?.granted) - Number(books?.charged),
    negative: Number(books?.negative),
  }).toEqual({
    grantsMinusLedger: Number(books?.left),
    negative: 0,
  });
  await checkStorage(rows, id);
  const ledger = (
    await rows<LedgerRow>("select id, operation, status, units, balance_after from ledger where workspace_id = ?", id)
  ).map((row) => ({ ...row, units: Number(row.units), balance_after: Number(row.balance_after) }));

  const byId = new Map(ledger.map((row) => [row.id, row]));
  expect(byId.size).toBe(ledger.length);
  const answered = new Set<string>();
  for (const { id: requestId, operation, status, cost, remaining } of log.noted) {
    const row = byId.get(requestId);
    // A request that the service could not carry out is not charged. It has a row only if it was admitted.
    if (status >= 500 && row === undefined && cost === 0) continue;
    if (answered.has(requestId)) throw new Error(`two responses have the ID ${requestId}`);
    answered.add(requestId);
    const found = row && { operation: row.operation, status: row.status, units: row.units };
    expect({ requestId, ...found }).toEqual({ requestId, operation, status, units: cost } as never);
    if (remaining !== undefined)
      expect({ requestId, remaining }).toEqual({ requestId, remaining: row?.balance_after as number });
  }
  checkChain(log.noted, ledger, allowance);
  const untold = ledger.length - answered.size;
  // No more than were in flight when a node was killed.
  expect(untold).toBeLessThanOrEqual(log.unanswered);
  return untold;
}

/** Each balance that was reported is the one before, minus its own cost and that of the rows in between. */
function checkChain(noted: readonly Noted[], ledger: readonly LedgerRow[], allowance: number): void {
  const descending = (one: number, two: number) => two - one;
  const reported = noted
    .filter((each): each is Noted & { remaining: number } => each.remaining !== undefined && each.cost > 0)
    .sort((one, two) => descending(one.remaining, two.remaining));
  const told = new Set(reported.map(({ id }) => id));
  const others = ledger
    .filter((row) => row.units > 0 && !told.has(row.id))
    .sort((one, two) => descending(one.balance_after, two.balance_after));
  let before = allowance;
  let next = 0;
  for (const { id, remaining, cost } of reported) {
    let between = 0;
    for (; (others[next]?.balance_after ?? -1) >= remaining + cost; next += 1) between += others[next]?.units ?? 0;
    expect({ id, remaining }).toEqual({ id, remaining: before - between - cost });
    before = remaining;
  }
  // The ledger is such a chain by itself.
  let balance = allowance;
  for (const row of ledger
    .filter(({ units }) => units > 0)
    .sort((one, two) => descending(one.balance_after, two.balance_after))) {
    balance -= row.units;
    expect({ id: row.id, balance_after: row.balance_after }).toEqual({ id: row.id, balance_after: balance });
  }
}

/** Mixed requests of every operation, refused ones included, by 64 clients, while nodes are killed. */
async function chargeUnderKills(run: Run, count: number, share: number): Promise<string> {
  const { requests, kills } = sizes[run.form];
  const { nodes, database, rows, stop } = await startNodes(count);
  try {
    const workspaces = [
      {
        allowance: plenty,
        workspace: await makeWorkspace(database, { allowance: plenty, keys: 8 }),
        log: new ClientLog(),
      },
      {
        allowance: scarce,
        workspace: await makeWorkspace(database, { allowance: scarce, keys: 2 }),
        log: new ClientLog(),
      },
    ];
    const made = () => workspaces.reduce((sum, { log }) => sum + log.count(), 0);
    const isDone = () => made() >= requests || run.isOver(share);
    const serving = () => (nodes.some((node) => node.isServing()) ? nodes.filter((node) => node.isServing()) : nodes);
    const loads = workspaces.map(({ workspace, log }) => makeLoad(workspace, serving, log));
    // One of eight draws from the workspace that runs out of units.
    const running = Array.from({ length: clients }, (_, client) => loads[client % 8 === 0 ? 1 : 0]?.(isDone));
    let killed = 0;
    for (; killed < kills; killed += 1) {
      const from = made();
      const wait = (2 * Math.random() * requests) / (kills + 1);
      while (made() < Math.min(from + wait, (requests * (killed + 1)) / (kills + 1)) && !isDone()) {
        run.show(`${count} nodes: ${made()} of ${requests} requests, ${killed} kills`, made() / requests);
        await Bun.sleep(20);
      }
      if (isDone()) break;
      await nodes[Math.floor(Math.random() * nodes.length)]?.kill();
    }
    await Promise.all(running);
    let untold = 0;
    for (const { allowance, workspace, log } of workspaces) untold += await checkBooks(rows, workspace, log, allowance);
    run.made.runs += killed;
    run.made.inputs += made();
    const statuses = new Map<string, number>();
    for (const { log } of workspaces)
      for (const [status, times] of log.statuses) statuses.set(status, (statuses.get(status) ?? 0) + times);
    const told = [...statuses]
      .sort(([one], [two]) => (one < two ? -1 : 1))
      .map(([status, times]) => `${times} × ${status}`);
    return `${count} node(s): ${made()} requests, ${killed} kills, ${untold} charged without a response; ${told.join(", ")}`;
  } finally {
    await stop();
  }
}

/** One unit is left, and 1,000 requests come at once: exactly one is served. */
async function spendLastUnits(run: Run, count: number, share: number): Promise<string> {
  const { rounds } = sizes[run.form];
  const { nodes, database, rows, stop } = await startNodes(count);
  let made = 0;
  let overloaded = 0;
  try {
    for (; made < rounds && !run.isOver(share); made += 1) {
      const workspace = await makeWorkspace(database, { allowance: 1, keys: 5 });
      const body = { title: "The last one", content: { type: "plaintext", content: "" }, teamId: workspace.teamId };
      const answers = await Promise.all(
        Array.from({ length: parallelRequests }, (_, index) => {
          const [node, key] = [nodes[index % count] as Target, workspace.keys[index % 5]?.secret ?? ""];
          return made % 2 === 0 ? callOn(node, key, "GET", "/me") : callOn(node, key, "POST", "/snippet", { body });
        }),
      );
      expect(answers.filter(({ status }) => status === 200).map((each) => each.body.usage.remainingRequests)).toEqual([
        0,
      ]);
      const refused = answers.filter(({ status, body: { error } }) => status === 403 && error === "quota_exceeded");
      // Of an overloaded node: not charged, and not in the ledger.
      const turnedAway = answers.filter(
        ({ status, headers }) => status === 503 && headers.get("x-request-cost") === "0",
      );
      expect(1 + refused.length + turnedAway.length).toBe(parallelRequests);
      overloaded += turnedAway.length;
      const [stored] = await rows(
        `select (select sum(units) from ledger where workspace_id = ?) as units, (select count(*) from ledger where workspace_id = ?) as calls,
           (select sum(balance) from quota_months where workspace_id = ?) as balance, (select count(*) from snippets where workspace_id = ?) as snippets`,
        ...Array.from({ length: 4 }, () => workspace.id),
      );
      const numbers = Object.fromEntries(Object.entries(stored ?? {}).map(([name, value]) => [name, Number(value)]));
      expect(numbers).toEqual({ units: 1, calls: 1 + refused.length, balance: 0, snippets: made % 2 });
      run.made.runs += 1;
      run.made.inputs += parallelRequests;
      run.show(`${count} nodes: the last unit, round ${made + 1} of ${rounds}`, made / rounds);
    }
  } finally {
    await stop();
  }
  return `${count} node(s): ${made} rounds of ${parallelRequests} requests for the last unit, ${overloaded} × 503, not charged`;
}

async function startNodes(count: number) {
  const [dataDirectory, ...others] = Array.from({ length: count }, temporaryDirectory);
  if (dataDirectory === undefined) throw new Error("no node");
  const nodes = [await startNode(dataDirectory, dataDirectory)];
  for (const other of others) nodes.push(await startNode(dataDirectory, other));
  const database: Database = await openNode(dataDirectory);
  const { rows, close } = engine.watch(dataDirectory);
  const stop = async () => {
    close();
    await database.close();
    await Promise.all(nodes.map((node) => node.stop()));
  };
  return { nodes, database, rows, stop };
}

/** The random choices of this process follow from the seed. When requests arrive, and what a kill meets, does not. */
function seedRandom(seed: number): void {
  let state = seed;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** P1: each acknowledged request is charged exactly once. */
export const prove: Prove = async (run) => {
  seedRandom(run.seed);
  const counts = engine.name === "sqlite" ? [1] : [1, 3];
  const notes: string[] = [];
  for (const [index, count] of counts.entries()) {
    const share = (part: number) => (index + part) / counts.length;
    notes.push(await chargeUnderKills(run, count, share(0.6)));
    if (sizes[run.form].rounds > 0) notes.push(await spendLastUnits(run, count, share(1)));
  }
  return notes;
};
