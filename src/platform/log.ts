// The log: JSON lines on standard error, written in batches so that logging does not slow requests. Secrets are redacted from every line.
import { redactSecrets } from "./secrets/secrets.ts";

/** The least severe level that is written. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

const severity: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40, off: 100 };
const flushMilliseconds = 100;
const flushCharacters = 64 * 1024;

export interface Log {
  write(level: Exclude<LogLevel, "off">, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Writes the lines that are buffered. */
  flush(): void;
}

export function createLog(level: LogLevel, output: (text: string) => void = (text) => process.stderr.write(text)): Log {
  let buffer = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (buffer === "") return;
    const text = buffer;
    buffer = "";
    output(text);
  };
  return {
    write(entryLevel, message, fields = {}) {
      if (severity[entryLevel] < severity[level]) return;
      const line = JSON.stringify({ time: new Date().toISOString(), level: entryLevel, message, ...fields });
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
