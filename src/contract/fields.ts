// The schemas of single fields. The check, its message and the description in OpenAPI come from the same numbers.
import { z } from "zod";
import { limits } from "./limits.ts";
import { isUuid } from "./uuid.ts";

/** The message for a missing value and for one of the wrong type. The field's name is put before it. */
const wrongType = (rule: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? "is required" : `must be ${rule}`;

/** True when the text has more than `max` code points. Counts only where the length alone does not decide. */
const isLongerThan = (text: string, max: number): boolean => {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > max;
};

const NUL = "\u0000";

/** Text of `min` to `max` code points, stored and returned unchanged: no NUL, no lone surrogate (decisions, Records). */
export const text = (min: number, max: number) =>
  z
    .string({ error: wrongType("a string") })
    .superRefine((value, context) => {
      const refuse = (message: string) => context.addIssue({ code: "custom", message });
      if (value.length < min || isLongerThan(value, max))
        refuse(min === 0 ? `must be at most ${max} characters` : `must be ${min} to ${max} characters`);
      else if (value.includes(NUL)) refuse("must not contain a NUL character");
      else if (!value.isWellFormed()) refuse("must not contain a lone surrogate");
    })
    .meta({ minLength: min, maxLength: max });

/** An ID in a request body: a UUID of any version, lower-cased so that IDs compare regardless of case. */
export const uuid = () =>
  z
    .string({ error: wrongType("a UUID") })
    .refine(isUuid, { error: "must be a UUID" })
    .overwrite((value) => value.toLowerCase())
    .meta({ format: "uuid" });

/** The team of a new resource. It cannot change later. */
export const teamId = (noun: string) => uuid().meta({ description: `The team that the ${noun} belongs to.` });

export const boolean = () => z.boolean({ error: wrongType("true or false") });

/**
 * An object that refuses unknown fields, so that a misspelled field is never dropped silently. Then, the message of the issue is the names of
 * the known fields, separated by spaces: they are compared only with the name that the response is about.
 */
export const object = <Shape extends z.ZodRawShape>(shape: Shape, rule = "an object") => {
  const known = Object.keys(shape).join(" ");
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? known : wrongType(rule)(issue)),
  });
};

const lengthRule = (min: number, max: number) =>
  min === 0 ? `must have at most ${max} items` : `must have ${min} to ${max} items`;

/**
 * An array of `min` to `max` items. The length is checked before the items: otherwise a million wrong items would yield a million issues.
 */
export const array = <Item extends z.ZodType>(
  item: Item,
  min: number,
  max: number,
  narrow = (items: unknown[]) => items,
) =>
  z
    .preprocess(
      (value, context) => {
        if (!Array.isArray(value)) return value;
        const items = narrow(value);
        if (items.length >= min && items.length <= max) return items;
        context.addIssue({ code: "custom", message: lengthRule(min, max) });
        return z.NEVER;
      },
      z.array(item, { error: wrongType("an array") }),
    )
    .meta({ minItems: min, maxItems: max });

/** A set of IDs. Duplicates count once, also toward `max`. */
export const idSet = (min: number, max: number) =>
  array(uuid(), min, max, (items) => [
    ...new Set(items.map((item) => (typeof item === "string" ? item.toLowerCase() : item))),
  ]);

/** Refuses an update without changes. `id` only says what to update. */
export const atLeastOneField = <Shape extends z.ZodObject>(shape: Shape) => {
  const names = Object.keys(shape.shape).filter((name) => name !== "id");
  return shape
    .refine((value) => names.some((name) => Object.hasOwn(value, name)), {
      error: `at least one of these fields is required: ${names.join(", ")}`,
    })
    .meta({ minProperties: "id" in shape.shape ? 2 : 1 });
};

const contentTypePattern = new RegExp(`^[A-Za-z0-9._+/-]{1,${limits.contentTypeLengthMax}}$`);

/** The content object of a request. */
export const contentInput = () =>
  object(
    {
      type: z
        .string({ error: wrongType("a string") })
        .regex(contentTypePattern, {
          error: `must be 1 to ${limits.contentTypeLengthMax} characters: letters, digits, ".", "_", "+", "/", "-"`,
        })
        .meta({ description: "A content type such as `plaintext` or `code`." }),
      content: text(0, limits.contentLengthMax),
    },
    "an object with type and content",
  ).meta({ examples: [{ type: "code", content: "console.log('hello');" }] });

// Schemas of responses. They check nothing at run time: tests hold every response to them, and OpenAPI is made from them.

export const id = () => z.string().meta({ format: "uuid" });
export const timestamp = () =>
  z.string().meta({ format: "date-time", description: "UTC, ISO 8601 with milliseconds and `Z`." });
const list = new Intl.ListFormat("en");
/**
 * One of these words. A later version may add words, so the schema allows any string and names the known ones: a client that is generated from
 * it can read the responses of that version, too.
 */
export const openEnum = <const Word extends string>(words: readonly Word[], description = "") =>
  z.enum(words).meta({
    enum: undefined,
    "x-extensible-enum": words,
    description: `${description}${description && " "}Known values: ${list.format(words.map((word) => `\`${word}\``))}.`,
  });
export const count = () => z.int().min(0).meta({ maximum: undefined });
export const content = z
  .strictObject({ type: z.string(), content: z.string() })
  .meta({ id: "Content", description: "Text and its content type." });
export const message = z.strictObject({ message: z.string() });
/** Each field of the request, set to true. */
export const fieldsUpdated = z.strictObject({ fieldsUpdated: z.record(z.string(), z.literal(true)) });
