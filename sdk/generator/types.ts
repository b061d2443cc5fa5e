// Prints JSON Schemas as TypeScript types. Supports what the contract uses and throws on anything else.
import { z } from "zod";

type Schema = z.core.JSONSchema.JSONSchema;
type Direction = "input" | "output";

/** Prints types. A schema with an ID becomes a named type, declared once. */
export class TypePrinter {
  /** Declarations by type name, in the order of their first use. */
  readonly #components = new Map<string, string>();

  /** @param renamed type names for schema IDs that would shadow a global name */
  constructor(readonly renamed: Readonly<Record<string, string>> = {}) {}

  /** The type of a request part (`input`) or a response part (`output`). */
  typeOf(shape: z.ZodType, direction: Direction): string {
    const { $defs = {}, ...schema }: Schema = z.toJSONSchema(shape, { io: direction });
    for (const [id, definition] of Object.entries($defs)) this.#declare(id, definition, direction);
    return this.#print(schema, direction);
  }

  /** The declarations of the named types, sorted by name. */
  declarations(): string {
    const sorted = [...this.#components].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([, declaration]) => declaration).join("\n");
  }

  #name(id: string): string {
    return this.renamed[id] ?? id;
  }

  #declare(id: string, { id: _, ...schema }: Schema, direction: Direction): void {
    const name = this.#name(id);
    // The formatter keeps each field on its own line if a line break follows the brace.
    const fields = this.#print(schema, direction).replace(/^\{ /, "{\n");
    const declaration = `${docComment(schema.description)}export interface ${name} ${fields}\n`;
    if (schema.type !== "object") throw new Error(`${id} is not an object, which a named type must be`);
    if ((this.#components.get(name) ?? declaration) !== declaration) throw new Error(`${id} is two different types`);
    this.#components.set(name, declaration);
  }

  #print(schema: Schema | boolean, direction: Direction): string {
    if (typeof schema === "boolean") throw new Error("a shape that allows anything has no type worth printing");
    if (schema.$ref !== undefined) return this.#name(schema.$ref.replace("#/$defs/", ""));
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return unionOf(schema.enum);
    const known = schema["x-extensible-enum"];
    // Editors still propose the known words.
    if (Array.isArray(known)) return `${unionOf(known)} | (string & {})`;
    const alternatives =
      schema.anyOf ?? (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined);
    if (alternatives) return alternatives.map((each) => this.#print(each, direction)).join(" | ");
    if (schema.type === "array") return this.#printArray(schema, direction);
    if (schema.type === "object") return this.#printObject(schema, direction);
    if (schema.type === "integer") return "number";
    if (schema.type === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
    return String(schema.type);
  }

  #printArray({ items }: Schema, direction: Direction): string {
    if (items === undefined || Array.isArray(items)) throw new Error("an array must have one shape of items");
    const item = this.#print(items, direction);
    const array = item.includes("|") ? `(${item})[]` : `${item}[]`;
    return direction === "input" ? `readonly ${array}` : array;
  }

  #printObject({ properties = {}, required = [], additionalProperties }: Schema, direction: Direction): string {
    const names = Object.keys(properties);
    if (typeof additionalProperties === "object") {
      if (names.length > 0) throw new Error("an object must have either known or unknown names");
      return `Record<string, ${this.#print(additionalProperties, direction)}>`;
    }
    if (names.length === 0) return "Record<string, never>";
    const fields = Object.entries(properties).map(([name, property]) => {
      if (typeof property === "boolean") throw new Error(`${name} allows anything`);
      const type = this.#print(property, direction);
      const isRequired = required.includes(name);
      const optional = direction === "input" ? " | undefined" : "";
      const comment = docComment(describe(property, direction));
      return comment + (isRequired ? `${name}: ${type};` : `${name}?: ${type}${optional};`);
    });
    const isPlain = fields.every((field) => !field.includes("\n"));
    return isPlain ? `{ ${fields.join(" ")} }` : `{\n${fields.join("\n")}\n}`;
  }
}

/** One of these values. */
export const unionOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(" | ");

/** What the type cannot express: the description, and for requests the length limits. */
function describe(schema: Schema, direction: Direction): string {
  const words = schema.description ?? "";
  const bounds = direction === "input" ? boundsOf(schema) : "";
  return [words, bounds].filter((part) => part !== "").join(" ");
}

function boundsOf(schema: Schema): string {
  const { minLength, maxLength, minItems, maxItems } = { ...schema, ...schema.anyOf?.[0] };
  if (maxLength !== undefined) return `${range(minLength, maxLength)} characters.`;
  return maxItems === undefined ? "" : `${range(minItems, maxItems)} items.`;
}

const grouped = (value: number): string => value.toLocaleString("en-US");
const range = (min = 0, max: number): string =>
  min === 0 ? `At most ${grouped(max)}` : `${grouped(min)} to ${grouped(max)}`;

/** A doc comment with these lines; empty if there are none. */
export function docComment(...lines: (string | undefined)[]): string {
  const [first, ...more] = lines.filter((line) => line !== undefined && line !== "");
  if (first === undefined) return "";
  return more.length === 0
    ? `/** ${first} */\n`
    : `/**\n${[first, ...more].map((line) => ` * ${line}`).join("\n")}\n */\n`;
}
