// What the index is asked for a search.
import { type SearchedField, searchedFields } from "../../contract/search.ts";
import { fold } from "./folding.ts";
import type { Tier } from "./matching.ts";
import { findPiece, type Piece, type SearchQuery } from "./pieces.ts";
import type { SearchFilter } from "./search.store.ts";
import {
  filterTerm,
  isProvenByTerms,
  type Requirement,
  requirementsOf,
  signRequirements,
  startRequirement,
  wholeRequirement,
} from "./terms.ts";

export interface Asked {
  readonly filter: SearchFilter;
  readonly query: SearchQuery | undefined;
  readonly fields: readonly SearchedField[];
}

/** Alternatives beyond this are not asked for: the texts decide. */
const alternativesMax = 32;

/** The tiers that can have snippets. */
export function tiersOf({ query, fields }: Asked): Tier[] {
  if (!query || query.wanted.length === 0) return [4];
  const names: Tier[] = fields.some((field) => field === "title" || field === "shortcut") ? [1, 2] : [];
  return [...names, 3, 4];
}

interface Tag {
  readonly id: string;
  readonly tag_name: string;
}

/** Whether a piece that is wanted may occur in one of these names. @param names line by line */
export function hasPiece(names: string, query: SearchQuery | undefined): boolean {
  const folded = fold(names);
  return names !== "" && (query?.wanted ?? []).some((piece) => findPiece(folded, piece) >= 0);
}

/** What one search asks the index. Tiers are asked for several times, and a workspace has many tags: each is looked at once. */
export class Requirements {
  readonly #asked: Asked;
  readonly #ofFilter: readonly Requirement[];
  readonly #ofTiers = new Map<Tier, readonly Requirement[] | undefined>();
  /** The tags whose names have a piece, by their IDs; of a piece that occurs in too many, none. */
  readonly #tagIds: ReadonlyMap<Piece, readonly string[] | undefined>;

  /** @param tags whose names can match */
  constructor(asked: Asked, tags: readonly Tag[]) {
    this.#asked = asked;
    this.#ofFilter = filterRequirements(asked.filter);
    const names = tags.map(({ id, tag_name }) => ({ id, folded: fold(tag_name) }));
    this.#tagIds = new Map(
      (asked.query?.wanted ?? []).map((piece) => {
        const ids = names.filter(({ folded }) => findPiece(folded, piece) >= 0).map(({ id }) => id);
        return [piece, ids.length > alternativesMax ? undefined : ids];
      }),
    );
  }

  /** Whether the terms of a document, none of them coarse, prove that its texts match. */
  get isProving(): boolean {
    const { query, fields } = this.#asked;
    if (!query) return true;
    if (query.excluded.length > 0 || fields.length < searchedFields.length) return false;
    return query.wanted.every((piece) => isProvenByTerms(piece) && this.#tagIds.get(piece) !== undefined);
  }

  /** What the index is asked for the snippets of a tier, or, for the last one, for all; undefined where none can be. */
  ofTier(tier: Tier): readonly Requirement[] | undefined {
    if (!this.#ofTiers.has(tier)) this.#ofTiers.set(tier, this.#make(tier));
    return this.#ofTiers.get(tier);
  }

  #make(tier: Tier): readonly Requirement[] | undefined {
    const { query, fields } = this.#asked;
    const found = [...this.#ofFilter];
    if (query && tier === 1) return [...found, wholeRequirement(query.whole)];
    if (query && tier === 2) return [...found, startRequirement(query.whole)];
    for (const piece of query?.wanted ?? []) {
      if (query?.isInNamesOnly) {
        found.push(...signRequirements(piece));
        continue;
      }
      const tagIds = this.#tagIds.get(piece);
      if (!piece.hasLetterOrDigit || !tagIds) continue;
      const isName = tier < 4 || !fields.some((field) => field === "note" || field === "content");
      const hasText = fields.some((field) => field !== "tags");
      const tagged = tagIds.map((id) => ({ term: filterTerm("tag", id), isPrefix: false }));
      if (!hasText && tagged.length === 0) return undefined;
      found.push(...(hasText ? requirementsOf(piece, isName).map((ranges) => [...ranges, ...tagged]) : [tagged]));
    }
    return found;
  }
}

/** What the index knows of the properties that snippets are filtered by. */
function filterRequirements(filter: SearchFilter): Requirement[] {
  const { teamIds, folderIds, tagIds, contentType, createdBy, isArchived } = filter;
  const oneOf = (property: "team" | "folder", ids: readonly string[] | undefined): Requirement[] =>
    ids && ids.length <= alternativesMax
      ? [ids.map((id) => ({ term: filterTerm(property, id), isPrefix: false }))]
      : [];
  const exactly = (property: "tag" | "type" | "author" | "archived", value: string): Requirement => [
    { term: filterTerm(property, value), isPrefix: false },
  ];
  return [
    ...oneOf("team", teamIds),
    ...oneOf("folder", folderIds),
    ...tagIds.map((id) => exactly("tag", id)),
    ...(contentType === undefined ? [] : [exactly("type", contentType)]),
    ...(createdBy === undefined ? [] : [exactly("author", createdBy)]),
    ...(isArchived ? [exactly("archived", "yes")] : []),
  ];
}
