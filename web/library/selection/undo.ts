// What the person can undo: the last changes, as long as the page is open. Each is undone by itself, or one after another from the last one.
import { ApiError } from "../../call.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { createStore, useStore } from "../../store.ts";

/** So many changes can be undone. */
export const undoStepsMax = 10;
/** So long the button is offered beside the message. */
const offerSeconds = 10;

export interface UndoStep {
  readonly id: number;
  /** What was done: `Moved 6 snippets to “Billing”` */
  readonly text: string;
  /** When, as an ISO time. */
  readonly at: string;
  readonly workspaceId: string;
}

interface RunnableStep extends UndoStep {
  /** Leaves alone what somebody has changed since. @throws Error that says why nothing was undone */
  readonly run: () => Promise<void>;
  readonly dismiss: () => void;
  /** The snippets that it moved to the trash. */
  readonly deletedIds: readonly string[];
}

/** What was changed since cannot be undone. */
export class ChangedSince extends Error {
  constructor() {
    super("This was changed since, so it can’t be undone.");
  }
}

const steps = createStore<readonly RunnableStep[]>([]);
let lastId = 0;
/** Changes are undone one after another, in the order in which the person asks for it. */
let running = Promise.resolve();

/** The changes that can be undone, the last one first. */
export const useUndoSteps = (): readonly UndoStep[] => useStore(steps);

/** Says what was done, and remembers how to undo it. */
export function offerUndo(
  text: string,
  workspaceId: string,
  run: RunnableStep["run"],
  deletedIds: readonly string[] = [],
): void {
  lastId += 1;
  const id = lastId;
  for (const { dismiss } of steps.get()) dismiss();
  const dismiss = toast(text, "good", { seconds: offerSeconds, action: { label: "Undo", run: () => undoStep(id) } });
  const step = { id, text, at: new Date().toISOString(), workspaceId, run, dismiss, deletedIds };
  steps.set([step, ...steps.get()].slice(0, undoStepsMax));
}

/** Forgets the deletions of snippets that were restored in another way. */
export function forgetDeletion(restoredIds: readonly string[]): void {
  const restored = new Set(restoredIds);
  const isUndone = ({ deletedIds }: RunnableStep) =>
    deletedIds.length > 0 && deletedIds.every((id) => restored.has(id));
  for (const step of steps.get().filter(isUndone)) step.dismiss();
  steps.set(steps.get().filter((step) => !isUndone(step)));
}

/** Undoes one of the changes. It can be tried again where the service could not be reached. */
export function undoStep(id: number): void {
  const step = steps.get().find((candidate) => candidate.id === id);
  if (!step) return;
  step.dismiss();
  steps.set(steps.get().filter((other) => other !== step));
  running = running.then(step.run).catch((error: Error) => {
    if (isPassing(error)) steps.set([...steps.get(), step].sort((one, other) => other.id - one.id));
    toastError(error);
  });
}

const isPassing = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Undoes the last change in this workspace, or says where else it can be found. @param hasTrash deleted snippets can be restored */
export function undoLast(workspaceId: string, hasTrash: boolean): void {
  const last = steps.get().find((step) => step.workspaceId === workspaceId);
  if (last) {
    undoStep(last.id);
    return;
  }
  const trash = hasTrash ? " Deleted snippets are in the trash." : "";
  toast(`Nothing to undo. Earlier versions are in each snippet’s history.${trash}`, "warn");
}
