// Requests for the model and the service: built from dice, so that fast-check can make them smaller. With all dice at zero, a request is
// plain and valid.
import type { Key } from "./call.ts";
import { Dice, nobody, Picker, type World } from "./picker.ts";
import type { Fields, Request } from "./state.ts";

type Query = Record<string, string>;
type Body = Record<string, unknown>;

const words = [
  "refund",
  "Refund sent",
  "draft",
  "getOAuthToken",
  "Café",
  "東京都庁",
  "x",
  "first draft",
  "=> a",
  "100%",
];
const texts = [
  "",
  "Hello",
  "A refund is on its way",
  "first draft\nof café",
  "👋🏽 e\u0301",
  "<b>&amp;</b>",
  " spaced ",
];
const shortcuts = ["/refund", "/a", "/A", "draft", ""];
const types = ["plaintext", "code", "text/x-foo"];
const colors = ["#336699", "red", "c"];
const queries = [
  "refund",
  "draft",
  "ref",
  '"first draft"',
  "-refund",
  "auth",
  "京",
  "refund -draft",
  "cafe",
  "=>",
  '""',
];
const wrongValues = [null, 5, "", "x".repeat(5_001), [], {}, "a\0b", "\ud800", true, "no id", undefined];

const content = (dice: Dice) => ({ type: dice.one(types), content: dice.one(texts) });
const variation = (dice: Dice) => ({
  variationName: dice.one(["Short", "Formal", "x".repeat(100)]),
  content: content(dice),
});

function newSnippet(pick: Picker): Body {
  const { dice } = pick;
  const team = pick.team();
  return {
    title: dice.one(words),
    content: content(dice),
    teamId: team,
    ...(dice.below(2) === 1 && { folderId: dice.rarely(6) ? null : pick.ofTeam("folder", team) }),
    ...(dice.below(2) === 1 && { tagIds: Array.from({ length: dice.below(3) }, () => pick.ofTeam("tag", team)) }),
    ...(dice.below(2) === 1 && { shortcut: dice.one(shortcuts) }),
    ...(dice.rarely(4) && { note: dice.one([null, "", "A note on a refund"]) }),
    ...(dice.rarely(3) && { additionalVariations: Array.from({ length: dice.below(4) }, () => variation(dice)) }),
  };
}
function changes(pick: Picker): Body {
  const { dice } = pick;
  const snippet = dice.one(pick.workspace.library.snippet);
  const team = snippet?.team_id ?? "";
  const all: Body = {
    content: content(dice),
    title: dice.one(words),
    isArchived: dice.below(2) === 0,
    folderId: dice.rarely(3) ? null : pick.ofTeam("folder", team),
    tagIds: Array.from({ length: dice.below(3) }, () => pick.ofTeam("tag", team)),
    shortcut: dice.one([null, ...shortcuts]),
    note: dice.one([null, "A note"]),
  };
  return some(dice, all);
}
/** At least one of these fields. */
function some(dice: Dice, all: Body): Body {
  const names = Object.keys(all);
  const chosen = new Set([dice.one(names), ...names.filter(() => dice.rarely(4))]);
  return Object.fromEntries(Object.entries(all).filter(([name]) => chosen.has(name)));
}
function newGroup(pick: Picker, noun: "folder" | "tag"): Body {
  const { dice } = pick;
  const team = pick.team();
  const parent = { [parentOf(noun)]: dice.rarely(6) ? null : pick.ofTeam(noun, team) };
  return {
    [`${noun}Name`]: dice.one(words),
    [`${noun}Color`]: dice.one(colors),
    teamId: team,
    ...(dice.below(3) === 1 && parent),
  };
}
const parentOf = (noun: "folder" | "tag") => (noun === "folder" ? "parentFolderId" : "parentTagId");
function groupChanges(pick: Picker, noun: "folder" | "tag"): Body {
  const { dice, workspace } = pick;
  const team = dice.one(workspace.library[noun])?.team_id ?? "";
  return some(dice, {
    [parentOf(noun)]: dice.rarely(4) ? null : pick.ofTeam(noun, team),
    [`${noun}Name`]: dice.one(words),
    [`${noun}Color`]: dice.one(colors),
  });
}
/** A file of VS Code. */
function newImport(pick: Picker) {
  const { dice } = pick;
  const teamId = pick.team();
  const query = {
    ...{ teamId, fileName: `${dice.one(words.slice(0, 3))}.code-snippets` },
    ...(dice.below(2) === 1 && { onDuplicate: dice.one(["replace", "create", "skip", "replace", "both"]) }),
    ...(dice.rarely(3) && { folderId: pick.ofTeam("folder", teamId) }),
    ...(dice.rarely(3) && { dryRun: dice.one(["true", "false"]) }),
    ...(dice.rarely(4) && { allOrNothing: "true" }),
  };
  const snippet = (): Body => ({
    ...(dice.below(2) === 1 && { prefix: dice.one(shortcuts.slice(0, -1)) }),
    body: dice.one(texts.slice(1)),
  });
  const body = Object.fromEntries(several(dice, snippet).map((each) => [dice.one(words), each]));
  return { query, body };
}
const several = (dice: Dice, make: () => Body): Body[] => Array.from({ length: 1 + dice.below(4) }, make);
const paged = (dice: Dice): Query => ({
  ...(dice.below(2) === 1 && { limit: dice.one(["1", "2", "3", "100", "0", "101", "x"]) }),
  ...(dice.rarely(3) && { offset: dice.one(["0", "1", "2", "50", "-1"]) }),
});
const byCursor = (dice: Dice): Query => ({ ...(dice.below(2) === 1 && { limit: dice.one(["1", "2", "3", "0"]) }) });

/** What an operation is asked for: its query and its body. */
type Build = (pick: Picker, now: number) => { readonly query?: Query; readonly body?: Body };
const groupBuilds = (noun: "folder" | "tag", Noun: string): Record<string, Build> => ({
  [`get${Noun}`]: (pick) => ({ query: { [`${noun}Id`]: pick.id(noun), ...paged(pick.dice) } }),
  [`post${Noun}`]: (pick) => ({ body: newGroup(pick, noun) }),
  [`put${Noun}`]: (pick) => ({ query: { [`${noun}Id`]: pick.id(noun) }, body: groupChanges(pick, noun) }),
  [`delete${Noun}`]: (pick) => ({ query: { [`${noun}Id`]: pick.id(noun) } }),
  [`get${Noun}s`]: (pick) => ({
    query: { [`${noun}Ids`]: pick.ids(noun), ...(noun === "folder" && paged(pick.dice)) },
  }),
  [`post${Noun}s`]: (pick) => ({ body: { [`${noun}s`]: several(pick.dice, () => newGroup(pick, noun)) } }),
  [`put${Noun}s`]: (pick) => {
    const change = () => ({ id: pick.id(noun), ...groupChanges(pick, noun) });
    return { body: { [`${noun}s`]: several(pick.dice, change) } };
  },
  [`delete${Noun}s`]: (pick) => ({ query: { [`${noun}Ids`]: pick.ids(noun) } }),
});
const ofSnippet = (pick: Picker): Query => ({ snippetId: pick.id("snippet") });
const maybeTeam = (pick: Picker): Query => ({ ...(pick.dice.rarely(3) && { teamId: pick.id("team") }) });

const builds: Readonly<Record<string, Build>> = {
  ...groupBuilds("folder", "Folder"),
  ...groupBuilds("tag", "Tag"),
  getSnippet: (pick) => ({ query: { id: pick.id("snippet") } }),
  postSnippet: (pick) => ({ body: newSnippet(pick) }),
  putSnippet: (pick) => ({ query: { id: pick.id("snippet") }, body: changes(pick) }),
  deleteSnippet: (pick) => ({ query: { id: pick.id("snippet") } }),
  getSnippets: (pick) => ({ query: { ids: pick.ids("snippet") } }),
  postSnippets: (pick) => ({ body: { snippets: several(pick.dice, () => newSnippet(pick)) } }),
  deleteSnippets: (pick) => ({ query: { ids: pick.ids("snippet") } }),
  getSnippetVariation: (pick) => {
    const snippet = pick.readSnippet();
    if (!snippet || pick.dice.rarely(5)) return { query: { ...ofSnippet(pick), variationId: pick.id("variation") } };
    return { query: { snippetId: snippet.id, variationId: pick.dice.one<Fields>(snippet.variations).id } };
  },
  putSnippetVariation: (pick) => {
    const { dice } = pick;
    const name = { [dice.one(["name", "variationName"])]: dice.one(["Renamed", "Short"]) };
    const body = dice.one<Body>([{ content: content(dice) }, name, { ...name, content: content(dice) }]);
    return { query: { variationId: pick.id("variation") }, body };
  },
  deleteSnippetVariation: (pick) => {
    const ids = Array.from({ length: 1 + pick.dice.below(3) }, () => pick.id("variation"));
    const [inQuery, inBody] = [{ query: { variationId: ids[0] ?? "" } }, { body: { variationIds: ids } }];
    return pick.dice.rarely(12) ? { ...inQuery, ...inBody } : pick.dice.one([inQuery, inBody]);
  },
  getSnippetVariationHistory: (pick, now) => {
    const variationId = pick.id("variation");
    const all = pick.workspace.library.snippet.flatMap(({ variations }) => variations);
    const versions: Fields[] = all.find(({ id }) => id === variationId)?.versions ?? [];
    const times = [...versions.map(({ changed_at }) => changed_at), new Date(now - 1_000).toISOString()];
    const time = () => pick.dice.one(times).replace("Z", pick.dice.one(["Z", "+00:00"]));
    const range = { ...(pick.dice.rarely(3) && { fromDate: time() }), ...(pick.dice.rarely(3) && { toDate: time() }) };
    return { query: { variationId, ...byCursor(pick.dice), ...range } };
  },
  getSnippetVariations: (pick) => ({ query: ofSnippet(pick) }),
  postSnippetVariations: (pick) => ({
    query: ofSnippet(pick),
    body: { variations: several(pick.dice, () => variation(pick.dice)) },
  }),
  putSnippetVariationsOrder: (pick) => {
    const snippet = pick.readSnippet();
    const ids = snippet?.variations.map(({ id }: Fields) => id) ?? [nobody];
    const start = pick.dice.below(ids.length);
    const turned = [...ids.slice(start), ...ids.slice(0, start)];
    const body = {
      variationIds: pick.dice.one([turned.toReversed(), turned, turned.slice(1), [...turned, pick.id("variation")]]),
    };
    return { query: { snippetId: snippet?.id ?? nobody }, body };
  },
  postImport: newImport,
  getMe: () => ({}),
  getTeams: () => ({}),
  getTree: (pick) => ({ query: maybeTeam(pick) }),
  getShortcut: (pick) => ({ query: { shortcut: pick.dice.one(shortcuts), ...maybeTeam(pick) } }),
  getText: (pick) => {
    const { dice } = pick;
    const last = pick.workspace.library.snippet.at(-1)?.id ?? nobody;
    const named = dice.one<Query>([{ id: last }, { id: pick.id("snippet") }, { shortcut: dice.one(shortcuts) }]);
    const wanted = dice.one([pick.id("variation"), "Default", "Short", "none"]);
    return { query: { ...named, ...maybeTeam(pick), ...(dice.rarely(3) && { variation: wanted }) } };
  },
  getSearch: (pick, now) => {
    const { dice } = pick;
    const filters: Query[] = [
      { teamId: pick.id("team") },
      { folderId: pick.id("folder"), inside: dice.one(["true", "false"]) },
      { tagIds: pick.ids("tag") },
      { contentType: dice.one(types) },
      { createdBy: dice.one([nobody, ...pick.keyIds()]) },
      { isArchived: "true" },
      { updatedSince: new Date(now - 2_000).toISOString() },
      { sort: dice.one(["updated", "created", "title", "relevance"]) },
      { in: dice.one(["title", "content", "tags,note", "shortcut"]) },
    ];
    const chosen = filters.filter(() => dice.rarely(6));
    return { query: Object.assign({}, ...chosen, dice.rarely(4) ? {} : { query: dice.one(queries) }, byCursor(dice)) };
  },
  getChanges: (pick) => ({ query: { ...maybeTeam(pick), ...byCursor(pick.dice) } }),
  getTrash: (pick) => ({ query: { ...maybeTeam(pick), ...byCursor(pick.dice) } }),
  postSnippetsRestore: (pick) => {
    const trashed = pick.workspace.library.trash.map(({ id }) => id);
    const id = () =>
      trashed.length === 0 || pick.dice.rarely(4) ? pick.id("snippet") : pick.dice.one(trashed.toReversed());
    return { body: { snippetIds: Array.from({ length: 1 + pick.dice.below(3) }, id) } };
  },
};

/** Aliases of parameters. */
const aliases: Readonly<Record<string, string>> = {
  id: "snippetId",
  folderId: "id",
  tagId: "id",
  folderIds: "ids",
  tagIds: "ids",
  ids: "snippetIds",
};
const hasAliases = /^(get|put|delete)(Snippets?|Folders?|Tags?|Text)$/;

/** Makes one thing wrong with a query or a body: a parameter or field that is missing, unknown, or of another kind. */
function spoil(dice: Dice, query: Query, body: Body | undefined): string | undefined {
  const names = Object.keys(query);
  if (body === undefined || dice.rarely(4)) {
    const name = dice.one(names.length > 0 ? names : ["unknown"]);
    if (dice.below(2) === 0) delete query[name];
    else query[name] = dice.one(["no id", "", "{}"]);
    return body && JSON.stringify(body);
  }
  if (dice.rarely(8)) return dice.one([undefined, "{", "[]", "null"]);
  const target = targetOf(dice, body);
  const field = dice.rarely(5) ? "unknown" : dice.one(Object.keys(target));
  target[field] = dice.one(wrongValues);
  return JSON.stringify(body);
}
/** The body itself, or an object in it. */
function targetOf(dice: Dice, body: Body): Body {
  const inner = Object.values(body)
    .flat()
    .filter((value) => typeof value === "object" && value !== null) as Body[];
  return inner.length === 0 || dice.rarely(3) ? body : dice.one(inner);
}

/** A request of a key for an operation. The same dice in the same world make the same request. */
export function buildRequest(
  world: World,
  key: Key,
  operation: string,
  rolled: readonly number[],
  now: number,
): Request {
  const dice = new Dice(rolled);
  const last = world.repeatable.get(key);
  if (last && dice.rarely(14)) return { ...last, now };
  const built = builds[operation]?.(new Picker(dice, world, key.workspace), now);
  if (!built) throw new Error(`no requests are made for ${operation}`);
  let query: Query = Object.fromEntries(
    Object.entries(built.query ?? {}).map(([name, value]) =>
      hasAliases.test(operation) && aliases[name] && dice.rarely(6) && !(aliases[name] in (built.query ?? {}))
        ? [aliases[name], value]
        : [name, value],
    ),
  );
  const page = world.pages.get(`${key.id} ${operation}`);
  if (page && dice.below(3) > 0)
    query = {
      ...page.query,
      cursor: page.cursor,
      ...(dice.rarely(10) && { limit: "2" }),
      ...(dice.rarely(12) && maybeOther(query)),
    };
  const isFile = operation === "postImport";
  const body = !isFile && dice.rarely(14) ? spoil(dice, query, built.body) : built.body && JSON.stringify(built.body);
  const known = operation === "getText" && dice.below(2) === 1 ? world.versions.at(-1 - dice.below(3)) : undefined;
  const repeat = dice.rarely(3) ? dice.one(["one", '"one"', "two", "a b", "!~"]) : undefined;
  const headers = {
    ...(repeat !== undefined && { "Idempotency-Key": repeat }),
    ...(known !== undefined && { "If-None-Match": `"${known}"` }),
  };
  return { operation, key, now, query, headers, ...(body !== undefined && { body }) };
}
/** A parameter of another list. */
const maybeOther = ({ query, teamId }: Query): Query => ({
  ...(query !== undefined && { query }),
  ...(teamId !== undefined && { teamId }),
});
