// The further variations of a team's snippets. Lists of snippets do not have them, so they are read where a snippet has changed.
import { type Commonplace, CommonplaceError } from "../../../../sdk/src/index.ts";
import { readFiles } from "../../../../src/library/formats/formats.ts";
import { ReadError } from "../../../../src/library/formats/read-error.ts";
import type { KeptSnippet, TeamContents } from "../team-contents.ts";

export interface KnownVariation {
  readonly id: string;
  readonly name: string;
  readonly content: KeptSnippet["content"];
}

/** By the ID of the snippet: when it was changed last, and its further variations then. */
export type VariationsBySnippet = Readonly<
  Record<string, readonly [updatedAt: string, ...variations: KnownVariation[]]>
>;

/** So many snippets are read one by one. For more, an export tells which of them have further variations. */
const readSinglyMax = 3;

/** More than the clocks of two machines differ. */
const momentMilliseconds = 60 * 60 * 1_000;

interface RequestOptions {
  readonly signal?: AbortSignal;
}

export class TeamVariations {
  readonly #client: Commonplace;
  readonly #teamId: string;
  readonly #options: RequestOptions;
  #known: Map<string, readonly [string, ...KnownVariation[]]>;

  constructor(client: Commonplace, teamId: string, known: VariationsBySnippet, options: RequestOptions = {}) {
    this.#client = client;
    this.#teamId = teamId;
    this.#known = new Map(Object.entries(known));
    this.#options = options;
  }

  get known(): VariationsBySnippet {
    return Object.fromEntries(this.#known);
  }

  of(snippetId: string): KnownVariation[] {
    const [, ...variations] = this.#known.get(snippetId) ?? [""];
    return variations;
  }

  set(snippetId: string, { id, name, content }: KnownVariation): void {
    const [updatedAt, ...others] = this.#known.get(snippetId) ?? [""];
    const variation = { id, name, content };
    const isKnown = others.some((each) => each.id === id);
    const variations = isKnown ? others.map((each) => (each.id === id ? variation : each)) : [...others, variation];
    this.#known.set(snippetId, [updatedAt, ...variations]);
  }

  delete(snippetId: string, id: string): void {
    const [updatedAt, ...others] = this.#known.get(snippetId) ?? [""];
    this.#known.set(snippetId, [updatedAt, ...others.filter((each) => each.id !== id)]);
  }

  /** What was changed a moment ago can be changed again at the same time, so it is not kept for the next run. */
  static lasting(known: VariationsBySnippet, now: Date): VariationsBySnippet {
    const until = new Date(now.getTime() - momentMilliseconds).toISOString();
    return Object.fromEntries(Object.entries(known).filter(([, [updatedAt]]) => updatedAt < until));
  }

  /**
   * Reads those of snippets that have changed. Costs 1 unit for each of their variations, and 1 for each text of the team if many have changed.
   * @param changed snippets that are known to have changed
   */
  async read({ snippets }: TeamContents, changed: ReadonlySet<string> = new Set()): Promise<void> {
    const live = new Set(snippets.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!live.has(id)) this.#known.delete(id);
    const isUnknown = ({ id, updated_at }: KeptSnippet): boolean =>
      changed.has(id) || this.#known.get(id)?.[0] !== updated_at;
    const unknown = snippets.filter(isUnknown);
    const hasFurther = unknown.length > readSinglyMax ? await this.#askExport() : () => true;
    for (const snippet of unknown) {
      const { id, updated_at } = snippet;
      this.#known.set(id, [updated_at, ...(hasFurther(snippet) ? await this.#readOf(id) : [])]);
    }
  }

  async #readOf(snippetId: string): Promise<KnownVariation[]> {
    const { data } = await this.#client.getSnippetVariations({ snippetId }, this.#options);
    return data.variations.slice(1).map(({ id, name, content }) => ({ id, name, content }));
  }

  /** An export has no IDs, but what it says of a snippet is enough to tell which ones may have further variations. */
  async #askExport(): Promise<(snippet: KeptSnippet) => boolean> {
    const key = (title: string, content: string) => JSON.stringify([title, content.replaceAll("\r\n", "\n")]);
    try {
      const { data } = await this.#client.getExport({ teamId: this.#teamId, format: "markdown" }, this.#options);
      const { tree } = readFiles([{ path: data.name, bytes: data.bytes }], { format: "markdown" });
      const several = tree.snippets.map(({ title, variations }) => ({ title, variations }));
      const single = new Set<string>();
      for (const { title, variations } of several) single.add(key(title, variations[0]?.content ?? ""));
      for (const { title, variations } of several)
        if (variations.length > 1) single.delete(key(title, variations[0]?.content ?? ""));
      return ({ title, content }) => !single.has(key(title, content.content));
    } catch (error) {
      // A team with more text than an export may have.
      const isRefused = error instanceof CommonplaceError && error.status === 400;
      if (!isRefused && !(error instanceof ReadError)) throw error;
      return () => true;
    }
  }
}
