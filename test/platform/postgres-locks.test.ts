// Rules over several rows that locks enforce: two nodes do at once what only one may do, or what must not interleave. PostgreSQL
// runs at READ COMMITTED here. Negative control: TEST_WITHOUT_LOCK leaves locks out, and with "from snippets", "from folders",
// "from tags" or "from teams" the tests of those rows fail.
import { describe, expect, test } from "bun:test";
import { noteChangesIn } from "../../src/library/feed/write.ts";
import {
  type Answer,
  expectConsistentBalances,
  expectConsistentLibrary,
  isOnPostgres,
  onPostgres,
} from "../support/nodes.ts";
import { text } from "../support/service.ts";
import {
  call,
  callFromClients,
  callsGivenUp,
  callsMade,
  database,
  failures,
  fewerRounds,
  folder,
  outcomeOf,
  outcomesOf,
  race,
  refusals,
  rounds,
  snippet,
  snippetBody,
  sql,
  tag,
  variationsOf,
  withTwoNodes,
  workspace,
} from "../support/two-nodes.ts";

withTwoNodes();

const { last, gone, noFolder, noTag, noParentFolder, noParentTag } = refusals;

describe.skipIf(!isOnPostgres)(onPostgres("two nodes at once"), () => {
  describe("the last variation", () => {
    const twoVariations = async () =>
      variationsOf(await snippet({ additionalVariations: [{ variationName: "B", content: text("B") }] }));

    test("both of two are deleted at once: one call is refused", () =>
      race(
        twoVariations,
        ([first = "", second = ""]) => [
          ["deleteSnippetVariation", { query: { variationId: first } }],
          ["deleteSnippetVariation", { body: { variationIds: [second] } }],
        ],
        (answers) => expect(outcomesOf(answers)).toEqual([last, "done"]),
      ));

    test("in batches over two snippets in opposite orders", () =>
      race(
        async () => [await twoVariations(), await twoVariations()] as const,
        ([one, two]) => [
          ["deleteSnippetVariation", { body: { variationIds: [one[0], two[0]] } }],
          ["deleteSnippetVariation", { body: { variationIds: [two[1], one[1]] } }],
        ],
        (answers) => expect(outcomesOf(answers)).toEqual([last, "done"]),
        fewerRounds,
      ));
  });

  describe("cycles", () => {
    const kinds = [
      ["folders", folder, "putFolder", "putFolders", "folderId", "parentFolderId", "folders"],
      ["tags", tag, "putTag", "putTags", "tagId", "parentTagId", "tags"],
    ] as const;

    test.each(kinds)("%s: A goes under B while B goes under A", (_, made, put, __, id, parent) =>
      race(
        async () => [await made(), await made()] as const,
        ([a, b]) => [
          [put, { query: { [id]: a }, body: { [parent]: b } }],
          [put, { query: { [id]: b }, body: { [parent]: a } }],
        ],
        (answers) => expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]),
      ),
    );

    test.each(kinds)("%s: three in a ring, two of them in batches", (_, made, put, puts, id, parent, list) =>
      race(
        async () => [await made(), await made(), await made(), await made()] as const,
        ([a, b, c, d]) => [
          [
            puts,
            {
              body: {
                [list]: [
                  { id: a, [parent]: b },
                  { id: d, [parent]: a },
                ],
              },
            },
          ],
          [
            puts,
            {
              body: {
                [list]: [
                  { id: d, [parent]: b },
                  { id: b, [parent]: c },
                ],
              },
            },
          ],
          [put, { query: { [id]: c }, body: { [parent]: a } }],
        ],
        (answers) => {
          for (const { status } of answers) expect([200, 400]).toContain(status);
          expect(answers.filter(({ status, body }) => status === 200 && !body.data.errors?.length).length).toBeLessThan(
            3,
          );
        },
        fewerRounds,
      ),
    );

    test.each(kinds)(
      "%s: the top of each of two chains goes under the bottom of the other",
      (_, made, put, __, id, parent) =>
        race(
          async () => {
            const [top, otherTop] = [await made(), await made()];
            return { top, bottom: await made(top), otherTop, otherBottom: await made(otherTop) };
          },
          ({ top, bottom, otherTop, otherBottom }) => [
            [put, { query: { [id]: top }, body: { [parent]: otherBottom } }],
            [put, { query: { [id]: otherTop }, body: { [parent]: bottom } }],
          ],
          (answers) => expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]),
        ),
    );

    test.each(kinds)(
      "%s: a batch and the same in the opposite order: both go through",
      (_, made, __, puts, ___, parent, list) =>
        race(
          async () => [await made(), await made(), await made(), await made(), await made()] as const,
          ([top, ...below]) => [
            [puts, { body: { [list]: below.map((id) => ({ id, [parent]: top })) } }],
            [puts, { body: { [list]: below.toReversed().map((id) => ({ id, [parent]: top })) } }],
          ],
          (answers) => expect(outcomesOf(answers)).toEqual(["done", "done"]),
          fewerRounds,
        ),
    );
  });

  describe("a folder is deleted", () => {
    const emptied = async (folderId: string) => {
      const [left] =
        await sql`select (select count(*)::int from folders where id = ${folderId} or parent_folder_id = ${folderId})
        + (select count(*)::int from snippets where folder_id = ${folderId}) as rows`;
      expect(left.rows).toBe(0);
    };

    test("while snippets are put into it", () =>
      race(
        async () => {
          const folderId = await folder();
          return { folderId, inside: await snippet({ folderId }), outside: await snippet() };
        },
        ({ folderId, inside, outside }) => [
          ["postSnippet", { body: snippetBody({ folderId }) }],
          ["deleteFolder", { query: { folderId } }],
          ["putSnippet", { query: { id: outside }, body: { folderId } }],
          ["putSnippet", { query: { id: inside }, body: { folderId, title: "B" } }],
          ["postSnippets", { body: { snippets: [snippetBody({ folderId }), snippetBody()] } }],
        ],
        async ([single, deleted, moved, kept, batch], { folderId }) => {
          expect(deleted?.status).toBe(200);
          for (const answer of [single, moved, kept]) expect(["done", noFolder]).toContain(outcomeOf(answer as Answer));
          expect(batch?.status).toBe(200);
          await emptied(folderId);
        },
        fewerRounds,
      ));

    test("while folders are made in it or moved into it", () =>
      race(
        async () => ({ folderId: await folder(), other: await folder() }),
        ({ folderId, other }) => [
          [
            "postFolder",
            { body: { folderName: "B", folderColor: "#fff", teamId: workspace.teamId, parentFolderId: folderId } },
          ],
          ["deleteFolders", { query: { folderIds: folderId } }],
          ["putFolder", { query: { folderId: other }, body: { parentFolderId: folderId } }],
        ],
        async ([made, deleted, moved], { folderId }) => {
          expect(deleted?.status).toBe(200);
          for (const answer of [made, moved]) expect(["done", noParentFolder]).toContain(outcomeOf(answer as Answer));
          await emptied(folderId);
        },
        fewerRounds,
      ));

    test("twice, and with the folder above it", () =>
      race(
        async () => {
          const top = await folder();
          return { top, below: await folder(top) };
        },
        ({ top, below }) => [
          ["deleteFolder", { query: { folderId: below } }],
          ["deleteFolders", { query: { folderIds: `${below},${top}` } }],
          ["deleteFolder", { query: { folderId: top } }],
        ],
        async (answers, { top, below }) => {
          for (const answer of answers) expect(["done", "404 Folder not found"]).toContain(outcomeOf(answer));
          await emptied(top);
          await emptied(below);
        },
        fewerRounds,
      ));
  });

  test("a tag is deleted while it is attached, while a tag is made under it, and while its snippet goes", () =>
    race(
      async () => {
        const tagId = await tag();
        return { tagId, under: await snippet({ tagIds: [tagId] }), other: await snippet(), otherTag: await tag() };
      },
      ({ tagId, under, other, otherTag }) => [
        ["postSnippet", { body: snippetBody({ tagIds: [tagId] }) }],
        ["deleteTag", { query: { tagId } }],
        ["putSnippet", { query: { id: other }, body: { tagIds: [otherTag, tagId] } }],
        ["deleteSnippet", { query: { id: under } }],
        ["postTag", { body: { tagName: "B", tagColor: "#fff", teamId: workspace.teamId, parentTagId: tagId } }],
        ["putTag", { query: { tagId: otherTag }, body: { parentTagId: tagId } }],
      ],
      async ([made, deleted, put, removed, child, moved], { tagId }) => {
        expect([deleted?.status, removed?.status]).toEqual([200, 200]);
        for (const answer of [made, put]) expect(["done", noTag]).toContain(outcomeOf(answer as Answer));
        for (const answer of [child, moved]) expect(["done", noParentTag]).toContain(outcomeOf(answer as Answer));
        const [left] = await sql`select (select count(*)::int from tags where id = ${tagId} or parent_tag_id = ${tagId})
          + (select count(*)::int from snippet_tags where tag_id = ${tagId}) as rows`;
        expect(left.rows).toBe(0);
      },
      fewerRounds,
    ));

  describe("a snippet", () => {
    test("is deleted while it is changed in every way", () =>
      race(
        async () => {
          const tagId = await tag();
          const id = await snippet({ additionalVariations: [{ variationName: "B", content: text("B") }] });
          return { tagId, id, variations: await variationsOf(id) };
        },
        ({ tagId, id, variations: [first = "", second = ""] }) => [
          ["putSnippet", { query: { id }, body: { content: text("New"), tagIds: [tagId] } }],
          ["deleteSnippet", { query: { id } }],
          ["putSnippetVariation", { query: { variationId: first }, body: { content: text("Newer") } }],
          ["deleteSnippetVariation", { query: { variationId: second } }],
          ["getSnippet", { query: { id } }],
          ["getSnippetVariationHistory", { query: { variationId: first } }],
        ],
        ([put, deleted, changed, removed, read, history]) => {
          expect(deleted?.status).toBe(200);
          for (const answer of [put, read]) expect(["done", gone.snippet]).toContain(outcomeOf(answer as Answer));
          for (const answer of [changed, removed, history])
            expect(["done", gone.variation]).toContain(outcomeOf(answer as Answer));
        },
        fewerRounds,
      ));

    test("is deleted twice, and among others in opposite orders", () =>
      race(
        async () => [await snippet(), await snippet(), await snippet()] as const,
        ([a, b, c]) => [
          ["deleteSnippets", { query: { ids: `${a},${b},${c}` } }],
          ["deleteSnippets", { query: { ids: `${c},${b},${a}` } }],
          ["deleteSnippet", { query: { id: b } }],
        ],
        async ([one, two, single], ids) => {
          expect([one?.status, two?.status]).toEqual([200, 200]);
          expect(["done", gone.snippet]).toContain(outcomeOf(single as Answer));
          // Each of them is deleted by one call and charged once.
          const counts = [one, two].map((answer) => answer?.body.metadata.deletedCount);
          expect(counts[0] + counts[1] + (single?.status === 200 ? 1 : 0)).toBe(ids.length);
        },
        fewerRounds,
      ));

    test("gets contents from two nodes at once: the newest record of its history is its content", () =>
      race(
        async () => {
          const id = await snippet();
          return { id, variationId: (await variationsOf(id))[0] ?? "" };
        },
        ({ id, variationId }) => [
          ["putSnippetVariation", { query: { variationId }, body: { content: text("one") } }],
          ["putSnippet", { query: { id }, body: { content: text("two") } }],
          ["putSnippetVariation", { query: { variationId }, body: { content: text("three") } }],
          ["putSnippet", { query: { id }, body: { content: text("four") } }],
        ],
        async (answers, { id, variationId }) => {
          expect(outcomesOf(answers)).toEqual(Array(4).fill("done"));
          const history = (await call(0, "getSnippetVariationHistory", { query: { variationId } })).body.data;
          const content = (await call(1, "getSnippet", { query: { id } })).body.data.content;
          expect(history).toHaveLength(5);
          expect(history[0].content).toEqual(content);
        },
        fewerRounds,
      ));

    test("gets other tags from two nodes at once: it has those of one of them", () =>
      race(
        async () => {
          const tags = [await tag(), await tag(), await tag()] as const;
          return { tags, id: await snippet({ tagIds: [tags[0]] }) };
        },
        ({ id, tags: [a, b, c] }) => [
          ["putSnippet", { query: { id }, body: { tagIds: [a, b] } }],
          ["putSnippet", { query: { id }, body: { tagIds: [c, b] } }],
        ],
        async (answers, { id, tags: [a, b, c] }) => {
          expect(outcomesOf(answers)).toEqual(["done", "done"]);
          const found: string[] = (await call(0, "getSnippet", { query: { id } })).body.data.tag_ids;
          expect([[a, b].sort().join(), [b, c].sort().join()]).toContain(found.sort().join());
        },
        fewerRounds,
      ));
  });

  test("a storm of every change on a handful of rows: no call fails, and all rules hold", async () => {
    const folders = await Promise.all(Array.from({ length: 4 }, () => folder()));
    const tags = await Promise.all(Array.from({ length: 4 }, () => tag()));
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => snippet({ additionalVariations: [{ variationName: "B", content: text("B") }] })),
    );
    const variations = (await Promise.all(ids.map(variationsOf))).flat();
    const trashed = [...ids];
    const any = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
    const some = <Item>(items: readonly Item[]): Item[] => items.toSorted(() => Math.random() - 0.5).slice(0, 3);
    const replaced = <Item>(items: Item[], made: Item | undefined) => {
      if (made) items[Math.floor(Math.random() * items.length)] = made;
    };
    const acts: readonly ((number: number) => Promise<unknown>)[] = [
      (n) => call(n, "putFolder", { query: { folderId: any(folders) }, body: { parentFolderId: any(folders) } }),
      (n) =>
        call(n, "putFolders", { body: { folders: some(folders).map((id) => ({ id, parentFolderId: any(folders) })) } }),
      (n) =>
        call(n, "putTags", { body: { tags: some(tags).map((id) => ({ id, parentTagId: any([...tags, null]) })) } }),
      async (n) => {
        await call(n, "deleteFolders", { query: { folderIds: some(folders).slice(0, 2).join() } });
        replaced(folders, await folder());
        replaced(folders, await folder());
      },
      async (n) => {
        await call(n, "deleteTags", { query: { tagIds: some(tags).slice(0, 2).join() } });
        replaced(tags, await tag());
        replaced(tags, await tag());
      },
      async (n) => {
        const leaving = some(ids).slice(0, 2);
        await call(n, "deleteSnippets", { query: { ids: leaving.join() } });
        for (const id of leaving) replaced(trashed, id);
        const made = await snippet({ additionalVariations: [{ variationName: "B", content: text("B") }] });
        replaced(ids, made);
        const read = await call(n, "getSnippet", { query: { id: made } });
        for (const row of read.body.data?.variations ?? []) replaced(variations, row.id);
      },
      (n) => call(n, "postSnippetsRestore", { body: { snippetIds: some(trashed) } }),
      (n) =>
        call(n, "putSnippet", {
          query: { id: any(ids) },
          body: { folderId: any([...folders, null]), tagIds: some(tags) },
        }),
      (n) => call(n, "putSnippet", { query: { id: any(ids) }, body: { content: text(`${n}`), title: `${n}` } }),
      (n) =>
        call(n, "putSnippetVariation", { query: { variationId: any(variations) }, body: { content: text(`${n}`) } }),
      (n) => call(n, "deleteSnippetVariation", { body: { variationIds: some(variations) } }),
      (n) =>
        call(n, "postSnippets", {
          body: { snippets: some(folders).map((folderId) => snippetBody({ folderId, tagIds: some(tags) })) },
        }),
      (n) => call(n, "getFolders", { query: { folderIds: folders.join() } }),
      (n) => call(n, "getTag", { query: { tagId: any(tags) } }),
    ];
    await callFromClients(16, 8 * rounds, (number) => any(acts)(number));
    expect(failures.splice(0)).toEqual([]);
    await expectConsistentLibrary(sql, workspace.id);
  });

  test("readers of the change feed on both nodes see every acknowledged change once, in the same order", async () => {
    const begin = (await call(0, "getChanges", {})).body.data.cursor;
    const acknowledged: string[][] = [];
    let isDone = false;
    const write = async (number: number) => {
      if (number % 5 === 0) {
        // As people's work does, in a transaction that is not a request's.
        const [id, teamId] = [Bun.randomUUIDv7(), workspace.teamId];
        await database(number).transaction(async (transaction) =>
          noteChangesIn(transaction, workspace.id)([{ kind: "snippet", action: "changed", id, teamId }]),
        );
        acknowledged.push([id]);
        return;
      }
      const teamId = number % 2 === 0 ? workspace.teamId : workspace.otherTeamId;
      const snippets = Array.from({ length: 1 + (number % 3) }, () => snippetBody({ teamId }));
      const { status, body } = await call(number, "postSnippets", { body: { snippets } });
      expect(status).toBe(200);
      acknowledged.push(body.data.createdSnippets.map(({ snippetId }: { snippetId: string }) => snippetId));
    };
    const read = async (node: number, limit: number) => {
      const seen: string[] = [];
      for (let [cursor, isLast] = [begin, false]; ; ) {
        const { status, body } = await call(node, "getChanges", {
          query: { cursor, limit: `${limit}`, waitSeconds: isLast ? "0" : "1" },
        });
        expect(status).toBe(200);
        seen.push(...body.data.changes.map(({ id }: { id: string }) => id));
        cursor = body.data.cursor;
        if (isLast && body.data.changes.length === 0) return seen;
        isLast = isDone;
      }
    };
    const reading = Promise.all([read(30, 5), read(31, 100)]);
    await callFromClients(8, 2 * rounds, write);
    isDone = true;
    const [first, second] = await reading;
    expect(second).toEqual(first);
    expect(first.toSorted()).toEqual(acknowledged.flat().sort());
    // What one request changed stays together.
    for (const ids of acknowledged) expect(first.slice(first.indexOf(ids[0] ?? "")).slice(0, ids.length)).toEqual(ids);
  });

  test("after all of it the books balance", async () => {
    await expectConsistentBalances(sql, workspace.id);
    const [ledger] = await sql`select count(*)::int as rows from ledger where workspace_id = ${workspace.id}`;
    expect(ledger.rows).toBe(callsMade - callsGivenUp);
    const deadlocks = await sql`select deadlocks::int from pg_stat_database where datname = current_database()`;
    console.log(`locks: ${callsMade} calls, ${deadlocks[0].deadlocks} deadlocks found and retried`);
  });
});
