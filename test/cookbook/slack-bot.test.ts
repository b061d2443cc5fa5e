// The Slack bot of the cookbook, with a Slack that the test plays: it signs commands and receives messages.
import "../support/once.ts";
import { expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { openRecipe, startServer } from "../support/cookbook.ts";
import { setAllowance } from "../support/quota.ts";
import { type Started, startService, text } from "../support/service.ts";

setDefaultTimeout(60_000);

const secret = "8f742231b10e8888abcd99yyyzzz85a5";

async function startBot(started: Started, key = started.limitedKey.secret) {
  const recipe = await openRecipe(started, process.execPath, "slack-bot.ts");
  const environment = { SLACK_SIGNING_SECRET: secret, PORT: "0", CPL_KEY: key };
  const { stdout } = recipe.start([], { environment });
  let announced = "";
  for await (const chunk of stdout) {
    announced += new TextDecoder().decode(chunk);
    if (announced.includes("\n")) break;
  }
  const [, port] = /"port":(\d+)/.exec(announced) ?? [];
  const arrived: PromiseWithResolvers<Record<string, string>>[] = [Promise.withResolvers()];
  const slack = startServer(({ body }) => {
    arrived.at(-1)?.resolve(JSON.parse(body));
    arrived.push(Promise.withResolvers());
    return new Response();
  });
  const send = (command: string, { key = secret, secondsAgo = 0 } = {}) => {
    const body = new URLSearchParams({ command: "/reply", text: command, response_url: slack.url }).toString();
    const time = String(Math.floor(Date.now() / 1_000) - secondsAgo);
    const hash = createHmac("sha256", key).update(`v0:${time}:${body}`).digest("hex");
    const headers = { "X-Slack-Request-Timestamp": time, "X-Slack-Signature": `v0=${hash}` };
    return fetch(`http://127.0.0.1:${port}`, { method: "POST", body, headers });
  };
  /** The message that follows a command. */
  const ask = async (command: string) => {
    const message = arrived.at(-1)?.promise;
    const response = await send(command);
    expect([response.status, await response.text()]).toEqual([200, ""]);
    return message;
  };
  return { send, ask, slack };
}

test("posts the snippet with its placeholders filled in, as a text that mentions nobody", async () => {
  const started = await startService();
  await started.given.snippet({
    shortcut: "/refund",
    content: text("Hello {{ name }}, order {{order number}} <!channel>"),
  });
  const { ask } = await startBot(started);
  expect(await ask('/refund name=Ada “order number”="A 12"')).toEqual({
    response_type: "in_channel",
    text: "Hello Ada, order A 12 &lt;!channel&gt;",
  });
});

test("says to the person alone which values are missing, and which shortcuts are similar", async () => {
  const started = await startService();
  await started.given.snippet({ title: "Refund", shortcut: "/refund", content: text("{{name}}: {{order number}}") });
  const { ask } = await startBot(started);
  expect(await ask("/refund name=")).toEqual({ response_type: "ephemeral", text: 'Add name=… "order number"=…' });
  expect(await ask("refund")).toEqual({
    response_type: "ephemeral",
    text: "No snippet has this shortcut.\n/refund (Refund)",
  });
  expect(await ask("")).toMatchObject({ response_type: "ephemeral" });
});

test("does nothing for a request that Slack did not sign, or that may be a copy", async () => {
  const started = await startService();
  const { send, slack } = await startBot(started);
  const requests = (await started.ledger()).length;
  expect((await send("/refund", { key: "another secret" })).status).toBe(401);
  expect((await send("/refund", { secondsAgo: 301 })).status).toBe(401);
  expect((await started.ledger()).length).toBe(requests);
  expect(slack.received).toEqual([]);
});

test("says that the workspace has no units left", async () => {
  const started = await startService();
  await started.given.snippet({ shortcut: "/refund" });
  const { ask } = await startBot(started);
  await setAllowance(started, 0);
  expect((await ask("/refund"))?.text).toBe("The workspace has no units left this month.");
});

test("says which request failed if the key cannot access the team", async () => {
  const started = await startService();
  const { ask } = await startBot(started, started.emptyKey.secret);
  expect((await ask("/refund"))?.text).toMatch(
    /^The snippet could not be read\. Try again in a minute \(request [0-9a-f-]{36}\)\.$/,
  );
});
