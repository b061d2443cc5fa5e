// The OpenAPI document: made from the table, accepted by a public linter, with examples that fit their schemas exactly.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { consoleOpenApi } from "../../src/contract/console/openapi.ts";
import { paginationOf } from "../../src/contract/envelope.ts";
import { errors, type Refusal } from "../../src/contract/errors.ts";
import { exampleOf } from "../../src/contract/example.ts";
import { openApi } from "../../src/contract/openapi.ts";
import type { OpenApi } from "../../src/contract/openapi-document.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { type OperationName, operationNames, operations } from "../../src/contract/operations.ts";
import { parseInput } from "../../src/platform/http/parse-input.ts";

const document = openApi("/api");
const rowOf = (name: OperationName): Operation => operations[name];
const described = (name: OperationName, of: OpenApi = document) =>
  of.paths[operations[name].path]?.[operations[name].method.toLowerCase()];

async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test("the public linter finds nothing, wherever the service is mounted", async () => {
  expect(await problemsOf(JSON.stringify(document))).toEqual([]);
  expect(await problemsOf(JSON.stringify(openApi("")))).toEqual([]);
});

test("nor in the description of the console's operations", async () => {
  expect(await problemsOf(JSON.stringify(consoleOpenApi()))).toEqual([]);
});

test("the linter would find an example that does not fit and a reference that leads nowhere", async () => {
  const wrongExample = JSON.stringify(document).replace('"remainingRequests":98749', '"remainingRequests":"98749"');
  expect((await problemsOf(wrongExample)).join()).toContain("no-invalid-media-type-examples");
  const wrongReference = JSON.stringify(document).replace("#/components/schemas/Usage", "#/components/schemas/Absent");
  expect((await problemsOf(wrongReference)).join()).toContain("no-unresolved-refs");
});

test("each of the 27 operations is described under its name, with its cost, and additions are marked", () => {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(all.map(({ operationId }) => operationId).sort()).toEqual([...operationNames].sort());
  expect(all.filter((each) => each["x-addition"] === undefined)).toHaveLength(27);
  for (const name of operationNames) {
    const { cost, isAddition } = rowOf(name);
    expect(described(name)?.["x-addition"] ?? false).toBe(isAddition);
    const { words, base, perItem } = described(name)?.["x-cost"] ?? { words: "", base: -1, perItem: -1 };
    expect(words).toBe(cost.words);
    for (const items of [0, 1, 7])
      expect(cost === operations.getSnippet.cost ? 1 : base + perItem * items).toBe(cost.units(items));
  }
});

test("where later versions may add a word to a response, the schema allows any string, and names the words of this one", () => {
  const { Change, SearchMatch, Import } = document.components.schemas;
  const kinds = ["snippet", "variation", "folder", "tag"];
  expect<unknown>(Change?.properties?.kind).toEqual({
    type: "string",
    "x-extensible-enum": kinds,
    description:
      "What was changed. Ignore changes of a kind that you do not know. Known values: `snippet`, `variation`, `folder`, and `tag`.",
  });
  const open = [Change?.properties?.action, SearchMatch?.properties?.field, Import?.properties?.status];
  for (const schema of open) {
    expect(schema).toHaveProperty("type", "string");
    expect(schema).toHaveProperty("x-extensible-enum.0");
    expect(schema).not.toHaveProperty("enum");
  }
});

test("an operation is named after its method and path", () => {
  for (const name of operationNames) {
    const { method, path } = rowOf(name);
    const words = path.replaceAll(/\/(.)/g, (_, first: string) => first.toUpperCase());
    expect(`${method.toLowerCase()}${words}`).toBe(name);
  }
});

test.each(operationNames)("the example request of %s is one that the service takes", (name) => {
  const { query, body } = exampleOf(rowOf(name)).request;
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const bytes = new TextEncoder().encode(
    body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body),
  );
  const row = rowOf(name);
  for (const parameter of Object.keys(query)) expect(Object.keys(row.query)).toContain(parameter);
  const input = parseInput(row, search.toString(), bytes);
  if (row.body?.kind === "batch") expect(JSON.stringify(input.body)).not.toContain('"refusal"');
  if (row.body === undefined) expect(body).toBeUndefined();
  if (row.body && row.body.kind !== "batch" && row.body.kind !== "file") expect(input.body).toEqual(body);
});

test.each(operationNames)("the example response of %s fits its shapes exactly", (name) => {
  const row = rowOf(name);
  const { response } = exampleOf(row);
  // Strict schemas: an extra field fails like a missing one, and parsing changes nothing.
  expect(row.data.parse(response.data)).toEqual(response.data);
  if (row.metadata) expect(row.metadata.parse(response.metadata)).toEqual(response.metadata);
  else expect(response).not.toHaveProperty("metadata");
  if (row.paging) expect(paginationOf[row.paging].parse(response.pagination)).toEqual(response.pagination as never);
  else expect(response).not.toHaveProperty("pagination");
  expect("usageDeducted" in response.usage).toBe(row.cost.dependsOnItems);
  expect(response.success).toBe(true);
});

test("usageDeducted is described exactly where it is answered", () => {
  for (const name of operationNames) {
    const usage = described(name)?.responses[200].content["application/json"]?.schema.properties?.usage;
    if (rowOf(name).isText || rowOf(name).isFile) continue;
    const isShown = rowOf(name).cost.dependsOnItems;
    expect(usage?.$ref).toBe(`#/components/schemas/${isShown ? "UsageDeducted" : "Usage"}`);
  }
});

test("requests are strict, answers may gain fields", () => {
  const { SnippetInput, FolderUpdateItem, Snippet, Pagination } = document.components.schemas;
  expect([SnippetInput?.additionalProperties, FolderUpdateItem?.additionalProperties]).toEqual([false, false]);
  expect([Snippet?.additionalProperties, Pagination?.additionalProperties]).toEqual([undefined, undefined]);
  for (const name of operationNames)
    expect(JSON.stringify(described(name)?.responses)).not.toContain('"additionalProperties":false');
});

test("an operation lists the refusals that it can give", () => {
  const statuses = (name: OperationName) => Object.keys(described(name)?.responses ?? {}).join(" ");
  expect(statuses("getSnippet")).toBe("200 400 401 403 404 429 500 503");
  expect(statuses("postFolders")).toBe("200 400 401 403 404 409 413 422 429 500 503");
  expect(statuses("deleteTags")).toBe("200 400 401 403 409 422 429 500 503");
  expect(statuses("getShortcut")).toBe("200 400 401 403 404 409 429 500 503");
  expect(statuses("getText")).toBe("200 304 400 401 403 404 409 429 500 503");
});

/** Each function takes a noun, a message, a number or nothing; a noun works as any of them. */
const refusalOf = (make: unknown): Refusal => (make as (...details: unknown[]) => Refusal)("Tag", 1);

test("every refusal of the catalogue is described, but for the three that no operation gives", () => {
  const described = Object.values(document.components.responses).flatMap(({ content }) =>
    Object.keys(content["application/json"].examples),
  );
  const outside = [errors.pathUnknown(), errors.methodNotAllowed("GET"), errors.draining(1)].map(({ code }) => code);
  const codes = Object.values(errors).map((make) => refusalOf(make).code);
  expect(codes.filter((code) => !described.includes(code) && !outside.includes(code))).toEqual([]);
});

test("openapi.json in the root is the description as it is made now", async () => {
  const written = await Bun.file(new URL("../../openapi.json", import.meta.url)).text();
  expect(written).toBe(`${JSON.stringify(document, null, 2)}\n`);
});
