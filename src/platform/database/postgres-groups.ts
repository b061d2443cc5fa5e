// Calls that read little share transactions on PostgreSQL: round trips, commits and waits for the disk are paid once for many calls.
import { FairQueue, type Owner, type QueueState } from "../fair-queue.ts";
import { queueLimits } from "../queue-limits.ts";
import type { CallGroup, CreateGroup, GroupedCall, OpeningRow } from "./call-group.ts";
import { DatabaseUnavailable, type Opening, OutcomeUnknown, Overloaded, type Work } from "./database.ts";
import { TransactionLost } from "./postgres-failures.ts";
import type { BeginStatements, PostgresTransaction } from "./postgres-transaction.ts";

/** A transaction from its beginning to the commit. */
export type Body<T> = (transaction: PostgresTransaction) => Promise<T>;

/** How transactions run. */
interface Transactions {
  readonly beginning: BeginStatements;
  /** How long a call may take with all that it waits for; 0 without a limit. */
  readonly callMilliseconds: number;
  /** Waits for the lock, and runs the transaction again when it was lost. */
  readonly runAlone: <T>(
    owner: Owner,
    opening: Opening<unknown>,
    body: Body<T>,
    isDone: Work<boolean>,
    flush: Body<void>,
    until: number,
  ) => Promise<T>;
  /** @param countCarried how many calls a commit of this value carries */
  readonly runOnce: <T>(
    body: Body<T>,
    flush: Body<void>,
    until: number,
    countCarried: (value: T) => number,
  ) => Promise<T>;
  /** Finds out whether a commit without a response took place. */
  readonly settle: (unknown: OutcomeUnknown, isDone: Work<boolean>) => Promise<boolean>;
}

/** Groups at once: one executes while the other waits for its commit. */
const groupsMax = 2;
/** Bounds the memory that the results of a group take before the first is sent. */
const callsMax = 32;

/** What runs calls, together with others where they only read. */
interface Groups<Call, Outcome> {
  readonly run: (call: Call) => Promise<Outcome>;
  readonly state: () => QueueState;
}

export function runInGroups<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
  transactions: Transactions,
  create: CreateGroup<Call, Outcome, Row>,
): Groups<Call, Outcome> {
  const waiting = new FairQueue<WaitingCall<Call, Outcome>>(queueLimits.shortCalls);
  const gather = gatherCalls<Call, Outcome>(
    waiting,
    (calls, until) => runTogether(transactions, create, calls, until),
    (call, until) => runAlone(transactions, create, call, until),
  );
  return {
    run: (call) => {
      const until = performance.now() + (transactions.callMilliseconds || Number.POSITIVE_INFINITY);
      // A call that writes may wait for locks; that, or reading much, is worth a connection of its own.
      return call.isReading && call.isShort ? gather(call, until) : runAlone(transactions, create, call, until);
    },
    state: () => ({ name: "requests", waiting: waiting.size, max: waiting.limits.total }),
  };
}

type RunTogether<Call, Outcome> = (calls: readonly Call[], until: number) => Promise<readonly (Outcome | undefined)[]>;
type RunAlone<Call, Outcome> = (call: Call, until: number) => Promise<Outcome>;

interface WaitingCall<Call, Outcome> {
  readonly call: Call;
  readonly until: number;
  readonly resolve: (outcome: Outcome | Promise<Outcome>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Gathers calls while groups run. A call that runs alone occupies no group: it may wait for a lock. */
function gatherCalls<Call extends GroupedCall, Outcome>(
  waiting: FairQueue<WaitingCall<Call, Outcome>>,
  runTogether: RunTogether<Call, Outcome>,
  runAlone: RunAlone<Call, Outcome>,
): RunAlone<Call, Outcome> {
  let running = 0;
  /** Of the groups that run. Another group would find them locked, and each of its calls would have to run alone. */
  const keys = new Set<string>();
  let isScheduled = false;
  /** Calls of the same turn of the event loop join the same group. */
  const schedule = () => {
    if (isScheduled || running >= groupsMax || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void runGroup();
    });
  };
  const runGroup = async () => {
    const group = takeUpTo(callsMax, waiting, (_, key) => !keys.has(key));
    if (group.length === 0) return;
    const ownKeys = group.map(({ call }) => call.owner.key);
    for (const key of ownKeys) keys.add(key);
    running += 1;
    schedule();
    try {
      const until = Math.min(...group.map((waiting) => waiting.until));
      const outcomes = await runTogether(
        group.map(({ call }) => call),
        until,
      );
      group.forEach(({ call, until, resolve }, index) => {
        resolve(outcomes[index] ?? runAlone(call, until));
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    for (const key of ownKeys) keys.delete(key);
    running -= 1;
    schedule();
  };
  return (call, until) =>
    new Promise((resolve, reject) => {
      if (!waiting.push(call.owner, { call, until, resolve, reject }))
        reject(new Overloaded("too many requests are waiting for PostgreSQL"));
      schedule();
    });
}

function takeUpTo<Item>(
  count: number,
  queue: FairQueue<Item>,
  mayGo: (workspace: string, key: string) => boolean,
): Item[] {
  const taken: Item[] = [];
  for (let next = queue.shift(mayGo); next !== undefined; next = queue.shift(mayGo)) {
    taken.push(next);
    if (taken.length === count) break;
  }
  return taken;
}

/** Runs a call in a transaction of its own: first without its balance, then, should that fail, with the balance locked and known. */
async function runAlone<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
  transactions: Transactions,
  create: CreateGroup<Call, Outcome, Row>,
  call: Call,
  until: number,
): Promise<Outcome> {
  const attempt = (isExclusive: boolean): Promise<Outcome> => {
    const group = create({ isLasting: false, isExclusive });
    const opening = group.opening([call]);
    let outcome: Outcome | undefined;
    return transactions.runAlone(
      call.owner,
      opening,
      async (transaction) => {
        group.clear();
        const { rows, locked } = await transaction.begin(transactions.beginning, opening);
        const { free = [], taken = [] } = Object.groupBy(rows, ({ id }) => (locked.has(id) ? "free" : "taken"));
        await group.load(transaction, free, taken);
        outcome = await group.run(transaction, call, (work) => transaction.savepoint(work));
        return outcome;
      },
      async (transaction) => outcome !== undefined && group.confirm(transaction, call, outcome),
      (transaction) => group.flush(transaction),
      until,
    );
  };
  try {
    return await attempt(false);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    // The balance was too low, which only the database knew.
    return attempt(true);
  }
}

/** Runs calls in one transaction. @returns the outcome of each, in order; undefined for one that has to run alone */
async function runTogether<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
  { beginning, runOnce, settle }: Transactions,
  create: CreateGroup<Call, Outcome, Row>,
  calls: readonly Call[],
  until: number,
): Promise<readonly (Outcome | undefined)[]> {
  const group = create({ isLasting: false, isExclusive: false });
  let outcomes: readonly (Outcome | undefined)[] = [];
  try {
    return await runOnce(
      async (transaction) => {
        const { free, taken } = await transaction.beginWithFreeRows(beginning, group.opening(calls));
        await group.load(transaction, free, taken);
        outcomes = await Promise.all(
          calls.map((call) => (group.mustRunAlone(call) ? undefined : group.run(transaction, call, runDirectly))),
        );
        return outcomes;
      },
      (transaction) => group.flush(transaction),
      until,
      (settled) => settled.filter((outcome) => outcome !== undefined).length,
    );
  } catch (error) {
    if (error instanceof OutcomeUnknown)
      return Promise.all(calls.map((call, index) => confirmed(group, settle, error, call, outcomes[index])));
    if (error instanceof DatabaseUnavailable && !(error instanceof TransactionLost)) throw error;
    // Each call runs again, alone, and so learns what concerns it.
    return [];
  }
}

const runDirectly = <T>(work: () => Promise<T>): Promise<T> => work();

async function confirmed<Call extends GroupedCall, Outcome, Row extends OpeningRow>(
  group: CallGroup<Call, Outcome, Row>,
  settle: Transactions["settle"],
  unknown: OutcomeUnknown,
  call: Call,
  outcome: Outcome | undefined,
): Promise<Outcome | undefined> {
  if (outcome === undefined) return undefined;
  return (await settle(unknown, (transaction) => group.confirm(transaction, call, outcome))) ? outcome : undefined;
}
