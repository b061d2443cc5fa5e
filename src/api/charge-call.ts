// The transaction of calls: of each call, admission, work, charge and ledger row become durable together, or nothing does.
import { unitsOfRefusal } from "../contract/costs.ts";
import { errors, Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Operation } from "../contract/operation.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import { type AuthoredAct, insertActs } from "../library/activity.store.ts";
import { authored, foldActs, type RecordActs } from "../library/acts.ts";
import type { AnyResult, Caller } from "../library/call.ts";
import type { ExportFiles } from "../library/export/export-files.ts";
import type { FeedCursors } from "../library/feed/cursor.ts";
import type { NoteChanges, NotedChange } from "../library/feed/noted.ts";
import { PendingChanges } from "../library/feed/write.ts";
import { type AdmissionRow, findBalanceAfter } from "../metering/admission/admission.store.ts";
import { Admissions, type KeyAccount, type PendingEntry } from "../metering/admission/admission.ts";
import { isInScope } from "../metering/keys/key-limits.ts";
import type { Needs, StoreBytes } from "../metering/storage/storage.ts";
import type { CallGroup, GroupedCall, GroupScope } from "../platform/database/call-group.ts";
import { type Database, DatabaseUnavailable, type Opening, type Transaction } from "../platform/database/database.ts";
import type { Owner } from "../platform/fair-queue.ts";
import { type ResponseRoom, smallResponseBytesMax } from "../platform/http/downloads.ts";
import type { ReportFailure } from "../platform/http/failure.ts";
import type { ParsedInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { jsonBytes } from "../platform/json-bytes.ts";
import { type Admission, type Admitted, admit, checkKey, type KeyCheck, type PresentedKey } from "./authenticate.ts";
import { CallOwners } from "./call-owners.ts";
import { weigh } from "./call-weight.ts";
import { bytesInMemory, dropFile, fileOf, makeFile } from "./file.ts";
import {
  type Claimed,
  claimed,
  type FirstRequest,
  findKept,
  keep,
  type Repeatable,
  RequestsInProgress,
  settleAgain,
} from "./idempotency.ts";
import { callHandler, isReadFor, longOperation, type ReadAside } from "./read-aside.ts";
import type { ReadInput } from "./read-input.ts";
import { recordable } from "./recordable.ts";
import { namesVersion } from "./text.ts";

/** The outcome of an admitted call. */
export type Settled = SettledCall &
  ({ readonly kind: "done"; readonly result: AnyResult } | { readonly kind: "refused"; readonly reason: Refusal });

interface SettledCall {
  readonly admission: Admitted;
  /** Its ledger row, with what it cost and the balance after it. */
  readonly entry: PendingEntry;
  /** Where the call repeats another one: that one, whose response is sent again. */
  readonly first?: FirstRequest;
}

/** What the ledger records of a request besides its work. */
export type RequestOrigin = Pick<IncomingRequest, "clientAddress" | "receivedAt"> & { readonly requestId: string };

/** A call whose input was read. */
interface ApiCall {
  readonly name: OperationName;
  readonly input: ReadInput;
  /** Names the versions of a text that the client has. */
  readonly ifNoneMatch: string | null;
  readonly bodyBytes: number;
  /** Absent for a call that is carried out each time it is sent. */
  readonly repeatable?: Repeatable | undefined;
  readonly origin: RequestOrigin;
  /** Where room for a large response is reserved. */
  readonly room: ResponseRoom;
}

type Outcome = Exclude<Admission, Admitted> | Claimed | Settled;

export interface Calls {
  /** Runs a call in its transaction, which it may share with others. */
  readonly run: (key: PresentedKey, call: ApiCall) => Promise<Outcome>;
  /** Whether a call with this key would be admitted now. */
  readonly check: (key: PresentedKey) => Promise<KeyCheck>;
  /** Whose turn the calls of a key take. */
  readonly ownerOf: (key: PresentedKey) => Owner;
}

interface CallSettings {
  /** Admitted calls of a key in any 60 seconds. */
  readonly requestsPerMinute: number;
  /** Days that deleted snippets are kept. */
  readonly trashDays: number | undefined;
  /** What a workspace without a limit of its own may store. */
  readonly storageBytesMax: number;
  /** Absent where nobody follows the feed. */
  readonly feedCursors?: FeedCursors;
  readonly report: ReportFailure;
}

/** @param files makes the files of exports; without it, no team can be exported */
export function createCalls(database: Database, settings: CallSettings, files?: ExportFiles): Calls {
  const owners = new CallOwners();
  const { run, look } = database.grouped<QueuedCall, Outcome | KeyCheck, AdmissionRow>(
    (scope) => new ApiCallGroup(scope, settings, owners),
  );
  const checkOf = (key: PresentedKey): QueuedCall => {
    const owner = owners.find(key.secretHash);
    return { key, owner, call: undefined, read: undefined, isReading: true, isShort: true, weight: 1 };
  };
  const readAside = async (key: PresentedKey, name: OperationName, input: ParsedInput, room: ResponseRoom) => {
    const checked = (await look(checkOf(key))) as KeyCheck;
    if (checked.kind !== "open") return undefined;
    const caller = callerOf(checked.account);
    const { requestsPerMinute, trashDays } = settings;
    const result = await database.readLong(
      longOperation,
      { name, input, caller, trashDays, requestsPerMinute },
      {
        milliseconds: limits.searchMilliseconds,
        owner: owners.find(key.secretHash),
        reserve: reserveIn(room, name, caller),
      },
    );
    if (result.data === undefined) return undefined;
    const owner = owners.find(key.secretHash);
    const { workspaceId } = caller;
    return {
      caller,
      result: operations[name].isFile ? await makeFile(files, owner, workspaceId, input, result) : result,
    };
  };
  /** A file that was prepared is sent, or dropped. */
  const runOrDrop = async (queued: QueuedCall): Promise<Outcome> => {
    let isSent = false;
    try {
      const outcome = (await run(queued)) as Outcome;
      isSent = outcome.kind === "done" && outcome.result === queued.read?.result;
      return outcome;
    } finally {
      if (!isSent) dropFile(queued.read?.result);
    }
  };
  const inProgress = new RequestsInProgress();
  return {
    check: (key) => look(checkOf(key)) as Promise<KeyCheck>,
    ownerOf: ({ secretHash }) => owners.find(secretHash),
    run: async (key, call) => {
      const { name, input, bodyBytes, room } = call;
      const { method, cost, isLong }: Operation = operations[name];
      const read = isLong && !(input instanceof Refusal) ? await readAside(key, name, input, room) : undefined;
      const isReading = method === "GET";
      const isOfOne = read !== undefined || !cost.dependsOnItems;
      const body = input instanceof Refusal ? undefined : input.body;
      const size = weigh({ isReading, isOfOne, body, bodyBytes });
      const owner = owners.find(key.secretHash);
      const work = () => runOrDrop({ key, owner, call, read, isReading, ...size });
      return call.repeatable ? inProgress.run(claimOf(key, call.repeatable), work) : work();
    },
  };
}

/** The caller as rules know it, without what is counted for it. */
export const callerOf = ({ id, workspaceId, isAllTeams, teamIds, deletedTeamIds }: KeyAccount): Caller => ({
  ...{ id, workspaceId, isAllTeams, teamIds, deletedTeamIds },
});

interface QueuedCall extends GroupedCall {
  readonly key: PresentedKey;
  /** Undefined where only the key is checked. */
  readonly call: ApiCall | undefined;
  readonly read: ReadAside | undefined;
}

/** What only one call at a time can have: this request of this key. */
const claimOf = ({ secretHash }: PresentedKey, { idempotencyHash }: Repeatable): string =>
  `${secretHash} ${idempotencyHash}`;

/** The calls of the API that share a transaction. */
class ApiCallGroup implements CallGroup<QueuedCall, Outcome | KeyCheck, AdmissionRow> {
  readonly #admissions: Admissions;
  readonly #settings: CallSettings;
  readonly #owners: CallOwners;
  readonly #taken = new Set<string>();
  readonly #changes = new PendingChanges();
  #acts: AuthoredAct[] = [];

  constructor(scope: GroupScope, settings: CallSettings, owners: CallOwners) {
    this.#admissions = new Admissions(scope, settings.storageBytesMax);
    this.#settings = settings;
    this.#owners = owners;
  }

  isLoaded({ key }: QueuedCall): boolean {
    return this.#admissions.find(key.secretHash) !== undefined;
  }

  opening(calls: readonly QueuedCall[]): Opening<AdmissionRow> {
    const [{ key, call } = {}, ...others] = calls;
    const claim = key && call?.repeatable && others.length === 0 ? claimOf(key, call.repeatable) : undefined;
    return this.#admissions.opening([...new Set(calls.map(({ key }) => key.secretHash))], claim);
  }

  async load(
    transaction: Transaction,
    rows: readonly AdmissionRow[],
    taken: readonly AdmissionRow[] = [],
  ): Promise<void> {
    for (const { secret_hash } of taken) this.#taken.add(secret_hash);
    for (const { secret_hash, workspace_id } of rows) this.#owners.learn(secret_hash, workspace_id);
    await this.#admissions.load(transaction, rows);
  }

  mustRunAlone({ key }: QueuedCall): boolean {
    return this.#taken.has(key.secretHash);
  }

  async run(transaction: Transaction, { key, call, read }: QueuedCall, savepoint: Transaction["savepoint"]) {
    const { requestsPerMinute } = this.#settings;
    if (!call) return checkKey(transaction, this.#admissions, key, requestsPerMinute);
    if (call.repeatable && this.#taken.has(key.secretHash)) return claimed;
    const admission = await admit(transaction, this.#admissions, key, requestsPerMinute);
    if (admission.kind !== "admitted") return admission;
    return settle(
      transaction,
      this.#admissions,
      admission,
      { ...call, read },
      savepoint,
      this.#settings,
      this.#changes,
      (acts) => this.#acts.push(...acts),
    );
  }

  flush(transaction: Transaction): Promise<void> {
    insertActs(transaction, this.#acts);
    this.#acts = [];
    return this.#admissions.flush(transaction, this.#changes.take());
  }

  /** When the response to a commit is lost, the ledger shows whether it took place. */
  async confirm(transaction: Transaction, _: QueuedCall, outcome: Outcome | KeyCheck): Promise<boolean> {
    if (outcome.kind !== "done" && outcome.kind !== "refused") return false;
    const balance = await findBalanceAfter(transaction, outcome.entry);
    if (balance === undefined) return false;
    outcome.entry.balance_after = balance;
    return true;
  }

  clear(): void {
    this.#taken.clear();
    this.#changes.clear();
    this.#acts = [];
    this.#admissions.clear();
  }

  undo(): void {
    this.#changes.clear();
    this.#acts = [];
    this.#admissions.undo();
  }
}

/** Carries out an admitted call, draws its units and records it. A refused call leaves its ledger row and nothing else. */
async function settle(
  transaction: Transaction,
  admissions: Admissions,
  admission: Admitted,
  {
    name,
    input,
    ifNoneMatch,
    repeatable,
    room,
    read,
    origin: { requestId, clientAddress, receivedAt },
  }: ApiCall & Pick<QueuedCall, "read">,
  savepoint: Transaction["savepoint"],
  { trashDays, feedCursors, report }: CallSettings,
  changes: PendingChanges,
  addActs: (acts: readonly AuthoredAct[]) => void,
): Promise<Settled> {
  const { caller } = admission;
  const charge = (status: number, units: number, team_id: string | null, reason?: Refusal) =>
    admissions.charge(caller, {
      id: requestId,
      key_call: admission.keyCall,
      operation: name,
      status,
      units,
      team_id,
      error_code: reason?.code ?? null,
      error_message: reason ? recordable(reason.message) : null,
      duration_microseconds: Math.round((performance.now() - receivedAt) * 1_000),
      client_address: clientAddress,
      admitted_at: admission.now,
    });
  const requireUnits = (units: number): void => {
    const shortage = admissions.shortageOf(caller, units, admission.now);
    if (shortage) throw shortage;
  };
  const mayCall = isInScope(caller.limits, operations[name].scope);
  const kept = mayCall && repeatable && (await findKept(transaction, caller, repeatable));
  if (kept && !(kept instanceof Refusal)) return { ...settleAgain(kept, charge), admission };
  try {
    const { result, status, units, stored, noted, acts } = await savepoint(async () => {
      if (!mayCall) throw errors.scopeInsufficient();
      if (!caller.workspace.isSubscriptionActive) throw errors.subscriptionInactive();
      if (kept) throw kept;
      if (input instanceof Refusal) throw input;
      const limit = admission.window.limit;
      const reserve = reserveIn(room, name, caller);
      let stored = 0;
      const storeBytes: StoreBytes = async (bytes) => {
        admissions.requireRoom(caller, stored + bytes);
        stored += bytes;
      };
      const noted: NotedChange[] = [];
      const noteChanges: NoteChanges = (changes) => noted.push(...changes);
      const acts: AuthoredAct[] = [];
      const recordActs: RecordActs = (given) => acts.push(...authored(caller, foldActs(given)));
      const call = {
        ...{ transaction, caller, trashDays, requestsPerMinute: limit, reserve, storeBytes, noteChanges, recordActs },
        requireLeft: (needs: Needs) => admissions.requireLeft(transaction, caller, needs),
        ...(feedCursors && { feedCursors }),
      };
      const result = read && isReadFor(read, caller) ? read.result : await callHandler(name, call, input);
      const file = operations[name].isFile ? fileOf(result) : undefined;
      const isKnown = result.version !== undefined && namesVersion(ifNoneMatch, result.version);
      const size = isKnown
        ? 0
        : file
          ? bytesInMemory(file)
          : jsonBytes(result.data, smallResponseBytesMax, limits.responseBytesMax);
      if (size > limits.responseBytesMax) throw errors.responseTooLarge(limits.responseBytesMax);
      reserve(size);
      const { cost } = operations[name];
      const units = isKnown ? 0 : cost.units(result.items ?? 1);
      requireUnits(units);
      if (repeatable) keep(transaction, caller, repeatable, requestId, { result });
      return { result, status: isKnown ? 304 : 200, units, stored, noted, acts };
    });
    // Again, right before they are drawn: calls of a group that only read run side by side, and another one may have drawn meanwhile.
    requireUnits(units);
    admissions.store(caller, stored);
    changes.add(caller.workspaceId, noted);
    addActs(acts);
    return { kind: "done", admission, result, entry: charge(status, units, result.teamId ?? null) };
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const isOurs = !(error instanceof Refusal) || error.kind === "internal";
    if (isOurs) report(requestId, error);
    const reason = isOurs ? errors.internal() : error;
    if (repeatable && !kept) keep(transaction, caller, repeatable, requestId, { reason });
    const units = unitsOfRefusal(reason.status, reason.code);
    // Nothing where the budget or the balance is too low.
    const isShort = admissions.shortageOf(caller, units, admission.now) !== undefined;
    const entry = charge(reason.status, isShort ? 0 : units, null, reason);
    return { kind: "refused", admission, reason, entry };
  }
}

/** When there may be room for a large response again. */
const retryAfterSeconds = 1;

/** Reserves room for the response to a call, before it is charged. What changes something has a small one. @throws Refusal 503 */
const reserveIn =
  (room: ResponseRoom, name: OperationName, caller: Caller) =>
  (bytes: number): void => {
    if (operations[name].method === "GET" && !room.reserve({ workspace: caller.workspaceId, key: caller.id }, bytes))
      throw errors.busy(retryAfterSeconds);
  };
