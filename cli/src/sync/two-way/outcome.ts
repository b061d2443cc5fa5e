// What a pass of a two-way sync has done, for the person and for programs.

export type EventKind =
  | "downloaded"
  | "updated"
  | "moved"
  | "removed"
  | "restored"
  | "uploaded"
  | "merged"
  | "created"
  | "added"
  | "trashed"
  | "conflict"
  | "kept"
  | "overtaken";

export interface Event {
  readonly kind: EventKind;
  readonly path: string;
  /** Where a file was moved, or where a person's version is kept. */
  readonly other?: string;
}

export interface Problem {
  readonly path: string;
  /** Where in the file, if that is known. */
  readonly line?: number;
  readonly message: string;
}

export class Outcome {
  readonly events: Event[] = [];
  readonly problems: Problem[] = [];
  /** What was carried out, and may not be meant. */
  readonly warnings: Problem[] = [];
  /** Files or snippets changed while they were handled: another pass is needed. */
  isAgain = false;
  /** Something waits for its time. */
  isHeld = false;
  /** Snippets whose files are gone, too many to be meant: the files were written again. */
  keptFromTrash = 0;
  /** No file was found at all. */
  isEmptied = false;
  /** Why nothing more was sent to the service. What was not sent stays in its file. */
  failure: unknown;

  add(kind: EventKind, path: string, other?: string): void {
    this.events.push({ kind, path, ...(other !== undefined && { other }) });
  }

  of(kind: EventKind): Event[] {
    return this.events.filter((event) => event.kind === kind);
  }

  /** What a later pass has done as well. What was a problem before it may be none anymore. */
  append(later: Outcome): void {
    this.events.push(...later.events);
    this.warnings.push(...later.warnings);
    this.problems.splice(0, this.problems.length, ...later.problems);
    this.keptFromTrash += later.keptFromTrash;
    this.isEmptied ||= later.isEmptied;
    this.isAgain = later.isAgain;
    this.isHeld = later.isHeld;
    this.failure = later.failure;
  }

  /** Whether a person has to look at something. */
  get needsAttention(): boolean {
    const attention: readonly EventKind[] = ["conflict", "kept", "overtaken"];
    return this.problems.length + this.keptFromTrash > 0 || this.events.some(({ kind }) => attention.includes(kind));
  }
}
