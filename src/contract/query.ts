// The kinds of query parameters, each with its aliases, its rule and its description (decisions, Parameters).
import { z } from "zod";
import { errors, type Noun } from "./errors.ts";
import { limits } from "./limits.ts";
import { isUuid } from "./uuid.ts";

/** A query parameter. `Value` is what a rule receives. */
export interface QueryParameter<Value> {
  /** Other names that the service accepts. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** JSON Schema of the text as it is sent. */
  readonly schema: Record<string, unknown>;
  /** For a list of words: those that it may contain. */
  readonly words?: readonly string[];
  /** For pairs: the words that can have a text. */
  readonly pairs?: readonly string[];
  readonly isRequired: boolean;
  /** The value when the parameter is absent. @throws Refusal 400 where it is required */
  readonly whenAbsent: () => Value;
  /** The value of `text`, sent under `name`. @throws Refusal 400 naming the parameter, as `name` says, and its rule */
  readonly parse: (text: string, name: string) => Value;
}

/** The ID of the resource that the call is about. */
export const idParameter = (noun: Noun | "Team", ...aliases: string[]): QueryParameter<string> => ({
  aliases,
  description: `${noun} ID.`,
  schema: { type: "string", format: "uuid" },
  isRequired: true,
  whenAbsent: () => {
    throw errors.idRequired(noun);
  },
  parse: parseId,
});

/** An ID that may be absent because the body can carry it instead. */
export const optionalIdParameter = (noun: Noun, ...aliases: string[]): QueryParameter<string | undefined> => ({
  ...idParameter(noun, ...aliases),
  isRequired: false,
  whenAbsent: () => undefined,
});

/** A list of IDs: comma-separated, or a JSON array in one string. Duplicates count once. */
export const idListParameter = (noun: Noun, ...aliases: string[]): QueryParameter<string[]> => ({
  aliases,
  description: `1 to ${limits.batchItemsMax} ${noun.toLowerCase()} IDs, as a comma-separated list or a JSON array.`,
  schema: { type: "string" },
  isRequired: true,
  whenAbsent: () => {
    throw errors.idsRequired(noun);
  },
  parse: (text, name) => {
    const ids = new Set(splitList(text, name, "IDs").map((id) => parseId(id, `each ID in ${name}`)));
    if (ids.size < 1 || ids.size > limits.batchItemsMax)
      throw errors.invalid(`${name} must contain 1 to ${limits.batchItemsMax} unique IDs`);
    return [...ids];
  },
});

/** An ID that narrows down a list. */
export const idFilterParameter = (description: string): QueryParameter<string | undefined> => ({
  aliases: [],
  description,
  schema: { type: "string", format: "uuid" },
  isRequired: false,
  whenAbsent: () => undefined,
  parse: parseId,
});

/** Any text that can be stored, of up to so many code points. */
export const textParameter = (description: string, lengthMax: number): QueryParameter<string | undefined> => ({
  aliases: [],
  description,
  schema: { type: "string", minLength: 1, maxLength: lengthMax },
  isRequired: false,
  whenAbsent: () => undefined,
  parse: (text, name) => {
    if (text === "" || [...text].length > lengthMax)
      throw errors.invalid(`${name} must be 1 to ${lengthMax} characters`);
    if (text.includes("\u0000")) throw errors.invalid(`${name} must not contain a NUL character`);
    return text;
  },
});

/** Text that must not be left out. */
export const requiredTextParameter = (name: string, description: string, lengthMax: number): QueryParameter<string> => {
  const optional = textParameter(description, lengthMax);
  return {
    ...optional,
    isRequired: true,
    whenAbsent: () => {
      throw errors.invalid(`${name} is required`);
    },
    // Only an absent text is undefined.
    parse: (value, used) => optional.parse(value, used) ?? "",
  };
};

/** What each of a few words means: `word=text` pairs, comma-separated, or an object in JSON. */
export const pairsParameter = <Value extends object>(
  description: string,
  words: readonly string[],
  read: (pairs: readonly string[]) => Value | undefined,
): QueryParameter<Value | undefined> => ({
  aliases: [],
  description: `${description} As comma-separated pairs such as \`${words[0]}=…,${words[1]}=…\`, or a JSON object. Names: \`${words.join("`, `")}\`.`,
  schema: { type: "string", minLength: 1 },
  pairs: words,
  isRequired: false,
  whenAbsent: () => undefined,
  parse: (text, name) => {
    const pairs = text.trimStart().startsWith("{") ? pairsOf(text) : text.split(",");
    const value = pairs && read(pairs);
    if (!value)
      throw errors.invalid(
        `${name} must be comma-separated pairs or a JSON object of strings, with each of ${words.join(", ")} at most once`,
      );
    return value;
  },
});

/** The pairs of an object whose values are texts; undefined for anything else. */
function pairsOf(text: string): string[] | undefined {
  let object: object;
  try {
    object = JSON.parse(text);
  } catch {
    return undefined;
  }
  const pairs: [string, unknown][] = Object.entries(object);
  return pairs.every(([, value]) => typeof value === "string")
    ? pairs.map(([word, value]) => `${word}=${value}`)
    : undefined;
}

/** True or false; false when it is absent. */
export const flagParameter = (description: string): QueryParameter<boolean> => ({
  aliases: [],
  description,
  schema: { type: "boolean", default: false },
  isRequired: false,
  whenAbsent: () => false,
  parse: (text, name) => {
    if (text !== "true" && text !== "false") throw errors.invalid(`${name} must be true or false`);
    return text === "true";
  },
});

/** One of a few words. */
export const choiceParameter = <Choice extends string>(
  description: string,
  choices: readonly Choice[],
): QueryParameter<Choice | undefined> => ({
  aliases: [],
  description,
  schema: { type: "string", enum: choices },
  isRequired: false,
  whenAbsent: () => undefined,
  parse: (text, name) => parseChoice(text, name, choices),
});

/** Some of a few words, in the form of an ID list. All of them when it is absent. */
export const choiceListParameter = <Choice extends string>(
  description: string,
  choices: readonly Choice[],
): QueryParameter<readonly Choice[]> => ({
  aliases: [],
  description,
  schema: { type: "string" },
  words: choices,
  isRequired: false,
  whenAbsent: () => choices,
  parse: (text, name) => {
    const words = splitList(text, name, "words").map((word) => parseChoice(word, `each value of ${name}`, choices));
    if (words.length === 0) throw errors.invalid(`${name} must contain at least one value`);
    return [...new Set(words)];
  },
});

/** @throws Refusal 400 naming the choices */
export function parseChoice<Choice extends string>(text: string, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  const quoted = choices.map((known) => `"${known}"`);
  throw errors.invalid(
    `${name} must be ${quoted.slice(0, -1).join(", ")}${quoted.length > 2 ? "," : ""} or ${quoted.at(-1)}`,
  );
}

/** The maximum number of items on a page. */
export const limitParameter = (
  defaultItems: number,
  description: string,
  itemsMax: number = limits.pageItemsMax,
): QueryParameter<number> => ({
  aliases: [],
  description,
  schema: { type: "integer", minimum: 1, maximum: itemsMax, default: defaultItems },
  isRequired: false,
  whenAbsent: () => defaultItems,
  parse: (text, name) => {
    const limit = parseInteger(text);
    if (limit === undefined || limit < 1 || limit > itemsMax)
      throw errors.invalid(`${name} must be an integer from 1 to ${itemsMax}`);
    return limit;
  },
});

/** How many seconds to wait; 0 when it is absent. */
export const secondsParameter = (description: string, secondsMax: number): QueryParameter<number> => ({
  aliases: [],
  description,
  schema: { type: "integer", minimum: 0, maximum: secondsMax, default: 0 },
  isRequired: false,
  whenAbsent: () => 0,
  parse: (text, name) => {
    const seconds = parseInteger(text);
    if (seconds === undefined || seconds > secondsMax)
      throw errors.invalid(`${name} must be an integer from 0 to ${secondsMax}`);
    return seconds;
  },
});

/** The number of items to skip before the page. */
export const offsetParameter = (description: string): QueryParameter<number> => ({
  aliases: [],
  description,
  schema: { type: "integer", minimum: 0, default: 0 },
  isRequired: false,
  whenAbsent: () => 0,
  parse: (text, name) => {
    const offset = parseInteger(text);
    if (offset === undefined) throw errors.invalid(`${name} must be an integer of at least 0`);
    return offset;
  },
});

/** `limit` and `offset` for one page of snippets. */
export const pageParameters = {
  limit: limitParameter(limits.pageItemsDefault, "Maximum number of snippets to return."),
  offset: offsetParameter("Number of snippets to skip."),
};

const isoTimestamp = z.iso.datetime({ offset: true });

/** A time with any UTC offset. Stored times are whole milliseconds; `rounding` says where a finer time goes. */
export const timestampParameter = (
  description: string,
  rounding: "down" | "up" = "down",
): QueryParameter<Date | undefined> => ({
  aliases: [],
  description,
  schema: { type: "string", format: "date-time" },
  isRequired: false,
  whenAbsent: () => undefined,
  parse: (text, name) => {
    // An unescaped plus sign arrives as a space.
    const restored = text.replace(/ (\d\d:\d\d)$/, "+$1");
    if (!isoTimestamp.safeParse(restored).success)
      throw errors.invalid(`${name} must be an ISO 8601 timestamp with a UTC offset, such as 2026-01-31T09:30:00Z`);
    // Digits beyond milliseconds are cut here, because Date.parse misreads fractions of ten and more digits.
    const whole = Date.parse(restored.replace(/(\.\d{3})\d+/, "$1"));
    const isFiner = /\.\d{3}\d*[1-9]/.test(restored);
    return new Date(isFiner && rounding === "up" ? whole + 1 : whole);
  },
});

function parseId(text: string, name: string): string {
  if (!isUuid(text)) throw errors.invalid(`${name} must be a UUID`);
  return text.toLowerCase();
}

function splitList(text: string, name: string, items: string): string[] {
  if (!text.trimStart().startsWith("[")) return text.split(",").map((id) => id.trim());
  const refusal = errors.invalid(`${name} must be a comma-separated list or a JSON array of ${items}`);
  let ids: unknown;
  try {
    ids = JSON.parse(text);
  } catch {
    throw refusal;
  }
  if (!Array.isArray(ids)) throw refusal;
  return ids.map((id) => {
    if (typeof id !== "string") throw refusal;
    return id.trim();
  });
}

/** The number that decimal digits spell; undefined for anything else and beyond the safe integers. */
function parseInteger(text: string): number | undefined {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}
