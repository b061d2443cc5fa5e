// A call that is refused before its body was needed still gets its response: through curl, over HTTP/2 and HTTP/1.1.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import "../support/once.ts";
import { startService } from "../support/service.ts";

const calls = 200;
const curl = Bun.which("curl");
if (!curl) console.log("refused-bodies: skipped, because there is no curl here");

const body = JSON.stringify({ title: "Hello", content: { type: "plaintext", content: "Hello, world" } });

describe.skipIf(!curl).each(["--http2", "--http1.1"] as const)("curl %s", (protocol) => {
  /** The distinct outcomes of 200 calls in one curl: the status, or 000 and curl's exit code. */
  async function outcomesOf(origin: string, dataDirectory: string, path: string, words: readonly string[]) {
    const numbered = `${origin}${path}${path.includes("?") ? "&" : "?"}n=[1-${calls}]`;
    const child = Bun.spawn(
      [
        ...["curl", protocol, "--silent", "--output", "/dev/null", "--cacert", join(dataDirectory, "tls/ca.crt")],
        ...["--write-out", "%{http_code} %{exitcode}\n", numbered, ...words],
      ],
      { stdout: "pipe", stderr: "ignore" },
    );
    const outcomes = (await new Response(child.stdout).text()).trim().split("\n");
    return Object.fromEntries(
      Map.groupBy(outcomes, (line) => line)
        .entries()
        .map(([line, all]) => [line, all.length]),
    );
  }

  const key = "cpl_0000000000000000000000000000000000000";
  test.each([
    ["no key", "401", "/api/snippet", ["-d", body]],
    ["the key of the README", "401", "/api/snippet", ["-H", "Authorization: Bearer YOUR_KEY", "-d", body]],
    [
      "a wrong key, and a body that is not JSON",
      "401",
      "/api/folders",
      ["-H", `Authorization: Bearer ${key}`, "-d", "{"],
    ],
    ["an unknown path", "404", "/api/nowhere", ["-d", body]],
    ["a method that the path does not have", "405", "/api/snippets", ["-X", "PATCH", "-d", body]],
    ["a body where the operation takes none", "401", "/api/snippet?id=1", ["-X", "DELETE", "-d", body]],
    ["a page that is only read", "405", "/api/reference", ["-d", body]],
    [
      "the console with a wrong token",
      "401",
      "/console/api/workspace",
      ["-H", "Authorization: Bearer YOUR_KEY", "-d", body],
    ],
    ["the console from another page", "403", "/console/api/workspace", ["-d", body]],
    ["sign-in from another page", "403", "/console/auth/sign-in/email", ["-d", body]],
  ])("%s: %s, every time", async (_, status, path, words) => {
    const started = await startService({ config: { requestsPerMinute: 1_000_000 } });
    const outcomes = await outcomesOf(new URL(started.baseUrl).origin, started.dataDirectory, path, words);
    // After 60 failed authentications of an address in a minute, further requests have to wait.
    const expected = status === "401" ? { "401 0": 60, "429 0": calls - 60 } : { [`${status} 0`]: calls };
    expect(outcomes).toEqual(expected);
  });

  test("a key at its rate limit: 429, every time", async () => {
    const started = await startService({ config: { requestsPerMinute: 1 } });
    const words = ["-H", `Authorization: Bearer ${started.key.secret}`, "-d", body];
    const outcomes = await outcomesOf(new URL(started.baseUrl).origin, started.dataDirectory, "/api/snippet", words);
    expect(outcomes).toEqual({ "400 0": 1, "429 0": calls - 1 });
  });
});
