// Real input: 6,168 snippets that people use in their editors, written through the interface, read back in every way, each byte compared.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Pagination, ServiceError, type Snippet } from "../../sdk/src/index.ts";
import { indexPending } from "../../src/library/search/indexing.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { inGroups } from "../support/expect.ts";
import { isOnPostgres } from "../support/nodes.ts";
import { searchByOracle } from "../support/search-oracle.ts";
import { startService, text } from "../support/service.ts";

const directory = resolve(import.meta.dir, "../../../shared/data/vscode/snippets");
const isPresent = existsSync(directory);
const pageItems = 100;
const batchItems = 100;
/** Each of them on SQLite, one of three on PostgreSQL, where a request costs several times as much. */
const share = isOnPostgres ? 3 : 1;
/** Requests of one key wait for each other, on a busy machine for long: more of them could wait longer than a lock may take. */
const writesAtOnce = 4;
const monthlyRequests = 1_000_000;

interface Source {
  readonly file: string;
  readonly language: string;
  readonly title: string;
  readonly note: string | undefined;
  readonly prefixes: readonly string[];
  readonly content: string;
}

type Text = string | string[] | undefined;

/** The snippets as their files have them. A few have no prefix; a description may be one line or several. */
function readSources(): Source[] {
  const files = [...new Bun.Glob("**/*.json").scanSync(directory)].sort();
  return files.flatMap((file) => {
    const named: Record<string, { prefix?: Text; body?: Text; description?: Text }> = JSON.parse(
      readFileSync(resolve(directory, file), "utf8"),
    );
    return Object.entries(named).map(([title, { prefix, body, description }]) => ({
      file,
      language: file.split("/")[0]?.replace(/\.json$/, "") ?? "",
      title,
      note: Array.isArray(description) ? description.join("\n") : description,
      prefixes: [prefix ?? []].flat(),
      content: [body ?? []].flat().join("\n"),
    }));
  });
}

const name = `${isOnPostgres ? "2,056" : "6,168"} snippets of editors: written, read back through folders, tags and ids, and charged to the unit${
  isPresent ? "" : " (skipped: shared/data/vscode is not here)"
}`;

/** Repeats a search that the machine was too busy to end in time: it says so, and costs nothing. */
async function unlessBusy<Found>(search: () => Promise<Found>): Promise<Found> {
  try {
    return await search();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "busy") return unlessBusy(search);
    throw error;
  }
}

test.skipIf(!isPresent)(
  name,
  async () => {
    const { client, admin, workspace, team, key, balance, ledger, clock, service } = await startService({});
    await admin((transaction) => changeWorkspace(transaction, workspace.id, { monthly_requests: monthlyRequests }));
    const all = readSources();
    expect(all).toHaveLength(6_168);
    const sources = all.filter((_, index) => index % share === 0);
    const languages = [...new Set(sources.map(({ language }) => language))];
    const files = [...new Set(sources.map(({ file }) => file))];
    const teamId = team.id;

    // What the calls cost, counted here by the interface's table and nowhere else.
    let units = 0;

    const folderIds = new Map<string, string>();
    for (const batch of inBatches(languages)) {
      const folders = batch.map((folderName) => ({ folderName, folderColor: "#336699", teamId }));
      const { data } = await client.postFolders({ folders });
      expect(data.errors).toEqual([]);
      for (const folder of data.createdFolders) folderIds.set(folder.folder_name, folder.id);
      units += batch.length;
    }
    const tagIds = new Map<string, string>();
    for (const batch of inBatches(files)) {
      const tags = batch.map((tagName) => ({ tagName, tagColor: "#993366", teamId }));
      const { data } = await client.postTags({ tags });
      expect(data.errors).toEqual([]);
      for (const tag of data.createdTags) tagIds.set(tag.tag_name, tag.id);
      units += batch.length;
    }

    /** The source of each snippet that the service made. */
    const byId = new Map<string, Source>();
    await inGroups(
      inBatches(sources),
      async (batch) => {
        const snippets = batch.map((source) => ({
          title: source.title,
          content: text(source.content, "code"),
          teamId,
          folderId: folderIds.get(source.language) ?? "",
          tagIds: [tagIds.get(source.file) ?? ""],
          ...(source.note !== undefined && { note: source.note }),
          ...(source.prefixes[0] !== undefined && { shortcut: source.prefixes[0] }),
          additionalVariations: variationsOf(source),
        }));
        const { data, metadata } = await client.postSnippets({ snippets });
        expect({ ...metadata, errors: data.errors }).toEqual({
          requestedCount: batch.length,
          createdCount: batch.length,
          failedCount: 0,
          errors: [],
        });
        for (const [index, { snippetId }] of data.createdSnippets.entries()) {
          const source = batch[index];
          if (source) byId.set(snippetId, source);
        }
        units += batch.length;
      },
      writesAtOnce,
    );
    expect(byId.size).toBe(sources.length);

    /** What must come back, but for the times. */
    const recordOf = (id: string, source: Source) => ({
      id,
      title: source.title,
      content: { type: "code", content: source.content },
      snippet_note: source.note ?? null,
      shortcut: source.prefixes[0] ?? null,
      folder_id: folderIds.get(source.language),
      team_id: teamId,
      workspace_id: workspace.id,
      is_archived: false,
    });
    const isWrong = ({ created_at, updated_at, ...rest }: Snippet) => {
      const source = byId.get(rest.id);
      return !source || created_at !== updated_at || !Bun.deepEquals(rest, recordOf(rest.id, source), true);
    };
    const idsWhere = (test: (source: Source) => boolean) =>
      [...byId].filter(([, source]) => test(source)).map(([id]) => id);

    /** Reads page by page to the end: the right snippets, each once, newest first, each as it was written. */
    async function expectPages(expectedIds: string[], readPage: (offset: number) => Promise<Page>) {
      const read: Snippet[] = [];
      for (let offset = 0, hasMore = true; hasMore; offset += pageItems) {
        const { data, pagination } = await readPage(offset);
        read.push(...data.snippets);
        hasMore = pagination.hasMore;
        expect(pagination).toEqual({
          limit: pageItems,
          offset,
          totalSnippets: expectedIds.length,
          hasMore: offset + pageItems < expectedIds.length,
          currentPage: offset / pageItems + 1,
          totalPages: Math.ceil(expectedIds.length / pageItems),
        });
        units += 1 + data.snippets.length;
      }
      expect(read.filter(isWrong)).toEqual([]);
      expect(read.map(({ id }) => id).sort()).toEqual(expectedIds.sort());
      const order = read.map(({ created_at, id }) => `${created_at} ${id}`);
      expect(order).toEqual(order.toSorted().reverse());
    }
    await inGroups(languages, (language) =>
      expectPages(
        idsWhere((source) => source.language === language),
        (offset) => client.getFolder({ folderId: folderIds.get(language) ?? "", limit: pageItems, offset }),
      ),
    );
    await inGroups(files, (file) =>
      expectPages(
        idsWhere((source) => source.file === file),
        (offset) => client.getTag({ tagId: tagIds.get(file) ?? "", limit: pageItems, offset }),
      ),
    );

    await inGroups(inBatches([...byId.keys()]), async (ids) => {
      const { data, metadata } = await client.getSnippets({ ids });
      expect(metadata).toMatchObject({ requestedCount: ids.length, accessibleCount: ids.length, missingCount: 0 });
      expect(data.filter(isWrong)).toEqual([]);
      expect(data.map(({ id }) => id)).toEqual(ids);
      units += ids.length;
    });

    const searched = [...byId].map(([id, source]) => ({
      id,
      title: source.title,
      shortcut: source.prefixes[0] ?? null,
      note: source.note ?? null,
      contents: [source.content, ...variationsOf(source).map(({ content }) => content.content)],
      tagNames: [source.file],
      isArchived: false,
      // All were written at the same time.
      createdAt: "",
      updatedAt: "",
      tagIds: [],
      teamId,
      folderId: null,
      type: "code",
    }));
    const search = async () => {
      for (const query of ["for", "console.log(", "useState", '"for loop" -react', "=>"]) {
        const expected = searchByOracle(searched, { query });
        const { data, metadata } = await unlessBusy(() => client.getSearch({ query, limit: pageItems }));
        expect(data.snippets.map(({ id }) => id)).toEqual(expected.slice(0, pageItems));
        expect(metadata).toEqual(expected.length > 1_000 ? { totalIsAtLeast: 1_000 } : { totalCount: expected.length });
        units += 1 + data.snippets.length;
      }
    };
    await search();
    clock.advance(1);
    await indexPending({ database: service.database, pace: () => undefined, goOn: () => true }, 1);
    await search();

    const several = [...byId].filter(([, { prefixes }]) => prefixes.length > 1);
    expect(several.length).toBeGreaterThan(200 / share);
    await inGroups(several, async ([id, source]) => {
      const { data } = await client.getSnippet({ id });
      const { created_by, tag_ids, variations, ...record } = data;
      expect(isWrong(record)).toBeFalse();
      expect({ created_by, tag_ids }).toEqual({ created_by: key.id, tag_ids: [tagIds.get(source.file) ?? ""] });
      expect(variations.map((variation) => [variation.name, variation.variant_order_index])).toEqual(
        ["Default", ...source.prefixes.slice(1)].map((variationName, index) => [variationName, index]),
      );
      units += 1;
      for (const variation of variations) {
        const { data: whole } = await client.getSnippetVariation({ snippetId: id, variationId: variation.id });
        expect(whole).toMatchObject({ ...variation, snippet_id: id, content: text(source.content, "code") });
        units += 1;
      }
    });

    expect(await balance()).toBe(monthlyRequests - units);
    expect((await ledger()).reduce((sum, row) => sum + row.units, 0)).toBe(units);
  },
  120_000,
);

interface Page {
  readonly data: { readonly snippets: readonly Snippet[] };
  readonly pagination: Pagination;
}

const variationsOf = ({ prefixes, content }: Source) =>
  prefixes.slice(1).map((variationName) => ({ variationName, content: text(content, "code") }));

const inBatches = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / batchItems) }, (_, index) =>
    items.slice(index * batchItems, (index + 1) * batchItems),
  );
