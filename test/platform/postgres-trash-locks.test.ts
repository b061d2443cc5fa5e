// Rules of the trash and of deleted teams: two nodes delete, restore and empty at once. PostgreSQL runs at READ COMMITTED here. Locks enforce
// those of the trash. Negative control: with TEST_WITHOUT_LOCK="from trashed_snippets where", "from folders" or "from tags" tests of this file fail.
import { describe, expect, test } from "bun:test";
import { deleteTeam, restoreTeam } from "../../src/accounts/workspaces/team-deletion.ts";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import { emptyTrash } from "../../src/library/empty-trash.ts";
import { isOnPostgres, onPostgres } from "../support/nodes.ts";
import { text } from "../support/service.ts";
import {
  call,
  database,
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
  width,
  withTwoNodes,
  workspace,
} from "../support/two-nodes.ts";

withTwoNodes();

const { gone } = refusals;

/** A snippet with a part in every table, in the trash. */
async function trashed(more: object = {}): Promise<string> {
  const id = await snippet({ additionalVariations: [{ variationName: "B", content: text("B") }], ...more });
  await call(0, "putSnippet", { query: { id }, body: { content: text("Changed") } });
  await call(1, "deleteSnippet", { query: { id } });
  return id;
}

const restore = (...snippetIds: string[]) => ["postSnippetsRestore", { body: { snippetIds } }] as const;
const trash = (id: string) => ["deleteSnippet", { query: { id } }] as const;

/** How many rows a snippet has in the library and in the trash. */
const places = async (id: string): Promise<{ library: number; trash: number }> => {
  const rows = (prefix: string) =>
    sql.unsafe(
      `select (select count(*) from ${prefix}snippets where id = $1) + (select count(*) from ${prefix}variations where snippet_id = $1)
         + (select count(*) from ${prefix}former_versions where snippet_id = $1) as total`,
      [id],
    );
  const [[library], [trash]] = [await rows(""), await rows("trashed_")];
  return { library: Number(library.total), trash: Number(trash.total) };
};
const inLibrary = { library: 3, trash: 0 };
const inTrash = { library: 0, trash: 3 };
const nowhere = { library: 0, trash: 0 };

describe.skipIf(!isOnPostgres)(onPostgres("two nodes at once"), () => {
  test("restore a snippet: one of them does", () =>
    race(
      trashed,
      (id) => [[...restore(id)], [...restore(id)]],
      async (answers, id) => {
        expect(outcomesOf(answers)).toEqual([gone.snippet, "done"]);
        expect(await places(id)).toEqual(inLibrary);
      },
      fewerRounds,
    ));

  test("restore snippets in batches in opposite orders: each is restored once", () =>
    race(
      async () => [await trashed(), await trashed()] as const,
      ([one, two]) => [[...restore(one, two)], [...restore(two, one)]],
      async (answers, ids) => {
        expect(outcomesOf(answers)).toEqual([gone.snippet, "done"]);
        for (const id of ids) expect(await places(id)).toEqual(inLibrary);
      },
      fewerRounds,
    ));

  test("restore a snippet and delete its folder and its tag: it comes back without them", () =>
    race(
      async () => {
        const [folderId, tagId] = [await folder(), await tag()];
        return { folderId, tagId, id: await trashed({ folderId, tagIds: [tagId] }) };
      },
      ({ folderId, tagId, id }) => [
        ["deleteFolder", { query: { folderId } }],
        [...restore(id)],
        ["deleteTag", { query: { tagId } }],
      ],
      async (answers, { id }) => {
        expect(answers.map(outcomeOf)).toEqual(["done", "done", "done"]);
        const { data } = (await call(0, "getSnippet", { query: { id } })).body;
        expect([data.folder_id, data.tag_ids]).toEqual([null, []]);
      },
      rounds,
    ));

  test("delete a snippet that is being restored: it is in one place, whole", () =>
    race(
      trashed,
      (id) => [[...restore(id)], [...trash(id)], [...trash(id)]],
      async (answers, id) => {
        const [restored, ...deleted] = answers.map(outcomeOf);
        expect(restored).toBe("done");
        const isDeleted = deleted.includes("done");
        expect(deleted.toSorted()).toEqual([gone.snippet, isDeleted ? "done" : gone.snippet]);
        expect(await places(id)).toEqual(isDeleted ? inTrash : inLibrary);
      },
      fewerRounds,
    ));

  test("change a snippet that is being deleted: an acknowledged change is in the trash", () =>
    race(
      () => snippet({ additionalVariations: [{ variationName: "B", content: text("B") }] }),
      (id) => [["putSnippet", { query: { id }, body: { content: text("Late") } }], [...trash(id)]],
      async ([changed, deleted], id) => {
        expect(deleted && outcomeOf(deleted)).toBe("done");
        const [row] = await sql`select content from trashed_snippets where id = ${id}`;
        expect(row.content).toBe(changed?.status === 200 ? "Late" : "A");
        expect((await places(id)).trash).toBe(changed?.status === 200 ? 3 : 2);
      },
      fewerRounds,
    ));

  test("restore a snippet and empty the trash: it is back whole or gone for good", async () => {
    let emptied = 0;
    for (let round = 0; round < fewerRounds; round += 1) {
      const ids = [await trashed(), await trashed()];
      const empty = (number: number) =>
        database(number).transaction((transaction) => emptyTrash(transaction, workspace.id, {}));
      const [one, , two] = await Promise.all([
        call(0, ...restore(ids[0] ?? "")),
        empty(0),
        call(1, ...restore(ids[1] ?? "")),
        empty(1),
      ]);
      for (const [index, answer] of [one, two].entries()) {
        const id = ids[index] ?? "";
        const outcome = outcomeOf(answer);
        expect(["done", gone.snippet]).toContain(outcome);
        if (outcome !== "done") emptied += 1;
        expect(await places(id)).toEqual(outcome === "done" ? inLibrary : nowhere);
      }
    }
    console.log(`trash: ${emptied} of ${2 * fewerRounds} snippets were deleted before they were restored`);
  });

  test("delete a team while snippets are created in it: at once, no node finds one, and all of them come back", async () => {
    let refused = 0;
    for (let round = 0; round < fewerRounds; round += 1) {
      const team = await database(0).transaction((transaction) => createTeam(transaction, workspace.id, "Short-lived"));
      const create = (number: number) => call(number, "postSnippet", { body: snippetBody({ teamId: team.id }) });
      const creating = Array.from({ length: width }, (_, number) => create(number));
      await Promise.race(creating);
      await database(round).transaction((transaction) => deleteTeam(transaction, workspace.id, team.id));
      const late = await Promise.all([create(0), create(1)]);
      expect(late.map(outcomeOf)).toEqual(["404 Team not found", "404 Team not found"]);
      const made = (await Promise.all(creating)).filter(({ status }) => status === 200);
      refused += width - made.length;
      const ids = made.map(({ body }) => body.data.snippetId);
      const read = (number: number) => call(number, "getSnippets", { query: { ids: ids.join() } });
      for (const answer of [await read(0), await read(1)]) expect(answer.body.metadata.foundCount).toBe(0);
      await database(round + 1).transaction((transaction) => restoreTeam(transaction, workspace.id, team.id));
      for (const answer of [await read(0), await read(1)])
        expect(answer.body.metadata.accessibleCount).toBe(ids.length);
    }
    console.log(
      `teams: ${refused} of ${width * fewerRounds} snippets were refused, because the team was deleted before`,
    );
  });
});
