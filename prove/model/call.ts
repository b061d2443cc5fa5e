// The reference model: what operations have in common.
import { attempt, invalid, isString, object, ofSameRequest, Refused, refuse, sameId } from "./input.ts";
import { capital, type Fields, type Noun } from "./state.ts";

/** What an operation does with its query and its body, which have been read by its tables. It returns `data` and more: see `Model`. */
type Does = (call: Call, query: Fields, body: Fields) => Fields;
/** The table of its parameters, and after a `|` the one of its body. */
export const operation = (table: string, does: Does) => ({ table, does });
export type Operations = Readonly<Record<string, ReturnType<typeof operation>>>;

/** A snippet has its variations, which have their versions, oldest first. */
type Library = Record<Noun | "team" | "trash" | "changes", Fields[]>;
/** What can be found by an ID. */
type Kind = Noun | "variation" | "team";
export type Workspace = ReturnType<Call["addWorkspace"]>;
export type Key = ReturnType<Call["addKey"]>;

/** The request that is being carried out, and what it finds. */
export class Call {
  declare key: Key;
  declare library: Library;
  now = "";
  changes: Fields[] = [];
  readonly cursors: Fields[] = [];
  #ids = 0;
  constructor(readonly perMinute: number) {}

  /** IDs are in the order in which they are made, as the service's are. */
  newId = (): string => `~${String(++this.#ids).padStart(6, "0")}`;
  newRow = () => ({ id: this.newId(), created_at: this.now, updated_at: this.now });
  addWorkspace(name: string, teams: readonly string[], allowance: number) {
    const library: Library = { team: [], snippet: [], folder: [], tag: [], trash: [], changes: [] };
    const workspace = { id: this.newId(), name, allowance, month: "", balance: 0, library };
    library.team = teams.map((each) => ({ id: this.newId(), name: each }));
    return workspace;
  }
  /** A key has the times at which its requests of the last minute were admitted, and what was answered to those with an `Idempotency-Key`. */
  addKey(workspace: Workspace, name: string, teams?: readonly string[]) {
    return { id: this.newId(), name, workspace, teams, admitted: [] as number[], kept: [] as Fields[] };
  }
  age = (time: string) => Date.parse(this.now) - Date.parse(time);
  /** Notes a change for the feed. */
  note = (kind: string, action: string, { id, team_id, snippet_id = null }: Fields) =>
    this.changes.push({ kind, action, id, snippet_id, team_id, at: this.now });

  /** @throws Refused if fewer units are left */
  requireUnits(requiredRequests: number): void {
    const remainingRequests = this.key.workspace.balance;
    if (requiredRequests <= remainingRequests) return;
    const message = `Insufficient API requests: ${requiredRequests} required, ${remainingRequests} remaining`;
    throw refuse(403, "quota_exceeded", message, { usage: { requiredRequests, remainingRequests } });
  }

  reaches = (team: string): boolean => this.key.teams?.includes(team) ?? true;
  /** What was found, if the key may touch it. @throws Refused 404, then 403 */
  reachable(noun: string, found: Fields | undefined): Fields {
    if (!found) throw refuse(404, `${noun}_not_found`, `${capital(noun)} not found`);
    if (this.reaches(found.team_id ?? found.id)) return found;
    throw refuse(403, "team_forbidden", "API key does not have access to this team");
  }
  peek = (noun: Kind, id: unknown): Fields | undefined => {
    const variation = this.library.snippet.flatMap(({ variations }) => variations);
    return { ...this.library, variation }[noun].find((row) => row.id === id);
  };
  find = (noun: Kind, id: unknown) => this.reachable(noun, this.peek(noun, id));
  /** The teams that a list is about: the one that is named, or all that the key reaches. */
  teams = (named?: string): string[] =>
    named === undefined ? this.library.team.map(({ id }) => id).filter(this.reaches) : [this.find("team", named).id];
  /** Those of a list of IDs that are there and may be touched, in its order, and the five counts. */
  among(noun: Kind, ids: readonly string[]) {
    const found = ids.flatMap((id) => this.peek(noun, id) ?? []);
    const rows = found.filter(({ team_id }) => this.reaches(team_id));
    const [requestedCount, foundCount, accessibleCount] = [ids.length, found.length, rows.length];
    const [inaccessibleCount, missingCount] = [foundCount - accessibleCount, requestedCount - foundCount];
    return { found, rows, counts: { requestedCount, foundCount, accessibleCount, inaccessibleCount, missingCount } };
  }
  /** Items that succeed or fail on their own. Fails as the first one does if all fail. */
  each(items: Fields[], table: string, done: string, list: string, decide: (item: Fields) => unknown) {
    const ids = items.map((item) => (isString(item?.id) ? item.id : undefined));
    const outcomes = items.map((item, index) =>
      attempt(() => {
        const read = object(table)(item, "The item");
        if (!read.id || ids.map(sameId).indexOf(read.id) === index) return decide(read);
        throw invalid("id must not appear twice in one request");
      }),
    );
    const rows = outcomes.filter((outcome) => !(outcome instanceof Refused));
    if (rows.length === 0) throw outcomes[0];
    const errorOf = (outcome: unknown, index: number) =>
      outcome instanceof Refused ? { index, id: ids[index], message: outcome.message, error: outcome.body.error } : [];
    const errors = outcomes.flatMap(errorOf);
    const metadata = { requestedCount: items.length, [`${done}Count`]: rows.length, failedCount: errors.length };
    return { data: { [list]: rows, errors }, metadata, cost: rows.length };
  }

  /** Where a page begins, and which records its teams have. A cursor is bound to its list: to the other parameters, as they are understood. */
  start({ limit, cursor, ...parameters }: Fields, phrase = `cursor must ${ofSameRequest("nextCursor")}`) {
    const list = JSON.stringify(parameters, (_, value) => (Array.isArray(value) ? value.toSorted() : value));
    const after = this.cursors.find((_, index) => cursor === `~cursor${index}`);
    if (cursor !== undefined && after?.list !== list) throw invalid(phrase);
    const teams = this.teams(parameters.teamId);
    return { limit, list, after, has: (row: Fields | undefined) => teams.includes(row?.team_id) };
  }
  /** One page of rows that `compare` puts in order. */
  page<Row extends object>({ limit, list, after }: Fields, rows: Row[], compare: (one: Row, two: Row) => number) {
    const left = rows.filter((row) => !after || compare(after.last, row) < 0).sort(compare);
    const total = after?.total ?? rows.length;
    const last = { ...left[limit - 1] };
    const nextCursor = left.length > limit ? this.newCursor({ list, last, total }) : null;
    return { rows: left.slice(0, limit), total, pagination: { limit, nextCursor } };
  }
  /** A cursor, and what the model has to know for it. */
  newCursor = (known: Fields): string => `~cursor${this.cursors.push(known) - 1}`;
}
