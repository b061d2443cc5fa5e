// An entry of the log as a line for a person: aligned, colored in a terminal, and without what would only scroll past.
import type { LogFields } from "./log.ts";

export interface LogEntry {
  readonly time: Date;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: LogFields;
}

export interface LineStyle {
  /** Also shows pages, probes, reads of the console and finished jobs. */
  readonly isDetailed: boolean;
  readonly hasColors: boolean;
}

const columns = { level: 5, method: 6, path: 30, duration: 8 };

/** SGR codes of a terminal. */
const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };
type Code = keyof typeof codes;

const levelCodes: Record<LogEntry["level"], Code> = { debug: "dim", info: "green", warn: "yellow", error: "red" };

/** @returns undefined for an entry that a person does not need to see */
export function formatLogLine(entry: LogEntry, style: LineStyle): string | undefined {
  if (!style.isDetailed && isRoutine(entry)) return undefined;
  const paint = (code: Code, text: string) => (style.hasColors ? `\u001b[${codes[code]}m${text}\u001b[0m` : text);
  const time = paint("dim", entry.time.toTimeString().slice(0, 8));
  const level = paint(levelCodes[entry.level], entry.level.padEnd(columns.level));
  const text = isRequest(entry) ? formatRequest(entry.fields, paint) : formatEvent(entry, paint);
  return `${time}  ${level}  ${text}`;
}

const isRequest = ({ message, fields }: LogEntry): boolean => message === "request" && "method" in fields;

const clientErrorStatusMin = 400;

/** Pages, probes and reads of the console that succeed, and jobs: a visit to the console alone would fill the screen. */
function isRoutine(entry: LogEntry): boolean {
  if (entry.level === "warn" || entry.level === "error") return false;
  if (!isRequest(entry)) return entry.message === "job finished";
  const { operation, method, status, code } = entry.fields;
  const isRead = method === "GET" || method === "HEAD";
  // Before people sign in, their page asks who they are.
  const isExpected = Number(status) < clientErrorStatusMin || code === "sign_in_required";
  return operation === undefined && isRead && isExpected;
}

function formatRequest(fields: LogFields, paint: (code: Code, text: string) => string): string {
  const { method, path, status, durationMilliseconds, code } = fields;
  const number = Number(status);
  const statusCode: Code = number >= 500 ? "red" : number >= 400 ? "yellow" : "green";
  return [
    `${paint("bold", printable(method).padEnd(columns.method))} ${printable(path).padEnd(columns.path)}`,
    paint(statusCode, String(status)),
    paint("dim", formatMilliseconds(Number(durationMilliseconds)).padStart(columns.duration)),
    ...(code === undefined ? [] : [printable(code)]),
  ].join("  ");
}

/** The message, its fields, and below them what takes several lines, such as a stack. */
function formatEvent({ message, fields }: LogEntry, paint: (code: Code, text: string) => string): string {
  const values = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const);
  const short = values.filter(([, value]) => !value.includes("\n"));
  const long = values.filter(([, value]) => value.includes("\n"));
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  const line = [sentence, ...short.map(([name, value]) => `${paint("dim", `${name}=`)}${printable(value)}`)].join("  ");
  const below = long.flatMap(([, value]) => value.split("\n").map((one) => `    ${printable(one)}`));
  return [line, ...below].join("\n");
}

/** Control characters, which a client may send in a path, must not reach the terminal. */
const printable = (value: unknown): string => String(value).replace(/\p{Cc}/gu, "\uFFFD");

function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(2)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}
