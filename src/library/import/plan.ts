// What an import will do: decided from what was read and what the team has, before anything is written.
import { createHash } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { snippetInput } from "../../contract/snippets.ts";
import type { duplicateChoices } from "../../contract/transfer.ts";
import type { ImportTree, Place, TreeGroup, TreeSnippet, Warning } from "../formats/tree.ts";
import { GroupUse } from "./group-use.ts";

export type OnDuplicate = (typeof duplicateChoices)[number];

/** A folder or a tag of the team. */
export interface ExistingGroup {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** A snippet of the team that may be one of those in the files. */
export interface ExistingSnippet {
  readonly id: string;
  readonly title: string;
  readonly shortcut: string | null;
  readonly type: string;
  /** Undefined where no snippet in the files has its text. */
  readonly textKey: string | undefined;
}

export interface Existing {
  readonly folders: readonly ExistingGroup[];
  readonly tags: readonly ExistingGroup[];
  readonly snippets: readonly ExistingSnippet[];
}

export interface PlannedGroup {
  readonly group: TreeGroup;
  /** The group of the team with the same name in the same place; null for one that will be made. */
  readonly existingId: string | null;
}

export type PlannedSnippet =
  | { readonly kind: "create"; readonly at: number }
  | { readonly kind: "replace" | "skip"; readonly at: number; readonly id: string };

/** A snippet of the team that one in the files is taken for. */
export interface Duplicate {
  readonly id: string;
  readonly title: string;
  readonly match: "text" | "shortcut" | "both";
}

export interface Plan {
  readonly folders: readonly PlannedGroup[];
  readonly tags: readonly PlannedGroup[];
  readonly snippets: readonly PlannedSnippet[];
  /** For each snippet of the tree, the one of the team that it seems to be. */
  readonly duplicates: readonly (Duplicate | undefined)[];
  /** What exceeds a limit, and is left out. */
  readonly problems: readonly Warning[];
}

/**
 * @param places of the snippets, in their order
 * @param folderId of the folder that everything goes into
 */
export function planImport(
  tree: ImportTree,
  places: readonly Place[],
  existing: Existing,
  onDuplicate: OnDuplicate,
  folderId: string | null = null,
): Plan {
  const problems: Warning[] = [];
  const folders = planGroups("folder", tree.folders, existing.folders, problems, folderId);
  const tags = planGroups("tag", tree.tags, existing.tags, problems, null);
  const known = new Set([...folders, ...tags].map(({ group }) => group.key));
  const use = new GroupUse(folders, tags);
  const likely: Likeness[] = [];
  const groupsOfLikely: (readonly PlannedGroup[])[] = [];
  const leftOut = new Set<number>();
  let at = 0;
  for (const snippet of tree.snippets) {
    const found = problemsOf(snippet, known);
    const place = places[at];
    for (const message of found) problems.push({ ...(place && { place }), message: `${nameOf(snippet)}: ${message}` });
    if (found.length > 0) leftOut.add(at);
    at += 1;
    const groups = use.of(snippet);
    if (existing.snippets.length > 0) {
      likely.push(likenessOf(snippet));
      groupsOfLikely.push(groups);
    } else if (found.length === 0) use.need(groups);
  }
  const duplicates = findDuplicates(likely, existing.snippets, tree.snippets.length);
  const snippets = duplicates.flatMap((duplicate, at): PlannedSnippet[] => {
    if (leftOut.has(at)) return [];
    const id = duplicate?.id;
    return [id === undefined || onDuplicate === "create" ? { kind: "create", at } : { kind: onDuplicate, at, id }];
  });
  for (const { kind, at } of snippets) if (kind === "create") use.need(groupsOfLikely[at]);
  return { folders: use.among(folders), tags: use.among(tags), snippets, duplicates, problems };
}

const titleShown = 60;
const nameOf = ({ title }: TreeSnippet): string =>
  `"${[...title].length > titleShown ? `${[...title].slice(0, titleShown).join("")}…` : title}"`;

/** The groups that are made or found, each after the one around it. */
function planGroups(
  noun: "folder" | "tag",
  groups: readonly TreeGroup[],
  existing: readonly ExistingGroup[],
  problems: Warning[],
  outermost: string | null,
): PlannedGroup[] {
  const [nameMax, colorMax] = [limits.folderNameLengthMax, limits.folderColorLengthMax];
  const byPlace = new Map(existing.map(({ id, name, parentId }) => [JSON.stringify([parentId, name]), id]));
  const planned = new Map<string, PlannedGroup & { readonly depth: number }>();
  const depthAround = depthOf(outermost, existing);
  for (const group of groups) {
    const parent = group.parent === null ? undefined : planned.get(group.parent);
    const depth = (parent?.depth ?? depthAround) + 1;
    const isText = (text: string, max: number) => isAllowed(text) && text !== "" && [...text].length <= max;
    if (group.parent !== null && !parent) continue;
    if (!isText(group.name, nameMax) || (group.color !== null && !isText(group.color, colorMax)))
      problems.push({
        message: `The name of a ${noun} must have 1 to ${nameMax} characters, and its color 1 to ${colorMax}.`,
      });
    else if (depth > limits.nestingMax)
      problems.push({
        message: `The ${noun} "${group.name.slice(0, titleShown)}" is nested more than ${limits.nestingMax} levels deep.`,
      });
    else {
      // What is in a new folder is new.
      const isKnown = !parent || parent.existingId !== null;
      const existingId = isKnown
        ? (byPlace.get(JSON.stringify([parent ? parent.existingId : outermost, group.name])) ?? null)
        : null;
      planned.set(group.key, { group, existingId, depth });
    }
  }
  return [...planned.values()].map(({ group, existingId }) => ({ group, existingId }));
}

/** How deep a group of the team is nested; 0 for none. */
function depthOf(id: string | null, existing: readonly ExistingGroup[]): number {
  const parents = new Map(existing.map((group) => [group.id, group.parentId]));
  let depth = 0;
  for (let at: string | null | undefined = id; at; at = parents.get(at)) depth += 1;
  return depth;
}

const isAllowed = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Any team: whether the caller can access it is decided elsewhere. */
const anyTeam = "00000000-0000-4000-8000-000000000000";

/** Why the service would not take a snippet, in its own words. */
function problemsOf(snippet: TreeSnippet, groups: ReadonlySet<string>): string[] {
  const { error } = snippetInput.safeParse(toInput(snippet, anyTeam));
  const found = (error?.issues ?? []).map(({ path, message }) => `${fieldName(snippet, path)} ${message}.`);
  const names = snippet.variations
    .slice(0, 1)
    .filter(({ name }) => !isAllowed(name) || [...name].length > limits.variationNameLengthMax);
  if (names.length > 0)
    found.push(`the name of the first variation must be at most ${limits.variationNameLengthMax} characters.`);
  if (snippet.tags.length > limits.tagsPerSnippetMax)
    found.push(`it must have at most ${limits.tagsPerSnippetMax} tags.`);
  if (snippet.folder !== null && !groups.has(snippet.folder)) found.push("its folder cannot be imported.");
  for (const { type, content } of snippet.variations.flatMap(({ formerVersions }) => formerVersions))
    if (!snippetInput.shape.content.safeParse({ type, content }).success)
      found.push("an earlier version exceeds a limit.");
  return found;
}

/** A snippet as a request would have it, without its folder and tags. */
export function toInput({ title, note, shortcut, variations: [first, ...further] }: TreeSnippet, teamId: string) {
  return {
    title,
    teamId,
    content: { type: first?.type ?? "plaintext", content: first?.content ?? "" },
    ...(note !== null && { note }),
    ...(shortcut !== null && { shortcut }),
    ...(further.length > 0 && {
      additionalVariations: further.map(({ name, type, content }) => ({
        variationName: name,
        content: { type, content },
      })),
    }),
  };
}

/** `["content", "content"]` → `the text`. */
function fieldName(snippet: TreeSnippet, path: readonly PropertyKey[]): string {
  const [field, index, part] = path;
  if (field === "content") return index === "type" ? "the content type" : "the text";
  if (field !== "additionalVariations" || typeof index !== "number")
    return field === "additionalVariations" ? "the list of additional variations" : `the ${String(field)}`;
  return `the ${part === "content" ? "text" : "name"} of variation ${index + 2} ("${snippet.variations[index + 1]?.name.slice(0, titleShown) ?? ""}")`;
}

/** What two snippets have in common where one is taken for the other, the surest first. Each snippet of the team is found once. */
const likenesses: readonly {
  readonly match: Duplicate["match"];
  readonly keyOf: (snippet: Likeness) => string | undefined;
}[] = [
  {
    match: "both",
    keyOf: ({ shortcut, type, textKey }) =>
      shortcut && textKey !== undefined ? JSON.stringify([shortcut, type, textKey]) : undefined,
  },
  { match: "text", keyOf: ({ textKey }) => textKey || undefined },
  {
    match: "shortcut",
    keyOf: ({ shortcut, type, title }) => (shortcut ? JSON.stringify([shortcut, type, title]) : undefined),
  },
  // A prefix can mean something else in each language, so the content type counts.
  { match: "shortcut", keyOf: ({ shortcut, type }) => (shortcut ? JSON.stringify([shortcut, type]) : undefined) },
];

type Likeness = Omit<ExistingSnippet, "id">;

const likenessOf = ({ title, shortcut, variations: [first] }: TreeSnippet): Likeness => ({
  ...{ title, shortcut, type: first?.type ?? "" },
  textKey: first && textKeyOf(first.content),
});

const textKeyLengthMax = 64;

/** The same for the same text: a short text itself, or the checksum of a long one, so that no other text has to be in memory. */
export const textKeyOf = (text: string): string =>
  text.length <= textKeyLengthMax ? text : `${text.length} ${createHash("sha256").update(text).digest("hex")}`;

/**
 * For each snippet, the one of the team that it seems to be.
 * @param snippets all of them, or none where the team has none that one could be
 */
function findDuplicates(
  snippets: readonly Likeness[],
  existing: readonly ExistingSnippet[],
  count: number,
): (Duplicate | undefined)[] {
  const found: (Duplicate | undefined)[] = new Array(count).fill(undefined);
  const taken = new Set<string>();
  for (const { match, keyOf } of likenesses) {
    const byKey = Map.groupBy(
      existing.filter(({ id }) => !taken.has(id)),
      keyOf,
    );
    for (const [at, snippet] of snippets.entries()) {
      if (found[at] !== undefined) continue;
      const key = keyOf(snippet);
      const like = key === undefined ? undefined : byKey.get(key)?.shift();
      if (!like) continue;
      found[at] = { id: like.id, title: like.title, match };
      taken.add(like.id);
    }
  }
  return found;
}

export interface Counts {
  readonly folders: number;
  readonly tags: number;
  readonly created: number;
  readonly replaced: number;
  readonly skipped: number;
}

/** What will be made, as a preview shows it. */
export function countPlan({ folders, tags, snippets }: Plan): Counts {
  const madeOf = (groups: readonly PlannedGroup[]) => groups.filter(({ existingId }) => existingId === null).length;
  const of = (kind: PlannedSnippet["kind"]) => snippets.filter((each) => each.kind === kind).length;
  return {
    folders: madeOf(folders),
    tags: madeOf(tags),
    created: of("create"),
    replaced: of("replace"),
    skipped: of("skip"),
  };
}
