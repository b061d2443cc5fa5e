// The embedded engine: one process on SQLite beside a bare server, and beside bare inserts.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { batches, loneReads, type Plan, reads, starts } from "./measure.ts";
import { startBareServer, startService } from "./processes.ts";
import { progress } from "./progress.ts";
import type { Result } from "./report.ts";
import { accessOf, recordAnswer, seed, tls, writeBatches, writeReads } from "./seed.ts";

/** All of it, in a directory that is thrown away after it. */
export async function measureEmbedded(directory: string, plan: Plan): Promise<Result[]> {
  const data = join(directory, "data");
  const [database, copy] = [join(data, "commonplace.db"), join(directory, "copy.db")];
  const [readsPath, batchesPath] = [join(directory, "reads"), join(directory, "batches")];
  const answerPath = join(directory, "answer.json");
  const tell = (step: string) => (text: string) => progress(step, text);

  const first = await startService(data);
  const access = accessOf(first);
  const ids = await seed(access, plan.snippets, (done) =>
    progress("Creating snippets", done.toLocaleString("en-US"), done / plan.snippets),
  );
  writeReads(readsPath, access, ids);
  writeBatches(batchesPath, access);
  await recordAnswer(answerPath, access, ids[0] ?? "");
  await first.stop();
  copyFileSync(database, copy);

  const begin = { service: () => startService(data), bare: () => startBareServer(join(data, "tls"), answerPath) };
  const { pathname } = new URL(access.baseUrl);
  const starting = await starts(
    plan,
    begin,
    async ({ port }) => {
      const headers = { Authorization: `Bearer ${access.key}` };
      const url = `https://127.0.0.1:${port}${pathname}/snippet?id=${ids[0]}`;
      const response = await fetch(url, { headers, keepalive: false, tls });
      if (response.status !== 200) throw new Error(`GET /snippet: ${await response.text()}`);
    },
    tell("Starting"),
  );

  const sides = { service: await begin.service(), bare: await begin.bare() };
  progress("Memory", "a second of nothing");
  await Bun.sleep(1_000);
  const reading = await reads(sides, plan, readsPath, tell("GET /snippet"));
  const alone = await loneReads(sides, plan, readsPath, tell("GET /snippet, one at a time"));
  await sides.bare.stop();
  const writing = await batches(sides.service, plan, batchesPath, copy, tell("POST /snippets"));
  await sides.service.stop();

  return [...reading, ...alone, ...writing, ...starting];
}
