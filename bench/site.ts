// A filled instance on SQLite, made once and measured by several parts.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "./engines.ts";
import { sqliteEngine } from "./engines.ts";
import { type Filling, fillWith } from "./fill.ts";
import { createInstance, type Instance, type InstanceSize } from "./instance.ts";
import { type Server, startBareServer } from "./processes.ts";
import { type Call, recordResponse } from "./requests.ts";

export interface Site {
  readonly directory: string;
  readonly engine: Engine;
  readonly instance: Instance;
  /** What the database file grew by for each snippet. */
  readonly bytesPerSnippet: number;
}

export interface SiteSize extends InstanceSize {
  readonly snippets: number;
  readonly inFolder: number;
  readonly sample?: Filling["sample"];
}

/** Creates the directory with an instance in it. */
export async function createSite(directory: string, { snippets, inFolder, sample, ...size }: SiteSize): Promise<Site> {
  mkdirSync(directory, { recursive: true });
  const engine = sqliteEngine(directory);
  const instance = await engine.withDatabase((database) => createInstance(database, size));
  const bytesBefore = statSync(engine.path).size;
  await fillWith(engine, instance, { total: snippets, inFolder, ...(sample && { sample }) }, "Creating snippets");
  const bytesPerSnippet = (statSync(engine.path).size - bytesBefore) / snippets;
  return { directory, engine, instance, bytesPerSnippet };
}

/** A bare server that answers everything with the service's response to a call. */
export async function startBareTwin(
  directory: string,
  service: Server,
  call: Call,
): Promise<{ bare: Server; bodyBytes: number }> {
  const path = join(directory, "response.json");
  const bodyBytes = await recordResponse(path, service, call);
  return { bare: await startBareServer(join(directory, "tls"), path), bodyBytes };
}
