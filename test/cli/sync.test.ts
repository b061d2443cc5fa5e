// cpl sync, import, and export: files that other tools read, with a real service and real directories.
import "../support/once.ts";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "../../cli/src/command-line.ts";
import { importFile } from "../../cli/src/commands/import.ts";
import { readSource } from "../../cli/src/import-source.ts";
import { Settings } from "../../cli/src/settings.ts";
import { formatMoment } from "../../cli/src/terminal/print.ts";
import type { PostImportArguments, PostImportUndoArguments } from "../../sdk/src/index.ts";
import { readFiles } from "../../src/library/formats/formats.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { changeStorageLimit } from "../../src/metering/storage/storage.ts";
import { openCpl } from "../support/cpl.ts";
import { until } from "../support/nodes.ts";
import { startService, temporaryDirectory } from "../support/service.ts";
import { fileOf, shownAll } from "../support/tree-texts.ts";

const plain = (content: string) => ({ type: "plaintext", content });

test("VS Code gets a file for each folder; cpl updates and removes its own files, and keeps other people's files and files that were changed", async () => {
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
  expect(dry.stderr).toBe(
    `Dry run: no changes made.\nVS Code does not support colors for folders and tags.\nWould update commonplace-Own team.Replies.code-snippets.\nWould remove commonplace-Own team.Drafts.code-snippets.\nWould sync 1 snippet in 1 file to ${directory}: create 0 files, change 1, and remove 1.\n`,
  );
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
  expect(kept.status).toBe(3);
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
    note: "```espanso\nword: true\nvars:\n  - name: output\n    type: shell\n    params: { cmd: touch evil }\n```",
  });
  const tools = [
    ["espanso", ".yml", "{{"],
    ["markdown", ".md", "{{output}}"],
    ["jetbrains", ".xml", 'value="$output$"'],
    ["raycast", ".json", '{argument name=\\"output\\"}'],
  ] as const;
  const syncing = tools.map(async ([tool, ending, placeholder]) => {
    const directory = join(cpl.home, tool);
    const { stderr } = await cpl.run(["sync", tool, "--to", directory]);
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
    expect(files).toHaveLength(1);
    const text = readFileSync(join(directory, files[0] ?? ""), "utf8");
    expect(text).toContain(placeholder);
    if (tool === "espanso") {
      // Its other settings are written, and Espanso asks for what the command would have made.
      expect(text).toContain("word: true");
      expect(text).toContain("output: [[output]]");
      expect(text).not.toMatch(/shell|touch/);
      expect(stderr).toContain('left out: {{output}} of "Evil".');
    }
  });
  await Promise.all(syncing);
});

test("Markdown in both directions: changes of files and snippets meet, a conflict keeps both versions, and a key that can only read uploads nothing", async () => {
  const service = await startService();
  const cpl = openCpl(service, service.limitedKey.secret);
  const { client, given, team, workspace } = service;
  const folder = await given.folder({ folderName: "Replies" });
  const tag = await given.tag({ tagName: "mail" });
  const inFolder = { folderId: folder.id, tagIds: [tag.id] };
  const formal = { variationName: "Formal", content: plain("Dear") };
  const refund = await given.snippet({ title: "Refund", ...inFolder, additionalVariations: [formal] });
  const delay = await given.snippet({ title: "Delay", content: plain("a\nb\nc\nd"), ...inFolder });
  const other = await given.snippet({ title: "Other", content: plain("other") });
  const gone = await given.snippet({ title: "Gone", content: plain("gone") });
  const directory = join(cpl.home, "vault");
  const at = (path: string) => join(directory, "commonplace-Own team", path);
  const command = ["sync", "markdown", "--to", directory];
  // A one-way sync first: its files are taken over.
  await cpl.run(command);
  // Nobody has changed the file since then, so it is no conflict, also not in a dry run.
  await client.putSnippet({ id: gone.id, content: plain("gone soon") });
  const planned = await cpl.run([...command, "--two-way", "--dry-run"]);
  expect(planned).toMatchObject({ status: 0, stderr: expect.stringContaining("\nWould update 4 files.\n") });
  const first = JSON.parse(await cpl.print([...command, "--two-way", "--json"]));
  expect(first.events.map(({ path }: { path: string }) => path).sort()).toEqual([
    "Gone.md",
    "Other.md",
    "Replies/Delay.md",
    "Replies/Refund.2.md",
    "Replies/Refund.md",
  ]);

  const edit = (path: string, before: string, after: string) =>
    writeFileSync(at(path), readFileSync(at(path), "utf8").replace(before, after));
  edit("Replies/Refund.md", "title: Refund", "title: Refund sent\nshortcut: ;r\naliases: [x]");
  edit("Replies/Refund.md", "- mail", "- new tag");
  edit("Replies/Refund.2.md", "Dear", "Dear Sir");
  mkdirSync(at("Ideas?/Deep"), { recursive: true });
  writeFileSync(at("Ideas?/Deep/Note.md"), "# Note\n");
  writeFileSync(at("Ideas?/Deep/Note.long.md"), "---\nvariation-of: Note.md\nvariation: Long\n---\n\nlong\n");
  writeFileSync(at("Ideas?/Long.md"), `---\ntitle: ${"x".repeat(201)}\n---\n\nlong\n`);
  renameSync(at("Replies/Delay.md"), at("Ideas?/Delay.md"));
  // With the line before it, because the ID may end in the same letter.
  edit("Ideas?/Delay.md", "\na\n", "\nA\n");
  await client.putSnippet({ id: delay.id, content: plain("a\nb\nc\nD") });
  edit("Other.md", "other\n", "mine\n");
  await client.putSnippet({ id: other.id, content: plain("theirs") });
  rmSync(at("Gone.md"));

  const { secret } = await service.admin((transaction) =>
    createKey(transaction, workspace.id, "Reader", "all", null, { scope: "read" }),
  );
  const dry = await cpl.run([...command, "--two-way", "--dry-run", "--team", team.id], {
    environment: { CPL_KEY: secret },
  });
  expect(dry.stderr).toStartWith("This key can only read, so changes to your files are not uploaded.\nDry run");
  expect(dry.stderr).toContain("\nWould create Gone.md again.\n");
  expect(dry.stderr).toContain(`Would sync 4 snippets with ${at("")}: create 1 file, change `);
  expect((await service.ledger()).filter(({ status }) => status !== 200)).toEqual([]);

  const run = await cpl.run([...command, "--two-way"]);
  expect(run.status).toBe(3);
  const conflict = readdirSync(at(".")).find((name) => name.startsWith("Other (conflict ")) ?? "";
  for (const line of [
    "Uploaded Replies/Refund.md.",
    "Uploaded Replies/Refund.2.md.",
    "Merged your changes to Ideas?/Delay.md with someone else's, and uploaded the result.",
    `Someone else has changed Other.md too. It has their version; yours is in "${conflict}".`,
    "Created a snippet from Ideas?/Deep/Note.md.",
    "Added a variation from Ideas?/Deep/Note.long.md.",
    "Moved the snippet for Gone.md to the trash.",
    "Ideas?/Long.md: title must be 1 to 200 characters.",
    `Synced 4 snippets with ${at("")}: 0 files created, 1 changed, 0 removed; 4 snippets changed, 1 created, 1 deleted.`,
  ])
    expect(run.stderr.split("\n")).toContain(line);
  expect([readFileSync(at("Other.md"), "utf8"), readFileSync(at(conflict), "utf8")]).toEqual([
    expect.stringContaining("\ntheirs\n"),
    expect.stringContaining("\nmine\n"),
  ]);

  const { folders, tags } = (await client.getTree({ teamId: team.id })).data;
  const folderNamed = (name: string) => folders.find((each) => each.folder_name === name);
  const { data: sent } = await client.getSnippet({ id: refund.id });
  expect(sent).toMatchObject({ title: "Refund sent", shortcut: ";r", content: refund.content, folder_id: folder.id });
  expect(sent.tag_ids).toEqual([tags.find(({ tag_name }) => tag_name === "new tag")?.id ?? ""]);
  const { variations } = (await client.getSnippetVariations({ snippetId: refund.id })).data;
  expect(variations.map(({ name, content }) => [name, content.content])).toEqual([
    ["Default", "Hello"],
    ["Formal", "Dear Sir"],
  ]);
  const { data: moved } = await client.getSnippet({ id: delay.id });
  expect(moved).toMatchObject({ content: plain("A\nb\nc\nD"), folder_id: folderNamed("Ideas?")?.id });
  expect(folderNamed("Deep")?.parent_folder_id).toBe(folderNamed("Ideas?")?.id ?? "");
  const [note] = (await client.getSearch({ teamId: team.id, query: "Note" })).data.snippets;
  expect(note).toMatchObject({ title: "Note", content: { type: "markdown", content: "# Note" } });
  expect((await client.getTrash({ teamId: team.id })).data.snippets).toMatchObject([{ id: gone.id }]);

  expect(folders.map(({ folder_name }) => folder_name).sort()).toEqual(["Deep", "Ideas?", "Replies"]);

  // Not every system accepts that name.
  rmSync(at("Ideas?/Long.md"));
  const last = JSON.parse(await cpl.print([...command, "--two-way", "--json"]));
  expect(last.problems).toEqual([]);
  expect(last.events.filter(({ kind }: { kind: string }) => kind !== "updated")).toEqual(
    ["Delay.md", "Deep/Note.md", "Deep/Note.long.md"].map((name) => ({
      kind: "moved",
      path: `Ideas?/${name}`,
      other: `Ideas/${name}`,
    })),
  );
  expect((await cpl.run(command)).stderr).toBe(`cpl: ${directory} is synced in both directions. Add --two-way.\n`);
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
  await watching.until((text) => text.includes("Updated commonplace-Own team.Replies.code-snippets."));
  expect(watching.shown()).toContain(": 1 file created, 0 changed, 0 removed.");

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

  // In both directions, beside the other one.
  const vault = join(cpl.home, "vault");
  const inVault = (path: string) => join(vault, "commonplace-Own team", path);
  const draft = await given.snippet({ title: "Draft", content: plain("one") });
  const both = cpl.inTerminal(["sync", "markdown", "--two-way", "--watch", "--to", vault]);
  await both.until((text) => text.includes("Press Ctrl+C to stop."));
  const write = (name: string, before: string, after: string) =>
    writeFileSync(inVault(name), readFileSync(inVault(name), "utf8").replace(before, after));
  write("Draft.md", "one", "two");
  await until(async () => (await client.getSnippet({ id: draft.id })).data.content.content === "two", 2_000);
  await both.until((text) => text.includes("Uploaded Draft.md."));
  await client.putSnippet({ id: draft.id, content: plain("three") });
  await until(async () => readFileSync(inVault("Draft.md"), "utf8").includes("three"), 2_000);

  await service.service.stop();
  write("Answers/C.md", "\nC\n", "\noffline\n");
  await watching.until((text) => text.includes("The connection to the service was lost. Trying again..."));
  const again = await startService({ config: { dataDirectory, port: service.service.port } });
  const client2 = again.clientFor(service.key.secret);
  await client2.putSnippet({ id, content: plain("Very sorry") });
  await until(async () => bodyOf("Answers", "Refund") === "Very sorry", 10_000);
  await watching.until((text) => text.includes("Reconnected."));
  expect(readFileSync(join(directory, "own.code-snippets"), "utf8")).toBe("mine");

  await both.until((text) => text.includes("Uploaded Answers/C.md."));
  const { data } = await client2.getSnippet({ id: createdSnippets[2]?.snippetId ?? "" });
  expect(data.content.content).toBe("offline");
  both.type("\u0003");
  expect(await both.exited).toBe(0);

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
    status: 3,
    stdout: `Format: Raycast\nImported 1 snippet, 0 folders, and 0 tags.\nTo undo it: cpl import undo ${importId}\n`,
    stderr: `Not imported:\n  replies.json:1: ${problem}\n`,
  });

  // A directory, whose links lead anywhere.
  const directory = join(cpl.home, "vault");
  mkdirSync(join(directory, "Mail/Late"), { recursive: true });
  writeFileSync(join(directory, "Mail/Late/Sorry.md"), '---\nshortcut: "!t"\ntags: [new]\n---\nSorry\n');
  writeFileSync(join(directory, "Mail/Way.md"), "---\ntags: [other]\n---\nOn its way");
  writeFileSync(join(directory, ".hidden.md"), "---\na: b\n---\n");
  symlinkSync(cpl.home, join(directory, "home"));
  expect(await cpl.run(["import", directory, "--dry-run"])).toEqual({
    status: 0,
    stdout: `Format: Markdown
Would import 1 snippet, 2 folders, and 1 tag.
Would skip 1 duplicate.

New folders
  Mail
  Mail / Late

New tags
  new

Snippets
  create   Sorry  (!t)
  skip     Way  same text as "Delivery"
`,
    stderr: "Left out 2 hidden or linked items: .hidden.md and home.\n",
  });
  const archive = join(cpl.home, "team.zip");
  expect(await cpl.run(["export", archive])).toEqual({ status: 0, stdout: "", stderr: `Exported to ${archive}.\n` });
  const { tree } = readFiles([fileOf("team.zip", readFileSync(archive))]);
  expect(shownAll(tree)).toEqual([{ title: "Delivery", shortcut: "!d", plaintext: "On its way" }]);

  expect(await cpl.print(["import", "undo", importId])).toBe(
    "Moved 1 snippet to the trash, and restored the text of 0 snippets.\n",
  );
  // The other tool has no place for a note. The title of a colleague must not control the terminal.
  const content = { type: "plaintext", content: "Late" };
  await service.client.postSnippet({ title: "\u0085\u202eLate", note: "A note", content, teamId: service.team.id });
  const forRaycast = join(cpl.home, "raycast.json");
  const raycast = await cpl.run(["export", forRaycast, "--format", "raycast"]);
  expect([raycast.stdout, raycast.stderr.split("\n")]).toEqual([
    "",
    expect.arrayContaining([
      `Exported to ${forRaycast}.`,
      'Raycast does not support notes (left out of "\ufffd\ufffdLate").',
    ]),
  ]);
  const [when] = (await service.client.getImports()).data.imports.map(({ created_at }) => formatMoment(created_at));
  expect(await cpl.print(["import", "list"])).toBe([importId, "replies.json", when, "undone", "raycast\n"].join("\t"));
});

test("a file with code for another tool is written only if the person or the script wants it, and the snippets are named before", async () => {
  const service = await startService();
  const cpl = openCpl(service, service.limitedKey.secret);
  const note = "```ultisnips\nhasTabStops: true\n```";
  const code = { type: "plaintext", content: "`date`" };
  await service.client.postSnippet({ title: "Date", note, content: code, teamId: service.team.id });
  const forVim = ["export", join(cpl.home, "all.snippets"), "--format", "ultisnips"] as const;
  const named = 'UltiSnips runs code from a snippet when you insert it: "Date" (all.snippets:1).';
  const refused = await cpl.run(forVim);
  expect([refused.status, refused.stderr.split("\n")[0], refused.stderr.split("\n").at(-2)]).toEqual([
    ...[1, named],
    `cpl: ${forVim[1]} was not written, because the other tool would run code in it. To write it, add --allow-code.`,
  ]);
  expect(readdirSync(cpl.home).filter((name) => /\.part$|\.snippets$/.test(name))).toEqual([]);
  const printed = await cpl.run(["export", "-", "--format", "ultisnips"]);
  expect([printed.status, printed.stdout]).toEqual([1, ""]);
  for (const [answer, status] of [
    ["n", 130],
    ["y", 0],
  ] as const) {
    const asking = cpl.inTerminal(["export", join(cpl.home, `${answer}.snippets`), "--format", "ultisnips"]);
    expect(await asking.until((text) => text.includes("[y/N]"))).toContain("UltiSnips runs code from a snippet");
    expect(existsSync(join(cpl.home, `${answer}.snippets`))).toBeFalse();
    asking.type(`${answer}\r`);
    expect(await asking.exited).toBe(status);
    expect(existsSync(join(cpl.home, `${answer}.snippets`))).toBe(status === 0);
  }
  expect((await cpl.run([...forVim, "--allow-code"])).stderr.split("\n")[0]).toBe(named);
  expect(readFileSync(forVim[1], "utf8")).toContain("`date`");
});

test("what is too large for a request is refused before it is read, with its size and what to do, and a directory is sent as the same zip again", () => {
  const directory = join(temporaryDirectory(), "all");
  const [large, small] = [join(directory, "large.csv"), join(directory, "a/b.txt")];
  mkdirSync(join(directory, "a"), { recursive: true });
  expect(() => readSource(directory)).toThrow(`${directory} has no files to import`);
  writeFileSync(small, "b");
  const { fileName, file } = readSource(directory);
  expect(fileName).toBe("all.zip");
  expect(readFiles([fileOf(fileName, file)]).tree.snippets.map(({ title }) => title)).toEqual(["b"]);
  utimesSync(small, 1, 1);
  expect(readSource(directory).file).toEqual(file);
  // Of so many bytes, none takes room on the disk.
  writeFileSync(large, "");
  truncateSync(large, 100 * 2 ** 30);
  const limit = "and the service accepts at most 8 MiB.";
  expect(() => readSource(large)).toThrow(
    `${large} is 100 GiB, ${limit} Zip it or split it, or ask an operator of the service to run ./commonplace import`,
  );
  expect(() => readSource(directory)).toThrow(`${directory} is too large, ${limit} Split it, or ask`);
  if (existsSync("/dev/zero")) expect(() => readSource("/dev/zero")).toThrow(`/dev/zero is too large, ${limit}`);
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
  const refused = await importFile.run({ words, options, isJson: true, settings, connect }).catch((error) => error);
  expect(refused).toMatchObject({ code: "storage_exceeded" });
  expect(requests).toBe(1);
  expect((await client.getTeams()).data.teams[0]?.snippet_count).toBe(0);
});
