// A client that writes and reads, with a key and a log of its own: it notes what it is about to do before it does it, and each response before
// its next step.
import { expect } from "bun:test";
import { type Answer, callOn, type Target, type Workspace } from "../test/support/nodes.ts";
import { text } from "../test/support/service.ts";
import type { Random } from "./random.ts";

/** What a snippet or a tag is like; a snippet in the trash has left the library. */
export interface State {
  readonly place: "library" | "trash" | "nowhere";
  readonly name: string;
  readonly content?: string;
}

export interface Item {
  readonly kind: "snippet" | "tag";
  id: string | undefined;
  state: State;
  /** What it is like if a request was carried out whose response did not come. It is left alone until that is settled. */
  pending: (State & { readonly operation: string }) | undefined;
}

export interface Entry {
  readonly operation: string;
  /** Undefined if there was no response. */
  requestId?: string;
  /** "refused" was told that nothing was done; "unknown" was told nothing, or that nobody knows. */
  fate: "acknowledged" | "refused" | "unknown" | "settled";
  status?: number;
  remaining?: number;
}

interface Attempt {
  readonly operation: string;
  readonly request: readonly [
    method: string,
    path: string,
    request: { query?: Record<string, string>; body?: unknown },
  ];
  /** What it changes, and into what. */
  readonly changes: readonly (readonly [Item, State])[];
  readonly status: number;
  /** Takes over what the response tells, and checks it. */
  readonly accept?: (answer: Answer) => void;
}

const color = "#336699";
const never = "00000000-0000-7000-8000-000000000000";
/** By hand, from the specification. */
export const unitsOf: Readonly<Record<string, number>> = {
  postSnippet: 1,
  putSnippet: 1,
  deleteSnippet: 1,
  getSnippet: 1,
  postTag: 1,
  putTag: 1,
  postTags: 3,
};
export const reading = new Set(["getSnippet"]);
const unknownCodes = new Set(["outcome_unknown"]);
const itemsTouched = 12;

export class Client {
  readonly entries: Entry[] = [];
  readonly items: Item[] = [];
  acknowledged = 0;
  refused = 0;
  /** What is acknowledged from now on counts as unknown: the power has been cut, and a real machine would not respond any more. */
  isDistrusted = false;
  /** Rows of the ledger for which there was no response. */
  readonly untoldRows = new Set<string>();
  readonly key: { readonly id: string; readonly secret: string };
  readonly #workspace: Workspace;
  readonly #random: Random;
  readonly #name: string;
  readonly #contentLength: () => number;
  #number = 0;

  constructor(workspace: Workspace, number: number, random: Random, contentLength: () => number) {
    const key = workspace.keys[number];
    if (!key) throw new Error("a client without a key");
    this.key = key;
    this.#workspace = workspace;
    this.#random = random;
    this.#name = `client ${number}`;
    this.#contentLength = contentLength;
  }

  /** Makes one call after another until `isOver`, or until there is no response if `endsInSilence`. */
  async work(targets: () => readonly Target[], isOver: () => boolean, endsInSilence: boolean): Promise<void> {
    while (!isOver()) {
      const { fate, requestId } = await this.step(this.#random.pick(targets()));
      if (fate === "unknown" && requestId === undefined && endsInSilence) return;
      if (fate !== "acknowledged") await Bun.sleep(10);
    }
  }

  /** Makes a call and checks its response. @returns what the log has of it */
  async step(target: Target, attempt = this.#choose()): Promise<Entry> {
    const { operation, request, changes } = attempt;
    const entry: Entry = { operation, fate: "unknown" };
    this.entries.push(entry);
    for (const [item, state] of changes) {
      item.pending = { ...state, operation };
      if (item.state.place === "nowhere") this.items.push(item);
    }
    const answer = await callOn(target, this.key.secret, ...request).catch(() => undefined);
    if (!answer) return entry;
    entry.requestId = answer.requestId;
    entry.status = answer.status;
    const cost = Number(answer.headers.get("x-request-cost"));
    if (answer.status === 503) {
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(cost).toBe(0);
      this.refused += 1;
      if (unknownCodes.has(answer.body.error)) return entry;
      entry.fate = "refused";
      for (const [item] of changes) item.pending = undefined;
      return entry;
    }
    expect({ operation, status: answer.status, cost }).toEqual({
      operation,
      status: attempt.status,
      cost: unitsOf[operation] ?? Number.NaN,
    });
    if (this.isDistrusted) return entry;
    entry.fate = "acknowledged";
    this.acknowledged += 1;
    entry.remaining = answer.body.usage?.remainingRequests;
    for (const [item, state] of changes) {
      item.state = state;
      item.pending = undefined;
    }
    attempt.accept?.(answer);
    return entry;
  }

  /** Reads through the API what it wrote last. */
  async readSome(target: Target, count: number): Promise<void> {
    const snippets = this.items.filter(({ kind, id }) => kind === "snippet" && id !== undefined);
    for (const item of snippets.slice(-count))
      expect((await this.step(target, this.#getSnippet(item))).fate).toBe("acknowledged");
  }

  #newName = (): string => {
    this.#number += 1;
    return `${this.#name}, ${this.#number}`;
  };

  #newState = (kind: Item["kind"]): State => {
    const name = this.#newName();
    return { place: "library", name, ...(kind === "snippet" && { content: `${name} `.repeat(this.#contentLength()) }) };
  };

  #newItem = (kind: Item["kind"]): Item => ({
    kind,
    id: undefined,
    state: { place: "nowhere", name: "" },
    pending: undefined,
  });

  #choose(): Attempt {
    const known = this.items.slice(-itemsTouched).filter((item) => item.id !== undefined && !item.pending);
    const inLibrary = (kind: Item["kind"]) =>
      known.filter((item) => item.kind === kind && item.state.place === "library");
    const [snippets, tags] = [inLibrary("snippet"), inLibrary("tag")];
    const anySnippet = known.filter(({ kind }) => kind === "snippet");
    return this.#random.weighted<() => Attempt>([
      [3, () => this.postSnippet(tags)],
      [snippets.length && 2, () => this.#putSnippet(this.#random.pick(snippets))],
      [snippets.length && 1, () => this.#deleteSnippet(this.#random.pick(snippets))],
      [1, () => this.#postTag()],
      [tags.length && 1, () => this.#putTag(this.#random.pick(tags))],
      [1, () => this.#postTags()],
      [anySnippet.length && 3, () => this.#getSnippet(this.#random.pick(anySnippet))],
      [0.5, () => this.#getNothing()],
    ])();
  }

  postSnippet(tags: readonly Item[] = []): Attempt {
    const [item, state] = [this.#newItem("snippet"), this.#newState("snippet")];
    const body = {
      title: state.name,
      content: text(state.content ?? ""),
      teamId: this.#workspace.teamId,
      tagIds: tags.slice(0, 2).map(({ id }) => id),
      additionalVariations: [{ variationName: "Second", content: text(state.name) }],
    };
    return {
      operation: "postSnippet",
      request: ["POST", "/snippet", { body }],
      changes: [[item, state]],
      status: 200,
      accept: ({ body }) => {
        item.id = body.data.snippetId;
      },
    };
  }

  #putSnippet(item: Item): Attempt {
    const state = this.#newState("snippet");
    const body = { title: state.name, content: text(state.content ?? "") };
    return {
      operation: "putSnippet",
      request: ["PUT", "/snippet", { query: { id: item.id ?? "" }, body }],
      changes: [[item, state]],
      status: 200,
    };
  }

  #deleteSnippet = (item: Item): Attempt => ({
    operation: "deleteSnippet",
    request: ["DELETE", "/snippet", { query: { id: item.id ?? "" } }],
    changes: [[item, { ...item.state, place: "trash" }]],
    status: 200,
  });

  #postTag(): Attempt {
    const [item, state] = [this.#newItem("tag"), this.#newState("tag")];
    return {
      operation: "postTag",
      request: ["POST", "/tag", { body: this.#tagOf(state) }],
      changes: [[item, state]],
      status: 200,
      accept: ({ body }) => {
        item.id = body.data.tag.id;
      },
    };
  }

  #putTag(item: Item): Attempt {
    const state = this.#newState("tag");
    return {
      operation: "putTag",
      request: ["PUT", "/tag", { query: { tagId: item.id ?? "" }, body: { tagName: state.name } }],
      changes: [[item, state]],
      status: 200,
    };
  }

  #postTags(): Attempt {
    const made = [1, 2, 3].map((): readonly [Item, State] => [this.#newItem("tag"), this.#newState("tag")]);
    return {
      operation: "postTags",
      request: ["POST", "/tags", { body: { tags: made.map(([, state]) => this.#tagOf(state)) } }],
      changes: made,
      status: 200,
      accept: ({ body }) => {
        expect(body.metadata).toMatchObject({ createdCount: 3, failedCount: 0 });
      },
    };
  }

  #tagOf = ({ name }: State) => ({ tagName: name, tagColor: color, teamId: this.#workspace.teamId });

  #getSnippet(item: Item): Attempt {
    const { place, name, content } = item.state;
    return {
      operation: "getSnippet",
      request: ["GET", "/snippet", { query: { id: item.id ?? "" } }],
      changes: [],
      status: place === "library" ? 200 : 404,
      accept: ({ status, body }) => {
        if (status !== 200) return;
        const { title, content: read } = body.data;
        if (title !== name || read.content !== content)
          throw new Error(`not as acknowledged: ${title} instead of ${name}`);
      },
    };
  }

  #getNothing = (): Attempt => ({
    operation: "getSnippet",
    request: ["GET", "/snippet", { query: { id: never } }],
    changes: [],
    status: 404,
  });
}
