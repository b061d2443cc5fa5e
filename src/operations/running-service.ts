// Where the service was last started: it records that in the data directory, so that commands in another terminal name its real address
// without its settings.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config, Environment } from "../config.ts";

export interface RunningService {
  /** What people type, without a path: `https://snippets.example.com`. */
  readonly origin: string;
  /** The HTTPS port on this machine. */
  readonly port: number;
}

const pathIn = (dataDirectory: string): string => join(dataDirectory, "service.json");

/** @returns why it could not be recorded */
export function recordRunningService(dataDirectory: string, { origin, port }: RunningService): string | undefined {
  const path = pathIn(dataDirectory);
  const partial = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(partial, `${JSON.stringify({ origin, port })}\n`);
    renameSync(partial, path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The settings that decide the address. A command that sets one of them uses its own address. */
const addressSettings = ["COMMONPLACE_URL", "COMMONPLACE_HOST", "COMMONPLACE_HTTPS_PORT", "COMMONPLACE_TLS_CERT_FILE"];

/** The address of the last start; undefined without one, or where the settings of the command say where the service is. */
export function findRunningService(
  { dataDirectory, port }: Config,
  environment: Environment,
): RunningService | undefined {
  const given = addressSettings.filter((name) => environment[name]);
  // Port 0 says nothing: the system chooses.
  const isAddressGiven = given.some((name) => name !== "COMMONPLACE_HTTPS_PORT" || port !== 0);
  return isAddressGiven ? undefined : readRecord(pathIn(dataDirectory));
}

function readRecord(path: string): RunningService | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof record !== "object" || record === null || !("origin" in record) || !("port" in record)) return undefined;
    const { origin, port } = record;
    return typeof origin === "string" && URL.canParse(origin) && typeof port === "number"
      ? { origin, port }
      : undefined;
  } catch {
    // The service was never started here, or the file is damaged.
    return undefined;
  }
}
