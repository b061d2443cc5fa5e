// What the calls of a transaction share: their keys with the rate windows, the balances they draw from, and their ledger rows. Everything
// is read once and written once, however many calls there are (decisions, sections 6, 8 and 10).
import type { GroupScope } from "../../platform/database/call-group.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { monthOf } from "../../platform/time.ts";
import { type RateWindow, windowOf } from "../keys/rate-limit.ts";
import { findBalance, type LedgerEntry, lockForBalanceChange } from "../quota/quota.store.ts";
import { openMonth } from "../quota/quota.ts";
import * as store from "./admission.store.ts";
import { CallTimes } from "./call-times.ts";

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
}

/** An active key. It is the caller of its calls. */
export interface KeyAccount {
  readonly id: string;
  readonly workspaceId: string;
  readonly isAllTeams: boolean;
  readonly teamIds: ReadonlySet<string>;
  readonly workspace: WorkspaceAccount;
  readonly times: CallTimes;
  callCount: number;
}

/** A ledger row that is not written yet, or just was. Its balance is exact once it was written. */
export type PendingEntry = { -readonly [Name in keyof LedgerEntry]: LedgerEntry[Name] };

/** More keys than this are not remembered from one transaction to the next. */
const keysMax = 20_000;

export class Admissions {
  readonly #scope: GroupScope;
  readonly #keys = new Map<string, KeyAccount>();
  readonly #workspaces = new Map<string, WorkspaceAccount>();
  /** Keys and workspaces with changes that are not written yet. */
  readonly #counted = new Set<KeyAccount>();
  readonly #charged = new Set<WorkspaceAccount>();
  /** Keys that are read again for the next transaction. */
  readonly #passing = new Set<string>();
  #entries: PendingEntry[] = [];

  constructor(scope: GroupScope) {
    this.#scope = scope;
  }

  find(secretHash: string): KeyAccount | undefined {
    return this.#keys.get(secretHash);
  }

  /** Takes what `admissionsOf` read. */
  async load(transaction: Transaction, rows: readonly store.AdmissionRow[]): Promise<void> {
    for (const row of rows) {
      const workspace = this.#workspaces.get(row.workspace_id) ?? {
        id: row.workspace_id,
        isSubscriptionActive: row.subscription === "active",
        month: row.newest_month ?? undefined,
        balance: undefined,
        drawn: 0,
      };
      this.#workspaces.set(workspace.id, workspace);
      const times = await this.#loadTimes(transaction, row);
      // A time ahead of the clock would be out of order once calls are added.
      if (this.#scope.isLasting && (times.newestAt ?? "") > transaction.now) this.#passing.add(row.secret_hash);
      this.#keys.set(row.secret_hash, accountOf(row, workspace, times));
    }
  }

  async #loadTimes(transaction: Transaction, row: store.AdmissionRow): Promise<CallTimes> {
    if (!this.#scope.isLasting || row.oldest_call === null) return timesOf(row);
    return new CallTimes(await store.listCallsInWindow(transaction, row, windowOf(transaction.now)));
  }

  /** The window of a key that ends now. */
  window(key: KeyAccount, limit: number, now: string): RateWindow {
    if (this.#scope.isLasting) key.times.leaveUntil(windowOf(now).from);
    return { limit, used: key.times.total, oldestAt: key.times.oldestAt };
  }

  /** Counts an admitted call. @returns its number among the key's calls */
  count(key: KeyAccount, now: string): number {
    key.times.add(now);
    key.callCount += 1;
    this.#counted.add(key);
    return key.callCount;
  }

  /** Whether calls can draw from this month's balance; otherwise it has to be opened or read first. */
  isMonthOpen({ workspace }: KeyAccount, now: string): boolean {
    return workspace.month === monthOf(now) && (!this.#scope.isExclusive || workspace.balance !== undefined);
  }

  /** Opens the month, and reads its balance if nobody else draws from it. */
  async openMonth(transaction: Transaction, { workspace }: KeyAccount): Promise<void> {
    const month = monthOf(transaction.now);
    await openMonth(transaction, workspace.id);
    if (this.#scope.isExclusive) {
      lockForBalanceChange(transaction, workspace.id, month);
      workspace.balance = await findBalance(transaction, workspace.id, month);
    }
    workspace.month = month;
  }

  /** Whether the balance has so many units. Where it is not known, the commit finds out. */
  covers({ workspace }: KeyAccount, units: number): boolean {
    return workspace.balance === undefined || workspace.balance >= units;
  }

  /** Draws the units of a call, which the balance must cover, and records it. @returns its ledger row */
  charge(key: KeyAccount, entry: Omit<LedgerEntry, "workspace_id" | "key_id" | "balance_after">): PendingEntry {
    const { workspace } = key;
    workspace.drawn += entry.units;
    if (workspace.balance !== undefined) workspace.balance -= entry.units;
    this.#charged.add(workspace);
    // Relative until the balance is known: what was drawn up to this call. See `flush`.
    const balance_after = workspace.balance ?? -workspace.drawn;
    const row = { ...entry, workspace_id: key.workspaceId, key_id: key.id, balance_after };
    this.#entries.push(row);
    return row;
  }

  /** Writes what the calls changed. All statements are sent before any is waited for. */
  async flush(transaction: Transaction): Promise<void> {
    for (const secretHash of this.#passing) this.#keys.delete(secretHash);
    this.#passing.clear();
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    const month = monthOf(transaction.now);
    const keys = [...this.#counted].map((key) => ({
      workspace_id: key.workspaceId,
      id: key.id,
      call_count: key.callCount,
      last_used_at: transaction.now,
    }));
    store.updateCallCounts(transaction, keys);
    // In the order of their IDs, in which all transactions lock them.
    const workspaces = [...this.#charged]
      .filter(({ drawn }) => drawn > 0)
      .sort((one, two) => (one.id < two.id ? -1 : 1));
    for (const { id, drawn } of workspaces) store.drawUnits(transaction, id, month, drawn);
    if (this.#scope.isExclusive) store.insertLedgerEntries(transaction, entries);
    else await this.#insertAfterDraw(transaction, month, entries);
    for (const workspace of this.#charged) workspace.drawn = 0;
    this.#counted.clear();
    this.#charged.clear();
    if (this.#keys.size > keysMax) this.clear();
  }

  /** The balance that is read after all units were drawn, plus what later calls drew, is the balance after a call. */
  async #insertAfterDraw(transaction: Transaction, month: string, entries: PendingEntry[]): Promise<void> {
    for (const entry of entries) entry.balance_after += this.#workspaces.get(entry.workspace_id)?.drawn ?? 0;
    const balances = await store.insertLedgerEntriesAfterDraw(transaction, month, entries);
    for (const entry of entries) entry.balance_after = balances.get(entry.id) ?? entry.balance_after;
  }

  /** Forgets everything that was read or changed. */
  clear(): void {
    this.#keys.clear();
    this.#workspaces.clear();
    this.#counted.clear();
    this.#charged.clear();
    this.#passing.clear();
    this.#entries = [];
  }
}

const accountOf = (row: store.AdmissionRow, workspace: WorkspaceAccount, times: CallTimes): KeyAccount => ({
  id: row.id,
  workspaceId: row.workspace_id,
  isAllTeams: Boolean(row.is_all_teams),
  teamIds: new Set(store.teamsOf(row)),
  workspace,
  times,
  callCount: row.call_count,
});

/** Calls are numbered, so the number of the first one in the window also says how many there were since. */
const timesOf = ({ oldest_call, oldest_at, call_count }: store.AdmissionRow): CallTimes =>
  new CallTimes(
    oldest_call === null || oldest_at === null ? [] : [{ at: oldest_at, calls: call_count - oldest_call + 1 }],
  );
