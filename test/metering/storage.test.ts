// The bytes of a workspace are counted exactly, and a request that would store more than it may is refused (decisions, Storage).
import { expect, test } from "bun:test";
import { createCalls } from "../../src/api/charge-call.ts";
import { operations } from "../../src/contract/operations.ts";
import { emptyTrash } from "../../src/library/empty-trash.ts";
import { deleteEndedVersions } from "../../src/library/version-retention.ts";
import { updateBytesMax } from "../../src/metering/storage/storage.store.ts";
import { findViolations, invariants } from "../../src/operations/doctor/invariants.store.ts";
import { Downloads, ResponseRoom } from "../../src/platform/http/downloads.ts";
import { parseInput } from "../../src/platform/http/parse-input.ts";
import { hashSecret } from "../../src/platform/secrets/secrets.ts";
import { startConsole } from "../support/console.ts";
import { engine, openNode } from "../support/engine.ts";
import { type Started, startService, text } from "../support/service.ts";

const storedBy = async ({ rows, workspace }: Pick<Started, "rows" | "workspace">): Promise<number> =>
  (await rows<{ bytes: number }>("select bytes from workspace_storage where workspace_id = ?", workspace.id))[0]
    ?.bytes ?? Number.NaN;

const limitTo = ({ admin, workspace }: Pick<Started, "admin" | "workspace">, bytes: number) =>
  admin(async (transaction) => updateBytesMax(transaction, workspace.id, bytes));

/** What the doctor would say about the storage of the workspace. */
const violationsIn = ({ admin, workspace }: Pick<Started, "admin" | "workspace">) =>
  admin(async (transaction) => {
    const storage = invariants.filter(({ name }) => name === "storage");
    const found = await Promise.all(
      storage.map((invariant) => findViolations(transaction, engine.name, invariant, 1_000)),
    );
    return found.flatMap(({ examples }) => examples.filter((row) => row.workspace_id === workspace.id));
  });

/** A row, and the name of the first variation with the type "plaintext". */
const emptySnippet = 256 + "Default".length + "plaintext".length;

test("a text counts with its bytes in UTF-8, and every variation, former version, folder, and tag with 256 more", async () => {
  const started = await startService();
  const { client, given } = started;
  const { id, variations } = await given.snippet({ title: "ä", content: text("€uro"), note: "note", shortcut: "/s" });
  expect(await storedBy(started)).toBe(emptySnippet + 2 + 6 + 4 + 2);
  await client.putSnippet({ id, content: text("Hello"), note: null });
  expect(await storedBy(started)).toBe(emptySnippet + 2 + 6 + 2 + (256 + "plaintext".length + 5));
  await client.putSnippetVariation({ variationId: variations[0]?.id ?? "", content: text("Hello"), name: "N" });
  expect(await storedBy(started)).toBe(emptySnippet - 6 + 2 + 6 + 2 + (256 + "plaintext".length + 5));
  await client.postFolder({ folderName: "Folder", folderColor: "#fff", teamId: started.team.id });
  expect(await storedBy(started)).toBe(emptySnippet + 4 + (256 + 14) + (256 + 10));
});

test("a request that would store too much is refused, changes nothing, and costs nothing", async () => {
  const started = await startService();
  const { call, client, given, key, team } = started;
  const { id } = await given.snippet();
  await limitTo(started, (await storedBy(started)) + 1_000);
  const [content, balance] = [await started.content(), await started.balance()];
  const snippet = (bytes: number) => ({ title: "T", teamId: team.id, content: text("x".repeat(bytes)) });
  // Together too large, although either would fit.
  const answer = await call("POST", "/snippets", { key: key.secret, body: { snippets: [snippet(300), snippet(300)] } });
  const required = 2 * (emptySnippet + 301);
  expect([answer.status, answer.headers.get("x-request-cost"), answer.body]).toEqual([
    403,
    "0",
    {
      success: false,
      message: `Insufficient storage: ${required} bytes required, 1000 bytes remaining`,
      error: "storage_exceeded",
      requestId: expect.any(String),
      storage: { requiredBytes: required, remainingBytes: 1_000 },
    },
  ]);
  expect([await started.content(), await started.balance()]).toEqual([content, balance]);
  expect((await started.ledger()).at(-1)).toMatchObject({ status: 403, units: 0, error_code: "storage_exceeded" });

  // Exactly what fits is stored, and not a byte more.
  await client.postSnippet(snippet(1_000 - emptySnippet - 1));
  const status = async (method: string, path: string, query: object, body: object) =>
    (await call(method, path, { key: key.secret, query: { ...query }, body })).status;
  expect(await status("PUT", "/snippet", { id }, { title: "A snippet!" })).toBe(403);
  expect(await status("POST", "/tag", {}, { tagName: "t", tagColor: "c", teamId: team.id })).toBe(403);
  // What takes no more room is done, even above a limit that was lowered.
  await limitTo(started, 10);
  expect(await status("PUT", "/snippet", { id }, { title: "Shorter" })).toBe(200);
  expect(await status("PUT", "/snippet", { id }, { isArchived: true })).toBe(200);
  expect(await violationsIn(started)).toEqual([]);
});

test("what is deleted for good gives its bytes back: with the trash, without it, and by people", async () => {
  for (const trashDays of [0, 30]) {
    const started = await startConsole({ config: { trashDays } });
    const { client, given, team, workspace } = started;
    const owner = await started.person({ role: "owner" });
    const bystander = await given.folder();
    const before = await storedBy(started);
    const { id } = await given.snippetWithVariations();
    const varied = await given.snippetWithVariations();
    await client.putSnippet({ id, content: text("Another text") });
    await owner.call("postLibraryExamples", { query: { teamId: team.id } });
    const tags = [await given.tag(), await given.tag({ tagName: "A longer name" })].map((tag) => tag.id);
    await owner.call("postLibraryTagMerge", { body: { tagId: tags[1], intoTagId: tags[0] } });
    expect(await violationsIn(started)).toEqual([]);
    await owner.call("deleteLibraryTags", { query: { tagIds: tags[0] ?? "" } });
    await owner.call("deleteLibraryExamples", { query: { teamId: team.id } });
    await client.deleteSnippetVariation({
      variationIds: varied.variations.slice(0, 2).map((variation) => variation.id),
    });
    await client.deleteSnippets({ ids: [id, varied.id] });
    if (trashDays > 0) {
      expect(await storedBy(started)).toBeGreaterThan(before);
      await started.admin((transaction) => emptyTrash(transaction, workspace.id, {}));
    }
    expect(await storedBy(started)).toBe(before);
    await client.deleteFolder({ folderId: bystander.id });
    expect(await storedBy(started)).toBe(0);
  }
});

test("people store as much as keys, and are refused with the same numbers", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner" });
  await limitTo(started, 400);
  const body = { title: "T", content: text("x".repeat(200)), teamId: started.team.id };
  const { status, body: refusal } = await owner.call("postLibrarySnippet", { body });
  const bytes = emptySnippet + 201;
  expect([status, refusal.message]).toEqual([
    403,
    `Insufficient storage: ${bytes} bytes required, 400 bytes remaining`,
  ]);
  expect(await storedBy(started)).toBe(0);
  expect((await owner.call("postLibrarySnippet", { body: { ...body, content: text("x") } })).status).toBe(200);
  expect(await storedBy(started)).toBe(emptySnippet + 2);
});

test("the operator sets a workspace's limit, or the one of all workspaces, and the audit log has both", async () => {
  const started = await startConsole();
  const { call, key, rows, team, workspace } = started;
  const operator = await started.person({ isOperator: true });
  const read = async () => (await operator.call("getStorage")).body.data;
  const store = async () =>
    (await call("POST", "/tag", { key: key.secret, body: { tagName: "t", tagColor: "c", teamId: team.id } })).status;
  expect([await store(), await read()]).toEqual([200, { bytes: 258, bytes_max: 2 ** 30, is_own_limit: false }]);
  const changed = await operator.call("putStorage", { body: { mebibytes: 0 } });
  expect(changed.body.data).toEqual({ bytes: 258, bytes_max: 0, is_own_limit: true });
  expect([await store(), await read()]).toEqual([403, changed.body.data]);
  await operator.call("putStorage", { body: { mebibytes: null } });
  expect(await store()).toBe(200);
  for (const body of [{}, { mebibytes: -1 }, { mebibytes: 1.5 }, { mebibytes: 1e10 }])
    expect((await operator.call("putStorage", { body })).status).toBe(400);
  expect(
    await rows(
      "select before, after from audit_log where workspace_id = ? and action = ?",
      workspace.id,
      "storage.change",
    ),
  ).toEqual([
    { before: '{"storage_mib":"default"}', after: '{"storage_mib":0}' },
    { before: '{"storage_mib":0}', after: '{"storage_mib":"default"}' },
  ]);
});

test("former versions end by their number and by their age, and give their bytes back; the current one stays", async () => {
  const started = await startService({});
  const { client, clock, given, service } = started;
  const { id, variations } = await given.snippetWithVariations();
  const [first, second] = variations.map((variation) => variation.id);
  for (let version = 1; version <= 250; version += 1)
    await client.putSnippet({ id, content: text(`First ${version}`) });
  clock.advance(10 * 24 * 60 * 60);
  for (let version = 1; version <= 5; version += 1)
    await client.putSnippetVariation({ variationId: second ?? "", content: text(`Second ${version}`) });
  const textsOf = async (variationId = "") =>
    (await client.getSnippetVariationHistory({ variationId, limit: 100 })).data.map(({ content }) => content.content);
  const run = (retention: { keep: number | undefined; days: number | undefined }) =>
    deleteEndedVersions(service.database, retention, async () => true);
  const before = await storedBy(started);
  expect(await run({ keep: undefined, days: undefined })).toBe(0);
  expect(await run({ keep: 3, days: undefined })).toBe(247 + 2);
  expect(await textsOf(first)).toEqual(["First 250", "First 249", "First 248", "First 247"]);
  expect(await textsOf(second)).toEqual(["Second 5", "Second 4", "Second 3", "Second 2"]);
  expect(await run({ keep: undefined, days: 5 })).toBe(3);
  expect(await textsOf(first)).toEqual(["First 250"]);
  expect((await textsOf(second)).length).toBe(4);
  expect(await storedBy(started)).toBeLessThan(before);
  expect(await violationsIn(started)).toEqual([]);
});

test("with requests on two nodes at once, exactly as many as fit are carried out", async () => {
  const started = await startService();
  const clock = () => started.clock.now;
  const nodes = [await openNode(started.dataDirectory, clock), await openNode(started.dataDirectory, clock)];
  const report = (_: string, cause: unknown) => {
    throw cause;
  };
  const settings = { requestsPerMinute: 1_000, trashDays: 30, storageBytesMax: 2 ** 30, report };
  const runs = nodes.map((node) => createCalls(node, settings).run);
  const secrets = [started.key.secret, started.limitedKey.secret];
  const body = Buffer.from(JSON.stringify({ tagName: "Stored", tagColor: "#fff", teamId: started.team.id }));
  const bytes = 256 + 10;
  const store = async (index: number) => {
    const outcome = await runs[index % 2]?.(
      { secretHash: hashSecret(secrets[(index >> 1) % 2] ?? ""), clientAddress: "203.0.113.7" },
      {
        name: "postTag",
        input: parseInput(operations.postTag, "", body),
        ifNoneMatch: null,
        room: new ResponseRoom(new Downloads()),
        bodyBytes: 0,
        origin: { requestId: crypto.randomUUID(), clientAddress: "203.0.113.7", receivedAt: performance.now() },
      },
    );
    return outcome?.kind === "refused" ? outcome.reason.message : outcome?.kind;
  };
  try {
    for (let round = 0; round < 5; round += 1) {
      await limitTo(started, (await storedBy(started)) + 3 * bytes + 5);
      const outcomes = await Promise.all(Array.from({ length: 16 }, (_, index) => store(index)));
      const refused = `Insufficient storage: ${bytes} bytes required, 5 bytes remaining`;
      expect(outcomes.sort()).toEqual([...Array(13).fill(refused), ...Array(3).fill("done")]);
    }
    expect(await violationsIn(started)).toEqual([]);
  } finally {
    for (const node of nodes) await node.close();
  }
});
