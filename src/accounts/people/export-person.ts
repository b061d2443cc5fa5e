// Everything that is stored about a person, as one JSON document, without secrets:
// {"format","version","schema_version","exported_at","tables":{…}}. Each table has its rows as they are stored.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { schemaVersion } from "../../platform/database/migrate.ts";
import type { Table } from "../../platform/database/schema.ts";
import { type Row, toKind } from "../../platform/database/table-reader.ts";
import { withoutAddressOfOthers } from "../audit/audit.ts";
import { listPersonalRows, personalTables } from "./export-person.store.ts";
import { findPerson } from "./people.store.ts";

const version = 1;
/** Rows of one read. */
const rowsAtOnce = 200;

/** Secrets, their hashes, and what is of no use without them. The text of an email may have a link that signs in. */
const isSecret = (table: string, column: string): boolean =>
  /(^|_)(hash|salt|password|secret|public_key|backup_codes)$/.test(column) ||
  (table === "person_sessions" && column === "token") ||
  (table === "mails" && column === "body");

type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** @param read reads in one transaction, or in one for each portion. @throws Refusal `not_found` */
export async function* exportPerson(read: Read, personId: string): AsyncGenerator<string> {
  const { person, now } = await read(async (transaction) => ({
    person: await findPerson(transaction, personId),
    now: transaction.now,
  }));
  if (!person) throw consoleErrors.notFound("person");
  const head = { format: "commonplace-person", version, schema_version: schemaVersion, exported_at: now };
  yield `${JSON.stringify(head).slice(0, -1)},"tables":{`;
  let isFirstTable = true;
  for (const personal of personalTables()) {
    const { table } = personal;
    yield `${isFirstTable ? "" : ","}\n${JSON.stringify(table.name)}:[`;
    isFirstTable = false;
    let after: Row | undefined;
    let rows: Row[];
    do {
      const last = after;
      rows = await read((transaction) =>
        listPersonalRows(transaction, personal, personal.where(person), last, rowsAtOnce),
      );
      if (rows.length > 0)
        yield `${last ? "," : ""}${rows.map((row) => JSON.stringify(shown(table, row, personId))).join(",")}`;
      after = rows.at(-1);
    } while (rows.length === rowsAtOnce);
    yield "]";
  }
  yield "}}\n";
}

function shown({ name: table, columns }: Table, row: Row, personId: string): Record<string, unknown> {
  const fields = Object.fromEntries(
    columns
      .filter(({ name }) => !isSecret(table, name))
      .map(({ name, kind }) => [name, toKind(kind, row[name] ?? null)]),
  );
  if (table !== "audit_log") return fields;
  const { actor_kind, actor_id, client_address = null } = fields;
  return withoutAddressOfOthers({ ...fields, actor_kind, actor_id, client_address }, personId);
}
