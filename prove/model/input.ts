// What a request may contain, for the reference model, written from the specification, without the service's own schemas. Each operation has
// tables of its parameters and of the fields of its body, in the order in which they are checked. A table is a text of entries such as
// `id/snippetId!` or `title:1..200!`: the name, and after `/` another name; after `:` the rule, if it is not the one of the name; then `!` if
// the entry is required, `?` if it may be null, or after `=` what it is if it is absent.
import { capital, type Fields, type Texts } from "./state.ts";

/** A refusal as a client sees it. */
export class Refused extends Error {
  status = 400;
  body: Fields = {};
}
export const refuse = (status: number, error: string, message: string, more: Fields = {}) =>
  Object.assign(new Refused(message), { status, body: { success: false, message, error, ...more } });
export const invalid = (message: string) => refuse(400, "invalid_request", message);
export const quotaExceeded = (requiredRequests: number, remainingRequests: number) => {
  const message = `Insufficient API requests: ${requiredRequests} required, ${remainingRequests} remaining`;
  return refuse(403, "quota_exceeded", message, { usage: { requiredRequests, remainingRequests } });
};
export function missing(name: string): Refused {
  const [, noun, s = ""] = /([a-z]+)Id(s?)/.exec(name) ?? [];
  if (!noun) return invalid(`${name} is required`);
  return refuse(400, `id${s}_required`, `${capital(noun)} ID${s} ${s ? "are" : "is"} required`);
}

type Value = Fields[string];
/** Takes a value as it was sent, and its place. @returns what the service understands @throws Refused naming the place and the rule */
type Check = (value: Value, place: string) => Value;

function rule(phrase: string, isKept: RegExp | ((value: Value) => boolean), read = (value: Value) => value): Check {
  const test = (value: Value) =>
    isKept instanceof RegExp ? typeof value === "string" && isKept.test(value) : isKept(value);
  return (value, place) => {
    if (value === undefined) throw invalid(`${place} is required`);
    if (!test(value)) throw invalid(`${place} must ${phrase}`);
    return read(value);
  };
}
/** Each check takes what the one before it has understood. */
function all(...checks: Check[]): Check {
  return (value, place) => checks.reduce((read, check) => check(read, place), value);
}
const within = (min: number, max: number, { length }: Value) => length >= min && length <= max;
const range = (min: number, max: number) => (min === 0 ? `at most ${max}` : `${min} to ${max}`);
const string = rule("be a string", (value) => typeof value === "string");
const text = (min: number, max: number) =>
  all(
    string,
    rule(`be ${range(min, max)} characters`, (value) => within(min, max, [...value])),
    rule("not contain a NUL character", (value) => !value.includes("\0")),
    rule("not contain a lone surrogate", (value) => value.isWellFormed()),
  );
/** The model writes its IDs as `~000012`. One with a `^` at the end stands for the same ID in capitals. */
const uuid = /^(~\d{6}\^?|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
export const sameId = (value: Value) => (typeof value === "string" ? value.replace("^", "").toLowerCase() : value);
const id = rule("be a UUID", uuid, sameId);
const list = (item: Check, min: number, max: number, change = (items: Value[]) => items) =>
  all(
    rule("be an array", Array.isArray, change),
    rule(`have ${range(min, max)} items`, (value) => within(min, max, value)),
    (value, place) => value.map((each: Value, index: number) => item(each, `${place}[${index}]`)),
  );
const distinct = (values: Value[]) => [...new Set(values)];
/** One that is repeated counts once. */
const idSet = (min: number, max: number) => list(id, min, max, (items) => distinct(items.map(sameId)));
const oneOf = (...words: string[]) => {
  const quoted = words.map((word) => `"${word}"`);
  return rule(`be ${quoted.slice(0, -1).join(", ")}, or ${quoted.at(-1)}`, (value) => words.includes(value));
};

/** An object with the fields of a table. Those without a `!` may be absent; in an update, which requires no more than an `id`, not all of them. */
export function object(table: string, kind = "an object"): Check {
  const isObject = (value: Value) => typeof value === "object" && value !== null && !Array.isArray(value);
  return all(rule(`be ${kind}`, isObject), (value, place) => {
    const entries = entriesOf(table);
    const placeOf = (name: string) => (place.startsWith("The ") ? name : `${place}.${name}`);
    const unknown = Object.keys(value).find((name) => !entries.some((entry) => entry.name === name));
    if (unknown !== undefined) throw invalid(`${placeOf(unknown)} is not a known field`);
    const read: Fields = {};
    for (const { name, mark, check } of entries)
      if (mark === "?" && value[name] === null) read[name] = null;
      else if (mark === "!" || value[name] !== undefined) read[name] = check(value[name], placeOf(name));
    const others = entries.filter(({ name }) => name !== "id");
    if (others.length === 0 || others.some(({ name, mark }) => mark === "!" || name in read)) return read;
    throw invalid(`at least one of these fields is required: ${others.map(({ name }) => name).join(", ")}`);
  });
}

// Parameters, all of which are sent as text.
const eachOf = (check: Check, name: string): Check => {
  const split = (value: string) => (value.startsWith("[") ? JSON.parse(value) : value.split(","));
  return (value, place) => split(value).map((each: string) => check(each.trim(), `each ${name} ${place}`));
};
const integer = (min: number, max: number, phrase = `from ${min} to ${max}`) =>
  rule(`be an integer ${phrase}`, (value) => /^\d+$/.test(value) && value >= min && value <= max, Number);
export const ofSameRequest = (name: string) => `be the ${name} of a response to the same request`;
const upTo100 = rule("contain 1 to 100 unique IDs", (value) => within(1, 100, value));
const eachOnce = rule("contain each ID only once", (value) => distinct(value).length === value.length);
const ofType = 'be 1 to 50 characters: letters, digits, ".", "_", "+", "/", "-"';
const ofTime = "be an ISO 8601 timestamp with a UTC offset, such as 2026-01-31T09:30:00Z";
const rules: Readonly<Record<string, Check>> = {
  id,
  ids: all(eachOf(id, "ID in"), distinct, upTo100),
  variationOrder: all(list(id, 1, 101), eachOnce),
  name: text(1, 100),
  type: all(string, rule(ofType, /^[A-Za-z0-9._+/-]{1,50}$/)),
  content: object("type! content:0..1000000!", "an object with type and content"),
  variations: list(object("content! variationName!"), 0, 100),
  items: list(all(), 1, 100),
  boolean: rule("be true or false", (value) => typeof value === "boolean"),
  flag: rule("be true or false", /^(true|false)$/, (value) => value === "true"),
  date: rule(ofTime, /^\d{4}-\d\d-\d\dT/, (value) => new Date(value).toISOString()),
  limit: integer(1, 100),
  offset: integer(0, Number.POSITIVE_INFINITY, "of at least 0"),
  wait: integer(0, 25),
  sort: oneOf("relevance", "updated", "created", "title"),
  in: eachOf(oneOf("title", "shortcut", "tags", "note", "content"), "value of"),
  onDuplicate: oneOf("skip", "replace", "keep"),
  cursor: rule(ofSameRequest("nextCursor"), /./),
  since: rule(ofSameRequest("cursor"), /./),
};
/** The rule `1..200` is for a text of so many characters, `ids1..100` for so many IDs. Names such as `teamId` have the rule of their end. */
function ruleOf(kind: string): Check {
  const [, isSet, min, max] = /^(ids)?(\d+)\.\.(\d+)$/.exec(kind) ?? [];
  if (max) return (isSet ? idSet : text)(Number(min), Number(max));
  return rules[/(ids?|date|name)$/i.exec(kind)?.[0].toLowerCase() ?? kind] as Check;
}
function entriesOf(table: string) {
  return [...table.matchAll(/([\w/]+):?([\w.]*)([!?]?)=?(\S*)/g)].map(([, given = "", kind, mark, absent]) => {
    const names = given.split("/");
    const name = names.find((each) => each === "id" || each === "ids") ?? given;
    return { name, names, mark, absent, check: ruleOf(kind || name) };
  });
}

/** Reads a body as it was sent: text. */
export function readBody(operation: string, table: string, sent: string | undefined): Fields {
  if (operation === "postImport") return JSON.parse(sent ?? "");
  if (table === "" || (operation === "deleteSnippetVariation" && sent === undefined)) return {};
  if (sent === undefined) throw refuse(400, "body_required", "A JSON body is required");
  let value: unknown;
  try {
    value = JSON.parse(sent);
  } catch {
    throw refuse(400, "invalid_json", "The request body is not valid JSON");
  }
  return object(table)(value, "The request body");
}
export function readQuery(table: string, sent: Texts): Fields {
  const read: Fields = {};
  for (const { name, names, mark, absent, check } of entriesOf(table)) {
    const sentName = names.find((each) => each in sent);
    // These two read as prepositions in a message, so they are quoted.
    if (sentName) read[name] = check(sent[sentName], sentName.replace(/^(in|inside)$/, '"$1"'));
    else if (mark === "!") throw missing(names.join());
    else if (absent) read[name] = check(absent, name);
  }
  return read;
}
