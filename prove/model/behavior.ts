// Plays random sequences of requests by several clients against the service and its reference model: every response must be the one of the
// model, except for the IDs and cursors that the service makes. A failing sequence is made as short as it can be.
import fc from "fast-check";
import { operations } from "../../src/contract/operations.ts";
import type { Prove, Run } from "../proof.ts";
import type { Key } from "./call.ts";
import { Names } from "./compare.ts";
import { leftOut, Model, operationNames } from "./model.ts";
import { createIn, type Nodes, startNodes } from "./nodes.ts";
import type { World } from "./picker.ts";
import { buildRequest } from "./requests.ts";
import type { Fields, Request, Response } from "./state.ts";

const sequencesOf = { long: 2_000, short: 20, control: 300 };
/** Sequences have half as many on average. */
const commandsMax = 200;
const dicePerRequest = 24;
const requestsPerMinute = 12;
const shrinkMilliseconds = { long: 120_000, short: 30_000, control: 10_000 };
const transcriptMax = 12;
const replayed = "idempotency-replayed";

/** The clients: all teams twice, the first team, none, and one of another workspace. */
const teamsOfKeys = [undefined, undefined, [0], []];
const [teams, allowances] = [
  ["Own team", "Other team"],
  [100_000, 100_000, 40],
];
const keyNames = ["All teams", "All teams too", "One team", "No team"];
/** Milliseconds before a request: mostly at once, sometimes long enough for the rate limit, rarely until the next month. */
const waits = [0, 0, 0, 0, 1, 1, 1_000, 1_000, 20_000];
const month = 31 * 86_400_000;
const often = [
  "getSnippet",
  "getSnippet",
  "getText",
  "postSnippet",
  "postSnippets",
  "postFolder",
  "postTag",
  "putSnippet",
  "getSearch",
  "putSnippetVariation",
  "postImport",
  "getChanges",
];

/** A sequence that is being played. */
interface Game extends World {
  readonly names: Names;
  readonly secrets: ReadonlyMap<Key, string>;
  readonly transcript: string[];
  /** How many nodes take part, in turns. */
  readonly nodeCount: number;
  readonly counts: Map<string, number>;
}

async function startGame(nodes: Nodes, counts: Map<string, number>, { allowance, nodeCount }: Setting): Promise<Game> {
  const model = new Model(requestsPerMinute);
  const names = new Names();
  const secrets = new Map<Key, string>();
  for (const workspaceName of ["A workspace", "Another workspace"]) {
    const workspace = model.addWorkspace(workspaceName, teams, allowance);
    const made = await createIn(
      nodes.database,
      { workspace: workspaceName, teams, keys: keyNames },
      allowance,
      teamsOfKeys,
    );
    names.learn(workspace.id, made.id);
    for (const [place, team] of workspace.library.team.entries()) names.learn(team.id, made.teams[place] ?? "");
    for (const [place, reached] of teamsOfKeys.entries()) {
      const ids = reached?.map((each) => workspace.library.team[each]?.id ?? "");
      const key = model.addKey(workspace, keyNames[place] ?? "", ids);
      names.learn(key.id, made.keys[place]?.id ?? "");
      secrets.set(key, made.keys[place]?.secret ?? "");
    }
  }
  const ever = { snippet: [], variation: [], folder: [], tag: [], team: [] };
  const keys = [...secrets.keys()];
  const isKnown = (id: string) => names.get(id) !== undefined;
  return {
    model,
    keys,
    isKnown,
    ever,
    pages: new Map(),
    versions: [],
    repeatable: new Map(),
    names,
    secrets,
    transcript: [],
    nodeCount,
    counts,
  };
}

/** One request of one client. */
class Command implements fc.AsyncCommand<Game, Nodes> {
  constructor(
    private readonly operation: string,
    private readonly client: number,
    private readonly wait: number,
    private readonly dice: readonly number[],
  ) {}
  check = () => true;
  async run(game: Game, nodes: Nodes): Promise<void> {
    // Two nodes that create IDs in one millisecond do not know of each other's, so only one node's are in order.
    const nodeCount = Math.min(game.nodeCount, nodes.count);
    nodes.advance(nodeCount > 1 ? Math.max(1, this.wait) : this.wait);
    const key = game.keys[this.client] as Key;
    const request = buildRequest(game, key, this.operation, this.dice, nodes.now());
    const expected = game.model.ask(request);
    const sent = {
      operation: request.operation,
      secret: game.secrets.get(key) ?? "",
      query: game.names.translateAll(request.query),
      headers: game.names.translateAll(request.headers),
      ...(request.body !== undefined && { body: game.names.translate(request.body) }),
    };
    const received = await nodes.send(sent, game.transcript.length % nodeCount);
    game.transcript.push(describe(request, this.wait, received.status));
    count(game.counts, request, expected);
    game.names.matchResponse(expected, received);
    remember(game, request, expected);
  }
  toString = (): string => this.operation;
}

const describe = ({ operation, key, query, body, headers }: Request, wait: number, status: number): string =>
  `after ${wait} ms, ${key.name} of ${key.workspace.name}: ${operation} ${JSON.stringify(query)} ${body ?? ""} ${headers["Idempotency-Key"] ?? ""} → ${status}`;

function count(counts: Map<string, number>, { operation }: Request, { status, headers }: Response): void {
  const names = [
    String(status),
    ...(status < 400 ? [`${operation} done`] : []),
    ...(headers[replayed] ? [replayed] : []),
  ];
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** What later requests refer to. */
function remember(game: Game, request: Request, { body, headers }: Response): void {
  const { operation, key, query } = request;
  const { library } = key.workspace;
  const add = (list: string[], all: readonly Fields[]) => {
    for (const { id } of all) if (!list.includes(id)) list.push(id);
  };
  for (const noun of ["snippet", "folder", "tag", "team"] as const) add(game.ever[noun], library[noun]);
  add(
    game.ever.variation,
    library.snippet.flatMap(({ variations }) => variations),
  );
  if (request.headers["Idempotency-Key"] !== undefined) game.repeatable.set(key, request);
  if (headers.etag !== undefined) game.versions.push(String(headers.etag).slice(1, -1));
  const { pagination, data } = (body ?? {}) as { pagination?: { nextCursor?: string | null }; data?: Fields };
  const next = pagination?.nextCursor ?? (operation === "getChanges" ? data?.cursor : undefined);
  if (typeof next === "string") game.pages.set(`${key.id} ${operation}`, { query, cursor: next });
}

const command = fc
  .record({
    operation: fc.constantFrom(...operationNames, ...often, ...often, ...often),
    client: fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4),
    wait: fc.oneof({ arbitrary: fc.constantFrom(...waits), weight: 150 }, { arbitrary: fc.constant(month), weight: 1 }),
    dice: fc.array(fc.nat(2 ** 16), { minLength: dicePerRequest, maxLength: dicePerRequest }),
  })
  .map(({ operation, client, wait, dice }) => new Command(operation, client, wait, dice));
interface Setting {
  readonly allowance: number;
  readonly nodeCount: number;
}
const sequence = fc.record({
  nodeCount: fc.constantFrom(1, 3),
  allowance: fc.constantFrom(...allowances),
  commands: fc.commands([command], { maxCommands: commandsMax, size: "max" }),
});

/** Plays one sequence. @throws Error with the shortest failing sequence, and how to repeat it */
async function playOne(nodes: Nodes, run: Run, seed: number, counts: Map<string, number>): Promise<void> {
  let failed: readonly string[] = [];
  let endsAt = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(sequence, async ({ commands, ...setting }) => {
    // On a busy machine, the sequence itself may take long: only the time for shorter ones is limited.
    if (performance.now() > endsAt) return;
    const game = await startGame(nodes, counts, setting);
    try {
      await fc.asyncModelRun(() => ({ model: game, real: nodes }), commands);
    } catch (error) {
      failed = game.transcript;
      endsAt = Math.min(endsAt, performance.now() + shrinkMilliseconds[run.form]);
      throw error;
    } finally {
      run.made.inputs += game.transcript.length;
    }
  });
  const { failed: isFailed, errorInstance } = await fc.check(property, { seed, numRuns: 1 });
  if (!isFailed) return;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(
    [
      reason,
      `the last of ${failed.length} requests:`,
      ...failed.slice(-transcriptMax),
      `again: npm run prove -- --only P28 --engine ${run.engine} --seed ${seed}`,
    ].join("\n"),
    { cause: errorInstance },
  );
}

/** Plays so many sequences, or until the time is up. @returns how often each operation was carried out, and each status came */
export async function playSequences(run: Run, wanted: number): Promise<ReadonlyMap<string, number>> {
  const nodes = await startNodes(requestsPerMinute);
  const counts = new Map<string, number>();
  while (run.made.runs < wanted && !run.isOver()) {
    await playOne(nodes, run, run.seed + run.made.runs, counts);
    run.made.runs += 1;
    run.show(`${run.made.runs} of ${wanted} sequences`, run.made.runs / wanted);
  }
  return counts;
}

/** P28: the service behaves exactly like its reference model. */
export const prove: Prove = async (run) => {
  const missing = Object.keys(operations).filter((name) => ![...operationNames, ...leftOut].includes(name));
  if (missing.length > 0) throw new Error(`the model lacks ${missing.join(", ")}`);
  const counts = await playSequences(run, sequencesOf[run.form]);
  const never = operationNames.filter((name) => !counts.has(`${name} done`));
  if (run.form === "long" && never.length > 0) throw new Error(`never carried out: ${never.join(", ")}`);
  const statuses = [...counts]
    .filter(([name]) => /^\d+$/.test(name) || name === replayed)
    .sort(([one], [two]) => (one < two ? -1 : 1));
  return [`responses: ${statuses.map(([status, times]) => `${times} × ${status}`).join(", ")}`];
};
