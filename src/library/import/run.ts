// Runs an import, a portion in each transaction: what is made is recorded with it, so that an import that was interrupted goes on where it
// stopped, and one that is finished can be undone.
import { limits } from "../../contract/limits.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { addDays } from "../../platform/time.ts";
import type { Call } from "../call.ts";
import type { Place, Tree, Warning } from "../formats/tree.ts";
import { readExisting } from "./existing.ts";
import * as store from "./imports.store.ts";
import { makeGroups } from "./make-groups.ts";
import { makeSnippets } from "./make-snippets.ts";
import { type Counts, countPlan, type OnDuplicate, type Plan, planImport } from "./plan.ts";
import { portionOf, type Step, stepsOf } from "./steps.ts";

/** How long an import can be undone. */
export const undoDays = 30;

export interface ImportSource {
  readonly name: string;
  /** The same for the same files. */
  readonly hash: string;
  readonly format: string;
  readonly tree: Tree;
  readonly places: readonly Place[];
}

export interface ImportTarget {
  readonly workspaceId: string;
  readonly teamId: string;
  readonly onDuplicate: OnDuplicate;
}

/** Makes the call of one transaction: who imports, and where bytes are counted. */
export type CallOf = (transaction: Transaction) => Promise<Call>;

export interface ImportRun {
  readonly database: Database;
  readonly callOf: CallOf;
  /** Receives how many steps of how many are done. */
  readonly onProgress: (done: number, total: number) => void;
  /** False ends the run after a portion; it can be resumed. */
  readonly goOn: () => boolean;
}

export interface ImportOutcome extends Counts {
  readonly id: string;
  readonly isFinished: boolean;
  /** An earlier run had begun it. */
  readonly isResumed: boolean;
  /** What was refused while it ran. */
  readonly failures: readonly Warning[];
}

/** What an import would do now. */
export async function previewImport(database: Database, target: ImportTarget, source: ImportSource): Promise<Plan> {
  const existing = await readExisting((work) => database.read(work), target, source.tree, new Set());
  return planImport(source.tree, source.places, existing, target.onDuplicate);
}

/** @throws Refusal where the workspace has no room; what was made until then stays, and the import can be resumed or undone */
export async function runImport(run: ImportRun, target: ImportTarget, source: ImportSource): Promise<ImportOutcome> {
  const { database, onProgress, goOn } = run;
  const begun = await database.transaction(async (transaction) => begin(await run.callOf(transaction), target, source));
  const read = <Result>(work: (transaction: Transaction) => Promise<Result>) => database.read(work);
  const made = new Set(await read((transaction) => store.listMadeSnippets(transaction, target.workspaceId, begun.id)));
  const existing = await readExisting(read, target, source.tree, made);
  const plan = planImport(source.tree, source.places, existing, target.onDuplicate);
  const steps = stepsOf(source.tree);
  const failures: Warning[] = [];
  let done = begun.steps_done;
  onProgress(done, steps.length);
  while (done < steps.length && goOn()) {
    const portion = await database.transaction(async (transaction) =>
      doPortion(await run.callOf(transaction), target, source, begun.id, plan, steps),
    );
    done = portion.done;
    failures.push(...portion.failures);
    onProgress(done, steps.length);
  }
  const isFinished = done >= steps.length;
  if (isFinished)
    await database.transaction(async (transaction) => store.markFinished(transaction, target.workspaceId, begun.id));
  return { ...countPlan(plan), id: begun.id, isFinished, isResumed: begun.steps_done > 0, failures };
}

async function begin(call: Call, target: ImportTarget, { name, hash, format }: ImportSource): Promise<store.ImportRow> {
  const { transaction, caller } = call;
  const { workspaceId, teamId, onDuplicate } = target;
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
  const unfinished = await store.findUnfinishedImport(transaction, row);
  if (!unfinished) store.insertImport(transaction, row);
  return unfinished ?? row;
}

interface Done {
  readonly done: number;
  readonly failures: readonly Warning[];
}

async function doPortion(
  call: Call,
  target: ImportTarget,
  source: ImportSource,
  importId: string,
  plan: Plan,
  steps: readonly Step[],
): Promise<Done> {
  const { transaction } = call;
  const { workspaceId } = target;
  const row = await store.lockImport(transaction, workspaceId, importId);
  if (!row || row.undone_at !== null || row.finished_at !== null) return { done: steps.length, failures: [] };
  const first = steps[row.steps_done];
  if (!first) return { done: steps.length, failures: [] };
  const portion = portionOf(steps.slice(row.steps_done, row.steps_done + limits.batchItemsMax), source.tree);
  const failures: Warning[] = [];
  if (first.kind === "snippet") await makeSnippets(call, target, source, importId, plan, portion, failures);
  else await makeGroups(call, target, importId, first.kind, plan, source.tree, portion, failures);
  const done = row.steps_done + portion.length;
  store.updateStepsDone(transaction, workspaceId, importId, done);
  return { done, failures };
}
