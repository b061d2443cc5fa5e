// A flush to the disk that fails in a commit (SQLite): nothing is acknowledged, the service stops and says why, and the next start settles it.
import { expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engine } from "../support/engine.ts";
import { spawnService } from "../support/process.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { temporaryDirectory } from "../support/service.ts";

const outcomes = /^(outcome_unknown|unavailable)$/;
const library = compile();
const title =
  "a failed flush: outcome_unknown for everybody in the commit, the service stops, and the next start finds the commit";

test.skipIf(engine.name !== "sqlite" || library === undefined)(
  library === undefined ? `${title} (skipped: it needs Linux and a C compiler)` : title,
  async () => {
    const dataDirectory = temporaryDirectory();
    const flag = join(temporaryDirectory(), "fails");
    const service = await spawnService(dataDirectory, { LD_PRELOAD: library ?? "", FAILING_FLUSH: flag });
    const { workspace_id = "", team_id: teamId, key = "" } = service.announced;
    const write = async (tagName: string) => {
      const response = await service.fetch(`${service.baseUrl}/tag`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}` },
        body: JSON.stringify({ tagName, tagColor: "#fff", teamId }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    const before = await write("before");
    expect(before.status).toBe(200);

    writeFileSync(flag, "");
    const writing = Array.from({ length: 8 }, (_, number) => write(`during ${number}`));
    // Others get a response that nothing was done, or can no longer connect.
    const answers = (await Promise.allSettled(writing)).flatMap((result) =>
      result.status === "fulfilled" ? [result.value] : [],
    );
    for (const { status, headers, body } of answers) {
      expect({ status, error: body.error }).toEqual({ status: 503, error: expect.stringMatching(outcomes) });
      expect(headers.get("retry-after")).toBe("1");
    }
    expect(await service.ended).toBe(1);
    expect(service.log()).toContain(
      `"message":"service ended","cause":"the disk that holds ${dataDirectory}/commonplace.db failed during a commit (`,
    );

    rmSync(flag);
    const next = await spawnService(dataDirectory);
    const rows = engine.rowsOf(dataDirectory);
    const ledger = await rows<{ id: string }>("select id from ledger");
    const tags = await rows<{ tag_name: string }>("select tag_name from tags");
    // The commit was in the log, where the start found it: only the flush had failed.
    const unknown = answers.filter(({ body }) => body.error === "outcome_unknown");
    expect(unknown).not.toEqual([]);
    const ids = [before.headers.get("x-request-id"), ...unknown.map(({ body }) => body.requestId)];
    expect(ledger.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(tags).toHaveLength(ledger.length);
    await expectConsistentBalances(rows, workspace_id);
    next.kill("SIGTERM");
    expect(await next.ended).toBe(0);
  },
);

/** @returns the library that makes flushes fail; undefined where it cannot be made */
function compile(): string | undefined {
  const compiler = Bun.which("cc");
  if (process.platform !== "linux" || !compiler || engine.name !== "sqlite") return undefined;
  const path = join(temporaryDirectory(), "failing-flush.so");
  const source = join(import.meta.dir, "../support/failing-flush.c");
  Bun.spawnSync([compiler, "-shared", "-fPIC", "-o", path, source, "-ldl"]);
  return existsSync(path) ? path : undefined;
}
