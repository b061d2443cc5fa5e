// Texts: their lengths, and that what is stored is what comes back, byte for byte (decisions, Records; promise P11).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { anyCharacter } from "../support/any-character.ts";
import { engine, someOnPostgres } from "../support/engine.ts";
import { expectRefusal, inGroups } from "../support/expect.ts";
import { type Started, startService, text } from "../support/service.ts";
import { makeTargets, type Targets } from "../support/targets.ts";
import { type Place, places } from "../support/text-fields.ts";

const send = (started: Started, { operation, query, body }: Place, targets: Targets, value: string) => {
  const { method, path }: Operation = operations[operation];
  return started.call(method, path, { key: started.key.secret, query: query(targets), body: body(targets, value) });
};

/** Texts that a well-meaning service likes to change, and ones that a careless one runs. */
const unchanged = [
  " ",
  "  both ends  ",
  "\t\r\n\v\f",
  "\r\n and \n and \r",
  "\u0001\u0002\u001f\u007f\u0080\u0085\u009f",
  "é is not e\u0301",
  "ﬁ Å K Ω ﷺ İ ı ß ẞ",
  "\ufeffa mark at the front",
  "\u200b\u200d\u2060\u00ad\u202e\u2066\u2028\u2029",
  "\ufffd\ufffe\uffff\u{1fffe}\u{10ffff}",
  "👩‍👩‍👧‍👦🇩🇪🏳️‍🌈",
  "ᄀᆞ 각 한 ไทย العربية हिन्दी",
  "\\u0000 \\x00 \\0 %00 &#0; \\ud800",
  "null",
  "\"'`\\/",
  "'; drop table snippets; --",
  '" or 1=1 --',
  "' union select secret_hash from api_keys --",
  "? :name $1 @p1 %s {0}",
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "{{7*7}} #{7*7} <%= 7*7 %>",
  "__proto__",
  "../../etc/passwd",
  "=1+1",
];

describe.each(someOnPostgres(places))("%s, %s", (_, field, place) => {
  const { min, max } = place;
  const rule = `${field} must be ${min === 0 ? `at most ${max}` : `${min} to ${max}`} characters`;

  test(`takes ${min} to ${max} code points and not one more`, async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id);
    const isLong = max > 5_000;
    // One byte, two, three, and four bytes or two code units to a code point.
    const units = isLong ? ["a", "💥"] : ["a", "é", "語", "💥"];
    for (const unit of units)
      for (const length of [max, 1, ...(min === 0 ? [0] : [])]) {
        const value = unit.repeat(length);
        const answer = await send(started, place, targets, value);
        expect(answer.body).toMatchObject({ success: true });
        // Compared by hand: a difference of a million characters helps nobody.
        expect((await place.read(started, targets, answer)) === value).toBeTrue();
      }
    const stored = await started.content();
    for (const unit of units)
      for (const value of [unit.repeat(max + 1), `${unit.repeat(max)}a`, ...(isLong ? [] : [unit.repeat(3 * max)])])
        expectRefusal(await send(started, place, targets, value), 400, rule);
    if (min > 0) expectRefusal(await send(started, place, targets, ""), 400, rule);
    expect(Bun.deepEquals(await started.content(), stored)).toBeTrue();
  });

  test("refuses a NUL character and a lone surrogate", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id);
    const stored = await started.content();
    await inGroups(["\0", "a\0", "\0a", "a\0b"], async (value) =>
      expectRefusal(await send(started, place, targets, value), 400, `${field} must not contain a NUL character`),
    );
    await inGroups(["\ud800", "\udfff", "a\ud83d", "\ud83da", "\udca5\ud83d", "💥\udca5", "\ud83d💥"], async (value) =>
      expectRefusal(await send(started, place, targets, value), 400, `${field} must not contain a lone surrogate`),
    );
    expect(await started.content()).toEqual(stored);
  });

  test("keeps a text as it is: no trimming, no normalisation, nothing run", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id);
    // A create makes its own record each time; changes of one record come one after the other.
    const atOnce = place.operation.startsWith("post") ? unchanged.length : 1;
    await inGroups(
      unchanged,
      async (value) => {
        const answer = await send(started, place, targets, value);
        expect(answer.body).toMatchObject({ success: true });
        expect(await place.read(started, targets, answer)).toBe(value);
      },
      atOnce,
    );
  });
});

describe("a content type", () => {
  const send = ({ call, key, team }: Started, type: string) =>
    call("POST", "/snippet", {
      key: key.secret,
      body: { title: "T", content: { type, content: "" }, teamId: team.id },
    });

  test("is 1 to 50 letters, digits and . _ + / -: plaintext and code are only examples", async () => {
    const started = await startService();
    for (const type of [
      "plaintext",
      "code",
      "text/x-c++",
      "application/vnd.x_y+json",
      "C",
      "0",
      "a".repeat(50),
      "..",
      "/",
      "PlainText",
    ]) {
      const answer = await send(started, type);
      expect((await started.client.getSnippet({ id: answer.body.data.snippetId })).data.content).toEqual({
        type,
        content: "",
      });
    }
  });

  test("that is anything else is refused", async () => {
    const started = await startService();
    for (const type of [
      "",
      " ",
      "a b",
      "code ",
      " code",
      "code\n",
      "é",
      "💥",
      "a;b",
      "a,b",
      "a:b",
      "a\\b",
      "a\0b",
      "\ud800",
      "a".repeat(51),
      "<b>",
      "'",
      "text/html; charset=utf-8",
    ]) {
      expectRefusal(
        await send(started, type),
        400,
        'content.type must be 1 to 50 characters: letters, digits, ".", "_", "+", "/", "-"',
      );
    }
  });
});

describe("all of Unicode", () => {
  /** Any code point but NUL, which is refused, and the surrogates, which are none. */
  const anyText = (minLength: number, maxLength: number) =>
    fc
      .oneof(
        fc.string({ unit: anyCharacter, minLength, maxLength, size: "max" }),
        fc.string({ unit: "grapheme", minLength, maxLength: Math.floor(maxLength / 4) }),
      )
      .map((value) => value.replaceAll("\0", "\u0001"))
      .filter((value) => [...value].length <= maxLength);

  const bytes = (value: string) => Buffer.from(value).toString("hex").toUpperCase();
  /** The same JSON with every character outside ASCII as an escape. */
  const escaped = (body: unknown) =>
    JSON.stringify(body).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

  test("comes back as it was sent, and is stored as its own UTF-8 bytes", async () => {
    const { call, key, team, workspace, rows } = await startService();
    const ask = async (method: string, path: string, more: { body?: unknown; query?: Record<string, string> }) => {
      const answer = await call(method, path, { key: key.secret, ...more });
      expect(answer.body).toMatchObject({ success: true });
      return answer.body.data;
    };
    const { hex } = engine;
    const stored = (what: string, id: string) =>
      rows(`select ${what} where workspace_id = ? and id = ?`, workspace.id, id);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          title: anyText(1, 200),
          note: anyText(0, 400),
          shortcut: anyText(0, 100),
          content: anyText(0, 2_000),
          name: anyText(1, 100),
          folderName: anyText(1, 400),
          folderColor: anyText(1, 100),
          tagName: anyText(1, 400),
          tagColor: anyText(1, 100),
        }),
        fc.boolean(),
        async ({ title, note, shortcut, content, name, folderName, folderColor, tagName, tagColor }, isEscaped) => {
          const write = isEscaped ? escaped : JSON.stringify;
          const teamId = team.id;
          const [{ folder }, { tag }, { snippetId }] = await Promise.all([
            ask("POST", "/folder", { body: write({ folderName, folderColor, teamId }) }),
            ask("POST", "/tag", { body: write({ tagName, tagColor, teamId }) }),
            ask("POST", "/snippet", {
              body: write({
                title,
                note,
                shortcut,
                content: text(content),
                teamId,
                additionalVariations: [{ variationName: name, content: text(content) }],
              }),
            }),
          ]);
          const snippet = await ask("GET", "/snippet", { query: { id: snippetId } });

          expect([folder.folder_name, folder.folder_color, tag.tag_name, tag.tag_color]).toEqual([
            folderName,
            folderColor,
            tagName,
            tagColor,
          ]);
          expect([
            snippet.title,
            snippet.snippet_note,
            snippet.shortcut,
            snippet.content.content,
            snippet.variations[1].name,
          ]).toEqual([title, note, shortcut, content, name]);
          expect(
            await stored(
              `${hex("title")} t, ${hex("snippet_note")} n, ${hex("shortcut")} s, ${hex("content")} c from snippets`,
              snippetId,
            ),
          ).toEqual([{ t: bytes(title), n: bytes(note), s: bytes(shortcut), c: bytes(content) }]);
          expect(
            await rows(
              `select ${hex("name")} n, ${hex("content")} c from variations where workspace_id = ? and snippet_id = ?`,
              workspace.id,
              snippetId,
            ),
          ).toEqual([{ n: bytes(name), c: bytes(content) }]);
          expect(await stored(`${hex("folder_name")} n, ${hex("folder_color")} c from folders`, folder.id)).toEqual([
            { n: bytes(folderName), c: bytes(folderColor) },
          ]);
          expect(await stored(`${hex("tag_name")} n, ${hex("tag_color")} c from tags`, tag.id)).toEqual([
            { n: bytes(tagName), c: bytes(tagColor) },
          ]);
        },
      ),
      { numRuns: engine.name === "sqlite" ? 200 : 50 },
    );
  }, 60_000);

  test("comes back whole in one text: every code point but NUL and the surrogates", async () => {
    const { client, given } = await startService();
    const { id } = await given.snippet();
    for (let plane = 0; plane <= 16; plane += 1) {
      const points = Array.from({ length: 0x10000 }, (_, index) => plane * 0x10000 + index);
      const all = points
        .filter((point) => point !== 0 && (point < 0xd800 || point > 0xdfff))
        .map((point) => String.fromCodePoint(point))
        .join("");
      await client.putSnippet({ id, content: text(all) });
      expect((await client.getSnippet({ id })).data.content.content === all).toBeTrue();
    }
  });
});
