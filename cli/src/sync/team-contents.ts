// The snippets of a team, read once and then kept up to date, as the tree that every format writes.
import { type Change, type Commonplace, type FoundSnippet, NotFoundError } from "../../../sdk/src/index.ts";
import { firstVariationName, type Tree, type TreeGroup, type TreeSnippet } from "../../../src/library/formats/tree.ts";

const pageItemsMax = 100;
/** So many changed snippets are read one by one. */
const readSinglyMax = 3;

export type KeptSnippet = Pick<
  FoundSnippet,
  | "id"
  | "title"
  | "content"
  | "snippet_note"
  | "shortcut"
  | "folder_id"
  | "tag_ids"
  | "created_at"
  | "updated_at"
  | "is_archived"
>;

interface RequestOptions {
  readonly signal?: AbortSignal;
}

export class TeamContents {
  readonly #client: Commonplace;
  readonly #teamId: string;
  readonly #options: RequestOptions;
  #folders: TreeGroup[] = [];
  #tags: TreeGroup[] = [];
  #snippets = new Map<string, KeptSnippet>();

  constructor(client: Commonplace, teamId: string, options: RequestOptions = {}) {
    this.#client = client;
    this.#teamId = teamId;
    this.#options = options;
  }

  get size(): number {
    return this.#snippets.size;
  }

  get folders(): readonly TreeGroup[] {
    return this.#folders;
  }

  get tags(): readonly TreeGroup[] {
    return this.#tags;
  }

  /** Oldest first: a file keeps its name and its order when something is added. */
  get snippets(): KeptSnippet[] {
    const placeOf = ({ created_at, id }: KeptSnippet): string => `${created_at} ${id}`;
    return [...this.#snippets.values()].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }

  /** What the person's own program has changed does not have to be read again. */
  set(snippet: KeptSnippet): void {
    if (snippet.is_archived) this.#snippets.delete(snippet.id);
    else this.#snippets.set(snippet.id, snippet);
  }

  has(id: string): boolean {
    return this.#snippets.has(id);
  }

  delete(id: string): void {
    this.#snippets.delete(id);
  }

  addGroup(kind: "folder" | "tag", id: string, name: string, color: string, parent: string | null): void {
    (kind === "folder" ? this.#folders : this.#tags).push(group(id, name, color, parent));
  }

  /** Costs 1 unit for each page of 100 snippets, 1 for each snippet, and 1 for folders and tags. */
  async readAll(): Promise<void> {
    await this.#readGroups();
    this.#snippets = new Map((await this.#search()).map((snippet) => [snippet.id, snippet]));
  }

  /** Reads what was changed, and nothing else. Ignores what a later version of the service adds to the feed. */
  async update(changes: readonly Change[]): Promise<void> {
    const isOfSnippet = ({ kind }: Change) => kind === "snippet" || kind === "variation";
    const isOfGroup = ({ kind }: Change) => kind === "folder" || kind === "tag";
    if (changes.some(isOfGroup)) await this.#readGroups();
    const last = new Map(changes.filter(isOfSnippet).map((change) => [change.snippet_id ?? change.id, change]));
    const changed = [...last].filter(([, { kind, action }]) => kind === "variation" || action !== "deleted");
    for (const id of last.keys()) if (!changed.some(([other]) => other === id)) this.#snippets.delete(id);
    if (changed.length <= readSinglyMax) for (const [id] of changed) await this.#readSnippet(id);
    // What was restored is as old as it was.
    else if (changed.some(([, { action }]) => action === "restored")) await this.readAll();
    else {
      const [updatedSince = ""] = changes.map(({ at }) => at).sort();
      for (const [id] of changed) this.#snippets.delete(id);
      for (const snippet of await this.#search(updatedSince)) this.#snippets.set(snippet.id, snippet);
      // And what was imported from an archive is as old as it was in the archive.
      const isOld = ([id, { action }]: (typeof changed)[number]) => action === "created" && !this.#snippets.has(id);
      if (changed.some(isOld)) await this.readAll();
    }
  }

  /** @param keepsNotes false for tools that keep settings of their own in notes: someone else's note could contain a command */
  tree(keepsNotes: boolean): Tree {
    const folders = new Set(this.#folders.map(({ key }) => key));
    const tags = new Set(this.#tags.map(({ key }) => key));
    return {
      folders: parentsFirst(this.#folders),
      tags: parentsFirst(this.#tags),
      snippets: this.snippets.map((snippet) => {
        const { folder, tags: own, ...rest } = toTreeSnippet(snippet, keepsNotes);
        // A deleted folder leaves its snippets without one, which is no change of theirs.
        const kept = folder !== null && folders.has(folder) ? folder : null;
        return { ...rest, folder: kept, tags: own.filter((tag) => tags.has(tag)) };
      }),
    };
  }

  async #readGroups(): Promise<void> {
    const { data } = await this.#client.getTree({ teamId: this.#teamId }, this.#options);
    this.#folders = data.folders.map((each) =>
      group(each.id, each.folder_name, each.folder_color, each.parent_folder_id),
    );
    this.#tags = data.tags.map((each) => group(each.id, each.tag_name, each.tag_color, each.parent_tag_id));
  }

  async #readSnippet(id: string): Promise<void> {
    try {
      const { data } = await this.#client.getSnippet({ id }, this.#options);
      this.set(data);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      this.delete(id);
    }
  }

  async #search(updatedSince?: string): Promise<KeptSnippet[]> {
    const found: KeptSnippet[] = [];
    const query = { teamId: this.#teamId, sort: "created", limit: pageItemsMax, updatedSince } as const;
    for await (const { data } of this.#client.getSearchPages(query, this.#options)) found.push(...data.snippets);
    return found;
  }
}

const group = (key: string, name: string, color: string, parent: string | null): TreeGroup => ({
  ...{ key, name, color, parent },
  ...{ createdAt: null, updatedAt: null },
});

/** A tree names a parent before what is in it. */
function parentsFirst(groups: readonly TreeGroup[]): TreeGroup[] {
  const below = (parent: string | null): TreeGroup[] =>
    groups.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.key)]);
  return below(null);
}

const toTreeSnippet = (snippet: KeptSnippet, keepsNotes: boolean): TreeSnippet => ({
  title: snippet.title,
  note: keepsNotes ? snippet.snippet_note : null,
  shortcut: snippet.shortcut,
  folder: snippet.folder_id,
  tags: snippet.tag_ids,
  isArchived: snippet.is_archived,
  variations: [
    {
      name: firstVariationName,
      type: snippet.content.type,
      content: snippet.content.content,
      changedAt: null,
      formerVersions: [],
    },
  ],
  createdAt: null,
  updatedAt: null,
});
