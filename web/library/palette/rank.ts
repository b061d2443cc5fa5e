// What the palette finds and shows. Names that begin with what is typed come first, then those in which a word does, then those that contain it.
import { fold } from "../../../src/library/search/folding.ts";

/** As the search compares: without accents and in small letters. */
const foldName = (text: string): string => fold(text).folded;

/** From 0, the best; undefined where it does not match. Each word of the query must occur. */
export function rankOf(name: string, query: string): number | undefined {
  const [text, wanted] = [foldName(name), foldName(query).trim()];
  if (wanted === "") return 0;
  if (text.startsWith(wanted)) return text === wanted ? 0 : 1;
  const ranks = wanted.split(/\s+/).map((word) => {
    const at = text.indexOf(word);
    if (at < 0) return undefined;
    return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "") || text.includes(` ${word}`) ? 2 : 3;
  });
  return ranks.reduce<number | undefined>(
    (worst, rank) => (worst === undefined || rank === undefined ? undefined : Math.max(worst, rank)),
    0,
  );
}

/** The best of many. Equal ones keep their order. */
export function findBest<Item>(
  items: readonly Item[],
  query: string,
  nameOf: (item: Item) => string,
  most: number,
): readonly Item[] {
  const ranked: { readonly item: Item; readonly rank: number }[] = [];
  for (const item of items) {
    const rank = rankOf(nameOf(item), query);
    if (rank !== undefined) ranked.push({ item, rank });
  }
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ item }) => item);
}

/** A line this short that ends in a comma, such as `Hi {{name}},`, is a salutation. */
const salutationLengthMax = 40;

/** The first line of a text that tells it from others. */
export function firstWords(text: string): string | undefined {
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  return lines.find((line) => !(line.endsWith(",") && line.length <= salutationLengthMax)) ?? lines[0];
}
