// cpl sync, import, and export: files that other tools read, with a real service and real directories.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "../../cli/src/command-line.ts";
import { importFile } from "../../cli/src/commands/import.ts";
import { Settings } from "../../cli/src/settings.ts";
import { formatMoment } from "../../cli/src/terminal/print.ts";
import type { PostImportArguments, PostImportUndoArguments } from "../../sdk/src/index.ts";
import { readFiles } from "../../src/library/formats/formats.ts";
import { changeStorageLimit } from "../../src/metering/storage/storage.ts";
import { openCpl } from "../support/cpl.ts";
import { until } from "../support/nodes.ts";
import { startService, temporaryDirectory } from "../support/service.ts";
import { fileOf, shownAll } from "../support/tree-texts.ts";

const plain = (content: string) => ({ type: "plaintext", content });

test("VS Code gets a file for each folder; cpl updates and removes its own files, and keeps files of others and files that were changed", async () => {
  const service = await startService();
  const cpl = openCpl(service, service.limitedKey.secret);
  const [replies, drafts] = await Promise.all(
    ["Replies", "Drafts"].map((folderName) =>
      service.client.postFolder({ folderName, folderColor: "#336699", teamId: service.team.id }),
    ),
  );
  const { id } = await service.given.snippet({
    title: "Refund",
    shortcut: "refund",
    content: { type: "typescript", content: "a\nb" },
    folderId: replies?.data.folder.id,
  });
  const draft = await service.given.snippet({ title: "Draft", folderId: drafts?.data.folder.id });
  const directory = join(cpl.home, ".config/Code/User/snippets");
  const path = (name: string) => join(directory, `commonplace-Own team.${name}.code-snippets`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "own.code-snippets"), "mine");

  const first = JSON.parse(await cpl.print(["sync", "vscode", "--json"]));
  expect(first).toMatchObject({ directory, written: [expect.any(String), expect.any(String)], removed: [], kept: [] });
  expect(JSON.parse(readFileSync(path("Replies"), "utf8"))).toEqual({
    Refund: { prefix: "refund", scope: "typescript", body: ["a", "b"] },
  });
  expect(JSON.parse(await cpl.print(["sync", "vscode", "--json"]))).toMatchObject({ written: [], removed: [] });

  await service.client.putSnippet({ id, content: { type: "typescript", content: "c" } });
  await service.client.deleteSnippet({ id: draft.id });
  const dry = await cpl.run(["sync", "vscode", "--dry-run"]);
  expect(dry.stderr).toContain("Would sync 1 snippet in 1 file");
  expect(readFileSync(path("Replies"), "utf8")).toContain('"a"');
  await cpl.run(["sync", "vscode"]);
  expect(JSON.parse(readFileSync(path("Replies"), "utf8"))).toMatchObject({ Refund: { body: "c" } });
  expect(existsSync(path("Drafts"))).toBeFalse();

  // A file that a person changed, one that is not cpl's, and a link that leads elsewhere.
  writeFileSync(path("Replies"), "changed by hand");
  const target = join(cpl.home, "elsewhere");
  writeFileSync(target, "precious");
  symlinkSync(target, path("Drafts"));
  await service.given.snippet({ title: "Draft", folderId: drafts?.data.folder.id });
  await service.client.putSnippet({ id, title: "Refunds" });
  const kept = await cpl.run(["sync", "vscode"]);
  expect(kept.status).toBe(1);
  expect(kept.stderr).toContain("commonplace-Own team.Replies.code-snippets has been changed, so it stays as it is.");
  expect(kept.stderr).toContain(
    "commonplace-Own team.Drafts.code-snippets was not created by cpl, so it stays as it is.",
  );
  expect(readFileSync(path("Replies"), "utf8")).toBe("changed by hand");
  expect(readFileSync(target, "utf8")).toBe("precious");
  expect(readFileSync(join(directory, "own.code-snippets"), "utf8")).toBe("mine");
});

test("every other tool gets its files too, and a colleague's note never becomes an Espanso command", async () => {
  const service = await startService();
  const cpl = openCpl(service, service.limitedKey.secret);
  await service.given.snippet({
    title: "Evil",
    shortcut: ":evil",
    content: plain("{{output}}"),
    note: "```espanso\nvars:\n  - name: output\n    type: shell\n    params: { cmd: touch evil }\n```",
  });
  const endings = { espanso: ".yml", markdown: ".md", jetbrains: ".xml", raycast: ".json" };
  const syncing = Object.entries(endings).map(async ([tool, ending]) => {
    const directory = join(cpl.home, tool);
    await cpl.run(["sync", tool, "--to", directory]);
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
    expect(files).toHaveLength(1);
    const text = readFileSync(join(directory, files[0] ?? ""), "utf8");
    expect(text).toContain("{{output}}");
    if (tool === "espanso") expect(text).not.toMatch(/shell|touch/);
  });
  await Promise.all(syncing);
});

test("with --watch, a colleague's correction is in the file within a second; a lost connection is waited out, and Ctrl+C ends it", async () => {
  const service = await startService({});
  const cpl = openCpl(service, service.limitedKey.secret);
  const { client, given, team, dataDirectory } = service;
  const folder = (await client.postFolder({ folderName: "Replies", folderColor: "#336699", teamId: team.id })).data
    .folder;
  const { id } = await given.snippet({ title: "Refund", content: plain("Sory"), folderId: folder.id });
  const directory = join(cpl.home, ".config/Code/User/snippets");
  const path = (name: string) => join(directory, `commonplace-Own team.${name}.code-snippets`);
  const bodyOf = (name: string, title: string) =>
    existsSync(path(name)) && JSON.parse(readFileSync(path(name), "utf8"))[title]?.body;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "own.code-snippets"), "mine");

  const watching = cpl.inTerminal(["sync", "vscode", "--watch"]);
  await watching.until((text) => text.includes("Press Ctrl+C to stop."));
  expect(bodyOf("Replies", "Refund")).toBe("Sory");
  await client.putSnippet({ id, content: plain("Sorry") });
  await until(async () => bodyOf("Replies", "Refund") === "Sorry", 1_000);
  expect(watching.shown()).toContain("Updated commonplace-Own team.Replies.code-snippets.");

  const made = ["A", "B", "C", "D"].map((title) => ({
    title,
    content: plain(title),
    teamId: team.id,
    folderId: folder.id,
  }));
  const { createdSnippets } = (await client.postSnippets({ snippets: made })).data;
  await until(async () => bodyOf("Replies", "D") === "D", 1_000);
  await client.putSnippet({ id: createdSnippets[0]?.snippetId ?? "", isArchived: true });
  await client.deleteSnippet({ id: createdSnippets[1]?.snippetId ?? "" });
  await client.putFolder({ folderId: folder.id, folderName: "Answers" });
  await until(async () => !existsSync(path("Replies")) && bodyOf("Answers", "B") === undefined, 2_000);
  expect(Object.keys(JSON.parse(readFileSync(path("Answers"), "utf8")))).toEqual(["Refund", "C", "D"]);

  await service.service.stop();
  await watching.until((text) => text.includes("The connection to the service was lost. Trying again ..."));
  const again = await startService({ config: { dataDirectory, port: service.service.port } });
  await again.clientFor(service.key.secret).putSnippet({ id, content: plain("Very sorry") });
  await until(async () => bodyOf("Answers", "Refund") === "Very sorry", 10_000);
  expect(watching.shown()).toContain("Reconnected.");
  expect(readFileSync(join(directory, "own.code-snippets"), "utf8")).toBe("mine");

  watching.type("\u0003");
  expect(await watching.exited).toBe(0);
  expect(Bun.stripANSI(watching.shown())).toEndWith("Stopped.\n");
});

test("a file of another tool comes into a team, what cannot be imported is said, and a team comes out as an archive", async () => {
  const service = await startService();
  const cpl = openCpl(service, service.limitedKey.secret);
  const path = join(cpl.home, "replies.json");
  const snippets = [
    { name: "Delivery", text: "On its way", keyword: "!d" },
    { name: "x".repeat(201), text: "y", keyword: "" },
  ];
  writeFileSync(path, JSON.stringify(snippets));
  const problem = `"${"x".repeat(60)}…": the title must be 1 to 200 characters.`;
  const report = join(cpl.home, "left-out.csv");
  expect(await cpl.run(["import", path, "--all-or-nothing", "--report", report])).toEqual({
    ...{ status: 1, stdout: "" },
    stderr: `cpl: nothing was imported because of 1 problem: replies.json, line 1: ${problem}\n`,
  });
  expect(readFileSync(report, "utf8")).toBe(
    `kind,file,line,message\nproblem,replies.json,1,"${problem.replaceAll('"', '""')}"\n`,
  );
  const imported = await cpl.run(["import", path]);
  const [importId = ""] = /[0-9a-f-]{36}/.exec(imported.stdout) ?? [];
  expect(imported).toEqual({
    status: 1,
    stdout: `Imported 1 snippet, 0 folders, and 0 tags.\nTo undo it: cpl undo-import ${importId}\n`,
    stderr: `Not imported:\n  replies.json:1: ${problem}\n`,
  });
  const archive = join(cpl.home, "team.zip");
  expect(await cpl.run(["export", archive])).toEqual({ status: 0, stdout: "", stderr: `Exported to ${archive}.\n` });
  const { tree } = readFiles([fileOf("team.zip", readFileSync(archive))]);
  expect(shownAll(tree)).toEqual([{ title: "Delivery", shortcut: "!d", plaintext: "On its way" }]);

  expect(await cpl.print(["undo-import", importId])).toBe("Moved 1 snippet to the trash, and restored 0 texts.\n");
  const [when] = (await service.client.getImports()).data.imports.map(({ created_at }) => formatMoment(created_at));
  expect(await cpl.print(["imports"])).toBe([importId, when, "raycast", "undone", "replies.json\n"].join("\t"));
});

test("an import of everything or nothing is taken back where a later request is refused", async () => {
  const { client, team, workspace, admin } = await startService();
  const path = join(temporaryDirectory(), "many.csv");
  // One more than a request imports.
  const rows = Array.from({ length: 501 }, (_, index) => `s${index},Text ${index}`);
  writeFileSync(path, ["title,content", ...rows].join("\n"));
  let requests = 0;
  const fillingUp = {
    postImport: async (request: PostImportArguments) => {
      const answer = await client.postImport(request);
      requests += 1;
      // Somebody else has used up the storage.
      await admin((transaction) => changeStorageLimit(transaction, workspace.id, 1, 0));
      return answer;
    },
    postImportUndo: (request: PostImportUndoArguments) => client.postImportUndo(request),
  };
  const { words, options } = parse(importFile, [path, "--all-or-nothing", "--team", team.id]);
  const connect = async () => ({ client: fillingUp }) as never;
  const settings = new Settings({});
  await expect(importFile.run({ words, options, isJson: true, settings, connect })).rejects.toThrow(
    /^Insufficient storage/,
  );
  expect(requests).toBe(1);
  expect((await client.getTeams()).data.teams[0]?.snippet_count).toBe(0);
});
