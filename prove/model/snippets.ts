// The reference model: snippets and their variations.
import type { Call, Operation } from "./call.ts";
import { deletedCounts, updatedFields } from "./call.ts";
import { type Fields, type Item, idIsRequired, invalid, Refused } from "./input.ts";
import type { Content, Group, Snippet, Variation } from "./state.ts";

export const contentOf = (variation: Variation | undefined): Content =>
  variation?.versions.at(-1)?.content ?? { type: "", content: "" };

// Records, as responses show them.
export const listed = (call: Call, one: Snippet) => ({
  id: one.id,
  title: one.title,
  content: contentOf(one.variations[0]),
  snippet_note: one.note,
  shortcut: one.shortcut,
  folder_id: one.folder,
  team_id: one.team,
  workspace_id: call.key.workspace.id,
  is_archived: one.isArchived,
  created_at: one.created,
  updated_at: one.updated,
});
export const placeOf = ({ id, name, index }: Variation) => ({ id, name, variant_order_index: index });
export const detail = (call: Call, one: Snippet) => ({
  ...listed(call, one),
  created_by: one.by,
  tag_ids: one.tags.toSorted(),
  variations: one.variations.map(placeOf),
});
export const variationRecord = (snippet: Snippet, one: Variation) => ({
  ...placeOf(one),
  content: contentOf(one),
  snippet_id: snippet.id,
  created_at: one.created,
  updated_at: one.updated,
});
export const addVariation = (call: Call, snippet: Snippet, name: string, content: Content): Variation => {
  const index = 1 + Math.max(-1, ...snippet.variations.map((each) => each.index));
  const versions = [{ id: call.newId(), at: call.now, content }];
  const variation = { id: call.newId(), name, index, created: call.now, updated: call.now, versions };
  snippet.variations.push(variation);
  return variation;
};
export const requireReferences = (call: Call, team: string, { folderId, tagIds }: Fields): void => {
  const isOf = (groups: Group[], id: unknown) => groups.some((each) => each.id === id && each.team === team);
  if (folderId && !isOf(call.library.folders, folderId)) throw invalid("folderId must be a folder of the same team");
  if ((tagIds as string[] | undefined)?.some((id) => !isOf(call.library.tags, id)))
    throw invalid("tagIds must be tags of the same team");
};
export function createSnippet(call: Call, input: Fields): Snippet {
  const team = String(input.teamId);
  call.team(team);
  requireReferences(call, team, input);
  const snippet: Snippet = {
    ...{ id: call.newId(), team, by: call.key.id, created: call.now, updated: call.now, isArchived: false },
    ...{
      title: String(input.title),
      note: (input.note as string) ?? null,
      shortcut: (input.shortcut as string) ?? null,
    },
    ...{ folder: (input.folderId as string) ?? null, tags: (input.tagIds as string[]) ?? [], variations: [] },
  };
  addVariation(call, snippet, "Default", input.content as Content);
  for (const each of (input.additionalVariations as { variationName: string; content: Content }[]) ?? [])
    addVariation(call, snippet, each.variationName, each.content);
  call.library.snippets.push(snippet);
  return snippet;
}
export function setContent(call: Call, variation: Variation, content: Content | undefined): void {
  const { type, content: text } = contentOf(variation);
  if (content && (content.type !== type || content.content !== text))
    variation.versions.push({ id: call.newId(), at: call.now, content });
}
export const discard = (call: Call, snippets: readonly Snippet[]): void => {
  call.library.snippets = call.library.snippets.filter((each) => !snippets.includes(each));
  call.library.trash.push(...snippets.map((snippet) => ({ snippet, at: call.now, by: call.key.id })));
};

export const snippetOperations: Readonly<Record<string, Operation>> = {
  getSnippet: (call) => {
    const id = call.sent.requiredId("Snippet", "id", "snippetId");
    return () => ({ data: detail(call, call.snippet(id)) });
  },
  getSnippets: (call) => {
    const ids = call.sent.requiredIds("Snippet", "ids", "snippetIds");
    return () => {
      const { rows, counts } = call.among(ids, call.library.snippets);
      return { data: rows.map((each) => listed(call, each)), metadata: counts, items: rows.length };
    };
  },
  postSnippet: (call) => (body) => {
    const { id, variations, tags } = createSnippet(call, body as Fields);
    return { data: { snippetId: id }, metadata: { totalVariations: variations.length, tagsAttached: tags.length } };
  },
  postSnippets: (call) => (body) => {
    const created = call.each(
      body as Item[],
      (input) => ({ snippetId: createSnippet(call, input).id }),
      "createdCount",
    );
    const { done: createdSnippets, errors, metadata, items } = created;
    const message = `${items} of ${metadata.requestedCount} snippets created`;
    return { data: { message, createdSnippets, errors }, metadata, items };
  },
  putSnippet: (call) => {
    const id = call.sent.requiredId("Snippet", "id", "snippetId");
    return (body) => {
      const snippet = call.snippet(id);
      const { content, ...changes } = body as Fields;
      requireReferences(call, snippet.team, changes);
      const [first] = snippet.variations;
      if (content && first) {
        setContent(call, first, content as Content);
        first.updated = call.now;
      }
      const names = {
        title: "title",
        note: "note",
        shortcut: "shortcut",
        folderId: "folder",
        tagIds: "tags",
        isArchived: "isArchived",
      };
      for (const [field, name] of Object.entries(names))
        if (field in changes) Object.assign(snippet, { [name]: changes[field] });
      snippet.updated = call.now;
      return {
        data: { snippetId: id },
        metadata: { ...updatedFields(body as Fields), tagsAttached: snippet.tags.length },
      };
    };
  },
  deleteSnippet: (call) => {
    const id = call.sent.requiredId("Snippet", "id", "snippetId");
    return () => {
      discard(call, [call.snippet(id)]);
      return { data: { message: "Snippet deleted" }, metadata: {} };
    };
  },
  deleteSnippets: (call) => {
    const ids = call.sent.requiredIds("Snippet", "ids", "snippetIds");
    return () => {
      const { rows } = call.among(ids, call.library.snippets);
      discard(call, rows);
      const data = { message: `${rows.length} of ${ids.length} snippets deleted` };
      return { data, metadata: deletedCounts(ids.length, rows.length), items: rows.length };
    };
  },
  getSnippetVariation: (call) => {
    const snippetId = call.sent.requiredId("Snippet", "snippetId");
    const id = call.sent.requiredId("Variation", "variationId");
    return () => {
      const found = call.variation(id);
      const { snippet, variation } = call.required("Variation", found?.snippet.id === snippetId ? found : undefined);
      return { data: variationRecord(snippet, variation) };
    };
  },
  putSnippetVariation: (call) => {
    const id = call.sent.requiredId("Variation", "variationId");
    return (body) => {
      const { snippet, variation } = call.required("Variation", call.variation(id));
      const {
        name,
        variationName = name,
        content,
      } = body as { name?: string; variationName?: string; content?: Content };
      if (variationName !== undefined) variation.name = variationName;
      setContent(call, variation, content);
      variation.updated = call.now;
      snippet.updated = call.now;
      return { data: { variationId: id }, metadata: updatedFields(body as Fields) };
    };
  },
  deleteSnippetVariation: (call) => {
    const id = call.sent.id("variationId");
    return (body) => {
      const named = (body as { variationIds: string[] } | undefined)?.variationIds;
      if (id === undefined && named === undefined) throw idIsRequired("Variation");
      if (id !== undefined && named !== undefined)
        throw invalid("send either variationId in the query or variationIds in the body, not both");
      const found = (named ?? [id ?? ""]).flatMap((each) => call.variation(each) ?? []);
      const rows = found.filter(({ team }) => call.reaches(team));
      if (rows.length === 0) call.required("Variation", found[0]);
      const affected = new Set(rows.map(({ snippet }) => snippet));
      const ids = rows.map(({ variation }) => variation.id);
      for (const snippet of affected)
        if (snippet.variations.every((each) => ids.includes(each.id)))
          throw new Refused(400, "last_variation", "A snippet must keep at least one variation");
      for (const snippet of affected) {
        snippet.variations = snippet.variations.filter((each) => !ids.includes(each.id));
        snippet.updated = call.now;
      }
      const message = ids.length === 1 ? "Variation deleted" : `${ids.length} variations deleted`;
      const metadata = { deletedVariationIds: ids, deletedCount: ids.length, affectedSnippets: affected.size };
      return { data: { message }, metadata, items: ids.length };
    };
  },
  getSnippetVariationHistory: (call) => {
    const id = call.sent.requiredId("Variation", "variationId");
    const limit = call.sent.integer("limit", 1, 100, 50);
    const [from = "0", to = "9"] = [call.sent.time("fromDate"), call.sent.time("toDate")];
    return () => {
      const { variation } = call.required("Variation", call.variation(id));
      const all = variation.versions.toReversed().filter(({ at }) => at >= from && at <= to);
      const data = all
        .slice(0, limit)
        .map(({ id: version, at, content }) => ({ id: version, changed_at: at, content }));
      return { data, metadata: { hasMore: data.length < all.length, totalRecords: all.length }, items: data.length };
    };
  },
  getSnippetVariations: (call) => {
    const id = call.sent.requiredId("Snippet", "snippetId", "id");
    return () => {
      const snippet = call.snippet(id);
      const variations = snippet.variations.map((each) => variationRecord(snippet, each));
      return { data: { variations }, items: variations.length };
    };
  },
  postSnippetVariations: (call) => {
    const id = call.sent.requiredId("Snippet", "snippetId", "id");
    return (body) => {
      const sent = body as Item[];
      if (sent.every((item) => item.refused)) throw sent[0]?.refused;
      const snippet = call.snippet(id);
      const add = ({ variationName, content }: Fields) => {
        if (snippet.variations.length >= 101)
          throw new Refused(400, "too_many_variations", "A snippet can have at most 101 variations");
        return variationRecord(snippet, addVariation(call, snippet, String(variationName), content as Content));
      };
      const { done: variations, errors, metadata, items } = call.each(sent, add, "createdCount");
      snippet.updated = call.now;
      return { data: { variations, errors }, metadata, items };
    };
  },
  putSnippetVariationsOrder: (call) => {
    const id = call.sent.requiredId("Snippet", "snippetId", "id");
    return (body) => {
      const snippet = call.snippet(id);
      const { variationIds } = body as { variationIds: string[] };
      const ordered = variationIds.flatMap((each) => snippet.variations.find((one) => one.id === each) ?? []);
      if (ordered.length !== variationIds.length || ordered.length !== snippet.variations.length)
        throw invalid("variationIds must contain all variations of the snippet");
      for (const [index, each] of ordered.entries()) each.index = index;
      snippet.variations = ordered;
      snippet.updated = call.now;
      return { data: { variations: ordered.map(placeOf) } };
    };
  },
};
