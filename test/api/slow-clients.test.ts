// Clients that are slow or disconnect do not delay others.
import { describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import { type Started, startService } from "../support/service.ts";
import { openTls, parseAnswer, readToEnd } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";

const open = (started: Started): Promise<TLSSocket> => openTls(started.service.port, { ca: started.ca });

const originOf = (started: Started): string => new URL(started.baseUrl).origin;

describe("slow and leaving clients", () => {
  const head = (started: Started, length: number) =>
    [
      "POST /api/tag HTTP/1.1",
      "Host: localhost",
      "Connection: close",
      `Authorization: Bearer ${started.key.secret}`,
      `Content-Length: ${length}`,
      "",
      "",
    ].join("\r\n");
  const write = (socket: TLSSocket, part: string): Promise<void> =>
    new Promise((resolve) => {
      socket.write(part, () => resolve());
    });

  test("clients that send half a head or half a body stop nobody", async () => {
    const started = await startService();
    const slow: TLSSocket[] = [];
    for (let count = 0; count < 100; count += 1) {
      const socket = await open(started);
      await write(socket, count % 2 === 0 ? "GET /api/snippet HTTP/1.1\r\nHo" : `${head(started, 1_000)}{"tagName":`);
      slow.push(socket);
    }
    const probe = async () => {
      const [health, call] = await Promise.all([
        started.fetch(`${originOf(started)}/healthz`),
        started.call("GET", "/tags", { key: started.key.secret, query: { ids: never } }),
      ]);
      return [health.status, call.status];
    };
    for (let count = 0; count < 20; count += 1) expect(await probe()).toEqual([200, 200]);
    // They are still connected: the other calls did not have to wait for their end.
    expect(slow.filter((socket) => socket.closed || socket.destroyed)).toEqual([]);
    expect(await started.ledger()).toHaveLength(20);
    for (const socket of slow) socket.destroy();
  });

  test("a body that comes in pieces is read to its end", async () => {
    const started = await startService();
    const body = JSON.stringify({ tagName: "In pieces", tagColor: "#fff", teamId: started.team.id });
    const socket = await open(started);
    const ending = readToEnd(socket);
    await write(socket, head(started, Buffer.byteLength(body)));
    for (let at = 0; at < body.length; at += 20) await write(socket, body.slice(at, at + 20));
    expect(parseAnswer(await ending)).toMatchObject({
      status: 200,
      body: { data: { tag: { tag_name: "In pieces" } } },
    });
  });

  /** Resolves when the service has logged this many calls. */
  async function logged(started: Started, calls: number): Promise<Record<string, unknown>[]> {
    while (started.lines.length < calls) await Bun.sleep(1);
    return started.lines.map((line) => JSON.parse(line));
  }

  test("a client that leaves in the middle of its body: a failed call like any other, and no failure of ours", async () => {
    const started = await startService({});
    for (const framing of ["Content-Length: 1000", "Transfer-Encoding: chunked"]) {
      const socket = await open(started);
      await write(
        socket,
        `POST /api/tag HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${started.key.secret}\r\n${framing}\r\n\r\n5\r\n{"tag`,
      );
      // Answered on another connection only after the first was read.
      await started.fetch(`${originOf(started)}/healthz`);
      socket.destroy();
    }
    const lines = (await logged(started, 4)).filter((line) => line.method === "POST");
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatchObject({ level: "info", message: "request", operation: "postTag", status: 400, units: 1 });
    expect(started.lines).toHaveLength(4);
    expect(await started.ledger()).toMatchObject([
      { operation: "postTag", status: 400, units: 1 },
      { operation: "postTag", status: 400, units: 1 },
    ]);
  });

  test("clients that leave before their answer: each call is carried out and charged, or neither", async () => {
    const started = await startService({});
    const body = JSON.stringify({ tagName: "Left", tagColor: "#fff", teamId: started.team.id });
    for (let count = 0; count < 50; count += 1) {
      const socket = await open(started);
      socket.on("error", () => undefined);
      await write(socket, head(started, Buffer.byteLength(body)) + body);
      socket.destroy();
    }
    expect((await started.given.tag()).tag_name).toBe("A tag");
    // In one statement: the last calls may still be in flight.
    const [totals] = await started.rows(
      `select (select count(*) from tags t where t.workspace_id = m.workspace_id) as made,
         (select count(*) from ledger l where l.workspace_id = m.workspace_id and l.status = 200) as charged,
         100000 - m.balance as drawn
       from quota_months m where m.workspace_id = ?`,
      started.workspace.id,
    );
    expect(totals).toEqual({ made: totals?.made, charged: totals?.made, drawn: totals?.made });
    expect(started.lines.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
  });
});
