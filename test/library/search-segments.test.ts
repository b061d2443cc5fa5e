// The segments of the search index: merged in many short transactions, they stay complete, and leave nothing behind.
import { expect, test } from "bun:test";
import { examineIndex } from "../../src/library/search/check-index.ts";
import { insertPending } from "../../src/library/search/index.store.ts";
import { indexPending } from "../../src/library/search/indexing.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { type Started, startService, text } from "../support/service.ts";

const wordOf = (number: number) => `w${(number * 2_654_435_761).toString(36)}`;

/** Snippets of which each has words of its own, one that all have, and one that every seventh has. */
async function write({ client, clock, team }: Started, from: number, count: number): Promise<void> {
  const snippets = Array.from({ length: count }, (_, index) => {
    const own = Array.from({ length: 60 }, (_, word) => wordOf((from + index) * 60 + word)).join(" ");
    const seventh = (from + index) % 7 === 0 ? "seventh" : "";
    return { title: `Number ${from + index}`, content: text(`shared ${seventh} ${own}`), teamId: team.id };
  });
  await client.postSnippets({ snippets });
  clock.advance(1);
}

/** The service's own job never runs. */
const untilStop: Wait = (_, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });

const index = ({ service: { database } }: Started) =>
  indexPending({ database, pace: () => undefined, goOn: () => true }, 1);

const segmentsOf = ({ rows }: Started) =>
  rows<{ document_count: number; state: string }>("select document_count, state from search_segments order by segment");

const expectComplete = async (started: Started, count: number) => {
  const totalOf = async (query: string) => (await started.client.getSearch({ query })).metadata.totalCount;
  expect(await totalOf("shared")).toBe(count);
  expect(await totalOf("seventh")).toBe(Math.ceil(count / 7));
  const place = Math.floor(count / 3);
  const { data } = await started.client.getSearch({ query: wordOf(place * 60 + 31) });
  expect(data.snippets.map(({ title }) => title)).toEqual([`Number ${place}`]);
  const { missing } = await started.service.database.read((transaction) => examineIndex(transaction, 100_000));
  expect(missing).toEqual([]);
};

test("segments are merged without losing a document, and what they replace is removed", async () => {
  const started = await startService({ wait: untilStop });
  for (let batch = 0; batch < 8; batch += 1) {
    await write(started, batch * 100, 100);
    await index(started);
  }
  await expectComplete(started, 800);
  expect(await segmentsOf(started)).toEqual([{ document_count: 800, state: "ready" }]);
  const blocks = await started.rows("select distinct segment from search_blocks");
  expect(blocks).toHaveLength(1);
});

test("what an interrupted run has stored is not searched, and removed an hour later", async () => {
  const started = await startService({ wait: untilStop });
  for (let batch = 0; batch < 3; batch += 1) await write(started, batch * 100, 100);
  const { database } = started.service;
  const isMaking = async () => (await segmentsOf(started)).length > 0;
  let isSeen = false;
  let rests = 0;
  const interrupted = indexPending(
    {
      database,
      pace: async () => {
        rests += 1;
        if (rests % 32 === 0) isSeen ||= await isMaking();
      },
      goOn: () => !isSeen,
    },
    1,
  );
  const failure = await interrupted.catch(String);
  expect(failure).toBe("Error: the service is stopping");
  expect(await segmentsOf(started)).toEqual([{ document_count: 0, state: "making" }]);
  await expectComplete(started, 300);

  await index(started);
  await expectComplete(started, 300);
  expect(await segmentsOf(started)).toHaveLength(2);
  started.clock.advance(3_601);
  await write(started, 300, 1);
  await index(started);
  expect((await segmentsOf(started)).map(({ state }) => state)).toEqual(["ready", "ready"]);
  await expectComplete(started, 301);
});

test("with 20,000 changes that wait, a search finds each snippet once, as it is now, and the index catches up", async () => {
  const started = await startService({ wait: untilStop });
  await write(started, 0, 100);
  await index(started);
  const ids = (await started.rows<{ id: string }>("select id from snippets order by title")).map(({ id }) => id);
  await started.admin(async (transaction) => {
    // Half of them are of snippets that are gone, and none of the first one, whose own change comes last.
    const changes = Array.from({ length: 20_000 }, (_, number) => ({
      id: transaction.newId(),
      snippetIds: [number % 2 === 0 ? (ids[1 + (number % 99)] ?? "") : transaction.newId()],
    }));
    insertPending(transaction, started.workspace.id, changes);
  });
  await expectComplete(started, 100);
  await started.client.putSnippet({ id: ids[0] ?? "", title: "Renamed" });
  const renamed = async () => (await started.client.getSearch({ query: "renamed" })).data.snippets.map(({ id }) => id);
  expect(await renamed()).toEqual(ids.slice(0, 1));
  started.clock.advance(1);
  await index(started);
  expect(await started.rows("select * from search_pending")).toEqual([]);
  expect(await renamed()).toEqual(ids.slice(0, 1));
  await expectComplete(started, 100);
});
