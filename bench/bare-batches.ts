// The baseline of a batch on PostgreSQL: three inserts of a hundred rows, the charge and the ledger's row in one transaction, sent together.
// Arguments: URL, connections, seconds.
import { SQL } from "bun";
import { bareMonth, kinds } from "./bare-postgres.ts";
import { batchSize, sampleSnippet } from "./sample.ts";

const [, , url = "", connections, seconds] = process.argv;
const idOfFirst = (kind: keyof typeof kinds) => `${kinds[kind]}8f0000-0000-7000-8000-000000000000`;
const [workspace, team, key] = [idOfFirst("workspace"), idOfFirst("team"), idOfFirst("key")];
const insert = (table: string) =>
  `insert into ${table} select * from json_populate_recordset(null::${table}, $1::text::json)`;

function makeRows() {
  const now = new Date().toISOString();
  const times = { created_at: now, updated_at: now };
  const rows = Array.from({ length: batchSize }, (_, index) => {
    const { title, note, shortcut, content } = sampleSnippet(index, team);
    const [id, variation, version] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    const own = { workspace_id: workspace };
    return {
      snippet: {
        ...{ ...own, id, team_id: team, folder_id: null, title, snippet_note: note, shortcut, is_archived: false },
        ...{ created_by: key, ...times },
      },
      variation: {
        ...{ ...own, id: variation, snippet_id: id, name: "Default", variant_order_index: 0, version_id: version },
        ...times,
      },
      version: {
        ...{ ...own, id: version, variation_id: variation, content_type: content.type, content: content.content },
        changed_at: now,
      },
    };
  });
  return {
    snippets: JSON.stringify(rows.map(({ snippet }) => snippet)),
    variations: JSON.stringify(rows.map(({ variation }) => variation)),
    versions: JSON.stringify(rows.map(({ version }) => version)),
  };
}

const pool = new SQL(url, { max: Number(connections) });
let batches = 0;
const startedAt = performance.now();
const until = startedAt + Number(seconds) * 1_000;

async function work(): Promise<void> {
  const connection = await pool.reserve();
  // The rows are the same texts each time, but for their ids, which the database must not have twice.
  while (performance.now() < until) {
    const { snippets, variations, versions } = makeRows();
    const send = (text: string, ...values: unknown[]) => connection.unsafe(text, values).execute();
    send("begin");
    send(insert("snippets"), snippets);
    send(insert("variations"), variations);
    send(insert("variation_versions"), versions);
    send(
      "update quota_months set balance = balance - $1 where workspace_id = $2 and month = $3",
      batchSize,
      workspace,
      bareMonth,
    );
    send(
      `insert into ledger (workspace_id, id, key_id, key_call, operation, status, units, balance_after, team_id, admitted_at)
       values ($1, uuidv7(), $2, 0, 'postSnippets', 200, $3, 0, null, now())`,
      ...[workspace, key, batchSize],
    );
    await send("commit");
    batches += 1;
  }
}

await Promise.all(Array.from({ length: Number(connections) }, work));
console.log(JSON.stringify({ perSecond: (batches / (performance.now() - startedAt)) * 1_000 }));
process.exit(0);
