// What systemd keeps of the service is lines of JSON, from its first start to a start that is refused, so that the documented command
// can read them.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import "../support/once.ts";
import { root, run, runToEnd, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** What follows the journal in the documented command. */
const [, reader = ""] =
  /`journalctl _SYSTEMD_UNIT=commonplace\.service --output cat \| (jq[^`]*)`/.exec(
    readFileSync(join(root, "docs/operate/monitoring.md"), "utf8"),
  ) ?? [];

/** Starts, serves, stops, and is started with a setting, an option, and a certificate that are wrong. */
async function journal(): Promise<string> {
  const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
  const service = await serve(settings);
  await service.call("GET", "/me", service.first.key ?? "");
  await service.call("GET", "/nothing", "wrong");
  service.kill("SIGTERM");
  await service.exited;
  const refused = [
    await run(["serve"], { ...settings, COMMONPLACE_HTTPS_PORT: "none" }),
    await run(["serve", "--bogus"], settings),
    await run(["serve"], {
      ...settings,
      COMMONPLACE_HTTPS_PORT: "0",
      COMMONPLACE_TLS_CERT_FILE: "/none",
      COMMONPLACE_TLS_KEY_FILE: "/none",
    }),
  ];
  return service.stdout() + service.stderr() + refused.map(({ stdout, stderr }) => stdout + stderr).join("");
}

test("each line is JSON with time, level, and message: the start, requests, and starts that are refused", async () => {
  const text = await journal();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const types = lines.map(({ time, level, message }) => [typeof time, typeof level, typeof message]);
  expect(types).toEqual(lines.map(() => ["string", "string", "string"]));
  expect(lines[0]).toMatchObject({
    message: `Commonplace ${version} is running`,
    base_url: expect.stringMatching(/^https:/),
    setup_link_file: expect.stringMatching(/setup-link\.txt$/),
    next: expect.stringMatching(/^Next step: create the operator account\. .*\/first-api-key\.txt/),
  });
  expect(lines.filter(({ message }) => message === "request").map(({ path }) => path)).toEqual([
    "/api/me",
    "/api/nothing",
  ]);
  const ends = lines.filter(({ message }) => message === "service ended");
  expect(ends.map(({ level, hint }) => [level, hint])).toEqual([
    ["error", undefined],
    ["error", "./commonplace serve --help"],
    ["error", undefined],
  ]);
  expect(ends.map(({ cause }) => cause)).toEqual([
    expect.stringContaining("COMMONPLACE_HTTPS_PORT"),
    expect.stringContaining("--bogus"),
    expect.stringContaining("/none"),
  ]);
});

test.skipIf(!Bun.which("jq"))("the documented command reads all of it", async () => {
  expect(reader).toStartWith("jq");
  const file = join(temporaryDirectory(), "journal");
  const text = await journal();
  writeFileSync(file, text);
  const { status, stdout, stderr } = await runToEnd(["sh", "-c", `cat '${file}' | ${reader} --compact-output`]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n")).toHaveLength(text.trimEnd().split("\n").length);
});
