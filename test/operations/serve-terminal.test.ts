// ./commonplace serve in a real terminal: the banner with its secrets, and the readable log below it.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { environment, freePort, program, runToEnd, type Settings } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";
import { runInTerminal, whyNoTerminal } from "../support/terminal.ts";

if (whyNoTerminal) console.log(`The terminal form is not tested: ${whyNoTerminal}.`);

/** Whether the banner is complete: it ends with an empty line. */
const isReady = (text: string): boolean => /Press Ctrl\+C to stop\.\S*\n\n/.test(text);

async function serveInTerminal(settings: Settings) {
  const port = String(freePort());
  const all = { COMMONPLACE_HTTPS_PORT: port, COMMONPLACE_HTTP_PORT: "off", ...settings };
  const service = runInTerminal([...program, "serve"], await environment(all));
  await service.until(isReady);
  return { ...service, origin: `https://localhost:${port}` };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of a terminal begin with one.
const withoutStyle = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, "");

describe.skipIf(whyNoTerminal !== undefined)("in a terminal", () => {
  test("the first startup shows the key, the setup link, and a first request on the terminal; no file has them", async () => {
    const data = temporaryDirectory();
    const { shown, origin } = await serveInTerminal({ COMMONPLACE_DATA_DIRECTORY: data });
    const text = withoutStyle(shown());
    const key = /cpl_[0-9A-Za-z]{38}/.exec(text)?.[0];
    const team = /Team ID +(\S+)/.exec(text)?.[1];
    const link = /^https:.*\/invitation#[\w-]{43}$/m.exec(text)?.[0];
    expect(text).toBe(`
  ● Commonplace ${version} is running

  API        ${origin}/api
  Reference  ${origin}/api/reference
  Console    ${origin}/console
  Team ID    ${team}
  API key    ${key}  shown only once

  Next step  Open this link to create the operator account:

${link}

  The link works once and expires in 60 minutes.

  First request  Paste this into another terminal:

curl --cacert ${join(data, "tls/ca.crt")} ${origin}/api/snippet \\
  -H 'Authorization: Bearer ${key}' \\
  -d '{"title":"Hello","shortcut":"/hello","teamId":"${team}","content":{"type":"plaintext","content":"Hello, world"}}'

  Each key can send 20 requests per minute. To raise this, set COMMONPLACE_REQUESTS_PER_MINUTE.
  The workspace gets 100,000 units per month. To raise this, open its settings in the console;
  for new workspaces, set COMMONPLACE_MONTHLY_REQUESTS.

  Requests appear below. Press Ctrl+C to stop.

`);
    expect(shown()).toContain(`\u001b[1mCommonplace ${version} is running\u001b[22m`);
    for (const file of ["first-api-key.txt", "setup-link.txt"]) expect(existsSync(join(data, file))).toBeFalse();

    const curl = text.slice(text.indexOf("curl "), text.indexOf("\n\n", text.indexOf("curl ")));
    const pasted = await runToEnd(["bash", "-c", curl], {}, "/");
    expect(JSON.parse(pasted.stdout)).toMatchObject({ success: true });
  });

  test("requests appear as short lines; pages, probes, files and reads of the console do not", async () => {
    const data = temporaryDirectory();
    const service = await serveInTerminal({ COMMONPLACE_DATA_DIRECTORY: data, NO_COLOR: "1" });
    const banner = service.shown();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of a terminal begin with one.
    expect(banner).not.toMatch(/\u001b\[/);
    const ca = readFileSync(join(data, "tls/ca.crt"), "utf8");
    const ask = async (method: string, path: string) =>
      (await fetch(service.origin + path, { method, tls: { ca }, redirect: "manual" })).bytes();
    for (const path of ["/healthz", "/readyz", "/api/reference", "/docs/", "/console", "/console/api/session"])
      await ask("GET", path);
    await ask("GET", "/api/snippet");
    await ask("POST", "/console/api/nowhere");
    const text = await service.until((shown) => shown.includes("/console/api/nowhere"));
    const lines = text.slice(banner.length).trimEnd().split("\n");
    const shown = lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, "12:00:00").replace(/ {2,}[\d.]+ ms/, "  T ms"));
    expect(shown).toEqual([
      "12:00:00  info   GET    /api/snippet                    401  T ms  authorization_required",
      "12:00:00  info   POST   /console/api/nowhere            404  T ms  not_found",
    ]);
    service.kill("SIGINT");
    expect(await service.exited).toBe(0);
    // From source, the first request for the documentation builds it.
  }, 30_000);

  test("COMMONPLACE_LOG_FORMAT=json asks for JSON all the same", async () => {
    const data = temporaryDirectory();
    const service = await serveInTerminal({ COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_LOG_FORMAT: "json" });
    const banner = service.shown();
    const ca = readFileSync(join(data, "tls/ca.crt"), "utf8");
    await fetch(`${service.origin}/api/nowhere`, { tls: { ca } });
    const text = await service.until((shown) => shown.includes("/api/nowhere"));
    expect(JSON.parse(text.slice(banner.length))).toMatchObject({ message: "request", path: "/api/nowhere" });
  });
});
