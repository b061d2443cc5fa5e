// What the calls of a transaction share: their keys with the rate windows, the balances they draw from, their ledger rows and totals.
// Everything is read once and written once, however many calls there are (decisions, Costs; decisions, Rate limit).
import { errors, type Refusal } from "../../contract/errors.ts";
import type { GroupScope } from "../../platform/database/call-group.ts";
import type { Opening, Transaction } from "../../platform/database/database.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { monthOf } from "../../platform/time.ts";
import { budgetLeft, drawFromBudget, type LimitsInUse, limitsOf } from "../keys/key-limits.ts";
import type { RateWindow } from "../keys/rate-limit.ts";
import { findBalance, type LedgerEntry, lockForBalanceChange } from "../quota/quota.store.ts";
import { openMonth } from "../quota/quota.ts";
import { addingToStorage } from "../storage/storage.store.ts";
import { type Needs, readLockedStorage, readStorage, requireRoom } from "../storage/storage.ts";
import { addToTotals } from "../usage/totals.store.ts";
import * as store from "./admission.store.ts";
import { type CallTimes, CountedCalls } from "./call-times.ts";
import { RememberedWindows } from "./remembered-windows.ts";

/** A workspace whose keys make calls. */
interface WorkspaceAccount {
  readonly id: string;
  readonly isSubscriptionActive: boolean;
  /** The open month; undefined until a call needs it. */
  month: string | undefined;
  /** Undefined where somebody else may draw from it at the same time. */
  balance: number | undefined;
  /** Units that were drawn and not written yet. */
  drawn: number;
  /** What it stores and may store; undefined where somebody else may store something at the same time. */
  storage: { bytes: number; readonly bytesMax: number; changes: number } | undefined;
  /** Bytes that were stored, or given back, and not written yet. */
  stored: number;
}

/** An active key. It is the caller of its calls. */
export interface KeyAccount {
  readonly id: string;
  readonly workspaceId: string;
  readonly isAllTeams: boolean;
  readonly teamIds: ReadonlySet<string>;
  readonly deletedTeamIds: ReadonlySet<string>;
  readonly workspace: WorkspaceAccount;
  readonly times: CallTimes;
  /** Undefined for a key without any. */
  readonly limits: LimitsInUse | undefined;
}

/** What the ledger records of a call, except for whose it is and the balance after it. */
type ChargedCall = Omit<LedgerEntry, "workspace_id" | "key_id" | "balance_after">;

/** A ledger row that is not written yet, or just was. Its balance is exact once it was written. */
export type PendingEntry = { -readonly [Name in keyof LedgerEntry]: LedgerEntry[Name] };

/** Rows of the change feed, which get their numbers from the row that has the bytes of a workspace. */
export interface NumberedRows {
  readonly countOf: (workspaceId: string) => number;
  /** Adds the rows of a workspace, whose numbers are taken. @param newest the number of the last row */
  readonly insert: (transaction: Transaction, workspaceId: string, newest: number) => void;
  /**
   * Adds them where only the database knows the numbers. PostgreSQL only.
   * @param taking the statement that takes them
   * @param beside another one, which is carried out with it, because one statement costs less than two
   */
  readonly insertWhileNumbering: (transaction: Transaction, workspaceId: string, taking: Sql, beside: Sql) => void;
}

export const noNumberedRows: NumberedRows = {
  countOf: () => 0,
  insert: () => undefined,
  insertWhileNumbering: () => undefined,
};

/** More keys than this are not remembered from one transaction to the next. */
const keysMax = 20_000;

export class Admissions {
  readonly #scope: GroupScope;
  readonly #bytesMaxDefault: number;
  readonly #keys = new Map<string, KeyAccount>();
  readonly #workspaces = new Map<string, WorkspaceAccount>();
  /** Keys and workspaces with changes that are not written yet. */
  readonly #counted = new Set<KeyAccount>();
  readonly #charged = new Set<WorkspaceAccount>();
  /** Undefined where other processes admit calls too: windows are read with the keys then. */
  readonly #windows: RememberedWindows | undefined;
  #entries: PendingEntry[] = [];
  #parsed = { now: "", milliseconds: 0 };

  /** @param bytesMaxDefault what a workspace without a limit of its own may store */
  constructor(scope: GroupScope, bytesMaxDefault: number) {
    this.#scope = scope;
    this.#bytesMaxDefault = bytesMaxDefault;
    this.#windows = scope.isLasting ? new RememberedWindows() : undefined;
  }

  /** The statements that open a transaction of calls with these keys. */
  opening(secretHashes: readonly string[], claim?: string): Opening<store.AdmissionRow> {
    return store.admissionsOf(secretHashes, this.#windows === undefined, claim);
  }

  find(secretHash: string): KeyAccount | undefined {
    return this.#keys.get(secretHash);
  }

  /** Takes what `admissionsOf` read. */
  async load(transaction: Transaction, rows: readonly store.AdmissionRow[]): Promise<void> {
    for (const row of rows) {
      if (row.subscription === null) continue;
      const workspace = this.#workspaces.get(row.workspace_id) ?? {
        id: row.workspace_id,
        isSubscriptionActive: row.subscription === "active",
        month: row.newest_month ?? undefined,
        balance: undefined,
        drawn: 0,
        storage: undefined,
        stored: 0,
      };
      this.#workspaces.set(workspace.id, workspace);
      const times = (await this.#windows?.find(transaction, row)) ?? timesOf(row);
      this.#keys.set(row.secret_hash, accountOf(row, workspace, times));
    }
  }

  /** The window of a key that ends now. */
  window(key: KeyAccount, limit: number, now: string): RateWindow {
    return key.times.window(limit, this.#millisecondsOf(now));
  }

  /** Counts an admitted call. @returns its number among the key's calls */
  count(key: KeyAccount, now: string): number {
    key.times.add(this.#millisecondsOf(now));
    this.#counted.add(key);
    return key.times.newestNumber;
  }

  /** Parses the time of a transaction once for all its calls. */
  #millisecondsOf(now: string): number {
    if (this.#parsed.now !== now) this.#parsed = { now, milliseconds: Date.parse(now) };
    return this.#parsed.milliseconds;
  }

  /** Whether calls can draw from this month's balance; otherwise it has to be opened or read first. */
  isMonthOpen({ workspace }: KeyAccount, now: string): boolean {
    return workspace.month === monthOf(now) && (!this.#scope.isExclusive || workspace.balance !== undefined);
  }

  /** Opens the month, and reads its balance and the storage if nobody else changes them. */
  async openMonth(transaction: Transaction, { workspace }: KeyAccount): Promise<void> {
    const month = monthOf(transaction.now);
    await openMonth(transaction, workspace.id);
    if (this.#scope.isExclusive) {
      const { bytes, bytesMax, changes } = await readLockedStorage(transaction, workspace.id, this.#bytesMaxDefault);
      workspace.storage = { bytes, bytesMax, changes };
      lockForBalanceChange(transaction, workspace.id, month);
      workspace.balance = await findBalance(transaction, workspace.id, month);
    }
    workspace.month = month;
  }

  /**
   * Why so many units cannot be drawn. The budget comes first, because it is always known: where the balance is not, the commit finds out.
   */
  shortageOf({ limits, workspace: { balance } }: KeyAccount, units: number, now: string): Refusal | undefined {
    const left = budgetLeft(limits, now);
    if (left !== undefined && left < units) return errors.keyBudgetExceeded(units, left);
    return balance !== undefined && balance < units ? errors.quotaExceeded(units, balance) : undefined;
  }

  /**
   * Checks that a key has so much left for work that takes several calls. What is not known here is read: the commit of this call would not
   * find out.
   */
  async requireLeft(transaction: Transaction, key: KeyAccount, { units, bytes }: Needs): Promise<void> {
    const { id, balance = await findBalance(transaction, id, monthOf(transaction.now)) } = key.workspace;
    const shortage = this.shortageOf({ ...key, workspace: { ...key.workspace, balance } }, units, transaction.now);
    if (shortage) throw shortage;
    requireRoom(key.workspace.storage ?? (await readStorage(transaction, id, this.#bytesMaxDefault)), bytes);
  }

  /** Where the storage is not known, the commit finds out. @throws Refusal `storage_exceeded` */
  requireRoom({ workspace: { storage } }: KeyAccount, bytes: number): void {
    if (storage) requireRoom(storage, bytes);
  }

  /** Counts the bytes of a call that is charged next, for which there must be room. */
  store({ workspace }: KeyAccount, bytes: number): void {
    workspace.stored += bytes;
    if (workspace.storage) workspace.storage.bytes += bytes;
  }

  /** Draws the units of a call, which balance and budget must cover, and records it. @returns its ledger row */
  charge(key: KeyAccount, entry: ChargedCall): PendingEntry {
    const { workspace } = key;
    workspace.drawn += entry.units;
    if (workspace.balance !== undefined) workspace.balance -= entry.units;
    if (key.limits) drawFromBudget(key.limits, entry.units, entry.admitted_at);
    this.#charged.add(workspace);
    // Relative until the balance is known: what was drawn up to this call. See `flush`.
    const balance_after = workspace.balance ?? -workspace.drawn;
    const row = { ...entry, workspace_id: key.workspaceId, key_id: key.id, balance_after };
    this.#entries.push(row);
    return row;
  }

  /** Writes what the calls changed. All statements are sent before any is waited for. */
  async flush(transaction: Transaction, changes = noNumberedRows): Promise<void> {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    const month = monthOf(transaction.now);
    const keys = [...this.#counted].map((key) => ({
      workspace_id: key.workspaceId,
      id: key.id,
      call_count: key.times.newestNumber,
      last_used_at: transaction.now,
    }));
    store.updateCallCounts(transaction, keys);
    const budgets = [...this.#counted].flatMap(drawnBudgetOf);
    if (budgets.length > 0) store.updateBudgets(transaction, budgets);
    addToTotals(transaction, entries);
    // In the order of their IDs, in which all transactions lock them.
    const workspaces = [...this.#charged].sort((one, two) => (one.id < two.id ? -1 : 1));
    for (const workspace of workspaces) this.#writeSums(transaction, workspace, month, changes);
    if (this.#scope.isExclusive) store.insertLedgerEntries(transaction, entries);
    else await this.#insertAfterDraw(transaction, month, entries);
    for (const workspace of this.#charged) workspace.drawn = workspace.stored = 0;
    this.#counted.clear();
    this.#charged.clear();
    if (this.#keys.size > keysMax) this.clear();
  }

  /** Adds to what a workspace stores, with the rows that are numbered there, and draws its units. */
  #writeSums(
    transaction: Transaction,
    { id, stored, storage, drawn }: WorkspaceAccount,
    month: string,
    changes: NumberedRows,
  ): void {
    const count = changes.countOf(id);
    const adding = addingToStorage({
      ...{ workspaceId: id, bytes: stored, bytesMaxDefault: this.#bytesMaxDefault, changes: count },
    });
    const drawing = store.drawingUnits(id, month, drawn);
    if (count > 0 && !storage) {
      changes.insertWhileNumbering(transaction, id, adding, drawing);
      return;
    }
    if (stored !== 0 || count > 0) transaction.send(adding);
    if (count > 0 && storage) {
      storage.changes += count;
      changes.insert(transaction, id, storage.changes);
    }
    if (drawn > 0) transaction.send(drawing);
  }

  /** The balance that is read after all units were drawn, plus what later calls drew, is the balance after a call. */
  async #insertAfterDraw(transaction: Transaction, month: string, entries: PendingEntry[]): Promise<void> {
    for (const entry of entries) entry.balance_after += this.#workspaces.get(entry.workspace_id)?.drawn ?? 0;
    const balances = await store.insertLedgerEntriesAfterDraw(transaction, month, entries);
    for (const entry of entries) entry.balance_after = balances.get(entry.id) ?? entry.balance_after;
  }

  /** Forgets everything, also the calls in the windows, because some of them were rolled back. */
  undo(): void {
    this.clear();
    this.#windows?.clear();
  }

  /** Forgets everything that was read or changed, except for windows that turn out to be as they were. */
  clear(): void {
    this.#keys.clear();
    this.#workspaces.clear();
    this.#counted.clear();
    this.#charged.clear();
    this.#entries = [];
  }
}

function accountOf(row: store.AdmissionRow, workspace: WorkspaceAccount, times: CallTimes): KeyAccount {
  const deletedTeamIds = new Set(store.idsOf(row.deleted_team_ids));
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    isAllTeams: Boolean(row.is_all_teams),
    teamIds: new Set(store.idsOf(row.team_ids)).difference(deletedTeamIds),
    deletedTeamIds,
    workspace,
    times,
    limits: limitsOf(row),
  };
}

const drawnBudgetOf = ({ workspaceId, id, limits }: KeyAccount): store.DrawnBudget[] =>
  limits?.budget
    ? [{ workspace_id: workspaceId, id, budget_month: limits.budget.month, budget_used: limits.budget.used }]
    : [];

const timesOf = ({ oldest_call, oldest_at, call_count }: store.AdmissionRow): CallTimes =>
  new CountedCalls(
    call_count,
    typeof oldest_call === "number" && oldest_at ? { number: oldest_call, at: Date.parse(oldest_at) } : undefined,
  );
