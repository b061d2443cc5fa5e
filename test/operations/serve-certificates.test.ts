// Which certificate a start uses, and when it refuses it or makes another. No database is used.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import "../support/once.ts";
import { runRefused, type Settings, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** Fails unless the start is refused with a line that this pattern fits. */
async function expectRefused(settings: Settings, message: RegExp): Promise<void> {
  const outcome = await runRefused(settings);
  expect(outcome).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(/^commonplace: [^\n]+\n$/) });
  expect(outcome.stderr).toMatch(message);
}

describe("the operator's own certificate", () => {
  const directory = temporaryDirectory();
  const file = (name: string) => join(directory, name);
  const own = (cert: string, key: string): Settings => ({
    COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(),
    COMMONPLACE_TLS_CERT_FILE: file(cert),
    COMMONPLACE_TLS_KEY_FILE: file(key),
  });

  beforeAll(async () => {
    for (const [name, ...hosts] of [
      ["public", "snippets.example.com"],
      ["local", "localhost"],
    ] as const) {
      const made = await generate([{ name: "commonName", value: hosts[0] }], {
        keyType: "ec",
        extensions: [
          { name: "basicConstraints", cA: true },
          { name: "subjectAltName", altNames: hosts.map((value) => ({ type: 2 as const, value })) },
        ],
      });
      writeFileSync(file(`${name}.crt`), made.cert);
      writeFileSync(file(`${name}.key`), made.private);
    }
    writeFileSync(file("garbage.pem"), "garbage");
    writeFileSync(file("broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  });

  test("is shown; the base address has its name, and curl needs no file to trust it", async () => {
    const settings = own("public.crt", "public.key");
    await using program = await serve(settings);
    expect(program.baseUrl).toMatch(/^https:\/\/snippets\.example\.com:\d+\/api$/);
    expect(program.first.curl).toStartWith(`curl ${program.baseUrl}/snippet \\\n  -H`);
    const answer = await fetch(`https://127.0.0.1:${new URL(program.baseUrl).port}/healthz`, {
      headers: { Host: "snippets.example.com" },
      tls: { ca: readFileSync(file("public.crt"), "utf8"), checkServerIdentity: () => undefined },
    });
    expect(await answer.json()).toEqual({ status: "ok" });
    expect([...new Bun.Glob("**").scanSync({ cwd: settings.COMMONPLACE_DATA_DIRECTORY ?? "" })]).not.toContain(
      "tls/localhost.key",
    );
  });

  test("for localhost: the base address is localhost", async () => {
    await using program = await serve(own("local.crt", "local.key"));
    expect(program.baseUrl).toMatch(/^https:\/\/localhost:\d+\/api$/);
    expect((await program.call("GET", "/nowhere", "none")).status).toBe(404);
  });

  test("is not there, is none, or does not belong to the key: one line that names the file", async () => {
    await Promise.all([
      expectRefused(own("absent.crt", "local.key"), /COMMONPLACE_TLS_CERT_FILE: .*absent\.crt/),
      expectRefused(own("local.crt", "absent.key"), /COMMONPLACE_TLS_KEY_FILE: .*absent\.key/),
      expectRefused(own("garbage.pem", "local.key"), /COMMONPLACE_TLS_CERT_FILE: .*garbage\.pem/),
      expectRefused(own("broken.pem", "local.key"), /COMMONPLACE_TLS_CERT_FILE: .*broken\.pem/),
      expectRefused(own("local.crt", "local.crt"), /COMMONPLACE_TLS_KEY_FILE: .*local\.crt/),
      expectRefused(own("local.crt", "public.key"), /COMMONPLACE_TLS_KEY_FILE: .*public\.key .*local\.crt/),
    ]);
  });
});

describe("the certificate for localhost", () => {
  const made = async () => {
    const data = temporaryDirectory();
    const program = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
    program.kill("SIGTERM");
    await program.exited;
    return data;
  };

  test.each(["ca.crt", "localhost.crt", "localhost.key"])(
    "is made again where %s is damaged or of another making",
    async (name) => {
      const [damaged, mixed, other] = await Promise.all([made(), made(), made()]);
      writeFileSync(join(damaged, "tls", name), "damaged");
      cpSync(join(other, "tls", name), join(mixed, "tls", name));
      for (const data of [damaged, mixed]) {
        await using program = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
        expect((await program.call("GET", "/nowhere", "none")).status).toBe(404);
      }
    },
  );

  test("stays the same from start to start", async () => {
    const data = await made();
    const before = readFileSync(join(data, "tls/ca.crt"), "utf8");
    await using program = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
    expect(readFileSync(program.ca, "utf8")).toBe(before);
  });
});
