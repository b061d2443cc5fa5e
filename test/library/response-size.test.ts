// An answer holds at most 16 MiB of text (decisions, Bodies).
import { expect, test } from "bun:test";
import { refusalOf, startService, text } from "../support/service.ts";

test("a read of more text than one answer may hold: 400 for 1 unit; asked in portions it is served", async () => {
  const { client, given, team, balance } = await startService({});
  const folder = await given.folder();
  const content = text("€".repeat(1_000_000));
  const made: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const snippets = [1, 2].map((number) => ({
      title: `Large ${number}`,
      content,
      teamId: team.id,
      folderId: folder.id,
    }));
    made.push(...(await client.postSnippets({ snippets })).data.createdSnippets.map((created) => created.snippetId));
  }
  const before = await balance();
  const refused = {
    status: 400,
    code: "response_too_large",
    message: "The response would contain more than 16 MiB of text: request fewer items at once",
  };

  expect(await refusalOf(client.getSnippets({ ids: made }))).toMatchObject(refused);
  expect(await refusalOf(client.getFolder({ folderId: folder.id }))).toMatchObject(refused);
  expect(await refusalOf(client.getFolders({ folderIds: [folder.id], limit: 8 }))).toMatchObject(refused);
  expect(await balance()).toBe(before - 3);

  const portion = await client.getFolder({ folderId: folder.id, limit: 5 });
  expect(portion.data.snippets).toHaveLength(5);
  expect(portion.data.snippets[0]?.content).toEqual(content);
});

test("what is sent counts: a character that JSON writes as six bytes is six bytes", async () => {
  const { client, given, team } = await startService({});
  const folder = await given.folder();
  const escaped = { title: "Escaped", content: text("\u0001".repeat(999_999)), teamId: team.id, folderId: folder.id };
  const made: string[] = [];
  for (let count = 0; count < 6; count += 1) made.push((await client.postSnippet(escaped)).data.snippetId);
  const tooLarge = {
    status: 400,
    code: "response_too_large",
    message: "The response would be larger than 32 MiB: request fewer items at once",
  };
  expect(await refusalOf(client.getSnippets({ ids: made }))).toMatchObject(tooLarge);
  expect(await refusalOf(client.getFolder({ folderId: folder.id }))).toMatchObject(tooLarge);
  const portion = await client.getSnippets({ ids: made.slice(1) });
  expect(portion.data.map(({ content }) => content)).toEqual(Array(5).fill(escaped.content));
});

test("notes count as text; those that are longer than an even share of the limit are read as well", async () => {
  const { client, given, team } = await startService({});
  const note = "€".repeat(5_000);
  const folderIds: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const { id } = await given.folder();
    const snippet = { title: "Note", content: text(""), teamId: team.id, note, folderId: id };
    await client.postSnippets({ snippets: Array(100).fill(snippet) });
    folderIds.push(id);
  }
  expect(await refusalOf(client.getFolders({ folderIds, limit: 100 }))).toMatchObject({
    status: 400,
    message: "The response would contain more than 16 MiB of text: request fewer items at once",
  });
  const page = await client.getFolders({ folderIds: folderIds.slice(0, 11), limit: 100 });
  expect(page.data.folders.flatMap(({ snippets }) => snippets.map(({ snippet_note }) => snippet_note))).toEqual(
    Array(1_100).fill(note),
  );
  expect(page.data.folders[0]?.snippets[0]?.content).toEqual(text(""));
});

test("a history of more text than one answer may hold is refused likewise", async () => {
  const { client, given } = await startService({});
  const snippet = await given.snippet();
  const variationId = snippet.variations[0]?.id ?? "";
  for (let version = 0; version < 8; version += 1)
    await client.putSnippetVariation({ variationId, content: text(`${version}${"€".repeat(999_990)}`) });

  expect(await refusalOf(client.getSnippetVariationHistory({ variationId }))).toMatchObject({
    code: "response_too_large",
  });
  expect((await client.getSnippetVariationHistory({ variationId, limit: 5 })).data).toHaveLength(5);
});

test("a list with some long texts is read in its order, with all of its texts", async () => {
  const { client, given, team } = await startService({});
  const folder = await given.folder();
  const tag = await given.tag();
  const snippets = Array.from({ length: 30 }, (_, index) => ({
    title: `Number ${index}`,
    content: text(index % 10 === 3 ? "€".repeat(1_000_000) : `Text ${index}`),
    teamId: team.id,
    folderId: folder.id,
    tagIds: [tag.id],
  }));
  const made: string[] = [];
  for (let start = 0; start < snippets.length; start += 10)
    made.push(
      ...(await client.postSnippets({ snippets: snippets.slice(start, start + 10) })).data.createdSnippets.map(
        (created) => created.snippetId,
      ),
    );
  const contents = snippets.map(({ content }) => content);

  const { data } = await client.getSnippets({ ids: made });
  expect(data.map(({ id }) => id)).toEqual(made);
  expect(data.map(({ content }) => content)).toEqual(contents);
  for (const page of [
    (await client.getFolder({ folderId: folder.id, limit: 30 })).data.snippets,
    (await client.getFolders({ folderIds: [folder.id], limit: 30 })).data.folders[0]?.snippets,
    (await client.getTag({ tagId: tag.id, limit: 30 })).data.snippets,
  ])
    expect(page?.map(({ content }) => content)).toEqual(contents.toReversed());
});
