// The reference model: what many operations have in common.
import { cursorInvalid, type Item, Refused } from "./input.ts";
import { capital, type Fields, type Key, type Library, type Noun, type Row } from "./state.ts";

export interface Result {
  readonly data: unknown;
  /** Of operations whose cost depends on what they return or change; a plain 1 without it. */
  readonly cost?: number;
  /** Of a text that is answered alone: the ID of its version. */
  readonly version?: string;
  readonly [more: string]: unknown;
}
export type Operations = Readonly<Record<string, (call: Call, query: Fields, body: Fields) => Result>>;
/** Where a page begins: after this row of this list. */
export interface Cursor {
  readonly list: string;
  readonly last: unknown;
  readonly total: number;
}

export class Call {
  readonly library: Library;
  readonly #noted: Row[] = [];
  constructor(
    readonly operation: string,
    readonly key: Key,
    readonly query: Fields,
    readonly now: string,
    readonly newId: () => string,
    readonly cursors: Map<string, Cursor>,
  ) {
    this.library = key.workspace.library;
  }
  newRow = () => ({ id: this.newId(), created_at: this.now, updated_at: this.now });
  newOwned = (team_id: string) => ({ ...this.newRow(), team_id, workspace_id: this.key.workspace.id });
  /** A change, as the feed shows it: those of one request are together by team. */
  note(
    kind: string,
    action: string,
    { id, team_id }: { id: string; team_id: string },
    snippet_id: string | null = null,
  ): void {
    const change = { kind, action, id, snippet_id, team_id, at: this.now };
    const { changes } = this.library;
    const before = this.#noted.findLast((each) => each.team_id === team_id);
    changes.splice(before ? changes.indexOf(before) + 1 : changes.length, 0, change);
    this.#noted.push(change);
  }
  reaches = (team: string): boolean => this.key.teams?.includes(team) ?? true;

  /** What was found, if the key may touch it. @throws Refused 404, then 403 */
  reachable(noun: string, found: Row | undefined): Row {
    if (!found) throw new Refused(404, `${noun}_not_found`, `${capital(noun)} not found`);
    if (this.reaches(found.team_id)) return found;
    throw new Refused(403, "team_forbidden", "API key does not have access to this team");
  }
  peek = (noun: Noun, id: unknown): Row | undefined => this.library[noun].find((each) => each.id === id);
  find = (noun: Noun, id: unknown): Row => this.reachable(noun, this.peek(noun, id));
  team(id: string): void {
    const isThere = this.key.workspace.teams.some((team) => team.id === id);
    this.reachable("team", isThere ? { id, team_id: id } : undefined);
  }
  /** The teams that a list is about. */
  teams(named: string | undefined): string[] {
    if (named !== undefined) this.team(named);
    const isIn = (id: string) => (named === undefined ? this.reaches(id) : id === named);
    return this.key.workspace.teams.map(({ id }) => id).filter(isIn);
  }
  /** A variation and its snippet. */
  variation(id: string): Row | undefined {
    const of = (snippet: Row) => snippet.variations.map((each: Row) => ({ ...snippet, snippet, variation: each }));
    return this.library.snippet.flatMap(of).find(({ variation }) => variation.id === id);
  }
  /** Those of a list of IDs that are there and may be touched, in its order, and the five counts. */
  among(noun: Noun, ids: readonly string[]) {
    const found = ids.map((id) => this.peek(noun, id)).filter((each) => each !== undefined);
    const rows = found.filter(({ team_id }) => this.reaches(team_id));
    const [requestedCount, foundCount, accessibleCount] = [ids.length, found.length, rows.length];
    const [inaccessibleCount, missingCount] = [foundCount - accessibleCount, requestedCount - foundCount];
    return { rows, counts: { requestedCount, foundCount, accessibleCount, inaccessibleCount, missingCount } };
  }
  rows(noun: Noun, ids: readonly string[], shown: (rows: Row[]) => unknown): Result {
    const { rows, counts } = this.among(noun, ids);
    return { data: shown(rows), metadata: counts, cost: rows.length };
  }
  /** Items that succeed or fail on their own. Fails as the first one does if all fail. */
  each(items: readonly Item[], counted: string, listed: string, decide: (value: Fields) => unknown) {
    const [done, errors, refusals]: [unknown[], Fields[], Refused[]] = [[], [], []];
    for (const { value, refused, ...known } of items)
      try {
        if (!value) throw refused;
        done.push(decide(value));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        errors.push({ ...known, message: error.message });
        refusals.push(error);
      }
    if (done.length === 0 && refusals.length > 0) throw refusals[0];
    const metadata = { requestedCount: items.length, [counted]: done.length, failedCount: errors.length };
    return { data: { [listed]: done, errors }, metadata, cost: done.length };
  }
  /** Where the page begins that is asked for. @param parameters what the cursor is bound to */
  start(...parameters: unknown[]): { readonly list: string; readonly after?: Cursor } {
    const list = JSON.stringify([this.operation, parameters]);
    const { cursor } = this.query;
    const after = this.cursors.get(cursor);
    if (cursor !== undefined && after?.list !== list) throw cursorInvalid();
    return { list, ...(after && { after }) };
  }
  /** One page of rows that `compare` has put in order. */
  page<Row>({ list, after }: ReturnType<Call["start"]>, rows: Row[], compare: (one: Row, two: Row) => number) {
    const left = rows.filter((row) => !after || compare(after.last as Row, row) < 0).sort(compare);
    const [{ limit }, total] = [this.query, after?.total ?? rows.length];
    const nextCursor = left.length > limit ? `~cursor${this.cursors.size}` : null;
    if (nextCursor !== null) this.cursors.set(nextCursor, { list, last: structuredClone(left[limit - 1]), total });
    return { rows: left.slice(0, limit), total, pagination: { limit, nextCursor } };
  }
}

// Records, as responses show them.
export const contentOf = (variation: Fields) => variation.versions.at(-1).content;
export const listed = ({ created_by: _, tag_ids: __, variations, ...shown }: Row) => ({
  ...shown,
  content: contentOf(variations[0]),
});
/** The fields of a body as records name them. */
const nameOf = (field: string): string =>
  field === "note" ? "snippet_note" : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const named = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).map(([field, value]) => [nameOf(field), value]));
const order = (one: string, two: string): number => (one < two ? -1 : one > two ? 1 : 0);
export const newestFirst = (time: string) => (one: Row, two: Row) =>
  order(`${two[time]} ${two.id}`, `${one[time]} ${one.id}`);
export const updatedFields = (body: Fields) => ({
  fieldsUpdated: Object.fromEntries(Object.keys(body).map((name) => [name, true])),
});
