// GET /search: a test for each sentence of its section. test/library/search-oracle.test.ts compares many searches with one without an index.
import { describe, expect, test } from "bun:test";
import { examineIndex } from "../../src/library/search/check-index.ts";
import { indexPending } from "../../src/library/search/indexing.ts";
import { rebuildIndex } from "../../src/library/search/rebuild.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { refusalOf, type Started, startService, text } from "../support/service.ts";

type Query = NonNullable<Parameters<Started["client"]["getSearch"]>[0]>;

/** The titles that are found, in order. */
const titlesOf = async ({ client }: Started, query: Query) =>
  (await client.getSearch(query)).data.snippets.map(({ title }) => title);

const write = async (started: Started, ...titles: string[]) => {
  for (const title of titles) {
    await started.given.snippet({ title, content: text("-") });
    started.clock.advance(1);
  }
};

const index = ({ service: { database } }: Started) =>
  indexPending({ database, pace: () => undefined, goOn: () => true }, 1);

describe("what is found", () => {
  test.each([
    ["folding: case, accents", "CAFE", ["un café", "un cafe\u0301s"], ["un caf"]],
    ["ø, ł, ß and が stay what they are", "o strasse か", [], ["ø straße が o strase"]],
    ["any white space counts as one space", '"first draft"', ["my first \n\t draft"], []],
    ["a phrase runs to the end without a second quote", '"first draft', ["a first draft"], ["draft first"]],
    ["a phrase is one run", '"first draft"', ["first draft"], ["first rough draft"]],
    ["inside an identifier", "oauth", ["getOAuthToken"], ["getoauth"]],
    ["a capital letter before a small one", "server", ["HTTPServer"], ["HTTPSERVER"]],
    ["between letters and digits", "8", ["utf8"], ["1288"]],
    ["not in the middle of a part", "ken", ["ken doll"], ["getOAuthToken"]],
    ["code", "foo.bar(", ["x = foo.bar(1)"], ["foo.barn(1)", "foobar("]],
    ["leading punctuation", "(foo", ["f(foo)"], ["f( foo)"]],
    ["every Chinese, Japanese or Korean character starts a part", "京都", ["東京都庁"], ["東大京"]],
    ["a letter directly after one", "tower", ["東京Tower"], ["eiffeltower"]],
    ["pieces may match in different order", "draft first", ["first draft"], ["first"]],
    ["an exclusion", "refund -draft", ["refund"], ["refund draft"]],
    ["an excluded phrase", 'refund -"first draft"', ["refund draft first"], ["refund first draft"]],
    ["only exclusions: everything else", "-draft", ["refund"], ["draft"]],
    ["two dashes are literal", "--force", ["git push --force"], ["git push force"]],
    ["no other syntax: % * OR NEAR", "100% *", ["100% *"], ["100 of all"]],
    ["other characters in titles", "=>", ["x => y"], ["x = y"]],
  ])("%s: %s", async (_, query, found, others) => {
    const started = await startService();
    await write(started, ...found, ...others);
    const expected = [...found].reverse();
    expect(await titlesOf(started, { query, sort: "updated" })).toEqual(expected);
    await index(started);
    expect(await titlesOf(started, { query, sort: "updated" })).toEqual(expected);
  });

  test("other characters alone are looked for in title and shortcut only, with other pieces everywhere", async () => {
    const started = await startService();
    await started.given.snippet({ title: "A lambda", content: text("x => y") });
    expect(await titlesOf(started, { query: "=>" })).toEqual([]);
    expect(await titlesOf(started, { query: "lambda =>" })).toEqual(["A lambda"]);
  });

  test("title, shortcut, tag names, note and the current texts of all variations, or what `in` names", async () => {
    const started = await startService();
    const tag = await started.given.tag({ tagName: "in-tag" });
    const snippet = await started.given.snippetWithVariations({
      title: "in title",
      shortcut: "/in-shortcut",
      note: "in note",
      tagIds: [tag.id],
      content: text("in first"),
    });
    const before = text("in former");
    await started.client.putSnippetVariation({ variationId: snippet.variations[1]?.id ?? "", content: before });
    await started.client.putSnippetVariation({
      variationId: snippet.variations[1]?.id ?? "",
      content: text("in second"),
    });
    const found = async (query: string, fields?: Query["in"]) =>
      (await titlesOf(started, { query: `"${query}"`, in: fields })).length;
    for (const place of ["in title", "in-shortcut", "in-tag", "in note", "in first", "in second"])
      expect([place, await found(place)]).toEqual([place, 1]);
    const { key, call } = started;
    for (const empty of ["[]", " [ ] "]) {
      const { status, body } = await call("GET", "/search", { key: key.secret, query: { query: "in", in: empty } });
      expect([status, body.message]).toEqual([400, '"in" must contain at least one value']);
    }
    for (const nowhere of ["in former", "Default"]) expect([nowhere, await found(nowhere)]).toEqual([nowhere, 0]);
    expect(await found("in title", ["title"])).toBe(1);
    expect(await found("in title", ["note", "content"])).toBe(0);
    await started.client.putTag({ tagId: tag.id, tagName: "renamed" });
    expect([await found("in-tag"), await found("renamed")]).toEqual([0, 1]);
  });

  test("the first 262,144 bytes of a text", async () => {
    const started = await startService();
    const at = (bytes: number) => text(`${"ä ".repeat(Math.floor(bytes / 3))}${" ".repeat(bytes % 3)}needle`);
    await started.given.snippet({ title: "just within", content: at(262_144 - 6) });
    await started.given.snippet({ title: "cut", content: at(262_144 - 5) });
    expect(await titlesOf(started, { query: "needle" })).toEqual(["just within"]);
    started.clock.advance(1);
    await index(started);
    expect(await titlesOf(started, { query: "needle" })).toEqual(["just within"]);
  });
});

test("relevance: equal, begins with, in names, anything else; then the newer change", async () => {
  const started = await startService();
  const add = async (title: string, more: Parameters<Started["given"]["snippet"]>[0] = {}) => {
    await started.given.snippet({ title, content: text("-"), ...more });
    started.clock.advance(1);
  };
  const tag = await started.given.tag({ tagName: "refund" });
  await add("Refund");
  await add("By shortcut", { shortcut: "refund" });
  await add("Refunds of today");
  await add("A refund");
  await add("Tagged", { tagIds: [tag.id] });
  await add("In its text", { content: text("the refund") });
  await add("Newer text", { content: text("the refund") });
  const expected = ["By shortcut", "Refund", "Refunds of today", "Tagged", "A refund", "Newer text", "In its text"];
  expect(await titlesOf(started, { query: "REFUND" })).toEqual(expected);
  await index(started);
  expect(await titlesOf(started, { query: "REFUND" })).toEqual(expected);
  const first = await started.client.getSearch({ query: "refund", limit: 3 });
  const rest = await started.client.getSearch({
    query: '"Refund"',
    limit: 100,
    cursor: first.pagination.nextCursor ?? "",
  });
  expect([...first.data.snippets, ...rest.data.snippets].map(({ title }) => title)).toEqual(expected);
  expect(rest.pagination).toEqual({ limit: 100, nextCursor: null });
});

test("a found snippet is one of a list with tag_ids and up to 3 matches in their original spelling; 1 unit each, and 1", async () => {
  const started = await startService();
  const tag = await started.given.tag({ tagName: "Réfund tag" });
  const long = `${"a ".repeat(100)}Re\u0301fund ${"b ".repeat(100)}`;
  const snippet = await started.given.snippet({
    title: "Refund",
    note: "A\n\n\trefund \n of it",
    content: text(long),
    tagIds: [tag.id],
  });
  const { created_by: _, variations: __, ...listed } = snippet;
  const answer = await started.client.getSearch({ query: "refund" });
  const matches = [
    { field: "title", before: "", match: "Refund", after: "" },
    { field: "tags", before: "", match: "Réfund", after: " tag" },
    { field: "note", before: "A\n\n\t", match: "refund", after: " \n of it" },
  ];
  expect(answer.data.snippets).toEqual([{ ...listed, matches } as never]);
  expect(answer.metadata).toEqual({ totalCount: 1 });
  expect(answer.usage.usageDeducted).toBe(2);
  // The settings of a tool at the end of a note are searched, and no place to show.
  const settings = "Ünder\n\n```vscode\nhasTabStops: true\n```";
  await started.given.snippet({ title: "Log", note: settings, content: text("log") });
  const matchesOf = async (query: string) =>
    (await started.client.getSearch({ query })).data.snippets.map((each) => each.matches);
  expect([await matchesOf("hastabstops"), await matchesOf("under")]).toEqual([
    [[]],
    [[{ field: "note", before: "", match: "Ünder", after: "\n\n```vscode\nhasTabStops: true\n```" }]],
  ]);
  const inText = await started.client.getSearch({ query: "refund", in: ["content"] });
  expect(inText.data.snippets[0]?.matches).toEqual([
    { field: "content", before: `${"a ".repeat(30)}`, match: "Re\u0301fund", after: ` ${"b ".repeat(29)}b` },
  ]);
  expect((await started.client.getSearch({})).data.snippets[0]?.matches).toEqual([]);
});

test("above 1,000 snippets, the total says at least 1,000, the same on every page", async () => {
  const started = await startService();
  const some = (count: number) =>
    started.client.postSnippets({
      snippets: Array.from({ length: count }, () => ({ title: "Many", content: text("-"), teamId: started.team.id })),
    });
  for (let batch = 0; batch < 10; batch += 1) await some(100);
  const first = await started.client.getSearch({ query: "many", limit: 1 });
  expect(first.metadata).toEqual({ totalCount: 1_000 });
  started.clock.advance(1);
  await index(started);
  await some(1);
  expect((await started.client.getSearch({ query: "many", limit: 1 })).metadata).toEqual({ totalIsAtLeast: 1_000 });
  const next = await started.client.getSearch({ query: "many", limit: 1, cursor: first.pagination.nextCursor ?? "" });
  expect(next.metadata).toEqual({ totalCount: 1_000 });
});

describe("refused", () => {
  test.each([
    ['""', "query must contain at least one search term"],
    [" ", "query must contain at least one search term"],
    ["\u0301", "query must contain at least one search term"],
    ["x".repeat(501), "query must be 1 to 500 characters"],
    ["a b c d e f g h -i", "query must have at most 8 terms"],
  ])("the query %s", async (query, message) => {
    const started = await startService();
    expect(await refusalOf(started.client.getSearch({ query }))).toEqual({
      status: 400,
      code: "invalid_request",
      message,
    });
  });

  test("relevance without a query; a team that is unknown or out of reach; a filter elsewhere, with the same bytes", async () => {
    const { client, limitedClient, otherTeam, given, team } = await startService();
    const ask = (query: Query, of = client) =>
      refusalOf(of.getSearch(query)).then(({ status, message }) => [status, message]);
    expect(await ask({ sort: "relevance" })).toEqual([400, "sort=relevance requires a query"]);
    expect(await ask({ in: ["body" as "title"] })).toEqual([
      400,
      'each value of "in" must be "title", "shortcut", "tags", "note", or "content"',
    ]);
    expect(await ask({ teamId: Bun.randomUUIDv7() })).toEqual([404, "Team not found"]);
    expect(await ask({ teamId: otherTeam.id }, limitedClient)).toEqual([
      403,
      "API key does not have access to this team",
    ]);
    const [folder, tag] = [await given.folder({ teamId: otherTeam.id }), await given.tag({ teamId: otherTeam.id })];
    const [noFolder, noTag] = [
      [400, "folderId must be a folder in one of the searched teams"],
      [400, "tagIds must be tags in the searched teams"],
    ];
    expect(await ask({ folderId: Bun.randomUUIDv7() })).toEqual(noFolder);
    expect(await ask({ folderId: folder.id }, limitedClient)).toEqual(noFolder);
    expect(await ask({ folderId: folder.id, teamId: team.id })).toEqual(noFolder);
    expect(await ask({ tagIds: [tag.id] }, limitedClient)).toEqual(noTag);
    expect(await ask({ tagIds: [tag.id], teamId: team.id })).toEqual(noTag);
    expect((await client.getSearch({ createdBy: Bun.randomUUIDv7() })).metadata).toEqual({ totalCount: 0 });
  });

  test("nothing, however hostile, fails the service", async () => {
    const started = await startService();
    await write(started, "100% \u202eright to left", "e\u0301".repeat(50), "it's");
    for (const query of [
      "%",
      "_",
      "*",
      "'",
      "';--",
      "\\",
      "\u202e",
      "e\u0301",
      "\u0600",
      "𝔘",
      "\ufeffx",
      "a".repeat(500),
      "( ) [ ] { } ^ $",
      "'\"'",
      '-"',
      "- -",
      "\u0e01\u0e34",
      "\ud83d\udc68\u200d\ud83d\udc69",
    ]) {
      const answer = await started.call("GET", "/search", { key: started.key.secret, query: { query } });
      expect([query, answer.status < 500]).toEqual([query, true]);
    }
    for (const query of [
      "query=%00",
      "query=%ff",
      "query=%ed%a0%80",
      "query=a%00b",
      "in=",
      "in=[]",
      "in=body",
      "inside=yes",
      "contentType=%00",
    ]) {
      const answer = await started.call("GET", "/search", { key: started.key.secret, query });
      expect([query, answer.status < 500]).toEqual([query, true]);
    }
  });
});

test("what was written is found by the next call, what was deleted is not, and a restored snippet is again", async () => {
  const started = await startService();
  const { client } = started;
  for (let round = 0; round < 2; round += 1) {
    const { id } = await started.given.snippet({ title: "needle" });
    expect(await titlesOf(started, { query: "needle" })).toEqual(["needle"]);
    await client.putSnippet({ id, title: "pin" });
    expect(await titlesOf(started, { query: "needle" })).toEqual([]);
    expect(await titlesOf(started, { query: "pin" })).toEqual(["pin"]);
    await client.deleteSnippet({ id });
    expect(await titlesOf(started, { query: "pin" })).toEqual([]);
    await client.postSnippetsRestore({ snippetIds: [id] });
    expect(await titlesOf(started, { query: "pin" })).toEqual(["pin"]);
    await client.deleteSnippet({ id });
    started.clock.advance(1);
    await index(started);
    expect(await titlesOf(started, { query: "pin" })).toEqual([]);
  }
});

test("the total counts what is there now, also after what was counted before has changed and the index has taken the change in", async () => {
  const started = await startService();
  const { client } = started;
  const total = async () => (await client.getSearch({ query: "needle" })).metadata;
  const ids: string[] = [];
  for (const number of [1, 2, 3, 4]) ids.push((await started.given.snippet({ title: `needle ${number}` })).id);
  const [first = "", second = "", third = "", fourth = ""] = ids;
  const steps: readonly (readonly [number, () => Promise<unknown>])[] = [
    [4, async () => undefined],
    [3, () => client.deleteSnippet({ id: first })],
    [2, () => client.putSnippet({ id: second, isArchived: true })],
    [1, () => client.putSnippet({ id: third, title: "pin" })],
    [2, () => client.postSnippetsRestore({ snippetIds: [first] })],
    [0, () => client.deleteSnippets({ ids: [first, fourth] })],
    [2, () => client.postSnippetsRestore({ snippetIds: [first, fourth] })],
  ];
  for (const [totalCount, step] of steps) {
    await step();
    started.clock.advance(1);
    expect(await total()).toEqual({ totalCount });
    await index(started);
    expect(await total()).toEqual({ totalCount });
    expect(await total()).toEqual({ totalCount });
  }
});

test("what existed unchanged during a walk is returned exactly once, while others write and the index changes", async () => {
  const started = await startService();
  const ids: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    ids.push((await started.given.snippet({ title: `needle ${count % 3}` })).id);
    started.clock.advance(0.001);
  }
  const found: string[] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
    const { data, pagination } = await started.client.getSearch({ query: "needle", limit: 7, cursor });
    found.push(...data.snippets.map(({ id }) => id));
    cursor = pagination.nextCursor ?? undefined;
    await write(started, "another needle");
    await index(started);
  }
  expect(found.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort());
});

test("the index is examined, and made anew by the command that the doctor names, while searches use what there is", async () => {
  const started = await startService({});
  const { service, clock, rows, workspace } = started;
  await write(started, "one", "two");
  clock.advance(1);
  await index(started);
  await write(started, "three");
  clock.advance(1);
  await index(started);
  const examine = (snippetsMax = 100) => service.database.read((transaction) => examineIndex(transaction, snippetsMax));
  expect(await examine()).toEqual({ examined: 3, isSample: false, missing: [] });
  expect(await examine(1)).toEqual({ examined: 1, isSample: true, missing: [] });
  const [first] = await rows<{ segment: number }>("select min(segment) as segment from search_segments");
  await started.admin((transaction) =>
    transaction.run(sql`delete from search_segments where segment = ${first?.segment ?? 0}`),
  );
  expect(await titlesOf(started, { query: "one" })).toEqual([]);
  expect((await examine()).missing.map(({ workspace_id }) => workspace_id)).toEqual([workspace.id, workspace.id]);

  const { database } = service;
  const interrupted = rebuildIndex({ database, pace: () => undefined, goOn: () => true }, workspace.id, () => {
    throw new Error("interrupted");
  });
  expect(await interrupted.catch(String)).toBe("Error: interrupted");
  expect((await rows("select state from search_segments order by segment")).map(({ state }) => state)).toEqual([
    "outdated",
    "ready",
  ]);
  for (const title of ["one", "two", "three"]) expect(await titlesOf(started, { query: title })).toEqual([title]);

  const done: number[] = [];
  await rebuildIndex({ database, pace: () => undefined, goOn: () => true }, workspace.id, (some) => done.push(some));
  expect(done).toEqual([3]);
  const [made] = await rows("select segment, state from search_segments");
  expect(made).toMatchObject({ state: "ready" });
  expect(await rows("select distinct segment from search_blocks")).toEqual([{ segment: made?.segment }]);
  expect(await rows("select * from search_pending")).toEqual([]);
  for (const title of ["one", "two", "three"]) expect(await titlesOf(started, { query: title })).toEqual([title]);
  expect((await examine()).missing).toEqual([]);
});
