// Breaks exactly one rule of a schema in a value that fits it.
import type { Random } from "../random.ts";
import type { Schema } from "./reader.ts";

export interface Broken {
  readonly value: unknown;
  /** Where, and which rule. */
  readonly rule: string;
  /** The index in the outermost list: in a batch, the item that is broken. */
  readonly item?: number;
}

type Resolve = (schema: Schema) => Schema;

const ofOtherTypes: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, true, [], {}, ["x"]],
  integer: ["5", 1.5, true, [], {}],
  boolean: ["true", 0, null, []],
  array: ["x", 5, {}, true],
  object: ["x", 5, [], true],
};

/** Every way to break the value that is worth trying, one of which is chosen. */
export function breakOne(random: Random, resolve: Resolve, schema: Schema, value: unknown): Broken | undefined {
  const found = [...breaksOf(resolve, schema, value, "")];
  return found.length === 0 ? undefined : random.pick(found);
}

function* breaksOf(resolve: Resolve, given: Schema, value: unknown, at: string): Generator<Broken> {
  const schema = resolve(given);
  if (schema.anyOf) {
    const chosen = schema.anyOf.find((each) => resolve(each).type === typeOf(value));
    // Null may be allowed, so a value of a wrong type is neither.
    if (chosen) yield* breaksOf(resolve, chosen, value, at);
    return;
  }
  const type = String(schema.type);
  for (const other of ofOtherTypes[type] ?? []) yield { value: other, rule: `${at} is ${JSON.stringify(other)}` };
  if (typeof value === "string") yield* breaksOfText(schema, value, at);
  if (Array.isArray(value)) yield* breaksOfArray(resolve, schema, value, at);
  else if (typeof value === "object" && value !== null)
    yield* breaksOfObject(resolve, schema, value as Record<string, unknown>, at);
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

function* breaksOfText(
  { minLength = 0, maxLength, pattern, format }: Schema,
  value: string,
  at: string,
): Generator<Broken> {
  if (minLength > 0) yield { value: "", rule: `${at} is empty` };
  if (maxLength !== undefined) {
    yield {
      value: `${value}${"a".repeat(maxLength + 1 - [...value].length)}`,
      rule: `${at} has ${maxLength + 1} characters`,
    };
    if (maxLength <= 5_000)
      yield { value: "💥".repeat(maxLength + 1), rule: `${at} has ${maxLength + 1} characters of 4 bytes` };
  }
  if (pattern !== undefined)
    for (const other of ["", "a b", "é", "x".repeat(51), "a\n"])
      yield { value: other, rule: `${at} is ${JSON.stringify(other)}` };
  if (format === "uuid")
    for (const other of ["", "x", value.slice(1), `${value}0`, value.replaceAll("-", ""), ` ${value}`, `{${value}}`])
      yield { value: other, rule: `${at} is ${JSON.stringify(other)}` };
}

function* breaksOfArray(
  resolve: Resolve,
  { items = {}, minItems = 0, maxItems }: Schema,
  value: readonly unknown[],
  at: string,
): Generator<Broken> {
  if (minItems > 0) yield { value: [], rule: `${at} is empty` };
  if (maxItems !== undefined && value.length > 0) {
    // Different IDs: one that is repeated counts once.
    const isOfIds = resolve(items).format === "uuid";
    const tooMany = Array.from({ length: maxItems + 1 }, (_, index) =>
      isOfIds ? crypto.randomUUID() : value[index % value.length],
    );
    yield { value: tooMany, rule: `${at} has ${maxItems + 1} items` };
  }
  for (const [index, item] of value.entries())
    for (const broken of breaksOf(resolve, items, item, `${at}[${index}]`))
      yield { ...broken, value: value.with(index, broken.value), item: index };
}

function* breaksOfObject(
  resolve: Resolve,
  { properties = {}, required = [], additionalProperties, minProperties = 0 }: Schema,
  value: Record<string, unknown>,
  at: string,
): Generator<Broken> {
  for (const name of required) {
    const { [name]: _, ...rest } = value;
    yield { value: rest, rule: `${at}.${name} is missing` };
  }
  if (additionalProperties === false)
    for (const name of ["unknown", "created_at", "__proto__", "constructor"])
      yield {
        value: Object.defineProperty({ ...value }, name, { value: "x", enumerable: true }),
        rule: `${at}.${name} is unknown`,
      };
  if (minProperties > required.length) {
    const least = Object.fromEntries(required.map((name) => [name, value[name]]));
    yield { value: least, rule: `${at} has nothing but ${required.join(", ")}` };
  }
  for (const [name, part] of Object.entries(properties))
    if (name in value)
      for (const broken of breaksOf(resolve, part, value[name], `${at}.${name}`))
        yield { ...broken, value: { ...value, [name]: broken.value } };
}

/** Texts of a query parameter that break its rule. */
export function brokenTexts(schema: Schema, description: string): string[] {
  const { type, format, minLength = 0, maxLength, minimum, maximum, enum: choices } = schema;
  if (choices) return ["", "x", `${choices[0]} `, String(choices[0]).toUpperCase()];
  if (format === "uuid")
    return ["", "x", "01890000-0000-7000-8000-00000000000", "0189000000007000800000000000000000", "null"];
  if (format === "date-time")
    return ["", "x", "2026-01-31", "2026-01-31T09:30:00", "2026-02-30T00:00:00Z", "1769851800"];
  if (type === "integer")
    return [
      "",
      "x",
      "1.5",
      "-1",
      "0x10",
      "1e2",
      " 1",
      ...(minimum === undefined ? [] : [String(minimum - 1)]),
      ...(maximum === undefined ? [] : [String(maximum + 1)]),
    ];
  if (type === "boolean") return ["", "yes", "TRUE", "1"];
  if (/ IDs, as a comma-separated list/.test(description))
    return ["", "x", "[", "{}", "[1]", ",", Array.from({ length: 101 }, () => crypto.randomUUID()).join(",")];
  return [...(minLength > 0 ? [""] : []), ...(maxLength === undefined ? [] : ["a".repeat(maxLength + 1)])];
}
