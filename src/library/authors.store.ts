// Who wrote something: a person or an API key. Their names stay known when a key is deleted or a person leaves.
import type { Transaction } from "../platform/database/database.ts";
import { list, sql } from "../platform/database/sql.ts";

export interface Author {
  readonly kind: "person" | "key";
  readonly id: string;
  readonly name: string | null;
}

/** Stored as the author of what the operator's commands write. */
export const operatorId = "00000000-0000-0000-0000-000000000000";

const operator: Author = { kind: "person", id: operatorId, name: "Operator" };

/** Finds the authors with these ids, and returns a function that gives each of them. */
export async function findAuthors(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<(id: string) => Author> {
  const unique = [...new Set(ids)];
  const rows =
    unique.length === 0
      ? []
      : await transaction.all<Author>(
          sql`select 'person' as kind, id, name from people where id in ${list(unique)}
              union all
              select 'key' as kind, id, name from api_keys where workspace_id = ${workspaceId} and id in ${list(unique)}`,
        );
  const byId = new Map([operator, ...rows].map(({ kind, id, name }) => [id, { kind, id, name }]));
  return (id) => byId.get(id) ?? { kind: "key", id, name: null };
}
