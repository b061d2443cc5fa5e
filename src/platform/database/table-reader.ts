// Reads a whole table in the order of its primary key, in chunks of bounded size, and computes a digest of its rows.
import type { Transaction } from "./database.ts";
import type { Table } from "./schema.ts";
import { name, Sql, sql, type Value } from "./sql.ts";

export type Row = Readonly<Record<string, Value>>;

/** Rows and bytes of text in memory at once. A single row may be larger. */
const chunkMax = { rows: 1_000, bytes: 4 * 1024 * 1024 };

/** The rows in chunks. They are consistent only when the transaction has one snapshot, such as that of `read`. */
export async function* readChunks(transaction: Transaction, table: Table): AsyncGenerator<readonly Row[]> {
  const statements = statementsOf(table);
  const isNarrow = (await findWidest(transaction, table)) * chunkMax.rows <= chunkMax.bytes;
  let last: Row | undefined;
  for (;;) {
    const rows = isNarrow ? chunkMax.rows : await countFitting(transaction, statements, last);
    const chunk = await transaction.all<Row>(statements.rows(last, rows));
    if (chunk.length === 0) return;
    yield chunk;
    last = chunk.at(-1);
  }
}

export async function countRows(transaction: Transaction, table: Table): Promise<number> {
  const counted = await transaction.first<{ total: number }>(sql`select count(*) as total from ${name(table.name)}`);
  return counted?.total ?? 0;
}

/**
 * Number and digest of rows, independent of their order and engine: the sum of a hash of each row, so that a missing, changed or
 * duplicate row changes it.
 */
export class RowDigest {
  rows = 0;
  readonly #table: Table;
  readonly #hash = new Uint8Array(32);
  readonly #words = new Uint32Array(this.#hash.buffer, 0, 4);
  /** 128 bits, in words that overflow separately. */
  readonly #sum = new Uint32Array(4);

  constructor(table: Table) {
    this.#table = table;
  }

  add(row: Row): void {
    Bun.SHA256.hash(canonical(this.#table, row), this.#hash);
    this.#words.forEach((word, index) => {
      this.#sum[index] = (this.#sum[index] ?? 0) + word;
    });
    this.rows += 1;
  }

  toString(): string {
    return Buffer.from(this.#sum.buffer).toString("hex");
  }
}

/** A row as text that is the same on both engines: the columns in their order, with booleans as booleans. */
const canonical = ({ columns }: Table, row: Row): string =>
  JSON.stringify(columns.map(({ name, kind }) => toKind(kind, row[name] ?? null)));

/** The value in its kind: SQLite stores booleans as 0 and 1. */
export const toKind = (kind: Table["columns"][number]["kind"], value: Value): Value =>
  kind === "boolean" && value !== null ? Boolean(value) : value;

interface Statements {
  /** The rows after this one. */
  readonly rows: (last: Row | undefined, limit: number) => Sql;
  /** How many bytes of text each of those rows has. */
  readonly widths: (last: Row | undefined, limit: number) => Sql;
}

/** The texts are made once for each table, so that engines recognize the statements. */
function statementsOf(table: Table): Statements {
  const keys = table.key.join(", ");
  const after = (columns: string) => {
    const start = `select ${columns} from ${table.name}`;
    const first = [`${start} order by ${keys} limit `, ""];
    const next = [
      `${start} where (${keys}) > (`,
      ...table.key.slice(1).map(() => ", "),
      `) order by ${keys} limit `,
      "",
    ];
    return (last: Row | undefined, limit: number) =>
      last ? new Sql(next, [...table.key.map((key) => last[key] ?? null), limit]) : new Sql(first, [limit]);
  };
  return {
    rows: after(table.columns.map((column) => column.name).join(", ")),
    widths: after(`${widthOf(table)} as width`),
  };
}

/** An expression for the bytes of a row's texts; the other columns are small. */
function widthOf({ columns }: Table): string {
  const texts = columns.filter(({ kind }) => kind === "text");
  return ["0", ...texts.map((column) => `coalesce(octet_length(${column.name}), 0)`)].join(" + ");
}

async function findWidest(transaction: Transaction, table: Table): Promise<number> {
  const widest = await transaction.first<{ width: number | null }>(
    sql`select max(${name(widthOf(table))}) as width from ${name(table.name)}`,
  );
  return widest?.width ?? 0;
}

async function countFitting(transaction: Transaction, { widths }: Statements, last: Row | undefined): Promise<number> {
  let bytes = 0;
  let rows = 0;
  for (const { width } of await transaction.all<{ width: number }>(widths(last, chunkMax.rows))) {
    bytes += width;
    if (bytes > chunkMax.bytes) break;
    rows += 1;
  }
  return Math.max(1, rows);
}
