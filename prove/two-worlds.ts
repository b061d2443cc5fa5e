// The second part of P2: what others do leaves no trace in what a key is answered. Two services get the same calls of one key; beside one
// of them, others work in another workspace, or in a team that the key does not reach. The answers must be the same.
import { type OperationName, operationNames, operations } from "../src/contract/operations.ts";
import { allPlaces, type Place, type Request } from "../test/support/case.ts";
import { cases } from "../test/support/cases.ts";
import { makeWorkspace, type Workspace } from "../test/support/nodes.ts";
import { type RawAnswer, type Started, startService, text } from "../test/support/service.ts";
import { makeManyTargets, neverExisted, type Targets } from "../test/support/targets.ts";
import type { Run } from "./proof.ts";
import { Random } from "./random.ts";

/** Whom the key must not notice. */
const kinds = ["another workspace", "a team out of reach"] as const;
type Kind = (typeof kinds)[number];

const targetsOfKey = 8;
const callsInSequence = 40;
const words = ["Snippet", "hello", "second", "changed", "renamed", "new", "folder", "color"];

/** One of the two services, with what the key can name. */
interface World {
  readonly kind: Kind;
  readonly started: Started;
  readonly workspace: Workspace;
  /** The secret of the key whose answers are compared. */
  readonly key: string;
  readonly own: Targets[];
  /** What others have, or IDs that never existed. */
  readonly foreign: readonly Targets[];
  readonly ids: Map<string, string>;
  cursor: string | undefined;
  /** Where the key follows the changes of all its teams. */
  feedCursor: string | undefined;
}

/** Others, who work beside the key in one of the worlds. */
interface Others {
  readonly key: string;
  readonly teamId: string;
  readonly targets: readonly Targets[];
}

/** Runs sequences until the time is up or there are enough. @returns how many of each kind */
export async function proveTwoWorlds(run: Run, sequencesMax: number): Promise<string> {
  const busy = await startService({});
  const quiet = await startService({});
  const counts = new Map<Kind, number>();
  for (let number = 0; number < sequencesMax && !run.isOver(); number += 1) {
    const kind = kinds[number % kinds.length] ?? kinds[0];
    await proveSequence(run, kind, busy, quiet, new Random(run.seed + number));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    run.made.runs += 1;
    run.show(`${number + 1} sequences beside others`, number / sequencesMax);
  }
  const words = [...counts].map(([kind, count]) => `${count.toLocaleString("en-US")} beside ${kind}`);
  return `sequences of ${callsInSequence} calls with the same answers: ${words.join(", ")}`;
}

async function proveSequence(run: Run, kind: Kind, busy: Started, quiet: Started, random: Random): Promise<void> {
  for (const { clock } of [busy, quiet]) clock.advance(1);
  const [one, two] = await Promise.all([makeWorld(kind, busy), makeWorld(kind, quiet)]);
  const others = await makeOthers(kind, busy, one);
  const worlds = [{ ...one, foreign: others.targets }, two];
  const history: string[] = [];
  for (let number = 0; number < callsInSequence; number += 1) {
    const seconds = random.pick([0, 0, 0.001, 1, 5]);
    for (const { started } of worlds) started.clock.advance(seconds);
    const ask = chooseCall(kind, random);
    // What others do at the same moment, in the first world only.
    const beside = Array.from({ length: random.integer(0, 3) }, () => disturb(busy, others, one, random));
    const [seen, expected] = await Promise.all(worlds.map((world) => ask(world)));
    await Promise.all(beside);
    run.made.inputs += 2 + beside.length;
    history.push(seen?.asked ?? "");
    if (seen?.answer !== expected?.answer)
      throw new Error(
        `others in ${kind} change what a key is answered (call ${number} of seed ${run.seed}):\n${history.slice(-3).join("\n")}\n  beside them  ${seen?.answer}\n  alone        ${expected?.answer}`,
      );
  }
}

async function makeWorld(kind: Kind, started: Started): Promise<World> {
  const workspace = await makeWorkspace(started.service.database, { allowance: 1_000_000_000 });
  const client = started.clientFor(workspace.key);
  const own = await makeManyTargets({ client }, Array(targetsOfKey).fill(workspace.teamId), true);
  return {
    kind,
    started,
    workspace,
    key: kind === "another workspace" ? workspace.key : workspace.limitedKey,
    own,
    foreign: Array.from({ length: targetsOfKey }, neverExisted),
    ids: new Map(),
    cursor: undefined,
    feedCursor: undefined,
  };
}

async function makeOthers(kind: Kind, busy: Started, { workspace }: World): Promise<Others> {
  const theirs =
    kind === "another workspace"
      ? await makeWorkspace(busy.service.database, { allowance: 1_000_000_000 })
      : { ...workspace, teamId: workspace.otherTeamId };
  const client = busy.clientFor(theirs.key);
  const targets = await makeManyTargets({ client }, Array(targetsOfKey).fill(theirs.teamId), true);
  return { key: theirs.key, teamId: theirs.teamId, targets };
}

/** A call of others: of any operation, or a snippet that resembles one of the key's. */
async function disturb(busy: Started, others: Others, { own }: World, random: Random): Promise<void> {
  const name = random.pick(operationNames);
  const like = random.pick(own);
  const { method, path } = operations[name];
  const answer = random.isTrue(0.3)
    ? await busy.call("POST", "/snippet", {
        key: others.key,
        body: { title: "A snippet", content: text("Hello"), teamId: others.teamId, shortcut: like.shortcut },
      })
    : await busy.call(method, path, { key: others.key, ...cases[name].request(random.pick(others.targets)) });
  if (answer.status >= 500) throw new Error(`${answer.status} ${name}: ${answer.text}`);
}

type Ask = (world: World) => Promise<{ readonly asked: string; readonly answer: string }>;

/** A call that the key makes in both worlds. */
function chooseCall(kind: Kind, random: Random): Ask {
  const [at, other] = [random.integer(0, targetsOfKey - 1), random.integer(0, targetsOfKey - 1)];
  if (random.isTrue(0.3)) return search(random, at);
  const name = random.pick(operationNames);
  const places = allPlaces(cases[name]).filter((place) => isAlike(kind, place));
  const place = places.length > 0 && random.isTrue(0.4) ? random.pick(places) : undefined;
  const onDuplicate = random.pick(["create", "skip", "update"]);
  return (world) => {
    const own = world.own[at] ?? neverExisted();
    const request = place ? place.request(own, world.foreign[other] ?? neverExisted()) : cases[name].request(own);
    return send(
      world,
      name,
      name === "postImport" ? { ...request, query: { ...request.query, onDuplicate } } : request,
    );
  };
}

/** Of a team out of reach, an ID is answered 403 and not 404; only in a reference does it not tell. */
const isAlike = (kind: Kind, { role, noun, at }: Place): boolean =>
  kind === "another workspace" || (role === "reference" && noun !== "Variation" && !at.startsWith("query"));

/** Lists, counts, and searches, page by page. */
function search(random: Random, at: number): Ask {
  const query = {
    ...(random.isTrue(0.6) && { query: random.pick(words) }),
    ...(random.isTrue(0.3) && { sort: random.pick(["updated", "created", "title"]) }),
    ...(random.isTrue(0.2) && { isArchived: "true" }),
    limit: String(random.pick([1, 2, 3, 50])),
  };
  const name = random.pick([
    ...([
      "getSearch",
      "getSearch",
      "getTrash",
      "getImports",
      "getTree",
      "getTeams",
      "getShortcut",
      "getChanges",
      "getChanges",
    ] as const),
  ]);
  const pages = random.pick([false, true]);
  return async (world) => {
    const shortcut = world.own[at]?.shortcut ?? "";
    if (name === "getSearch") {
      const found = await send(world, name, { query });
      if (!pages || world.cursor === undefined) return found;
      return send(world, name, { query: { ...query, cursor: world.cursor } });
    }
    const getChanges = { limit: query.limit, ...(world.feedCursor !== undefined && { cursor: world.feedCursor }) };
    const requests = {
      getTrash: { limit: query.limit },
      getImports: { limit: query.limit },
      getTree: {},
      getTeams: {},
      getShortcut: { shortcut },
      getChanges,
    };
    return send(world, name, { query: requests[name] });
  };
}

async function send(world: World, name: OperationName, given: Request) {
  // Texts can be compared; a zip file compresses the IDs in them.
  const request = name === "getExport" ? { ...given, query: { ...given.query, format: "csv" } } : given;
  const { method, path } = operations[name];
  const answer = await world.started.call(method, path, { key: world.key, ...request });
  if (answer.status >= 500) throw new Error(`${answer.status} ${name}: ${answer.text}`);
  world.cursor = answer.body?.pagination?.nextCursor ?? undefined;
  if (name === "getChanges" && request.query?.teamId === undefined)
    world.feedCursor = answer.body?.data?.cursor ?? world.feedCursor;
  return { asked: `${name} ${JSON.stringify(request)}`, answer: shown(world, answer) };
}

/** A response without what differs from one world to the other: IDs become numbers, in the order in which the key saw them. */
function shown({ ids, kind }: World, { status, text, headers }: RawAnswer): string {
  const numbered = (value: string) =>
    value.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const number = ids.get(id) ?? `id ${ids.size}`;
      ids.set(id, number);
      return number;
    });
  // A request ID belongs to one response only.
  const body = text
    .replace(/"requestId":"[^"]*"/, "")
    .replace(/"nextCursor":"([^"]*)"/, (_, cursor) => position(cursor))
    // It is encrypted and different in every response, so only its length could tell something.
    .replace(/"cursor":"([\w-]*)"/, (_, cursor) => `a cursor of ${cursor.length} characters`);
  const kept = [...headers].filter(([header]) => !/^(x-request-id|date|etag|content-length)$/.test(header));
  // The balance of a workspace is shared by its teams.
  const isShared = kind === "a team out of reach";
  const masked = (value: string) => (isShared ? value.replaceAll(/"remainingRequests":\d+/g, "") : value);
  const shownHeaders = kept.filter(([header]) => !isShared || header !== "x-remaining-requests");
  return `${status} ${masked(numbered(body))} ${shownHeaders.map(([header, value]) => `${header}: ${value}`).join(", ")}`;
}

/** What a cursor holds, without the digest that binds it to these IDs. */
const position = (cursor: string): string =>
  JSON.stringify(JSON.parse(Buffer.from(cursor, "base64url").toString()).slice(1));
