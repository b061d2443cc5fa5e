// Writing in the library, without a browser: languages, line ends, drafts, and what becomes of two changes of the same snippet.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../../web/call.ts";
import type { Snippet } from "../../web/library/data.ts";
import {
  type Draft,
  type Fields,
  hasDrafts,
  hashText,
  readDraft,
  removeDraft,
  removeDrafts,
  writeDraft,
} from "../../web/library/editor/drafts.ts";
import { guessLanguage, languageOf } from "../../web/library/editor/guess-language.ts";
import { languages } from "../../web/library/editor/languages.ts";
import { lineSeparatorOf } from "../../web/library/editor/line-ends.ts";
import { mergeFields } from "../../web/library/editor/model.ts";
import { type Door, save, type WrittenText } from "../../web/library/editor/save.ts";
import { cutAtRuns } from "../../web/library/editor/use-runs.ts";
import { moved, placeAt } from "../../web/library/variations/order.ts";

const examples: Readonly<Record<string, string>> = {
  python:
    "from datetime import date\n\nclass Order:\n    def total(self, tax=0.2):\n        return self.sum * (1 + tax)\n",
  typescript:
    "interface Order { readonly id: string }\nexport const find = (id: string): Order | undefined => orders.get(id);",
  javascript: "const total = (items) => items.reduce((sum, item) => sum + item.price, 0);\nconsole.log(total([]));",
  java: "import java.util.List;\n\npublic class Order {\n  private final int id;\n}\n",
  csharp: "using System;\nnamespace Shop {\n  public class Order { public int Id { get; set; } }\n}",
  c: '#include <stdio.h>\nint main(void) {\n  printf("hello\\n");\n  return 0;\n}',
  cpp: "#include <vector>\nstd::vector<int> numbers;\ntemplate <typename T> T twice(T value) { return value * 2; }",
  go: 'package main\n\nfunc main() {\n\tif err != nil {\n\t\tfmt.Println("no")\n\t}\n}',
  rust: 'use std::fs;\n\nfn main() {\n    let mut count = 0;\n    println!("{}", count);\n}',
  ruby: "class Order\n  attr_reader :id\n  def total\n    items.map { |item| item.price }.sum\n  end\nend",
  php: '<?php\nfunction total($items) {\n  return array_sum($items);\n}\necho "hello";',
  swift:
    "import Foundation\nfunc total(items: [Int]) -> Int {\n  guard let first = items.first else { return 0 }\n  return first\n}",
  kotlin: "data class Order(val id: Int)\nfun main() {\n  val order = Order(1)\n  println(order)\n}",
  sql: "SELECT id, title\nFROM snippets\nWHERE team_id = 1\nORDER BY title;",
  shell: 'for file in *.log; do\n  gzip "$file"\ndone\nexport PATH=$HOME/bin:$PATH',
  powershell: "Get-ChildItem -Path $env:TEMP | Remove-Item -Recurse",
  html: '<div class="note">\n  <p>Hello</p>\n</div>',
  xml: '<?xml version="1.0"?>\n<order><id>1</id></order>',
  css: ".note {\n  color: #333;\n  margin: 0 8px;\n}",
  json: '{"id": 1, "tags": ["a", "b"]}',
  yaml: "name: build\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    runs-on: ubuntu\n",
  dockerfile: "FROM node:22\nWORKDIR /app\nCOPY . .\nRUN npm ci\n",
  diff: "--- a/file\n+++ b/file\n@@ -1,2 +1,2 @@\n-old\n+new\n",
  markdown: "# Refunds\n\nSee [the terms](https://example.com).\n\n- **one**\n- two\n",
};

describe("the language of code", () => {
  test("is guessed from what is typical of it", () => {
    const guessed = Object.fromEntries(Object.entries(examples).map(([id, text]) => [id, guessLanguage(text)]));
    expect(guessed).toEqual(Object.fromEntries(Object.keys(examples).map((id) => [id, id])));
  });

  test("is that of the interpreter that the first line names", () => {
    expect(guessLanguage("#!/usr/bin/env python3\nx")).toBe("python");
    expect(guessLanguage("#!/bin/bash\nx")).toBe("shell");
  });

  test("is not guessed for a reply, a number or nothing", () => {
    const replies = [
      "",
      "42",
      "Hello {{name}},\n\nthank you for your order. Please select one from the list, and let us know.\n\nBest wishes",
      "- milk\n- eggs",
      "Use the code SAVE10 (valid until Friday): it takes 10 % off.",
      "Select one from the list.\nWhere is my order? From here it looks fine; update set for tomorrow.",
    ];
    expect(replies.map(guessLanguage)).toEqual(replies.map(() => undefined));
  });

  test("is the one that the content type names, in any spelling; only `code` is guessed", () => {
    expect(languageOf("application/json", "SELECT 1 FROM t")?.id).toBe("json");
    expect(languageOf("TypeScript", "")?.id).toBe("typescript");
    expect(languageOf("code", "SELECT 1\nFROM t")?.id).toBe("sql");
    expect(languageOf("text/x-unknown", "SELECT 1\nFROM t")).toBeUndefined();
  });

  test("has one row for each content type", () => {
    const types = languages.flatMap(({ id, aliases }) => [id, ...aliases]);
    expect(types.length).toBe(new Set(types).size);
    expect(types.every((type) => /^[A-Za-z0-9._+/#-]{1,50}$/.test(type))).toBe(true);
  });

  test("is loaded for every row that has one", async () => {
    for (const { id, load } of languages)
      if (load) expect([id, (await load()).parser === undefined]).toEqual([id, false]);
    expect(languages.filter(({ load }) => !load).map(({ id }) => id)).toEqual(["plaintext"]);
  });

  test("is guessed at once in a text of the greatest length", () => {
    const startedAt = performance.now();
    for (const text of [
      "word ".repeat(200_000),
      "{".repeat(1_000_000),
      "a: b\n".repeat(200_000),
      " ".repeat(1_000_000),
    ])
      guessLanguage(text);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

test("a text is cut into lines and joined again without a change, whatever its lines end with", () => {
  const part = fc.constantFrom("a", "\r\n", "\n", "\r", "b");
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join("");
      const separator = lineSeparatorOf(text);
      // As the editor does without one.
      const lines = text.split(separator ?? /\r\n?|\n/);
      expect(lines.join(separator ?? "\n")).toBe(text);
    }),
  );
});

test("runs of color cut a part of a text into pieces that together are the part", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat(30)), fc.nat(30), fc.nat(30), (text, ends, left, right) => {
      const bounds = [...new Set(ends)].sort((one, other) => one - other);
      const runs = bounds.flatMap((from, index) => {
        const to = bounds[index + 1];
        return to === undefined || index % 2 === 1 ? [] : [{ from, to, classes: `c${index}` }];
      });
      const [from, to] = [Math.min(left, right), Math.max(left, right)];
      const part = text.slice(from, to);
      const pieces = cutAtRuns(part, from, runs);
      expect(pieces.map((piece) => piece.text).join("")).toBe(part);
      for (const piece of pieces) {
        const run = runs.find((one) => one.from <= piece.from && piece.from < one.to);
        expect(piece.classes).toBe(run?.classes);
      }
    }),
  );
});

test("a dragged variation takes the place at which it is dropped", () => {
  expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(moved(["a", "b", "c"], 2, -5)).toEqual(["c", "a", "b"]);
  expect(moved(["a", "b", "c"], 1, 99)).toEqual(["a", "c", "b"]);
  expect([placeAt(5, 0, [10, 20, 30]), placeAt(25, 0, [10, 20, 30]), placeAt(99, 1, [10, 20, 30])]).toEqual([0, 1, 2]);
});

/** As a browser stores, with room for so many characters. */
function storageOf(room = Number.POSITIVE_INFINITY): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    setItem: (key, text) => {
      if (text.length > room) throw new Error("full");
      items.set(key, text);
    },
  };
}

describe("drafts", () => {
  const place = { personId: "ada", workspaceId: "w", snippetId: "s" };
  const base = { type: "plaintext", hash: hashText("old"), state: "1" };
  const draft: Draft = {
    at: "2026-01-01T00:00:00.000Z",
    texts: { v: { name: "Default", type: "plaintext", content: "new", base } },
  };

  test("are those of one person, one workspace and one snippet", () => {
    const storage = storageOf();
    expect(writeDraft(place, draft, storage)).toBe(true);
    expect(readDraft(place, storage)).toEqual(draft);
    for (const other of [{ personId: "grace" }, { workspaceId: "x" }, { snippetId: "t" }, { snippetId: undefined }])
      expect(readDraft({ ...place, ...other }, storage)).toBeUndefined();
    removeDraft(place, storage);
    expect(readDraft(place, storage)).toBeUndefined();
  });

  test("are all gone after sign-out, and nothing else is", () => {
    const storage = storageOf();
    storage.setItem("commonplace-theme", "dark");
    for (const snippetId of ["s", "t", undefined]) writeDraft({ ...place, snippetId }, draft, storage);
    expect(hasDrafts(storage)).toBe(true);
    removeDrafts(storage);
    expect([hasDrafts(storage), storage.length, storage.getItem("commonplace-theme")]).toEqual([false, 1, "dark"]);
  });

  test("that find no room say so, and leave no older one", () => {
    const storage = storageOf(400);
    writeDraft(place, draft, storage);
    const long = { ...draft, texts: { v: { name: "Default", type: "plaintext", content: "x".repeat(500), base } } };
    expect([writeDraft(place, long, storage), readDraft(place, storage)]).toEqual([false, undefined]);
  });

  test("that were damaged are none", () => {
    const storage = storageOf();
    writeDraft(place, draft, storage);
    storage.setItem(storage.key(0) ?? "", "{");
    expect(readDraft(place, storage)).toBeUndefined();
  });
});

describe("two changes of the same snippet", () => {
  const base: Fields = { title: "A", note: "", shortcut: "", folderId: null, tagIds: ["1", "2"] };

  test("are joined where they touch different fields, and tags are joined one by one", () => {
    const mine = { ...base, title: "Mine", tagIds: ["2", "3"] };
    const theirs = { ...base, note: "Theirs", tagIds: ["1", "2", "4"] };
    expect(mergeFields(base, mine, theirs)).toEqual({
      merged: { ...base, title: "Mine", note: "Theirs", tagIds: ["2", "4", "3"] },
      conflicts: [],
    });
  });

  test("are a conflict where they set a field differently, and none where they set it to the same", () => {
    const mine = { ...base, title: "Mine", note: "Same" };
    const theirs = { ...base, title: "Theirs", note: "Same" };
    expect(mergeFields(base, mine, theirs)).toEqual({ merged: mine, conflicts: ["title"] });
  });

  /** A service with one snippet, whose every write makes another state. Before each write, somebody else may come first. */
  function service(before: (put: (fields: Partial<Fields>, text?: string) => void) => void = () => undefined) {
    let [state, fields, text, isDeleted] = [1, base, "old", false];
    const other = (changes: Partial<Fields>, newText = text) => {
      fields = { ...fields, ...changes };
      text = newText;
      state += 1;
    };
    const snippet = () =>
      ({
        title: fields.title,
        snippet_note: fields.note,
        shortcut: fields.shortcut,
        folder_id: fields.folderId,
        tag_ids: [...fields.tagIds],
        state: String(state),
        variations: isDeleted
          ? []
          : [{ id: "v", name: "Default", content_type: "plaintext", content: text, state: `text ${text}` }],
      }) as unknown as Snippet;
    const guard = (isSame: boolean) => {
      if (!isSame) throw new ApiError(409, "changed_meanwhile", "Changed");
    };
    const door: Door = {
      read: async () => snippet(),
      readText: async ({ content }) => content ?? "",
      putFields: async ({ note, shortcut, ...rest }, ifState) => {
        before(other);
        guard(ifState === String(state));
        other({ ...rest, ...(note !== undefined && { note: note ?? "" }) });
      },
      putText: async (_, { content }, ifState) => {
        before(other);
        if (isDeleted) throw new ApiError(404, "variation_not_found", "Gone");
        guard(ifState === `text ${text}`);
        other({}, content);
      },
    };
    return { door, now: () => ({ fields, text }), deleteVariation: () => (isDeleted = true) };
  }
  const nothing = { mine: base, base, state: "1" };
  const written: WrittenText = {
    variationId: "v",
    name: "Default",
    type: "plaintext",
    content: "mine",
    base: { type: "plaintext", hash: hashText("old"), state: "text old" },
  };

  test("a save that came second sends its fields again if they were not touched, as often as it takes", async () => {
    let left = 3;
    const { door, now } = service((put) => {
      left -= 1;
      if (left > 0) put({ note: `Theirs ${left}` });
    });
    const outcome = await save(door, { ...nothing, mine: { ...base, title: "Mine" } }, []);
    expect([outcome.isJoined, outcome.fieldConflicts]).toEqual([true, []]);
    expect(now().fields).toEqual({ ...base, title: "Mine", note: "Theirs 1" });
  });

  test("a text that somebody else has changed is never overwritten: both come back", async () => {
    const { door, now } = service((put) => now().text === "old" && put({}, "theirs"));
    const outcome = await save(door, nothing, [written]);
    expect(outcome.textConflicts.map(({ mine, theirs }) => [mine.content, theirs.content])).toEqual([
      ["mine", "theirs"],
    ]);
    expect(now().text).toBe("theirs");
  });

  test("the same text from both is no conflict", async () => {
    const { door, now } = service((put) => now().text === "old" && put({}, "mine"));
    const outcome = await save(door, nothing, [written]);
    expect([outcome.textConflicts, now().text]).toEqual([[], "mine"]);
  });

  test("a text whose variation is gone stays with its writer", async () => {
    const { door, deleteVariation } = service();
    deleteVariation();
    expect((await save(door, nothing, [written])).goneVariationIds).toEqual(["v"]);
  });

  test("nothing is sent where nothing changed", async () => {
    const { door, now } = service(() => {
      throw new Error("sent");
    });
    await save(door, nothing, []);
    expect(now()).toEqual({ fields: base, text: "old" });
  });

  test("whatever both change, no change of theirs is lost unseen", async () => {
    const change = fc.record(
      {
        title: fc.constantFrom("A", "B", "C"),
        note: fc.constantFrom("", "n", "m"),
        folderId: fc.constantFrom(null, "f"),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(change, change, async (mineChange, theirChange) => {
        let isFirst = true;
        const { door, now } = service((put) => {
          if (isFirst) put(theirChange);
          isFirst = false;
        });
        const mine = { ...base, ...mineChange };
        const { fieldConflicts } = await save(door, { ...nothing, mine }, []);
        const result = now().fields;
        for (const name of ["title", "note", "folderId"] as const) {
          const theirs = theirChange[name] ?? base[name];
          // Theirs is stored, or it was what I changed it from, or I am shown both.
          if (!isFirst && theirs !== base[name] && !fieldConflicts.includes(name)) expect(result[name]).toBe(theirs);
        }
      }),
    );
  });
});
