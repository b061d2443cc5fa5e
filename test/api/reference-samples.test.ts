// The document that the reference page loads: its samples and requests, and what the published document does not contain.
import { expect, setDefaultTimeout, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Commonplace, CommonplaceError } from "../../sdk/src/index.ts";
import { referenceDocument } from "../../src/api/reference/document.ts";
import { pythonSample } from "../../src/api/reference/python-sample.ts";
import { scalarScript } from "../../src/api/reference/scalar.ts";
import { typeScriptSample } from "../../src/api/reference/typescript-sample.ts";
import { openApi } from "../../src/contract/openapi.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import type { startConsole } from "../support/console.ts";
import { isMissing, programFor } from "../support/python.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "../..");
const address = { origin: "https://snippets.example.com", hasLocalCa: true };
const word = /\b[A-Z_]+_ID(_\d)?\b/;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/;

const shown = referenceDocument("/api", address);

/** What the form for a request is filled with. */
const requestOf = (name: keyof typeof operations): string => {
  const { path, method } = operations[name];
  const { parameters = [], requestBody } = shown.paths[path]?.[method.toLowerCase()] ?? {};
  const bodies = Object.values(requestBody?.content ?? {}).map(({ example }) => example);
  return JSON.stringify([parameters.map(({ example }) => example), bodies]);
};

test("no request is filled with an ID, and each one that writes has a word in place of it", () => {
  for (const name of operationNames) {
    expect([name, requestOf(name)]).toEqual([name, expect.not.stringMatching(uuid)]);
    if (operations[name].method !== "GET") expect([name, requestOf(name)]).toEqual([name, expect.stringMatching(word)]);
  }
  expect(requestOf("deleteSnippets")).toBe('[["SNIPPET_ID,SNIPPET_ID_2",null],[]]');
});

test("the published document has IDs and no samples", () => {
  const published = JSON.stringify(openApi("/api"));
  expect(published).not.toContain("x-codeSamples");
  expect(published).not.toMatch(/"SNIPPET_ID/);
});

test("a sample names the certificate only if clients need it", () => {
  const name = "getSnippet";
  expect(typeScriptSample(name, "https://localhost/api", address)).toContain("NODE_EXTRA_CA_CERTS=data/tls/ca.crt");
  expect(
    typeScriptSample(name, "https://localhost/api", { ...address, hasLocalCa: false }),
  ).toBe(`import { Commonplace } from "@commonplace-app/client";

const client = new Commonplace({
  baseUrl: "https://localhost/api",
  apiKey: "YOUR_KEY",
});
const { data } = await client.getSnippet({ id: "SNIPPET_ID" });
console.log(data);`);
});

test("every sample compiles against the client", async () => {
  const directory = temporaryDirectory();
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  for (const name of operationNames)
    writeFileSync(join(directory, `${name}.ts`), typeScriptSample(name, "https://localhost/api", address));
  const { compilerOptions } = await Bun.file(join(root, "sdk/tsconfig.json")).json();
  const paths = { "@commonplace-app/client": [join(root, "sdk/src/index.ts")] };
  const options = { ...compilerOptions, extends: undefined, rootDir: "/", noEmit: true, paths };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  const compiler = Bun.spawn([join(root, "node_modules/.bin/tsc"), "--project", directory], { stdout: "pipe" });
  expect(await new Response(compiler.stdout).text()).toBe("");
  expect(await compiler.exited).toBe(0);
});

test("the service accepts every sample's request, apart from the IDs", async () => {
  const { baseUrl, key, fetch } = await startService();
  const run = async (name: keyof typeof operations): Promise<string | number> => {
    const ids = new Map<string, string>();
    const source = typeScriptSample(name, baseUrl, { origin: "", hasLocalCa: false })
      .replace(/^import .*$/m, "")
      .replace("YOUR_KEY", key.secret)
      .replace(/"([A-Z_]+_ID(?:_\d)?)"/g, (_, found: string) => {
        ids.set(found, ids.get(found) ?? crypto.randomUUID());
        return JSON.stringify(ids.get(found));
      });
    const Client = class extends Commonplace {
      constructor(options: { baseUrl: string; apiKey: string }) {
        super({ ...options, fetch });
      }
    };
    const program = `return (async () => {${source.replace("console.log(data);", "")}})()`;
    return new Function("Commonplace", program)(Client).then(
      () => 200,
      (cause: unknown) => (cause instanceof CommonplaceError ? `${cause.status} ${cause.message}` : String(cause)),
    );
  };
  for (const name of operationNames) {
    const expected = name === "getChanges" ? /^400 .*cursor/ : /^(200|403 |404 )/;
    expect([name, String(await run(name))]).toEqual([name, expect.stringMatching(expected)]);
  }
});

test("a sample in Python names the certificate only if clients need it", () => {
  const sample = `import requests

response = requests.get(
    "https://localhost/api/snippet",
    headers={"Authorization": "Bearer YOUR_KEY"},
    params={"id": "SNIPPET_ID"},
    verify="data/tls/ca.crt",
    timeout=60,
)
response.raise_for_status()
print(response.json()["data"])`;
  expect(pythonSample("getSnippet", "https://localhost/api", address)).toBe(sample);
  expect(pythonSample("getSnippet", "https://localhost/api", { ...address, hasLocalCa: false })).toBe(
    sample.replace('    verify="data/tls/ca.crt",\n', ""),
  );
});

test.skipIf(isMissing("requests"))("every sample in Python runs, and the service accepts its request", async () => {
  const { baseUrl, key, ca } = await startService();
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "ca.crt"), ca);
  const samples = operationNames.map((name) => [name, pythonSample(name, baseUrl, address)]);
  const sources = JSON.stringify(Object.fromEntries(samples))
    .replaceAll("YOUR_KEY", key.secret)
    .replaceAll("data/tls/ca.crt", join(directory, "ca.crt"))
    .replaceAll(new RegExp(word, "g"), () => crypto.randomUUID());
  const program = `
import json, sys
outcomes = {}
for name, source in json.load(sys.stdin).items():
    try:
        exec(compile(source, name, "exec"), {"print": lambda *_: None})
        outcomes[name] = "200"
    except requests.HTTPError as error:
        outcomes[name] = f"{error.response.status_code} {error.response.json()['message']}"
json.dump(outcomes, sys.stdout)`;
  const python = Bun.spawn([programFor("requests"), "-c", `import requests${program}`], {
    cwd: directory,
    stdin: Buffer.from(sources),
    stdout: "pipe",
  });
  const outcomes: Record<string, string> = JSON.parse(await new Response(python.stdout).text());
  for (const name of operationNames) {
    const expected = name === "getChanges" ? /^400 .*cursor/ : /^(200|403 |404 )/;
    expect([name, outcomes[name]]).toEqual([name, expect.stringMatching(expected)]);
  }
});

test("the page offers the client and Python next to curl, and no word of Scalar's own in place of a key", () => {
  for (const name of operationNames) {
    const { path, method } = operations[name];
    const samples = shown.paths[path]?.[method.toLowerCase()]?.["x-codeSamples"] ?? [];
    expect(samples.map(({ label }) => label)).toEqual(["TypeScript client", "Python requests"]);
  }
  const script = scalarScript();
  expect(script).toContain("YOUR_KEY");
  expect(script).not.toContain("YOUR_SECRET_TOKEN");
});

test("the page's curl commands name the certificate of a local CA, but not where clients see another one", async () => {
  const curlOf = async ({ service, fetch }: Pick<Awaited<ReturnType<typeof startConsole>>, "service" | "fetch">) =>
    /<meta name="curl" content="([^"]*)">/.exec(await (await fetch(`${service.baseUrl}/reference`)).text())?.[1];
  expect(await curlOf(await startService())).toBe("curl --cacert data/tls/ca.crt");
  const behindProxy = await startService({ config: { publicOrigin: "https://snippets.example.com" } });
  expect(await curlOf(behindProxy)).toBe("curl");
  const page = await behindProxy.fetch(`${behindProxy.baseUrl}/reference/openapi.json`);
  expect(await page.text()).toContain(JSON.stringify('baseUrl: "https://snippets.example.com/api"').slice(1, -1));
});
