// Searches in a thread of their own: each response is the one of the main thread.
import { expect, test } from "bun:test";
import { longOperation } from "../../src/api/read-aside.ts";
import { JsonText } from "../../src/platform/json-text.ts";
import { readBeside } from "../support/another-read.ts";
import { startConsole } from "../support/console.ts";
import { type RawAnswer, text } from "../support/service.ts";
import { allowSlowSearches } from "../support/slow-searches.ts";

allowSlowSearches();

/** What does not differ from one request to the next. */
const comparable = ({ status, headers, text }: RawAnswer) => ({
  status,
  type: headers.get("content-type"),
  cost: headers.get("x-request-cost"),
  text: text.replace(/"remainingRequests":\d+/, "").replace(/"requestId":"[^"]*"/, ""),
});

test("responses are the same, byte for byte", async () => {
  // Of fewer connections, the thread has none.
  const started = await startConsole({ config: { databaseConnections: 6 } });
  const { service, call, key, limitedKey, given, team, otherTeam, workspace, lines } = started;
  const owner = await started.person({ role: "owner" });
  const folder = await given.folder();
  const tag = await given.tag();
  const notes = ["\u0001 \u2028 'quote' \"data\":null", "ß 🦜 東京", "x".repeat(5_000)];
  for (let index = 0; index < 40; index += 1)
    await given.snippet({
      title: `Order ${index} "data":null \\`,
      content: text(
        `Kind regards \t ${"A line of text 京都 🦜\n".repeat(index * 3)}`,
        index % 2 ? "markdown" : "plaintext",
      ),
      ...(index % 3 === 0 && { folderId: folder.id, tagIds: [tag.id] }),
      note: notes[index % 3] ?? null,
    });
  const first = await call("GET", "/search", { key: key.secret, query: { query: "regards", limit: 5 } });
  const requests: (() => Promise<RawAnswer>)[] = [
    { query: "regards", limit: 100 },
    { query: "regards", limit: 5, cursor: first.body.pagination.nextCursor },
    { query: "京都 order", sort: "title", folderId: folder.id, updatedSince: "2026-01-01T00:00:00Z" },
    { query: "nothing like this" },
    { query: "" },
    { query: "order", teamId: otherTeam.id },
  ].map((query) => () => call("GET", "/search", { key: key.secret, query: query as Record<string, string> }));
  requests.push(
    () => call("GET", "/search", { key: limitedKey.secret, query: { query: "order", teamId: otherTeam.id } }),
    () => call("GET", "/tree", { key: key.secret }),
    () => call("GET", "/teams", { key: limitedKey.secret }),
    () => owner.call("getLibrarySearch", { query: { query: "order" } }),
    () => owner.call("getLibrarySearch", { query: { teamId: Bun.randomUUIDv7() } }),
  );
  const answers = async () => {
    const found: ReturnType<typeof comparable>[] = [];
    for (const request of requests) found.push(comparable(await request()));
    return found;
  };
  const search = async () => {
    const caller = {
      id: key.id,
      workspaceId: workspace.id,
      isAllTeams: false,
      teamIds: new Set([team.id]),
      deletedTeamIds: new Set<string>(),
    };
    const query = { query: "order", in: ["title"], limit: 1, tagIds: [], inside: true, isArchived: false };
    return service.database.readLong(
      longOperation,
      { name: "getSearch", input: { query, body: undefined }, caller, trashDays: 30, requestsPerMinute: 20 },
      { milliseconds: 60_000, owner: { workspace: workspace.id, key: key.id }, reserve: () => undefined },
    );
  };
  const inMain = await answers();
  readBeside(service.database);
  while (!lines.some((line) => line.includes("searches have a thread"))) {
    expect((await search()).data).not.toBeInstanceOf(JsonText);
    await Bun.sleep(5);
  }
  expect((await search()).data).toBeInstanceOf(JsonText);
  const inThread = await answers();
  expect(inThread).toEqual(inMain);
}, 60_000);
