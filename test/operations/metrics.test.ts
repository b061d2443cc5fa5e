// What Prometheus reads from a node: exact counts of calls, commits, and process metrics.
import { describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import program from "../../package.json" with { type: "json" };
import { databaseConfig, engine } from "../support/engine.ts";
import { scrapeSeries as read, startMeasured } from "../support/metrics.ts";
import { type Started, startService, text } from "../support/service.ts";
import { openTls, requestText } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";
const wrongKey = `cpl_${"x".repeat(43)}`;

/** An admitted call, which is one transaction that writes. */
const askForFolder = (started: Started) =>
  started.call("GET", "/folder", { key: started.key.secret, query: { id: never } });

/** How much each call counter grew during this work, without gauges, times and unchanged counters. */
async function growth(started: Started, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await read(started);
  await work();
  const after = await read(started);
  const isOfRequests =
    /^commonplace_(requests_total|request_duration_seconds_count|units_charged_total|requests_refused_total)/;
  const grown = [...after].map(([series, value]): [string, number] => [series, value - (before.get(series) ?? 0)]);
  return Object.fromEntries(grown.filter(([series, by]) => isOfRequests.test(series) && by !== 0));
}

describe("calls", () => {
  test("each call is counted once, under its operation, status, units and code", async () => {
    const started = await startMeasured();
    const key = started.key.secret;
    const snippet = await started.given.snippet();
    const grown = await growth(started, async () => {
      await started.call("GET", "/snippet", { key, query: { id: snippet.id } });
      await started.call("GET", "/snippet", { key, query: { id: snippet.id } });
      await started.call("GET", "/snippet", { key, query: { id: never } });
      await started.call("GET", "/snippet", { key, query: { id: "x" } });
      await started.call("GET", "/snippet", { key: wrongKey, query: { id: snippet.id } });
      await started.call("GET", "/snippet", { query: { id: snippet.id } });
      await started.call("POST", "/tag", { key, body: { tagName: "A", tagColor: "B", teamId: started.team.id } });
      await started.call("POST", "/tag", { key, body: "{" });
    });
    expect(grown).toEqual({
      'commonplace_requests_total{operation="getSnippet",status="200"}': 2,
      'commonplace_requests_total{operation="getSnippet",status="400"}': 1,
      'commonplace_requests_total{operation="getSnippet",status="401"}': 2,
      'commonplace_requests_total{operation="getSnippet",status="404"}': 1,
      'commonplace_requests_total{operation="postTag",status="200"}': 1,
      'commonplace_requests_total{operation="postTag",status="400"}': 1,
      'commonplace_request_duration_seconds_count{operation="getSnippet"}': 6,
      'commonplace_request_duration_seconds_count{operation="postTag"}': 2,
      'commonplace_units_charged_total{operation="getSnippet"}': 4,
      'commonplace_units_charged_total{operation="postTag"}': 2,
      'commonplace_requests_refused_total{code="snippet_not_found"}': 1,
      'commonplace_requests_refused_total{code="invalid_request"}': 1,
      'commonplace_requests_refused_total{code="invalid_api_key"}': 1,
      'commonplace_requests_refused_total{code="authorization_required"}': 1,
      'commonplace_requests_refused_total{code="invalid_json"}': 1,
    });
  });

  test("the units are those of the ledger, for a call of many items as well", async () => {
    const started = await startMeasured();
    const items = Array.from({ length: 7 }, (_, at) => ({
      title: `T${at}`,
      content: text("x"),
      teamId: started.team.id,
    }));
    const unitsInLedger = async () => (await started.ledger()).reduce((sum, row) => sum + row.units, 0);
    const before = await unitsInLedger();
    const grown = await growth(started, () => started.client.postSnippets({ snippets: items }));
    expect(grown['commonplace_units_charged_total{operation="postSnippets"}']).toBe((await unitsInLedger()) - before);
    expect(grown['commonplace_units_charged_total{operation="postSnippets"}']).toBeGreaterThan(1);
  });

  test("what is no operation is counted under two names, whatever the client wrote", async () => {
    const started = await startMeasured();
    const origin = new URL(started.baseUrl).origin;
    const before = await read(started);
    const grown = await growth(started, async () => {
      for (const path of ["/healthz", "/api/openapi.json"]) await started.fetch(`${origin}${path}`);
      for (const path of ["/a", "/b%22%7D%0A", "/api/c", "/metrics"]) await started.fetch(`${origin}${path}`);
      await started.fetch(`${origin}/api/snippet`, { method: "PROPFIND" });
      await started.fetch(`http://127.0.0.1:${started.service.httpPort}/elsewhere`);
      await started.fetch(`http://127.0.0.1:${started.service.httpPort}/api/snippet`);
    });
    expect(grown).toEqual({
      'commonplace_requests_total{operation="open",status="200"}': 2,
      'commonplace_requests_total{operation="none",status="404"}': 4,
      'commonplace_requests_total{operation="none",status="405"}': 1,
      'commonplace_requests_total{operation="none",status="403"}': 1,
      'commonplace_requests_total{operation="getSnippet",status="403"}': 1,
      'commonplace_request_duration_seconds_count{operation="open"}': 2,
      'commonplace_request_duration_seconds_count{operation="none"}': 6,
      'commonplace_request_duration_seconds_count{operation="getSnippet"}': 1,
      'commonplace_requests_refused_total{code="not_found"}': 4,
      'commonplace_requests_refused_total{code="method_not_allowed"}': 1,
      'commonplace_requests_refused_total{code="https_required"}': 2,
    });
    const fresh = [...(await read(started)).keys()].filter((series) => !before.has(series));
    expect(fresh.every((series) => series.startsWith("commonplace_requests_total{"))).toBe(true);
  });

  test("a call that is refused by limit or quota is counted by its code, and costs nothing", async () => {
    const limited = await startService({ config: { metricsPort: 0, requestsPerMinute: 1 } });
    const key = limited.key.secret;
    await limited.call("GET", "/snippet", { key, query: { id: never } });
    const grown = await growth(limited, () => limited.call("GET", "/snippet", { key, query: { id: never } }));
    expect(grown).toEqual({
      'commonplace_requests_total{operation="getSnippet",status="429"}': 1,
      'commonplace_request_duration_seconds_count{operation="getSnippet"}': 1,
      'commonplace_requests_refused_total{code="rate_limit_exceeded"}': 1,
    });
    await limited.service.stop();
  });

  test("while a large body comes in, a call and an upload are under way; afterwards none", async () => {
    const started = await startMeasured();
    const body = JSON.stringify({ title: "x".repeat(10), content: text("y".repeat(200_000)), teamId: started.team.id });
    const head = requestText("POST", "/api/snippet", { Authorization: `Bearer ${started.key.secret}` }, body);
    const socket = await openTls(started.service.port, { ca: started.ca });
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.resume().write(head.slice(0, -100_000));
    const underWay = async () => {
      const series = await read(started);
      const names = [
        "commonplace_requests_in_flight",
        "commonplace_uploads_in_flight",
        "commonplace_upload_bytes_in_flight",
      ];
      return names.map((name) => series.get(name));
    };
    while ((await underWay())[1] === 0);
    expect(await underWay()).toEqual([1, 1, body.length]);
    socket.write(head.slice(-100_000));
    await closed;
    expect(await underWay()).toEqual([0, 0, 0]);
  });

  test("each queue is shown with its limit", async () => {
    const series = await read(await startMeasured());
    for (const queue of ["requests", "searches", "turns", "refused_requests"]) {
      expect(series.get(`commonplace_queue_entries{queue="${queue}"}`)).toBe(0);
      expect(series.get(`commonplace_queue_capacity{queue="${queue}"}`)).toBeGreaterThan(100);
    }
  });

  test("the histogram holds the time that a call took", async () => {
    const started = await startMeasured();
    const sum = async () =>
      (await read(started)).get('commonplace_request_duration_seconds_sum{operation="getFolder"}') ?? 0;
    const before = await sum();
    const startedAt = performance.now();
    for (let count = 0; count < 20; count += 1) await askForFolder(started);
    const tookSeconds = (performance.now() - startedAt) / 1_000;
    const told = (await sum()) - before;
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(tookSeconds);
  });
});

describe("database", () => {
  test("commits, and the transactions that they carry", async () => {
    const started = await startMeasured();
    const totals = async () => {
      const series = await read(started);
      return ["batch_size_sum", "batch_size_count", "duration_seconds_count"].map(
        (end) => series.get(`commonplace_commit_${end}`) ?? 0,
      );
    };
    const [carriedBefore = 0, commitsBefore = 0] = await totals();
    // Short reads of several keys, which share transactions on PostgreSQL too once they wait for each other.
    const keys = [started.key, started.limitedKey, started.emptyKey];
    const askForSnippet = (_: unknown, index: number) =>
      started.call("GET", "/snippet", { key: keys[index % keys.length]?.secret, query: { id: never } });
    let sent = 0;
    let [carried, commits, timed = 0] = [carriedBefore, commitsBefore];
    while (commits - commitsBefore >= carried - carriedBefore) {
      await Promise.all(Array.from({ length: 40 }, askForSnippet));
      sent += 40;
      [carried = 0, commits = 0, timed = 0] = await totals();
    }
    expect(carried - carriedBefore).toBe(sent);
    expect(timed).toBe(commits);
    expect(commits).toBeGreaterThan(commitsBefore);
    await started.service.database.read(async () => undefined);
    expect(await totals()).toEqual([carried, commits, commits]);
  });

  test("the connections are those of the setting; none where the engine runs inside", async () => {
    const started = await startMeasured();
    const { databaseConnections } = await databaseConfig(started.dataDirectory);
    const figure = async (end: string) => (await read(started)).get(`commonplace_database_${end}`);
    const runsInside = engine.name === "sqlite";
    expect(await figure("connections_limit")).toBe(runsInside ? 0 : databaseConnections);
    // What the node does by itself takes one for a moment.
    while ((await figure("connections_in_use")) !== 0 || (await figure("connection_waiters")) !== 0);
    if (runsInside) return;
    await started.service.database.read(async () => {
      expect(await figure("connections_in_use")).toBeGreaterThan(0);
    });
  });

  test("a lost database is counted, makes the node not ready, and takes no figures with it", async () => {
    const started = await startService({ config: { metricsPort: 0 } });
    const failed = async () => (await read(started)).get("commonplace_database_failures_total");
    expect(await failed()).toBe(0);
    const makeAvailable = await engine.makeUnavailable(started.dataDirectory);
    const grown = await growth(started, () => askForFolder(started));
    expect(grown).toEqual({
      'commonplace_requests_total{operation="getFolder",status="503"}': 1,
      'commonplace_request_duration_seconds_count{operation="getFolder"}': 1,
      'commonplace_requests_refused_total{code="unavailable"}': 1,
    });
    // The call, and the readiness checks and reads of the storage and the keys of the scrapes before and after it, perhaps also of the third.
    expect(await failed()).toBeWithin(7, 11);
    expect((await read(started)).get("commonplace_ready")).toBe(0);
    await makeAvailable();
    while ((await read(started)).get("commonplace_ready") === 0);
    expect((await askForFolder(started)).status).toBe(404);
    await started.service.stop();
  });
});

describe("process", () => {
  test("figures of the process that Prometheus' own clients tell as well", async () => {
    const started = await startMeasured();
    const series = await read(started);
    const nowSeconds = Date.now() / 1_000;
    const figure = (name: string) => series.get(`process_${name}`) ?? Number.NaN;
    expect(figure("start_time_seconds") + figure("uptime_seconds")).toBeWithin(nowSeconds - 2, nowSeconds + 2);
    expect(figure("cpu_seconds_total")).toBeWithin(0.01, figure("uptime_seconds") * 64);
    expect(figure("resident_memory_bytes")).toBeGreaterThan(figure("heap_bytes"));
    expect(figure("heap_bytes")).toBeGreaterThan(1_000_000);
    if (process.platform === "linux") expect(figure("max_fds")).toBeGreaterThan(figure("open_fds"));
    expect((await read(started)).get("process_start_time_seconds")).toBe(figure("start_time_seconds"));
  });

  test("work that holds the event loop shows as its delay", async () => {
    const started = await startMeasured();
    const told = async () => {
      const series = await read(started);
      const figure = (end: string) => series.get(`commonplace_event_loop_delay_seconds_${end}`) ?? 0;
      return { sum: figure("sum"), count: figure("count"), slow: figure("count") - figure('bucket{le="0.1"}') };
    };
    const startedAt = performance.now();
    const before = await told();
    Bun.sleepSync(400);
    let after = await told();
    // The timer may have fired just before, and more than once on a busy machine.
    while (after.slow === before.slow && after.count < before.count + 20) after = await told();
    expect(after.slow).toBeGreaterThan(before.slow);
    expect(after.sum - before.sum).toBeWithin(0.3, (performance.now() - startedAt) / 1_000);
  });

  test("the certificate expiry and the version are exported", async () => {
    const started = await startMeasured();
    const series = await read(started);
    const { validTo } = new X509Certificate(started.service.certificate.cert);
    expect(series.get("commonplace_certificate_expiry_timestamp_seconds")).toBe(Date.parse(validTo) / 1_000);
    const labels = `bun="${Bun.version}",engine="${engine.name}",version="${program.version}"`;
    expect(series.get(`commonplace_build_info{${labels}}`)).toBe(1);
  });
});
