// The reference model: what each operation does and answers, in the plainest possible way. It is written from the specification and shares
// no code with the service: no schemas, no types, no SQL. Everything is in memory, IDs are counted up, and time is what the request says.
import {
  compareByOracle,
  type OracleQuery,
  type OracleRank,
  type OracleSnippet,
  piecesOf,
  ranksByOracle,
} from "../../test/support/search-oracle.ts";
import {
  cursorInvalid,
  type Fields,
  type Item,
  idIsRequired,
  invalid,
  Parameters,
  Refused,
  readBody,
  sameId,
} from "./input.ts";

export interface Content {
  readonly type: string;
  readonly content: string;
}
interface Version {
  readonly id: string;
  readonly at: string;
  readonly content: Content;
}
export interface Variation {
  readonly id: string;
  name: string;
  index: number;
  readonly created: string;
  updated: string;
  /** The oldest first; the last one is the current text. */
  readonly versions: Version[];
}
export interface Snippet {
  readonly id: string;
  readonly team: string;
  readonly by: string;
  readonly created: string;
  updated: string;
  title: string;
  note: string | null;
  shortcut: string | null;
  folder: string | null;
  isArchived: boolean;
  tags: string[];
  /** By index. */
  variations: Variation[];
}
export interface Group {
  readonly id: string;
  readonly team: string;
  readonly created: string;
  updated: string;
  name: string;
  color: string;
  parent: string | null;
}
export interface Trashed {
  readonly snippet: Snippet;
  readonly at: string;
  readonly by: string;
}
/** What requests change. A refused request leaves it as it was. */
interface Library {
  snippets: Snippet[];
  folders: Group[];
  tags: Group[];
  trash: Trashed[];
}
export interface Team {
  readonly id: string;
  readonly name: string;
}
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly workspace: Workspace;
  /** Undefined for all teams. */
  readonly teams: readonly string[] | undefined;
  /** When its requests of the last minute were admitted. */
  admitted: number[];
  /** What was answered to requests with an `Idempotency-Key`. */
  readonly kept: Map<string, Kept>;
}
interface Kept {
  readonly request: string;
  readonly response: Response;
  readonly at: number;
}
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly teams: readonly Team[];
  readonly allowance: number;
  month: string;
  balance: number;
  library: Library;
}
export interface Request {
  readonly operation: string;
  readonly key: Key;
  readonly query: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  /** The version of a text that the client has. */
  readonly known?: string;
  /** The `Idempotency-Key`. */
  readonly repeat?: string;
  /** Milliseconds. */
  readonly now: number;
}
/** What the service must answer. IDs are the model's own; a function checks a part that the specification leaves open. */
export interface Response {
  readonly status: number;
  readonly cost: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}
export type Open = (value: unknown) => boolean;

interface Result {
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly pagination?: unknown;
  /** What the cost is counted from; a plain 1 without it. */
  readonly items?: number;
  /** Of a text that is answered alone: the ID of its version. */
  readonly version?: string;
}
/** Where a page begins: after this position in this list. */
interface Cursor {
  readonly list: string;
  readonly after: unknown;
}
const [minute, day] = [60_000, 86_400_000];
const trashDays = 30;
const quotaExceeded = "quota_exceeded";
const toIso = (now: number): string => new Date(now).toISOString();
const oldestFirst = (one: { id: string }, two: { id: string }): number => (one.id < two.id ? -1 : 1);

export class Model {
  readonly #perMinute: number;
  readonly #cursors = new Map<string, Cursor>();
  #ids = 0;
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }
  /** IDs are in the order in which they are made, as the service's are. */
  newId(): string {
    this.#ids += 1;
    return `~${String(this.#ids).padStart(6, "0")}`;
  }
  addWorkspace(name: string, teams: readonly string[], allowance: number): Workspace {
    const library = { snippets: [], folders: [], tags: [], trash: [] };
    const workspace = { id: this.newId(), name, allowance, month: "", balance: 0, library };
    return { ...workspace, teams: teams.map((each) => ({ id: this.newId(), name: each })) };
  }
  addKey(workspace: Workspace, name: string, teams?: readonly string[]): Key {
    return { id: this.newId(), name, workspace, teams, admitted: [], kept: new Map() };
  }

  /** Carries out a request. */
  ask(request: Request): Response {
    const { key, now } = request;
    key.admitted = key.admitted.filter((at) => at > now - minute);
    const [oldest] = key.admitted;
    if (oldest !== undefined && key.admitted.length >= this.#perMinute) {
      const seconds = Math.ceil((oldest + minute - now) / 1_000);
      const error = new Refused(429, "rate_limit_exceeded", `Rate limit exceeded. Try again in ${seconds} seconds`);
      return this.#withLimits(key, this.#refuse(error, 0, { "retry-after": String(seconds) }));
    }
    key.admitted.push(now);
    const { workspace } = key;
    const month = toIso(now).slice(0, 7);
    if (workspace.month !== month) Object.assign(workspace, { month, balance: workspace.allowance });
    return this.#withLimits(key, this.#once(request));
  }
  #withLimits(key: Key, response: Response): Response {
    const left = this.#perMinute - key.admitted.length;
    const headers = { "x-ratelimit-limit": String(this.#perMinute), "x-ratelimit-remaining": String(left) };
    return { ...response, headers: { ...response.headers, ...headers } };
  }

  /** A repeat of a request with an `Idempotency-Key` gets the first response, for nothing. */
  #once(request: Request): Response {
    const { key, operation, query, body, repeat, now } = request;
    if (repeat === undefined || operation.startsWith("get")) return this.#carryOut(request);
    if (!/^[!-~]{1,255}$/.test(repeat))
      return this.#fail(key, invalid("Idempotency-Key must be 1 to 255 visible ASCII characters"));
    const same = JSON.stringify([operation, query, body]);
    const kept = key.kept.get(repeat);
    if (!kept || kept.at <= now - day) {
      const response = this.#carryOut(request);
      const isKept = (response.body as { error?: string }).error !== quotaExceeded;
      if (isKept) key.kept.set(repeat, { request: same, response, at: now });
      return response;
    }
    const message = "This Idempotency-Key belongs to a different request: send a new key with each new request";
    if (kept.request !== same) return this.#fail(key, new Refused(422, "idempotency_key_reused", message));
    return { ...kept.response, cost: 0, headers: { "idempotency-replayed": "true" } };
  }

  #carryOut(request: Request): Response {
    const { key, operation } = request;
    const { workspace } = key;
    const before = structuredClone(workspace.library);
    try {
      const { data, metadata, pagination, items = 1, version } = this.#run(request);
      const isKnown = version !== undefined && version === request.known;
      const cost = isKnown ? 0 : items + (onePlusItems.has(operation) ? 1 : 0);
      const remaining = workspace.balance;
      if (cost > remaining)
        throw new Refused(403, quotaExceeded, `Insufficient API requests: ${cost} required, ${remaining} remaining`, {
          usage: { requiredRequests: cost, remainingRequests: remaining },
        });
      workspace.balance -= cost;
      if (version !== undefined) {
        const headers = { etag: `"${version}"`, "x-remaining-requests": String(workspace.balance) };
        return { status: isKnown ? 304 : 200, cost, body: isKnown ? "" : data, headers };
      }
      const usage = { remainingRequests: workspace.balance, ...(byItems.has(operation) && { usageDeducted: cost }) };
      const more = { ...(metadata !== undefined && { metadata }), ...(pagination !== undefined && { pagination }) };
      return { status: 200, cost, body: { success: true, data, usage, ...more }, headers: {} };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      workspace.library = before;
      return this.#fail(key, error);
    }
  }
  /** A failed request costs one unit, if there is one. */
  #fail({ workspace }: Key, error: Refused): Response {
    const cost = error.code === quotaExceeded ? 0 : Math.min(1, workspace.balance);
    workspace.balance -= cost;
    return this.#refuse(error, cost, {});
  }
  #refuse({ status, code, message, more }: Refused, cost: number, headers: Response["headers"]): Response {
    const requestId = this.newId();
    const body = { success: false, message, error: code, requestId, ...more };
    return { status, cost, body, headers: { ...headers, "x-request-id": requestId } };
  }

  #run({ operation, key, query, body, now }: Request): Result {
    const run = operations[operation];
    if (!run) throw new Error(`the model does not know ${operation}`);
    const call = new Call(key, toIso(now), new Parameters(query), () => this.newId(), this.#cursors, this.#perMinute);
    const next = run(call);
    return next(readBody(operation, body));
  }
}

/** A request that is being carried out. */
class Call {
  readonly library: Library;
  constructor(
    readonly key: Key,
    readonly now: string,
    readonly sent: Parameters,
    readonly newId: () => string,
    readonly cursors: Map<string, Cursor>,
    readonly perMinute: number,
  ) {
    this.library = key.workspace.library;
  }
  reaches = (team: string): boolean => this.key.teams?.includes(team) ?? true;

  /** The resource, if the key may touch it. @throws Refused 404, then 403 */
  required<Resource extends { readonly team: string }>(noun: string, found: Resource | undefined): Resource {
    if (!found) throw new Refused(404, `${noun.toLowerCase()}_not_found`, `${noun} not found`);
    if (!this.reaches(found.team))
      throw new Refused(403, "team_forbidden", "API key does not have access to this team");
    return found;
  }
  team(id: string): void {
    this.required("Team", this.key.workspace.teams.some((team) => team.id === id) ? { team: id } : undefined);
  }
  /** The teams that a list is about. */
  teams(named: string | undefined): string[] {
    if (named !== undefined) this.team(named);
    return this.key.workspace.teams
      .map(({ id }) => id)
      .filter((id) => (named === undefined ? this.reaches(id) : id === named));
  }
  snippet = (id: string): Snippet =>
    this.required(
      "Snippet",
      this.library.snippets.find((each) => each.id === id),
    );

  /** A variation with its snippet. */
  variation(id: string): { team: string; snippet: Snippet; variation: Variation } | undefined {
    for (const snippet of this.library.snippets)
      for (const variation of snippet.variations)
        if (variation.id === id) return { team: snippet.team, snippet, variation };
    return undefined;
  }
  /** Those of a list that are there and may be touched, in its order, and the five counts. */
  among<Resource extends { readonly id: string; readonly team: string }>(
    ids: readonly string[],
    all: readonly Resource[],
  ) {
    const found = ids.flatMap((id) => all.find((each) => each.id === id) ?? []);
    const rows = found.filter(({ team }) => this.reaches(team));
    const counts = {
      requestedCount: ids.length,
      foundCount: found.length,
      accessibleCount: rows.length,
      inaccessibleCount: found.length - rows.length,
      missingCount: ids.length - found.length,
    };
    return { rows, counts };
  }
  /** Items that succeed or fail on their own. Fails as the first one does if all fail. */
  each<Done>(items: readonly Item[], decide: (value: Fields) => Done, doneCount: string) {
    const done: Done[] = [];
    const failed: { item: Item; error: Refused }[] = [];
    for (const item of items) {
      try {
        if (item.refused || !item.value) throw item.refused;
        done.push(decide(item.value));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        failed.push({ item, error });
      }
    }
    if (done.length === 0 && failed[0]) throw failed[0].error;
    const errors = failed.map(({ item: { index, sentId }, error: { message } }) => ({
      index,
      ...(sentId !== undefined && { id: sentId }),
      message,
    }));
    const metadata = { requestedCount: items.length, [doneCount]: done.length, failedCount: errors.length };
    return { done, errors, metadata, items: done.length };
  }
  /** One page of a list that is paged by cursor. */
  page<Row>(
    operation: string,
    parameters: unknown,
    rows: readonly Row[],
    isAfter: (row: Row, after: unknown) => boolean,
    positionOf: (row: Row) => unknown,
  ) {
    const list = JSON.stringify([operation, parameters]);
    const limit = this.sent.integer("limit", 1, 100, 50);
    const after = this.cursor(list)?.after;
    const left = after === undefined ? rows : rows.filter((row) => isAfter(row, after));
    const page = left.slice(0, limit);
    const last = page.at(-1);
    const nextCursor = left.length > page.length && last !== undefined ? `~cursor${this.cursors.size}` : null;
    if (nextCursor !== null && last !== undefined) this.cursors.set(nextCursor, { list, after: positionOf(last) });
    return { page, pagination: { limit, nextCursor } };
  }
  cursor(list: string): Cursor | undefined {
    const sent = this.sent.cursor();
    const cursor = sent === undefined ? undefined : this.cursors.get(sent);
    if (sent !== undefined && cursor?.list !== list) throw cursorInvalid();
    return cursor;
  }
}

const contentOf = (variation: Variation | undefined): Content =>
  variation?.versions.at(-1)?.content ?? { type: "", content: "" };

// Records, as responses show them.
const listed = (call: Call, one: Snippet) => ({
  id: one.id,
  title: one.title,
  content: contentOf(one.variations[0]),
  snippet_note: one.note,
  shortcut: one.shortcut,
  folder_id: one.folder,
  team_id: one.team,
  workspace_id: call.key.workspace.id,
  is_archived: one.isArchived,
  created_at: one.created,
  updated_at: one.updated,
});
const placeOf = ({ id, name, index }: Variation) => ({ id, name, variant_order_index: index });
const detail = (call: Call, one: Snippet) => ({
  ...listed(call, one),
  created_by: one.by,
  tag_ids: one.tags.toSorted(),
  variations: one.variations.map(placeOf),
});
const variationRecord = (snippet: Snippet, one: Variation) => ({
  ...placeOf(one),
  content: contentOf(one),
  snippet_id: snippet.id,
  created_at: one.created,
  updated_at: one.updated,
});
const groupRecord = (call: Call, { noun }: Kind, one: Group) => ({
  id: one.id,
  [`${noun}_name`]: one.name,
  [`${noun}_color`]: one.color,
  [`parent_${noun}_id`]: one.parent,
  team_id: one.team,
  workspace_id: call.key.workspace.id,
  created_at: one.created,
  updated_at: one.updated,
});

// Snippets and variations.
const addVariation = (call: Call, snippet: Snippet, name: string, content: Content): Variation => {
  const index = 1 + Math.max(-1, ...snippet.variations.map((each) => each.index));
  const versions = [{ id: call.newId(), at: call.now, content }];
  const variation = { id: call.newId(), name, index, created: call.now, updated: call.now, versions };
  snippet.variations.push(variation);
  return variation;
};
const requireReferences = (call: Call, team: string, { folderId, tagIds }: Fields): void => {
  const isOf = (groups: Group[], id: unknown) => groups.some((each) => each.id === id && each.team === team);
  if (folderId && !isOf(call.library.folders, folderId)) throw invalid("folderId must be a folder of the same team");
  if ((tagIds as string[] | undefined)?.some((id) => !isOf(call.library.tags, id)))
    throw invalid("tagIds must be tags of the same team");
};
function createSnippet(call: Call, input: Fields): Snippet {
  const team = String(input.teamId);
  call.team(team);
  requireReferences(call, team, input);
  const snippet: Snippet = {
    ...{ id: call.newId(), team, by: call.key.id, created: call.now, updated: call.now, isArchived: false },
    ...{
      title: String(input.title),
      note: (input.note as string) ?? null,
      shortcut: (input.shortcut as string) ?? null,
    },
    ...{ folder: (input.folderId as string) ?? null, tags: (input.tagIds as string[]) ?? [], variations: [] },
  };
  addVariation(call, snippet, "Default", input.content as Content);
  for (const each of (input.additionalVariations as { variationName: string; content: Content }[]) ?? [])
    addVariation(call, snippet, each.variationName, each.content);
  call.library.snippets.push(snippet);
  return snippet;
}
function setContent(call: Call, variation: Variation, content: Content | undefined): void {
  const { type, content: text } = contentOf(variation);
  if (content && (content.type !== type || content.content !== text))
    variation.versions.push({ id: call.newId(), at: call.now, content });
}
const updatedFields = (body: Fields) => ({
  fieldsUpdated: Object.fromEntries(Object.keys(body).map((name) => [name, true])),
});
const discard = (call: Call, snippets: readonly Snippet[]): void => {
  call.library.snippets = call.library.snippets.filter((each) => !snippets.includes(each));
  call.library.trash.push(...snippets.map((snippet) => ({ snippet, at: call.now, by: call.key.id })));
};
const deletedCounts = (requestedCount: number, deletedCount: number) => ({
  ...{ requestedCount, deletedCount, inaccessibleCount: requestedCount - deletedCount, accessibleCount: deletedCount },
});

// Folders and tags.
interface Kind {
  readonly noun: "folder" | "tag";
  readonly Noun: "Folder" | "Tag";
  readonly all: (call: Call) => Group[];
  readonly holds: (snippet: Snippet, id: string) => boolean;
}
const folder: Kind = {
  noun: "folder",
  Noun: "Folder",
  all: ({ library }) => library.folders,
  holds: (each, id) => each.folder === id,
};
const tag: Kind = {
  noun: "tag",
  Noun: "Tag",
  all: ({ library }) => library.tags,
  holds: (each, id) => each.tags.includes(id),
};
const find = (call: Call, kind: Kind, id: unknown) => kind.all(call).find((each) => each.id === id);

function requireParent(call: Call, kind: Kind, team: string, parent: unknown, child?: string): void {
  const field = `parent${kind.Noun}Id`;
  if (!parent) return;
  if (find(call, kind, parent)?.team !== team) throw invalid(`${field} must be a ${kind.noun} of the same team`);
  for (let above = find(call, kind, parent); above; above = find(call, kind, above.parent))
    if (above.id === child) throw invalid(`${field} must not be the ${kind.noun} itself or a ${kind.noun} inside it`);
}
function createGroup(call: Call, kind: Kind, input: Fields): Group {
  const [team, parent] = [String(input.teamId), input[`parent${kind.Noun}Id`]];
  call.team(team);
  requireParent(call, kind, team, parent);
  const group = {
    ...{ id: call.newId(), team, created: call.now, updated: call.now, parent: (parent as string) ?? null },
    ...{ name: String(input[`${kind.noun}Name`]), color: String(input[`${kind.noun}Color`]) },
  };
  kind.all(call).push(group);
  return group;
}
function changeGroup(call: Call, kind: Kind, id: unknown, changes: Fields): Group {
  const group = call.required(kind.Noun, find(call, kind, id));
  const { [`${kind.noun}Name`]: name, [`${kind.noun}Color`]: color, [`parent${kind.Noun}Id`]: parent } = changes;
  requireParent(call, kind, group.team, parent, group.id);
  if (name !== undefined) group.name = String(name);
  if (color !== undefined) group.color = String(color);
  if (parent !== undefined) group.parent = parent as string | null;
  group.updated = call.now;
  return group;
}
/** @returns how many snippets were in it */
function removeGroup(call: Call, kind: Kind, group: Group): number {
  const all = kind.all(call);
  all.splice(all.indexOf(group), 1);
  for (const child of all) if (child.parent === group.id) child.parent = null;
  const inside = call.library.snippets.filter((each) => kind.holds(each, group.id));
  for (const snippet of inside)
    if (kind.noun === "folder") snippet.folder = null;
    else snippet.tags = snippet.tags.filter((id) => id !== group.id);
  return inside.length;
}
/** Newest first. */
const inside = (call: Call, kind: Kind, id: string) =>
  call.library.snippets
    .filter((each) => kind.holds(each, id))
    .sort((one, two) =>
      one.created === two.created ? (one.id < two.id ? 1 : -1) : one.created < two.created ? 1 : -1,
    );
const paginate = (limit: number, offset: number, total: number) => ({
  ...{ limit, offset, totalSnippets: total, hasMore: offset + limit < total },
  ...{ currentPage: Math.floor(offset / limit) + 1, totalPages: Math.ceil(total / limit) },
});
const pageOf = (call: Call, whenAbsent: number) => ({
  limit: call.sent.integer("limit", 1, 100, whenAbsent),
  offset: call.sent.integer("offset", 0, undefined, 0),
});

/** The operations that folders and tags share. */
function groupOperations(kind: Kind): Record<string, Operation> {
  const { noun, Noun } = kind;
  const idOf = (call: Call) => call.sent.requiredId(Noun, `${noun}Id`, "id");
  const idsOf = (call: Call) => call.sent.requiredIds(Noun, `${noun}Ids`, "ids");
  return {
    [`get${Noun}`]: (call) => {
      const [id, { limit, offset }] = [idOf(call), pageOf(call, 50)];
      return () => {
        const group = call.required(Noun, find(call, kind, id));
        const all = inside(call, kind, group.id);
        const snippets = all.slice(offset, offset + limit).map((each) => listed(call, each));
        const pagination = paginate(limit, offset, all.length);
        return { data: { [noun]: groupRecord(call, kind, group), snippets }, pagination, items: snippets.length };
      };
    },
    [`post${Noun}`]: (call) => (body) => {
      const group = createGroup(call, kind, body as Fields);
      const metadata = { folderId: group.id, folderName: group.name, createdAt: group.created };
      return { data: { [noun]: groupRecord(call, kind, group) }, ...(noun === "folder" && { metadata }) };
    },
    [`put${Noun}`]: (call) => {
      const id = idOf(call);
      return (body) => {
        const group = changeGroup(call, kind, id, body as Fields);
        return { data: { [noun]: groupRecord(call, kind, group) }, metadata: updatedFields(body as Fields) };
      };
    },
    [`delete${Noun}`]: (call) => {
      const id = idOf(call);
      return () => {
        const group = call.required(Noun, find(call, kind, id));
        const metadata = { deletedFolderId: group.id, snippetsOrphaned: removeGroup(call, kind, group) };
        return { data: { message: `${Noun} deleted` }, metadata: noun === "folder" ? metadata : {} };
      };
    },
    [`post${Noun}s`]: (call) => (body) => {
      const { done, errors, metadata, items } = call.each(
        body as Item[],
        (input) => groupRecord(call, kind, createGroup(call, kind, input)),
        "createdCount",
      );
      return { data: { [`created${Noun}s`]: done, errors }, metadata, items };
    },
    [`put${Noun}s`]: (call) => (body) => {
      const change = ({ id, ...changes }: Fields) => groupRecord(call, kind, changeGroup(call, kind, id, changes));
      const { done, errors, metadata, items } = call.each(body as Item[], change, "updatedCount");
      return { data: { [`updated${Noun}s`]: done, errors }, metadata, items };
    },
    [`delete${Noun}s`]: (call) => {
      const ids = idsOf(call);
      return () => {
        const { rows } = call.among(ids, kind.all(call));
        for (const group of rows) removeGroup(call, kind, group);
        const data = { message: `${rows.length} of ${ids.length} ${noun}s deleted` };
        return { data, metadata: deletedCounts(ids.length, rows.length), items: rows.length };
      };
    },
  };
}

/** Reads the parameters; what it returns reads the body and carries the request out. */
type Operation = (call: Call) => (body: unknown) => Result;

const operations: Readonly<Record<string, Operation>> = {
  ...groupOperations(folder),
  ...groupOperations(tag),
  getFolders: (call) => {
    const [ids, { limit, offset }] = [call.sent.requiredIds("Folder", "folderIds", "ids"), pageOf(call, 20)];
    return () => {
      const { rows, counts } = call.among(ids, call.library.folders);
      const folders = rows.map((each) => {
        const all = inside(call, folder, each.id);
        const snippets = all.slice(offset, offset + limit).map((one) => listed(call, one));
        return { ...groupRecord(call, folder, each), snippets, total_snippets: all.length };
      });
      const totals = folders.map((each) => each.total_snippets);
      const totalSnippets = totals.reduce((sum, total) => sum + total, 0);
      const pagination = { ...paginate(limit, offset, Math.max(0, ...totals)), totalSnippets };
      const items = rows.length + folders.reduce((sum, { snippets }) => sum + snippets.length, 0);
      return { data: { folders }, metadata: counts, pagination, items };
    };
  },
  getTags: (call) => {
    const ids = call.sent.requiredIds("Tag", "tagIds", "ids");
    return () => {
      const { rows, counts } = call.among(ids, call.library.tags);
      return { data: { tags: rows.map((each) => groupRecord(call, tag, each)) }, metadata: counts, items: rows.length };
    };
  },
  getSnippet: (call) => {
    const id = call.sent.requiredId("Snippet", "id", "snippetId");
    return () => ({ data: detail(call, call.snippet(id)) });
  },
  getSnippets: (call) => {
    const ids = call.sent.requiredIds("Snippet", "ids", "snippetIds");
    return () => {
      const { rows, counts } = call.among(ids, call.library.snippets);
      return { data: rows.map((each) => listed(call, each)), metadata: counts, items: rows.length };
    };
  },
  postSnippet: (call) => (body) => {
    const { id, variations, tags } = createSnippet(call, body as Fields);
    return { data: { snippetId: id }, metadata: { totalVariations: variations.length, tagsAttached: tags.length } };
  },
  postSnippets: (call) => (body) => {
    const created = call.each(
      body as Item[],
      (input) => ({ snippetId: createSnippet(call, input).id }),
      "createdCount",
    );
    const { done: createdSnippets, errors, metadata, items } = created;
    const message = `${items} of ${metadata.requestedCount} snippets created`;
    return { data: { message, createdSnippets, errors }, metadata, items };
  },
  putSnippet: (call) => {
    const id = call.sent.requiredId("Snippet", "id", "snippetId");
    return (body) => {
      const snippet = call.snippet(id);
      const { content, ...changes } = body as Fields;
      requireReferences(call, snippet.team, changes);
      const [first] = snippet.variations;
      if (content && first) {
        setContent(call, first, content as Content);
        first.updated = call.now;
      }
      const names = {
        title: "title",
        note: "note",
        shortcut: "shortcut",
        folderId: "folder",
        tagIds: "tags",
        isArchived: "isArchived",
      };
      for (const [field, name] of Object.entries(names))
        if (field in changes) Object.assign(snippet, { [name]: changes[field] });
      snippet.updated = call.now;
      return {
        data: { snippetId: id },
        metadata: { ...updatedFields(body as Fields), tagsAttached: snippet.tags.length },
      };
    };
  },
  deleteSnippet: (call) => {
    const id = call.sent.requiredId("Snippet", "id", "snippetId");
    return () => {
      discard(call, [call.snippet(id)]);
      return { data: { message: "Snippet deleted" }, metadata: {} };
    };
  },
  deleteSnippets: (call) => {
    const ids = call.sent.requiredIds("Snippet", "ids", "snippetIds");
    return () => {
      const { rows } = call.among(ids, call.library.snippets);
      discard(call, rows);
      const data = { message: `${rows.length} of ${ids.length} snippets deleted` };
      return { data, metadata: deletedCounts(ids.length, rows.length), items: rows.length };
    };
  },
  getSnippetVariation: (call) => {
    const snippetId = call.sent.requiredId("Snippet", "snippetId");
    const id = call.sent.requiredId("Variation", "variationId");
    return () => {
      const found = call.variation(id);
      const { snippet, variation } = call.required("Variation", found?.snippet.id === snippetId ? found : undefined);
      return { data: variationRecord(snippet, variation) };
    };
  },
  putSnippetVariation: (call) => {
    const id = call.sent.requiredId("Variation", "variationId");
    return (body) => {
      const { snippet, variation } = call.required("Variation", call.variation(id));
      const {
        name,
        variationName = name,
        content,
      } = body as { name?: string; variationName?: string; content?: Content };
      if (variationName !== undefined) variation.name = variationName;
      setContent(call, variation, content);
      variation.updated = call.now;
      snippet.updated = call.now;
      return { data: { variationId: id }, metadata: updatedFields(body as Fields) };
    };
  },
  deleteSnippetVariation: (call) => {
    const id = call.sent.id("variationId");
    return (body) => {
      const named = (body as { variationIds: string[] } | undefined)?.variationIds;
      if (id === undefined && named === undefined) throw idIsRequired("Variation");
      if (id !== undefined && named !== undefined)
        throw invalid("send either variationId in the query or variationIds in the body, not both");
      const found = (named ?? [id ?? ""]).flatMap((each) => call.variation(each) ?? []);
      const rows = found.filter(({ team }) => call.reaches(team));
      if (rows.length === 0) call.required("Variation", found[0]);
      const affected = new Set(rows.map(({ snippet }) => snippet));
      const ids = rows.map(({ variation }) => variation.id);
      for (const snippet of affected)
        if (snippet.variations.every((each) => ids.includes(each.id)))
          throw new Refused(400, "last_variation", "A snippet must keep at least one variation");
      for (const snippet of affected) {
        snippet.variations = snippet.variations.filter((each) => !ids.includes(each.id));
        snippet.updated = call.now;
      }
      const message = ids.length === 1 ? "Variation deleted" : `${ids.length} variations deleted`;
      const metadata = { deletedVariationIds: ids, deletedCount: ids.length, affectedSnippets: affected.size };
      return { data: { message }, metadata, items: ids.length };
    };
  },
  getSnippetVariationHistory: (call) => {
    const id = call.sent.requiredId("Variation", "variationId");
    const limit = call.sent.integer("limit", 1, 100, 50);
    const [from = "0", to = "9"] = [call.sent.time("fromDate"), call.sent.time("toDate")];
    return () => {
      const { variation } = call.required("Variation", call.variation(id));
      const all = variation.versions.toReversed().filter(({ at }) => at >= from && at <= to);
      const data = all
        .slice(0, limit)
        .map(({ id: version, at, content }) => ({ id: version, changed_at: at, content }));
      return { data, metadata: { hasMore: data.length < all.length, totalRecords: all.length }, items: data.length };
    };
  },
  getSnippetVariations: (call) => {
    const id = call.sent.requiredId("Snippet", "snippetId", "id");
    return () => {
      const snippet = call.snippet(id);
      const variations = snippet.variations.map((each) => variationRecord(snippet, each));
      return { data: { variations }, items: variations.length };
    };
  },
  postSnippetVariations: (call) => {
    const id = call.sent.requiredId("Snippet", "snippetId", "id");
    return (body) => {
      const sent = body as Item[];
      if (sent.every((item) => item.refused)) throw sent[0]?.refused;
      const snippet = call.snippet(id);
      const add = ({ variationName, content }: Fields) => {
        if (snippet.variations.length >= 101)
          throw new Refused(400, "too_many_variations", "A snippet can have at most 101 variations");
        return variationRecord(snippet, addVariation(call, snippet, String(variationName), content as Content));
      };
      const { done: variations, errors, metadata, items } = call.each(sent, add, "createdCount");
      snippet.updated = call.now;
      return { data: { variations, errors }, metadata, items };
    };
  },
  putSnippetVariationsOrder: (call) => {
    const id = call.sent.requiredId("Snippet", "snippetId", "id");
    return (body) => {
      const snippet = call.snippet(id);
      const { variationIds } = body as { variationIds: string[] };
      const ordered = variationIds.flatMap((each) => snippet.variations.find((one) => one.id === each) ?? []);
      if (ordered.length !== variationIds.length || ordered.length !== snippet.variations.length)
        throw invalid("variationIds must contain all variations of the snippet");
      for (const [index, each] of ordered.entries()) each.index = index;
      snippet.variations = ordered;
      snippet.updated = call.now;
      return { data: { variations: ordered.map(placeOf) } };
    };
  },
  getMe: (call) => () => {
    const { id, name, workspace } = call.key;
    const teams = workspace.teams.filter((each) => call.reaches(each.id));
    const key = { id, name, scopes: null, expires_at: null };
    const limits = { requests_per_minute: call.perMinute, monthly_requests: workspace.allowance };
    return { data: { key, workspace: { id: workspace.id, name: workspace.name }, teams, ...limits } };
  },
  getTeams: (call) => () => {
    const { snippets, folders, tags } = call.library;
    const count = (all: readonly { team: string }[], team: string) => all.filter((each) => each.team === team).length;
    const teams = call.key.workspace.teams
      .filter(({ id }) => call.reaches(id))
      .map(({ id, name }) => ({
        id,
        name,
        snippet_count: count(snippets, id),
        folder_count: count(folders, id),
        tag_count: count(tags, id),
      }));
    return { data: { teams } };
  },
  getTree: (call) => {
    const teamId = call.sent.id("teamId");
    return () => {
      const teams = call.teams(teamId);
      const counted = (kind: Kind) =>
        kind
          .all(call)
          .filter(({ team }) => teams.includes(team))
          .sort(oldestFirst)
          .map((each) => ({ ...groupRecord(call, kind, each), snippet_count: inside(call, kind, each.id).length }));
      return { data: { folders: counted(folder), tags: counted(tag) }, metadata: { isTruncated: false } };
    };
  },
  getShortcut: (call) => {
    const shortcut = call.sent.text("shortcut", 100);
    if (shortcut === undefined) throw invalid("shortcut is required");
    const teamId = call.sent.id("teamId");
    return () => ({ data: detail(call, byShortcut(call, shortcut, call.teams(teamId))) });
  },
  getText: (call) => {
    const [id, shortcut] = [call.sent.id("id", "snippetId"), call.sent.text("shortcut", 100)];
    const [teamId, wanted] = [call.sent.id("teamId"), call.sent.text("variation", 100)];
    return () => {
      if (id !== undefined && shortcut !== undefined) throw invalid("send either id or shortcut, not both");
      if (id === undefined && shortcut === undefined) throw idIsRequired("Snippet");
      const teams = call.teams(teamId);
      const snippet = id === undefined ? byShortcut(call, shortcut ?? "", teams) : call.snippet(id);
      const { variations } = snippet;
      const chosen =
        wanted === undefined
          ? variations[0]
          : (variations.find((each) => each.id === sameId(wanted)) ?? variations.find(({ name }) => name === wanted));
      if (!chosen) throw new Refused(404, "variation_not_found", "Variation not found");
      if (teamId !== undefined && snippet.team !== teamId) call.required("Snippet", undefined);
      return { data: contentOf(chosen).content, version: chosen.versions.at(-1)?.id ?? "" };
    };
  },
  getTrash: (call) => {
    const teamId = call.sent.id("teamId");
    call.sent.integer("limit", 1, 100, 50);
    call.sent.cursor();
    return () => {
      call.cursor(JSON.stringify(["getTrash", teamId]));
      const teams = call.teams(teamId);
      const placeIn = ({ at, snippet }: Trashed) => `${at} ${snippet.id}`;
      const rows = trashOf(call)
        .filter(({ snippet }) => teams.includes(snippet.team))
        .sort((one, two) => (placeIn(one) < placeIn(two) ? 1 : -1));
      const { page, pagination } = call.page(
        "getTrash",
        teamId,
        rows,
        (row, after) => placeIn(row) < String(after),
        placeIn,
      );
      const snippets = page.map(({ snippet, at, by }) => ({
        ...listed(call, snippet),
        deleted_at: at,
        deleted_by: by,
      }));
      return { data: { snippets }, pagination, items: snippets.length };
    };
  },
  postSnippetsRestore: (call) => (body) => {
    const items = (body as { snippetIds: string[] }).snippetIds.map((id, index) => ({
      index,
      sentId: id,
      value: { id },
    }));
    const restored = call.each(items, ({ id }) => restore(call, String(id)), "restoredCount");
    const { done: restoredSnippets, errors, metadata } = restored;
    return { data: { restoredSnippets, errors }, metadata, items: restored.items };
  },
  getSearch: (call) => search(call),
};

/** The operations whose cost depends on what they return or change, and those of them that cost one more. */
const byItems = new Set(
  "getSnippets postSnippets deleteSnippets deleteSnippetVariation getSnippetVariationHistory getFolder getFolders postFolders putFolders deleteFolders getTag getTags postTags putTags deleteTags getSnippetVariations postSnippetVariations getSearch getTrash postSnippetsRestore".split(
    " ",
  ),
);
const onePlusItems = new Set(["getFolder", "getTag", "getSearch", "getTrash"]);
export const operationNames: readonly string[] = Object.keys(operations);

function byShortcut(call: Call, shortcut: string, teams: readonly string[]): Snippet {
  const found = teams.flatMap((team) => {
    const own = call.library.snippets.filter(
      (each) => each.team === team && each.shortcut === shortcut && !each.isArchived,
    );
    return own
      .sort((one, two) => (one.updated === two.updated ? oldestFirst(two, one) : one.updated < two.updated ? 1 : -1))
      .slice(0, 1);
  });
  if (found.length > 1)
    throw new Refused(409, "shortcut_ambiguous", "Several teams have a snippet with this shortcut: add a teamId", {
      teamIds: found.map(({ team }) => team),
    });
  return call.required("Snippet", found[0]);
}

const trashOf = ({ library, now }: Call): Trashed[] =>
  library.trash.filter(({ at }) => at > toIso(Date.parse(now) - trashDays * day));
function restore(call: Call, id: string) {
  const trashed = trashOf(call).find(({ snippet }) => snippet.id === id);
  const snippet = call.required("Snippet", trashed?.snippet);
  call.library.trash = call.library.trash.filter((each) => each !== trashed);
  snippet.folder = find(call, folder, snippet.folder)?.id ?? null;
  snippet.tags = snippet.tags.filter((each) => find(call, tag, each));
  call.library.snippets.push(snippet);
  return { snippetId: id };
}

const sorts = ["relevance", "updated", "created", "title"];
const searchedFields = ["title", "shortcut", "tags", "note", "content"];
function search(call: Call): (body: unknown) => Result {
  const { sent, library } = call;
  const query = sent.text("query", 500);
  const [teamId, folderId, isInside, tagIds] = [
    sent.id("teamId"),
    sent.id("folderId"),
    sent.flag("inside"),
    sent.ids("tagIds") ?? [],
  ];
  const [contentType, createdBy, isArchived] = [
    sent.text("contentType", 50),
    sent.id("createdBy"),
    sent.flag("isArchived"),
  ];
  const [updatedSince = "0", createdSince = "0"] = [sent.time("updatedSince"), sent.time("createdSince")];
  const [sort, fields] = [sent.word("sort", sorts), sent.words("in", searchedFields) ?? searchedFields];
  sent.integer("limit", 1, 100, 50);
  sent.cursor();
  return () => {
    if (query !== undefined && piecesOf(query).length === 0) throw invalid("query must have something to search for");
    if (sort === "relevance" && query === undefined) throw invalid("sort can be relevance only with a query");
    const order = sort ?? (query === undefined ? "updated" : "relevance");
    const parameters = [
      query,
      teamId,
      folderId,
      isInside && folderId !== undefined,
      tagIds.toSorted(),
      contentType,
      createdBy,
      isArchived,
      updatedSince,
      createdSince,
      order,
      fields.toSorted(),
    ];
    const after = call.cursor(JSON.stringify(["getSearch", parameters]))?.after as { total: number } | undefined;
    if (teamId !== undefined) call.team(teamId);
    const isSearched = (team: string | undefined) =>
      team !== undefined && (teamId === undefined ? call.reaches(team) : team === teamId);
    if (folderId !== undefined && !isSearched(find(call, folder, folderId)?.team))
      throw invalid("folderId must be a folder of the teams searched");
    if (!tagIds.every((id) => isSearched(find(call, tag, id)?.team)))
      throw invalid("tagIds must be tags of the teams searched");
    const isIn = (id: string | null): boolean =>
      id === folderId || (isInside && id !== null && isIn(find(call, folder, id)?.parent ?? null));
    const passes = (each: Snippet) =>
      isSearched(each.team) &&
      (folderId === undefined || (each.folder !== null && isIn(each.folder))) &&
      tagIds.every((id) => each.tags.includes(id)) &&
      (contentType === undefined || contentOf(each.variations[0]).type === contentType) &&
      (createdBy === undefined || each.by === createdBy) &&
      each.isArchived === isArchived &&
      each.updated >= updatedSince &&
      each.created >= createdSince;
    const asked: OracleQuery = {
      ...(query !== undefined && { query }),
      sort: order as NonNullable<OracleQuery["sort"]>,
      in: fields,
      passes: () => true,
    };
    const ranks = ranksByOracle(
      library.snippets.filter(passes).map((each) => forOracle(call, each)),
      asked,
    );
    const total = after?.total ?? ranks.length;
    const isAfter = (rank: OracleRank, last: unknown) =>
      compareByOracle(asked, (last as { rank: OracleRank }).rank, rank) < 0;
    const { page, pagination } = call.page("getSearch", parameters, ranks, isAfter, (rank) => ({ total, rank }));
    const snippets = page.map(({ id }) => {
      const snippet = call.snippet(id);
      return {
        ...listed(call, snippet),
        tag_ids: snippet.tags.toSorted(),
        matches: matchesIn(call, snippet, fields, query),
      };
    });
    return { data: { snippets }, metadata: { totalCount: total }, pagination, items: snippets.length };
  };
}
const textsOf = (call: Call, one: Snippet): Record<string, string[]> => ({
  ...{ title: [one.title], shortcut: [one.shortcut ?? ""], note: [one.note ?? ""] },
  ...{
    tags: one.tags.map((id) => find(call, tag, id)?.name ?? ""),
    content: one.variations.map((each) => contentOf(each).content),
  },
});
function forOracle(call: Call, one: Snippet): OracleSnippet {
  const { tags = [], content = [] } = textsOf(call, one);
  const places = {
    teamId: one.team,
    folderId: one.folder,
    type: contentOf(one.variations[0]).type,
    isArchived: one.isArchived,
  };
  const { id, title, shortcut, note, created: createdAt, updated: updatedAt } = one;
  return {
    id,
    title,
    shortcut,
    note,
    contents: content,
    tagNames: tags,
    tagIds: one.tags,
    ...places,
    createdAt,
    updatedAt,
  };
}
/** Which matches are shown is open; each is a piece of the text of a searched field. */
function matchesIn(call: Call, snippet: Snippet, fields: readonly string[], query: string | undefined): Open | [] {
  const texts = textsOf(call, snippet);
  const isShown = (match: { field: string; before: string; match: string; after: string }) =>
    fields.includes(match.field) &&
    match.match !== "" &&
    texts[match.field]?.some((text) => text.includes(match.before + match.match + match.after));
  const isWanted = query !== undefined && piecesOf(query).some((piece) => !piece.isExcluded);
  return isWanted
    ? (value) => Array.isArray(value) && value.length >= 1 && value.length <= 3 && value.every(isShown)
    : [];
}
