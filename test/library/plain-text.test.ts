// A snippet's plain text: GET /text.
import { describe, expect, test } from "bun:test";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { expectRefusal } from "../support/expect.ts";
import { type RawAnswer, type Started, startService, text } from "../support/service.ts";

interface Options {
  readonly key?: string;
  readonly ifNoneMatch?: string;
}

const ask = ({ call, key }: Started, query: Record<string, string>, options: Options = {}) =>
  call("GET", "/text", {
    key: options.key ?? key.secret,
    query,
    ...(options.ifNoneMatch !== undefined && { headers: { "If-None-Match": options.ifNoneMatch } }),
  });

const etagOf = (answer: RawAnswer): string => answer.headers.get("etag") ?? "";

const expectUnchanged = (answer: RawAnswer, etag: string): void => {
  expect([answer.status, answer.text, etagOf(answer)]).toEqual([304, "", etag]);
  expect(answer.headers.get("x-request-cost")).toBe("0");
};

describe("GET /text", () => {
  test("returns the text alone as plain text, byte for byte, with the balance and the cost in headers", async () => {
    const started = await startService();
    const hostile = '\ufeff<script>alert(1)</script>\r\n{"success":true} größer 💥\n';
    for (const [content, type] of [
      [hostile, "html"],
      ["", "plaintext"],
    ] as const) {
      const { id } = await started.given.snippet({ content: text(content, type) });
      const response = await started.fetch(`${started.baseUrl}/text?id=${id}`, {
        headers: { Authorization: `Bearer ${started.key.secret}`, Accept: "text/html" },
      });
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("cache-control")).toBe("private, no-cache");
      expect(response.headers.get("x-request-cost")).toBe("1");
      expect(response.headers.get("x-api-version")).toBe("1.0.0");
      expect(response.headers.get("x-remaining-requests")).toBe(String(await started.balance()));
      expect(response.headers.get("x-ratelimit-remaining")).not.toBeNull();
    }
  });

  test("takes exactly one of id and shortcut, and a team where a shortcut needs one", async () => {
    const started = await startService();
    const { given, team, otherTeam } = started;
    const own = await given.snippet({ shortcut: "/x", content: text("Own") });
    await given.snippet({ shortcut: "/x", content: text("Other"), teamId: otherTeam.id });
    const textOf = async (query: Record<string, string>, key?: string) =>
      (await ask(started, query, key === undefined ? {} : { key })).text;
    expect(await textOf({ id: own.id.toUpperCase() })).toBe("Own");
    expect(await textOf({ snippetId: own.id })).toBe("Own");
    expect(await textOf({ shortcut: "/x", teamId: otherTeam.id })).toBe("Other");
    expect(await textOf({ shortcut: "/x" }, started.limitedKey.secret)).toBe("Own");
    expect(await textOf({ id: own.id, teamId: team.id })).toBe("Own");

    expectRefusal(await ask(started, {}), 400, "Snippet ID is required");
    expectRefusal(await ask(started, { teamId: team.id, variation: "Default" }), 400, "Snippet ID is required");
    const both = "send either id or shortcut, not both";
    expectRefusal(await ask(started, { id: own.id, shortcut: "/x" }), 400, both);
    expectRefusal(await ask(started, { shortcut: "" }), 400, "shortcut must be 1 to 100 characters");
    const ambiguous = await ask(started, { shortcut: "/x" });
    expectRefusal(ambiguous, 409, "Several teams have a snippet with this shortcut: add a teamId");
    expect(ambiguous.body.teamIds).toEqual([team.id, otherTeam.id]);
    expect(ambiguous.headers.get("content-type")).toStartWith("application/json");
    expectRefusal(await ask(started, { shortcut: "/X" }), 404, "Snippet not found");
    expectRefusal(await ask(started, { id: own.id, teamId: otherTeam.id }), 404, "Snippet not found");
    expectRefusal(await ask(started, { id: own.id, teamId: crypto.randomUUID() }), 404, "Team not found");
  });

  test("a variation is named by id first, then by name: the first of that name", async () => {
    const started = await startService();
    const { client, given } = started;
    const other = await given.snippet();
    const { id } = await given.snippet({
      content: text("First"),
      additionalVariations: ["Same", "Same", "default", other.variations[0]?.id ?? ""].map((variationName, index) => ({
        variationName,
        content: text(`${variationName} ${index}`),
      })),
    });
    const { variations } = (await client.getSnippet({ id })).data;
    await client.putSnippetVariation({ variationId: variations[3]?.id ?? "", name: variations[2]?.id ?? "" });
    const textOf = async (variation: string) => (await ask(started, { id, variation })).text;
    expect((await ask(started, { id })).text).toBe("First");
    expect(await textOf("Default")).toBe("First");
    expect(await textOf("Same")).toBe("Same 0");
    expect(await textOf(variations[2]?.id.toUpperCase() ?? "")).toBe("Same 1");
    expect(await textOf(variations[0]?.id ?? "")).toBe("First");
    // Another snippet's variation is only a name here.
    expect(await textOf(other.variations[0]?.id ?? "")).toStartWith(other.variations[0]?.id ?? "x");
    for (const variation of ["same", "default", "Default ", crypto.randomUUID()])
      expectRefusal(await ask(started, { id, variation }), 404, "Variation not found");
    for (const variation of ["", "x".repeat(101)])
      expectRefusal(await ask(started, { id, variation }), 400, "variation must be 1 to 100 characters");
    expectRefusal(await ask(started, { id: crypto.randomUUID(), variation: "x" }), 404, "Snippet not found");
  });

  test("each version of a text has one ETag, which a rename and a move leave as it is", async () => {
    const started = await startService();
    const { client, given } = started;
    const snippet = await given.snippetWithVariations();
    const [first = "", second = "", third = ""] = snippet.variations.map(({ id }) => id);
    const etag = async (variation: string) => etagOf(await ask(started, { id: snippet.id, variation }));
    const before = [await etag(first), await etag(second)];
    expect(before[0]).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(before[0]).not.toBe(before[1]);
    expect(etagOf(await ask(started, { id: snippet.id }))).toBe(before[0] ?? "");
    await client.putSnippet({ id: snippet.id, title: "Renamed", content: snippet.content });
    await client.putSnippetVariation({ variationId: first, name: "Renamed" });
    await client.putSnippetVariationsOrder({ snippetId: snippet.id, variationIds: [third, second, first] });
    expect([await etag(first), await etag(second)]).toEqual(before);
    await client.putSnippetVariation({ variationId: first, content: text("Changed") });
    await client.putSnippetVariation({ variationId: first, content: snippet.content });
    expect(await etag(first)).not.toBe(before[0]);
    expect(await etag(second)).toBe(before[1] ?? "");
  });

  test("If-None-Match with the version, in a list, weakly or as *: 304 without a body, at no cost", async () => {
    const started = await startService();
    const { id } = await started.given.snippet();
    const etag = etagOf(await ask(started, { id }));
    const before = await started.balance();
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, `"a,b" , W/"x",W/${etag}`, "*", " * "]) {
      const answer = await ask(started, { id }, { ifNoneMatch });
      expectUnchanged(answer, etag);
      expect(answer.headers.get("x-remaining-requests")).toBe(String(before));
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(await started.balance()).toBe(before);
    expect((await started.ledger()).at(-1)).toMatchObject({ operation: "getText", status: 304, units: 0 });
    for (const ifNoneMatch of [
      '"other"',
      etag.slice(1, -1),
      etag.slice(0, -1),
      `"${etag}"`,
      "",
      "**",
      etag.toUpperCase(),
    ])
      if (ifNoneMatch !== etag)
        expect([ifNoneMatch, (await ask(started, { id }, { ifNoneMatch })).status]).toEqual([ifNoneMatch, 200]);
    await started.client.putSnippet({ id, content: text("Changed") });
    expect((await ask(started, { id }, { ifNoneMatch: etag })).text).toBe("Changed");
  });

  test("304 also without units, but counted for the rate limit; the whole text is refused", async () => {
    const started = await startService({ config: { requestsPerMinute: 6 } });
    const { admin, workspace, limitedKey } = started;
    const { id } = await started.given.snippet();
    const key = limitedKey.secret;
    const etag = etagOf(await ask(started, { id }, { key }));
    const used = (await started.ledger()).reduce((sum, row) => sum + row.units, 0);
    await admin((transaction) => changeWorkspace(transaction, workspace.id, { monthly_requests: used }));
    expectRefusal(await ask(started, { id }, { key }), 403, "Insufficient API requests: 1 required, 0 remaining", 0);
    for (const remaining of ["3", "2", "1", "0"]) {
      const answer = await ask(started, { id }, { key, ifNoneMatch: etag });
      expectUnchanged(answer, etag);
      expect([answer.headers.get("x-ratelimit-remaining"), answer.headers.get("x-remaining-requests")]).toEqual([
        remaining,
        "0",
      ]);
    }
    expectRefusal(await ask(started, { id }, { key, ifNoneMatch: "*" }), 429, /^Rate limit exceeded/, 0);
  });

  test("400, 401, 403 and 404 come before If-None-Match", async () => {
    const started = await startService();
    const { admin, workspace, given, otherTeam, limitedKey, client } = started;
    const { id } = await given.snippet({ teamId: otherTeam.id });
    const ifNoneMatch = "*";
    expectRefusal(await ask(started, { id }, { key: "cpl_wrong", ifNoneMatch }), 401, "Invalid or inactive API key", 0);
    expectRefusal(await ask(started, {}, { ifNoneMatch }), 400, "Snippet ID is required");
    const forbidden = "API key does not have access to this team";
    expectRefusal(await ask(started, { id }, { key: limitedKey.secret, ifNoneMatch }), 403, forbidden);
    expectRefusal(await ask(started, { id, variation: "x" }, { ifNoneMatch }), 404, "Variation not found");
    await client.deleteSnippet({ id });
    expectRefusal(await ask(started, { id }, { ifNoneMatch }), 404, "Snippet not found");
    await admin((transaction) => changeWorkspace(transaction, workspace.id, { subscription: "inactive" }));
    expectRefusal(await ask(started, { id }, { ifNoneMatch }), 403, "Workspace subscription is not active", 0);
  });
});
