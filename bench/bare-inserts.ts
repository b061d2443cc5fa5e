// The baseline of a batch on SQLite: prepared statements insert the rows of one POST /snippets, three for each snippet, with its charge and
// ledger row in one durable transaction, and do nothing else. Only the transactions are timed, not the creation of the rows.
// Arguments: database, seconds, snippets to fill a new database with, length of a text for texts of another length than the sample's.
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { bareTables, sqliteTypes } from "./bare-tables.ts";
import { batchSize, sampleOfLength, sampleSnippet } from "./sample.ts";

const [, , path = "", seconds, filled, contentBytes] = process.argv;
const isNew = !existsSync(path);
const connection = new Database(path, { create: true, strict: true });
for (const pragma of ["journal_mode = wal", "synchronous = full", "foreign_keys = on", "cache_size = -32768"])
  connection.run(`pragma ${pragma}`);

const [workspace, team, key, month] = [
  "018f0000-0000-7000-8000-000000000001",
  "018f0000-0000-7000-8000-000000000002",
  "018f0000-0000-7000-8000-000000000003",
  "2026-01",
];
if (isNew) {
  for (const statement of bareTables(sqliteTypes)) connection.run(statement);
  connection.run("insert into workspaces values (?, 'active')", [workspace]);
  connection.run("insert into teams values (?, ?)", [workspace, team]);
  connection.run("insert into quota_months values (?, ?, 1000000000000)", [workspace, month]);
}

const insert = (table: string, columns: string) =>
  connection.prepare(`insert into ${table} (${columns}) values (${columns.replace(/\w+/g, "?")})`);
const snippets = insert(
  "snippets",
  "workspace_id, id, team_id, folder_id, title, snippet_note, shortcut, is_archived, created_by, created_at, updated_at",
);
const variations = insert(
  "variations",
  "workspace_id, snippet_id, name, variant_order_index, id, version_id, created_at, updated_at",
);
const versions = insert("variation_versions", "workspace_id, id, variation_id, content_type, content, changed_at");
const ledger = insert(
  "ledger",
  "workspace_id, id, key_id, key_call, operation, status, units, balance_after, admitted_at",
);
const charge = connection.prepare(
  "update quota_months set balance = balance - ? where workspace_id = ? and month = ? returning balance",
);

/** Made before the clock starts. */
const samples = Array.from({ length: batchSize }, (_, index) =>
  contentBytes ? sampleOfLength(index, team, Number(contentBytes)) : sampleSnippet(index, team),
);

function makeRows() {
  const now = new Date().toISOString();
  const rows = samples.map(({ title, note, shortcut, content }) => {
    const [id, variation, version] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    return {
      snippet: [workspace, id, team, null, title, note, shortcut, 0, key, now, now],
      variation: [workspace, id, "Default", 0, variation, version, now, now],
      version: [workspace, version, variation, content.type, content.content, now],
    };
  });
  return { rows, entry: [workspace, Bun.randomUUIDv7(), key, 0, "postSnippets", 200, batchSize, 0, now] };
}

/** @returns the milliseconds of the transaction */
function insertBatch(): number {
  const { rows, entry } = makeRows();
  const startedAt = performance.now();
  connection.run("begin immediate");
  for (const { snippet } of rows) snippets.run(...snippet);
  for (const { variation } of rows) variations.run(...variation);
  for (const { version } of rows) versions.run(...version);
  charge.get(batchSize, workspace, month);
  ledger.run(...entry);
  connection.run("commit");
  return performance.now() - startedAt;
}

if (isNew) for (let count = 0; count < Number(filled); count += batchSize) insertBatch();
let elapsedMilliseconds = 0;
let batches = 0;
while (elapsedMilliseconds < Number(seconds) * 1_000) {
  elapsedMilliseconds += insertBatch();
  batches += 1;
}
connection.close();
console.log(JSON.stringify({ perSecond: (batches / elapsedMilliseconds) * 1_000 }));
