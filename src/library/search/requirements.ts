// What the index is asked for a search.
import { type SearchedField, searchedFields } from "../../contract/search.ts";
import { occursIn, type Tier } from "./matching.ts";
import type { Piece, SearchQuery } from "./pieces.ts";
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

const taggedBy = (tags: readonly Tag[], piece: Piece): readonly Tag[] =>
  tags.filter(({ tag_name }) => occursIn(tag_name, piece));

/** Whether the terms of a document, none of them coarse, prove that its texts match. */
export const isProving = ({ query, fields }: Asked, tags: readonly Tag[]): boolean =>
  !query ||
  (query.excluded.length === 0 &&
    fields.length === searchedFields.length &&
    query.wanted.every((piece) => isProvenByTerms(piece) && taggedBy(tags, piece).length <= alternativesMax));

/**
 * What the index is asked for the snippets of a tier, or, for the last one, for all; undefined where none can be.
 * @param tags whose names can match
 */
export function requirementsOfTier(
  { query, filter, fields }: Asked,
  tags: readonly Tag[],
  tier: Tier,
): Requirement[] | undefined {
  const found = filterRequirements(filter);
  if (query && tier === 1) return [...found, wholeRequirement(query.whole)];
  if (query && tier === 2) return [...found, startRequirement(query.whole)];
  for (const piece of query?.wanted ?? []) {
    if (query?.isInNamesOnly) {
      found.push(...signRequirements(piece));
      continue;
    }
    if (!piece.hasLetterOrDigit) continue;
    const isName = tier < 4 || !fields.some((field) => field === "note" || field === "content");
    const hasText = fields.some((field) => field !== "tags");
    const tagged = taggedBy(tags, piece).map(({ id }) => ({ term: filterTerm("tag", id), isPrefix: false }));
    if (tagged.length > alternativesMax) continue;
    if (!hasText && tagged.length === 0) return undefined;
    found.push(...(hasText ? requirementsOf(piece, isName).map((ranges) => [...ranges, ...tagged]) : [tagged]));
  }
  return found;
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
