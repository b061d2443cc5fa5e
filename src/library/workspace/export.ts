// Everything in a workspace or a team as JSON Lines. The first line names the form and the version of the tables; each further line has the
// name of a table and one of its rows, as it is stored: {"table":"snippets","row":{…}}. Two further kinds are "workspace" and "person". The
// last line, {"end":true,"rows":…}, shows that nothing is missing.
import { findKeptTeam } from "../../accounts/workspaces/teams.store.ts";
import { findWorkspace } from "../../accounts/workspaces/workspaces.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { schemaVersion } from "../../platform/database/migrate.ts";
import type { Table } from "../../platform/database/schema.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { type Row, toKind } from "../../platform/database/table-reader.ts";
import { allRows, listPeopleOf, listRows, workspaceTables } from "./rows.store.ts";
import { listMembersOfTeam, ofTeam } from "./team-rows.store.ts";

const version = 1;

/** What is derived from other rows, or of no use outside of the service. */
const omittedTables: ReadonlySet<string> = new Set([
  "search_pending",
  "search_segments",
  "search_blocks",
  "library_changes",
  "kept_outcomes",
  "quota_warnings",
  "key_warnings",
  "refusal_alerts",
]);
/** Hashes of secrets, and secrets that only this instance can read. */
const isOmittedColumn = (name: string): boolean => /_(hash|sealed)$/.test(name);

/** Rows of one read. */
const rowsAtOnce = 100;

/** Reads in one transaction, or in one for each portion. */
export type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** @returns the lines in portions, each with line ends; nothing for an unknown workspace */
export async function* exportWorkspace(read: Read, workspaceId: string): AsyncGenerator<string> {
  const { workspace, people, now } = await read(async (transaction) => ({
    workspace: await findWorkspace(transaction, workspaceId),
    people: await listPeopleOf(transaction, workspaceId),
    now: transaction.now,
  }));
  if (!workspace) return;
  yield linesOf([{ format: "commonplace-workspace", version, schema_version: schemaVersion, exported_at: now }]);
  const head = [{ table: "workspace", row: workspace }, ...people.map((row) => ({ table: "person", row }))];
  yield* exportRows(read, workspaceId, head, () => allRows);
}

/** The same for what belongs to one team, deleted or not. */
export async function* exportTeam(read: Read, workspaceId: string, teamId: string): AsyncGenerator<string> {
  const { team, people, now } = await read(async (transaction) => ({
    team: await findKeptTeam(transaction, workspaceId, teamId),
    people: await listMembersOfTeam(transaction, workspaceId, teamId),
    now: transaction.now,
  }));
  if (!team) return;
  yield linesOf([{ format: "commonplace-team", version, schema_version: schemaVersion, exported_at: now }]);
  const head = people.map((row) => ({ table: "person", row }));
  yield* exportRows(read, workspaceId, head, (table) => ofTeam(table, teamId));
}

/** @param whereOf which rows of a table; none where undefined */
async function* exportRows(
  read: Read,
  workspaceId: string,
  head: readonly object[],
  whereOf: (table: Table) => Sql | undefined,
): AsyncGenerator<string> {
  if (head.length > 0) yield linesOf(head);
  let rows = head.length;
  for (const table of workspaceTables().filter(({ name }) => !omittedTables.has(name))) {
    const where = whereOf(table);
    if (!where) continue;
    let after: Row | undefined;
    do {
      const last = after;
      const portion: Row[] = await read((transaction) =>
        listRows(transaction, table, workspaceId, last, rowsAtOnce, where),
      );
      if (portion.length > 0) yield linesOf(portion.map((row) => ({ table: table.name, row: exported(table, row) })));
      rows += portion.length;
      after = portion.length === rowsAtOnce ? portion.at(-1) : undefined;
    } while (after);
  }
  yield linesOf([{ end: true, rows }]);
}

const linesOf = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const exported = ({ columns }: Table, row: Row): Record<string, unknown> =>
  Object.fromEntries(
    columns
      .filter(({ name }) => !isOmittedColumn(name))
      .map(({ name, kind }) => [name, toKind(kind, row[name] ?? null)]),
  );

/** The portions as a stream. A client that leaves ends it. @param onFailure receives what broke it off, so that nobody takes it for complete */
export function streamLines(portions: AsyncGenerator<string>, onFailure: (cause: unknown) => void) {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await portions.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (cause) {
          onFailure(cause);
          controller.error(cause);
        }
      },
      cancel: async () => {
        await portions.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
