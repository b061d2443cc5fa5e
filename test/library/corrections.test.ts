// A search in the console that finds nothing is tried again as the words are spelled in the texts that the person can read.
import { expect, test } from "bun:test";
import { distanceToBeginning } from "../../src/library/search/corrections.ts";
import { indexPending } from "../../src/library/search/indexing.ts";
import { startConsole } from "../support/console.ts";
import { text } from "../support/service.ts";

async function start() {
  const started = await startConsole({});
  const person = await started.person({ role: "member", teams: { [started.team.id]: "viewer" } });
  const add = async (title: string, content = "", teamId = started.team.id) =>
    (await started.client.postSnippet({ title, content: text(content), teamId })).data.snippetId;
  const search = async (query: string, more: object = {}) => {
    const { body } = await person.call("getLibrarySearch", { query: { query, ...more } });
    const titles = body.data.map(({ title }: { title: string }) => title);
    return [titles, body.metadata.correctedQuery, body.nextCursor];
  };
  const index = async () => {
    // What was changed in this millisecond is indexed later.
    started.clock.advance(1);
    const { database } = started.service;
    expect(await indexPending({ database, pace: () => undefined, goOn: () => true }, 1)).toBeGreaterThan(0);
    expect(await started.rows("select change_id from search_pending")).toEqual([]);
  };
  return { ...started, add, search, index };
}

test("misspelled words are corrected, in what the index has and in what waits for it", async () => {
  const { add, search, index, team, client } = await start();
  await add("Reset a password", "You will receive an email");
  await add("Invoice", "Accommodation");
  await client.postTag({ tagName: "Maintenance", tagColor: "#868e96", teamId: team.id });
  const expectAll = async () => {
    expect(await search("passwrd")).toEqual([["Reset a password"], "password", null]);
    expect(await search("recieve")).toEqual([["Reset a password"], "receive", null]);
    expect(await search("reset pasword")).toEqual([["Reset a password"], "reset password", null]);
    expect(await search("acomodation")).toEqual([["Invoice"], "accommodation", null]);
    // Two letters are wrong in a short word, and three in a long one.
    for (const query of ["inwoise", "pazzwort"]) expect(await search(query)).toEqual([[], undefined, null]);
    // Found as it is; too different; too short; a phrase; a word that occurs, though not with the other one.
    expect(await search("pass")).toEqual([["Reset a password"], undefined, null]);
    for (const query of ["pastries", "pwd", '"pasword reset"', "password invoice", "=> passwrdx!"])
      expect(await search(query)).toEqual([[], undefined, null]);
  };
  await expectAll();
  await index();
  await expectAll();
});

test("what a person cannot read corrects nothing, and a corrected page has no next one", async () => {
  const { add, search, index, otherTeam } = await start();
  await add("Confidential merger", "", otherTeam.id);
  expect(await search("confidental")).toEqual([[], undefined, null]);
  // The index has the words of the whole workspace.
  await index();
  expect(await search("confidental")).toEqual([[], undefined, null]);
  for (const number of [1, 2, 3]) await add(`Refund ${number}`);
  const [titles, corrected, next] = await search("refnud", { limit: 2 });
  expect([titles.length, corrected, next]).toEqual([2, "refund", null]);
});

test("the API finds what is asked for, and nothing else", async () => {
  const { add, client } = await start();
  await add("Reset a password");
  const { data, metadata } = await client.getSearch({ query: "passwrd" });
  expect([data.snippets, metadata]).toEqual([[], { totalCount: 0 }]);
});

test("the distance counts letters that are added, left out, replaced, or swapped", () => {
  const cases: [string, string, number, number][] = [
    ["passwrd", "password", 1, 8],
    ["recieve", "received", 1, 7],
    ["refund", "refunds", 0, 6],
    ["abcd", "wxyz", 4, 4],
  ];
  for (const [word, other, distance, length] of cases)
    expect(distanceToBeginning(word, other)).toEqual({ distance, length });
});
