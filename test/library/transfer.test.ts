// POST /import and GET /export: what a key imports and exports, and what it pays for that.
import { expect, test } from "bun:test";
import { zipSync } from "fflate";
import { warningsHeader, warningsHeaderLengthMax, warningsHeaderName } from "../../src/contract/export-warnings.ts";
import { readTeam } from "../../src/library/export/team.ts";
import { readFiles } from "../../src/library/formats/formats.ts";
import { changeStorageLimit } from "../../src/metering/storage/storage.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { setAllowance } from "../support/quota.ts";
import { leave } from "../support/refusals.ts";
import { refusalOf, startService, text } from "../support/service.ts";
import { fileOf, shownAll } from "../support/tree-texts.ts";

const raycast = (...names: string[]) =>
  JSON.stringify(names.map((name) => ({ name, text: `Text of ${name}`, keyword: `!${name.slice(0, 50)}` })));

const noCounts = {
  ...{ createdCount: 0, replacedCount: 0, skippedCount: 0, folderCount: 0, tagCount: 0 },
  ...{ remainingCount: 0, problemCount: 0, warningCount: 0 },
};

test("an import makes snippets of the key in a folder, lists what is wrong, and costs what it makes; a dry run costs 1 and changes nothing", async () => {
  const { client, given, team, key, content, rows, workspace } = await startService();
  const folder = await given.folder();
  const file = raycast("a", "x".repeat(201), "b");
  const request = { teamId: team.id, folderId: folder.id, fileName: "mine.json", file };
  const unchanged = await content();
  const dry = await client.postImport({ ...request, dryRun: true });
  expect(await content()).toEqual(unchanged);
  const problems = [
    { file: "mine.json", line: 1, message: `"${"x".repeat(60)}…": the title must be 1 to 200 characters.` },
  ];
  const row = (name: string) => ({
    ...{ title: name, shortcut: `!${name}`, content_type: "plaintext", folder: null, duplicate: null },
  });
  expect(JSON.parse(JSON.stringify(dry))).toEqual({
    success: true,
    data: {
      ...{ importId: null, format: "raycast", isFinished: false, createdSnippets: [], problems, warnings: [] },
      snippets: [
        { ...row("a"), action: "create" },
        { ...row("b"), action: "create" },
      ],
      ...{ folders: [], tags: [], table: null },
    },
    usage: { ...dry.usage, usageDeducted: 1 },
    metadata: { ...noCounts, createdCount: 2, problemCount: 1 },
  });

  const { cursor } = (await client.getChanges()).data;
  const done = await client.postImport(request);
  expect(done.usage.usageDeducted).toBe(3);
  expect(done.data).toMatchObject({ isFinished: true, problems, snippets: [] });
  expect(done.metadata).toEqual({ ...noCounts, createdCount: 2, problemCount: 1 });
  const ids = done.data.createdSnippets.map(({ snippetId }) => snippetId);
  const { changes } = (await client.getChanges({ cursor })).data;
  expect(changes.map(({ action, id }) => [action, id])).toEqual(ids.map((id) => ["created", id]));
  const { data } = await client.getSnippets({ ids });
  expect(data.map(({ title, shortcut, folder_id, team_id }) => [title, shortcut, folder_id, team_id])).toEqual([
    ["a", "!a", folder.id, team.id],
    ["b", "!b", folder.id, team.id],
  ]);
  expect((await client.getSnippet({ id: ids[0] ?? "" })).data.created_by).toBe(key.id);
  expect(await rows("select created_by from imports where workspace_id = ?", workspace.id)).toEqual([
    { created_by: key.id },
  ]);

  const again = await client.postImport(request);
  expect([again.metadata, again.usage.usageDeducted]).toEqual([{ ...noCounts, skippedCount: 2, problemCount: 1 }, 1]);
  const changed = file.replace("Text of a", "Other text");
  const { data: seen } = await client.postImport({ ...request, file: changed, onDuplicate: "create", dryRun: true });
  expect(seen.snippets.map(({ action, duplicate }) => [action, duplicate])).toEqual([
    ["create", { snippet_id: ids[0] ?? "", title: "a", match: "shortcut" }],
    ["create", { snippet_id: ids[1] ?? "", title: "b", match: "both" }],
  ]);
  const replaced = await client.postImport({ ...request, file: changed, onDuplicate: "replace" });
  expect([replaced.metadata.replacedCount, replaced.usage.usageDeducted]).toEqual([1, 2]);
  expect((await client.getText({ id: ids[0] ?? "" })).data).toBe("Other text");
});

test("a large import takes several requests, each of them in one transaction with its charge, and a repeat with the same key makes nothing", async () => {
  const { client, team, given, balance } = await startService();
  const names = Array.from({ length: 25 }, (_, index) => `s${index}`);
  const request = { teamId: team.id, file: raycast(...names), maxItems: 10 };
  const first = await client.postImport(request, { idempotencyKey: "one" });
  expect(await client.postImport(request, { idempotencyKey: "one" })).toEqual(first);
  expect(first.metadata).toEqual({ ...noCounts, createdCount: 10, remainingCount: 15 });
  expect([first.data.isFinished, first.usage.usageDeducted]).toEqual([false, 11]);
  // Another file in between is another import.
  expect((await client.postImport({ teamId: team.id, file: raycast("other") })).data.isFinished).toBe(true);
  await given.snippet();
  const second = await client.postImport(request);
  const third = await client.postImport(request);
  expect([second.metadata.remainingCount, third.metadata.remainingCount, third.data.isFinished]).toEqual([5, 0, true]);
  expect([first, second, third].map(({ data }) => data.importId)).toEqual(Array(3).fill(first.data.importId));
  expect((await client.getTeams()).data.teams[0]?.snippet_count).toBe(27);
  expect(await balance()).toBe(100_000 - 11 - 2 - 2 - 11 - 6 - 1);
});

test("a table is imported by the columns that somebody chose, as pairs or as an object, and others than that are refused", async () => {
  const { client, call, key, team } = await startService();
  const file = "Name;Phrase;Key\nGreeting;Hello;!hi\n";
  const request = { teamId: team.id, file };
  expect(await refusalOf(client.postImport({ ...request, columns: { title: "Name" } }))).toMatchObject({
    message: "import, line 1: Choose the column that contains the snippet text.",
  });
  const seen = async (columns?: { content: string }) =>
    (await client.postImport({ ...request, columns, dryRun: true })).data.table;
  expect([await seen(), await seen({ content: "2" })]).toEqual([
    {
      rows: [
        ["Name", "Phrase", "Key"],
        ["Greeting", "Hello", "!hi"],
      ],
      ...{ fields: ["title", "content", null], has_headings: true },
    },
    null,
  ]);
  const done = await client.postImport({ ...request, columns: { title: "name", content: "2", shortcut: "Key" } });
  const ids = done.data.createdSnippets.map(({ snippetId }) => snippetId);
  expect((await client.getSnippets({ ids })).data).toMatchObject([
    { title: "Greeting", content: text("Hello"), shortcut: "!hi" },
  ]);
  const send = (columns: string, format = "csv") =>
    call("POST", "/import", {
      key: key.secret,
      query: { teamId: team.id, dryRun: "true", columns, format },
      body: file,
    });
  expect((await send("content=Phrase, title = 1")).body.data.snippets).toMatchObject([{ title: "Greeting" }]);
  expect((await send("content=2", "vscode")).body.message).toBe("You can choose columns only for the CSV format.");
  expect((await send("content=4")).body.message).toBe('import, line 1: The table has no column "4".');
  const names = "title, shortcut, content, note, folder, tags, type";
  for (const columns of ["", "content", "content=", "text=2", "content=1,content=2", "{", '{"content":2}', "{}x"])
    expect((await send(columns)).body).toMatchObject({
      error: "invalid_request",
      message: `columns must be comma-separated pairs or a JSON object of strings, with each of ${names} at most once`,
    });
});

test("all or nothing: a file with a problem is refused with all of them, and one that units or storage do not suffice for, before anything is made", async () => {
  const started = await startService();
  const { client, team, workspace, content, rows, balance, admin } = started;
  const unchanged = await content();
  const whole = { teamId: team.id, allOrNothing: true };
  // A part that cannot be read, and two that cannot be stored.
  const many = zipSync({
    "a.json": Buffer.from(raycast("fine", "x".repeat(201), "y".repeat(201))),
    "b.json": Buffer.from("[{ name: "),
    "icon.png": new Uint8Array([0x89, 0x50, 0, 0]),
  });
  const failed = (file: string | Uint8Array) =>
    client.postImport({ ...whole, file, maxItems: 10 }).catch((error: unknown) => error);
  const refused = await failed(many);
  const problem = (letter: string) => ({
    ...{ file: "a.json", line: 1 },
    message: `"${letter.repeat(60)}…": the title must be 1 to 200 characters.`,
  });
  expect(refused).toMatchObject({
    ...{ status: 400, code: "file_has_problems" },
    message: expect.stringMatching(
      /^Nothing was imported because of 3 problems\. The first: b\.json, line 1: Not valid JSON/,
    ),
    problems: [{ file: "b.json", line: 1 }, problem("x"), problem("y")],
  });

  const names = Array.from({ length: 25 }, (_, index) => `s${index}`);
  const large = raycast(...names);
  // 25 snippets in 3 requests.
  await leave(started, 27);
  expect(await failed(large)).toMatchObject({ code: "quota_exceeded", requiredRequests: 28 });
  await leave(started, 1_000);
  const bytes = names.reduce((sum, name) => sum + `${name}Text of ${name}!${name}Defaultplaintext`.length + 256, 0);
  const limitStorage = async (left: number) => {
    const [{ bytes: stored } = { bytes: 0 }] = await rows<{ bytes: number }>(
      "select bytes from workspace_storage where workspace_id = ?",
      workspace.id,
    );
    await admin((transaction) => changeStorageLimit(transaction, workspace.id, Number(stored) + left, 0));
  };
  await limitStorage(bytes - 1);
  expect(await failed(large)).toMatchObject({
    code: "storage_exceeded",
    body: { storage: { requiredBytes: bytes, remainingBytes: bytes - 1 } },
  });
  expect([await content(), await rows("select id from imports where workspace_id = ?", workspace.id)]).toEqual([
    unchanged,
    [],
  ]);
  expect(await balance()).toBe(1_000);

  await limitStorage(bytes);
  const done = [await failed(large), await failed(large), await failed(large)];
  expect(done).toMatchObject([10, 10, 5].map((createdCount) => ({ metadata: { createdCount } })));
});

test("a request that continues an import and arrives after it was undone imports nothing, nor does one that names another import", async () => {
  const { client, team, otherTeam, rows, workspace } = await startService();
  const request = { teamId: team.id, file: raycast("a", "b", "c"), maxItems: 1 };
  const importId = (await client.postImport(request)).data.importId ?? "";
  const late = { ...request, importId };
  expect((await client.postImport(late)).metadata).toMatchObject({ createdCount: 1, remainingCount: 1 });
  const other = { message: "importId must be an import of this file into the team, with the same parameters" };
  for (const wrong of [
    { ...late, file: raycast("d") },
    { ...late, teamId: otherTeam.id },
    { ...late, onDuplicate: "create" as const },
    { ...late, importId: team.id },
  ])
    expect(await refusalOf(client.postImport(wrong))).toMatchObject({ status: 400, code: "invalid_request", ...other });
  await client.postImportUndo({ importId });
  expect(await refusalOf(client.postImport(late))).toMatchObject({
    ...{ status: 409, code: "import_undone" },
    message: "This import was undone. To import the file again, start a new import",
  });
  expect(await rows("select id from imports where workspace_id = ?", workspace.id)).toEqual([{ id: importId }]);
  expect((await client.getTeams()).data.teams.map(({ snippet_count }) => snippet_count)).toEqual([0, 0]);

  // Without the ID, it is another import, and one that is finished stays so.
  const again = await client.postImport({ ...request, maxItems: 3 });
  expect(again.data.importId).not.toBe(importId);
  const finished = await client.postImport({ ...request, importId: again.data.importId ?? "" });
  expect([finished.data.isFinished, finished.metadata.createdCount]).toEqual([true, 0]);
});

test("a key lists a team's imports and undoes one in parts, each charged like deletes; what somebody changed stays, and after 30 days it is too late", async () => {
  const { client, given, team, key, admin, workspace, clock } = await startService();
  const kept = await given.snippet({ title: "Old", shortcut: "!old", content: text("Old text") });
  const rows = Array.from({ length: 104 }, (_, index) => `s${index},Text ${index},,One / Two,green`);
  const file = ["title,content,shortcut,folder,tags", ...rows, "Old,New text,!old,,"].join("\n");
  const made = await client.postImport({ teamId: team.id, file, fileName: "table.csv", onDuplicate: "replace" });
  // 104 snippets, 2 folders, a tag, and a new version.
  expect([made.data.isFinished, made.usage.usageDeducted]).toEqual([true, 1 + 104 + 2 + 1 + 1]);
  const importId = made.data.importId ?? "";
  const unfinished = await client.postImport({ teamId: team.id, file: raycast("a", "b"), maxItems: 1 });
  const changed = made.data.createdSnippets[7]?.snippetId ?? "";
  clock.advance(1);
  await client.putSnippet({ id: changed, title: "Ours now", folderId: null });

  const list = async () =>
    (await Array.fromAsync(client.getImportsPages({ teamId: team.id, limit: 1 }))).flatMap(({ data }) =>
      data.imports.map(({ id, file_name, format, status }) => [id, file_name, format, status]),
    );
  const listed = (status: string) => [
    [String(unfinished.data.importId), "import", "raycast", "unfinished"],
    [importId, "table.csv", "csv", status],
  ];
  expect(await list()).toEqual(listed("finished"));
  const { data, usage } = await client.getImports({ teamId: team.id });
  expect([data.imports[1]?.created_by, data.imports[1]?.team_id, usage.usageDeducted]).toEqual([key.id, team.id, 3]);

  const undo = async () => {
    const { data, metadata, usage } = await client.postImportUndo({ importId });
    expect(data).toEqual({ importId, isFinished: metadata.remainingCount === 0 });
    return [...Object.values(metadata), usage.usageDeducted];
  };
  // Deleted, restored, kept, folders, tags, remaining, units.
  expect(await undo()).toEqual([99, 0, 1, 0, 0, 4 + 1 + 3, 1 + 99]);
  expect(await list()).toEqual(listed("undone"));
  // The tag is still in use.
  expect(await undo()).toEqual([4, 1, 0, 2, 0, 0, 1 + 4 + 1 + 2]);
  expect(await undo()).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect((await client.getText({ id: kept.id })).data).toBe("Old text");
  expect((await client.getTree({ teamId: team.id })).data).toMatchObject({
    folders: [],
    tags: [{ tag_name: "green" }],
  });
  // The same file again is another import.
  expect((await client.postImport({ teamId: team.id, file, fileName: "table.csv" })).data.importId).not.toBe(importId);

  const day = 24 * 60 * 60 * 1_000;
  const beginAt = (daysAgo: number) =>
    admin((transaction) => {
      const at = new Date(Date.parse(transaction.now) - daysAgo * day).toISOString();
      return transaction.run(sql`update imports set created_at = ${at} where workspace_id = ${workspace.id}`);
    });
  const late = { importId: unfinished.data.importId ?? "" };
  await beginAt(30.01);
  expect(await list()).toEqual([]);
  expect(await refusalOf(client.postImportUndo(late))).toMatchObject({ status: 404, code: "import_not_found" });
  await beginAt(29.99);
  expect((await client.postImportUndo(late)).metadata.deletedCount).toBe(1);
});

test("a file that cannot be imported is refused with its reason, for 1 unit", async () => {
  const { client, team, call, key, balance } = await startService();
  const before = await balance();
  const refused = (file: string | Uint8Array) => refusalOf(client.postImport({ teamId: team.id, file }));
  expect(await refused("")).toMatchObject({ status: 400, message: "A file is required as the request body" });
  expect(await refused('[\n{"name": }]')).toMatchObject({
    status: 400,
    code: "file_unreadable",
    message: "import, line 2: Not valid JSON: value expected.",
  });
  expect(await refused(zipSync({ "../a.txt": new Uint8Array(9) }))).toMatchObject({
    message: '"../a.txt": "../a.txt" is not a path inside the archive.',
  });
  const many = `title,content\n${"a,b\n".repeat(10_001)}`;
  expect(await refused(many)).toMatchObject({
    message: "The file has 10,001 snippets, and one import can have at most 10,000. Import it in parts",
  });
  const large = await call("POST", "/import", {
    ...{ key: key.secret, query: { teamId: team.id }, body: "x".repeat(8 * 1024 * 1024 + 1) },
  });
  expect([large.status, large.body.message]).toEqual([413, "Request body is too large"]);
  expect(await balance()).toBe(before - 5);
});

test("an export is everything of a team as a file, and costs a unit for each text in it", async () => {
  const { client, given, team, otherTeam, limitedKey, call } = await startService();
  const folder = await given.folder({ folderName: "Folder" });
  const tag = await given.tag({ tagName: "Tag" });
  const snippet = await given.snippetWithVariations({ title: "One", folderId: folder.id, tagIds: [tag.id] });
  await client.putSnippet({ id: snippet.id, content: text("Changed") });
  const { data, usage } = await client.getExport({ teamId: team.id });
  expect([data.name, usage.usageDeducted]).toEqual(["commonplace.zip", 1 + 3 + 1]);
  const { tree } = readFiles([fileOf(data.name, data.bytes)]);
  expect(shownAll(tree)).toEqual([
    {
      ...{ title: "One", plaintext: "Changed", folder: "Folder", tags: ["Tag"] },
      further: [
        ["Second", "plaintext", "Second text"],
        ["Third", "plaintext", "Third text"],
      ],
    },
  ]);
  expect(tree.snippets[0]?.variations[0]?.formerVersions.map(({ content }) => content)).toEqual(["Hello"]);
  const answer = await call("GET", "/export", { key: limitedKey.secret, query: { teamId: team.id, format: "csv" } });
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
  expect([answer.headers.get("x-request-cost"), answer.headers.get("x-content-type-options")]).toEqual([
    "4",
    "nosniff",
  ]);
  expect(answer.text).toContain("Changed");
  expect([data.warnings, answer.headers.get("x-export-warnings")]).toEqual([
    [],
    '["CSV does not support additional variations (left out of \\"One\\").", "CSV does not support colors for folders and tags."]',
  ]);
  // Code is counted, and named first.
  const note = "```snipmate\nhasTabStops: true\n```";
  await client.postSnippet({ title: "Date", teamId: team.id, note, content: text("`strftime()`") });
  const code = await call("GET", "/export", { key: limitedKey.secret, query: { teamId: team.id, format: "snipmate" } });
  expect([code.headers.get("x-export-code-count"), JSON.parse(code.headers.get("x-export-warnings") ?? "")[0]]).toEqual(
    ["1", 'SnipMate runs code from a snippet when you insert it: "Date" (_.snippets:1).'],
  );
  expect(answer.headers.get("x-export-code-count")).toBeNull();
  // What is exported comes in again.
  const back = await client.postImport({ teamId: otherTeam.id, file: data.bytes });
  expect(back.metadata).toMatchObject({ createdCount: 1, folderCount: 1, tagCount: 1, problemCount: 0 });
});

/** It would end the header, or say something else there. */
const hostileTitle = 'é 😀"], \\ X-Evil: \u0085\u200b\u007f';

test("the warnings of an export are a header of visible ASCII, of limited length, and in the words of the export", () => {
  const messages = [`A\r\nX-Evil: 1\0 ${hostileTitle}`, "\ud83d alone", "😀".repeat(300), "Short"];
  const { [warningsHeaderName]: header = "" } = warningsHeader(messages);
  expect(header).toMatch(/^[ -~]+$/);
  const shown = JSON.parse(header);
  expect([shown.length, shown[0], shown[1], shown[3]]).toEqual([4, messages[0], messages[1], "Short"]);
  expect(shown[2]).toMatch(/^(😀){41}…$/u);
  const many = warningsHeader(Array.from({ length: 50 }, (_, index) => `${index} ${"é".repeat(index)}`));
  const counted = JSON.parse(many[warningsHeaderName] ?? "");
  expect(many[warningsHeaderName]?.length).toBeLessThanOrEqual(warningsHeaderLengthMax);
  expect(counted.at(-1)).toBe(`${51 - counted.length} more warnings.`);
  expect(JSON.parse(warningsHeader(Array(5).fill("é".repeat(200)))[warningsHeaderName] ?? "").at(-1)).toBe(
    "1 more warning.",
  );
  expect(warningsHeader([])).toEqual({});
});

test("a team that is not small is exported by a process, as a whole and for the same price, or not at all", async () => {
  const started = await startService();
  const { client, team, workspace, service, balance } = started;
  const snippets = Array.from({ length: 60 }, (_, index) => ({
    ...{
      title: index === 0 ? hostileTitle : `Snippet ${index}`,
      teamId: team.id,
      content: text(`Text ${index} é 😀`),
      shortcut: `!${index}`,
      note: index === 1 ? "```ultisnips\npre_expand: x()\n```" : null,
    },
    additionalVariations: index < 5 ? [{ variationName: "Second", content: text(`Second ${index}`) }] : [],
  }));
  const { createdSnippets } = (await client.postSnippets({ snippets })).data;
  await client.putSnippet({ id: createdSnippets[0]?.snippetId ?? "", content: text("Changed") });
  await setAllowance(started, 60 + 1 + 66);
  expect(await refusalOf(client.getExport({ teamId: team.id }))).toMatchObject({
    ...{ status: 403, message: "Insufficient API requests: 67 required, 66 remaining" },
  });
  expect(await balance()).toBe(66);

  // One process of a workspace at a time: that of the refused request has ended.
  await setAllowance(started, 1_000);
  const { data, usage, response } = await client.getExport({ teamId: team.id });
  expect([data.name, usage.usageDeducted, response?.cost]).toEqual(["commonplace.zip", 67, 67]);
  const exported = { workspaceId: workspace.id, teamId: team.id, withVersions: true };
  const tree = await service.database.read((transaction) => readTeam(transaction, exported));
  expect(readFiles([fileOf(data.name, data.bytes)]).tree).toEqual(tree);

  const chunks: Uint8Array[] = [];
  const onChunk = (chunk: Uint8Array) => void chunks.push(chunk);
  const csv = await client.getExport({ teamId: team.id, format: "csv" }, { onChunk });
  expect(csv.data.warnings).toEqual([
    `CSV does not support additional variations (left out of 5 snippets, such as "${hostileTitle}").`,
  ]);
  expect([csv.data.bytes.length, csv.usage.usageDeducted]).toEqual([0, 66]);
  expect(readFiles([fileOf(csv.data.name, Buffer.concat(chunks))]).tree.snippets).toHaveLength(60);
  expect(csv.data.codeCount).toBe(0);
  const { warnings, codeCount } = (await client.getExport({ teamId: team.id, format: "ultisnips" })).data;
  expect([codeCount, warnings[0]]).toEqual([
    1,
    'UltiSnips runs code from a snippet when you insert it: "Snippet 1" (all.snippets:5).',
  ]);
});
