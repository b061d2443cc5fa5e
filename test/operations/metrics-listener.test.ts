// The listener of /metrics: off by default, only for Prometheus, in its format, and without customer data.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { readConfig } from "../../src/config.ts";
import { operationNames } from "../../src/contract/operations.ts";
import { type Sources, watchService } from "../../src/operations/metrics/service.ts";
import { Downloads } from "../../src/platform/http/downloads.ts";
import { Probes } from "../../src/platform/http/probes.ts";
import { Uploads } from "../../src/platform/http/uploads.ts";
import { metricsAddress as addressOf, scrapeSeries as read, scrape, startMeasured } from "../support/metrics.ts";
import { freePort } from "../support/ports.ts";
import { root } from "../support/program.ts";
import { hasPromtool, parseMetrics, parseSample, promtool, seriesIn } from "../support/prometheus.ts";
import { startService, text } from "../support/service.ts";
import { openTls, readToEnd, requestText } from "../support/sockets.ts";

/** What a service of its own would be looked up in. */
async function sources(overrides: Partial<Sources>): Promise<Sources> {
  const { certificate } = (await startMeasured()).service;
  return {
    engine: "sqlite",
    database: { pool: () => undefined },
    auditExport: async () => ({ entries: 0, seconds: 0 }),
    expiringKeys: async () => 0,
    storage: async () => ({ bytes: 0, nearlyFull: 0 }),
    uploads: new Uploads(),
    downloads: new Downloads(),
    queues: () => [{ name: "requests", waiting: 3, max: 8_192 }],
    probes: { isDraining: false, isReady: async () => true },
    certificate: () => certificate.cert,
    ...overrides,
  };
}

describe("the listener", () => {
  test("is off by default, and /metrics is no path of the service", async () => {
    const started = await startService();
    expect(started.service.metricsPort).toBeUndefined();
    expect(readConfig({}).metricsPort).toBeUndefined();
    expect(readConfig({ COMMONPLACE_METRICS_PORT: "9464" })).toMatchObject({
      metricsPort: 9464,
      metricsHost: "127.0.0.1",
    });
    const measured = await startMeasured();
    for (const path of ["/metrics", "/api/metrics"]) {
      const answer = await measured.fetch(`${new URL(measured.baseUrl).origin}${path}`);
      expect({ status: answer.status, code: (await answer.json()).error }).toEqual({ status: 404, code: "not_found" });
    }
  });

  test("answers GET and HEAD of /metrics, and nothing else", async () => {
    const address = addressOf(await startMeasured());
    const got = await fetch(`${address}/metrics?name=x`);
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(got.headers.get("cache-control")).toBe("no-store");
    const head = await fetch(`${address}/metrics`, { method: "HEAD" });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
    expect(head.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    for (const path of ["/", "/metrics/", "/healthz", "/api/snippet", "/METRICS"])
      expect({ path, status: (await fetch(`${address}${path}`)).status }).toEqual({ path, status: 404 });
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const refused = await fetch(`${address}/metrics`, { method });
      expect({ method, status: refused.status, allow: refused.headers.get("allow") }).toEqual({
        method,
        status: 405,
        allow: "GET, HEAD",
      });
    }
  });

  test("a port that is taken is refused in one line that names the setting, and nothing else stays open", async () => {
    const started = await startMeasured();
    const port = started.service.metricsPort ?? 0;
    const apiPort = freePort();
    const starting = startService({ config: { metricsPort: port, port: apiPort } });
    await expect(starting).rejects.toThrow(
      `port ${port} is already in use. If Commonplace is running, stop it; otherwise set COMMONPLACE_METRICS_PORT to another port`,
    );
    await expect(openTls(apiPort)).rejects.toThrow();
  });

  test("answers while the node is ending, says so, and ends with it", async () => {
    const started = await startService({ config: { metricsPort: 0 } });
    const body = JSON.stringify({ title: "In flight", content: text("x"), teamId: started.team.id });
    const request = requestText("POST", "/api/snippet", { Authorization: `Bearer ${started.key.secret}` }, body);
    const socket = await openTls(started.service.port, { ca: started.ca });
    const answer = readToEnd(socket);
    socket.write(request.slice(0, -10));
    while ((await read(started)).get("commonplace_requests_in_flight") === 0);
    const state = async () => {
      const series = await read(started);
      return { draining: series.get("commonplace_draining"), ready: series.get("commonplace_ready") };
    };
    expect(await state()).toEqual({ draining: 0, ready: 1 });

    const stopped = started.service.stop();
    expect(await state()).toEqual({ draining: 1, ready: 0 });
    socket.write(request.slice(-10));
    expect(await answer).toStartWith("HTTP/1.1 200 OK");
    await stopped;
    await expect(fetch(`${addressOf(started)}/metrics`)).rejects.toThrow();
  });
});

describe("the text", () => {
  test("keeps the format to the letter", async () => {
    const families = parseMetrics(await scrape(await startMeasured()));
    for (const [name, { type, help }] of families) {
      expect(help.length).toBeGreaterThan(10);
      expect({ name, type, isTotal: name.endsWith("_total") }).toEqual({ name, type, isTotal: type === "counter" });
    }
  });

  test.skipIf(!hasPromtool)("leaves promtool nothing to say", async () => {
    const written = await scrape(await startMeasured());
    expect(await promtool(["check", "metrics"], written)).toEqual({ status: 0, text: "" });
  });

  test("has as many series as docs/operate/monitoring.md says", async () => {
    const text = await (await fetch(`${addressOf(await startMeasured())}/metrics`)).text();
    const series = text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;
    const [, told = ""] =
      /There are about ([\d,]+) series/.exec(readFileSync(join(root, "docs/operate/monitoring.md"), "utf8")) ?? [];
    expect(Math.abs(series / Number(told.replace(",", "")) - 1)).toBeLessThan(0.1);
  });

  test("holds every operation from the first moment, so that a first call is an increase", async () => {
    const started = await startService({ config: { metricsPort: 0 } });
    const series = await read(started);
    for (const operation of operationNames) {
      expect(series.get(`commonplace_requests_total{operation="${operation}",status="200"}`)).toBe(0);
      expect(series.get(`commonplace_request_duration_seconds_count{operation="${operation}"}`)).toBe(0);
      expect(series.get(`commonplace_units_charged_total{operation="${operation}"}`)).toBe(0);
    }
    for (const code of ["internal_error", "unavailable", "busy", "not_found", "method_not_allowed", "draining"])
      expect(series.get(`commonplace_requests_refused_total{code="${code}"}`)).toBe(0);
    await started.service.stop();
  });

  test("names nobody: no key, no workspace, no team, no snippet, no address, no path", async () => {
    const started = await startMeasured();
    const snippet = await started.given.snippet({ title: "A telling title" });
    await started.call("GET", "/a-telling-path", { key: started.key.secret });
    const written = await scrape(started);
    const [row] = await started.ledger();
    const telling = [
      started.key.secret,
      started.key.secret.slice(0, 12),
      started.key.id,
      started.workspace.id,
      started.team.id,
      snippet.id,
      row?.id,
      "telling",
      "127.0.0.1",
      started.dataDirectory,
    ];
    expect(telling.filter((word) => word === undefined || written.includes(word))).toEqual([]);
    expect(written).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  test("label values are escaped, whatever is in them", async () => {
    const registry = new Registry();
    const hostile = 'a"} 1\nb\\n{c="\n# HELP x';
    watchService(registry, await sources({ engine: hostile }));
    const line = (await registry.metrics()).split("\n").find((text) => text.startsWith("commonplace_build_info"));
    expect(parseSample(line ?? "").labels.engine).toBe(hostile);
  });

  test("a database that hangs holds a scrape up for two seconds, not longer", async () => {
    const registry = new Registry();
    const hanging = { ping: () => new Promise<void>(() => undefined) };
    watchService(registry, await sources({ probes: new Probes(hanging, () => undefined) }));
    const startedAt = performance.now();
    expect(seriesIn(parseMetrics(await registry.metrics())).get("commonplace_ready")).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});
