// Snippets by their shortcut: GET /shortcut.
import { describe, expect, test } from "bun:test";
import { expectRefusal } from "../support/expect.ts";
import { type Started, startService } from "../support/service.ts";

const ask = ({ call, key }: Started, query: Record<string, string>, secret = key.secret) =>
  call("GET", "/shortcut", { key: secret, query });

describe("GET /shortcut", () => {
  test("returns the snippet exactly as GET /snippet does", async () => {
    const started = await startService();
    const { tag, snippet } = await started.given.snippetWithTag();
    await started.client.putSnippet({ id: snippet.id, shortcut: "/größe 💥 %_" });
    const { data } = await started.client.getSnippet({ id: snippet.id });
    expect(data.tag_ids).toEqual([tag.id]);
    expect((await started.client.getShortcut({ shortcut: "/größe 💥 %_" })).data).toEqual(data);
  });

  test("is exact and case-sensitive, and finds no archived snippet and none in the trash", async () => {
    const started = await startService();
    const { client, given } = started;
    const archived = await given.snippet({ shortcut: "/archived" });
    await client.putSnippet({ id: archived.id, isArchived: true });
    const trashed = await given.snippet({ shortcut: "/trashed" });
    await client.deleteSnippet({ id: trashed.id });
    await given.snippet({ shortcut: "/Hello" });
    await given.snippet({ shortcut: "/e\u0301" });
    await given.snippet({ shortcut: "" });
    for (const shortcut of ["/archived", "/trashed", "/hello", "/Hell", "/Hello ", " /Hello", "/%", "/\u00e9", "null"])
      expectRefusal(await ask(started, { shortcut }), 404, "Snippet not found");
    expect((await ask(started, { shortcut: "/Hello" })).status).toBe(200);
  });

  test("missing, empty or over 100 characters is refused", async () => {
    const started = await startService();
    expectRefusal(await ask(started, {}), 400, "shortcut is required");
    for (const shortcut of ["", "x".repeat(101), "💥".repeat(101)])
      expectRefusal(await ask(started, { shortcut }), 400, "shortcut must be 1 to 100 characters");
    expectRefusal(await ask(started, { shortcut: "a\0" }), 400, "shortcut must not contain a NUL character");
    expectRefusal(await ask(started, { shortcut: "💥".repeat(100) }), 404, "Snippet not found");
  });

  test("of several in one team, the one updated last is returned; at the same time, the greater id", async () => {
    const started = await startService();
    const { client, given, clock } = started;
    const [first, second] = [await given.snippet({ shortcut: "/x" }), await given.snippet({ shortcut: "/x" })];
    const found = async () => (await client.getShortcut({ shortcut: "/x" })).data.id;
    expect(await found()).toBe(second.id);
    clock.advance(1);
    await client.putSnippet({ id: first.id, title: "Updated" });
    expect(await found()).toBe(first.id);
    await client.putSnippet({ id: first.id, isArchived: true });
    expect(await found()).toBe(second.id);
  });

  test("in several teams: 409 with their ids, unless a team is named or only one is reached", async () => {
    const started = await startService();
    const { given, team, otherTeam, limitedKey, emptyKey } = started;
    const own = await given.snippet({ shortcut: "/x" });
    const other = await given.snippet({ shortcut: "/x", teamId: otherTeam.id });
    const ambiguous = await ask(started, { shortcut: "/x" });
    const rule = "Several teams have a snippet with this shortcut: add a teamId";
    expectRefusal(ambiguous, 409, rule);
    expect(ambiguous.body).toMatchObject({ error: "shortcut_ambiguous", teamIds: [team.id, otherTeam.id] });
    const idOf = async (query: Record<string, string>, secret?: string) =>
      (await ask(started, { shortcut: "/x", ...query }, secret)).body.data.id;
    expect(await idOf({ teamId: team.id })).toBe(own.id);
    expect(await idOf({ teamId: otherTeam.id })).toBe(other.id);
    expect(await idOf({}, limitedKey.secret)).toBe(own.id);
    expectRefusal(await ask(started, { shortcut: "/x" }, emptyKey.secret), 404, "Snippet not found");
    await started.client.putSnippet({ id: other.id, isArchived: true });
    expect(await idOf({})).toBe(own.id);
    expectRefusal(await ask(started, { shortcut: "/x", teamId: otherTeam.id }), 404, "Snippet not found");
  });
});
