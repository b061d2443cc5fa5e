// The embedded engine: one process on SQLite, compared with a bare server and bare inserts.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { measureBatches, measureReads, measureSingleReads, measureStarts, type Plan } from "./measure.ts";
import { startBareServer, startService } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { accessOf, recordResponse, seed, tls, writeBatchRequests, writeReadRequests } from "./seed.ts";

/** Measures in a directory that is deleted afterwards. */
export async function measureEmbedded(directory: string, plan: Plan): Promise<Result[]> {
  const data = join(directory, "data");
  const [database, copy] = [join(data, "commonplace.db"), join(directory, "copy.db")];
  const [readsPath, batchesPath] = [join(directory, "reads"), join(directory, "batches")];
  const responsePath = join(directory, "response.json");
  const showStep = (step: string) => (text: string) => showProgress(step, text);

  const first = await startService(data);
  const access = accessOf(first);
  const ids = await seed(access, plan.snippets, (done) =>
    showProgress("Creating snippets", done.toLocaleString("en-US"), done / plan.snippets),
  );
  writeReadRequests(readsPath, access, ids);
  writeBatchRequests(batchesPath, access);
  await recordResponse(responsePath, access, ids[0] ?? "");
  await first.stop();
  copyFileSync(database, copy);

  const start = { service: () => startService(data), bare: () => startBareServer(join(data, "tls"), responsePath) };
  const { pathname } = new URL(access.baseUrl);
  const starting = await measureStarts(
    plan,
    start,
    async ({ port }) => {
      const headers = { Authorization: `Bearer ${access.key}` };
      const url = `https://127.0.0.1:${port}${pathname}/snippet?id=${ids[0]}`;
      const response = await fetch(url, { headers, keepalive: false, tls });
      if (response.status !== 200) throw new Error(`GET /snippet: ${await response.text()}`);
    },
    showStep("Starting"),
  );

  const servers = { service: await start.service(), bare: await start.bare() };
  showProgress("Memory", "a second of nothing");
  await Bun.sleep(1_000);
  const reading = await measureReads(servers, plan, readsPath, showStep("GET /snippet"));
  const singleReading = await measureSingleReads(servers, plan, readsPath, showStep("GET /snippet, one at a time"));
  await servers.bare.stop();
  const writing = await measureBatches(servers.service, plan, batchesPath, copy, showStep("POST /snippets"));
  await servers.service.stop();

  return [...reading, ...singleReading, ...writing, ...starting];
}
