// The trash against a model: whatever happens to snippets, folders and tags, a deleted snippet lies in the trash as it was, and comes back
// as it was, without the folder and the tags that are gone.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { deleteOverTime, emptyTrash } from "../../src/library/empty-trash.ts";
import { snippetTables } from "../../src/library/trash.store.ts";
import { findViolations, invariants } from "../../src/operations/doctor/invariants.store.ts";
import { engine } from "../support/engine.ts";
import { type Started, startService, text } from "../support/service.ts";

type Row = Readonly<Record<string, unknown>>;
/** The rows of a snippet, by table. */
type Parts = Readonly<Record<string, readonly Row[]>>;

/** What the model knows: in the library, in the trash with the rows that it had, or nowhere. */
type State = { is: "live" } | { is: "trashed"; parts: Parts; at: number } | { is: "gone" };

const sorted = (rows: readonly Row[]): Row[] =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

async function partsOf({ rows, workspace }: Started, prefix: "" | "trashed_", id: string): Promise<Parts> {
  const parts: Record<string, Row[]> = {};
  for (const { name, snippetId } of snippetTables) {
    const found = await rows<Row>(
      `select * from ${prefix}${name} where workspace_id = ? and ${snippetId} = ?`,
      workspace.id,
      id,
    );
    parts[name] = sorted(found.map(({ deleted_at: _, deleted_by: _by, ...row }) => row));
  }
  return parts;
}

const kinds = [
  ...["create", "create", "change", "change", "text", "text", "rename", "remove", "add", "swap"],
  ...["delete", "delete", "deleteMany", "restore", "restore", "restoreMany"],
  ...["folder", "tag", "deleteFolder", "deleteTag", "renameGroup", "empty", "wait"],
] as const;
const actions = fc.array(fc.record({ kind: fc.constantFrom(...kinds), one: fc.nat(), other: fc.nat() }), {
  minLength: 60,
  maxLength: 120,
});

const day = 24 * 60 * 60;

async function play(started: Started, sequence: readonly { kind: string; one: number; other: number }[]) {
  const { admin, call, client, clock, given, key, service, workspace } = started;
  const states = new Map<string, State>();
  const [folders, tags] = [new Set<string>(), new Set<string>()];
  const at = <Value>(values: Iterable<Value>, number: number): Value | undefined => {
    const all = [...values];
    return all[number % Math.max(1, all.length)];
  };
  const idsIn = (is: State["is"]) => [...states].filter(([, state]) => state.is === is).map(([id]) => id);
  const someTags = (number: number) => [...tags].filter((_, index) => (number >> index) % 2 === 1);

  /** What a snippet with these rows is after its return. */
  const returned = (parts: Parts): Parts => ({
    ...parts,
    snippets: (parts.snippets ?? []).map((row) => ({
      ...row,
      folder_id: folders.has(String(row.folder_id)) ? row.folder_id : null,
    })),
    snippet_tags: (parts.snippet_tags ?? []).filter((row) => tags.has(String(row.tag_id))),
  });
  const trash = async (ids: readonly string[], deleteThem: () => Promise<unknown>) => {
    const before = new Map<string, Parts>();
    for (const id of ids) before.set(id, await partsOf(started, "", id));
    await deleteThem();
    for (const [id, parts] of before) states.set(id, { is: "trashed", parts, at: clock.now });
  };
  const restore = async (ids: readonly string[]) => {
    const trashed = ids.flatMap((id) => {
      const state = states.get(id);
      return state?.is === "trashed" ? [{ id, parts: returned(state.parts) }] : [];
    });
    const answer = await call("POST", "/snippets/restore", { key: key.secret, body: { snippetIds: ids } });
    expect(answer.status).toBe(trashed.length > 0 ? 200 : 404);
    expect(answer.body.data?.restoredSnippets ?? []).toEqual(trashed.map(({ id }) => ({ snippetId: id })));
    for (const { id, parts } of trashed) {
      expect(await partsOf(started, "", id)).toEqual(parts);
      states.set(id, { is: "live" });
    }
  };
  const forget = (isGone: (state: Extract<State, { is: "trashed" }>) => boolean) => {
    for (const [id, state] of states) if (state.is === "trashed" && isGone(state)) states.set(id, { is: "gone" });
  };

  for (const { kind, one, other } of sequence) {
    clock.advance(other % 3);
    const id = at(idsIn("live"), one);
    const snippet = id === undefined ? undefined : (await client.getSnippet({ id })).data;
    const variation = snippet && at(snippet.variations, other);
    const folderId = other % 3 === 0 ? null : (at(folders, other) ?? null);
    if (kind === "create") {
      const additionalVariations = Array.from({ length: other % 4 }, (_, index) => ({
        variationName: `V${index}`,
        content: text(`Text ${index}`),
      }));
      const created = await given.snippet({ folderId, tagIds: someTags(one), additionalVariations });
      states.set(created.id, { is: "live" });
    } else if (kind === "folder") folders.add((await given.folder()).id);
    else if (kind === "tag") tags.add((await given.tag()).id);
    else if (kind === "deleteFolder") {
      const folder = at(folders, one);
      if (folder !== undefined && folders.delete(folder)) await client.deleteFolder({ folderId: folder });
    } else if (kind === "deleteTag") {
      const tag = at(tags, one);
      if (tag !== undefined && tags.delete(tag)) await client.deleteTag({ tagId: tag });
    } else if (kind === "renameGroup") {
      const [folder, tag] = [at(folders, one), at(tags, one)];
      if (folder !== undefined) await client.putFolder({ folderId: folder, folderName: "n".repeat(1 + (other % 40)) });
      if (tag !== undefined) await client.putTag({ tagId: tag, tagColor: "ö".repeat(1 + (other % 40)) });
    } else if (kind === "restore") await restore([at(states.keys(), one) ?? Bun.randomUUIDv7()]);
    else if (kind === "restoreMany") await restore([...states.keys(), Bun.randomUUIDv7()].slice(-(1 + (other % 9))));
    else if (kind === "deleteMany") {
      const ids = idsIn("live").slice(0, 1 + (other % 3));
      if (ids.length > 0) await trash(ids, () => client.deleteSnippets({ ids }));
    } else if (kind === "empty" && other % 4 === 0) {
      await admin((transaction) => emptyTrash(transaction, workspace.id, {}));
      forget(() => true);
    } else if (kind === "wait") {
      clock.advance((other % 8) * day);
      await deleteOverTime(service.database, 30, async () => true);
      forget((state) => state.at <= clock.now - 30 * day * 1_000);
    } else if (snippet && variation) {
      if (kind === "change")
        await client.putSnippet({
          id: snippet.id,
          folderId,
          tagIds: someTags(one),
          title: "ä".repeat(1 + (one % 50)),
          note: one % 3 === 0 ? null : "Note".repeat(other % 9),
          shortcut: other % 3 === 0 ? null : `/${other % 30}`,
          isArchived: other % 2 === 0,
          content: text(`Changed ${other % 5}`),
        });
      else if (kind === "text")
        await client.putSnippetVariation({ variationId: variation.id, content: text(`New ${one % 9}`) });
      else if (kind === "rename") await client.putSnippetVariation({ variationId: variation.id, name: `Name ${one}` });
      else if (kind === "add")
        await client.postSnippetVariations({
          snippetId: snippet.id,
          variations: [{ variationName: "Added", content: text(`Added ${one}`) }],
        });
      else if (kind === "swap")
        await client.putSnippetVariationsOrder({
          snippetId: snippet.id,
          variationIds: snippet.variations.map((each) => each.id).reverse(),
        });
      else if (kind === "remove" && snippet.variations.length > 1)
        await client.deleteSnippetVariation({ variationId: variation.id });
      else if (kind === "delete") await trash([snippet.id], () => client.deleteSnippet({ id: snippet.id }));
    }
  }

  const none = Object.fromEntries(snippetTables.map(({ name }) => [name, []]));
  for (const [id, state] of states) {
    if (state.is !== "live") expect(await partsOf(started, "", id)).toEqual(none);
    expect(await partsOf(started, "trashed_", id)).toEqual(state.is === "trashed" ? state.parts : none);
  }
  const listed: string[] = [];
  for await (const page of pagesOf(client)) listed.push(...page);
  expect(listed.sort()).toEqual(idsIn("trashed").sort());
}

async function* pagesOf(client: Started["client"]): AsyncGenerator<string[]> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.getTrash>> = await client.getTrash({
      limit: 3,
      ...(cursor !== null && { cursor }),
    });
    yield page.data.snippets.map(({ id }) => id);
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
}

test("everything that is deleted and restored is the same as before", async () => {
  const shared = await startService({});
  await fc.assert(
    fc.asyncProperty(actions, async (sequence) => {
      await play(shared, sequence);
      for (const invariant of invariants) {
        const { examples } = await shared.admin((transaction) =>
          findViolations(transaction, engine.name, invariant, 3),
        );
        expect([invariant.name, examples]).toEqual([invariant.name, []]);
      }
      await shared.admin((transaction) => emptyTrash(transaction, shared.workspace.id, {}));
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
