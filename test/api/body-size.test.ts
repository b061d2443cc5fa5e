// The limit of request bodies over HTTP/1.1, with a declared length and in chunks.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { connect } from "node:tls";
import { type Started, startService } from "../support/service.ts";

describe("a body of 8 MiB and more, over HTTP/1.1", () => {
  const mebibyte = 1024 * 1024;
  const folderOf = ({ team }: Started, bytes: number) =>
    JSON.stringify({ folderName: "N", folderColor: "c", teamId: team.id }).padEnd(bytes, " ");

  /** Makes one call on a new connection, with raw headers and body. */
  const exchange = (started: Started, head: string, body: Iterable<string>) =>
    new Promise<{ status: number; body: Record<string, unknown>; cost: string }>((resolve, reject) => {
      const { port } = new URL(started.baseUrl);
      const socket = connect({
        host: "localhost",
        port: Number(port),
        ca: started.ca,
        servername: "localhost",
        ALPNProtocols: ["http/1.1"],
      });
      let answer = "";
      socket.on("error", reject);
      socket.on("data", (data) => {
        answer += data.toString();
        const [headers = "", rest = ""] = answer.split(/\r\n\r\n(.*)/s);
        const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? Number.POSITIVE_INFINITY);
        if (rest.length < length) return;
        socket.destroy();
        resolve({
          status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]),
          body: JSON.parse(rest.slice(0, length)),
          cost: /x-request-cost: (\d+)/i.exec(headers)?.[1] ?? "",
        });
      });
      socket.on("close", () => reject(new Error(`closed without an answer: ${answer.slice(0, 200)}`)));
      socket.on("secureConnect", async () => {
        socket.write(
          `POST /api/folder HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${started.key.secret}\r\n${head}\r\n\r\n`,
        );
        for (const part of body) if (!socket.write(part)) await new Promise((drained) => socket.once("drain", drained));
      });
    });

  const withLength = (started: Started, bytes: number) =>
    exchange(started, `Content-Length: ${bytes}`, [folderOf(started, bytes)]);
  const chunked = (started: Started, bytes: number) => {
    const whole = folderOf(started, bytes);
    function* chunks() {
      for (let at = 0; at < whole.length; at += mebibyte) {
        const chunk = whole.slice(at, at + mebibyte);
        yield `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
      }
      yield "0\r\n\r\n";
    }
    return exchange(started, "Transfer-Encoding: chunked", chunks());
  };

  for (const [how, sendBytes] of [
    ["with Content-Length", withLength],
    ["in chunks", chunked],
  ] as const) {
    test(`${how}: exactly 8 MiB is taken`, async () => {
      const started = await startService();
      const answer = await sendBytes(started, 8 * mebibyte);
      expect(answer).toMatchObject({ status: 200, body: { success: true }, cost: "1" });
    });

    test.each([8 * mebibyte + 1, 20 * mebibyte])(
      `${how}: %d bytes are answered 413 in the interface's form, for 1 unit`,
      async (bytes) => {
        const started = await startService();
        const answer = await sendBytes(started, bytes);
        expect(answer).toEqual({
          status: 413,
          body: {
            success: false,
            message: "Request body is too large",
            error: "body_too_large",
            requestId: expect.any(String),
          },
          cost: "1",
        });
        expect(await started.balance()).toBe(99_999);
        expect((await started.content()).flat()).toEqual([]);
        expect(await started.ledger()).toMatchObject([{ operation: "postFolder", status: 413, units: 1 }]);
      },
    );
  }
});
