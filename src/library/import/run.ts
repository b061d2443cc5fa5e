// Runs an import, a portion in each transaction: what is made is recorded with it, so that an import that was interrupted goes on where it
// stopped, and one that is finished can be undone.
import { errors, Refusal } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { addDays } from "../../platform/time.ts";
import { recordsNothing } from "../acts.ts";
import type { Call } from "../call.ts";
import type { FormatId } from "../formats/format-ids.ts";
import type { TableSample } from "../formats/table-sample.ts";
import type { ImportTree, Place, Warning } from "../formats/tree.ts";
import { refusalOf, requireWhole } from "./all-or-nothing.ts";
import { type Read, readExisting } from "./existing.ts";
import * as store from "./imports.store.ts";
import { makeGroups } from "./make-groups.ts";
import { makeSnippets } from "./make-snippets.ts";
import { countMade, type Made, noneMade } from "./outcome.ts";
import { type Counts, countPlan, type OnDuplicate, type Plan, planImport } from "./plan.ts";
import { actingSteps, countSteps, firstFrom, portionOf } from "./steps.ts";
import { warnOfTimes } from "./times.ts";
import { undoImport } from "./undo.ts";

/** How long an import can be undone. */
export const undoDays = 30;

export interface ImportSource {
  /** Of the file. */
  readonly name: string;
  /** The same for the same files. */
  readonly hash: string;
  readonly format: FormatId;
  readonly tree: ImportTree;
  readonly places: readonly Place[];
  readonly table?: TableSample | undefined;
  /** What of the file could not be read. */
  readonly problems: readonly Warning[];
  /** What the tree has differently from the file. */
  readonly warnings: readonly Warning[];
}

export interface ImportTarget {
  readonly workspaceId: string;
  readonly teamId: string;
  /** The folder that everything goes into; null for none. */
  readonly folderId: string | null;
  readonly onDuplicate: OnDuplicate;
  /** The import that goes on, where the caller says which. */
  readonly continuedId?: string | undefined;
  /** True where nothing is imported unless everything can be. */
  readonly isAllOrNothing: boolean;
}

/** Makes the call of one transaction: who imports, and where bytes are counted. */
export type CallOf = (transaction: Transaction) => Promise<Call>;

export interface ImportRun {
  readonly database: Database;
  readonly callOf: CallOf;
  /** Receives what will be done, before anything is. */
  readonly onPlan?: (plan: PlanWithWarnings) => void;
  /** Receives how many steps of how many are done. */
  readonly onProgress: (done: number, total: number) => void;
  /** False ends the run after a portion; it can be resumed. */
  readonly goOn: () => boolean | Promise<boolean>;
}

export interface ImportOutcome extends Counts {
  readonly id: string;
  readonly plan: PlanWithWarnings;
  readonly isFinished: boolean;
  /** An earlier run had begun it. */
  readonly isResumed: boolean;
  /** What was refused while it ran. */
  readonly failures: readonly Warning[];
}

/** What an import does, and what a person should know about that. */
export interface PlanWithWarnings extends Plan {
  readonly warnings: readonly Warning[];
}

/** What an import would do now. */
export async function previewImport(read: Read, target: ImportTarget, source: ImportSource): Promise<PlanWithWarnings> {
  return planOf(read, target, source, new Set());
}

/**
 * @throws Refusal where the workspace has no room. What was made until then stays, and the import can be resumed or undone; of everything or
 * nothing, nothing stays.
 */
export async function runImport(run: ImportRun, target: ImportTarget, source: ImportSource): Promise<ImportOutcome> {
  const { database, callOf } = run;
  const row = await database.transaction(async (transaction) => begin(await callOf(transaction), target, source));
  try {
    return await runFrom(row, run, target, source);
  } catch (error) {
    if (target.isAllOrNothing && error instanceof Refusal) await takeBack(run, target, row.id);
    throw error;
  }
}

/** Leaves nothing of an import, not even in the trash. */
async function takeBack(run: ImportRun, { workspaceId }: ImportTarget, importId: string): Promise<void> {
  const callOf: CallOf = async (transaction) => ({ ...(await run.callOf(transaction)), trashDays: 0 });
  await undoImport({ ...run, callOf, goOn: () => true, onProgress: () => undefined }, workspaceId, importId);
  await run.database.transaction(async (transaction) => store.forgetImport(transaction, workspaceId, importId));
}

async function runFrom(
  row: store.ImportRow,
  run: ImportRun,
  target: ImportTarget,
  source: ImportSource,
): Promise<ImportOutcome> {
  const { database, onProgress, goOn } = run;
  const read: Read = (work) => database.read(work);
  const plan = await planRest(read, target, source, row.id);
  run.onPlan?.(plan);
  if (target.isAllOrNothing)
    await database.transaction(async (transaction) =>
      requireWhole(await run.callOf(transaction), plan, source.tree, limits.batchItemsMax, row.steps_done === 0),
    );
  const made = noneMade();
  const total = countSteps(source.tree);
  let done = row.steps_done;
  onProgress(done, total);
  while (done < total && (await goOn())) {
    done = await database.transaction(async (transaction) =>
      doPortion(await run.callOf(transaction), target, source, row.id, plan, made, limits.batchItemsMax),
    );
    if (target.isAllOrNothing && made.failures.length > 0) throw refusalOf(made.failures);
    onProgress(done, total);
  }
  const isFinished = done >= total;
  if (isFinished)
    await database.transaction(async (transaction) => {
      store.markFinished(transaction, target.workspaceId, row.id);
      recordImport(await run.callOf(transaction), target, source, made);
    });
  return { ...countPlan(plan), id: row.id, plan, isFinished, isResumed: row.steps_done > 0, failures: made.failures };
}

/** What one request of an import has done. */
export interface ImportedPart {
  readonly id: string;
  readonly plan: PlanWithWarnings;
  readonly made: Made;
  /** Snippets, folders, and tags that another request has to import. */
  readonly remaining: number;
}

/**
 * Imports a part in one transaction. The same source again, for the same target, goes on with the next part.
 * @param itemsMax snippets, folders, and tags that it makes or changes
 */
export async function importPart(
  call: Call,
  target: ImportTarget,
  source: ImportSource,
  itemsMax: number,
): Promise<ImportedPart> {
  const { transaction } = call;
  const row = await begin(call, target, source);
  const plan = await planRest((work) => work(transaction), target, source, row.id);
  if (target.isAllOrNothing) await requireWhole(call, plan, source.tree, itemsMax, row.steps_done === 0);
  const made = noneMade();
  const total = countSteps(source.tree);
  let done = row.steps_done;
  while (done < total && countMade(made) + made.failures.length < itemsMax) {
    const most = Math.min(limits.batchItemsMax, itemsMax - countMade(made));
    done = await doPortion(call, target, source, row.id, plan, made, most);
    if (target.isAllOrNothing && made.failures.length > 0) throw refusalOf(made.failures);
  }
  if (done >= total && row.finished_at === null) store.markFinished(transaction, target.workspaceId, row.id);
  recordImport(call, target, source, made);
  const acting = actingSteps(plan, source.tree);
  const remaining = acting.length - firstFrom(acting, done);
  return { id: row.id, plan, made, remaining };
}

/** The activity has one entry for what an import makes, however many snippets, folders, and tags that are. */
function recordImport(
  { recordActs }: Call,
  { teamId }: ImportTarget,
  { name, format }: ImportSource,
  made: Made,
): void {
  const details = { created: made.snippetIds.length, replaced: made.replaced, format };
  if (countMade(made) > 0) recordActs([{ action: "import.run", teamId, name, details }]);
}

async function planRest(
  read: Read,
  target: ImportTarget,
  source: ImportSource,
  importId: string,
): Promise<PlanWithWarnings> {
  const made = await read((transaction) => store.listMadeIds(transaction, target.workspaceId, importId));
  return planOf(read, target, source, new Set(made));
}

/** @param made what the import itself has made until now */
async function planOf(
  read: Read,
  target: ImportTarget,
  { tree, places, problems, warnings }: ImportSource,
  made: ReadonlySet<string>,
): Promise<PlanWithWarnings> {
  const existing = await readExisting(read, target, tree, made);
  const plan = planImport(tree, places, existing, target.onDuplicate, target.folderId);
  const ofTimes = warnOfTimes(tree.snippets, places, plan, made, await read(async ({ now }) => now));
  return { ...plan, problems: [...problems, ...plan.problems], warnings: [...ofTimes, ...warnings] };
}

async function begin(call: Call, target: ImportTarget, { name, hash, format }: ImportSource): Promise<store.ImportRow> {
  const { transaction, caller } = call;
  const { workspaceId, teamId, onDuplicate, continuedId } = target;
  store.lockTeamOfImport(transaction, workspaceId, teamId);
  store.forgetImportsBefore(transaction, workspaceId, addDays(transaction.now, -undoDays));
  const row: store.ImportRow = {
    workspace_id: workspaceId,
    id: transaction.newId(),
    team_id: teamId,
    source_name: name,
    source_hash: hash,
    format,
    on_duplicate: onDuplicate,
    created_by: caller.id,
    created_at: transaction.now,
    finished_at: null,
    undone_at: null,
    steps_done: 0,
  };
  if (continuedId !== undefined)
    return requireContinued(await store.lockImport(transaction, workspaceId, continuedId), row);
  const unfinished = await store.findUnfinishedImport(transaction, row);
  if (!unfinished) store.insertImport(transaction, row);
  return unfinished ?? row;
}

/**
 * A request that arrives late must not begin again what was undone meanwhile.
 * @param wanted the import that would begin without it
 * @throws Refusal 400 for another import, 409 for one that was undone
 */
function requireContinued(found: store.ImportRow | undefined, wanted: store.ImportRow): store.ImportRow {
  const isSame =
    found?.team_id === wanted.team_id &&
    found.source_hash === wanted.source_hash &&
    found.on_duplicate === wanted.on_duplicate;
  if (!isSame) throw errors.invalid("importId must be an import of this file into the team, with the same parameters");
  if (found.undone_at !== null) throw errors.importUndone();
  return found;
}

/** @returns how many steps are done. @throws Refusal 409 for an import that was undone meanwhile */
async function doPortion(
  given: Call,
  target: ImportTarget,
  source: ImportSource,
  importId: string,
  plan: Plan,
  made: Made,
  most: number,
): Promise<number> {
  const call: Call = { ...given, recordActs: recordsNothing };
  const { transaction } = call;
  const { workspaceId } = target;
  const { tree } = source;
  const total = countSteps(tree);
  const row = await store.lockImport(transaction, workspaceId, importId);
  if (!row || row.undone_at !== null) throw errors.importUndone();
  if (row.finished_at !== null) return total;
  const acting = actingSteps(plan, tree);
  const start = firstFrom(acting, row.steps_done);
  const portion = portionOf(
    acting.slice(start, start + most).map(({ step }) => step),
    tree,
  );
  const [first] = portion;
  if (first?.kind === "snippet") await makeSnippets(call, target, source, importId, plan, portion, made);
  else if (first) await makeGroups(call, target, importId, first.kind, plan, tree, portion, made);
  const done = acting[start + portion.length]?.number ?? total;
  store.updateStepsDone(transaction, workspaceId, importId, done);
  return done;
}
