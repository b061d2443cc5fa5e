// A stranger who keeps what the responses told: makes requests of every operation that the description allows. What it says in words and not
// in a schema, such as that a parent must not be a child, is here.
import type { Random } from "../random.ts";
import type { Answer, OperationRead, Parameter, Reader } from "./reader.ts";
import { makeValue } from "./values.ts";

export interface Request {
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  body?: unknown;
}

interface KnownSnippet {
  readonly id: string;
  /** Undefined until they were read. */
  variations: string[] | undefined;
}

/** Thrown where there is nothing that a request could be about. */
class NothingKnown extends Error {}

const poolMax = 60;
/** Codes with which a request may be refused although it fits its schemas: the description says so in words. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  getShortcut: ["snippet_not_found", "shortcut_ambiguous"],
  getText: ["snippet_not_found"],
  postImport: ["import_undone"],
  postSnippetVariations: ["too_many_variations"],
};

export class Client {
  readonly #random: Random;
  readonly #reader: Reader;
  readonly #teamId: string;
  #snippets: KnownSnippet[] = [];
  #trash: string[] = [];
  /** Where the changes of a team go on, and with an empty name those of all. */
  readonly #cursors = new Map<string, string>();
  /** In the order of their creation: the parent of one is an older one. */
  #folders: string[] = [];
  #tags: string[] = [];
  #shortcuts: string[] = [];
  /** The request that began each import. */
  readonly #imports = new Map<string, Request>();

  constructor(random: Random, reader: Reader, teamId: string) {
    this.#random = random;
    this.#reader = reader;
    this.#teamId = teamId;
  }

  /** A request that the description allows; undefined if nothing is known that it could be about. */
  make(operation: OperationRead): Request | undefined {
    try {
      const request = this.#arrange(operation, {
        query: this.#parameters(operation, "query"),
        headers: this.#parameters(operation, "header"),
        ...(operation.body && {
          body: makeValue(this.#making(operation), operation.body.schema, ""),
        }),
      });
      const problem = request.body === undefined ? undefined : operation.bodyProblem(request.body);
      if (problem !== undefined) throw new Error(`the stranger made a body that does not fit: ${problem}`);
      return request;
    } catch (error) {
      if (error instanceof NothingKnown) return undefined;
      throw error;
    }
  }

  /** Whether the description allows this answer to a request that fits. */
  isExpected({ name }: OperationRead, { status, text }: Answer): boolean {
    if (status === 200 || status === 304) return true;
    const codes = [...(refusals[name] ?? []), "response_too_large", "file_unreadable"];
    return codes.some((code) => text.includes(`"error":"${code}"`));
  }

  /** Learns from a successful response. */
  learn({ name, method }: OperationRead, request: Request, { status, text }: Answer): void {
    if (status !== 200 || name === "getText" || name === "getExport") return;
    const { query, body } = request;
    const { data, metadata } = JSON.parse(text);
    if (name === "postImport") {
      if (data.importId !== null) this.#imports.set(data.importId, request);
      return;
    }
    if (name === "getChanges") this.#cursors.set(query.teamId ?? "", data.cursor);
    const add = (pool: string[], ids: readonly string[]) => [...pool, ...ids].slice(-poolMax);
    const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
    const sent = Object.entries(query).flatMap(([parameter, value]) => (/id/i.test(parameter) ? listOf(value) : []));
    const isGone = (id: string) => sent.some((other) => other.toLowerCase() === id);
    if (data?.snippetId && name === "postSnippet") this.#learnSnippets([data.snippetId], [body]);
    if (data?.createdSnippets)
      this.#learnSnippets(
        data.createdSnippets.map(({ snippetId }: { snippetId: string }) => snippetId),
        [],
      );
    if (data?.restoredSnippets) {
      const ids: string[] = data.restoredSnippets.map(({ snippetId }: { snippetId: string }) => snippetId);
      this.#trash = this.#trash.filter((id) => !ids.includes(id));
      this.#learnSnippets(ids, []);
    }
    if (name === "postFolder") this.#folders = add(this.#folders, [data.folder.id]);
    if (name === "postTag") this.#tags = add(this.#tags, [data.tag.id]);
    if (data?.createdFolders) this.#folders = add(this.#folders, idsOf(data.createdFolders));
    if (data?.createdTags) this.#tags = add(this.#tags, idsOf(data.createdTags));
    if (name === "getSnippet" || name === "getSnippetVariations" || name === "putSnippetVariationsOrder") {
      const known = this.#snippets.find(({ id }) => isGone(id));
      if (known) known.variations = idsOf(data.variations);
    }
    if (name === "postSnippetVariations")
      for (const snippet of this.#snippets) if (isGone(snippet.id)) snippet.variations = undefined;
    if (name === "deleteSnippetVariation")
      for (const snippet of this.#snippets)
        snippet.variations = snippet.variations?.filter((id) => !metadata.deletedVariationIds.includes(id));
    if (method !== "DELETE") return;
    if (name.startsWith("deleteFolder")) this.#folders = this.#folders.filter((id) => !isGone(id));
    if (name.startsWith("deleteTag")) this.#tags = this.#tags.filter((id) => !isGone(id));
    if (name === "deleteSnippet" || name === "deleteSnippets") {
      this.#trash = add(this.#trash, idsOf(this.#snippets.filter(({ id }) => isGone(id))));
      this.#snippets = this.#snippets.filter(({ id }) => !isGone(id));
    }
  }

  #learnSnippets(ids: readonly string[], bodies: readonly unknown[]): void {
    this.#snippets = [...this.#snippets, ...ids.map((id) => ({ id, variations: undefined }))].slice(-poolMax);
    for (const body of bodies) {
      const { shortcut } = body as { shortcut?: string | null };
      if (shortcut) this.#shortcuts = [...this.#shortcuts, shortcut].slice(-poolMax);
    }
  }

  #making(operation: OperationRead) {
    return {
      random: this.#random,
      resolve: this.#reader.resolve,
      idFor: (name: string) => this.#idFor(operation, name),
    };
  }

  #pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new NothingKnown();
    return this.#random.pick(values);
  }

  #idFor({ path }: OperationRead, name: string): string {
    const of = name === "id" || name === "ids" ? (/^\/(snippet|folder|tag|text)/.exec(path)?.[1] ?? "") : name;
    if (/team/i.test(of)) return this.#teamId;
    if (/import/i.test(of)) return this.#pick([...this.#imports.keys()]);
    if (/createdBy/.test(of)) return this.#random.uuid();
    if (/folder/i.test(of)) return this.#pick(this.#folders);
    if (/tag/i.test(of)) return this.#pick(this.#tags);
    if (/variation/i.test(of)) return this.#pick(this.#known().variations);
    if (path === "/snippets/restore") return this.#pick(this.#trash);
    return this.#pick(this.#snippets).id;
  }

  /** A snippet whose variations were read. */
  #known(variationsMin = 1): { id: string; variations: string[] } {
    const { id, variations = [] } = this.#pick(
      this.#snippets.filter((snippet) => (snippet.variations?.length ?? 0) >= variationsMin),
    );
    return { id, variations };
  }

  #parameters(operation: OperationRead, place: "query" | "header"): Record<string, string> {
    const chosen = operation.parameters.filter(
      (parameter) => parameter.in === place && (parameter.required || this.#random.isTrue(0.4)),
    );
    return Object.fromEntries(
      chosen.map((parameter) => {
        const name = this.#random.pick([parameter.name, ...(parameter["x-aliases"] ?? [])]);
        return [name, this.#text(operation, parameter)];
      }),
    );
  }

  #text(operation: OperationRead, { name, schema, description, in: place }: Parameter): string {
    const random = this.#random;
    if (/ IDs, as a comma-separated list/.test(description)) {
      const ids = Array.from({ length: random.integer(1, 4) }, () => this.#idFor(operation, name));
      return random.isTrue(0.3) ? JSON.stringify(ids) : ids.join(random.pick([",", ", "]));
    }
    if (place === "header") return random.uuid();
    if (name === "in") return random.pick(["title", "title,content", '["tags","note"]']);
    if (name === "columns") return random.pick(["content=2", "title=1, content=2", '{"content":"2"}']);
    if (name === "query") return random.pick(["a", "Zz09", '"é"', "-a", "語 a"]);
    if (name === "shortcut") return this.#pick(this.#shortcuts);
    return String(makeValue(this.#making(operation), schema, name));
  }

  /** Follows what the description says in words. */
  #arrange(operation: OperationRead, request: Request): Request {
    const { query } = request;
    // biome-ignore lint/suspicious/noExplicitAny: a body of whatever the schema asks for.
    const body = request.body as any;
    const rewrite = (names: Record<string, string>): Request => ({ ...request, query: names });
    const { cursor: _, ...firstPage } = query;
    switch (operation.name) {
      case "getSnippetVariation": {
        const { id, variations } = this.#known();
        return rewrite({ snippetId: id, variationId: this.#pick(variations) });
      }
      case "putSnippetVariation": {
        const { variationName, ...rest } = body;
        return { ...request, body: variationName === undefined || Object.keys(rest).length === 0 ? body : rest };
      }
      case "deleteSnippetVariation": {
        const [gone = ""] = this.#known(2).variations.slice(1);
        return this.#random.isTrue()
          ? { query: { variationId: gone }, headers: {} }
          : { query: {}, headers: {}, body: { variationIds: [gone] } };
      }
      case "putSnippetVariationsOrder": {
        const { id, variations } = this.#known();
        return {
          ...request,
          query: { snippetId: id },
          body: { variationIds: this.#random.some(variations, 0).concat(variations.toReversed()) },
        };
      }
      case "getText": {
        if (this.#random.isTrue(0.3)) return rewrite({ shortcut: this.#pick(this.#shortcuts), teamId: this.#teamId });
        const { id, variations } = this.#known();
        return rewrite({ id, ...(this.#random.isTrue() && { variation: this.#pick(variations) }) });
      }
      case "getSearch":
        return rewrite(
          firstPage.query === undefined && firstPage.sort === "relevance"
            ? { ...firstPage, sort: "updated" }
            : firstPage,
        );
      case "postImport": {
        const [name, text] = [this.#random.uuid(), this.#random.uuid()];
        const { importId, ...others } = query;
        if (importId !== undefined)
          return this.#continued(importId, request) ?? this.#arrange(operation, rewrite(others));
        const { format: _, ...ofTable } = query;
        if (query.columns !== undefined) return { query: ofTable, headers: request.headers, body: `${name},${text}\n` };
        return { ...request, body: JSON.stringify([{ name, text, keyword: name }]) };
      }
      case "getTrash":
      case "getImports":
        return rewrite(firstPage);
      case "getChanges": {
        const cursor = this.#cursors.get(query.teamId ?? "");
        if (query.cursor === undefined || cursor === undefined) return rewrite(firstPage);
        // The time of a proof is too short to wait.
        return rewrite({ ...firstPage, cursor, waitSeconds: "0" });
      }
      case "putFolder":
      case "putTag":
        return { ...request, body: this.#withOlderParent(body, Object.values(query)[0] ?? "") };
      case "putFolders":
      case "putTags": {
        const [[field, items] = ["", []]] = Object.entries<{ id: string }[]>(body);
        const different = [...new Map(items.map((item) => [item.id, item])).values()];
        return { ...request, body: { [field]: different.map((item) => this.#withOlderParent(item, item.id)) } };
      }
      default:
        return request;
    }
  }

  /** The request that began an import, sent again; undefined where its folder does not exist any more. */
  #continued(importId: string, { headers }: Request): Request | undefined {
    const begun = this.#imports.get(importId);
    const folderId = begun?.query.folderId;
    if (!begun || (folderId !== undefined && !this.#folders.includes(folderId))) return undefined;
    return { ...begun, query: { ...begun.query, importId }, headers };
  }

  /** A parent that is older than its child closes no cycle. */
  #withOlderParent<Changes extends object>(changes: Changes, id: string): Changes {
    const pool = this.#folders.includes(id) ? this.#folders : this.#tags;
    const older = pool.slice(0, Math.max(0, pool.indexOf(id)));
    const entries = Object.entries(changes).map(([name, value]) => [
      name,
      name.startsWith("parent") && value !== null ? (older[0] ?? null) : value,
    ]);
    return Object.fromEntries(entries);
  }
}

const listOf = (text: string): string[] =>
  text.startsWith("[") ? (JSON.parse(text) as string[]) : text.split(",").map((id) => id.trim());
