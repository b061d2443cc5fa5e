// The reference model: what can be done with snippets, folders, and tags alike.
import { type Call, type Operations, operation } from "./call.ts";
import { invalid } from "./input.ts";
import { capital, type Fields, type Noun } from "./state.ts";

/** The field that says what each is in. */
const places = { snippet: "folderId", folder: "parentFolderId", tag: "parentTagId" };
/** The bodies of a create and an update. */
const snippetBodies = [
  "title:1..200! content! teamId! note:0..5000?=null shortcut:0..100?=null folderId?=null tagIds:ids0..100? additionalVariations:variations?",
  "title:1..200 content note:0..5000? shortcut:0..100? folderId? tagIds:ids0..100 isArchived:boolean",
];
const groupBodies = (noun: Noun) => [
  `${noun}Name:1..1000! ${noun}Color:1..100! ${places[noun]}?=null teamId!`,
  `${noun}Name:1..1000 ${noun}Color:1..100 ${places[noun]}?`,
];

// Records, as responses show them: a variation's text, a snippet in a list, a snippet alone, and a variation.
export const contentOf = (variation: Fields) => variation.versions.at(-1).content;
export const listed = ({ created_by, tag_ids, variations, ...shown }: Fields) => {
  return { ...shown, content: contentOf(variations[0]) };
};
export const placeOf = ({ id, name, variant_order_index }: Fields) => ({ id, name, variant_order_index });
export const detail = (snippet: Fields) => {
  const { created_by, tag_ids, variations } = snippet;
  return { ...listed(snippet), created_by, tag_ids: tag_ids.toSorted(), variations: variations.map(placeOf) };
};
export const whole = ({ team_id, versions, ...shown }: Fields) => ({ ...shown, content: versions.at(-1).content });
/** The fields of a body as records name them. */
const nameOf = (field: string) =>
  field.replace("note", "snippetNote").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const named = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).map(([field, value]) => [nameOf(field), value]));
export const fieldsUpdated = (body: Fields) => Object.fromEntries(Object.keys(body).map((name) => [name, true]));
/** Orders records by a time, and at the same time by ID. */
export const newestFirst = (time: string) => (one: Fields, two: Fields) =>
  `${one[time]} ${one.id}` > `${two[time]} ${two.id}` ? -1 : 1;

export function addVariation(call: Call, snippet: Fields, { variationName, content }: Fields): Fields {
  const { id: snippet_id, team_id, variations } = snippet;
  const variant_order_index = 1 + Math.max(-1, ...variations.map((each: Fields) => each.variant_order_index));
  const versions = [{ id: call.newId(), changed_at: call.now, content }];
  variations.push({ ...call.newRow(), snippet_id, team_id, variant_order_index, name: variationName, versions });
  return variations.at(-1);
}
export function setContent(call: Call, variation: Fields, content: unknown): void {
  if (content !== undefined && !Bun.deepEquals(content, contentOf(variation)))
    variation.versions.push({ id: call.newId(), changed_at: call.now, content });
  variation.updated_at = call.now;
}

/** With a variation, its snippet changes. */
export function touch(call: Call, variation: Fields, action: string): Fields {
  call.note("variation", action, variation);
  return Object.assign(call.find("snippet", variation.snippet_id), { updated_at: call.now });
}

function requireReferences({ peek }: Call, noun: Noun, { id, team_id }: Fields, body: Fields): void {
  const [field, parent] = [places[noun], noun === "tag" ? "tag" : "folder"] as const;
  const isOfTeam = (of: Noun, id: string) => peek(of, id)?.team_id === team_id;
  if (body[field] && !isOfTeam(parent, body[field])) throw invalid(`${field} must be a ${parent} of the same team`);
  if (!(body.tagIds ?? []).every((id: string) => isOfTeam("tag", id)))
    throw invalid("tagIds must be tags of the same team");
  for (let above = body[field]; above; above = peek(parent, above)?.[`parent_${parent}_id`])
    if (above === id) throw invalid(`${field} must not be the ${noun} itself or a ${noun} inside it`);
}
export function create(call: Call, noun: Noun, { teamId: team_id, ...body }: Fields): Fields {
  call.find("team", team_id);
  requireReferences(call, noun, { team_id }, body);
  const { content, additionalVariations, tagIds, ...fields } = body;
  const row: Fields = { ...call.newRow(), team_id, workspace_id: call.key.workspace.id, ...named(fields) };
  if (noun === "snippet") {
    Object.assign(row, { created_by: call.key.id, is_archived: false, tag_ids: tagIds ?? [], variations: [] });
    for (const each of [{ variationName: "Default", content }, ...(additionalVariations ?? [])])
      addVariation(call, row, each);
  }
  call.library[noun].push(row);
  call.note(noun, "created", row);
  return row;
}
export function update(call: Call, noun: Noun, id: string, body: Fields): Fields {
  const row = call.find(noun, id);
  requireReferences(call, noun, row, body);
  const { content, ...fields } = body;
  if (content) setContent(call, row.variations[0], content);
  call.note(noun, Object.keys(body).join() === places[noun] ? "moved" : "changed", row);
  return Object.assign(row, named(fields), { updated_at: call.now });
}
/** @returns how many snippets were in it */
function remove(call: Call, noun: Noun, row: Fields): number {
  const { library, now, key } = call;
  const orphans = inside(call, row.id);
  library[noun] = library[noun].filter((each) => each !== row);
  call.note(noun, "deleted", row);
  if (noun === "snippet") library.trash.push({ ...row, deleted_at: now, deleted_by: key.id });
  for (const group of library[noun]) if (group[`parent_${noun}_id`] === row.id) group[`parent_${noun}_id`] = null;
  for (const snippet of orphans)
    if (noun === "folder") snippet.folder_id = null;
    else snippet.tag_ids = snippet.tag_ids.filter((id: string) => id !== row.id);
  return orphans.length;
}

/** What is in a folder or tag, newest first. */
export const inside = ({ library }: Call, id: string): Fields[] =>
  library.snippet.filter((each) => [each.folder_id, ...each.tag_ids].includes(id)).sort(newestFirst("created_at"));
function pageOf(call: Call, { id }: Fields, { limit, offset }: Fields) {
  const all = inside(call, id);
  return { snippets: all.slice(offset, offset + limit).map(listed), total_snippets: all.length };
}
/** Several folders are paged at once: as long as one of them has more. */
function paginate({ limit, offset }: Fields, totals: readonly number[]) {
  const most = Math.max(0, ...totals);
  const totalSnippets = totals.reduce((sum, each) => sum + each, 0);
  const [currentPage, totalPages] = [Math.floor(offset / limit) + 1, Math.ceil(most / limit)];
  return { limit, offset, totalSnippets, hasMore: offset + limit < most, currentPage, totalPages };
}

/** What snippets, folders, and tags share. A snippet that is created or updated is answered by its ID alone. */
export function operationsOf(noun: Noun): Operations {
  const [Noun, nouns, isSnippet] = [capital(noun), `${noun}s`, noun === "snippet"];
  const [one, many] = isSnippet ? ["id/snippetId!", "ids/snippetIds!"] : [`${noun}Id/id!`, `${noun}Ids/ids!`];
  const [created = "", updated = ""] = isSnippet ? snippetBodies : groupBodies(noun);
  const inList = (row: Fields) => (isSnippet ? { snippetId: row.id } : row);
  const alone = (row: Fields) => (isSnippet ? inList(row) : { [noun]: row });
  return {
    [`get${Noun}`]: operation(`${one} limit=50 offset=0`, (call, { id, ...page }) => {
      const group = call.find(noun, id);
      const { snippets, total_snippets } = pageOf(call, group, page);
      const data = { [noun]: group, snippets };
      return { data, pagination: paginate(page, [total_snippets]), cost: 1 + snippets.length };
    }),
    [`post${Noun}`]: operation(`| ${created}`, (call, _, body) => {
      const row = create(call, noun, body);
      const ofFolder = { folderId: row.id, folderName: row.folder_name, createdAt: row.created_at };
      const ofSnippet = { totalVariations: row.variations?.length, tagsAttached: row.tag_ids?.length };
      return { data: alone(row), metadata: { snippet: ofSnippet, folder: ofFolder, tag: undefined }[noun] };
    }),
    [`put${Noun}`]: operation(`${one} | ${updated}`, (call, { id }, body) => {
      const row = update(call, noun, id, body);
      return { data: alone(row), metadata: { fieldsUpdated: fieldsUpdated(body), tagsAttached: row.tag_ids?.length } };
    }),
    [`delete${Noun}`]: operation(one, (call, { id }) => {
      const snippetsOrphaned = remove(call, noun, call.find(noun, id));
      const metadata = noun === "folder" ? { deletedFolderId: id, snippetsOrphaned } : {};
      return { data: { message: `${Noun} deleted` }, metadata };
    }),
    [`get${Noun}s`]: operation(many, (call, { ids }) => {
      const { rows, counts } = call.among(noun, ids);
      return { data: isSnippet ? rows.map(listed) : { [nouns]: rows }, metadata: counts, cost: rows.length };
    }),
    [`post${Noun}s`]: operation(`| ${nouns}:items!`, (call, _, { [nouns]: items }) => {
      const make = (item: Fields) => inList(create(call, noun, item));
      const made = call.each(items, created, "created", `created${Noun}s`, make);
      const message = isSnippet ? `${made.cost} of ${items.length} snippets created` : undefined;
      return { ...made, data: { ...made.data, message } };
    }),
    [`put${Noun}s`]: operation(`| ${nouns}:items!`, (call, _, { [nouns]: items }) => {
      const change = ({ id, ...item }: Fields) => update(call, noun, id, item);
      return call.each(items, `id! ${updated}`, "updated", `updated${Noun}s`, change);
    }),
    [`delete${Noun}s`]: operation(many, (call, { ids }) => {
      const { rows, counts } = call.among(noun, ids);
      for (const row of rows) remove(call, noun, row);
      const { requestedCount, accessibleCount } = counts;
      const inaccessibleCount = requestedCount - accessibleCount;
      const metadata = { requestedCount, accessibleCount, inaccessibleCount, deletedCount: accessibleCount };
      const message = `${accessibleCount} of ${requestedCount} ${nouns} deleted`;
      return { data: { message }, metadata, cost: accessibleCount };
    }),
  };
}
export const getFolders = operation("folderIds/ids! limit=20 offset=0", (call, { ids, ...page }) => {
  const { rows, counts } = call.among("folder", ids);
  const folders = rows.map((folder) => ({ ...folder, ...pageOf(call, folder, page) }));
  const totals = folders.map(({ total_snippets }) => total_snippets);
  const cost = folders.reduce((sum, { snippets }) => sum + snippets.length, rows.length);
  return { data: { folders }, metadata: counts, pagination: paginate(page, totals), cost };
});
