// One run of a two-way sync: what it has read of the team, and its passes over the files.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Change, Commonplace } from "../../../../sdk/src/index.ts";
import { applySync, planSync, readRecord, requireInside } from "../directory.ts";
import { TeamContents } from "../team-contents.ts";
import { DiskFiles } from "./disk-files.ts";
import { Outcome } from "./outcome.ts";
import { type PassOptions, runPass } from "./pass.ts";
import type { Files, Library } from "./ports.ts";
import { newState, type State } from "./state.ts";
import { readState, writeState } from "./store.ts";
import { TeamLibrary } from "./team-library.ts";
import { TeamVariations } from "./team-variations.ts";
import { hashOfContent } from "./work.ts";

/** More files than this, gone within a few minutes, are an accident unless the person says otherwise. */
export const deletionsMax = 10;
/** Others may change the same snippets while a pass works. */
const passesMax = 3;

export interface SessionOptions {
  readonly client: Commonplace;
  readonly teamId: string;
  readonly directory: string;
  /** The folder of the team if it has none yet. */
  readonly root: string;
  readonly canWrite: boolean;
  readonly isDry: boolean;
  readonly isDeleting: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly holds?: Pick<PassOptions, "isHeld" | "pushed">;
  /** The files that a one-way sync would write. */
  readonly oneWayFiles: (contents: TeamContents) => Parameters<typeof planSync>[2];
}

export class Session {
  readonly contents: TeamContents;
  readonly #options: SessionOptions;
  readonly #variations: TeamVariations;
  readonly #library: Library;
  #files: Files;
  readonly #formerPaths: ReadonlySet<string>;
  #state: State;
  /** A state that has not changed is not written again. */
  #saved = "";

  constructor(options: SessionOptions) {
    const { client, teamId, directory, signal } = options;
    const requestOptions = signal && { signal };
    this.#options = options;
    this.#state = readState(directory, teamId) ?? newState(options.root);
    this.contents = new TeamContents(client, teamId, requestOptions);
    this.#variations = new TeamVariations(client, teamId, this.#state.variations ?? {}, requestOptions);
    const library = new TeamLibrary(client, teamId, this.contents, this.#variations, requestOptions);
    const files = new DiskFiles(this.root, signal);
    this.#library = options.isDry ? unchangedLibrary(library) : library;
    this.#files = options.isDry ? unchangedFiles(files) : files;
    const former = Object.keys(readRecord(directory)[teamId] ?? {}).map((path) => path.replaceAll("\\", "/"));
    const inRoot = `${this.#state.root}/`;
    this.#formerPaths = new Set(
      former.filter((path) => path.startsWith(inRoot)).map((path) => path.slice(inRoot.length)),
    );
  }

  get root(): string {
    return join(this.#options.directory, requireInside(this.#state.root));
  }

  async readAll(): Promise<void> {
    const { directory, teamId, oneWayFiles, isDry } = this.#options;
    await this.contents.readAll();
    await this.#variations.read(this.contents);
    // What nobody has changed since a one-way sync is brought up to date by the rules of that.
    if (this.#formerPaths.size === 0 || readState(directory, teamId) !== undefined) return;
    const plan = planSync(directory, teamId, oneWayFiles(this.contents));
    if (isDry) this.#files = afterPlan(this.#files, plan, `${this.#state.root}/`);
    else applySync(directory, teamId, plan);
  }

  async update(changes: readonly Change[]): Promise<void> {
    await this.contents.update(changes);
    const isOfSnippet = ({ kind }: Change) => kind === "snippet" || kind === "variation";
    const changed = new Set(changes.filter(isOfSnippet).map((change) => change.snippet_id ?? change.id));
    await this.#variations.read(this.contents, changed);
  }

  /** Compares until nothing has changed meanwhile. */
  async compare(): Promise<Outcome> {
    const { canWrite, isDeleting, holds = noHolds } = this.#options;
    const all = new Outcome();
    for (let count = 1; ; count += 1) {
      const outcome = await runPass(
        { files: this.#files, library: this.#library, state: this.#state, save: (state) => this.#save(state) },
        {
          canWrite,
          deletionsMax: isDeleting ? Number.POSITIVE_INFINITY : deletionsMax,
          formerPaths: this.#formerPaths,
          ...holds,
          now: () => new Date(),
          newKey: () => randomUUID(),
        },
      );
      all.append(outcome);
      if (!outcome.isAgain || outcome.failure !== undefined || this.#options.isDry || count === passesMax) return all;
    }
  }

  #save(state: State): void {
    const { directory, teamId, isDry } = this.#options;
    this.#state = state;
    if (isDry) return;
    const variations = TeamVariations.lasting(this.#variations.known, new Date());
    const saved = { ...state, variations };
    const text = JSON.stringify(saved);
    if (text !== this.#saved) writeState(directory, teamId, saved);
    this.#saved = text;
  }
}

const noHolds = { isHeld: () => false, pushed: () => undefined };

/** What a dry run works on: it reads, and only seems to change something. */
const unchangedFiles = (files: Files): Files => ({
  scan: () => files.scan(),
  exists: (path) => files.exists(path),
  write: () => true,
  move: () => true,
  remove: () => true,
});

/** The files as they would be after a one-way sync. */
const afterPlan = (files: Files, { written, removed }: ReturnType<typeof planSync>, inRoot: string): Files => {
  const inFolder = (path: string) => path.replaceAll("\\", "/").slice(inRoot.length);
  const replaced = new Set([...written.map(({ path }) => path), ...removed].map(inFolder));
  const added = written.map(({ path, bytes }) => {
    const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return { path: inFolder(path), content, hash: hashOfContent(content) };
  });
  return {
    ...files,
    scan: async () => [...(await files.scan()).filter(({ path }) => !replaced.has(path)), ...added],
    exists: (path) => files.exists(path) || added.some((file) => file.path === path),
  };
};

const unchangedLibrary = (library: Library): Library => ({
  items: () => library.items(),
  fresh: (item) => library.fresh(item),
  create: async (documents) => documents.map(() => randomUUID()),
  change: async () => ({ is: "changed" }),
  trash: async () => undefined,
  formerText: (item, hash) => library.formerText(item, hash),
});
