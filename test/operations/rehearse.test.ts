// deploy/high-availability/rehearse: it says how long no write succeeded, and finds writes that were lost, carried out twice, or changed.
import "../support/once.ts";
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { root, runToEnd } from "../support/program.ts";
import { type Started, startService } from "../support/service.ts";

const isMissing = Bun.which("python3") === null;
if (isMissing) console.log("rehearse.test.ts: skipped, as Python is not installed");
const script = join(root, "deploy/high-availability/rehearse");
const waitMilliseconds = 60_000;

/** What happens to a write between the program and the service. */
type Fate = "passes" | "is lost" | "happens twice" | "is changed" | "finds no database";

describe.skipIf(isMissing)("rehearse", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** Passes requests on to the service. */
  async function startFront({ fetch, service, dataDirectory }: Started, fateOf: (write: number) => Fate) {
    let writes = 0;
    const tls = {
      cert: Bun.file(join(dataDirectory, "tls/localhost.crt")),
      key: Bun.file(join(dataDirectory, "tls/localhost.key")),
    };
    const front = Bun.serve({
      port: 0,
      tls,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const send = async (body: string, idempotencyKey: string | null) => {
          const answer = await fetch(`https://localhost:${service.port}${pathname}${search}`, {
            method: request.method,
            headers: {
              Authorization: request.headers.get("Authorization") ?? "",
              ...(idempotencyKey !== null && { "Idempotency-Key": idempotencyKey }),
            },
            ...(body !== "" && { body }),
          });
          return new Response(await answer.text(), { status: answer.status });
        };
        const body = await request.text();
        const idempotencyKey = request.headers.get("Idempotency-Key");
        if (request.method !== "POST") return send(body, null);
        writes += 1;
        const fate = fateOf(writes);
        if (fate === "is lost") return Response.json({ success: true });
        if (fate === "finds no database") return Response.json({ message: "The database is gone" }, { status: 503 });
        if (fate === "happens twice") await send(body, null);
        return send(fate === "is changed" ? body.replace(/"content": "\w/, '"content": "z') : body, idempotencyKey);
      },
    });
    ends.push(() => front.stop(true));
    return { url: `https://localhost:${front.port}/api`, writes: () => writes };
  }

  async function rehearse(fateOf: (write: number) => Fate, until: (writes: number) => boolean) {
    const started = await startService({ config: { requestsPerMinute: 100_000 } });
    const { url, writes } = await startFront(started, fateOf);
    const child = Bun.spawn([script, started.team.id], {
      env: {
        PATH: process.env.PATH,
        CPL_URL: url,
        CPL_KEY: started.key.secret,
        CPL_CA: join(started.dataDirectory, "tls/ca.crt"),
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    ends.push(() => child.kill("SIGKILL"));
    const startedAt = performance.now();
    while (!until(writes())) {
      if (performance.now() - startedAt > waitMilliseconds || child.exitCode !== null) break;
      await Bun.sleep(20);
    }
    child.kill("SIGINT");
    const [status, stdout, stderr] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { status, stdout, stderr };
  }

  test("all writes are there: it says so, and how long none succeeded", async () => {
    const goneSince = { at: 0 };
    const { status, stdout, stderr } = await rehearse(
      (write) => {
        if (write < 20) return "passes";
        goneSince.at ||= performance.now();
        return performance.now() - goneSince.at < 1_500 ? "finds no database" : "passes";
      },
      (writes) => goneSince.at > 0 && performance.now() - goneSince.at > 3_000 && writes > 40,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/no write succeeds: 503 The database is gone\n.*writes succeed again, after [12]\.\d s\n/);
    expect(stdout).toMatch(
      /\nAcknowledged: \d\d+, lost: 0, carried out twice: 0, changed: 0\nLongest time without a write: [12]\.\d s\n$/,
    );
  }, 90_000);

  test("a write is lost, one is carried out twice, and one is changed: it finds each, and fails", async () => {
    const fates = new Map<number, Fate>([
      [3, "is lost"],
      [5, "happens twice"],
      [7, "is changed"],
    ]);
    const { status, stdout } = await rehearse(
      (write) => fates.get(write) ?? "passes",
      (writes) => writes >= 12,
    );
    expect(stdout).toMatch(/\nAcknowledged: \d\d, lost: 1, carried out twice: 1, changed: 1\n/);
    expect(status).toBe(1);
  }, 90_000);

  test("without a team, a key, or an answer, it says what is missing", async () => {
    const alone = await runToEnd([script]);
    expect([alone.status, alone.stderr]).toEqual([1, expect.stringContaining("CPL_KEY=cpl_... ./rehearse TEAM_ID")]);
    const { status, stderr } = await runToEnd([script, "a-team"], { CPL_URL: "https://localhost:1/api", CPL_KEY: "k" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("https://localhost:1/api does not respond: ")]);
  });
});
