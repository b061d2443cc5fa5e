// How changes are stored: a row has changes of one team, and those of one kind, action, and snippet that follow each other share an entry,
// because batches are many.
import type { ChangeRecord } from "../../contract/changes.ts";
import type { ChangesRow, NewChanges } from "./feed.store.ts";
import type { NotedChange } from "./noted.ts";

/** A row is read as a whole. */
const rowChangesMax = 200;

/** Kind, action, the snippet of variations, and IDs. */
type PackedEntry = [NotedChange["kind"], NotedChange["action"], string | null, string[]];

/** The rows of a transaction's changes. Those of a team stay in their order. */
export function rowsOf(changes: readonly NotedChange[]): NewChanges[] {
  const [first] = changes;
  // Most transactions change one thing, which needs no grouping.
  if (first && changes.length === 1) return [{ teamId: first.teamId, entries: JSON.stringify([entryOf(first)]) }];
  const rows: NewChanges[] = [];
  for (const [teamId, noted] of Map.groupBy(changes, (change) => change.teamId))
    for (let at = 0; at < noted.length; at += rowChangesMax)
      rows.push({ teamId, entries: JSON.stringify(pack(noted.slice(at, at + rowChangesMax))) });
  return rows;
}

function pack(changes: readonly NotedChange[]): PackedEntry[] {
  const entries: PackedEntry[] = [];
  for (const change of changes) {
    const { kind, action, id, snippetId = null } = change;
    const last = entries.at(-1);
    if (last && last[0] === kind && last[1] === action && last[2] === snippetId) last[3].push(id);
    else entries.push(entryOf(change));
  }
  return entries;
}

const entryOf = ({ kind, action, id, snippetId }: NotedChange): PackedEntry => [kind, action, snippetId ?? null, [id]];

/** The changes of a row, in their order. */
export const changesOf = ({ team_id, at, entries }: ChangesRow): ChangeRecord[] =>
  // The service wrote them.
  (JSON.parse(entries) as PackedEntry[]).flatMap(([kind, action, snippet_id, ids]) =>
    ids.map((id) => ({ kind, action, id, snippet_id, team_id, at })),
  );
