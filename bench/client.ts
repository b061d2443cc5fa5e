// A small load generator for machines without wrk: HTTP/1.1 over TLS with persistent connections and one request in flight on each.
// Arguments: port, connections, seconds, file of requests separated by NUL bytes.
import { readFileSync } from "node:fs";
import type { Socket } from "bun";
import { median, percentile } from "./statistics.ts";

const [, , port, connections, seconds, path = ""] = process.argv;
const requests = readFileSync(path, "latin1").split("\0");
const latencies: number[] = [];
let failed = 0;
let isStopped = false;

interface Connection {
  sentAt: number;
  /** Bytes that the socket has not accepted yet. */
  unsent: Buffer;
  received: string;
}

const headEnd = "\r\n\r\n";

/** True when a response is complete; the service always declares its length. */
function isComplete(received: string): boolean {
  const end = received.indexOf(headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  return end > 0 && received.length >= end + headEnd.length + Number(length);
}

function send(socket: Socket<Connection>): void {
  const request = requests[Math.floor(Math.random() * requests.length)] ?? "";
  socket.data.received = "";
  socket.data.sentAt = performance.now();
  write(socket, Buffer.from(request, "latin1"));
}

function write(socket: Socket<Connection>, bytes: Buffer): void {
  socket.data.unsent = bytes.subarray(Math.max(0, socket.write(bytes)));
}

const sockets = await Promise.all(
  Array.from({ length: Number(connections) }, () =>
    Bun.connect<Connection>({
      hostname: "127.0.0.1",
      port: Number(port),
      // The certificate is made for this run. The benchmark measures encryption, not trust.
      tls: { rejectUnauthorized: false },
      data: { sentAt: 0, unsent: Buffer.alloc(0), received: "" },
      socket: {
        handshake: send,
        drain: (socket) => {
          if (socket.data.unsent.length > 0) write(socket, socket.data.unsent);
        },
        data: (socket, bytes) => {
          socket.data.received += bytes.toString("latin1");
          if (isStopped || !isComplete(socket.data.received)) return;
          latencies.push(performance.now() - socket.data.sentAt);
          if (!socket.data.received.startsWith("HTTP/1.1 200")) failed += 1;
          send(socket);
        },
        close: () => {
          if (!isStopped) failed += 1;
        },
      },
    }),
  ),
);

const startedAt = performance.now();
const responsesBefore = latencies.length;
await Bun.sleep(Number(seconds) * 1_000);
isStopped = true;
const perSecond = ((latencies.length - responsesBefore) / (performance.now() - startedAt)) * 1_000;
for (const socket of sockets) socket.end();
console.log(
  JSON.stringify({
    perSecond,
    medianMilliseconds: median(latencies),
    p99Milliseconds: percentile(latencies, 0.99),
    failed,
  }),
);
process.exit(0);
