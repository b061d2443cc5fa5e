// A command in another terminal, without the settings of the service: it names the address that the service really has.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, runJson, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const create = ["person", "create", "--email", "ada@example.com"];

test("person create links to the port on which the service runs, and health asks there", async () => {
  const data = temporaryDirectory();
  await using program = await serve({ COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_LOG_LEVEL: "off" });
  const { origin, port } = new URL(program.baseUrl);
  expect(port).not.toBe("8443");
  const { link } = await runJson([...create, "--data", data]);
  expect(link).toStartWith(`${origin}/console/`);
  expect(await runJson(["health", "--data", data])).toEqual({ url: `https://127.0.0.1:${port}/healthz`, status: 200 });
  const { stdout } = await run(["doctor", "--data", data, "--json"]);
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({ check: "HTTPS port", severity: "ok", message: expect.stringContaining(port) }),
  );
});

test("the address outlives the service, with the name that people type", async () => {
  const data = temporaryDirectory();
  const program = await serve({ COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_URL: "https://snippets.example.com" });
  program.kill("SIGTERM");
  expect(await program.exited).toBe(0);
  const { link } = await runJson([...create, "--data", data]);
  expect(link).toStartWith("https://snippets.example.com/console/");
});

test("a setting that the command is given counts more, and a damaged record counts nothing", async () => {
  const data = temporaryDirectory();
  await using _ = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
  const linkWith = async (settings: Record<string, string>) =>
    new URL((await runJson(create, { COMMONPLACE_DATA_DIRECTORY: data, ...settings })).link).origin;
  expect(await linkWith({ COMMONPLACE_URL: "https://other.example.com" })).toBe("https://other.example.com");
  expect(await linkWith({ COMMONPLACE_HTTPS_PORT: "9000" })).toBe("https://localhost:9000");
  for (const record of ["", "{}", '{"origin":"no url","port":1}', "[]"]) {
    writeFileSync(join(data, "service.json"), record);
    expect(await linkWith({})).toBe("https://localhost:8443");
  }
});
