// What the search looks at: the same when the index is made and when a browser reads it.
import type { Options } from "minisearch";

/** A passage of a page, in the index. */
export interface SearchEntry {
  readonly id: number;
  readonly heading: string;
  /** The title of the page. */
  readonly page: string;
  readonly content: string;
  /** Below the site's address, with the anchor. */
  readonly address: string;
  /** How the content begins. */
  readonly excerpt: string;
}

/** From this length on, a word also finds similar ones. */
const fuzzyLengthMin = 5;

export const searchOptions: Options<SearchEntry> = {
  fields: ["heading", "page", "content"],
  storeFields: ["heading", "page", "address", "excerpt"],
  searchOptions: {
    boost: { heading: 4, page: 2 },
    combineWith: "AND",
    prefix: true,
    fuzzy: (word) => (word.length >= fuzzyLengthMin ? 0.2 : false),
  },
};
