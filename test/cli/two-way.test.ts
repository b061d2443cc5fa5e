// The rules of cpl sync --two-way: what is decided for a file and its snippet, and that no order of changes, races, and interruptions loses a text
// or doubles a snippet. Both sides are in memory.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Document, parseFile } from "../../cli/src/sync/two-way/document.ts";
import { ConnectionError } from "../../sdk/src/index.ts";
import { bodyOf, Killed, rewrite, snippetDocument, TwoSides } from "../support/two-way-sides.ts";

const refundPath = "Replies/Refund.md";
const conflictPath = "Replies/Refund (conflict 2026-11-23 10.15).md";

/** Two snippets and their files, the same on both sides. */
async function synced() {
  const sides = new TwoSides();
  const refund = sides.add(snippetDocument("Refund", "one\ntwo\nthree\nfour", "Replies"));
  const delay = sides.add(snippetDocument("Delay", "Sorry", "Replies"));
  await sides.sync();
  expect([...sides.files.keys()]).toEqual([refundPath, "Replies/Delay.md"]);
  return { sides, refund, delay };
}

const withText = (text: string) => (document: Document) => ({ ...document, text });
const withField = (name: string, value: string) => (document: Document) => ({
  ...document,
  fields: { ...document.fields, [name]: value },
});
const rename = (sides: TwoSides, from: string, to: string) => {
  sides.files.set(to, sides.files.get(from) ?? "");
  sides.files.delete(from);
};

describe("one change", () => {
  test("on either side goes to the other, and nothing else is written", async () => {
    const { sides, refund, delay } = await synced();
    const before = sides.files.get("Replies/Delay.md");
    rewrite(sides, "Replies/Delay.md", withText("So sorry"));
    sides.change(refund, withText("1"));
    const { events } = await sides.sync();
    expect(events).toEqual([
      { kind: "updated", path: refundPath },
      { kind: "uploaded", path: "Replies/Delay.md" },
    ]);
    expect(bodyOf(sides, refundPath)).toBe("1");
    expect(sides.document(delay)?.text).toBe("So sorry");
    expect(sides.files.get("Replies/Delay.md")).toBe(before?.replace("Sorry", "So sorry") ?? "");
    expect((await sides.sync()).events).toEqual([]);
  });

  test("a new file becomes a snippet once it has a text, and stays as its person wrote it", async () => {
    const { sides } = await synced();
    sides.files.set("Ideas/Empty.md", "---\ntags: [x]\n---\n");
    sides.files.set("Ideas/Note.md", "\uFEFF# A note\r\n\r\nText\r\n");
    expect((await sides.sync()).events).toEqual([{ kind: "created", path: "Ideas/Note.md" }]);
    expect(sides.live.at(-1)?.[1]).toEqual({
      fields: { ...snippetDocument("Note", "", "Ideas").fields },
      text: "# A note\n\nText",
    });
    expect(sides.files.get("Ideas/Note.md")).toBe("\uFEFF# A note\r\n\r\nText\r\n");
  });

  test("with the shortcut of another snippet is uploaded, and a warning names both files", async () => {
    const { sides } = await synced();
    rewrite(sides, refundPath, withField("shortcut", ";r"));
    sides.files.set("Note.md", "---\nshortcut: ;r\n---\n\ntext\n");
    const { warnings, needsAttention } = await sides.sync();
    const rest = "Both snippets keep it, and a lookup by shortcut finds only the one that was changed last";
    expect(warnings).toEqual([
      { path: "Note.md", message: `the shortcut ";r" is also used by Replies/Refund.md. ${rest}` },
    ]);
    expect([needsAttention, sides.live.at(-1)?.[1].fields.shortcut]).toEqual([false, ";r"]);
    rewrite(sides, "Replies/Delay.md", withField("shortcut", ";r"));
    expect((await sides.sync()).warnings.map(({ path }) => path)).toEqual(["Replies/Delay.md"]);
    expect((await sides.sync()).warnings).toEqual([]);
  });

  test("a copy of a file becomes a snippet of its own, with the copy's name as its title", async () => {
    const { sides } = await synced();
    sides.files.set("Replies/Delay copy.md", sides.files.get("Replies/Delay.md") ?? "");
    expect((await sides.sync()).events).toEqual([{ kind: "created", path: "Replies/Delay copy.md" }]);
    const [id = "", document] = sides.live.at(-1) ?? [];
    expect(document).toEqual(snippetDocument("Delay copy", "Sorry", "Replies"));
    const { fields } = document ?? snippetDocument("", "");
    expect(parseFile("x.md", sides.files.get("Replies/Delay copy.md") ?? "")).toMatchObject({
      id,
      document: { fields: { title: fields.title } },
    });
  });

  test("a moved file moves its snippet, and a new file name is a new title", async () => {
    const { sides, refund, delay } = await synced();
    rename(sides, refundPath, "Old/Refund.md");
    rewrite(sides, "Old/Refund.md", withText("moved and changed"));
    rename(sides, "Replies/Delay.md", "Replies/Late.md");
    expect((await sides.sync()).of("uploaded")).toHaveLength(2);
    expect(sides.document(refund)).toEqual(snippetDocument("Refund", "moved and changed", "Old"));
    expect(sides.document(delay)?.fields.title).toBe("Late");
    expect(parseFile("", sides.files.get("Replies/Late.md") ?? "").document.fields.title).toBe("Late");
  });

  test("a new title or folder of a snippet renames its file, unless a person has given it another name", async () => {
    const { sides, refund, delay } = await synced();
    rewrite(sides, "Replies/Delay.md", withField("title", "Delayed"));
    await sides.sync();
    sides.change(refund, withField("title", "Money back: today"));
    sides.change(delay, withField("title", "Later"));
    await sides.sync();
    sides.change(delay, withField("folder", "Old"));
    await sides.sync();
    expect([...sides.files.keys()].sort()).toEqual(["Old/Delay.md", "Replies/Money back today.md"]);
    expect(sides.differences()).toEqual([]);
  });

  test("a file or folder keeps a name that new ones do not get, such as one with a dash, and its title can change", async () => {
    const sides = new TwoSides();
    // The library has the folder "-old", which its files have as "old".
    const id = sides.add(snippetDocument("-rf", "text", "-old"));
    await sides.sync();
    rename(sides, "-old/rf.md", "-old/-rf.md");
    sides.change(id, withField("folder", "old"));
    expect((await sides.sync()).events).toEqual([]);
    expect([...sides.files.keys()]).toEqual(["-old/-rf.md"]);
    rewrite(sides, "-old/-rf.md", withText("mine"));
    expect((await sides.sync()).events).toEqual([{ kind: "uploaded", path: "-old/-rf.md" }]);
    rename(sides, "-old/-rf.md", "-old/Better.md");
    await sides.sync();
    expect(sides.document(id)?.fields).toMatchObject({ title: "Better", folder: expect.stringMatching(/^-?old$/) });
    expect([...sides.files.keys()]).toEqual(["-old/Better.md"]);
  });

  test("a deleted file moves its snippet to the trash, and a deleted snippet removes its file", async () => {
    const { sides, refund, delay } = await synced();
    sides.files.delete(refundPath);
    sides.delete(delay);
    sides.add(snippetDocument("Other", "x"));
    expect((await sides.sync()).events).toEqual([
      { kind: "removed", path: "Replies/Delay.md" },
      { kind: "downloaded", path: "Other.md" },
      { kind: "trashed", path: refundPath },
    ]);
    expect(sides.document(refund)).toBeUndefined();
  });
});

describe("a change on both sides", () => {
  test("of different lines and fields is merged", async () => {
    const { sides, refund } = await synced();
    rewrite(sides, refundPath, withText("ONE\ntwo\nthree\nfour"));
    sides.change(refund, withText("one\ntwo\nthree\nFOUR"));
    sides.change(refund, withField("shortcut", ";r"));
    expect((await sides.sync()).events).toEqual([{ kind: "merged", path: refundPath }]);
    expect(sides.document(refund)).toMatchObject({ text: "ONE\ntwo\nthree\nFOUR", fields: { shortcut: ";r" } });
    expect(sides.differences()).toEqual([]);
  });

  test("of the same line or field is a conflict: the snippet's goes into the file, the file's is kept beside it and is not uploaded", async () => {
    const { sides, refund, delay } = await synced();
    rewrite(sides, refundPath, withText("mine"));
    sides.change(refund, withText("theirs"));
    rewrite(sides, "Replies/Delay.md", withField("note", "my note"));
    sides.change(delay, withField("note", "their note"));
    const outcome = await sides.sync();
    expect(outcome.of("conflict")).toContainEqual({ kind: "conflict", path: refundPath, other: conflictPath });
    expect(outcome.needsAttention).toBeTrue();
    expect([bodyOf(sides, refundPath), bodyOf(sides, conflictPath)]).toEqual(["theirs", "mine"]);
    expect(sides.files.get("Replies/Delay (conflict 2026-11-23 10.15).md")).toContain("my note");
    expect((await sides.sync()).events).toEqual([]);
    expect(sides.live).toHaveLength(2);
  });

  for (const name of ["title", "shortcut", "note", "content-type", "text"])
    test(`of the same ${name}, twice in a row on each side, is a conflict each time, and both are kept`, async () => {
      const { sides, refund } = await synced();
      const set = (value: string) => (name === "text" ? withText(value) : withField(name, value));
      const valueIn = (document: Document | undefined) => (name === "text" ? document?.text : document?.fields[name]);
      const contents = () => [...sides.files].map(([path, content]) => valueIn(parseFile(path, content).document));
      const kept: string[] = [];
      for (const round of [1, 2, 3]) {
        const path = [...sides.files].find(
          ([each, content]) => content.includes(refund) && !each.includes("(conflict "),
        )?.[0];
        for (const time of ["first", "last"]) {
          rewrite(sides, path ?? "", set(`mine ${round} ${time}`));
          sides.change(refund, set(`theirs ${round} ${time}`));
        }
        expect((await sides.sync()).of("conflict")).toHaveLength(1);
        kept.push(`mine ${round} last`);
        expect(valueIn(sides.document(refund))).toBe(`theirs ${round} last`);
        expect(contents()).toEqual(expect.arrayContaining([...kept, `theirs ${round} last`]));
        expect((await sides.sync()).events).toEqual([]);
      }
      expect(sides.live).toHaveLength(2);
    });

  test("of the same title or folder, by renaming or moving the file, keeps the file beside it under its new name", async () => {
    const { sides, refund, delay } = await synced();
    rename(sides, refundPath, "Replies/Mine.md");
    rename(sides, "Replies/Delay.md", "Mine/Delay.md");
    for (const time of ["first", "last"]) {
      sides.change(refund, withField("title", `Theirs ${time}`));
      sides.change(delay, withField("folder", `Theirs ${time}`));
    }
    expect((await sides.sync()).of("conflict")).toHaveLength(2);
    expect([sides.document(refund)?.fields.title, sides.document(delay)?.fields.folder]).toEqual([
      "Theirs last",
      "Theirs last",
    ]);
    expect([...sides.files.keys()].sort()).toEqual([
      "Mine/Delay (conflict 2026-11-23 10.15).md",
      "Replies/Mine (conflict 2026-11-23 10.15).md",
      "Replies/Mine.md",
      "Theirs last/Delay.md",
    ]);
  });

  test("where one of them deletes: what the other wrote stays", async () => {
    const { sides, refund, delay } = await synced();
    sides.files.delete(refundPath);
    sides.change(refund, withText("theirs"));
    rewrite(sides, "Replies/Delay.md", withText("mine"));
    sides.delete(delay);
    const { events } = await sides.sync();
    const kept = "Replies/Delay (conflict 2026-11-23 10.15).md";
    expect(events).toEqual([
      { kind: "restored", path: refundPath },
      { kind: "kept", path: "Replies/Delay.md", other: kept },
    ]);
    expect([bodyOf(sides, refundPath), bodyOf(sides, kept)]).toEqual(["theirs", "mine"]);
  });

  test("while it is sent: what someone else saves then is decided on again, or is in the history", async () => {
    for (const [step, expected] of [
      [2, { kind: "merged", text: "ONE\ntwo\nthree\nFOUR" }],
      [3, { kind: "overtaken", text: "ONE\ntwo\nthree\nfour" }],
    ] as const) {
      const { sides, refund } = await synced();
      rewrite(sides, refundPath, withText("ONE\ntwo\nthree\nfour"));
      sides.atStep = (at) => at === step && sides.change(refund, withText("one\ntwo\nthree\nFOUR"));
      expect((await sides.sync()).events).toContainEqual({ kind: expected.kind, path: refundPath });
      expect(sides.document(refund)?.text).toBe(expected.text);
      expect(sides.texts()).toContain("one\ntwo\nthree\nFOUR");
    }
  });
});

test("what someone else saves while a change waits for the rate limit is decided on again: a title and a tag are not overwritten", async () => {
  const { sides, refund } = await synced();
  sides.waitsBeforeChange = true;
  rewrite(sides, refundPath, withField("title", "Mine"));
  sides.atStep = (at) => at === 3 && sides.change(refund, withField("title", "Theirs"));
  const other = "Replies/Refund (conflict 2026-11-23 10.15).md";
  expect((await sides.sync()).of("conflict")).toEqual([{ kind: "conflict", path: refundPath, other }]);
  expect(sides.document(refund)?.fields.title).toBe("Theirs");
  expect(parseFile("", sides.files.get(other) ?? "").document.fields.title).toBe("Mine");
});

test("a file that is changed at the very moment when it is written stays, and nothing of the other side is taken back", async () => {
  const { sides, refund, delay } = await synced();
  rewrite(sides, refundPath, withText("ONE\ntwo\nthree\nfour"));
  sides.change(refund, withText("one\ntwo\nthree\nFOUR"));
  // After the merged text was sent, before it is in the file.
  sides.atStep = (at) => at === 6 && rewrite(sides, refundPath, withText("ONE!\ntwo\nthree\nfour"));
  await sides.sync();
  expect(sides.document(refund)?.text).toBe("ONE\ntwo\nthree\nFOUR");
  expect(bodyOf(sides, conflictPath)).toBe("ONE!\ntwo\nthree\nfour");

  sides.change(delay, withField("folder", "Old"));
  sides.atStep = (at) => at === 2 && rewrite(sides, "Replies/Delay.md", withText("So sorry"));
  await sides.sync();
  expect(sides.document(delay)).toEqual(snippetDocument("Delay", "So sorry", "Old"));
  expect(sides.differences()).toEqual([]);
});

describe("nothing is deleted by accident", () => {
  async function many(count: number) {
    const sides = new TwoSides();
    for (let number = 1; number <= count; number += 1) sides.add(snippetDocument(`Title ${number}`, `text ${number}`));
    await sides.sync();
    return sides;
  }

  test("an emptied folder, more than 10 files at once, or a few at a time within minutes: the files come back", async () => {
    const emptied = await many(3);
    emptied.files.clear();
    expect(await emptied.sync()).toMatchObject({ keptFromTrash: 3, isEmptied: true });
    expect([emptied.live.length, emptied.files.size]).toEqual([3, 3]);

    const sides = await many(20);
    const remove = (count: number) => {
      for (const path of [...sides.files.keys()].slice(0, count)) sides.files.delete(path);
    };
    remove(11);
    expect(await sides.sync()).toMatchObject({ keptFromTrash: 11, isEmptied: false });
    remove(6);
    expect((await sides.sync()).of("trashed")).toHaveLength(6);
    remove(6);
    expect(await sides.sync()).toMatchObject({ keptFromTrash: 6 });
    expect([sides.live.length, sides.files.size]).toEqual([14, 14]);
    sides.deletionsMax = Number.POSITIVE_INFINITY;
    remove(13);
    expect((await sides.sync()).of("trashed")).toHaveLength(13);
  });

  test("a file that cannot be read may be a moved one, and an empty file is no text", async () => {
    const { sides, refund } = await synced();
    sides.files.delete(refundPath);
    sides.files.set("Old/Refund.md", "---\ntitle: [\n---\n\nmoved\n");
    sides.files.set("Replies/Delay.md", "");
    const { problems, events } = await sides.sync();
    expect(events).toEqual([]);
    expect(problems.map(({ path }) => path)).toEqual(["Replies/Delay.md", "Old/Refund.md"]);
    expect([sides.document(refund)?.text, sides.live[1]?.[1].text]).toEqual(["one\ntwo\nthree\nfour", "Sorry"]);
  });

  test("a lost state: the same files stay, and those that differ are conflicts", async () => {
    const { sides } = await synced();
    rewrite(sides, refundPath, withText("mine"));
    sides.forgetState();
    expect((await sides.sync()).events).toEqual([{ kind: "conflict", path: refundPath, other: conflictPath }]);
    expect([sides.live.length, sides.files.size]).toEqual([2, 3]);
  });
});

describe("what cannot be uploaded", () => {
  test("for one file: the others are, and it stays", async () => {
    const { sides, delay } = await synced();
    sides.files.set("Ideas/Long.md", `---\ntitle: ${"x".repeat(201)}\n---\n\nlong\n`);
    sides.files.set("Ideas/Broken.md", '---\ntags: x\ntitle: "x\nnote: y\n---\n\nbroken\n');
    sides.files.set("Ideas/Placeholder.md", "---\ntitle: {{name}}\n---\n\nbroken\n");
    rewrite(sides, "Replies/Delay.md", withText("So sorry"));
    const { problems, needsAttention } = await sides.sync();
    expect(problems).toEqual([
      { path: "Ideas/Broken.md", line: 3, message: "not valid YAML: a quotation mark is not closed" },
      {
        path: "Ideas/Placeholder.md",
        line: 2,
        message: 'the field "title" must be text. Put its value in quotation marks',
      },
      { path: "Ideas/Long.md", message: "title must be 1 to 200 characters" },
    ]);
    expect(needsAttention).toBeTrue();
    expect(sides.document(delay)?.text).toBe("So sorry");
    expect([sides.live.length, sides.files.size]).toEqual([2, 5]);
  });

  test("while the service cannot be reached: it waits in its file, what is known of others is written, and the next run sends it", async () => {
    const { sides, refund, delay } = await synced();
    rewrite(sides, "Replies/Delay.md", withText("So sorry"));
    sides.files.set("Ideas/New.md", "new\n");
    sides.change(refund, withText("1"));
    sides.failure = new ConnectionError({ code: "connection_failed", message: "no" });
    expect(await sides.sync()).toMatchObject({
      failure: sides.failure,
      events: [{ kind: "updated", path: refundPath }],
    });
    sides.failure = undefined;
    expect((await sides.sync()).events.map(({ kind }) => kind).sort()).toEqual(["created", "uploaded"]);
    expect([sides.document(delay)?.text, sides.live.length]).toEqual(["So sorry", 3]);
    expect(sides.differences()).toEqual([]);
  });

  test("with a key that can only read: changed files stay as they are, and deleted ones come back", async () => {
    const { sides, refund, delay } = await synced();
    sides.canWrite = false;
    rewrite(sides, "Replies/Delay.md", withText("So sorry"));
    sides.files.set("Ideas/New.md", "new\n");
    sides.files.delete(refundPath);
    expect(await sides.sync()).toMatchObject({
      events: [{ kind: "restored", path: refundPath }],
      problems: [{ path: "Replies/Delay.md", message: "the file has been changed, so it stays as it is" }],
    });
    expect([sides.document(refund)?.text, sides.document(delay)?.text]).toEqual(["one\ntwo\nthree\nfour", "Sorry"]);
    expect(sides.live).toHaveLength(2);
  });
});

const kinds = [
  "edit file",
  "add file",
  "delete file",
  "move file",
  "edit",
  "add",
  "delete",
  "move",
  "retitle",
  "lose state",
] as const;
type Kind = (typeof kinds)[number];
interface Step {
  readonly kind: Kind;
  readonly which: number;
}
interface Round {
  readonly steps: readonly Step[];
  readonly killedAt: number | undefined;
  readonly race: (Step & { readonly at: number }) | undefined;
}

const step = fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat(7) });
const round = fc.record({
  steps: fc.array(step, { maxLength: 4 }),
  killedAt: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined, freq: 3 }),
  race: fc.option(
    fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat(7), at: fc.integer({ min: 1, max: 16 }) }),
    {
      nil: undefined,
    },
  ),
});

/** Carries out one step, with a text that occurs nowhere else. @returns texts that are owed from then on, and those that their own person replaced */
function take(sides: TwoSides, { kind, which }: Step, text: string): { owed: string[]; dropped: string[] } {
  const paths = [...sides.files.keys()].filter((path) => !path.includes("(conflict "));
  const path = paths[which % Math.max(1, paths.length)];
  const [id, document] = sides.live[which % Math.max(1, sides.live.length)] ?? [];
  const nothing = { owed: [], dropped: [] };
  switch (kind) {
    case "add file":
      sides.files.set(`Ideas/${text}.md`, `${text}\n`);
      return { owed: [text], dropped: [] };
    case "add":
      sides.add(snippetDocument(`Title ${which}`, text, which % 2 === 0 ? "Replies" : ""));
      return { owed: [text], dropped: [] };
    case "edit file": {
      if (path === undefined) return nothing;
      const before = bodyOf(sides, path);
      rewrite(sides, path, withText(text));
      return { owed: [text], dropped: [before] };
    }
    case "delete file": {
      if (path === undefined) return nothing;
      const before = bodyOf(sides, path);
      sides.files.delete(path);
      return { owed: [], dropped: [before] };
    }
    case "move file": {
      const to = `Moved/${text}.md`;
      if (path === undefined) return nothing;
      sides.files.set(to, sides.files.get(path) ?? "");
      sides.files.delete(path);
      return nothing;
    }
    case "edit":
      if (id) sides.change(id, (now) => ({ ...now, text }));
      return id ? { owed: [text], dropped: [] } : nothing;
    case "delete":
      if (id) sides.delete(id);
      return nothing;
    case "lose state":
      sides.forgetState();
      return nothing;
    case "move":
    case "retitle":
      if (id && document)
        sides.change(id, (now) => ({
          ...now,
          fields: { ...now.fields, ...(kind === "move" ? { folder: `Folder ${which}` } : { title: `New ${text}` }) },
        }));
      return nothing;
  }
}

test("any order of changes, races, and interruptions: the latest text of each side is kept, no snippet is duplicated, and both sides end up the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds: readonly Round[]) => {
      const sides = new TwoSides();
      sides.waitsBeforeChange = rounds.length % 2 === 0;
      const owed = new Set<string>();
      let count = 0;
      const change = (each: Step) => {
        count += 1;
        const { owed: more, dropped } = take(sides, each, `text ${count}`);
        for (const text of dropped) owed.delete(text);
        for (const text of more) owed.add(text);
      };
      const check = () => {
        const texts = sides.texts();
        expect([...owed].filter((text) => !texts.has(text))).toEqual([]);
        const live = sides.live.map(([, { text }]) => text);
        expect(live.filter((text, index) => live.indexOf(text) !== index)).toEqual([]);
      };
      for (const { steps, killedAt, race } of rounds) {
        for (const each of steps) change(each);
        for (const [, document] of sides.live) owed.add(document.text);
        sides.atStep = (at) => {
          if (at === race?.at) change(race);
          if (at === killedAt) throw new Killed();
        };
        try {
          const { failure } = await sides.sync();
          if (failure !== undefined && !(failure instanceof Killed)) throw failure;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
        }
        check();
      }
      sides.atStep = () => undefined;
      for (let last = 0; last < 3; last += 1) await sides.sync();
      check();
      expect(sides.differences()).toEqual([]);
      expect((await sides.sync()).events).toEqual([]);
    }),
    { numRuns: 400 * Number(process.env.TEST_SCALE ?? 1) },
  );
}, 60_000);
