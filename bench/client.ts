// A small load generator for machines without wrk: persistent connections, each of which asks again as soon as it is answered.
// Arguments: port, connections, seconds, file of requests separated by NUL bytes.
import { readFileSync } from "node:fs";
import { type Connection, connect } from "./connection.ts";
import { median, percentile } from "./statistics.ts";

const [, , port, connections, seconds, path = ""] = process.argv;
const requests = readFileSync(path, "latin1").split("\0");
const latencies: number[] = [];
let failed = 0;
let isStopped = false;
const fail = () => {
  failed += 1;
};

function ask(connection: Connection): void {
  const sentAt = performance.now();
  connection.send(requests[Math.floor(Math.random() * requests.length)] ?? "", (isGood) => {
    if (isStopped) return;
    latencies.push(performance.now() - sentAt);
    if (!isGood) fail();
    ask(connection);
  });
}

const open = await Promise.all(Array.from({ length: Number(connections) }, () => connect(Number(port), fail)));
const startedAt = performance.now();
for (const connection of open) ask(connection);
await Bun.sleep(Number(seconds) * 1_000);
isStopped = true;
const perSecond = (latencies.length / (performance.now() - startedAt)) * 1_000;
for (const connection of open) connection.close();
console.log(
  JSON.stringify({
    calls: latencies.length,
    perSecond,
    medianMilliseconds: median(latencies),
    p99Milliseconds: percentile(latencies, 0.99),
    failed,
  }),
);
process.exit(0);
