// Where audit entries are exported to: a file that grows, or an HTTPS address. Only the operator's settings name it.
import { open } from "node:fs/promises";
import type { SendLines } from "../accounts/audit/continuous-export.ts";
import type { AuditSinkSettings } from "../config.ts";
import type { Clock } from "../platform/database/database.ts";

/** Less than the claim of a portion. */
const answerSeconds = 30;

/** @param ca PEM of a certificate authority to trust instead of the system's */
export function openSink({ target, header }: AuditSinkSettings, ca?: string): SendLines {
  return target.startsWith("https://") ? (lines) => post(target, header, lines, ca) : (lines) => append(target, lines);
}

/** The lines are on the disk once it resolves. */
async function append(path: string, lines: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(lines);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The message never contains the address or the header, which may hold a secret. */
async function post(
  url: string,
  header: AuditSinkSettings["header"],
  lines: string,
  ca: string | undefined,
): Promise<void> {
  const { status } = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson", ...(header && { [header.name]: header.value }) },
    body: lines,
    redirect: "manual",
    ...(ca !== undefined && { tls: { ca } }),
    signal: AbortSignal.timeout(answerSeconds * 1_000),
  }).catch((error: unknown) => {
    throw new Error(`the address did not respond (${error instanceof Error ? error.name : "unknown"})`);
  });
  if (status < 200 || status > 299) throw new Error(`the address responded with status ${status}`);
}

const delayFirstSeconds = 5;
const delayMaxSeconds = 300;

/** After each failure in a row, work waits twice as long, up to five minutes. */
export function createBackoff(clock: Clock) {
  let failures = 0;
  let dueAt = 0;
  return {
    isDue: (): boolean => clock() >= dueAt,
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        dueAt = clock() + Math.min(delayMaxSeconds, delayFirstSeconds * 2 ** failures) * 1_000;
        failures += 1;
        throw error;
      }
    },
  };
}
