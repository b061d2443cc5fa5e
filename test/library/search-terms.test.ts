// The terms of a segment of the search index: in the order in which both databases compare texts.
import { expect, test } from "bun:test";
import { sortTerms } from "../../src/library/search/sort-terms.ts";
import "../support/once.ts";

/** The same numbers at each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const alphabets = ["abcdefghijklmnopqrstuvwxyz0123456789", "ab", "a-_/{é", "тестовый", "東京都𝔘ａ\ue000"];

test("terms of any characters are sorted by code points", () => {
  const random = createRandom(1);
  for (let round = 0; round < 40; round += 1) {
    const terms = new Set<string>();
    for (let count = random(3_000) + 1; count > 0; count -= 1) {
      const characters = [...(alphabets[random(alphabets.length)] ?? "")];
      terms.add(Array.from({ length: random(18) }, () => characters[random(characters.length)]).join("") || "t");
    }
    const texts = [...terms];
    const joined = texts.join("");
    const units = Uint16Array.from({ length: joined.length }, (_, index) => joined.charCodeAt(index));
    const starts = new Int32Array(texts.length + 1);
    for (const [place, text] of texts.entries()) starts[place + 1] = (starts[place] ?? 0) + text.length;
    const sorted = [...sortTerms(units, starts, texts.length)].map((place) => texts[place]);
    expect(sorted).toEqual(texts.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
  }
});
