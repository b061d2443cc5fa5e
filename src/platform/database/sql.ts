// SQL as tagged templates: the text is written where it is used, and values are always parameters.

/** A parameter. Timestamps are ISO 8601 text. */
export type Value = string | number | boolean | null;

/** A statement or a part of one: `strings` with one value between each two. */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly Value[],
  ) {}
}

/** A statement from a template. A part is a value, which becomes a parameter, or another `Sql`, which is inserted. */
export function sql(strings: TemplateStringsArray, ...parts: (Value | Sql)[]): Sql {
  const inner = parts.filter((part) => part instanceof Sql);
  if (inner.length === 0) return new Sql(strings, parts as Value[]);
  const values = parts.flatMap((part) => (part instanceof Sql ? part.values : [part]));
  return new Sql(composeTexts(strings, parts, inner), values);
}

/** The last composition of each template. Engines recognize a statement by its array of texts, so the same parts give the same array. */
const compositions = new WeakMap<TemplateStringsArray, { inner: readonly Sql[]; texts: readonly string[] }>();

function composeTexts(
  strings: TemplateStringsArray,
  parts: readonly (Value | Sql)[],
  inner: readonly Sql[],
): readonly string[] {
  const known = compositions.get(strings);
  if (known && inner.every((part, index) => part.strings === known.inner[index]?.strings)) return known.texts;
  const texts = [strings[0] ?? ""];
  parts.forEach((part, index) => {
    const [first = "", ...rest] = part instanceof Sql ? part.strings : ["", ""];
    texts[texts.length - 1] += first;
    texts.push(...rest);
    texts[texts.length - 1] += strings[index + 1] ?? "";
  });
  compositions.set(strings, { inner, texts });
  return texts;
}

/**
 * `(?, ?, …)` for `in`. The list must not be empty. It is padded to a power of two with its last value, so that lists of all lengths
 * need only a handful of prepared statements.
 */
export function list(values: readonly Value[]): Sql {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  const last = values[values.length - 1] ?? null;
  const filled = [...values, ...Array<Value>(length - values.length).fill(last)];
  let texts = listTexts.get(length);
  if (!texts) {
    texts = ["(", ...Array<string>(length - 1).fill(", "), ")"];
    listTexts.set(length, texts);
  }
  return new Sql(texts, filled);
}

const listTexts = new Map<number, readonly string[]>();

/** `a = ?, b = ?` for `update … set`. The names are columns named in the code, never input. */
export const assignments = (columns: Readonly<Record<string, Value>>): Sql => {
  const names = Object.keys(columns);
  return new Sql([...names.map((name, index) => `${index === 0 ? "" : ", "}${name} = `), ""], Object.values(columns));
};

/** The end of an `insert` that adds to a row with the same key. Both engines understand it. */
export function addingOnConflict(table: string, keyColumns: readonly string[], columns: readonly string[]): string {
  const sums = columns.filter((column) => !keyColumns.includes(column));
  const changes = sums.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return `on conflict (${keyColumns.join(", ")}) do update set ${changes.join(", ")}`;
}

/** A table or columns, inserted unquoted: names in the code, never input. */
export const name = (text: string): Sql => new Sql([text], []);

/** Statements joined by a text, such as ` union all `. */
export const join = (parts: readonly Sql[], between: string): Sql =>
  parts.reduce((left, right) => sql`${left}${name(between)}${right}`);

/** A JSON column or aggregate: PostgreSQL returns it parsed, SQLite as text. `Shape` is what the statement built. */
export const fromJson = <Shape>(value: unknown): Shape =>
  (typeof value === "string" ? JSON.parse(value) : value) as Shape;
