// How changes are stored: changes of one kind, action, team, and snippet that follow each other share an entry, because batches are many.
import type { ChangeRecord } from "../../contract/changes.ts";
import type { ChangesRow } from "./feed.store.ts";
import type { NotedChange } from "./noted.ts";

/** Kind, action, team, the snippet of variations, and IDs. */
export type PackedEntry = [NotedChange["kind"], NotedChange["action"], string, string | null, string[]];

export function entriesOf(changes: readonly NotedChange[]): PackedEntry[] {
  const entries: PackedEntry[] = [];
  for (const { kind, action, id, teamId, snippetId = null } of changes) {
    const last = entries.at(-1);
    if (last && last[0] === kind && last[1] === action && last[2] === teamId && last[3] === snippetId) last[4].push(id);
    else entries.push([kind, action, teamId, snippetId, [id]]);
  }
  return entries;
}

/** The changes of a row, in their order. */
export const changesOf = ({ at, entries }: ChangesRow): ChangeRecord[] =>
  // The service wrote them.
  (JSON.parse(entries) as PackedEntry[]).flatMap(([kind, action, team_id, snippet_id, ids]) =>
    ids.map((id) => ({ kind, action, id, snippet_id, team_id, at })),
  );
