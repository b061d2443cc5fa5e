// Runs a prompt on each line of a file: bun prompt-pipeline.ts /classify tickets.jsonl results.jsonl
// Each line is an object with an id, and with the values of the prompt's placeholders. What is in the results is not run again.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { Commonplace, CommonplaceError } from "@commonplace-app/client";

type Row = Readonly<Record<string, unknown>>;

const attemptsMax = 5;
const modelSecondsMax = 120;

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}`);
  return value;
};

/** The prompt, and the version of its text, which identifies it in the results. */
async function readPrompt(shortcut: string) {
  const client = new Commonplace({ baseUrl: setting("CPL_URL"), apiKey: setting("CPL_KEY"), waitForRateLimit: true });
  const { data: text, response } = await client.getText({ shortcut, teamId: setting("CPL_TEAM") });
  return { text, version: response?.etag };
}

/** @throws if the row has no value for a placeholder: a prompt with a gap gives results that look right */
const fillIn = (prompt: string, row: Row): string =>
  prompt.replaceAll(/\{\{[ \t]*([^{}\r\n]+?)[ \t]*\}\}/g, (_, name: string) => {
    if (row[name] === undefined) throw new Error(`Row ${row.id} has no value for {{${name}}}`);
    return String(row[name]);
  });

/** Sends a prompt to a service with OpenAI's chat completions. Waits if it has too many requests, or is not available. */
async function complete(prompt: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(setting("MODEL_URL"), {
      method: "POST",
      headers: { Authorization: `Bearer ${setting("MODEL_KEY")}`, "Content-Type": "application/json" },
      body: JSON.stringify({ model: setting("MODEL"), messages: [{ role: "user", content: prompt }] }),
      signal: AbortSignal.timeout(modelSecondsMax * 1_000),
    });
    if (response.ok) {
      const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
      return choices[0].message.content;
    }
    const isTemporary = response.status === 429 || response.status >= 500;
    if (!isTemporary || attempt === attemptsMax)
      throw new Error(`The model responded with ${response.status}: ${await response.text()}`);
    const waitSeconds = Number(response.headers.get("Retry-After")) || 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000));
  }
}

const readRows = (path: string): Row[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));

async function run([shortcut, input, output]: readonly string[]): Promise<void> {
  if (!shortcut || !input || !output) throw new Error("Usage: prompt-pipeline.ts SHORTCUT INPUT OUTPUT");
  const { text, version } = await readPrompt(shortcut);
  const done = new Set(existsSync(output) ? readRows(output).map(({ id }) => id) : []);
  for (const row of readRows(input).filter(({ id }) => !done.has(id))) {
    const result = await complete(fillIn(text, row));
    appendFileSync(output, `${JSON.stringify({ id: row.id, prompt: version, result })}\n`);
  }
}

try {
  await run(process.argv.slice(2));
} catch (failure) {
  const code = failure instanceof CommonplaceError ? ` (${failure.code})` : "";
  console.error(`${failure instanceof Error ? failure.message : failure}${code}`);
  process.exitCode = 1;
}
