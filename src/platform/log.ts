// The log: one JSON line per call on standard error, written in portions so that logging does not slow the calls it tells of.
// Only what is named here is ever written: no header, no query, no body, no key.
import { redactSecrets } from "./secrets/secrets.ts";

/** The least severe level that is written. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

const severity: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40, off: 100 };
const flushMilliseconds = 100;
const flushCharacters = 64 * 1024;

export interface Log {
  write(level: Exclude<LogLevel, "off">, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Writes what waits. */
  flush(): void;
}

export function createLog(level: LogLevel, output: (text: string) => void = (text) => process.stderr.write(text)): Log {
  let waiting = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    output(text);
  };
  return {
    write(entryLevel, message, fields = {}) {
      if (severity[entryLevel] < severity[level]) return;
      const line = JSON.stringify({ time: new Date().toISOString(), level: entryLevel, message, ...fields });
      waiting += `${redactSecrets(line)}\n`;
      if (entryLevel === "error" || waiting.length > flushCharacters) flush();
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
