// Query and body of a request → the typed input of its operation, or the 400 that names the field and the rule.
import type { z } from "zod";
import { closestName } from "../../contract/closest-name.ts";
import { errors, Refusal } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { BatchItem, Operation } from "../../contract/operation.ts";
import type { QueryParameter } from "../../contract/query.ts";
import { requireParsable } from "./json-limits.ts";
import type { IncomingRequest } from "./receive.ts";

/** Parsed by the schemas of a row of the table; only that row's handler receives it. */
export interface ParsedInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Reads and parses a request. A refusal is returned, so that the caller decides when to throw it.
 * @param takeTurn called before a body of this size is parsed. What it throws is thrown on.
 */
export async function readInput(
  operation: Pick<Operation, "query" | "body">,
  request: IncomingRequest,
  bodyBytesMax: number,
  takeTurn: (bodyBytes: number) => Promise<void> | undefined = atOnce,
): Promise<ParsedInput | Refusal> {
  const body = operation.body ? await request.readBody(bodyBytesMax).catch(returned) : new Uint8Array();
  if (body instanceof Refusal) return body;
  await takeTurn(body.length);
  try {
    return parseInput(operation, request.search, body);
  } catch (error) {
    return returned(error);
  }
}

const atOnce = (): undefined => undefined;

function returned(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** @throws Refusal 400; 413 where `body` is too large to have been kept */
export function parseInput(
  operation: Pick<Operation, "query" | "body">,
  search: string,
  body: Uint8Array | "too large",
): ParsedInput {
  if (body === "too large") throw errors.bodyTooLarge();
  return { query: parseQuery(operation.query, new URLSearchParams(search)), body: parseBody(operation.body, body) };
}

function parseQuery(parameters: Operation["query"], given: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name in parameters) {
    const parameter = parameters[name];
    if (parameter) values[name] = parseParameter(name, parameter, given);
  }
  return values;
}

const prepositions = new Set(["by", "from", "in", "inside", "to"]);

/** A parameter as a message names it: a name that would read as a preposition is quoted. */
const inSentence = (name: string): string => (prepositions.has(name) ? `"${name}"` : name);

function parseParameter(name: string, parameter: QueryParameter<unknown>, given: URLSearchParams): unknown {
  const names = [name, ...parameter.aliases].filter((candidate) => given.has(candidate));
  const values = names.map((used) => {
    const [text = "", ...more] = given.getAll(used);
    const shown = inSentence(used);
    if (more.length > 0) throw errors.invalid(`${shown} must be sent only once`);
    return parameter.parse(text, shown);
  });
  if (values.length === 0) return parameter.whenAbsent();
  if (values.some((value) => JSON.stringify(value) !== JSON.stringify(values[0])))
    throw errors.invalid(`${names.join(" and ")} must be the same`);
  return values[0];
}

// A byte order mark is not white space to JSON: it is left in, so that it is refused like any other stray character.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseBody(shape: Operation["body"], bytes: Uint8Array): unknown {
  if (shape?.kind === "file") return bytes;
  if (shape === undefined || (shape.kind === "optional object" && bytes.length === 0)) return undefined;
  if (bytes.length === 0) throw errors.bodyMissing();
  requireParsable(bytes);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw errors.jsonMalformed();
  }
  if (shape.kind === "batch") return parseBatch(shape.field, shape.item, value);
  const parsed = shape.schema.safeParse(value);
  if (!parsed.success) throw errors.invalid(messageOf(parsed.error, "The request body"));
  return parsed.data;
}

/** An ID is echoed as it was sent; anything longer is not an ID. */
const idLengthMax = 100;

/** The array itself is checked first. Then each item is checked separately, and a malformed one includes its refusal. */
function parseBatch(field: string, schema: z.ZodType, value: unknown): BatchItem<unknown>[] {
  if (!isObject(value)) throw errors.invalid("The request body must be an object");
  const unknown = Object.keys(value).find((name) => name !== field);
  if (unknown !== undefined) throw errors.invalid(unknownField(unknown, unknown, [field]));
  const items = value[field];
  if (items === undefined) throw errors.invalid(`${field} is required`);
  if (!Array.isArray(items)) throw errors.invalid(`${field} must be an array`);
  if (items.length < 1 || items.length > limits.batchItemsMax)
    throw errors.invalid(`${field} must have 1 to ${limits.batchItemsMax} items`);
  const seen = new Set<string>();
  return items.map((item: unknown, index) => {
    const id = isObject(item) && typeof item.id === "string" && item.id.length <= idLengthMax ? item.id : undefined;
    const isRepeated = id !== undefined && seen.has(id.toLowerCase());
    if (id !== undefined) seen.add(id.toLowerCase());
    const parsed = schema.safeParse(item);
    if (!parsed.success) return { index, id, refusal: messageOf(parsed.error, "The item") };
    return isRepeated
      ? { index, id, refusal: "id must not appear twice in one request" }
      : { index, id, value: parsed.data };
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first thing that is wrong, in one sentence that begins with the name of the field. */
function messageOf(error: z.ZodError, root: string): string {
  // A misspelt field first: that its right name is missing follows from it.
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
  if (!issue) return `${root} is not valid`;
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
  const name = path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
  if (issue.code === "unrecognized_keys") return unknownField(name, issue.keys[0] ?? "", issue.message.split(" "));
  if (name !== "") return `${name} ${issue.message}`;
  return issue.code === "invalid_type" ? `${root} ${issue.message}` : issue.message;
}

/** @param path the field as the message names it */
function unknownField(path: string, field: string, known: readonly string[]): string {
  const meant = closestName(field, known);
  return `${path} is not a known field${meant === undefined ? "" : `. Did you mean ${meant}?`}`;
}
