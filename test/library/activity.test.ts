// The library activity: what people and API keys did, from where to where, and under whose name.
import { expect, test } from "bun:test";
import { startConsole } from "../support/console.ts";
import { text } from "../support/service.ts";

interface Act {
  readonly action: string;
  readonly name: string | null;
  readonly snippet_id: string | null;
  readonly details: unknown;
  readonly author: { readonly kind: string; readonly name: string };
}

async function start() {
  const started = await startConsole();
  const { client, team, key } = started;
  const owner = await started.person({ role: "owner", name: "Ada" });
  const acts = async (query: object = {}): Promise<Act[]> =>
    (await owner.call("getLibraryActivity", { query: { teamId: team.id, ...query } })).body.data;
  const folder = async (folderName: string) =>
    (await client.postFolder({ folderName, folderColor: "#868e96", teamId: team.id })).data.folder.id;
  const snippet = async (title: string, folderId?: string) =>
    (await client.postSnippet({ title, content: text(title), teamId: team.id, ...(folderId && { folderId }) })).data
      .snippetId;
  return { ...started, owner, acts, folder, snippet, key };
}

test("what an API key does is in the activity of the library and of the snippet, with the key's name", async () => {
  const { client, acts, folder, snippet, key } = await start();
  const [support, billing] = [await folder("Support"), await folder("Billing")];
  const id = await snippet("Refund", support);
  await client.putSnippet({ id, folderId: billing });
  await client.putSnippet({ id, folderId: null, title: "Refunds" });
  await client.putSnippet({ id, isArchived: true });
  await client.putSnippet({ id, tagIds: [] });
  const { data } = await client.postSnippetVariations({
    snippetId: id,
    variations: [{ variationName: "Short", content: text("x") }],
  });
  const [variationId = ""] = data.variations.map((variation) => variation.id);
  await client.putSnippetVariation({ variationId, content: text("y") });
  await client.deleteSnippetVariation({ variationId });
  await client.deleteSnippet({ id });
  await client.postSnippetsRestore({ snippetIds: [id] });
  const expected = [
    ["snippet.restore", null],
    ["snippet.delete", null],
    ["variation.delete", { variations: 1 }],
    ["variation.change", null],
    ["variation.create", { variations: 1 }],
    ["snippet.tag", null],
    ["snippet.archive", null],
    ["snippet.change", { fields: ["title", "folderId"], from: "Billing", to: null }],
    ["snippet.move", { from: "Support", to: "Billing" }],
    ["snippet.create", null],
  ];
  const found = await acts({ snippetId: id });
  expect(found.map(({ action, details }) => [action, details])).toEqual(expected);
  expect(found[0]).toMatchObject({ author: { kind: "key", id: key.id, name: key.name }, name: "Refunds" });
  await client.putFolder({ folderId: billing, folderName: "Invoices" });
  await client.deleteFolder({ folderId: support });
  const all = await acts();
  expect(all.map(({ action, name, details }) => [action, name, details])).toEqual([
    ["folder.delete", "Support", null],
    ["folder.rename", "Invoices", { from: "Billing" }],
    ...expected.map(([action, details]) => [action, "Refunds", details]),
    ["folder.create", "Billing", null],
    ["folder.create", "Support", null],
  ]);
  expect(await acts({ authorId: key.id })).toEqual(all);
});

test("a batch of a key is one act in each team, and an import is one act", async () => {
  const { client, acts, team, key } = await start();
  const snippets = Array.from({ length: 100 }, (_, index) => ({
    ...{ title: `${index}`, content: text("x"), teamId: team.id },
  }));
  const { data } = await client.postSnippets({ snippets });
  await client.deleteSnippets({ ids: data.createdSnippets.slice(0, 2).map(({ snippetId }) => snippetId) });
  const file = JSON.stringify([{ name: "a", text: "a", keyword: "" }]);
  const imported = await client.postImport({ teamId: team.id, fileName: "mine.json", file });
  await client.postImportUndo({ importId: imported.data.importId ?? "" });
  const found = await acts();
  expect(found.map(({ action, name, details }) => [action, name, details])).toEqual([
    ["import.undo", "mine.json", null],
    ["import.run", "mine.json", { created: 1, replaced: 0, format: "raycast" }],
    ["snippet.delete", null, { count: 2 }],
    ["snippet.create", null, { count: 100 }],
  ]);
  expect(new Set(found.map(({ author }) => author.name))).toEqual(new Set([key.name]));
});

test("of requests that share a transaction, those that succeed are in the activity, each in its workspace", async () => {
  const [one, other] = [await start(), await start()];
  const refused = one.client.putSnippet({ id: await one.snippet("Kept"), folderId: crypto.randomUUID() });
  const created = [1, 2, 3].flatMap((index) => [one.snippet(`One ${index}`), other.snippet(`Other ${index}`)]);
  await Promise.allSettled([refused, ...created]);
  const names = async ({ acts }: typeof one) => (await acts()).map(({ action, name }) => `${action} ${name}`).sort();
  expect(await names(one)).toEqual(["Kept", "One 1", "One 2", "One 3"].map((name) => `snippet.create ${name}`));
  expect(await names(other)).toEqual(["Other 1", "Other 2", "Other 3"].map((name) => `snippet.create ${name}`));
});

test("a person's move says from where to where, one by one and in bulk", async () => {
  const { owner, acts, folder, snippet } = await start();
  const [support, billing] = [await folder("Support"), await folder("Billing")];
  const [one, two] = [await snippet("One", support), await snippet("Two")];
  await owner.call("putLibrarySnippets", {
    body: { snippets: [one, two].map((id) => ({ id, folderId: billing, isArchived: true })) },
  });
  await owner.call("putLibrarySnippet", { query: { id: one }, body: { folderId: null } });
  // Nothing is moved.
  await owner.call("putLibrarySnippet", { query: { id: one }, body: { folderId: null } });
  const found = await acts({ authorId: owner.id });
  expect(found.map(({ action, name, details }) => [action, name, details])).toEqual([
    ["snippet.move", "One", { from: "Billing", to: null }],
    ["snippet.archive", "Two", null],
    ["snippet.move", "Two", { from: null, to: "Billing" }],
    ["snippet.archive", "One", null],
    ["snippet.move", "One", { from: "Support", to: "Billing" }],
  ]);
});
