// Carries out what was decided for one file and its snippet. Each step can be the last one before the program ends: the next pass then finds both
// sides as they are, and decides again.
import { NotFoundError } from "../../../../sdk/src/index.ts";
import { type Decision, decide } from "./decide.ts";
import {
  type Document,
  folderOf,
  inLines,
  render,
  renderNew,
  sameDocument,
  sameField,
  withEndingsOf,
} from "./document.ts";
import { type Case, documentOf } from "./match.ts";
import { mergeTexts } from "./merge.ts";
import type { FoundFile, Item } from "./ports.ts";
import { hashOfContent, keep, placed, refused, type Work, warnOfShortcut } from "./work.ts";

/** So often is decided again, where others change the same snippet all the time. */
const attemptsMax = 3;

/** Whether a decision changes something in the service. */
export const isForService = ({ action }: Decision): boolean => ["push", "merge", "create", "trash"].includes(action);

export async function carryOut(work: Work, found: Case, decision: Decision, attempt = 1): Promise<void> {
  const { entry, local, remote } = found;
  const { known, outcome } = work;
  const path = local?.file.path ?? entry?.path ?? "";
  switch (decision.action) {
    case "none":
      // A file of a one-way sync gets its ID, and then is recognized wherever it is moved.
      if (local && remote && !entry && work.formerPaths.has(path)) write(work, found, remote, local.document);
      else if (local && remote) keep(work, remote, path, documentOf(local, entry));
      return;
    case "write":
      if (remote) write(work, found, remote, decision.document);
      return;
    case "conflict":
      if (local && remote && copyAside(work, local.file)) write(work, found, remote, decision.document, true);
      return;
    case "set aside":
      if (local && entry) moveAside(work, local.file, entry.id);
      return;
    case "remove":
      if (!local || !entry) return;
      if (!work.files.remove(path, local.file.hash)) outcome.isAgain = true;
      else {
        known.forget(entry.id);
        outcome.add("removed", path);
      }
      return;
    case "forget":
      if (entry) known.forget(entry.id);
      return;
    case "create":
      // With all other new files.
      return;
    case "trash":
    case "push":
    case "merge":
      if (remote) await onFresh(work, found, remote, decision, attempt);
  }
}

/**
 * Writes a document of the service into its file. A file that someone has just changed stays, and is handled once more.
 * @param isReported what happens to the file is reported already
 */
function write(work: Work, { local, entry }: Case, remote: Item, document: Document, isReported = false): void {
  const { files, outcome } = work;
  if (!local) {
    const path = pathWithoutFile(work, entry, remote, document);
    if (!files.write(path, renderNew(remote.id, document), undefined)) {
      outcome.isAgain = true;
      return;
    }
    keep(work, remote, path, document);
    outcome.add(entry ? "restored" : "downloaded", path);
    return;
  }
  const { path, content, hash } = local.file;
  const rendered = render(path, content, remote.id, document);
  if (rendered !== content && !files.write(path, rendered, hash)) {
    outcome.isAgain = true;
    return;
  }
  if (rendered !== content && !isReported) outcome.add("updated", path);
  keep(work, remote, relocate(work, path, hashOfContent(rendered), local.document, document), document);
}

/** A file that comes back has the name that it had. */
function pathWithoutFile(
  { known, places, seen }: Work,
  entry: Case["entry"],
  { of }: Item,
  document: Document,
): string {
  if (entry && !seen.has(entry.path)) return places.forChanged(entry.path, { ...entry, text: "" }, document);
  const main = of === null ? undefined : known.entry(of)?.path;
  return main === undefined ? places.forNew(document) : places.forFurther(main);
}

/** @returns where the file is then */
function relocate({ files, places, outcome }: Work, path: string, hash: string, written: Document, document: Document) {
  const to = places.forChanged(path, written, document);
  if (to === path) return path;
  if (!files.move(path, to, hash)) {
    outcome.isAgain = true;
    return path;
  }
  outcome.add("moved", path, to);
  return to;
}

/** Keeps a person's version beside the file, before anything else is written there. @returns false where that has to be tried again */
function copyAside({ files, places, outcome, conflicts, now }: Work, { path, content, hash }: FoundFile): boolean {
  // An interrupted run has kept it already.
  const kept = conflicts.find((file) => file.hash === hash && folderOf(file.path) === folderOf(path));
  const aside = kept?.path ?? places.forConflict(path, now());
  const isKept = kept !== undefined || files.write(aside, content ?? "", undefined);
  if (isKept) outcome.add("conflict", path, aside);
  else outcome.isAgain = true;
  return isKept;
}

function moveAside({ files, places, outcome, known, now }: Work, { path, hash }: FoundFile, id: string): void {
  const aside = places.forConflict(path, now());
  if (!files.move(path, aside, hash)) {
    outcome.isAgain = true;
    return;
  }
  known.forget(id);
  outcome.add("kept", path, aside);
}

/** Reads what the service has directly before something is sent, and decides again if that is not what was decided on. */
async function onFresh(work: Work, found: Case, remote: Item, decision: Decision, attempt: number): Promise<void> {
  const { library, outcome } = work;
  const { entry, local } = found;
  const fresh = await library.fresh(remote);
  if (!fresh) {
    outcome.isAgain = true;
    return;
  }
  if (!sameDocument(placed(work, fresh), placed(work, remote))) {
    return await decideAgain(work, { ...found, remote: fresh }, attempt);
  }
  if (decision.action === "trash") return await trash(work, found, fresh);
  if (decision.action === "push") return await push(work, { ...found, remote: fresh }, decision, attempt);
  if (decision.action !== "merge" || !local || !entry) return;
  const before = await library.formerText(remote, entry.hash);
  const theirs = placed(work, fresh);
  const text =
    before === undefined ? undefined : mergeTexts(inLines(before), local.document.text, inLines(theirs.text));
  const merged = { fields: decision.fields, text: text ?? "" };
  const next: Decision =
    text === undefined
      ? { action: "conflict", document: theirs }
      : { action: "push", document: merged, isMerged: true };
  // Finding the former text took a request, so the snippet is read once more before it is changed.
  await carryOut(work, { ...found, remote: { ...fresh, document: theirs } }, next, attempt);
}

async function decideAgain(work: Work, found: Case, attempt: number): Promise<void> {
  const { entry, local, remote } = found;
  if (!remote || attempt >= attemptsMax) work.outcome.isAgain = true;
  else {
    const decision = decide(entry, local && documentOf(local, entry), placed(work, remote));
    await carryOut(work, found, decision, attempt + 1);
  }
}

type Push = Extract<Decision, { readonly action: "push" }>;

async function push(work: Work, found: Case, { document, isMerged }: Push, attempt: number): Promise<void> {
  const { library, outcome, files, known } = work;
  const { local, entry, remote: fresh } = found;
  if (!local || !fresh) return;
  const { path, content, hash } = local.file;
  try {
    const text = withEndingsOf(document.text, fresh.document.text);
    const result = await library.change(fresh, { ...document, text });
    if (result.is === "stale") return await decideAgain(work, { ...found, remote: result.now }, attempt);
    work.pushed(fresh.id);
    if (result.is === "overtaken") outcome.add("overtaken", path);
  } catch (error) {
    refused(outcome, path, error);
    return;
  }
  outcome.add(isMerged ? "merged" : "uploaded", path);
  if (!sameField("shortcut", document.fields, fresh.document.fields)) warnOfShortcut(work, fresh.id, path, document);
  const written = documentOf(local, entry);
  const rendered = render(path, content, local.id === undefined ? undefined : fresh.id, document);
  // Where someone has gone on writing in the meantime, that is their next change.
  const isWritten = rendered === content || files.write(path, rendered, hash);
  if (isWritten) keep(work, fresh, relocate(work, path, hashOfContent(rendered), written, document), document);
  else {
    // Only what the file already says is common to both sides.
    const isAlso = sameDocument(document, written);
    if (isAlso) keep(work, fresh, path, document);
    outcome.isAgain = true;
  }
  if (document.fields.archived === "true") outcome.isAgain = true;
  known.save();
}

async function trash({ files, library, known, outcome, now, seen }: Work, { entry }: Case, fresh: Item): Promise<void> {
  if (!entry) return;
  if (files.exists(entry.path) && !seen.has(entry.path)) {
    outcome.isAgain = true;
    return;
  }
  try {
    await library.trash(fresh.id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  known.forget(entry.id);
  known.noteTrashed(now().toISOString());
  known.save();
  outcome.add("trashed", entry.path);
}
