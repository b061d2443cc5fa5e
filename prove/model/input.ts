// What a request may contain, for the reference model, written from the specification, without the service's own schemas. Each operation has
// tables of its parameters and of the fields of its body, in the order in which they are checked. A table is a text of entries such as
// `id/snippetId!` or `title:1..200!`: the name, and after `/` another name; after `:` the rule, if it is not the one of the name; then `!` if
// the entry is required, `?` if it may be null; then after `=` what it is if it is absent.
import { capital, type Fields, type Texts } from "./state.ts";

/** A refusal as a client sees it. */
export class Refused extends Error {
  status = 400;
  body: Fields = {};
}
export const refuse = (status: number, error: string, message: string, more: Fields = {}) =>
  Object.assign(new Refused(message), { status, body: { success: false, message, error, ...more } });
/** @returns what was done, or the error of this kind */
export function attempt<Done>(work: () => Done, kind: new () => Error = Refused): Done | Error {
  try {
    return work();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
}
export const invalid = (message: string) => refuse(400, "invalid_request", message);
export function missing(name: string): Refused {
  const [, noun, s = ""] = /([a-z]+)Id(s?)/.exec(name) ?? [];
  if (!noun) return invalid(`${name} is required`);
  return refuse(400, `id${s}_required`, `${capital(noun)} ID${s} ${s ? "are" : "is"} required`);
}

type Value = Fields[string];
/** Takes a value as it was sent, and its place. @returns what it stands for @throws Refused naming the place and the rule */
type Rule = (value: Value, place: string) => Value;

/** A rule of phrases, each with what has to hold for it. */
function must(phrases: Readonly<Record<string, (value: Value) => unknown>>, read: Rule = (value) => value): Rule {
  return (value, place) => {
    for (const [phrase, holds] of Object.entries(phrases)) if (!holds(value)) throw invalid(`${place} must ${phrase}`);
    return read(value, place);
  };
}
const isIn = (min: number, max: number, { length }: Value) => length >= min && length <= max;
const range = (min: number, max: number) => (min === 0 ? `at most ${max}` : `${min} to ${max}`);
export const isString = (value: Value) => typeof value === "string";
const text = (min: number, max: number) =>
  must({
    "be a string": isString,
    [`be ${range(min, max)} characters`]: (value) => isIn(min, max, [...value]),
    "not contain a NUL character": (value) => !value.includes("\0"),
    "not contain a lone surrogate": (value) => value.isWellFormed(),
  });
const like = (phrase: string, pattern: RegExp, read?: Rule) =>
  must({ [phrase]: (value) => isString(value) && pattern.test(value) }, read);
const or = new Intl.ListFormat("en", { type: "disjunction" });
const oneOf = (...words: string[]) =>
  must({ [`be ${or.format(words.map((word) => `"${word}"`))}`]: (value) => words.includes(value) });
const integer = (min: number, max: number, phrase = `from ${min} to ${max}`) =>
  must({ [`be an integer ${phrase}`]: (value) => /^\d+$/.test(value) && value >= min && value <= max }, Number);

/** The model writes its IDs as `~000012`. One with a `^` at the end stands for the same ID in capitals. */
const uuid = /^(~\d{6}\^?|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
export const sameId = (value: Value) => (isString(value) ? value.replace("^", "").toLowerCase() : value);
const id = like("be a UUID", uuid, sameId);
const distinct = (values: Value[]) => [...new Set(values.map(sameId))];
const list = (item: Rule, min: number, max: number, change = (items: Value[]) => items) =>
  must(
    { "be an array": Array.isArray, [`have ${range(min, max)} items`]: (items) => isIn(min, max, change(items)) },
    (items, place) => change(items).map((each, index) => item(each, `${place}[${index}]`)),
  );
/** A list in a parameter is separated by commas, or JSON. */
const split = (value: string): string[] => (value.startsWith("[") ? JSON.parse(value) : value.trim().split(/ *, */));
const upTo100 = must({ "contain 1 to 100 unique IDs": (ids) => isIn(1, 100, ids) });
const eachOnce = must({ "contain each ID only once": (ids) => distinct(ids).length === ids.length });
const field = oneOf("title", "shortcut", "tags", "note", "content");

export const ofSameRequest = (name: string) => `be the ${name} of a response to the same request`;
const ofType = 'be 1 to 50 characters: letters, digits, ".", "_", "+", "/", "-"';
const ofTime = "be an ISO 8601 timestamp with a UTC offset, such as 2026-01-31T09:30:00Z";
const rules: Readonly<Record<string, Rule>> = {
  id,
  ids: (value, place) => upTo100(distinct(split(value).map((each) => id(each, `each ID in ${place}`))), place),
  order: (value, place) => eachOnce(list(id, 1, 101)(value, place), place),
  name: text(1, 100),
  type: must({ "be a string": isString, [ofType]: (value) => /^[A-Za-z0-9._+/-]{1,50}$/.test(value) }),
  content: object("type! content:0..1000000!", "an object with type and content"),
  variations: list(object("content! variationName!"), 0, 100),
  items: list((item) => item, 1, 100),
  boolean: must({ "be true or false": (value) => typeof value === "boolean" }),
  flag: like("be true or false", /^(true|false)$/, (value) => value === "true"),
  date: like(ofTime, /^\d{4}-\d\d-\d\dT/, (value) => new Date(value).toISOString()),
  limit: integer(1, 100),
  offset: integer(0, Number.POSITIVE_INFINITY, "of at least 0"),
  sort: oneOf("relevance", "updated", "created", "title"),
  in: (value, place) => split(value).map((each) => field(each, `each value of ${place}`)),
  onDuplicate: oneOf("skip", "replace", "create"),
  cursor: like(ofSameRequest("nextCursor"), /./),
  feedCursor: like(ofSameRequest("cursor"), /./),
};
/** The rule `1..200` is for a text of so many characters, `ids1..100` for so many different IDs. Names such as `teamId` have the rule of their end. */
function ruleOf(kind: string): Rule {
  const [, isSet, min, max] = /^(ids)?(\d+)\.\.(\d+)$/.exec(kind) ?? [];
  if (isSet) return list(id, Number(min), Number(max), distinct);
  if (max) return text(Number(min), Number(max));
  return rules[/(ids?|date|name)$/i.exec(kind)?.[0].toLowerCase() ?? kind] as Rule;
}
function entriesOf(table: string) {
  return [...table.matchAll(/([\w/]+):?([\w.]*)([!?]?)=?(\S*)/g)].map(([, given = "", kind, mark, absent]) => {
    const names = given.split("/");
    const name = names.find((each) => each === "id" || each === "ids") ?? given;
    return { name, names, mark, absent: absent === "null" ? null : absent || undefined, rule: ruleOf(kind || name) };
  });
}
function readEntries(table: string, sent: Fields, placeOf: (name: string) => string, lacks: (name: string) => Refused) {
  const read: Fields = {};
  for (const { name, names, mark, absent, rule } of entriesOf(table)) {
    const sentName = names.find((each) => sent[each] !== undefined) ?? name;
    const value = sent[sentName] === undefined ? absent : sent[sentName];
    if (value === undefined && mark === "!") throw lacks(names.join());
    if (value !== undefined) read[name] = value === null && mark === "?" ? null : rule(value, placeOf(sentName));
  }
  return read;
}
/** An object with the fields of a table. In an update, which requires no more than an `id`, there must be at least one. */
export function object(table: string, kind = "an object"): Rule {
  const isObject = (value: Value) => typeof value === "object" && value !== null && !Array.isArray(value);
  return must({ [`be ${kind}`]: isObject }, (value, place) => {
    const names = entriesOf(table).map(({ name }) => name);
    const placeOf = (name: string) => (place.startsWith("The ") ? name : `${place}.${name}`);
    const unknown = Object.keys(value).find((name) => !names.includes(name));
    if (unknown !== undefined) throw invalid(`${placeOf(unknown)} is not a known field`);
    const read = readEntries(table, value, placeOf, (name) => invalid(`${placeOf(name)} is required`));
    const others = names.filter((name) => name !== "id");
    if (others.length === 0 || others.some((name) => name in read)) return read;
    throw invalid(`at least one of these fields is required: ${others.join(", ")}`);
  });
}
/** Reads a body as it was sent: text. Its table may be empty; with a `?` in front, there may be no body. */
export function readBody(table: string, sent: string | undefined): Fields {
  if (table === "" || (sent === undefined && table.startsWith("?"))) return {};
  if (sent === undefined) throw refuse(400, "body_required", "A JSON body is required");
  const value = attempt(() => JSON.parse(sent), SyntaxError);
  if (value instanceof SyntaxError) throw refuse(400, "invalid_json", "The request body is not valid JSON");
  return table === "file" ? value : object(table)(value, "The request body");
}
// Two names read as prepositions in a message, so they are quoted.
export const readQuery = (table: string, sent: Texts) =>
  readEntries(table, sent, (name) => name.replace(/^(in|inside)$/, '"$1"'), missing);
