// What cpl sync --two-way reads and writes: one file, two changes of a text, a folder on the disk, and what waits while it watches.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { follow } from "../../cli/src/sync/follow.ts";
import { TeamContents } from "../../cli/src/sync/team-contents.ts";
import { mergeFields } from "../../cli/src/sync/two-way/decide.ts";
import { DiskFiles } from "../../cli/src/sync/two-way/disk-files.ts";
import { type Document, parseFile, render, renderNew, sameDocument } from "../../cli/src/sync/two-way/document.ts";
import { mergeTexts } from "../../cli/src/sync/two-way/merge.ts";
import { done, planned } from "../../cli/src/sync/two-way/report.ts";
import { TeamLibrary } from "../../cli/src/sync/two-way/team-library.ts";
import { TeamVariations } from "../../cli/src/sync/two-way/team-variations.ts";
import { Holds } from "../../cli/src/sync/two-way/watch.ts";
import { hashOfContent } from "../../cli/src/sync/two-way/work.ts";
import {
  type Change,
  type Commonplace,
  InvalidRequestError,
  KeyExpiredError,
  RateLimitError,
} from "../../sdk/src/index.ts";
import { temporaryDirectory } from "../support/service.ts";
import { snippetDocument } from "../support/two-way-sides.ts";

const id = "00000000-0000-4000-8000-000000000001";
/** Texts as the service stores them: anything but NUL and lone surrogates. */
const anyText = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("---", "a: [", "#", "\n", "\r\n", "\r", " ", ": ", "\uFEFF", "x", "é", "'", '"', "- "))
      .map((all) => all.join("")),
  )
  .map((text) => text.replaceAll("\0", "").toWellFormed());
const field = anyText.filter((text) => text !== "");
const anyDocument = fc
  .record({
    title: field,
    shortcut: anyText,
    note: anyText,
    tags: fc.uniqueArray(field, { maxLength: 3 }),
    text: anyText,
  })
  .map(({ text, tags, ...fields }): Document => {
    const document = snippetDocument("", text);
    return { text, fields: { ...document.fields, ...fields, "content-type": "plaintext", tags: [...tags].sort() } };
  });

describe("a file", () => {
  test("says what it was made of, whatever that is, and after it was made again of something else too", () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (one, other) => {
        const content = renderNew(id, one);
        const first = parseFile("x.md", content);
        expect([first.id, sameDocument(first.document, one)]).toEqual([id, true]);
        expect(render("x.md", content, id, one)).toBe(content);
        for (const mark of ["", "\uFEFF"]) {
          const changed = parseFile("x.md", render("x.md", mark + content.replaceAll(/(?<!\r)\n/g, "\r\n"), id, other));
          expect(sameDocument(changed.document, other)).toBeTrue();
        }
      }),
      { numRuns: 120 },
    );
  });

  test("keeps what its person wrote besides: other fields, comments, order, line endings, and the mark at its beginning", () => {
    const content =
      "\uFEFF---\r\n# mine\r\naliases: [a, b]\r\ntype: meeting\r\nshortcut: ;x\r\ntitle: 'Old' # really\r\n---\r\ntext\r\n\r\n";
    const { document } = parseFile("Old.md", content);
    expect(document.fields["content-type"]).toBe("markdown");
    const changed = { fields: { ...document.fields, title: "New", shortcut: "", tags: ["t"] }, text: "other" };
    expect(render("Old.md", content, undefined, changed)).toBe(
      "\uFEFF---\r\n# mine\r\naliases: [ a, b ]\r\ntype: meeting\r\ntitle: 'New' # really\r\ntags:\r\n  - t\r\n---\r\n\r\nother\r\n",
    );
    const plain = "# Title\n\nText\n";
    const withTags = { ...parseFile("A.md", plain).document };
    expect(render("A.md", plain, id, { ...withTags, fields: { ...withTags.fields, tags: ["t"] } })).toBe(
      `---\ntags:\n  - t\ncommonplace-id: ${id}\n---\n\n# Title\n\nText\n`,
    );
    expect(render("A.md", plain, undefined, { ...withTags, text: "Other" })).toBe("Other\n");
  });

  test("has numbers as they are written, which stay as they are", () => {
    const content = "---\ntitle: 1.10\nshortcut: 007\ntags: [2.0]\n---\n\ntext\n";
    const { document } = parseFile("Version.md", content);
    expect(document.fields).toMatchObject({ title: "1.10", shortcut: "007", tags: ["2.0"] });
    const renamed = { ...document, fields: { ...document.fields, shortcut: "1.20" } };
    expect(render("Version.md", content, undefined, renamed)).toBe(
      content.replace("007", '"1.20"').replace("[2.0]", "[ 2.0 ]"),
    );
    expect(render("Version.md", content, undefined, document)).toBe(content);
  });

  test("that begins with a horizontal line is a text", () => {
    const content = "---\nnot fields\n---\n\nmore\n";
    expect(parseFile("Lines.md", content).document).toMatchObject({
      text: content.slice(0, -1),
      fields: { title: "Lines" },
    });
  });
});

describe("two changes", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 8 }).map((all) => all.join("\n"));

  test("of a text: one side alone wins, both are merged in either order, and every line of both is there", () => {
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        expect(mergeTexts(base, ours, base)).toBe(ours);
        expect(mergeTexts(base, base, theirs)).toBe(theirs);
        const merged = mergeTexts(base, ours, theirs);
        expect(mergeTexts(base, theirs, ours)).toBe(merged as string);
        for (const line of merged === undefined ? [] : [...ours.split("\n"), ...theirs.split("\n")])
          if (!base.split("\n").includes(line)) expect(merged?.split("\n")).toContain(line);
      }),
      { numRuns: 300 },
    );
    expect(mergeTexts("1\n2\n3\n4", "0\n1\n2\n3\n4", "1\n2\n4")).toBe("0\n1\n2\n4");
    expect(mergeTexts("1\n2\n3", "1\nx\n3", "1\ny\n3")).toBeUndefined();
    expect(mergeTexts("1\n2\n3", "1\nx\n3", "1\n2\ny")).toBeUndefined();
  });

  test("of fields: other ones go together, tags are joined, and two values of one are a conflict", () => {
    const base = { title: "T", note: "", tags: ["a", "b"] };
    expect(
      mergeFields(base, { ...base, title: "U", tags: ["b", "c"] }, { ...base, note: "n", tags: ["a", "d", "b"] }),
    ).toEqual({
      title: "U",
      note: "n",
      tags: ["b", "c", "d"],
    });
    expect(mergeFields(base, { ...base, title: "U" }, { ...base, title: "V" })).toBeUndefined();
  });
});

test("files on the disk: nothing is replaced that was not seen, what belongs to other programs is not read, and leftovers go", async () => {
  const root = join(temporaryDirectory(), "team");
  const files = new DiskFiles(root);
  const at = (path: string) => join(root, path);
  expect(await files.scan()).toEqual([]);
  expect(files.write("A/One.md", "1", undefined)).toBeTrue();
  expect(files.write("A/One.md", "2", undefined)).toBeFalse();
  expect(files.write("A/One.md", "2", hashOfContent("other"))).toBeFalse();
  expect(files.write("A/One.md", "2", hashOfContent("1"))).toBeTrue();
  writeFileSync(at("Two.md"), "two");
  expect(files.move("A/One.md", "Two.md", hashOfContent("2"))).toBeFalse();
  expect(files.move("A/One.md", "B/C/One.md", hashOfContent("1"))).toBeFalse();
  expect(files.move("A/One.md", "B/C/One.md", hashOfContent("2"))).toBeTrue();
  expect(existsSync(at("A"))).toBeFalse();
  expect(files.remove("Two.md", hashOfContent("x"))).toBeFalse();
  expect(() => files.write("../out.md", "x", undefined)).toThrow("not a path in the directory");

  mkdirSync(at(".obsidian"));
  for (const path of [".obsidian/x.md", ".hidden.md", "picture.png", ".Two.md.123.tmp"]) writeFileSync(at(path), "x");
  writeFileSync(at(".Cloud.md.icloud"), "x");
  writeFileSync(at("Latin.md"), Buffer.from([0xe9]));
  symlinkSync(at("Two.md"), at("Link.md"));
  const shown = async () => (await files.scan()).map(({ path, content, problem }) => [path, content ?? problem]).sort();
  const others = [
    ["Cloud.md", "the file is stored only in iCloud. Download it first"],
    ["Latin.md", undefined],
  ];
  expect(await shown()).toEqual([["B/C/One.md", "2"], ...others, ["Two.md", "two"]].sort());
  expect(readdirSync(root).sort()).not.toContain(".Two.md.123.tmp");
  expect(files.exists("Cloud.md")).toBeTrue();
  // What is old is read again only where it has changed, even if it has the same length.
  const old = new Date(Date.now() - 60_000);
  utimesSync(at("Two.md"), old, old);
  await shown();
  writeFileSync(at("Two.md"), "owt");
  utimesSync(at("Two.md"), old, old);
  expect(await shown()).toContainEqual(["Two.md", "owt"]);
  expect(readFileSync(at("Two.md"), "utf8")).toBe("owt");
});

describe("a change of a snippet", () => {
  const teamId = "00000000-0000-4000-8000-00000000000f";
  const snippet = {
    ...{ id, title: "Refund", content: { type: "markdown", content: "text" }, snippet_note: null, shortcut: null },
    ...{ folder_id: null, tag_ids: [], created_at: "1", updated_at: "1", is_archived: false, variations: [] },
  };

  /** A library whose service answers with what `refusals` says, and in which someone else gives the snippet `titleBy` the second read. */
  async function change(to: Document, refusals: readonly Error[], titleBy = snippet.title) {
    const sent: string[] = [];
    const waits: number[] = [];
    let reads = 0;
    const client = {
      getSnippet: async () => ({ data: { ...snippet, title: ++reads > 1 ? titleBy : snippet.title } }),
      postTag: async () => {
        sent.push("tag");
        return { data: { tag: { id: "00000000-0000-4000-8000-00000000000e" } } };
      },
      putSnippet: async (_: unknown, options: { waitForRateLimit?: boolean }) => {
        const refusal = refusals[waits.length];
        expect(options.waitForRateLimit).toBeFalse();
        if (refusal) throw refusal;
        sent.push("snippet");
      },
    } as unknown as Commonplace;
    const contents = new TeamContents(client, teamId);
    const wait = async (seconds: number) => void waits.push(seconds);
    const library = new TeamLibrary(client, teamId, contents, new TeamVariations(client, teamId, {}), {}, wait);
    const seen = await library.fresh({ id, of: null });
    if (!seen) throw new Error("the snippet is there");
    const result = await library.change(seen, to);
    return { is: result.is, sent, reads, waits };
  }

  const mine = snippetDocument("Mine", "text");
  const limited = new RateLimitError({ status: 429, code: "rate_limit_exceeded", message: "" }, 20);

  test("is sent directly after the snippet was read; after a wait or another request, the snippet is read again", async () => {
    expect(await change(mine, [])).toEqual({ is: "changed", sent: ["snippet"], reads: 1, waits: [] });
    expect(await change(mine, [limited])).toEqual({ is: "changed", sent: ["snippet"], reads: 2, waits: [23] });
    const tagged = { ...mine, fields: { ...mine.fields, tags: ["new"] } };
    expect(await change(tagged, [])).toEqual({ is: "changed", sent: ["tag", "snippet"], reads: 2, waits: [] });
  });

  test("is not sent if someone else has changed the snippet by then", async () => {
    expect(await change(mine, [limited], "Theirs")).toEqual({ is: "stale", sent: [], reads: 2, waits: [23] });
    const tagged = { ...mine, fields: { ...mine.fields, tags: ["new"] } };
    expect(await change(tagged, [], "Theirs")).toEqual({ is: "stale", sent: ["tag"], reads: 2, waits: [] });
    await expect(change(mine, Array(9).fill(limited))).rejects.toBe(limited);
  });
});

test("of many changed snippets, those that were imported with older times than the search finds are read too, and only then is all read again", async () => {
  const at = "2026-03-15T12:00:00.000Z";
  /** @param old imported with their times */
  async function updated(
    old: number,
    action: "created" | "changed",
  ): Promise<[read: number, searches: (string | undefined)[]]> {
    const searches: (string | undefined)[] = [];
    const snippets = Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, isOld: index < old }));
    const client = {
      getTree: async () => ({ data: { folders: [], tags: [] } }),
      async *getSearchPages({ updatedSince }: { updatedSince?: string }) {
        searches.push(updatedSince);
        yield { data: { snippets: snippets.filter(({ isOld }) => updatedSince === undefined || !isOld) } };
      },
    } as unknown as Commonplace;
    const contents = new TeamContents(client, "team");
    await contents.update(snippets.map(({ id }) => ({ kind: "snippet", action, id, at }) as unknown as Change));
    return [contents.size, searches];
  }
  expect(await updated(0, "created")).toEqual([5, [at]]);
  expect(await updated(2, "created")).toEqual([5, [at, undefined]]);
  // Archived ones are not found, and not kept.
  expect(await updated(2, "changed")).toEqual([3, [at]]);
});

test("a change of a kind that a later version of the service adds is ignored, and costs nothing", async () => {
  const contents = new TeamContents({} as unknown as Commonplace, "team");
  await contents.update([
    { kind: "label", action: "moved", id, snippet_id: id, team_id: id, at: "2026-03-15T12:00:00.000Z" },
  ]);
  expect(contents.size).toBe(0);
});

test("what is reported says what was done, and in a dry run, what would be", () => {
  const textsOf = ({ sentences, counted, emptied, manyDeletions }: typeof done) => [
    ...Object.values(sentences).map((say) => say({ kind: "moved", path: "A.md", other: "B.md" })),
    ...Object.values(counted).map((say) => say("4 files")),
    ...[emptied, manyDeletions("4 more snippets")],
  ];
  const [did, would] = [textsOf(done), textsOf(planned)];
  expect(would.filter((text) => !/\bWould\b|\bwould (?:be|create|get)\b/.test(text))).toEqual([]);
  expect(did.filter((text) => /\bWould\b/.test(text))).toEqual([]);
  expect(did.length).toBe(would.length);
});

test("a cursor of the feed that the service refuses, for whatever reason, is replaced; other refusals end the sync", async () => {
  const refusal = (code: string) => new InvalidRequestError({ status: 400, code, message: "no" });
  /** What happens, with a service that answers one request after the other with a cursor or a refusal. */
  async function followed(answers: readonly (string | Error)[], failedUpdate?: Error): Promise<string[]> {
    const happened: string[] = [];
    const rest = [...answers];
    const client = {
      async *followChanges({ cursor }: { cursor?: string }) {
        for (let from = cursor; ; ) {
          const answer = rest.shift() ?? new KeyExpiredError({ status: 401, code: "key_expired", message: "no" });
          if (typeof answer !== "string") throw answer;
          happened.push(`${from} → ${answer}`);
          yield { changes: from === undefined ? [] : [{}], cursor: answer };
          from = answer;
        }
      },
    } as unknown as Commonplace;
    const follower = {
      readAll: async () => void happened.push("all"),
      update: async () => {
        if (failedUpdate) throw failedUpdate;
      },
      write: () => undefined,
    };
    const error = await follow(client, "team", follower, new AbortController().signal).catch((reason) => reason);
    return [...happened, error.code];
  }
  for (const code of ["cursor_expired", "invalid_request", "a code of a later version"])
    expect(await followed(["a", "b", refusal(code), "c", "d"])).toEqual([
      ...["undefined → a", "all", "a → b", "undefined → c", "all", "c → d"],
      "key_expired",
    ]);
  const refused = refusal("invalid_request");
  expect(await followed([refused])).toEqual(["invalid_request"]);
  expect(await followed(["a", "b"], refused)).toEqual(["undefined → a", "all", "a → b", "invalid_request"]);
  // A service that refuses each new cursor at once is asked three times, not without end.
  expect(await followed(["a", refused, "b", refused, "c", refused, "d"])).toEqual([
    ...["undefined → a", "all", "undefined → b", "all", "undefined → c", "all"],
    "invalid_request",
  ]);
});

test("while it watches, a file that is gone waits for 2 seconds, and a text that someone is writing is sent every 10", () => {
  let now = 0;
  const holds = new Holds(() => now);
  expect(holds.isHeld("trash", "a")).toBeTrue();
  now = 1_999;
  expect(holds.isHeld("trash", "a")).toBeTrue();
  now = 2_000;
  expect([holds.isHeld("trash", "a"), holds.isHeld("push", "b")]).toEqual([false, false]);
  holds.pushed("b");
  now = 11_999;
  expect([holds.isHeld("push", "b"), holds.isHeld("push", "c")]).toEqual([true, false]);
  now = 12_000;
  expect(holds.isHeld("push", "b")).toBeFalse();
  holds.keepGone();
  expect(holds.isHeld("trash", "a")).toBeTrue();
});
