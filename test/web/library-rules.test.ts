// The library page's decisions, without a browser: placeholders, formats, keys and addresses.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutAtPlaceholders, describeEmpty, fillIn, placeholderNames } from "../../src/library/placeholders.ts";
import { fold, originalPlaces, originalRange } from "../../src/library/search/folding.ts";
import { placesOf, readPieces } from "../../src/library/search/pieces.ts";
import { emptyView, formatView, modes, parseView, shelves, sorts, type View } from "../../web/library/address.ts";
import { toCurl, toMarkdown } from "../../web/library/copy/formats.ts";
import { withValues } from "../../web/library/copy/session-values.ts";
import { actOf, keyRows, printedKeys } from "../../web/library/keys.ts";
import { drawableColor } from "../../web/library/names.ts";

describe("placeholders", () => {
  test("are names in double braces, each once and in their order; white space around a name does not count", () => {
    expect(placeholderNames("Hello {{name}}, order {{ order }} of {{first name}}, {{name}}!")).toEqual([
      "name",
      "order",
      "first name",
    ]);
    expect(placeholderNames("{{{name}}} {{ secrets.KEY }} {{größe}} {{名前}}")).toEqual([
      "name",
      "secrets.KEY",
      "größe",
      "名前",
    ]);
  });

  test("do not go over a line, are not empty, and have at most 60 characters", () => {
    for (const text of ["{{}}", "{{ }}", "{{a\nb}}", "{name}", "{{a}", "{{a{b}}", `{{${"x".repeat(61)}}}`])
      expect([text, placeholderNames(text)]).toEqual([text, []]);
    expect(placeholderNames(`{{${"x".repeat(60)}}}`)).toHaveLength(1);
  });

  test("get their values; one without a value stays, and a value is no text with placeholders", () => {
    const values = new Map([
      ["name", "{{order}} $& $1"],
      ["order", ""],
    ]);
    expect(fillIn("{{name}}: {{ order }} {{other}}", values)).toBe("{{order}} $& $1: {{ order }} {{other}}");
  });

  test("without a value are named when they are copied, at most three of them", () => {
    expect(describeEmpty(["name"], new Map([["name", "Ada"]]))).toBeUndefined();
    expect(describeEmpty(["name", "agent"], new Map([["name", "Ada"]]))).toBe(
      "1 placeholder is still empty: {{agent}}",
    );
    expect(describeEmpty(["a", "b", "c", "d", "e"], new Map([["a", ""]]))).toBe(
      "5 placeholders are still empty: {{a}}, {{b}}, {{c}} and 2 more",
    );
  });

  test("suggest the last five values of the same name, the newest first and each once", () => {
    const typed = ["Ada", "Bob", "Ada", "", "Cem", "Dag", "Eva", "Flo"];
    const recent = typed.reduce(
      (before, value) => withValues(before, new Map([["name", value]])),
      new Map<string, readonly string[]>([["order", ["17"]]]) as ReturnType<typeof withValues>,
    );
    expect(Object.fromEntries(recent)).toEqual({ order: ["17"], name: ["Flo", "Eva", "Dag", "Cem", "Ada"] });
  });

  test("cut a text into pieces that together are the text, and filling in nothing changes nothing", () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom("{{", "}}", "{{a}}", "{{ b }}", "{", "}", "\n"));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        const cut = cutAtPlaceholders(text);
        expect(cut.map((one) => one.text).join("")).toBe(text);
        expect([...new Set(cut.flatMap(({ placeholder }) => placeholder ?? []))]).toEqual([...placeholderNames(text)]);
        expect(fillIn(text, new Map())).toBe(text);
      }),
    );
  });

  test("are found in a text of the greatest length at once", () => {
    const text = "{{ {{a ".repeat(140_000);
    const startedAt = performance.now();
    expect(placeholderNames(text)).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe("marks", () => {
  const marked = (text: string, query: string) =>
    placesOf(text, readPieces(query)).map(([start, end]) => text.slice(start, end));

  test("are all places where the search finds a piece: at the beginning of parts, without regard to case and accents", () => {
    expect(marked("Refund prefund getRefund réfund2 REFUNDS", "refund")).toEqual([
      "Refund",
      "Refund",
      "réfund",
      "REFUND",
    ]);
    expect(marked("late  \n parcel, parcel late", '"late parcel"')).toEqual(["late  \n parcel"]);
    expect(marked("a refund, no invoice", "refund -invoice")).toEqual(["refund"]);
    expect(marked("refund", "ref refund r")).toEqual(["refund"]);
    expect(marked("anything", "")).toEqual([]);
  });

  test("of one text are the same whether they are looked up together or each by itself", () => {
    const text = fc
      .array(fc.constantFrom("a", "b ", "é", "e\u0301", " \n ", "ﬁ", "한", "\u1112\u1161", "😀", "x".repeat(700)))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(3_000), { maxLength: 8 }), (joined, numbers) => {
        const length = fold(joined).folded.length;
        const points = numbers.map((number) => number % (length + 1)).sort((one, other) => one - other);
        const together = originalPlaces(joined);
        for (let index = 0; index + 1 < points.length; index += 2) {
          const [start = 0, end = 0] = points.slice(index, index + 2);
          expect(together(start, end)).toEqual(originalRange(joined, start, end));
        }
      }),
    );
  });
});

describe("formats", () => {
  test("Markdown has the title as its heading, and code in a fence that the text does not end", () => {
    expect(toMarkdown("Two\nlines", "plaintext", "Hello")).toBe("# Two lines\n\nHello\n");
    expect(toMarkdown("Query", "sql", "select 1;\n")).toBe("# Query\n\n```sql\nselect 1;\n```\n");
    expect(toMarkdown("Code", "code", "a ```` b")).toBe("# Code\n\n`````\na ```` b\n`````\n");
  });

  test("the command names the variation where it is not the first", () => {
    const api = { url: "https://snippets.example/v1", curl: "curl --cacert /data/tls/ca.crt" };
    const start = `${api.curl} -H "Authorization: Bearer $CPL_KEY" '${api.url}/text?id=1`;
    expect([toCurl(api, "1"), toCurl(api, "1", "2")]).toEqual([`${start}'`, `${start}&variation=2'`]);
  });

  test("only colors in hexadecimal digits are drawn", () => {
    expect(["#abc", "#A1b2C3"].map(drawableColor)).toEqual(["#abc", "#A1b2C3"]);
    for (const color of ["red", "#abcd", "url(https://evil.example)", "#abc;--x:1", ""])
      expect(drawableColor(color)).toBeUndefined();
  });
});

describe("keys", () => {
  test("each does one thing, and is what the dialog shows", () => {
    const keys = keyRows.flatMap((row) => row.keys);
    expect(keys).toHaveLength(new Set(keys).size);
    for (const { act, keys: own } of keyRows)
      for (const key of own)
        expect(actOf({ key: key.replace("Mod+", ""), isModified: key.startsWith("Mod+") })).toBe(act as never);
  });

  test("with Ctrl or ⌘ are others than without: Ctrl C stays the browser's", () => {
    expect(actOf({ key: "c", isModified: false })).toBe("copy");
    expect(actOf({ key: "c", isModified: true })).toBeUndefined();
    expect(actOf({ key: "y", isModified: false })).toBeUndefined();
  });

  test("are printed as on the keyboard", () => {
    expect(["Mod+k", "C", "j", "ArrowDown", "Enter", "?"].map((key) => printedKeys(key, true).join(" "))).toEqual([
      "⌘ K",
      "⇧ C",
      "J",
      "↓",
      "Enter",
      "?",
    ]);
    expect(printedKeys("Mod+k", false)).toEqual(["Ctrl", "K"]);
  });
});

describe("the address", () => {
  test("says all that is shown, and says it shortly: nothing chosen is no query", () => {
    expect(formatView(emptyView)).toBe("");
    expect(parseView("")).toEqual(emptyView);
    const id = fc.option(fc.uuid(), { nil: undefined });
    const view: fc.Arbitrary<View> = fc.record({
      shelf: fc.constantFrom(...shelves),
      query: fc.string({ unit: "grapheme" }),
      teamId: id,
      folderId: fc.uuid(),
      isInside: fc.boolean(),
      tagIds: fc.array(fc.uuid(), { maxLength: 3 }),
      contentType: id,
      authorId: id,
      since: fc.constantFrom(undefined, "2026-11-21"),
      sort: fc.constantFrom(undefined, ...sorts),
      snippetId: fc.uuid(),
      variationId: id,
      mode: fc.constantFrom(...modes),
      isBrowsing: fc.boolean(),
    });
    fc.assert(fc.property(view, (one) => expect(parseView(formatView(one))).toEqual(one)));
  });

  test("that is none of the page's is the page without any choice", () => {
    expect(parseView("?sort=size&do=explode&in=attic&tags=,&since=&x=1")).toEqual(emptyView);
  });
});
