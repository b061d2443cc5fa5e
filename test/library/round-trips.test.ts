// How often a call waits for the database, counted by a proxy between the service and the server.
import { describe, expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { operationNames, operations } from "../../src/contract/operations.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { needsImport } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { afterAllTests } from "../support/cleanup.ts";
import { databaseConfig, engine } from "../support/engine.ts";
import { startService, temporaryDirectory } from "../support/service.ts";
import { makeTargets } from "../support/targets.ts";

/** A proxy that counts round trips: bytes for the server that follow bytes from it. */
async function countRoundTrips(url: string) {
  const { hostname, port } = new URL(url);
  let count = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let isAnswered = true;
    client.on("data", (bytes) => {
      if (isAnswered) count += 1;
      isAnswered = false;
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      isAnswered = true;
      client.write(bytes);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  afterAllTests(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = proxy.address();
  const proxied = new URL(url);
  proxied.port = String(typeof address === "object" ? address?.port : "");
  return { url: proxied.href, count: () => count };
}

/** No jobs: their statements would be counted. */
const untilStopped: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

describe.skipIf(engine.name !== "postgres")("round trips to PostgreSQL (SQLite has none)", () => {
  test("each operation takes at most as many as stated", async () => {
    const directory = temporaryDirectory();
    const config = await databaseConfig(directory);
    if (config.database.engine !== "postgres") throw new Error("this is for PostgreSQL");
    const counter = await countRoundTrips(config.database.url);
    const database = { engine: "postgres", url: counter.url } as const;
    // One connection, so that every statement is prepared once it was used.
    const started = await startService({ config: { ...config, database, databaseConnections: 1 }, wait: untilStopped });
    const above: string[] = [];
    for (const name of operationNames) {
      const { method, path } = operations[name];
      for (let round = 0; round < 2; round += 1) {
        const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
        const request = cases[name].request(targets);
        const before = counter.count();
        const answer = await started.call(method, path, { key: started.key.secret, ...request });
        expect(answer.status).toBe(200);
        const count = counter.count() - before;
        // The first time prepares the statements.
        if (round > 0 && count > cases[name].roundTripsMax) above.push(`${name}: ${count}`);
      }
    }
    expect(above).toEqual([]);
  });
});
