// A request that the reference model carries out: what is the same in many operations.
import { cursorInvalid, type Fields, type Item, type Parameters, Refused } from "./input.ts";
import type { Key, Library, Snippet, Variation } from "./state.ts";

export interface Result {
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly pagination?: unknown;
  /** What the cost is counted from; a plain 1 without it. */
  readonly items?: number;
  /** Of a text that is answered alone: the ID of its version. */
  readonly version?: string;
}
/** Where a page begins: after this position in this list. */
export interface Cursor {
  readonly list: string;
  readonly after: unknown;
}
/** Reads the parameters; what it returns reads the body and carries the request out. */
export type Operation = (call: Call) => (body: unknown) => Result;

/** A request that is being carried out. */
export class Call {
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

export const updatedFields = (body: Fields) => ({
  fieldsUpdated: Object.fromEntries(Object.keys(body).map((name) => [name, true])),
});
export const deletedCounts = (requestedCount: number, deletedCount: number) => ({
  ...{ requestedCount, deletedCount, inaccessibleCount: requestedCount - deletedCount, accessibleCount: deletedCount },
});
