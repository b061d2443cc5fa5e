// The options that several commands share, and the parsers of their values.
import { monthlyRequestsMax } from "../../config/settings.ts";
import { hasWebAddress, isPrintable } from "../../contract/printable.ts";
import { isUuid } from "../../contract/uuid.ts";
import type { Option, ParsedOptions } from "./command.ts";

const nameLengthMax = 200;

/** Every command has these. */
export const commonOptions = {
  data: { value: "DIR", meaning: "Data directory (default: COMMONPLACE_DATA_DIRECTORY, or ./data)" },
  json: { meaning: "Print one JSON value and nothing else" },
  help: { meaning: "Show this help" },
} as const satisfies Record<string, Option>;

export const workspaceOption = { value: "ID", meaning: "Workspace ID", isRequired: true } as const;
export const dumpOptions = (defaultFile: string) =>
  ({
    "dump-to": { value: "FILE", meaning: `Dump it to this file first (default: ${defaultFile})` },
    "no-dump": { meaning: "Delete it without a dump" },
  }) as const;
export const nameOption = {
  value: "NAME",
  meaning: `Name, 1 to ${nameLengthMax} characters`,
  isRequired: true,
} as const;
export const monthlyRequestsOption = {
  value: "N",
  meaning: "Monthly allowance in units, which the API calls monthly_requests",
} as const;

/** An id as it is stored, in lower case. The refusal does not repeat a wrong value, because it may be a secret. */
export function readId(options: ParsedOptions, option: string): string {
  const text = options.required(option);
  return isUuid(text) ? text.toLowerCase() : refuseId(options, option, option);
}

/** The file to export to before something is deleted; undefined where it is not exported. */
export function readDumpFile(options: ParsedOptions, defaultFile: string): string | undefined {
  if (!options.isSet("no-dump")) return options.text("dump-to") ?? defaultFile;
  return options.isSet("dump-to") ? options.refuse("use --dump-to or --no-dump, not both") : undefined;
}

/** @param noun the commands that list these IDs */
export const refuseId = (options: ParsedOptions, option: string, noun: string): never =>
  options.refuse(`--${option} must be an ID. To find it, run ./commonplace ${noun} list`);

/** A text that fits in one line of a list. Control characters would move the cursor of the terminal that lists it. */
export function readName(options: ParsedOptions, option = "name"): string | undefined {
  const text = options.text(option);
  if (text === undefined) return undefined;
  const isName = text.trim() !== "" && [...text].length <= nameLengthMax && isPrintable(text);
  if (!isName)
    return options.refuse(`--${option} must be 1 to ${nameLengthMax} characters, without control characters`);
  return hasWebAddress(text) ? options.refuse(`--${option} must not contain a web address`) : text;
}

export const readRequiredName = (options: ParsedOptions, option = "name"): string =>
  readName(options, option) ?? options.refuse(`--${option} is required`);

export function readMonthlyRequests(options: ParsedOptions): number | undefined {
  const text = options.text("monthly-requests");
  if (text === undefined) return undefined;
  const isValid = /^\d{1,15}$/.test(text) && Number(text) <= monthlyRequestsMax;
  return isValid
    ? Number(text)
    : options.refuse(`--monthly-requests must be a whole number from 0 to ${monthlyRequestsMax}`);
}

/** A calendar month, `YYYY-MM`. */
export function readMonth(options: ParsedOptions): string | undefined {
  const text = options.text("month");
  const isValid = text === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
  return isValid ? text : options.refuse("--month must be YYYY-MM");
}
