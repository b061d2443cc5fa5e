// The prompt pipelines of the cookbook, in TypeScript and Python, with a model that the test plays.
import "../support/once.ts";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRecipe, type RunOptions, startBusyService, startModel } from "../support/cookbook.ts";
import { isMissing, programFor } from "../support/python.ts";
import { setAllowance } from "../support/quota.ts";
import { type Started, startService, text } from "../support/service.ts";

setDefaultTimeout(60_000);

const prompt = { shortcut: "/classify", content: text("Classify: {{ticket}}") };
const tickets = [
  { id: 1, ticket: "Late" },
  { id: 2, ticket: "Broken" },
];
const lines = tickets.map((row) => `${JSON.stringify(row)}\n`).join("");
const rows = (output: string) =>
  output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const busy = () => new Response("Busy", { status: 429, headers: { "Retry-After": "1" } });

describe("in TypeScript", () => {
  async function open(started: Started) {
    const recipe = await openRecipe(started, process.execPath, "prompt-pipeline.ts");
    writeFileSync(join(recipe.directory, "tickets.jsonl"), lines);
    const run = (options: RunOptions) => recipe.run(["/classify", "tickets.jsonl", "results.jsonl"], options);
    return { run, results: () => rows(readFileSync(join(recipe.directory, "results.jsonl"), "utf8")) };
  }

  test("fills in the prompt for each row, and notes its version", async () => {
    const started = await startService();
    await started.given.snippet(prompt);
    const { data, response } = await started.client.getText({ shortcut: "/classify" });
    expect(data).toBe("Classify: {{ticket}}");
    const { run, results } = await open(started);
    expect(await run(startModel())).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(results()).toEqual(
      tickets.map(({ id, ticket }) => ({ id, prompt: response?.etag, result: `Answer to: Classify: ${ticket}` })),
    );
  });

  test("waits for a busy model, and continues where a failure ended it", async () => {
    const started = await startService();
    await started.given.snippet(prompt);
    const { run, results } = await open(started);
    let refusals = 0;
    const failing = startModel((asked) => {
      if (asked.endsWith("Broken")) return new Response("No such model", { status: 404 });
      refusals += 1;
      return refusals === 1 ? busy() : undefined;
    });
    expect(await run(failing)).toEqual({
      status: 1,
      stdout: "",
      stderr: "The model responded with 404: No such model\n",
    });
    expect(results().map(({ id }) => id)).toEqual([1]);
    const model = startModel();
    expect((await run(model)).status).toBe(0);
    expect(model.prompts).toEqual(["Classify: Broken"]);
    expect(results().map(({ id }) => id)).toEqual([1, 2]);
  });

  test("refuses a row without a value, and says when no units are left", async () => {
    const started = await startService();
    await started.given.snippet({ ...prompt, content: text("{{ticket}} {{customer}}") });
    const { run } = await open(started);
    const model = startModel();
    expect((await run(model)).stderr).toBe("Row 1 has no value for {{customer}}\n");
    await setAllowance(started, 0);
    expect((await run(model)).stderr).toMatch(/^Insufficient API requests: .* \(quota_exceeded\)\n$/);
    expect(model.prompts).toEqual([]);
  });
});

describe.skipIf(isMissing("requests"))("in Python", () => {
  const open = (started: Started) => openRecipe(started, programFor("requests"), "prompts.py");

  test("fills in the prompt for each row; a second run costs nothing, and needs no service", async () => {
    const started = await startService();
    await started.given.snippet(prompt);
    const { run } = await open(started);
    const { environment } = startModel();
    const expected = tickets.map(({ id, ticket }) => ({ id, result: `Answer to: Classify: ${ticket}` }));
    const first = await run(["/classify"], { input: lines, environment });
    expect([first.stderr, first.status, rows(first.stdout)]).toEqual(["", 0, expected]);
    const balance = await started.balance();
    const second = await run(["/classify"], { input: lines, environment });
    expect([second.stderr, rows(second.stdout)]).toEqual(["", expected]);
    expect(await started.balance()).toBe(balance);
    const newest = (await started.ledger()).at(-1);
    expect([newest?.operation, newest?.status, newest?.units]).toEqual(["getText", 304, 0]);
  });

  test("waits as long as the service asks, and uses the last text while the service is down", async () => {
    const started = await startService();
    await started.given.snippet(prompt);
    const { run } = await open(started);
    const service = startBusyService(started);
    const environment = { ...startModel().environment, CPL_URL: service.url };
    const first = await run(["/classify"], { input: lines, environment });
    expect([first.stderr, first.status]).toEqual(["", 0]);
    expect(service.received).toHaveLength(2);
    await service.stop();
    const second = await run(["/classify"], { input: lines, environment });
    expect(second.stderr).toStartWith("Using the prompt as it was last read: ");
    expect([second.status, rows(second.stdout)]).toEqual([0, rows(first.stdout)]);
    const other = await run(["/other"], { input: lines, environment });
    expect([other.status, other.stdout]).toEqual([1, ""]);
    expect(other.stderr).toStartWith("The prompt could not be read: ");
  });

  test("ends with the service's message if it refuses, although there is a kept text", async () => {
    const started = await startService();
    const { id } = await started.given.snippet(prompt);
    const { run } = await open(started);
    const { environment, prompts } = startModel();
    await run(["/classify"], { environment });
    await started.client.putSnippet({ id, content: text("{{customer}}") });
    const gap = await run(["/classify"], { input: lines, environment });
    expect([gap.status, gap.stderr]).toEqual([1, "Row 1 has no value for {{customer}}\n"]);
    await started.client.putSnippet({ id, content: text("Changed again") });
    await setAllowance(started, 0);
    const refused = await run(["/classify"], { input: lines, environment });
    expect(refused.stderr).toMatch(
      /^The prompt could not be read: Insufficient API requests: .* \(quota_exceeded\)\n$/,
    );
    expect([refused.status, prompts]).toEqual([1, []]);
  });
});
