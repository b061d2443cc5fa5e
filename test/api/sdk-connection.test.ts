// Why a request of the SDK had no response, in words that say what to do: real connections, from Bun and from Node.
import "../support/once.ts";
import { beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import { Commonplace, ConnectionError } from "../../sdk/src/index.ts";
import { freePort } from "../support/ports.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

const root = join(import.meta.dir, "../..");
const directory = temporaryDirectory();
const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const closedPort = freePort();
const built = Bun.spawnSync([process.execPath, "sdk/build.ts", join(directory, "sdk")], { cwd: root });
const script = join(directory, "call.mjs");
writeFileSync(
  script,
  `import { Commonplace } from ${JSON.stringify(join(directory, "sdk/index.js"))};
const client = new Commonplace({ baseUrl: process.argv[2], apiKey: "cpl_wrong" });
const { code, message } = await client.getSnippet({ id: "${id}" }).catch((error) => error);
console.log(JSON.stringify({ code, message }));`,
);

let baseUrl = "";
let caPath = "";
beforeAll(async () => {
  const { service } = await startService();
  baseUrl = service.baseUrl;
  caPath = service.certificate.caPath ?? "";
});

/** What the SDK says in Node, whose errors lie two causes deep, or in Bun. */
async function failureIn(runtime: string, url: string, environment: Record<string, string> = {}) {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  const child = Bun.spawn([runtime, script, url], { env: { ...inherited, ...environment }, stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const runtimes = [
  ["Node", "node"],
  ["Bun", process.execPath],
] as const;

test("the package is built, and says what it built", () => {
  expect(built.stderr.toString()).toBe("");
  const [title = "", ...lines] = built.stdout.toString().trimEnd().split("\n");
  expect(title).toMatch(/^Built the TypeScript client \(@commonplace-app\/client \d+\.\d+\.\d+\) in \//);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}index\.js +[\d.]+ KB$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}\*\.d\.ts +[\d.]+ KB {2}\d+ files$/));
});

test.each(runtimes)(
  "%s: a certificate that is not trusted is the reason, with the host and how to trust it",
  async (_, runtime) => {
    const { host } = new URL(baseUrl);
    expect(await failureIn(runtime, baseUrl)).toEqual({
      code: "certificate_not_trusted",
      message: `The TLS certificate of ${host} is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE), so nothing was sent. To trust a private certificate authority, start your program with NODE_EXTRA_CA_CERTS=PATH_TO/ca.crt, or pass a fetch of your own in the client's options. The CA of a local service is tls/ca.crt in its data directory`,
    });
    // The advice works: with the CA, the service itself answers.
    expect(await failureIn(runtime, baseUrl, { NODE_EXTRA_CA_CERTS: caPath })).toMatchObject({
      code: "invalid_api_key",
    });
  },
);

test.each(runtimes)("%s: a service that does not run, and a host that does not exist", async (_, runtime) => {
  expect(await failureIn(runtime, `https://localhost:${closedPort}/api`)).toEqual({
    code: "connection_failed",
    message: `Could not connect to localhost:${closedPort} (ECONNREFUSED). Check that the service is running and that baseUrl is correct`,
  });
  expect(await failureIn(runtime, "https://nowhere.invalid/api")).toEqual({
    code: "connection_failed",
    message: expect.stringMatching(
      /^Could not find the host nowhere\.invalid \((ENOTFOUND|EAI_AGAIN)\)\. Check baseUrl$/,
    ),
  });
});

test.each(runtimes)("%s: a certificate that has expired", async (_, runtime) => {
  const span = { notBeforeDate: new Date("2020-01-01"), notAfterDate: new Date("2020-01-02") };
  const altNames = [{ type: 2, value: "localhost" }] as const;
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    ...span,
    extensions: [{ name: "subjectAltName", altNames: [...altNames] }],
  });
  const path = join(directory, "expired.crt");
  writeFileSync(path, cert);
  const pair = { cert, key };
  using server = Bun.serve({ port: 0, tls: pair, fetch: () => new Response("{}") });
  expect(await failureIn(runtime, `https://localhost:${server.port}`, { NODE_EXTRA_CA_CERTS: path })).toEqual({
    code: "certificate_not_trusted",
    message: `The TLS certificate of localhost:${server.port} has expired (CERT_HAS_EXPIRED), so nothing was sent. Renew it on the server`,
  });
});

test("a reason is found however deep it lies, and a circle of causes ends", async () => {
  const reason = Object.assign(new Error("inner"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  const deep = new TypeError("fetch failed", { cause: new AggregateError([new Error("one"), reason]) });
  const circle = new Error("round");
  circle.cause = circle;
  for (const [cause, message] of [
    [deep, "The TLS certificate of 192.0.2.1:8443 is not valid for the name 192.0.2.1 (ERR_TLS_CERT_ALTNAME_INVALID)"],
    [circle, "No response from 192.0.2.1:8443"],
    ["a text", "No response from 192.0.2.1:8443"],
  ] as const) {
    const fetch = () => Promise.reject(cause);
    const client = new Commonplace({ baseUrl: "https://192.0.2.1:8443/api", apiKey: "cpl_wrong", fetch });
    const failure = await client.getSnippet({ id }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ cause, message: expect.stringContaining(message) });
  }
});
