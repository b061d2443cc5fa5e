// The schemas and parameters that only the console has.
import { z } from "zod";
import { errors } from "../errors.ts";
import { text, timestamp } from "../fields.ts";
import { parseNetwork } from "../networks.ts";
import { hasWebAddress, isPrintable } from "../printable.ts";
import { parseChoice, type QueryParameter } from "../query.ts";
import { isUuid } from "../uuid.ts";
import { consoleLimits } from "./limits.ts";

/** A time in a record, null where there is none. */
export const optionalTimestamp = () => timestamp().nullable();

/** An email address in lower case. Better Auth must accept it as well; otherwise an account could be created that cannot sign in. */
export const email = () =>
  z
    .string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") })
    .trim()
    .max(consoleLimits.emailLengthMax, { error: `must be at most ${consoleLimits.emailLengthMax} characters` })
    .regex(z.regexes.email, { error: "must be an email address" })
    .overwrite((value) => value.toLowerCase())
    .meta({ format: "email" });

export const password = () => text(consoleLimits.passwordLengthMin, consoleLimits.passwordLengthMax);

/** A name that people read, so it must have a visible character, and nothing that changes how a line is shown. */
export const displayName = (max: number) =>
  text(1, max)
    .refine((value) => value.trim() !== "", { error: "must not be blank" })
    .refine(isPrintable, { error: "must be one line without control characters" });

/** The name of something that emails name. */
export const mailedName = (max: number) =>
  displayName(max).refine((value) => !hasWebAddress(value), { error: "must not contain a web address" });

/** A line of an invoice's header, trimmed. */
export const billingLine = () => displayName(consoleLimits.billingLineLengthMax).overwrite((value) => value.trim());

/** A moment. */
export const moment = () =>
  z.string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") }).datetime({
    error: "must be an ISO 8601 timestamp in UTC, such as 2026-01-31T09:30:00Z",
  });

/** A network or an address. */
export const network = () =>
  z.string({ error: "must be a string" }).refine((value) => parseNetwork(value) !== undefined, {
    error: "must be an IP address or a network, such as 203.0.113.0/24 or 2001:db8::/32",
  });

export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, {
    error: (issue) => (issue.input === undefined ? "is required" : `must be one of ${values.join(", ")}`),
  });

const parameter = <Value>(
  description: string,
  schema: Record<string, unknown>,
  whenAbsent: () => Value,
  isRequired: boolean,
  parse: (text: string, name: string) => Value,
): QueryParameter<Value> => ({ aliases: [], description, schema, isRequired, whenAbsent, parse });

const parseUuid = (value: string, name: string): string => {
  if (!isUuid(value)) throw errors.invalid(`${name} must be a UUID`);
  return value.toLowerCase();
};

/** The ID of the resource. */
export const idQuery = (name: string, description: string): QueryParameter<string> =>
  parameter(
    description,
    { type: "string", format: "uuid" },
    () => {
      throw errors.invalid(`${name} is required`);
    },
    true,
    parseUuid,
  );

export const workspaceQuery = { workspaceId: idQuery("workspaceId", "The ID of the workspace.") };

export const optionalIdQuery = (description: string): QueryParameter<string | undefined> =>
  parameter(description, { type: "string", format: "uuid" }, () => undefined, false, parseUuid);

/** A search text. */
export const textQuery = (description: string, max: number): QueryParameter<string | undefined> =>
  parameter(
    description,
    { type: "string", maxLength: max },
    () => undefined,
    false,
    (value, name) => {
      if (value.length > max || value.includes("\u0000") || !value.isWellFormed())
        throw errors.invalid(`${name} must be at most ${max} characters`);
      return value === "" ? undefined : value;
    },
  );

export const choiceQuery = <const Values extends readonly string[]>(
  description: string,
  values: Values,
  whenAbsent: Values[number],
): QueryParameter<Values[number]> =>
  parameter(
    description,
    { type: "string", enum: values, default: whenAbsent },
    () => whenAbsent,
    false,
    (value, name) => parseChoice(value, name, values),
  );

export const optionalChoiceQuery = <const Values extends readonly string[]>(
  description: string,
  values: Values,
): QueryParameter<Values[number] | undefined> =>
  parameter<Values[number] | undefined>(
    description,
    { type: "string", enum: values },
    () => undefined,
    false,
    (value, name) => {
      if (!values.includes(value)) throw errors.invalid(`${name} must be one of ${values.join(", ")}`);
      return value;
    },
  );

/** Only years in which date arithmetic in both directions stays four-digit. Both engines support them. */
const isDay = (value: string): boolean => {
  const at = /^[12]\d{3}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
};

/** A day in UTC, `YYYY-MM-DD`. */
export const dayQuery = (description: string): QueryParameter<string | undefined> =>
  parameter<string | undefined>(
    description,
    { type: "string", format: "date" },
    () => undefined,
    false,
    (value, name) => {
      if (!isDay(value)) throw errors.invalid(`${name} must be a date, such as 2026-01-31`);
      return value;
    },
  );

/** A month in UTC, `YYYY-MM`. */
export const monthQuery = (description: string): QueryParameter<string> =>
  parameter(
    description,
    { type: "string", pattern: "^\\d{4}-\\d{2}$" },
    () => {
      throw errors.invalid("month is required");
    },
    true,
    (value, name) => {
      if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(value)) throw errors.invalid(`${name} must be a month, such as 2026-01`);
      return value;
    },
  );

/** Where the previous page ended. Opaque to the client. */
export const cursorQuery: QueryParameter<string | undefined> = parameter<string | undefined>(
  "`nextCursor` of the previous page.",
  { type: "string" },
  () => undefined,
  false,
  (value, name) => {
    if (!/^[A-Za-z0-9_-]{1,400}$/.test(value)) throw errors.invalid(`${name} must be the nextCursor of a response`);
    return value;
  },
);

/** Rows of a page. */
export const rowsQuery: QueryParameter<number> = parameter(
  "Maximum number of rows to return.",
  { type: "integer", minimum: 1, maximum: consoleLimits.pageRowsMax, default: consoleLimits.pageRowsDefault },
  () => consoleLimits.pageRowsDefault,
  false,
  (value, name) => {
    const rows = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    if (rows < 1 || rows > consoleLimits.pageRowsMax)
      throw errors.invalid(`${name} must be an integer from 1 to ${consoleLimits.pageRowsMax}`);
    return rows;
  },
);

export const paging = { cursor: cursorQuery, limit: rowsQuery };
