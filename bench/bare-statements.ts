// The yardstick of GET /snippet on PostgreSQL: a minimal client that sends the same statements in the same round
// trips over as many connections. Arguments: URL, connections, seconds, file of keys and ids.
import { readFileSync } from "node:fs";
import { SQL } from "bun";
import { findSnippetDetail } from "../src/library/snippets.store.ts";
import { admissionOf, countCall } from "../src/metering/keys/keys.store.ts";
import { draw, insertLedgerEntry } from "../src/metering/quota/quota.store.ts";
import type { Transaction } from "../src/platform/database/database.ts";
import { name, type Sql } from "../src/platform/database/sql.ts";
import { hashSecret } from "../src/platform/secrets/secrets.ts";
import type { Target } from "./instance.ts";
import { median, percentile } from "./statistics.ts";

const [, , url = "", connections, seconds, path = ""] = process.argv;
const targets = (JSON.parse(readFileSync(path, "utf8")) as Target[]).map(({ key, id }) => ({
  hash: hashSecret(key),
  id,
}));

/** The statement that a store function sends. */
function statementOf(send: (transaction: Transaction) => unknown): Sql {
  const sent: Sql[] = [];
  const capture = async (query: Sql) => void sent.push(query);
  // Only what the store functions below use.
  void send({ now: "", first: capture, send: capture } as unknown as Transaction);
  return sent[0] as Sql;
}

/** A statement that Bun prepares, as it does for a template. */
function prepared(texts: readonly string[]): TemplateStringsArray {
  const template = [...texts];
  return Object.defineProperty(template, "raw", { value: template }) as unknown as TemplateStringsArray;
}

const opening = admissionOf("");
const now = "date_trunc('milliseconds', statement_timestamp())";
const lock = opening.lock?.strings ?? [];
const entry = {
  id: "",
  workspace_id: "",
  key_id: "",
  operation: "",
  key_call: 0,
  status: 0,
  units: 0,
  balance_after: 0,
  team_id: null,
  error_code: null,
  error_message: null,
  duration_microseconds: 0,
  client_address: "",
};
const statements = {
  begin: prepared(["begin isolation level read committed"]),
  configure: prepared([
    "select set_config('statement_timeout', '5000', true), set_config('lock_timeout', '3000', true), set_config('idle_in_transaction_session_timeout', '5000', true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)",
  ]),
  lock: prepared([...lock.slice(0, -1), `${lock.at(-1)} for no key update`]),
  look: prepared(opening.read((offset) => name(`(${now} + interval '${offset} seconds')`)).strings),
  count: prepared(statementOf((transaction) => countCall(transaction, "", "")).strings),
  savepoint: prepared(["savepoint level_0"]),
  read: prepared(statementOf((transaction) => findSnippetDetail(transaction, "", "")).strings),
  draw: prepared(statementOf((transaction) => draw(transaction, "", "", 1)).strings),
  record: prepared(statementOf((transaction) => insertLedgerEntry(transaction, entry)).strings),
  release: prepared(["release level_0"]),
  commit: prepared(["commit"]),
};

const pool = new SQL(url, { max: Number(connections) });
const latencies: number[] = [];
const startedAt = performance.now();
const until = startedAt + Number(seconds) * 1_000;

async function work(): Promise<void> {
  const connection = await pool.reserve();
  const send = (statement: TemplateStringsArray, ...values: unknown[]) => connection(statement, ...values).execute();
  while (performance.now() < until) {
    const callStartedAt = performance.now();
    const { hash, id } = targets[Math.floor(Math.random() * targets.length)] ?? { hash: "", id: "" };
    send(statements.begin);
    send(statements.configure);
    send(statements.lock, hash, true);
    const [key] = await send(statements.look, hash, true);
    const at = key.now.toISOString();
    send(statements.count, at, key.workspace_id, key.id);
    send(statements.savepoint);
    const reading = send(statements.read, key.workspace_id, id);
    const [drawn] = await send(statements.draw, 1, key.workspace_id, key.newest_month, 1);
    const [snippet] = await reading;
    const number = Number(key.call_count) + 1;
    const [workspace, request] = [key.workspace_id, Bun.randomUUIDv7()];
    send(
      statements.record,
      workspace,
      request,
      key.id,
      number,
      "getSnippet",
      200,
      1,
      drawn.balance,
      snippet.team_id,
      at,
      null,
      null,
      1_500,
      "203.0.113.7",
    );
    send(statements.release);
    await send(statements.commit);
    latencies.push(performance.now() - callStartedAt);
  }
}

await Promise.all(Array.from({ length: Number(connections) }, work));
const perSecond = latencies.length / ((performance.now() - startedAt) / 1_000);
console.log(
  JSON.stringify({ perSecond, medianMilliseconds: median(latencies), p99Milliseconds: percentile(latencies, 0.99) }),
);
process.exit(0);
