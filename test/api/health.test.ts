// ./commonplace health: what a container's health check runs, in an image without a shell and curl.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import { expectFailure, freePort, run, runJson, type Settings, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** Settings under which a service and its health check find each other. */
const settingsOf = (more: Settings = {}): Settings => ({
  COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(),
  COMMONPLACE_HTTPS_PORT: String(freePort()),
  COMMONPLACE_HTTP_PORT: "off",
  ...more,
});

describe("health", () => {
  test("of a service that runs: status 0, the address and the answer", async () => {
    const settings = settingsOf();
    await using _ = await serve(settings);
    const url = `https://127.0.0.1:${settings.COMMONPLACE_HTTPS_PORT}/healthz`;
    expect(await run(["health"], settings)).toEqual({ status: 0, stdout: `${url} responded with 200.\n`, stderr: "" });
    expect(await runJson(["health"], settings)).toEqual({ url, status: 200 });
  });

  test("--ready asks for readiness", async () => {
    const settings = settingsOf();
    await using _ = await serve(settings);
    const url = `https://127.0.0.1:${settings.COMMONPLACE_HTTPS_PORT}/readyz`;
    expect(await runJson(["health", "--ready"], settings)).toEqual({ url, status: 200 });
  });

  test("asks the machine's own address whatever address is listened on, whatever name the certificate has", async () => {
    const directory = temporaryDirectory();
    const pems = await generate([{ name: "commonName", value: "snippets.example.com" }], { keyType: "ec" });
    const tls = {
      COMMONPLACE_TLS_CERT_FILE: join(directory, "chain.pem"),
      COMMONPLACE_TLS_KEY_FILE: join(directory, "key.pem"),
    };
    writeFileSync(tls.COMMONPLACE_TLS_CERT_FILE, pems.cert);
    writeFileSync(tls.COMMONPLACE_TLS_KEY_FILE, pems.private);
    const settings = settingsOf({ ...tls, COMMONPLACE_HOST: "0.0.0.0" });
    await using _ = await serve(settings);
    const url = `https://127.0.0.1:${settings.COMMONPLACE_HTTPS_PORT}/healthz`;
    expect(await runJson(["health"], settings)).toEqual({ url, status: 200 });
  });

  test("goes through no proxy that the environment names", async () => {
    const settings = settingsOf({ HTTPS_PROXY: "http://127.0.0.1:1", ALL_PROXY: "http://127.0.0.1:1", NO_PROXY: "" });
    await using _ = await serve(settings);
    expect(await run(["health"], settings)).toMatchObject({ status: 0 });
  });

  test("where nobody listens, or the answer is another: status 1", async () => {
    const settings = settingsOf();
    const url = `https://127.0.0.1:${settings.COMMONPLACE_HTTPS_PORT}/healthz`;
    expectFailure(await run(["health"], settings), 1, `no response from ${url}. Is the service running?`);

    await using stranger = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: await ownTls(), fetch: answerTeapot });
    const port = String(stranger.port);
    const there = `https://127.0.0.1:${port}/healthz`;
    expectFailure(
      await run(["health"], settingsOf({ COMMONPLACE_HTTPS_PORT: port })),
      1,
      `${there} responded with 418`,
    );
  });

  test("where the system chose the port: status 1", async () => {
    const message = "COMMONPLACE_HTTPS_PORT is 0, and no service has been started with this data directory";
    expectFailure(await run(["health"], settingsOf({ COMMONPLACE_HTTPS_PORT: "0" })), 1, message);
  });
});

const answerTeapot = () => new Response("short and stout", { status: 418 });

async function ownTls() {
  const pems = await generate([{ name: "commonName", value: "localhost" }], { keyType: "ec" });
  return { cert: pems.cert, key: pems.private };
}
