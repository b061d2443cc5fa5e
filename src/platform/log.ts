// The log on standard error, written in batches so that logging does not slow requests: JSON lines for programs, or short lines for a person
// who watches a terminal. Secrets are redacted from every line.
import { formatLogLine } from "./log-line.ts";
import { redactSecrets } from "./secrets/secrets.ts";

/** The least severe level that is written. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

/** Auto is text in a terminal, and JSON elsewhere. */
export type LogFormat = "auto" | "text" | "json";

const severity: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40, off: 100 };
const flushMilliseconds = 100;
const flushCharacters = 64 * 1024;
/** Text that nobody has read yet. Where a reader stops, requests go on: further lines are counted and left out. */
const unreadCharactersMax = 8 * 1024 * 1024;

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  write(level: Exclude<LogLevel, "off">, message: string, fields?: LogFields): void;
  /** Writes the lines that are buffered. */
  flush(): void;
}

export interface LogOptions {
  readonly format?: LogFormat;
  readonly output?: Pick<NodeJS.WriteStream, "isTTY"> & {
    /** @param isDone called when the text has left the process */
    readonly write: (text: string, isDone: () => void) => boolean;
  };
}

export function createLog(level: LogLevel, { format = "auto", output = process.stderr }: LogOptions = {}): Log {
  const isText = format === "text" || (format === "auto" && output.isTTY);
  const hasColors = output.isTTY && !process.env.NO_COLOR;
  const isDetailed = level === "debug";
  let buffer = "";
  let lines = 0;
  let unread = 0;
  let lost = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (buffer === "") return;
    const text = lost > 0 ? `${lineOf("warn", "log lines were dropped", { lines: lost })}\n${buffer}` : buffer;
    const isRead = unread < unreadCharactersMax;
    lost = isRead ? 0 : lost + lines;
    buffer = "";
    lines = 0;
    if (!isRead) return;
    unread += text.length;
    output.write(text, () => {
      unread -= text.length;
    });
  };
  const lineOf: (...entry: Parameters<Log["write"]>) => string | undefined = (entryLevel, message, fields = {}) =>
    isText
      ? formatLogLine({ time: new Date(), level: entryLevel, message, fields }, { isDetailed, hasColors })
      : JSON.stringify({ time: new Date().toISOString(), level: entryLevel, message, ...fields });
  return {
    write(entryLevel, message, fields = {}) {
      if (severity[entryLevel] < severity[level]) return;
      const line = lineOf(entryLevel, message, fields);
      if (line === undefined) return;
      buffer += `${redactSecrets(line)}\n`;
      lines += 1;
      if (entryLevel === "error" || buffer.length > flushCharacters) flush();
      else timer ??= setTimeout(flush, flushMilliseconds);
    },
    flush,
  };
}

/** An error with its stack and those of its causes, for the log. */
export const describeCause = (cause: unknown): string =>
  cause instanceof Error
    ? `${cause.stack ?? cause.message}${cause.cause ? `\n${describeCause(cause.cause)}` : ""}`
    : String(cause);
