// Search on generated data: after any writes, in any state of the index, the answer is that of a search without an index.
import "../support/every-time.ts";
import { expect, test } from "bun:test";
import type { GetSearchArguments } from "../../sdk/src/operations.generated.ts";
import { indexPending } from "../../src/library/search/indexing.ts";
import { type OracleQuery, type OracleSnippet, piecesOf, searchByOracle } from "../support/search-oracle.ts";
import { startService, text } from "../support/service.ts";

/** The same numbers on both engines. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    chance: (share: number) => next() < share,
    below,
    one: <T>(items: readonly T[]): T => items[below(items.length)] as T,
  };
}

const words = [
  "refund",
  "Refunds",
  "getOAuthToken",
  "HTTPServer",
  "utf8Decode",
  "foo.bar(baz)",
  "=>",
  "café",
  "Cafe\u0301",
  "naïve",
  "Straße",
  "東京都庁",
  "日本語",
  "がぎ",
  "한국어",
  "東京Tower2",
  "x",
  "a1b2c3",
  "--force",
  "100%",
  "*",
  "'quote'",
  'say "hi"',
  "\u202eabc",
  "snake_case_name",
  "Łódź",
  "ΣΊΣΥΦΟΣ",
  "İstanbul",
  "ﬁne",
  "𝔘nicode",
  "Ａ",
  "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGxvbmcgd29yZCB3aXRob3V0IGVuZA",
  "the",
  "the",
  "draft",
  "first draft",
];
const separators = [" ", " ", " ", "  ", "\n", "\t", ", ", "."];
const queries = [
  ...words.filter((word) => word !== "the"),
  "ref",
  "oauth",
  "token",
  "ken",
  "server",
  "京都",
  "京",
  "都庁 日本",
  '"first draft"',
  '"first  dra',
  "-draft",
  "the -refund",
  '-"first draft" the',
  "bar(",
  "(baz",
  "foo.bar(",
  "o",
  "8",
  "decode utf",
  "-=>",
  "=> the",
  "cafe",
  "CAFÉ refund",
  "case_na",
  "aGVs",
  "nG8g",
  "case",
  "sta",
  "ss",
  "-the",
  "- the",
  "refund refund",
];

test("finds what a search without an index finds, in the same order, while the index changes", async () => {
  const random = createRandom(20_261_122);
  const started = await startService({});
  const { client, given, clock, team, otherTeam } = started;
  const index = () => indexPending({ database: started.service.database, pace: () => undefined, goOn: () => true }, 1);
  const line = (count: number) =>
    Array.from({ length: 1 + random.below(count) }, () => random.one(words) + random.one(separators))
      .join("")
      .trim() || "x";
  const folders = [await given.folder(), await given.folder({ teamId: otherTeam.id })];
  const inner = await given.folder({ parentFolderId: folders[0]?.id ?? "" });
  const tags = [
    await given.tag({ tagName: "refund draft" }),
    await given.tag({ tagName: "Café" }),
    await given.tag({ tagName: "other" }),
  ];
  const snippets = new Map<string, OracleSnippet>();

  const write = async () => {
    const isOther = random.chance(0.2);
    const count = 1 + random.below(6);
    const inputs = Array.from({ length: count }, () => {
      const folderId = random.chance(0.4)
        ? isOther
          ? folders[1]?.id
          : random.one([folders[0], inner])?.id
        : undefined;
      return {
        title: line(3).slice(0, 100).toWellFormed(),
        content: text(line(8), random.one(["plaintext", "code"])),
        teamId: isOther ? otherTeam.id : team.id,
        ...(random.chance(0.4) && { shortcut: line(1).slice(0, 50).toWellFormed() }),
        ...(random.chance(0.3) && { note: line(4) }),
        ...(folderId !== undefined && { folderId }),
        ...(!isOther && random.chance(0.4) && { tagIds: [random.one(tags).id] }),
        ...(random.chance(0.2) && { additionalVariations: [{ variationName: "More", content: text(line(6)) }] }),
      };
    });
    const { data } = await client.postSnippets({ snippets: inputs });
    const now = new Date(clock.now).toISOString();
    for (const [place, { snippetId: id }] of data.createdSnippets.entries()) {
      const input = inputs[place];
      if (!input) continue;
      snippets.set(id, {
        id,
        title: input.title,
        shortcut: input.shortcut ?? null,
        note: input.note ?? null,
        contents: [input.content.content, ...(input.additionalVariations ?? []).map(({ content }) => content.content)],
        tagIds: input.tagIds ?? [],
        tagNames: tags.filter(({ id: tagId }) => input.tagIds?.includes(tagId)).map((tag) => tag.tag_name),
        teamId: input.teamId,
        folderId: input.folderId ?? null,
        type: input.content.type,
        isArchived: false,
        createdAt: now,
        updatedAt: now,
      });
    }
  };
  const change = async () => {
    const snippet = random.one([...snippets.values()]);
    const changes = random.one([
      { title: line(3).slice(0, 100).toWellFormed() },
      { content: text(line(8), "code") },
      { isArchived: random.chance(0.5) },
      { note: null },
      { shortcut: "/the" },
    ] as { title?: string; content?: ReturnType<typeof text>; isArchived?: boolean; note?: null; shortcut?: string }[]);
    await client.putSnippet({ id: snippet.id, ...changes });
    const { content, ...others } = changes;
    snippets.set(snippet.id, {
      ...snippet,
      ...others,
      ...(content && { contents: [content.content, ...snippet.contents.slice(1)], type: content.type }),
      updatedAt: new Date(clock.now).toISOString(),
    });
  };
  const remove = async () => {
    const [id = ""] = [...snippets.keys()].slice(random.below(snippets.size));
    await client.deleteSnippet({ id });
    snippets.delete(id);
  };

  const ask = async () => {
    const all = [...snippets.values()];
    const times = all.map(({ updatedAt }) => updatedAt).sort();
    const query = random.chance(0.15)
      ? undefined
      : random.chance(0.7)
        ? random.one(queries)
        : `${random.one(queries)} ${random.one(queries)}`;
    if (query !== undefined && piecesOf(query).length === 0) return;
    const filters = random.one<{ args: Partial<GetSearchArguments>; passes: NonNullable<OracleQuery["passes"]> }>([
      ...Array.from({ length: 5 }, () => ({ args: {}, passes: (snippet: OracleSnippet) => !snippet.isArchived })),
      { args: { isArchived: true }, passes: ({ isArchived }) => isArchived },
      { args: { teamId: otherTeam.id }, passes: ({ teamId, isArchived }) => teamId === otherTeam.id && !isArchived },
      {
        args: { folderId: folders[0]?.id },
        passes: ({ folderId, isArchived }) => folderId === folders[0]?.id && !isArchived,
      },
      {
        args: { folderId: folders[0]?.id, inside: true },
        passes: ({ folderId, isArchived }) => [folders[0]?.id, inner.id].includes(folderId ?? "") && !isArchived,
      },
      {
        args: { tagIds: [tags[0]?.id ?? ""] },
        passes: ({ tagIds, isArchived }) => tagIds.includes(tags[0]?.id ?? "") && !isArchived,
      },
      { args: { contentType: "code" }, passes: ({ type, isArchived }) => type === "code" && !isArchived },
      {
        args: { updatedSince: times[Math.floor(times.length / 2)] },
        passes: ({ updatedAt, isArchived }) => updatedAt >= (times[Math.floor(times.length / 2)] ?? "") && !isArchived,
      },
      { args: { createdBy: started.limitedKey.id }, passes: () => false },
    ]);
    const sort = random.chance(0.3) ? random.one(["updated", "created", "title"] as const) : undefined;
    const fields = random.chance(0.3)
      ? random.one<GetSearchArguments["in"]>([["title"], ["content", "note"], ["tags"], ["shortcut", "tags"], ["note"]])
      : undefined;
    const expected = searchByOracle(all, {
      passes: filters.passes,
      ...(query !== undefined && { query }),
      ...(sort && { sort }),
      ...(fields && { in: fields }),
    });
    const found: string[] = [];
    const args = { query, sort, in: fields, limit: 1 + random.below(100), ...filters.args };
    let cursor: string | undefined;
    do {
      const { data, pagination, metadata } = await client.getSearch({ ...args, cursor });
      expect(metadata).toEqual({ totalCount: expected.length });
      found.push(...data.snippets.map(({ id }) => id));
      cursor = pagination.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect({ args, found }).toEqual({ args, found: expected });
  };

  for (let step = 0; step < 24; step += 1) {
    await write();
    if (random.chance(0.7)) clock.advance(random.one([0.001, 0.002, 1]));
    if (random.chance(0.7)) await change();
    if (random.chance(0.2)) await remove();
    if (random.chance(0.9)) await index();
    for (let count = 0; count < 5; count += 1) await ask();
  }
});

/** Runs of Chinese, Japanese and Korean characters, some of which have the same neighbors in different places. */
const runs = [
  "東京都庁",
  "東京都 京都庁",
  "東京Tower2",
  "東京 Tower京都",
  "a東b京都c",
  "京。",
  "𠮷野家𩸽𠮷野",
  "x𠮷野",
  "ガギグゲゴ",
  "カ\u3099キ\u3099グー々",
  "ｶﾞｷﾞ",
  "한국어말",
  "\u1112\u1161\u11ab국 어말",
  "é東京",
];

test("finds Chinese, Japanese and Korean of any length as a search without an index does", async () => {
  const { client, clock, rows, service, team } = await startService();
  const inputs = runs.map((run, place) => ({ title: runs.at(place - 5) ?? "", content: text(run), teamId: team.id }));
  const { data } = await client.postSnippets({ snippets: inputs });
  const now = new Date(clock.now).toISOString();
  const snippets = inputs.map(
    ({ title, content: { content, type }, teamId }, place): OracleSnippet => ({
      ...{ id: data.createdSnippets[place]?.snippetId ?? "", title, contents: [content], teamId, type },
      ...{ shortcut: null, note: null, tagNames: [], tagIds: [], folderId: null, isArchived: false },
      ...{ createdAt: now, updatedAt: now },
    }),
  );
  clock.advance(1);
  await indexPending({ database: service.database, pace: () => undefined, goOn: () => true }, 1);
  expect(await rows("select change_id from search_pending")).toEqual([]);
  const lengths = [1, 2, 3, 4, 5];
  const parts = runs.flatMap((run) => {
    const characters = [...run];
    return characters.flatMap((_, start) => lengths.map((length) => characters.slice(start, start + length).join("")));
  });
  for (const query of new Set(parts.map((part) => `"${part}"`))) {
    if (piecesOf(query).length === 0) continue;
    const expected = searchByOracle(snippets, { query });
    const { data: page, metadata } = await client.getSearch({ query, limit: 100 });
    const found = page.snippets.map(({ id }) => id);
    expect({ query, found, metadata }).toEqual({ query, found: expected, metadata: { totalCount: expected.length } });
  }
});
