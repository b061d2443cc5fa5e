// The SDK as users install it: the built package in another project, in Node and in a browser.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { chromium as browserType } from "playwright-core";
import { startService, temporaryDirectory } from "../support/service.ts";

const root = join(import.meta.dir, "../..");
const project = temporaryDirectory();
const installed = join(project, "node_modules/@commonplace-app/client");
const built = Bun.spawnSync([process.execPath, "sdk/build.ts", join(installed, "dist")], { cwd: root });
cpSync(join(root, "sdk/package.json"), join(installed, "package.json"));
writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));

const readme = await Bun.file(join(root, "sdk/README.md")).text();
/** The examples of the README, one after the other. */
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join("\n");

test("the package is built", () => {
  expect([built.stderr.toString(), built.exitCode]).toEqual(["", 0]);
});

test("its types fit the README's examples in a strict project that checks its libraries too", () => {
  const strictness = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
  const surroundings = { module: "nodenext", target: "es2022", lib: ["es2022", "dom"], types: [], noEmit: true };
  const config = { compilerOptions: { ...strictness, ...surroundings }, files: ["readme.ts"] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  const globals = "declare const process: { env: Record<string, string | undefined> };\n";
  writeFileSync(join(project, "readme.ts"), globals + examples);
  const { stdout } = Bun.spawnSync([join(root, "node_modules/.bin/tsc"), "--project", project]);
  expect(stdout.toString()).toBe("");
});

test("the README's examples run in Node", async () => {
  const { service, key, team } = await startService();
  const script = join(project, "readme.js");
  writeFileSync(script, examples.replace("https://localhost:8443/api", service.baseUrl));
  const { stdout, stderr, exited } = Bun.spawn(["node", script], {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: service.certificate.caPath,
      CPL_KEY: key.secret,
      CPL_TEAM: team.id,
    },
    stderr: "pipe",
  });
  const shown = await Promise.all([new Response(stdout).text(), new Response(stderr).text(), exited]);
  expect(shown).toEqual(["Greeting 99998 999998\nGreeting\nGreeting Hello\nGreeting\nsnippet changed\n", "", 0]);
});

test("it runs in a browser's page", async () => {
  const { service, key, given } = await startService();
  const snippet = await given.snippet();
  const args = [
    ...chromium.args,
    "--no-sandbox",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-sync",
  ];
  await using browser = await browserType.launch({ args, executablePath: await chromium.executablePath() });
  const page = await browser.newPage({ ignoreHTTPSErrors: true, bypassCSP: true });
  await page.goto(`${service.baseUrl}/openapi.json`);
  const code = await Bun.file(join(installed, "dist/index.js")).text();
  const inPage = { code, apiKey: key.secret, id: snippet.id, missing: "01890a5d-ac96-774b-bcce-b302099a8057" };
  const found = await page.evaluate(`(async ({ code, apiKey, id, missing }) => {
    const { Commonplace } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    const client = new Commonplace({ baseUrl: location.origin + "/api", apiKey });
    const { data, response } = await client.getSnippet({ id });
    const failure = await client.getSnippet({ id: missing }).catch((error) => error);
    return { data, cost: response.cost, name: failure.name, code: failure.code };
  })(${JSON.stringify(inPage)})`);
  expect(found).toEqual({ data: snippet, cost: 1, name: "NotFoundError", code: "snippet_not_found" });
});
