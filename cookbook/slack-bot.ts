// A Slack bot: `/reply /refund name=Ada` posts the team's snippet with the shortcut /refund, and fills in {{name}}.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Commonplace, CommonplaceError, NotFoundError, QuotaExceededError } from "@commonplace-app/client";

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}`);
  return value;
};
const signingSecret = setting("SLACK_SIGNING_SECRET");
const teamId = setting("CPL_TEAM");
const client = new Commonplace({ baseUrl: setting("CPL_URL"), apiKey: setting("CPL_KEY"), waitForRateLimit: true });

const requestAgeMax = 300;
const bodyLengthMax = 100_000;
const deliverySecondsMax = 10;

interface Message {
  /** Whether everybody in the channel sees it, or only the person who asked. */
  readonly response_type: "in_channel" | "ephemeral";
  readonly text: string;
}
const onlyToYou = (text: string): Message => ({ response_type: "ephemeral", text: escaped(text) });

/** Only Slack knows the secret. A request that is older than five minutes can be a copy. */
function isFromSlack({ headers }: IncomingMessage, body: string): boolean {
  const time = String(headers["x-slack-request-timestamp"]);
  const given = Buffer.from(String(headers["x-slack-signature"]));
  const hash = createHmac("sha256", signingSecret).update(`v0:${time}:${body}`).digest("hex");
  const right = Buffer.from(`v0=${hash}`);
  const isFresh = Math.abs(Date.now() / 1_000 - Number(time)) <= requestAgeMax;
  return isFresh && given.length === right.length && timingSafeEqual(given, right);
}

/** The answer to a command such as `/refund name=Ada "order number"=1234`. */
async function answer(command: string): Promise<Message> {
  // Slack's apps write curly quotes.
  const words = command.replaceAll(/[“”]/g, '"');
  const pairs = /(?:"([^"]+)"|([^\s"=]+))=(?:"([^"]*)"|(\S*))/g;
  const values = new Map(
    Array.from(words.matchAll(pairs), ([, quotedName, name = "", quoted, value = ""]) => [
      quotedName ?? name,
      quoted ?? value,
    ]),
  );
  const shortcut = words.replaceAll(pairs, "").trim();
  if (shortcut === "") return onlyToYou("Type a shortcut, such as /reply /refund name=Ada");
  const { data: text } = await client.getText({ shortcut, teamId });
  const missing = new Set<string>();
  const filled = text.replaceAll(/\{\{[ \t]*([^{}\r\n]+?)[ \t]*\}\}/g, (whole, name: string) => {
    const value = values.get(name);
    if (!value) missing.add(name);
    return value || whole;
  });
  if (missing.size === 0) return { response_type: "in_channel", text: escaped(filled) };
  const needed = [...missing].map((name) => (name.includes(" ") ? `"${name}"=…` : `${name}=…`));
  return onlyToYou(`Add ${needed.join(" ")}`);
}

/** Names shortcuts that the person may have meant. */
async function suggest(words: string): Promise<Message> {
  const [query = ""] = words.match(/[\p{L}\p{N}]+/u) ?? [];
  const { data } = await client.getSearch({ query, teamId, limit: 5 });
  const shortcuts = data.snippets.flatMap(({ shortcut, title }) => (shortcut ? [`${shortcut} (${title})`] : []));
  return onlyToYou(["No snippet has this shortcut.", ...shortcuts].join("\n"));
}

function explain(failure: unknown): Message {
  console.error(failure);
  if (failure instanceof QuotaExceededError) return onlyToYou("The workspace has no units left this month.");
  const reference = failure instanceof CommonplaceError && failure.requestId ? ` (request ${failure.requestId})` : "";
  return onlyToYou(`The snippet could not be read. Try again in a minute${reference}.`);
}

/** Otherwise, a text could mention everybody, or link a word to another address than it shows. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bodyLengthMax) throw new Error("The body is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const server = createServer(async (request, response) => {
  const body = await read(request).catch(() => undefined);
  if (body === undefined || !isFromSlack(request, body)) return void response.writeHead(401).end();
  // Slack waits 3 seconds for this response. It accepts the message at the response URL for 30 minutes.
  response.writeHead(200).end();
  const form = new URLSearchParams(body);
  const command = form.get("text") ?? "";
  const message = await answer(command)
    .catch((failure: unknown) => (failure instanceof NotFoundError ? suggest(command) : explain(failure)))
    .catch(explain);
  await fetch(form.get("response_url") ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(deliverySecondsMax * 1_000),
  }).catch((failure: unknown) => console.error("Slack did not accept the message:", failure));
});
server.listen(Number(process.env.PORT ?? 3_000), () => console.log(`Listening on ${JSON.stringify(server.address())}`));
