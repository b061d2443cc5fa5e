// cpl move, rename, tag, and folder: the built program in Node.js against a real service, and in a real terminal.
import "../support/once.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { changeTags } from "../../cli/src/change-tags.ts";
import { commands } from "../../cli/src/commands.ts";
import { formatGroup, formatOverview } from "../../cli/src/help.ts";
import { RateLimitError } from "../../sdk/src/index.ts";
import { useUnits } from "../support/charges.ts";
import { openCpl } from "../support/cpl.ts";
import { type Started, startService } from "../support/service.ts";
import { whyNoTerminal } from "../support/terminal.ts";

let shared: Started;
beforeAll(async () => {
  shared = await startService();
});

const detailOf = async (id: string) => (await shared.client.getSnippet({ id })).data;
const treeOf = async () => (await shared.client.getTree({ teamId: shared.team.id })).data;

let count = 0;
/** Names that no other test uses. */
const unique = (name: string): string => `${name}${++count}`;

describe("move", () => {
  test("moves several snippets to a folder by its path, and to the top level, and changes nothing else", async () => {
    const cpl = openCpl(shared);
    const [outer, inner] = [unique("Replies"), unique("Refunds")];
    const folder = await shared.given.folder({ folderName: outer });
    const target = await shared.given.folder({ folderName: inner, parentFolderId: folder.id });
    const [one, other] = [unique("/one"), unique("/other")];
    const first = await shared.given.snippet({ title: "First", shortcut: one, note: "Note" });
    const second = await shared.given.snippet({ title: "Second", shortcut: other });
    const path = `${outer}/${inner}`;
    const before = await detailOf(first.id);
    const moved = await cpl.run(["move", one, second.id, one, "--folder", path]);
    expect(moved).toEqual({ status: 0, stdout: "", stderr: `Moved 2 snippets to “${path}”.\n` });
    expect(await detailOf(first.id)).toEqual({ ...before, folder_id: target.id, updated_at: expect.any(String) });
    expect((await detailOf(second.id)).folder_id).toBe(target.id);
    expect((await cpl.run(["move", one, "--folder", path])).stderr).toBe(`“First” is already in “${path}”.\n`);
    expect(JSON.parse(await cpl.print(["move", one, "--top", "--json"]))).toEqual({
      folder_id: null,
      folder: null,
      snippets: [{ id: first.id, title: "First", moved: true }],
    });
    expect((await detailOf(first.id)).folder_id).toBeNull();
  });

  test("moves nothing unless everything is found, and creates a folder only with --create", async () => {
    const cpl = openCpl(shared);
    const [outer, shortcut] = [unique("New"), unique("/new")];
    const { id } = await shared.given.snippet({ title: "New", shortcut });
    const path = `${outer}/Inner`;
    expect(await cpl.run(["move", shortcut, "--folder", path])).toMatchObject({
      status: 1,
      stderr: `cpl: there is no folder "${path}". Use --create to create it, or run cpl folder list to see all folders.\n`,
    });
    const missing = await cpl.run(["move", shortcut, "/missing", "--folder", path, "--create"]);
    expect(missing).toMatchObject({ status: 1, stderr: "cpl: no snippet has the shortcut /missing\n" });
    expect((await treeOf()).folders.filter(({ folder_name }) => folder_name === outer)).toEqual([]);
    const created = await cpl.run(["move", shortcut, "--folder", path, "--create"]);
    expect(created.stderr).toBe(`Created the folder “${path}”.\nMoved “New” to “${path}”.\n`);
    const { folders } = await treeOf();
    const inner = folders.find(
      ({ id: each }) => each === folders.find(({ folder_name }) => folder_name === "Inner")?.id,
    );
    expect((await detailOf(id)).folder_id).toBe(inner?.id ?? "");
    expect(folders.find((each) => each.id === inner?.parent_folder_id)?.folder_name).toBe(outer);
    const foreign = await shared.given.snippet({ teamId: shared.otherTeam.id });
    const several = await cpl.run(["move", shortcut, foreign.id, "--folder", outer]);
    expect(several.stderr).toBe("cpl: the snippets belong to different teams. Run the command for each team.\n");
    for (const [words, message] of [
      [[], "--folder or --top is required"],
      [["--folder", "a", "--top"], "use either --folder or --top"],
      [["--folder", ""], "--folder must not be empty"],
      [["--top", "--create"], "--create needs --folder"],
    ] as const)
      expect(await cpl.run(["move", shortcut, ...words])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(message),
      });
  });

  test("says how many snippets it has moved, if one is refused", async () => {
    const service = await startService();
    const cpl = openCpl(service);
    const [one, other] = [await service.given.snippet(), await service.given.snippet()];
    const folder = await service.given.folder();
    await service.client.putSnippet({ id: one.id, folderId: folder.id });
    await service.client.putSnippet({ id: other.id, folderId: folder.id });
    // Enough units to find both and to move one.
    const { usage } = await service.client.getMe();
    await useUnits(service, usage.remainingRequests - 3);
    const { status, stderr } = await cpl.run(["move", one.id, other.id, "--top"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("1 snippet of 2 moved before this failed.\ncpl: ")]);
  });
});

describe("rename", () => {
  test("changes the title and nothing else", async () => {
    const cpl = openCpl(shared);
    const shortcut = unique("/rename");
    const { id } = await shared.given.snippet({ title: "Old", shortcut, note: "Note" });
    const before = await detailOf(id);
    const renamed = await cpl.run(["rename", shortcut, "New title"]);
    expect(renamed).toEqual({ status: 0, stdout: "", stderr: "Renamed “Old” to “New title”.\n" });
    expect(await detailOf(id)).toEqual({ ...before, title: "New title", updated_at: expect.any(String) });
    expect((await cpl.run(["rename", shortcut, "New title"])).stderr).toBe("The title is already “New title”.\n");
    expect(JSON.parse(await cpl.print(["rename", "--json", shortcut, "--", "-rf"]))).toEqual({
      id,
      title: "-rf",
      renamed: true,
    });
    // A title of others cannot write lines of its own.
    await shared.client.putSnippet({ id, title: "Two\nlines” to “x”.\u001b[2J" });
    expect((await cpl.run(["rename", shortcut, "One"])).stderr).toBe(
      "Renamed “Two lines” to “x”.\ufffd[2J” to “One”.\n",
    );
    expect((await cpl.run(["rename", shortcut, " "])).stderr).toBe(
      "cpl: TITLE must not be empty\nTry: cpl rename --help\n",
    );
    expect((await cpl.run(["rename", shortcut, "a".repeat(201)])).status).toBe(1);
  });
});

describe("tag", () => {
  test("adds and removes tags by name, keeps all others, and creates a tag only with --create", async () => {
    const cpl = openCpl(shared);
    const [kept, gone, added, fresh] = [unique("kept"), unique("gone"), unique("added"), unique("fresh")];
    const tags = await Promise.all([kept, gone, added].map((tagName) => shared.given.tag({ tagName })));
    const ids = tags.map(({ id }) => id);
    const shortcut = unique("/tag");
    const { id } = await shared.given.snippet({ title: "Tagged", shortcut, tagIds: ids.slice(0, 2) });
    const { stderr } = await cpl.run(["tag", shortcut, "--add", added.toUpperCase(), "--remove", gone]);
    expect(stderr).toBe("Changed the tags of “Tagged”.\n");
    expect((await detailOf(id)).tag_ids.toSorted()).toEqual([ids[0] ?? "", ids[2] ?? ""].toSorted());
    expect((await cpl.run(["tag", shortcut, "--add", added])).stderr).toBe(
      "The tags of “Tagged” are already like this.\n",
    );
    const missing = await cpl.run(["tag", shortcut, "--remove", kept, "--add", fresh]);
    expect([missing.status, missing.stderr]).toEqual([
      1,
      `cpl: there is no tag "${fresh}" in the team. Use --create to create it, or run cpl tree to see all tags.\n`,
    ]);
    expect((await detailOf(id)).tag_ids).toHaveLength(2);
    const { stdout } = await cpl.run(["tag", shortcut, "--add", fresh, "--create", "--json"]);
    const made = (await treeOf()).tags.find(({ tag_name }) => tag_name === fresh);
    expect(JSON.parse(stdout).snippets).toEqual([{ id, title: "Tagged", tag_ids: expect.any(Array), changed: true }]);
    expect(JSON.parse(stdout).snippets[0].tag_ids).toContain(made?.id);
    for (const [words, message] of [
      [[], "--add or --remove is required"],
      [["--add", kept, "--remove", kept], `the tag "${kept}" cannot be both added and removed`],
      [["--add", " ", "--create"], 'there is no tag " "'],
    ] as const)
      expect((await cpl.run(["tag", shortcut, ...words])).stderr).toContain(message);
  });

  test("keeps a tag that someone else adds while the command waits for the rate limit", async () => {
    let tags = ["a"];
    const sent: (readonly string[] | undefined)[] = [];
    const client = {
      getSnippet: async () => ({ data: { tag_ids: tags } }),
      putSnippet: async ({ tagIds }: { tagIds?: readonly string[] }, options: object) => {
        expect(options).toEqual({ waitForRateLimit: false });
        sent.push(tagIds);
        if (sent.length === 1) throw new RateLimitError({ message: "", code: "rate_limited", status: 429 }, 1);
      },
    };
    const changed = await changeTags(client as never, "id", { added: ["b"], removed: [] }, async () => {
      tags = ["a", "theirs"];
    });
    expect(sent).toEqual([
      ["a", "b"],
      ["a", "theirs", "b"],
    ]);
    expect(changed).toEqual({ tag_ids: ["a", "theirs", "b"], changed: true });
  });
});

describe("folder", () => {
  test("lists, creates, renames, and moves folders by their paths, and never makes two with the same path", async () => {
    const service = await startService();
    const cpl = openCpl(service, service.limitedKey.secret);
    const create = async (...words: string[]) => (await cpl.print(["folder", "create", ...words])).trim();
    const outside = await cpl.run(["folder", "create", "Replies/Refunds"]);
    expect(outside).toMatchObject({
      status: 1,
      stderr: 'cpl: there is no folder "Replies". Use --parents to create it too.\n',
    });
    const inner = await create("Replies/Refunds", "--parents", "--color", "#123456");
    const other = await create("Other");
    await service.client.putSnippet({ id: (await service.given.snippet()).id, folderId: inner });
    const { data } = await service.client.getTree();
    const outer = data.folders.find(({ folder_name }) => folder_name === "Replies")?.id ?? "";
    expect(data.folders.find(({ id }) => id === inner)).toMatchObject({
      folder_color: "#123456",
      parent_folder_id: outer,
    });
    expect(await cpl.print(["folder", "list"])).toBe(
      `${other}\tOther\t0\n${outer}\tReplies\t0\n${inner}\tReplies/Refunds\t1\n`,
    );
    expect(JSON.parse(await cpl.print(["folder", "list", "--json"]))).toContainEqual(
      expect.objectContaining({ id: inner, path: "Replies/Refunds", snippet_count: 1, team_id: service.team.id }),
    );
    const refusal = async (...words: string[]) => {
      const { status, stderr } = await cpl.run(["folder", ...words]);
      return [status, stderr.split("\n")[0]];
    };
    expect(await refusal("create", "replies/refunds")).toEqual([1, 'cpl: there is already a folder "Replies/Refunds"']);
    expect(await refusal("create", "a//b", "--parents")).toEqual([1, 'cpl: "a//b" is not a path of folders']);
    expect(await refusal("rename", "Other", "Replies")).toEqual([1, 'cpl: there is already a folder "Replies"']);
    expect(await refusal("rename", "Other", "a/b")).toEqual([
      2,
      'cpl: NAME must not contain "/". To move a folder, use cpl folder move.',
    ]);
    expect(await refusal("move", "Replies", "--into", "Replies/Refunds")).toEqual([
      1,
      "cpl: “Replies” cannot be moved into itself",
    ]);
    expect(await refusal("move", "Replies")).toEqual([2, "cpl: --into or --top is required"]);
    expect((await cpl.run(["folder", "rename", "Replies/Refunds", "Returns"])).stderr).toBe(
      "Renamed “Replies/Refunds” to “Replies/Returns”.\n",
    );
    expect((await cpl.run(["folder", "rename", "Other", "OTHER"])).status).toBe(0);
    expect((await cpl.run(["folder", "move", inner, "--into", "OTHER"])).stderr).toBe(
      "Moved “Replies/Returns” to “OTHER/Returns”.\n",
    );
    expect((await cpl.run(["folder", "move", "OTHER/Returns", "--top"])).stderr).toBe(
      "Moved “OTHER/Returns” to “Returns”.\n",
    );
    expect((await service.client.getFolder({ folderId: inner })).data.folder).toMatchObject({
      folder_name: "Returns",
      folder_color: "#123456",
      parent_folder_id: null,
    });
  });

  test("delete keeps what the folder contains, and needs --yes outside a terminal", async () => {
    const cpl = openCpl(shared);
    const outer = await shared.given.folder({ folderName: unique("Outer") });
    const inner = await shared.given.folder({ folderName: unique("Inner"), parentFolderId: outer.id });
    const { id } = await shared.given.snippet({ folderId: outer.id });
    const refused = await cpl.run(["folder", "delete", outer.folder_name]);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("--yes is required")]);
    expect((await detailOf(id)).folder_id).toBe(outer.id);
    const deleted = await cpl.run(["folder", "delete", outer.folder_name, "--yes"]);
    expect(deleted.stderr).toBe(
      `Deleted the folder “${outer.folder_name}”. Moved 1 snippet and 1 folder to the top level.\n`,
    );
    expect((await detailOf(id)).folder_id).toBeNull();
    const empty = await cpl.run(["folder", "delete", inner.folder_name, "--yes", "--json"]);
    expect(JSON.parse(empty.stdout)).toEqual({ deleted: true, id: inner.id, moved_snippets: 0, moved_folders: 0 });
    expect((await treeOf()).folders.filter((each) => [outer.id, inner.id].includes(each.id))).toEqual([]);
  });

  test.skipIf(whyNoTerminal !== undefined)(
    "delete says what the folder contains, and asks, in a terminal",
    async () => {
      const cpl = openCpl(shared);
      const { id, folder_name: name } = await shared.given.folder({ folderName: unique("Asked") });
      await shared.given.snippet({ folderId: id });
      const canceled = cpl.inTerminal(["folder", "delete", name]);
      const shown = await canceled.until((text) => text.includes("[y/N] "));
      expect(Bun.stripANSI(shown)).toContain(
        `“${name}” contains 1 snippet. Everything in it moves to the top level.\nDelete the folder “${name}”? [y/N] `,
      );
      canceled.type("n\r");
      expect(await canceled.exited).toBe(130);
      expect((await treeOf()).folders.some((each) => each.id === id)).toBeTrue();
      const agreed = cpl.inTerminal(["folder", "delete", name]);
      await agreed.until((text) => text.includes("[y/N] "));
      agreed.type("y\r");
      expect(await agreed.exited).toBe(0);
      expect((await treeOf()).folders.some((each) => each.id === id)).toBeFalse();
    },
  );

  test("is a group of commands, which help and hints know", async () => {
    const cpl = openCpl();
    const group = commands.find(({ name }) => name === "folder list")?.group;
    if (!group) throw new Error("folder list is in no group");
    for (const words of [["folder"], ["folder", "--help"], ["help", "folder"]])
      expect(await cpl.print(words)).toBe(formatGroup(group, commands));
    expect(formatOverview(commands).match(/^ {2}folder .*$/gm)).toHaveLength(1);
    expect(await cpl.print(["help", "folder", "move"])).toStartWith("Move a folder, with everything in it.\n");
    for (const [words, message] of [
      [["mv", "/a"], 'unknown command "mv". Did you mean move?\nTry: cpl --help'],
      [["mkdir", "A"], 'unknown command "mkdir". Did you mean folder create?'],
      [["folder", "rm", "A"], 'unknown command "folder rm". Did you mean folder delete?\nTry: cpl folder --help'],
      [["folder", "lits"], 'unknown command "folder lits". Did you mean folder list?'],
      [["folder", "frobnicate"], 'unknown command "folder frobnicate"\n'],
      [["folder", "--team", "x"], "put the command before its options\nTry: cpl folder --help"],
      [["folder", "rename", "A"], "NAME is required\nTry: cpl folder rename --help"],
    ] as const)
      expect((await cpl.run(words)).stderr).toContain(message);
  });
});

test("cpl import is a command, and the first word of others", async () => {
  const cpl = openCpl();
  expect(formatOverview(commands).match(/^ {2}import .*$/gm)).toHaveLength(1);
  for (const words of [
    ["import", "--help"],
    ["help", "import"],
  ])
    expect(await cpl.print(words)).toStartWith("Import a file from another tool, or an archive, into a team.\n");
  expect(await cpl.print(["help", "import", "list"])).toStartWith("List the imports of the last 30 days.\n");
  for (const [words, message] of [
    [["import"], "FILE is required\nTry: cpl import --help"],
    [["import", "undo"], "ID is required\nTry: cpl import undo --help"],
    [["import", "undo", "x"], "ID must be the ID of an import. Run cpl import list"],
    // A file of that name.
    [["import", "./list"], "./list does not exist"],
    [["import", "lits"], "lits does not exist"],
  ] as const)
    expect((await cpl.run(words)).stderr).toContain(message);
});

test("the shells complete groups of commands, and folders and tags by name", async () => {
  const cpl = openCpl(shared);
  await shared.given.folder({ folderName: "Complete me" });
  await shared.given.tag({ tagName: "completed-tag" });
  await cpl.print(["tree"]);
  cpl.standIn("cpl", `exec ${cpl.command.map((word) => `'${word}'`).join(" ")} "$@"`);
  const script = join(cpl.home, "completion");
  writeFileSync(script, await cpl.print(["completion", "bash"]));
  const inBash = (...words: string[]) => {
    const line = `COMP_LINE="cpl ${words.join(" ")}"; COMP_POINT=\${#COMP_LINE}; COMP_CWORD=${words.length}`;
    const list = words.map((word) => `'${word}'`).join(" ");
    const run = `. "$HOME/completion"; ${line}; COMP_WORDS=(cpl ${list}); _cpl; echo "\${COMPREPLY[*]}"`;
    return Bun.spawnSync(["bash", "-euc", run], { env: { ...cpl.environment } })
      .stdout.toString()
      .trim();
  };
  expect(inBash("fo")).toBe("folder");
  expect(inBash("folder", "")).toBe("list create rename move delete");
  // What follows can be another command, or a file.
  writeFileSync(join(cpl.home, "undone.json"), "");
  expect(inBash("import", "un")).toBe("undo");
  expect(inBash("import", join(cpl.home, "un"))).toBe(join(cpl.home, "undone.json"));
  expect(inBash("import", "undo", "--")).toBe("--json --help");
  expect(inBash("import", "a.json", "--d")).toBe("--dry-run");
  expect(inBash("import", "list", "--team", "Own")).toBe("Own team");
  expect(inBash("folder", "re")).toBe("rename");
  expect(inBash("folder", "rename", "Com")).toBe("Complete me");
  expect(inBash("folder", "move", "x", "--into", "Com")).toBe("Complete me");
  expect(inBash("folder", "delete", "--y")).toBe("--yes");
  expect(inBash("tag", "/a", "--add", "compl")).toBe("completed-tag");
  expect(inBash("move", "/a", "--folder", "Com")).toBe("Complete me");

  if (Bun.which("fish") === null) return;
  writeFileSync(script, await cpl.print(["completion", "fish"]));
  const inFish = (line: string) =>
    Bun.spawnSync(["fish", "-c", `source $HOME/completion; complete -C '${line}'`], { env: { ...cpl.environment } })
      .stdout.toString()
      .split("\n")
      .map((each) => each.split("\t")[0])
      .filter(Boolean);
  expect(inFish("cpl fo")).toEqual(["folder"]);
  expect(inFish("cpl folder ")).toEqual(["create", "delete", "list", "move", "rename"]);
  expect(inFish("cpl folder rename Com")).toEqual(["Complete me"]);
  expect(inFish("cpl tag /a --add compl")).toEqual(["completed-tag"]);
  expect(inFish("cpl list --to")).toEqual([]);
  expect(inFish("cpl folder list --pa")).toEqual([]);
});
