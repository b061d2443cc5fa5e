// What a two-way sync knows from before: for each file, its snippet and what both said when they were last the same.
import type { Base, Document } from "./document.ts";
import type { VariationsBySnippet } from "./team-variations.ts";

export interface Entry extends Base {
  /** Of the snippet, or of a further variation. */
  readonly id: string;
  /** The snippet of a further variation. */
  readonly of: string | null;
  /** Relative to the team's folder, with `/` between its parts. */
  readonly path: string;
}

export interface PendingItem {
  readonly path: string;
  readonly document: Document;
}

/** A request that was about to create something. It is sent again under the same key, so it is carried out once. */
export interface Pending {
  readonly key: string;
  /** The snippet that gets a variation. */
  readonly of: string | null;
  readonly items: readonly PendingItem[];
  readonly at: string;
}

export interface State {
  /** The folder of the team. It keeps its name where the team gets another one. */
  readonly root: string;
  readonly entries: readonly Entry[];
  readonly pending: Pending | null;
  /** When snippets were moved to the trash because their files were gone. Only the last ones. */
  readonly trashedAt: readonly string[];
  /** What was read of further variations. */
  readonly variations?: VariationsBySnippet;
}

export const newState = (root: string): State => ({ root, entries: [], pending: null, trashedAt: [] });

/** The state while a pass changes it. */
export class Known {
  readonly #entries: Map<string, Entry>;
  readonly #root: string;
  readonly #save: (state: State) => void;
  #pending: Pending | null;
  #trashedAt: readonly string[];

  constructor({ root, entries, pending, trashedAt }: State, save: (state: State) => void) {
    this.#root = root;
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#pending = pending;
    this.#trashedAt = trashedAt;
    this.#save = save;
  }

  get state(): State {
    const entries = [...this.#entries.values()];
    return { root: this.#root, entries, pending: this.#pending, trashedAt: this.#trashedAt };
  }

  entry(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Another snippet with this shortcut. */
  otherWith(shortcut: string, id: string): Entry | undefined {
    return [...this.#entries.values()].find((entry) => entry.id !== id && entry.fields.shortcut === shortcut);
  }

  set(entry: Entry): void {
    this.#entries.set(entry.id, entry);
  }

  forget(id: string): void {
    this.#entries.delete(id);
  }

  /** Before a create is sent, and without a value once its result is an entry. */
  setPending(pending: Pending | null): void {
    this.#pending = pending;
    this.save();
  }

  noteTrashed(at: string): void {
    this.#trashedAt = [...this.#trashedAt, at];
  }

  keepTrashedSince(at: string): number {
    this.#trashedAt = this.#trashedAt.filter((each) => each >= at);
    return this.#trashedAt.length;
  }

  save(): void {
    this.#save(this.state);
  }
}
