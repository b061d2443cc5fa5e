// P14: never more than the limit in any 60 seconds, never fewer than it allows, and waiting Retry-After is enough. Random arrivals on a
// virtual clock against a model that stores every admitted call and counts them all; then three nodes with the real clock.
import { createWorkspace } from "../src/accounts/workspaces/workspaces.ts";
import { admit } from "../src/api/authenticate.ts";
import { Admissions } from "../src/metering/admission/admission.ts";
import { createKey } from "../src/metering/keys/keys.ts";
import { resetSeconds } from "../src/metering/keys/rate-limit.ts";
import type { Database, Transaction } from "../src/platform/database/database.ts";
import { hashSecret } from "../src/platform/secrets/secrets.ts";
import { momentsAround, openNode } from "../test/support/engine.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import type { Prove, Run } from "./proof.ts";
import { Random, type Weighted } from "./random.ts";
import { proveThreeNodes } from "./rate-limit-nodes.ts";
import { atMoment, withoutTrace } from "./virtual-time.ts";

const windowMilliseconds = 60_000;
const startMilliseconds = Date.parse("2026-03-15T12:00:00.000Z");
/** Keys whose calls share a clock. Each has arrivals and a limit of its own. */
const keysInGroup = 200;
const steps = 40;
const sequencesOf = { long: 1_000_000, short: 800, control: 4_000 };

/** The simplest implementation of the rule. */
class Model {
  readonly moments: number[] = [];

  inWindow(now: number): number {
    let count = 0;
    for (const moment of this.moments) if (moment > now - windowMilliseconds) count += 1;
    return count;
  }

  /** The least whole number of seconds, at least 1, after which a call would be admitted. */
  retryAfterSeconds(now: number, limit: number): number {
    let seconds = 1;
    while (this.inWindow(now + seconds * 1_000) >= limit) seconds += 1;
    return seconds;
  }

  /** The most admitted calls in any 60 seconds. */
  worstWindow(): number {
    const windows = this.moments.map((end, last) => {
      const later = this.moments.slice(last + 1).filter((moment) => moment > end).length;
      return this.inWindow(end) - later;
    });
    return Math.max(0, ...windows);
  }
}

interface Caller {
  readonly id: string;
  readonly hash: string;
}

interface Arrivals extends Caller {
  readonly model: Model;
  limit: number;
  isLowered: boolean;
  /** How likely it calls in a step. */
  readonly eagerness: number;
}

const waits: Weighted<(random: Random) => number> = [
  [4, (random) => random.integer(0, 50)],
  [4, (random) => random.integer(0, 8_000)],
  [3, (random) => random.pick([0, 1, 999, 1_000, 1_001, 2_999, 3_000, 3_001, 59_999, 60_000, 60_001])],
  [1, (random) => random.integer(0, 90_000)],
];

export const prove: Prove = async (run) => {
  const database = await openNode(temporaryDirectory(), () => startMilliseconds);
  const counts = { admitted: 0, limited: 0 };
  try {
    const callers = await makeCallers(database);
    const sequences = sequencesOf[run.form];
    // The same arrivals on each engine.
    const random = new Random(run.seed);
    for (let done = 0; done < sequences && !run.isOver(); done += keysInGroup) {
      await withoutTrace(database, (transaction) => proveGroup(run, transaction, callers, random, counts));
      run.made.runs += keysInGroup;
      run.show(`${run.made.runs.toLocaleString("en-US")} sequences of arrivals`, run.made.runs / sequences);
    }
  } finally {
    await database.close();
  }
  if (counts.limited * 20 < counts.admitted) throw new Error("too few calls met the limit to prove anything");
  const notes = [
    `${counts.admitted.toLocaleString("en-US")} admitted, ${counts.limited.toLocaleString("en-US")} refused`,
  ];
  return run.engine === "postgres" && run.form === "long" ? [...notes, await proveThreeNodes(run)] : notes;
};

const makeCallers = (database: Database): Promise<Caller[]> =>
  database.transaction(async (transaction) => {
    const workspace = await createWorkspace(transaction, "Model", 1_000_000);
    const callers: Caller[] = [];
    for (let number = 1; number <= keysInGroup; number += 1) {
      const { id, secret } = await createKey(transaction, workspace.id, `Key ${number}`, "all");
      callers.push({ id, hash: hashSecret(secret) });
    }
    return callers;
  });

async function proveGroup(
  run: Run,
  transaction: Transaction,
  callers: readonly Caller[],
  random: Random,
  counts: { admitted: number; limited: number },
): Promise<void> {
  // A node on SQLite remembers the windows; one on PostgreSQL reads them each time.
  const isLasting = run.engine === "sqlite";
  const isEven = random.isTrue(0.05);
  const arriving = callers.map(
    (caller): Arrivals => ({
      ...caller,
      model: new Model(),
      limit: isEven ? 20 : random.integer(1, 20),
      isLowered: false,
      eagerness: isEven ? 1 : random.next(),
    }),
  );
  let admissions = new Admissions({ isLasting, isExclusive: true }, 0);
  let now = startMilliseconds;
  for (let step = 0; step < steps; step += 1) {
    now += isEven ? windowMilliseconds / 20 : random.weighted(waits)(random);
    const moment = atMoment(transaction, now);
    if (random.isTrue(0.05)) admissions = new Admissions({ isLasting, isExclusive: true }, 0);
    else if (!isLasting || random.isTrue(0.1)) admissions.clear();
    const called = arriving.filter(({ eagerness }) => random.isTrue(eagerness));
    const unknown = called.filter(({ hash }) => !admissions.find(hash)).map(({ hash }) => hash);
    if (unknown.length > 0)
      await admissions.load(moment, await transaction.all(admissions.opening(unknown).read(momentsAround(now))));
    for (const caller of called) {
      if (!isEven && random.isTrue(0.01)) changeLimit(caller, random.integer(1, 20));
      for (let calls = isEven ? 1 : random.pick([1, 1, 1, 2, 5]); calls > 0; calls -= 1) {
        run.made.inputs += 1;
        const isAdmitted = await proveCall(moment, admissions, caller, now);
        if (isEven && !isAdmitted) throw new Error("a call was refused although the calls came evenly, at the limit");
        counts[isAdmitted ? "admitted" : "limited"] += 1;
      }
    }
    await admissions.flush(moment);
  }
  for (const { model, limit, isLowered } of arriving)
    if (!isLowered && model.worstWindow() > limit)
      throw new Error(`${model.worstWindow()} calls were admitted within 60 seconds, and the limit is ${limit}`);
}

function changeLimit(caller: Arrivals, limit: number): void {
  // A limit that was raised never admits more than the higher one allows; one that was lowered may find more in the window.
  caller.isLowered ||= limit < caller.limit;
  caller.limit = limit;
}

/** @returns whether it was admitted. @throws where the model says otherwise */
async function proveCall(moment: Transaction, admissions: Admissions, caller: Arrivals, now: number): Promise<boolean> {
  const { model, limit, hash } = caller;
  const used = model.inWindow(now);
  const admission = await admit(moment, admissions, { secretHash: hash, clientAddress: "" }, limit);
  const expected = used < limit ? "admitted" : "limited";
  if (admission.kind !== expected)
    throw new Error(`a call was ${admission.kind} instead of ${expected}: ${used} of ${limit} calls in the window`);
  if (admission.kind === "limited") {
    const [told, needed] = [resetSeconds(admission.window, admission.now), model.retryAfterSeconds(now, limit)];
    if (told !== needed) throw new Error(`Retry-After is ${told} and has to be ${needed}`);
  }
  if (admission.kind !== "admitted") return false;
  model.moments.push(now);
  admissions.charge(admission.caller, {
    id: moment.newId(),
    key_call: admission.keyCall,
    operation: "getSnippet",
    status: 200,
    units: 0,
    team_id: null,
    error_code: null,
    error_message: null,
    duration_microseconds: 0,
    client_address: "127.0.0.1",
    admitted_at: moment.now,
  });
  return true;
}
