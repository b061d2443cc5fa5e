// The two sides of a two-way sync in memory, and what happens to them at each step: nothing, someone else's change, or the end of the program.

import { type Document, hashOfText, parseFile, render, sameDocument } from "../../cli/src/sync/two-way/document.ts";
import type { Outcome } from "../../cli/src/sync/two-way/outcome.ts";
import { runPass } from "../../cli/src/sync/two-way/pass.ts";
import type { Files, Item, Library } from "../../cli/src/sync/two-way/ports.ts";
import { newState, type State } from "../../cli/src/sync/two-way/state.ts";
import { hashOfContent } from "../../cli/src/sync/two-way/work.ts";
import { InvalidRequestError, NotFoundError } from "../../sdk/src/index.ts";

export class Killed extends Error {}

interface Stored {
  document: Document;
  readonly former: string[];
  isDeleted: boolean;
}

export const snippetDocument = (title: string, text: string, folder = ""): Document => ({
  fields: { title, shortcut: "", note: "", "content-type": "markdown", tags: [], archived: "", folder },
  text,
});

export class TwoSides {
  readonly files = new Map<string, string>();
  readonly library = new Map<string, Stored>();
  readonly #created = new Map<string, (string | { message: string })[]>();
  #state: string = JSON.stringify(newState("team"));
  #known: Item[] = [];
  #steps = 0;
  #ids = 0;
  #isKilled = false;
  /** What happens at a step of the next passes. */
  atStep: (step: number) => void = () => undefined;
  deletionsMax = 10;
  canWrite = true;
  /** Whether each change has to wait, and the snippet is read again after that. */
  waitsBeforeChange = false;
  /** What every request ends with. */
  failure: Error | undefined;

  /** A program that was killed does nothing more. */
  #step(): void {
    if (this.#isKilled) throw new Killed();
    this.#steps += 1;
    try {
      this.atStep(this.#steps);
    } catch (error) {
      this.#isKilled = error instanceof Killed;
      throw error;
    }
  }

  // Someone else's changes.

  add(document: Document): string {
    this.#ids += 1;
    const id = `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
    this.library.set(id, { document, former: [], isDeleted: false });
    return id;
  }

  change(id: string, change: (document: Document) => Document): void {
    const stored = this.library.get(id);
    if (!stored || stored.isDeleted) return;
    stored.former.push(stored.document.text);
    stored.document = change(stored.document);
  }

  delete(id: string): void {
    const stored = this.library.get(id);
    if (stored) stored.isDeleted = true;
  }

  document(id: string): Document | undefined {
    return this.live.find(([each]) => each === id)?.[1];
  }

  get live(): [string, Document][] {
    return [...this.library].filter(([, { isDeleted }]) => !isDeleted).map(([id, { document }]) => [id, document]);
  }

  /** One run of the program: it reads everything, and compares until nothing changes meanwhile. */
  async sync(): Promise<Outcome> {
    this.#steps = 0;
    this.#isKilled = false;
    this.#known = this.#listed();
    for (let count = 1; ; count += 1) {
      const outcome = await this.pass();
      if (!outcome.isAgain || count === 3) return outcome;
      this.#known = this.#listed();
    }
  }

  pass(): Promise<Outcome> {
    let keys = 0;
    const key = this.#ids;
    return runPass(
      {
        files: this.#filePort(),
        library: this.#libraryPort(),
        state: JSON.parse(this.#state),
        save: (state: State) => {
          this.#step();
          this.#state = JSON.stringify(state);
        },
      },
      {
        canWrite: this.canWrite,
        deletionsMax: this.deletionsMax,
        formerPaths: new Set(),
        isHeld: () => false,
        pushed: () => undefined,
        now: () => new Date(2026, 10, 23, 10, 15),
        newKey: () => `${key}-${Math.random()}-${++keys}`,
      },
    );
  }

  forgetState(): void {
    this.#state = JSON.stringify(newState("team"));
  }

  #listed = (): Item[] => this.live.map(([id, document]) => ({ id, of: null, document }));

  #refresh(id: string): Item | undefined {
    const stored = this.library.get(id);
    this.#known = this.#known.filter((item) => item.id !== id);
    if (!stored || stored.isDeleted) return undefined;
    const item = { id, of: null, document: stored.document };
    this.#known.push(item);
    return item;
  }

  #require(id: string): void {
    const stored = this.library.get(id);
    if (!stored || stored.isDeleted)
      throw new NotFoundError({ status: 404, code: "snippet_not_found", message: "Snippet not found" });
  }

  #filePort(): Files {
    const { files } = this;
    const isExpected = (path: string, expected: string | undefined): boolean => {
      const content = files.get(path);
      return expected === (content === undefined ? undefined : hashOfContent(content));
    };
    return {
      scan: async () => {
        this.#step();
        return [...files].map(([path, content]) => ({ path, content, hash: hashOfContent(content) }));
      },
      exists: (path) => files.has(path),
      write: (path, content, expected) => {
        this.#step();
        if (!isExpected(path, expected)) return false;
        files.set(path, content);
        return true;
      },
      move: (from, to, expected) => {
        this.#step();
        if (!isExpected(from, expected) || files.has(to)) return false;
        files.set(to, files.get(from) ?? "");
        files.delete(from);
        return true;
      },
      remove: (path, expected) => {
        this.#step();
        return isExpected(path, expected) && files.delete(path);
      },
    };
  }

  #libraryPort(): Library {
    return {
      items: () => this.#known,
      fresh: async ({ id }) => {
        this.#step();
        if (this.failure) throw this.failure;
        return this.#refresh(id);
      },
      create: async (documents, _, key) => {
        this.#step();
        if (this.failure) throw this.failure;
        const isValid = ({ fields }: Document) => String(fields.title).length <= 200;
        const refusal = { status: 400, code: "invalid", message: "title must be 1 to 200 characters" };
        if (!documents.some(isValid)) throw new InvalidRequestError(refusal);
        const created =
          this.#created.get(key) ?? documents.map((document) => (isValid(document) ? this.add(document) : refusal));
        this.#created.set(key, created);
        for (const id of created) if (typeof id === "string") this.#refresh(id);
        // The service has carried it out, and its response is lost.
        this.#step();
        return created;
      },
      change: async ({ id, document: seen }, document) => {
        this.#step();
        this.#require(id);
        const before = this.library.get(id)?.document ?? seen;
        if (this.waitsBeforeChange && !sameDocument(before, seen)) return { is: "stale", now: this.#refresh(id) };
        this.change(id, () => document);
        this.#refresh(id);
        this.#step();
        return { is: before.text === seen.text ? "changed" : "overtaken" };
      },
      trash: async (id) => {
        this.#step();
        this.#require(id);
        this.delete(id);
        this.#refresh(id);
        this.#step();
      },
      formerText: async ({ id }, hash) => this.library.get(id)?.former.find((text) => hashOfText(text) === hash),
    };
  }

  /** Every text that is anywhere: in a file, in a snippet, in its history, or in the trash. */
  texts(): Set<string> {
    const inFiles = [...this.files].map(([path, content]) => parseFile(path, content).document.text);
    return new Set([
      ...inFiles,
      ...[...this.library.values()].flatMap(({ document, former }) => [document.text, ...former]),
    ]);
  }

  /** Why the sides are not the same; empty if they are. */
  differences(): string[] {
    const own = [...this.files].filter(([path]) => !path.includes("(conflict "));
    const local = own.map(([path, content]) => parseFile(path, content).document);
    const remote = this.live.map(([, document]) => document);
    const only = (some: Document[], others: Document[]) =>
      some.filter((each) => !others.some((other) => sameDocument(each, other))).map((each) => JSON.stringify(each));
    const count = local.length === remote.length ? [] : [`${local.length} files, ${remote.length} snippets`];
    return [...only(local, remote), ...only(remote, local), ...count];
  }
}

/** The text in a file. */
export const bodyOf = (sides: TwoSides, path: string): string =>
  parseFile(path, sides.files.get(path) ?? "").document.text;

/** Changes what a file says, as a person does in an editor. */
export function rewrite(sides: TwoSides, path: string, change: (document: Document) => Document): void {
  const content = sides.files.get(path) ?? "";
  sides.files.set(path, render(path, content, undefined, change(parseFile(path, content).document)));
}
