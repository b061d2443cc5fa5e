// P16: no request gives a failure of ours, a hang, or a response outside the description. What openapi.json allows is accepted, what it
// forbids is refused, one broken rule at a time, and every response fits.

import { createTeam } from "../src/accounts/workspaces/workspaces.ts";
import { createKey } from "../src/metering/keys/keys.ts";
import { changeWorkspace } from "../src/metering/quota/allowance.ts";
import { type Started, startService } from "../test/support/service.ts";
import { breakOne, brokenTexts } from "./description/breaks.ts";
import { Client, type Request } from "./description/client.ts";
import { makeKnown } from "./description/guide.ts";
import { type Answer, type OperationRead, type Reader, readDescription } from "./description/reader.ts";
import type { Prove, Run } from "./proof.ts";
import { Random, type Weighted } from "./random.ts";

const callsOf = { long: 200_000, short: 750, control: 20_000 };
const clients = 24;
/** Those that first get a request of each operation accepted. */
const guidedClients = 3;
const acceptedTriesMax = 20;
/** Of a larger team, each export is a process of its own, and a workspace has one at a time: soon, all clients would wait for theirs. */
const callsPerExport = 200;
const hangMilliseconds = 30_000;
/** Failed authentications of an address in a minute, less a few. */
const failedInMinuteMax = 50;
const textMax = 1_500;

type Kind = "allowed" | "forbidden" | "junk" | "unknown IDs" | "wrong method" | "no key";
const kinds: Weighted<Kind> = [
  [50, "allowed"],
  [34, "forbidden"],
  [4, "junk"],
  [6, "unknown IDs"],
  [3, "wrong method"],
  [3, "no key"],
];

interface Context {
  readonly started: Started;
  readonly reader: Reader;
  readonly random: Random;
  readonly client: Client;
  readonly key: string;
  readonly counts: Map<string, number>;
  failed: { inMinute: number };
  /** How many calls are made before the next export. */
  exports: { callsLeft: number };
}

export const prove: Prove = async (run) => {
  const started = await startService({});
  await started.admin((transaction) =>
    changeWorkspace(transaction, started.workspace.id, { monthly_requests: 1_000_000_000 }),
  );
  const reader = readDescription();
  const counts = new Map<string, number>();
  const failed = { inMinute: 0 };
  const exports = { callsLeft: 0 };
  const calls = callsOf[run.form];
  const lives = Array.from({ length: clients }, async (_, number) => {
    const random = new Random(run.seed + number);
    const { teamId, key } = await started.admin(async (transaction) => {
      const team = await createTeam(transaction, started.workspace.id, `Client ${number}`);
      const { secret } = await createKey(transaction, started.workspace.id, `Client ${number}`, [team.id]);
      return { teamId: team.id, key: secret };
    });
    const client = new Client(random, reader, teamId);
    const context: Context = { started, reader, random, client, key, counts, failed, exports };
    if (number < guidedClients)
      for (const operation of reader.operations) await proveAccepted(context, operation, teamId);
    while (run.made.inputs < calls && !run.isOver()) {
      run.made.inputs += 1;
      await proveCall(context);
      if (run.made.inputs % 500 === 0) show(run, calls);
    }
  });
  await Promise.all(lives);
  run.made.runs = clients;
  const busy = counts.get("busy") ?? 0;
  return [
    kinds.map(([, kind]) => `${(counts.get(kind) ?? 0).toLocaleString("en-US")} ${kind}`).join(", "),
    ...(busy > 0 ? [`${busy} calls were answered 503 busy, and sent again`] : []),
  ];
};

const show = (run: Run, calls: number): void =>
  run.show(`${run.made.inputs.toLocaleString("en-US")} calls`, run.made.inputs / calls);

const count = ({ counts }: Context, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

async function proveCall(context: Context): Promise<void> {
  const { random, client } = context;
  const operation = pickOperation(context);
  const kind = random.weighted(kinds);
  const request = client.make(operation);
  // There may be nothing yet that it could be about.
  if (!request) return create(context);
  count(context, kind);
  switch (kind) {
    case "allowed":
      return proveAllowed(context, operation, request);
    case "forbidden":
      return proveForbidden(context, operation, request);
    case "junk":
      return proveJunk(context, operation, request);
    case "unknown IDs": {
      // Whatever it is answered, it is described.
      const changed = withUnknownIds(request, random);
      client.learn(operation, changed, await send(context, operation, changed, "with unknown IDs"));
      return;
    }
    case "wrong method":
      return proveMethod(context, operation, request);
    case "no key":
      return proveNoKey(context, operation, request);
  }
}

function pickOperation({ random, reader: { operations }, exports }: Context): OperationRead {
  const picked = random.pick(operations);
  exports.callsLeft -= 1;
  if (picked.name !== "getExport") return picked;
  if (exports.callsLeft > 0) return random.pick(operations.filter((operation) => operation !== picked));
  exports.callsLeft = callsPerExport;
  return picked;
}

/** Sends allowed requests of an operation until one is accepted. A client of its own knows nothing but what is made for it. */
async function proveAccepted(context: Context, operation: OperationRead, teamId: string): Promise<void> {
  const { counts } = context;
  const name = `allowed ${operation.name}`;
  const accepted = counts.get(name) ?? 0;
  for (let tries = 0; tries < acceptedTriesMax; tries += 1) {
    const guided = { ...context, client: new Client(context.random, context.reader, teamId) };
    await makeKnown(guided, operation.name, (creating, request) => send(guided, creating, request, "guided"));
    const request = guided.client.make(operation);
    if (request) await proveAllowed(guided, operation, request);
    if ((counts.get(name) ?? 0) > accepted) return;
  }
  throw new Error(`never accepted in ${acceptedTriesMax} tries: ${operation.name}`);
}

async function create(context: Context): Promise<void> {
  const { random, reader, client } = context;
  const creating = reader.operations.filter(({ name }) => /^post(Snippets?|Folders?|Tags?)$/.test(name));
  const operation = random.pick(creating);
  const request = client.make(operation);
  if (request) client.learn(operation, request, await send(context, operation, request, "creating"));
}

async function proveAllowed(context: Context, operation: OperationRead, request: Request): Promise<void> {
  const answer = await send(context, operation, request, "allowed");
  if (!context.client.isExpected(operation, answer)) fail("the description allows this", operation, request, answer);
  context.client.learn(operation, request, answer);
  if (answer.status === 200) count(context, `allowed ${operation.name}`);
}

async function proveForbidden(context: Context, operation: OperationRead, request: Request): Promise<void> {
  const broken = breakRequest(context, operation, request);
  if (!broken) return;
  const answer = await send(context, operation, broken.request, broken.rule);
  context.client.learn(operation, broken.request, answer);
  const refused = /"index":(\d+)/g;
  const items = [...answer.text.matchAll(refused)].map(([, index]) => Number(index));
  // In a batch, the other items are carried out, unless nothing is left of them.
  const isRefused =
    broken.item === undefined || answer.status !== 200 ? answer.status === 400 : items.includes(broken.item);
  if (!isRefused) fail(`the description forbids this (${broken.rule})`, operation, broken.request, answer);
}

interface BrokenRequest {
  readonly request: Request;
  readonly rule: string;
  readonly item?: number;
}

function breakRequest(
  { random, reader }: Context,
  operation: OperationRead,
  request: Request,
): BrokenRequest | undefined {
  const { parameters, body } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  if (request.body !== undefined && body && (inQuery.length === 0 || random.isTrue(0.7))) {
    const broken = breakOne(random, reader.resolve, body.schema, request.body);
    if (!broken || operation.bodyProblem(broken.value) === undefined) return undefined;
    const [items] = Object.values(request.body as object);
    const isBatch = /^(post|put)(Snippets|Folders|Tags|SnippetVariations)$/.test(operation.name);
    const isOneOfSeveral = isBatch && broken.item !== undefined && Array.isArray(items) && items.length > 1;
    return {
      request: { ...request, body: broken.value },
      rule: broken.rule,
      ...(isOneOfSeveral && broken.item !== undefined && { item: broken.item }),
    };
  }
  const parameter = inQuery.length === 0 ? undefined : random.pick(inQuery);
  if (!parameter) return undefined;
  const names = [parameter.name, ...(parameter["x-aliases"] ?? [])];
  const others = Object.fromEntries(Object.entries(request.query).filter(([name]) => !names.includes(name)));
  if (parameter.required && random.isTrue(0.2))
    return { request: { ...request, query: others }, rule: `${parameter.name} is missing` };
  const texts = brokenTexts(parameter.schema, parameter.description);
  if (texts.length === 0) return undefined;
  const text = random.pick(texts);
  return {
    request: { ...request, query: { ...others, [random.pick(names)]: text } },
    rule: `${parameter.name} is ${JSON.stringify(text.slice(0, 80))}`,
  };
}

/** A body that is no JSON, or none where one is needed. */
async function proveJunk(context: Context, operation: OperationRead, request: Request): Promise<void> {
  if (!operation.body?.isRequired) return;
  const whole = JSON.stringify(request.body);
  const text = context.random.pick([
    "",
    "{",
    "null",
    "[]",
    '"x"',
    whole.slice(0, -1),
    `${whole}}`,
    whole.replace("{", "{,"),
    "\ufeff\u0000",
    "[".repeat(100_000),
  ]);
  const answer = await send(context, operation, { ...request, body: text }, "junk", true);
  if (answer.status !== 400) fail("junk was not refused", operation, { ...request, body: text }, answer);
}

function withUnknownIds(request: Request, random: Random): Request {
  const replaced = JSON.stringify(request).replaceAll(
    /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    (id) => (random.isTrue() ? random.uuid() : id),
  );
  return JSON.parse(replaced) as Request;
}

async function proveMethod(
  { started, reader, random, key }: Context,
  operation: OperationRead,
  request: Request,
): Promise<void> {
  const described = reader.operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
  const others = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"].filter(
    (method) => !described.includes(method),
  );
  if (others.length === 0) return;
  const method = random.pick(others);
  const answer = await withinTime(started.call(method, operation.path, { key, query: request.query }));
  const problem = method === "HEAD" ? undefined : reader.errorProblem(answer.body);
  if (answer.status !== 405 || problem) fail(`method ${method} (${problem})`, operation, request, answer);
}

async function proveNoKey(context: Context, operation: OperationRead, request: Request): Promise<void> {
  const { started, random, failed } = context;
  failed.inMinute += 1;
  if (failed.inMinute > failedInMinuteMax) {
    started.clock.advance(61);
    failed.inMinute = 0;
  }
  const key = random.pick([undefined, "", "x", `cpl_${"0".repeat(38)}`]);
  const answer = await withinTime(
    started.call(operation.method, operation.path, { ...request, ...(key !== undefined && { key }) }),
  );
  const problem = operation.responseProblem(answer);
  if (answer.status !== 401 || problem) fail(`no key (${problem})`, operation, request, answer);
}

/** Sends it, and fails if the response is not described. On a machine that is too busy, it is sent again when `Retry-After` says. */
async function send(
  context: Context,
  operation: OperationRead,
  request: Request,
  what: string,
  isText = false,
  triesLeft = 5,
): Promise<Answer> {
  const { started, key } = context;
  const { query, headers, body } = request;
  const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) };
  const answer = await withinTime(started.call(operation.method, operation.path, { key, query, headers, ...sent }));
  if (answer.text.includes('"error":"busy"') && triesLeft > 0) {
    count(context, "busy");
    await Bun.sleep(Number(answer.headers.get("retry-after")) * 1_000);
    return send(context, operation, request, what, isText, triesLeft - 1);
  }
  const problem = answer.status >= 500 ? "a failure of ours" : operation.responseProblem(answer);
  if (problem === undefined) return answer;
  const log = started.lines.filter((line) => line.includes(answer.headers.get("x-request-id") ?? "none"));
  return fail(`the response is not as described: ${problem} (${what})\n${log.join("\n")}`, operation, request, answer);
}

async function withinTime<Value>(answering: Promise<Value>): Promise<Value> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error("no response within 30 s")), hangMilliseconds);
  try {
    return await Promise.race([answering, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

function fail(what: string, operation: OperationRead, request: Request, answer: Answer): never {
  const shown = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, textMax);
  throw new Error(
    `${what}\n${operation.name} ${shown(request.query)} ${shown(request.headers)} ${shown(request.body)}\n${answer.status} ${answer.text.slice(0, textMax)}`,
  );
}
