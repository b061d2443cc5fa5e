// The snippets of a team, as a two-way sync reads and changes them through the API.
import { sleep } from "../../../../sdk/src/exchange.ts";
import { type Commonplace, NotFoundError, type PostSnippetsArguments } from "../../../../sdk/src/index.ts";
import { fileName } from "../../../../src/library/formats/file-names.ts";
import { typeField } from "../../../../src/library/formats/markdown.ts";
import { colorDefault } from "../../folder-tree.ts";
import type { KeptSnippet, TeamContents } from "../team-contents.ts";
import { type Document, hashOfText, keyOfPath, sameField, sortedTags } from "./document.ts";
import type { Changed, Item, Library } from "./ports.ts";
import { sendDirectly } from "./send-directly.ts";
import type { TeamVariations } from "./team-variations.ts";

/** So many earlier texts are looked through for the one before two changes. */
const formerTextsMax = 10;

interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** What a test does not wait for. */
type Sleep = (seconds: number) => Promise<void>;

type Content = KeptSnippet["content"];
type SnippetInput = PostSnippetsArguments["snippets"][number];

export class TeamLibrary implements Library {
  readonly #client: Commonplace;
  readonly #teamId: string;
  readonly #contents: TeamContents;
  readonly #variations: TeamVariations;
  readonly #options: RequestOptions;
  readonly #sleep: Sleep;
  /** The first variation of each snippet that was read by itself. */
  readonly #firstVariations = new Map<string, string>();

  constructor(
    client: Commonplace,
    teamId: string,
    contents: TeamContents,
    variations: TeamVariations,
    options: RequestOptions = {},
    wait?: Sleep,
  ) {
    this.#sleep = wait ?? ((seconds) => sleep(seconds, options.signal ?? new AbortController().signal));
    this.#client = client;
    this.#teamId = teamId;
    this.#contents = contents;
    this.#variations = variations;
    this.#options = options;
  }

  items(): readonly Item[] {
    const documentOf = this.#documents();
    return this.#contents.snippets.flatMap((snippet) => [
      { id: snippet.id, of: null, document: documentOf(snippet) },
      ...this.#variations.of(snippet.id).map((variation) => asItem(snippet.id, variation)),
    ]);
  }

  async fresh({ id, of }: Pick<Item, "id" | "of">): Promise<Item | undefined> {
    try {
      if (of !== null) {
        const { data } = await this.#client.getSnippetVariation({ snippetId: of, variationId: id }, this.#options);
        this.#variations.set(of, data);
        return asItem(of, data);
      }
      const { data } = await this.#client.getSnippet({ id }, this.#options);
      this.#contents.set(data);
      const [first] = data.variations;
      if (first) this.#firstVariations.set(id, first.id);
      if (data.is_archived) return undefined;
      return { id, of, document: this.#documents()(data) };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      if (of === null) this.#contents.delete(id);
      else this.#variations.delete(of, id);
      return undefined;
    }
  }

  async create(documents: readonly Document[], of: string | null, key: string) {
    const options = { ...this.#options, idempotencyKey: key };
    if (of !== null) {
      const variations = documents.map(({ fields, text }) => ({
        variationName: String(fields.variation),
        content: { type: String(fields[typeField]), content: text },
      }));
      const { data } = await this.#client.postSnippetVariations({ snippetId: of, variations }, options);
      for (const each of data.variations) this.#variations.set(of, each);
      return inOrder(documents, data.errors, data.variations);
    }
    const snippets = [];
    for (const document of documents) snippets.push(await this.#inputOf(document));
    const { data } = await this.#client.postSnippets({ snippets }, options);
    const ids = data.createdSnippets.map(({ snippetId }) => ({ id: snippetId }));
    const results = inOrder(documents, data.errors, ids);
    for (const [index, { fields }] of documents.entries()) {
      const [id, input] = [results[index], snippets[index]];
      if (typeof id !== "string" || !input) continue;
      if (fields.archived === "true") await this.#client.putSnippet({ id, isArchived: true }, this.#options);
      else if (!this.#contents.has(id)) this.#contents.set(snippetOf(id, input));
    }
    return results;
  }

  async #inputOf({ fields, text }: Document): Promise<SnippetInput> {
    const [note, shortcut] = [String(fields.note), String(fields.shortcut)];
    const folderId = await this.#folderAt(String(fields.folder));
    const tagIds = await this.#tagIds([fields.tags ?? []].flat(), []);
    return {
      title: String(fields.title),
      content: { type: String(fields[typeField]), content: text },
      teamId: this.#teamId,
      ...(note !== "" && { note }),
      ...(shortcut !== "" && { shortcut }),
      ...(folderId !== null && { folderId }),
      ...(tagIds.length > 0 && { tagIds }),
    };
  }

  async change(seen: Item, { fields, text }: Document): Promise<Changed> {
    const { id, of, document: before } = seen;
    const isChanged = (name: string): boolean => !sameField(name, fields, before.fields);
    const content = { type: String(fields[typeField]), content: text };
    const isOtherText = text !== before.text || isChanged(typeField);
    if (of !== null) {
      const name = isChanged("variation") ? { name: String(fields.variation) } : {};
      if (!isOtherText && !isChanged("variation")) return { is: "changed" };
      const changes = { variationId: id, ...name, ...(isOtherText && { content }) };
      const stale = await this.#send(seen, false, (options) => this.#client.putSnippetVariation(changes, options));
      if (stale) return stale;
      this.#variations.set(of, { id, name: String(fields.variation), content });
      return await this.#check(id, isOtherText, content, before.text);
    }
    const groups = this.#groupCount;
    const kept = this.#contents.snippets.find((snippet) => snippet.id === id);
    const changes = {
      ...(isChanged("title") && { title: String(fields.title) }),
      ...(isChanged("shortcut") && { shortcut: String(fields.shortcut ?? "") || null }),
      ...(isChanged("note") && { note: String(fields.note ?? "") || null }),
      ...(isChanged("tags") && { tagIds: await this.#tagIds([fields.tags ?? []].flat(), kept?.tag_ids ?? []) }),
      ...(isChanged("folder") && { folderId: await this.#folderAt(String(fields.folder)) }),
      ...(isChanged("archived") && { isArchived: fields.archived === "true" }),
      ...(isOtherText && { content }),
    };
    if (Object.keys(changes).length === 0) return { is: "changed" };
    const hasCreated = this.#groupCount > groups;
    const stale = await this.#send(seen, hasCreated, (options) => this.#client.putSnippet({ id, ...changes }, options));
    if (stale) return stale;
    const { title, shortcut, note, tagIds, folderId, isArchived } = changes;
    if (kept)
      this.#contents.set({
        ...kept,
        content: isOtherText ? content : kept.content,
        title: title ?? kept.title,
        shortcut: shortcut === undefined ? kept.shortcut : shortcut,
        snippet_note: note === undefined ? kept.snippet_note : note,
        tag_ids: tagIds ?? kept.tag_ids,
        folder_id: folderId === undefined ? kept.folder_id : folderId,
        is_archived: isArchived ?? kept.is_archived,
      });
    const first = this.#firstVariations.get(id);
    return await this.#check(first, isOtherText, content, before.text);
  }

  #send(seen: Item, isOld: boolean, send: (options: RequestOptions) => Promise<unknown>) {
    const fresh = () => this.fresh(seen);
    const sendWith = (options: object) => send({ ...this.#options, ...options });
    return sendDirectly({ seen, isOld, fresh, send: sendWith, sleep: this.#sleep });
  }

  get #groupCount(): number {
    return this.#contents.folders.length + this.#contents.tags.length;
  }

  /** The version before the one that was sent is in the history, so one that was saved in the same moment is noticed. */
  async #check(variationId: string | undefined, isOtherText: boolean, sent: Content, seen: string): Promise<Changed> {
    if (!isOtherText || variationId === undefined) return { is: "changed" };
    const { data } = await this.#client.getSnippetVariationHistory({ variationId, limit: 2 }, this.#options);
    const [newest, previous] = data;
    const isOwn = newest?.content.content === sent.content;
    const isOvertaken = !isOwn || (previous !== undefined && previous.content.content !== seen);
    return { is: isOvertaken ? "overtaken" : "changed" };
  }

  async trash(id: string): Promise<void> {
    await this.#client.deleteSnippet({ id }, this.#options);
    this.#contents.delete(id);
  }

  async formerText({ id, of }: Pick<Item, "id" | "of">, hash: string): Promise<string | undefined> {
    const variationId = of === null ? this.#firstVariations.get(id) : id;
    if (variationId === undefined) return undefined;
    const { data } = await this.#client.getSnippetVariationHistory(
      { variationId, limit: formerTextsMax },
      this.#options,
    );
    return data.find(({ content }) => hashOfText(content.content) === hash)?.content.content;
  }

  #documents(): (snippet: KeptSnippet) => Document {
    const names = new Map(this.#contents.tags.map(({ key, name }) => [key, name]));
    const pathOf = this.#folderPaths();
    return (snippet) => ({
      fields: {
        title: snippet.title,
        shortcut: snippet.shortcut ?? "",
        note: snippet.snippet_note ?? "",
        [typeField]: snippet.content.type,
        tags: sortedTags(snippet.tag_ids.flatMap((id) => names.get(id) ?? [])),
        archived: "",
        folder: pathOf(snippet.folder_id),
      },
      text: snippet.content.content,
    });
  }

  /** The path of each folder, as its files have it. */
  #folderPaths(): (id: string | null) => string {
    const folders = new Map(this.#contents.folders.map((folder) => [folder.key, folder]));
    const pathOf = (id: string | null): string => {
      const folder = id === null ? undefined : folders.get(id);
      if (!folder) return "";
      const around = pathOf(folder.parent);
      return around === "" ? fileName(folder.name) : `${around}/${fileName(folder.name)}`;
    };
    return pathOf;
  }

  /** The folder with this path, which is made with those around it if it is new. */
  async #folderAt(path: string): Promise<string | null> {
    if (path === "") return null;
    const pathOf = this.#folderPaths();
    // A folder of the disk may have a name that other systems do not accept.
    const wanted = path.split("/").map(fileName).join("/");
    const found =
      this.#contents.folders.find(({ key }) => pathOf(key) === wanted) ??
      this.#contents.folders.find(({ key }) => keyOfPath(pathOf(key)) === keyOfPath(wanted));
    if (found) return found.key;
    const end = path.lastIndexOf("/");
    const parent = await this.#folderAt(path.slice(0, Math.max(0, end)));
    const name = path.slice(end + 1);
    const { data } = await this.#client.postFolder(
      {
        folderName: name,
        folderColor: colorDefault,
        teamId: this.#teamId,
        ...(parent !== null && { parentFolderId: parent }),
      },
      this.#options,
    );
    this.#contents.addGroup("folder", data.folder.id, name, colorDefault, parent);
    return data.folder.id;
  }

  /** Names do not have to be unique: those that the snippet has already come first. */
  async #tagIds(names: readonly string[], own: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const name of names) {
      const named = this.#contents.tags.filter((tag) => tag.name === name).map(({ key }) => key);
      const known = named.filter((id) => own.includes(id));
      ids.push(...(known.length > 0 ? known : named.length > 0 ? named.slice(0, 1) : [await this.#createTag(name)]));
    }
    return ids;
  }

  async #createTag(name: string): Promise<string> {
    const { data } = await this.#client.postTag(
      { tagName: name, tagColor: colorDefault, teamId: this.#teamId },
      this.#options,
    );
    this.#contents.addGroup("tag", data.tag.id, name, colorDefault, null);
    return data.tag.id;
  }
}

const asItem = (of: string, { id, name, content }: { id: string; name: string; content: Content }): Item => ({
  id,
  of,
  document: { fields: { variation: name, [typeField]: content.type }, text: content.content },
});

/** What a batch has created is listed without the items that were refused. */
function inOrder(
  documents: readonly Document[],
  errors: readonly { readonly index: number; readonly message: string }[],
  created: readonly { readonly id: string }[],
): (string | { readonly message: string })[] {
  const refused = new Map(errors.map((error) => [error.index, error]));
  const rest = created.map(({ id }) => id);
  return documents.map((_, index) => refused.get(index) ?? rest.shift() ?? "");
}

/** What was created is not read again: the next list has its times. */
const snippetOf = (id: string, { title, content, note, shortcut, folderId, tagIds }: SnippetInput): KeptSnippet => ({
  id,
  title,
  content,
  snippet_note: note ?? null,
  shortcut: shortcut ?? null,
  folder_id: folderId ?? null,
  tag_ids: [...(tagIds ?? [])],
  created_at: "9999",
  updated_at: "",
  is_archived: false,
});
