// An open loop: calls begin at random moments, so many a second on average, whether or not earlier ones were answered. A call's time is
// counted from the moment it should have begun, so a pause of the server is seen by every call that falls into it.
// Arguments: port, connections, seconds, calls a second, file of requests separated by NUL bytes.
import { readFileSync } from "node:fs";
import { type Connection, connect } from "./connection.ts";
import { median, percentile } from "./statistics.ts";

const [, , port, connections, seconds, rate, path = ""] = process.argv;
const requests = readFileSync(path, "latin1").split("\0");
/** Not counted: the connections' first calls. */
const warmUpMilliseconds = 200;
const patienceMilliseconds = 5_000;
const latencies: number[] = [];
const waiting: number[] = [];
let failed = 0;
const fail = () => {
  failed += 1;
};

const idle = await Promise.all(Array.from({ length: Number(connections) }, () => connect(Number(port), fail)));
const startedAt = performance.now();
const countedFrom = startedAt + warmUpMilliseconds;
const until = countedFrom + Number(seconds) * 1_000;

function ask(connection: Connection, dueAt: number): void {
  connection.send(requests[Math.floor(Math.random() * requests.length)] ?? "", (isGood) => {
    if (dueAt >= countedFrom) latencies.push(performance.now() - dueAt);
    if (!isGood) fail();
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else ask(connection, next);
  });
}

let dueAt = startedAt;
while (dueAt < until) {
  while (dueAt <= performance.now()) {
    const connection = idle.pop();
    if (connection) ask(connection, dueAt);
    else waiting.push(dueAt);
    // Gaps between independent callers are distributed exponentially.
    dueAt += -Math.log(1 - Math.random()) * (1_000 / Number(rate));
  }
  // Calls due within the same millisecond begin together. Waiting without sleep would take a processor from the server.
  await Bun.sleep(1);
}
// What is not answered soon after counts as failed.
for (let waited = 0; idle.length < Number(connections) && waited < patienceMilliseconds; waited += 10)
  await Bun.sleep(10);
console.log(
  JSON.stringify({
    calls: latencies.length,
    perSecond: latencies.length / Number(seconds),
    medianMilliseconds: median(latencies),
    p99Milliseconds: percentile(latencies, 0.99),
    failed: failed + Number(connections) - idle.length + waiting.length,
  }),
);
process.exit(0);
