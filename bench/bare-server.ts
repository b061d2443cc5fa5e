// The baseline of a call: a Bun.serve with the service's options that sends one response to every request.
// Arguments: directory of the certificate, file with the response.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordedResponse } from "./processes.ts";

const [, , tls = "", path = ""] = process.argv;
const { body, headers } = JSON.parse(readFileSync(path, "utf8")) as RecordedResponse;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: {
    cert: readFileSync(join(tls, "localhost.crt"), "utf8"),
    key: readFileSync(join(tls, "localhost.key"), "utf8"),
  },
  http2: true,
  idleTimeout: 30,
  development: false,
  fetch: () => new Response(body, { status: 200, headers }),
});
console.log(JSON.stringify({ base_url: `https://localhost:${server.port}` }));
