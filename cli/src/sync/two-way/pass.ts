// One pass of a two-way sync: compares all files with all snippets, decides for each, and carries it out. What needs only files comes first, since
// the service may make the rest wait.
import { mainField } from "../../../../src/library/formats/markdown.ts";
import { ReadError } from "../../../../src/library/formats/read-error.ts";
import { carryOut, isForService } from "./carry-out.ts";
import { createAll, type NewFile, sendPending } from "./create.ts";
import { type Decision, decide } from "./decide.ts";
import { type ParsedFile, parseFile } from "./document.ts";
import { type Case, documentOf, type LocalFile, matchCases, type UnreadableFile } from "./match.ts";
import { Outcome } from "./outcome.ts";
import { isConflictFile, Places } from "./places.ts";
import type { Files, FoundFile, Item, Library } from "./ports.ts";
import { Known, type State } from "./state.ts";
import { placed, type Work } from "./work.ts";

export interface PassOptions {
  /** False for a key that can only read: changes of files are kept, and not sent. */
  readonly canWrite: boolean;
  /** More files than this, gone at once, are an accident: they are written again. */
  readonly deletionsMax: number;
  /** Paths that an earlier one-way sync wrote. */
  readonly formerPaths: ReadonlySet<string>;
  /** Whether a change has to wait: of a text that was sent a moment ago, or of a file that may only be on its way elsewhere. */
  readonly isHeld: (action: "push" | "trash", id: string) => boolean;
  readonly pushed: (id: string) => void;
  readonly now: () => Date;
  readonly newKey: () => string;
}

export interface Sides {
  readonly files: Files;
  readonly library: Library;
  readonly state: State;
  readonly save: (state: State) => void;
}

/** For so long, deletions count together. */
const deletionMinutes = 10;

export async function runPass({ files, library, state, save }: Sides, options: PassOptions): Promise<Outcome> {
  const outcome = new Outcome();
  const known = new Known(state, save);
  const sending = new Sending(outcome);
  const { now, newKey, formerPaths, pushed } = options;
  const base = { files, library, known, outcome, now, newKey, formerPaths, pushed };
  if (options.canWrite)
    await sending.run(
      async () => void (await sendPending({ ...base, places: new Places([]), conflicts: [], seen: new Set() })),
    );
  const found = await files.scan();
  const places = new Places(found.map(({ path }) => path));
  const conflicts = found.filter(({ path }) => isConflictFile(path));
  const work: Work = { ...base, places, conflicts, seen: new Set(found.map(({ path }) => path)) };
  const sides = readFiles(work, found);
  const isEmpty = found.length === conflicts.length;
  for (const kind of ["snippets", "variations"] as const) {
    const decided = decideAll(work, kind, sides, options, isEmpty);
    for (const [each, decision] of decided) if (!isForService(decision)) await carryOut(work, each, decision);
    const created: NewFile[] = [];
    for (const [each, decision] of decided) {
      if (!isForService(decision) || !isAllowed(work, each, decision, options)) continue;
      if (decision.action !== "create") await sending.run(() => carryOut(work, each, decision));
      else if (each.local) created.push({ local: each.local, document: decision.document });
    }
    await sending.run(() => createAll(work, created));
  }
  known.save();
  return outcome;
}

/** Sends until the service cannot be reached or refuses everything. */
class Sending {
  readonly #outcome: Outcome;

  constructor(outcome: Outcome) {
    this.#outcome = outcome;
  }

  async run(work: () => Promise<void>): Promise<void> {
    if (this.#outcome.failure !== undefined) return;
    try {
      await work();
    } catch (error) {
      this.#outcome.failure = error;
    }
  }
}

interface ReadSides {
  readonly locals: readonly LocalFile[];
  readonly unreadable: readonly UnreadableFile[];
}

function readFiles({ known, outcome }: Work, found: readonly FoundFile[]): ReadSides {
  const byPath = new Map(known.state.entries.map((entry) => [entry.path, entry]));
  const locals: LocalFile[] = [];
  const unreadable: UnreadableFile[] = [];
  const leaveOut = (file: FoundFile, message: string, line?: number): void => {
    unreadable.push({ file });
    outcome.problems.push({ path: file.path, ...(line !== undefined && { line }), message });
  };
  for (const file of found) {
    const { path, content } = file;
    if (isConflictFile(path)) continue;
    const entry = byPath.get(path);
    try {
      if (content === undefined) leaveOut(file, file.problem ?? "the file is not UTF-8 text");
      // An editor that was interrupted, or a full disk, leaves a file without anything.
      else if (content.trim() === "") {
        if (entry) leaveOut(file, "the file is empty. Add text to it, or delete it");
      } else {
        const parsed = parsedOnce(file, content);
        // A note that someone is about to begin becomes a snippet with its first words.
        if (!entry && parsed.id === undefined && parsed.document.text.trim() === "") continue;
        if (entry && parsed.isFurther !== (entry.of !== null))
          leaveOut(file, `the field "${mainField}" must not be ${parsed.isFurther ? "added" : "removed"}`);
        else locals.push({ ...parsed, file: { ...file, content } });
      }
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      const message = error.message.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
      leaveOut(file, message, error.place?.line);
    }
  }
  return { locals, unreadable };
}

/** Most files are the same in each pass. */
const parsedFiles = new WeakMap<FoundFile, ParsedFile>();

/** @throws ReadError */
function parsedOnce(file: FoundFile, content: string): ParsedFile {
  const parsed = parsedFiles.get(file) ?? parseFile(file.path, content);
  parsedFiles.set(file, parsed);
  return parsed;
}

function decideAll(
  work: Work,
  kind: "snippets" | "variations",
  { locals, unreadable }: ReadSides,
  options: PassOptions,
  isEmpty: boolean,
): (readonly [Case, Decision])[] {
  const { known, library, files, outcome } = work;
  const isFurther = kind === "variations";
  const items = library.items();
  const snippets = new Set(items.map(({ id }) => id));
  /** A variation is handled where its snippet has a file, or is gone. */
  const isHandled = ({ of }: Pick<Item, "of">): boolean => {
    if ((of !== null) !== isFurther) return false;
    if (of === null || !snippets.has(of)) return true;
    const path = known.entry(of)?.path;
    return path !== undefined && files.exists(path);
  };
  const cases = matchCases({
    entries: known.state.entries.filter(isHandled),
    locals: locals.filter((local) => local.isFurther === isFurther),
    unreadable,
    remotes: items.filter(isHandled).map((item) => ({ ...item, document: placed(work, item) })),
    formerPaths: options.formerPaths,
    firstPath: (remote) => new Places([]).forNew(remote.document),
  });
  const decided = cases.map((each): readonly [Case, Decision] => {
    const { entry, local, remote } = each;
    // A copy of a file with another name has another title.
    const original = entry ?? (remote || local?.id === undefined ? undefined : known.entry(local.id));
    const decision = decide(entry, local && documentOf(local, original), remote?.document);
    // A variation that is deleted does not go to the trash, so its file comes back.
    if (decision.action === "trash" && isFurther && remote)
      return [each, { action: "write", document: remote.document }];
    return [each, decision];
  });
  const gone = decided.filter(([, { action }]) => action === "trash").length;
  const recent = known.keepTrashedSince(new Date(options.now().getTime() - deletionMinutes * 60_000).toISOString());
  const isAccident = isEmpty || gone + recent > options.deletionsMax || !options.canWrite;
  // A file that cannot be read may be one that was moved.
  const isUncertain = unreadable.some(({ file }) => !known.state.entries.some(({ path }) => path === file.path));
  if (gone === 0 || (!isAccident && !isUncertain)) return decided;
  if (isAccident && options.canWrite) outcome.keptFromTrash += gone;
  outcome.isEmptied ||= isEmpty;
  return decided.map(([each, decision]) => {
    if (decision.action !== "trash" || !each.remote) return [each, decision];
    return [each, isAccident ? { action: "write", document: each.remote.document } : { action: "none" }];
  });
}

/** What is not allowed stays in its file. */
function isAllowed({ outcome }: Work, found: Case, { action }: Decision, options: PassOptions): boolean {
  const { entry, local, remote } = found;
  const path = local?.file.path ?? entry?.path ?? "";
  if (!options.canWrite) {
    if (action !== "create")
      outcome.problems.push({ path, message: "the file has been changed, so it stays as it is" });
    return false;
  }
  const id = remote?.id ?? entry?.id;
  const isHeld = id !== undefined && options.isHeld(action === "trash" ? "trash" : "push", id);
  outcome.isHeld ||= isHeld;
  return !isHeld;
}
