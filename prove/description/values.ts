// Values that a schema allows, often at its limits.
import type { Random } from "../random.ts";
import type { Schema } from "./reader.ts";

export interface Making {
  readonly random: Random;
  readonly resolve: (schema: Schema) => Schema;
  /** An ID for a field or parameter of this name. */
  readonly idFor: (name: string) => string;
}

const alphabets = ["a", "Zz09 ", "é", "語", "💥", '\u0001\n\t"\\', "\u202e\u200d\ufeff"];
const longTextShare = 0.001;
const lengthUsual = 40;
const itemsUsual = 3;

/** A value for a field of this name. Fields that may be left out often are. */
export function makeValue(making: Making, schema: Schema, name: string): unknown {
  const { random, resolve } = making;
  const { anyOf, enum: choices, const: only, ...rest } = resolve(schema);
  if (only !== undefined) return only;
  if (choices) return random.pick(choices);
  if (anyOf) return makeValue(making, random.pick(anyOf), name);
  const type = typeof rest.type === "string" ? rest.type : random.pick(rest.type ?? ["null"]);
  switch (type) {
    case "string":
      return makeText(making, rest, name);
    case "integer":
      return random.pick([
        rest.minimum ?? 0,
        rest.maximum ?? 1_000,
        random.integer(rest.minimum ?? 0, rest.maximum ?? 100),
      ]);
    case "boolean":
      return random.isTrue();
    case "array":
      return makeArray(making, rest, name);
    case "object":
      return makeObject(making, rest);
    default:
      return null;
  }
}

function makeText(
  { random, idFor }: Making,
  { format, pattern, minLength = 0, maxLength = 200 }: Schema,
  name: string,
): string {
  if (format === "uuid") return idFor(name);
  if (format === "date-time")
    return random.pick(["2026-01-31T09:30:00Z", "2026-03-15T12:00:00.000Z", "2031-12-31T23:59:59.999+14:00"]);
  if (pattern !== undefined) return random.pick(["plaintext", "code", "a", "text/x-c++", "A0._+/-", "x".repeat(50)]);
  const max = maxLength > 5_000 && !random.isTrue(longTextShare) ? lengthUsual : maxLength;
  const length = random.pick([minLength, max, random.integer(minLength, Math.min(max, lengthUsual))]);
  const letters = [...random.pick(alphabets)];
  return length > 1_000
    ? random.pick(letters).repeat(length)
    : Array.from({ length }, () => random.pick(letters)).join("");
}

function makeArray(
  making: Making,
  { items = {}, minItems = 0, maxItems = itemsUsual }: Schema,
  name: string,
): unknown[] {
  const { random } = making;
  const length = random.isTrue(0.01) ? maxItems : random.integer(minItems, Math.min(maxItems, itemsUsual));
  const made = Array.from({ length }, () => makeValue(making, items, name));
  // IDs in a list are different ones.
  return typeof made[0] === "string" ? [...new Set(made)] : made;
}

function makeObject(
  making: Making,
  { properties = {}, required = [], minProperties = 0 }: Schema,
): Record<string, unknown> {
  const { random } = making;
  const optional = random.some(
    Object.keys(properties).filter((name) => !required.includes(name)),
    Number.POSITIVE_INFINITY,
  );
  const missing = Math.max(0, minProperties - required.length - optional.length);
  const more = Object.keys(properties).filter((name) => !required.includes(name) && !optional.includes(name));
  const names = [...required, ...optional, ...more.slice(0, missing)];
  return Object.fromEntries(names.map((name) => [name, makeValue(making, properties[name] ?? {}, name)]));
}
