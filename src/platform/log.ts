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

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  write(level: Exclude<LogLevel, "off">, message: string, fields?: LogFields): void;
  /** Writes the lines that are buffered. */
  flush(): void;
}

export interface LogOptions {
  readonly format?: LogFormat;
  readonly output?: Pick<NodeJS.WriteStream, "write" | "isTTY">;
}

export function createLog(level: LogLevel, { format = "auto", output = process.stderr }: LogOptions = {}): Log {
  const isText = format === "text" || (format === "auto" && output.isTTY);
  const hasColors = output.isTTY && !process.env.NO_COLOR;
  const isDetailed = level === "debug";
  let buffer = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (buffer === "") return;
    const text = buffer;
    buffer = "";
    output.write(text);
  };
  return {
    write(entryLevel, message, fields = {}) {
      if (severity[entryLevel] < severity[level]) return;
      const line = isText
        ? formatLogLine({ time: new Date(), level: entryLevel, message, fields }, { isDetailed, hasColors })
        : JSON.stringify({ time: new Date().toISOString(), level: entryLevel, message, ...fields });
      if (line === undefined) return;
      buffer += `${redactSecrets(line)}\n`;
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
