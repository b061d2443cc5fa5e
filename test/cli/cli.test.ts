// cpl: what people do in a terminal, with the built program in Node.js, a real service, real TLS, and a real terminal.
import "../support/once.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "../../cli/src/command-line.ts";
import { findCommand } from "../../cli/src/command-names.ts";
import { get } from "../../cli/src/commands/get.ts";
import { commands } from "../../cli/src/commands.ts";
import { formatHelp, formatOverview } from "../../cli/src/help.ts";
import { formatTable } from "../../cli/src/terminal/print.ts";
import { progressLine } from "../../cli/src/terminal/progress.ts";
import { widthOf } from "../../cli/src/terminal/style.ts";
import { openCpl } from "../support/cpl.ts";
import { type Started, startService } from "../support/service.ts";
import { runInTerminal, whyNoTerminal } from "../support/terminal.ts";

let shared: Started;
beforeAll(async () => {
  shared = await startService();
});

/** A snippet in a workspace of its own. */
async function withSnippet(content: string, shortcut = "/reply", title = "Reply") {
  const service = await startService();
  const { id: snippetId } = await service.given.snippet({
    title,
    shortcut,
    content: { type: "plaintext", content },
  });
  return { service, snippetId, cpl: openCpl(service) };
}

const textOf = async (service: Started, id: string): Promise<string> =>
  (await service.client.getSnippet({ id })).data.content.content;

describe("login", () => {
  test("keeps the key in a file that only its owner can read, or in the keychain, and never shows it to other users", async () => {
    const cpl = openCpl();
    const ca = join(cpl.home, "service.crt");
    writeFileSync(ca, shared.ca);
    const words = ["login", new URL(shared.baseUrl).host, "--ca", ca];
    const input = `API key  ${shared.limitedKey.secret}\nTeam ID  …\n`;
    const path = join(cpl.home, ".config/commonplace/cpl.json");

    expect(await cpl.run(words, { input })).toEqual({
      status: 0,
      stdout: "",
      stderr: `Logged in to ${new URL(shared.baseUrl).host} with the key "One team", which has access to 1 team.\nThe key is in ${path}.\n`,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ key: shared.limitedKey.secret });
    expect(JSON.parse(await cpl.print(["quota", "--json"]))).toMatchObject({ key: { name: "One team" } });

    // A program in the place of the one that keeps secrets, which notes its arguments.
    cpl.standIn(
      "secret-tool",
      `echo "$@" >> "$HOME/arguments"
case "$1" in store) cat > "$HOME/secret" ;; lookup) cat "$HOME/secret" ;; clear) rm "$HOME/secret" ;; esac`,
    );
    expect(await cpl.run(words, { input })).toMatchObject({ status: 0, stderr: expect.stringContaining("keychain") });
    expect(readFileSync(path, "utf8")).not.toContain("cpl_");
    expect(JSON.parse(await cpl.print(["quota", "--json"]))).toMatchObject({ key: { name: "One team" } });
    expect(readFileSync(join(cpl.home, "arguments"), "utf8")).not.toContain("cpl_");

    expect((await cpl.run(["logout"])).status).toBe(0);
    expect([existsSync(path), existsSync(join(cpl.home, "secret"))]).toEqual([false, false]);
    expect((await cpl.run(["quota"])).status).toBe(4);
  });

  test("stores nothing if the certificate is not trusted or the key is refused, and says what to do", async () => {
    const cpl = openCpl();
    const untrusted = await cpl.run(["login", shared.baseUrl], { input: shared.key.secret });
    expect(untrusted).toMatchObject({ status: 1, stdout: "" });
    expect(untrusted.stderr).toMatch(/is not trusted .*run cpl login --ca FILE/);
    const refused = await openCpl(shared, `cpl_${"x".repeat(38)}`).run(["list"]);
    expect(refused).toEqual({
      status: 4,
      stdout: "",
      stderr: "cpl: invalid or inactive API key. Run cpl login with another key.\n",
    });
    expect(existsSync(join(cpl.home, ".config"))).toBeFalse();
  });

  test("sends a stored key to the service it was stored for, and to no other", async () => {
    const cpl = openCpl(shared);
    await cpl.run(["login", shared.baseUrl, "--ca", cpl.environment.CPL_CA ?? ""], { input: shared.key.secret });
    const elsewhere = await cpl.run(["list"], { environment: { CPL_URL: "https://localhost:1", CPL_KEY: "" } });
    expect(elsewhere).toMatchObject({ status: 4, stderr: expect.stringContaining("there is no key for") });
  });
});

describe("texts", () => {
  test("are created, listed, found, and printed byte for byte, in any spelling of line ends and characters", async () => {
    const service = await startService();
    const cpl = openCpl(service);
    const text = "\ufeffGrüße {{ name }},\r\n\tdone 👋\n\n";
    const id = (
      await cpl.print(["create", "--title", "Greeting", "--shortcut", "/hi", "--team", "Own team", "-"], {
        input: text,
      })
    ).trim();
    expect(await textOf(service, id)).toBe(text);
    expect(await cpl.print(["get", id, "--set", "name=$& {{name}}"])).toBe(
      text.replace("{{ name }}", () => "$& {{name}}"),
    );
    const unfilled = await cpl.run(["get", "/hi"]);
    expect(unfilled).toEqual({ status: 0, stdout: text, stderr: "1 placeholder is still empty: {{name}}.\n" });
    for (const words of [["list"], ["search", "grüß"], ["search", '"grüße {{ name"', "--", "-absent"]])
      expect(await cpl.print(words)).toBe(`${id}\t/hi\tGreeting\n`);
    expect(JSON.parse(await cpl.print(["search", "gruß", "--json"]))).toMatchObject([
      { id, content: { content: text } },
    ]);
    const untagged = await cpl.run(["create", "--title", "X", "--team", "Own team", "--tag", "urgnt", "-"], {
      input: "x",
    });
    expect(untagged).toEqual({
      status: 1,
      stdout: "",
      stderr:
        'cpl: there is no tag "urgnt" in the team. Create it in the console first, or run cpl tree to see all folders and tags.\n',
    });
    expect(await cpl.print(["tree"])).toBe("Own team 1\nOther team 0\n");
  });

  test("cost nothing when they have not changed, and are there without the service, with their age on standard error", async () => {
    const { service, snippetId, cpl } = await withSnippet("Hello");
    await service.given.snippet({
      title: "Listed",
      shortcut: "/listed",
      content: { type: "plaintext", content: "Bye" },
    });
    expect(await cpl.print(["get", "/reply"])).toBe("Hello");
    await cpl.print(["list"]);
    const before = await service.balance();
    expect(await cpl.print(["get", "/reply"])).toBe("Hello");
    expect(await service.balance()).toBe(before);
    await service.client.putSnippet({ id: snippetId, content: { type: "plaintext", content: "Hi" } });
    expect(await cpl.print(["get", "/reply"])).toBe("Hi");

    // The same address and key, of which nothing can be reached.
    const offline = {
      HTTPS_PROXY: "",
      CPL_URL: service.baseUrl,
      NODE_OPTIONS: `--require=${refuseConnections(cpl.home)}`,
    };
    const notice = "The service cannot be reached. This was fetched less than a minute ago.\n";
    for (const [words, stdout] of [
      [["get", "/reply"], "Hi"],
      [["get", "/listed"], "Bye"],
      [["list"], undefined],
    ] as const) {
      const outcome = await cpl.run(words, { environment: offline });
      expect(outcome).toMatchObject({ status: 0, stderr: notice });
      if (stdout !== undefined) expect(outcome.stdout).toBe(stdout);
    }
    // What changes something is never based on what was fetched before.
    await cpl.print(["history", "/reply", "--limit", "2"]);
    const editing = await cpl.run(["edit", "/reply"], { environment: { ...offline, EDITOR: "touch" } });
    expect(editing).toMatchObject({ status: 1, stderr: expect.stringContaining("could not connect") });
    const unknown = await cpl.run(["get", "/never-fetched"], { environment: offline });
    expect(unknown).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("could not connect") });
  });

  test("come with everything that belongs to them in JSON, and alone where nothing else was fetched", async () => {
    const service = await startService();
    const cpl = openCpl(service);
    const outer = await service.given.folder({ folderName: "Replies" });
    const folder = await service.given.folder({ folderName: "Refunds", parentFolderId: outer.id });
    const tag = await service.given.tag({ tagName: "support" });
    const content = { type: "markdown", content: "Hi {{name}}" };
    const { id } = await service.given.snippet({
      title: "Reply",
      shortcut: "/reply",
      content,
      folderId: folder.id,
      tagIds: [tag.id],
      additionalVariations: [{ variationName: "Formal", content: { type: "plaintext", content: "Dear" } }],
    });
    await service.client.putSnippet({ id, content: { type: "markdown", content: "Hello {{name}}" } });
    const { data } = await service.client.getSnippet({ id });
    const { response } = await service.client.getText({ id });
    const before = await service.balance();
    const first = {
      id,
      title: "Reply",
      shortcut: "/reply",
      team_id: service.team.id,
      folder_id: folder.id,
      folder: "Replies/Refunds",
      tag_ids: [tag.id],
      tags: ["support"],
      variation_id: data.variations[0]?.id,
      variation: data.variations[0]?.name,
      type: "markdown",
      version: 2,
      etag: response?.etag,
      updated_at: data.updated_at,
      text: "Hello Ada",
    };
    expect(response?.etag).toMatch(/^".+"$/);
    const get = async (...words: string[]) => JSON.parse(await cpl.print(["get", "/reply", "--json", ...words]));
    expect(await get("--set", "name=Ada")).toEqual(first);
    expect(before - (await service.balance())).toBe(4);
    await get("--set", "name=Ada");
    expect(before - (await service.balance())).toBe(4 + 3);
    expect(await get("--variation", "Formal")).toMatchObject({
      variation_id: data.variations[1]?.id,
      variation: "Formal",
      type: "plaintext",
      version: 1,
      text: "Dear",
    });
    const offline = { HTTPS_PROXY: "", NODE_OPTIONS: `--require=${refuseConnections(cpl.home)}` };
    const withoutService = async (shortcut: string) =>
      JSON.parse((await cpl.run(["get", shortcut, "--json"], { environment: offline })).stdout);
    expect(await withoutService("/reply")).toEqual({ ...first, text: "Hello {{name}}" });
    await service.given.snippet({ title: "Other", shortcut: "/other", content });
    await cpl.print(["get", "/other", "--set", "name=Ada"]);
    expect(await withoutService("/other")).toMatchObject({ id: null, version: null, text: "Hi {{name}}" });
  });

  test("other people's snippets cannot control a terminal", async () => {
    const { cpl } = await withSnippet("red \u001b[31m\u009b31m text\u0007");
    const { exited, shown } = cpl.inTerminal(["get", "/reply"]);
    expect(await exited).toBe(0);
    expect(shown()).toBe("red \ufffd[31m\ufffd31m text\ufffd\n");
  });

  test("nor can the title that a command confirms", async () => {
    const { cpl } = await withSnippet("old", "/reply", "Late\u009b31m\u202e");
    const { exited, shown } = cpl.inTerminal(["delete", "/reply", "--yes"]);
    expect(await exited).toBe(0);
    expect(shown()).toBe("Moved “Late\ufffd31m\ufffd” to the trash.\n");
  });

  test("JSON has control characters and marks of direction escaped, on a terminal and in a pipe, with the same value", async () => {
    const hostile = "a\u009b31m\u009d0;x\u0007 \u202e\u2066b\u2028\u0085\u007f\tc\nd\\u009b";
    const { cpl } = await withSnippet(hostile);
    const terminal = cpl.inTerminal(["get", "/reply", "--json"]);
    expect(await terminal.exited).toBe(0);
    for (const json of [
      terminal.shown(),
      ...(await Promise.all([cpl.print(["get", "/reply", "--json"]), cpl.print(["list", "--json"])])),
    ]) {
      expect(json.replaceAll(/[\r\n]/g, "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(JSON.stringify(JSON.parse(json))).toContain(JSON.stringify(hostile));
    }
  });
});

/** A file that makes every connection of Node.js fail. */
function refuseConnections(directory: string): string {
  const path = join(directory, "offline.cjs");
  writeFileSync(
    path,
    `const { Socket } = require("node:net");
Socket.prototype.connect = function () {
  process.nextTick(() => this.destroy(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })));
  return this;
};`,
  );
  return path;
}

describe("versions", () => {
  test("an edit saves what the editor saved; history, diff, and revert show and undo it", async () => {
    const { service, snippetId, cpl } = await withSnippet("one\ntwo");
    // An editor ends the last line, which is not a change.
    const editor = cpl.standIn("editor", 'sed -i "s/two/three/" "$1"; echo >> "$1"');
    const edited = await cpl.run(["edit", "/reply"], { environment: { EDITOR: editor } });
    expect(edited).toEqual({ status: 0, stdout: "", stderr: 'Saved "Reply".\n' });
    expect(await textOf(service, snippetId)).toBe("one\nthree");
    expect((await cpl.print(["history", "/reply"])).split("\n").map((line) => line.split("\t")[2])).toEqual([
      "one three",
      "one two",
      undefined,
    ]);
    const patch = "@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+three\n\\ No newline at end of file\n";
    expect(await cpl.print(["diff", "/reply"])).toBe(`--- version 1\n+++ version 2\n${patch}`);
    expect((await cpl.run(["revert", "/reply", "1"])).status).toBe(2);
    expect((await cpl.run(["revert", "/reply", "1", "--yes"])).stderr).toBe(
      "Reverted to version 1, saved as version 3.\n",
    );
    expect(await textOf(service, snippetId)).toBe("one\ntwo");
    expect((await cpl.run(["diff", "/reply", "1", "4"])).stderr).toContain("The current version is 3");
  });

  test("delete moves a snippet to the trash, and only with --yes outside a terminal", async () => {
    const { service, snippetId, cpl } = await withSnippet("old");
    const refused = await cpl.run(["delete", "/reply"]);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("--yes is required")]);
    expect(await textOf(service, snippetId)).toBe("old");
    expect((await cpl.run(["delete", "/reply", "--yes"])).stderr).toMatch(/^Moved “.+” to the trash\.\n$/);
    expect((await service.client.getTrash()).data.snippets).toMatchObject([{ id: snippetId }]);
    expect((await cpl.run(["delete", snippetId, "--yes"])).status).toBe(1);
    for (const word of ["rm", "remove"])
      expect((await cpl.run([word, "/reply"])).stderr).toContain(`unknown command "${word}". Did you mean delete?`);
    expect((await cpl.run(["constructor"])).stderr).toContain('unknown command "constructor"\n');
  });

  test("an edit never overwrites a change that the person has not seen, and keeps their text", async () => {
    const { service, snippetId, cpl } = await withSnippet("old");
    // While the editor is open, somebody else saves.
    const change = JSON.stringify({ content: { type: "plaintext", content: "theirs" } });
    const editor = cpl.standIn(
      "editor",
      `printf mine > "$1"
curl -sf --cacert "$CPL_CA" -X PUT "$CPL_URL/snippet?id=${snippetId}" -H "Authorization: Bearer $CPL_KEY" -d '${change}' >/dev/null`,
    );
    const { status, stderr } = await cpl.run(["edit", snippetId], { environment: { EDITOR: editor } });
    expect(status).toBe(1);
    expect(stderr).toContain("-old\n\\ No newline at end of file\n+theirs");
    expect(stderr).toContain("-theirs\n\\ No newline at end of file\n+mine");
    const kept = /Your text is in (\S+?)\.?$/m.exec(stderr)?.[1] ?? "";
    expect(readFileSync(kept, "utf8")).toBe("mine");
    expect(await textOf(service, snippetId)).toBe("theirs");
  });
});

describe.skipIf(whyNoTerminal !== undefined)("in a terminal", () => {
  test("login asks for the key without showing it, and Ctrl+C cancels with status 130", async () => {
    const cpl = openCpl();
    const ca = join(cpl.home, "service.crt");
    writeFileSync(ca, shared.ca);
    const words = ["login", new URL(shared.baseUrl).host, "--ca", ca];
    const canceled = cpl.inTerminal(words);
    await canceled.until((text) => text.includes("API key: "));
    canceled.type("\u0003");
    expect(await canceled.exited).toBe(130);
    const given = cpl.inTerminal(words);
    await given.until((text) => text.includes("API key: "));
    given.type(`${shared.key.secret}\r`);
    expect(await given.exited).toBe(0);
    expect(given.shown()).toContain("Logged in to");
    expect(given.shown()).not.toContain("cpl_");
  });

  test("a search shows a list with a preview: typing narrows it down, Enter prints, Ctrl+Y copies, Esc cancels with status 2", async () => {
    const { service, cpl } = await withSnippet("the first text");
    await service.given.snippet({
      title: "Second reply",
      shortcut: "/reply",
      teamId: service.otherTeam.id,
      content: { type: "plaintext", content: "the second text" },
    });
    const choosing = cpl.inTerminal(["search", "reply"]);
    await choosing.until((text) => text.includes("> /reply  Own team    Reply") && text.includes("the first text"));
    expect(choosing.shown()).toContain("  /reply  Other team  Second reply");
    choosing.type("\u001b[B");
    await choosing.until((text) => text.includes("the second text"));
    choosing.type("other sec");
    await choosing.until((text) => text.includes("1/1"));
    choosing.type("\r");
    expect(await choosing.exited).toBe(0);
    expect(choosing.shown()).toEndWith("\u001b[?25h\u001b[?1049lthe second text\n");

    cpl.standIn("xclip", 'cat > "$HOME/copied"');
    const copying = cpl.inTerminal(["search", "reply"], { DISPLAY: ":0" });
    await copying.until((text) => text.includes("the first text"));
    copying.type("\u0019");
    expect(await copying.exited).toBe(0);
    expect(readFileSync(join(cpl.home, "copied"), "utf8")).toBe("the first text");

    const canceling = cpl.inTerminal(["search", "reply"]);
    await canceling.until((text) => text.includes("the first text"));
    canceling.type("\u001b");
    expect(await canceling.exited).toBe(130);
  });

  test("a conflict can be settled: the change is shown, and the person overwrites what they have seen", async () => {
    const { service, snippetId, cpl } = await withSnippet("old");
    const change = JSON.stringify({ content: { type: "plaintext", content: "theirs" } });
    const editor = cpl.standIn(
      "editor",
      `printf mine > "$1"
curl -sf --cacert "$CPL_CA" -X PUT "$CPL_URL/snippet?id=${snippetId}" -H "Authorization: Bearer $CPL_KEY" -d '${change}' >/dev/null`,
    );
    const editing = cpl.inTerminal(["edit", "/reply"], { EDITOR: editor });
    await editing.until((text) => text.includes("verwrite theirs"));
    editing.type("o\r");
    expect(await editing.exited).toBe(0);
    expect(editing.shown()).toContain("\u001b[31m-old");
    expect(await textOf(service, snippetId)).toBe("mine");
  });

  test("colors appear on terminals only, and never with NO_COLOR", async () => {
    const { service, cpl } = await withSnippet("Hello");
    const colored = cpl.inTerminal(["list"]);
    await colored.exited;
    expect(colored.shown()).toContain("\u001b[1mshortcut  title");
    // Snippets of several teams are listed with their teams.
    await service.given.snippet({ title: "Reply", shortcut: "/reply", teamId: service.otherTeam.id });
    const plain = cpl.inTerminal(["list"], { NO_COLOR: "1" });
    await plain.exited;
    expect(plain.shown()).toMatch(
      /shortcut {2}team {8}title {2}changed\n\/reply {4}Other team {2}Reply {2}.*\n\/reply {4}Own team {4}Reply {2}/,
    );
    expect(plain.shown()).not.toContain("\u001b");
    expect(await cpl.print(["list"])).not.toContain("\u001b");
  });
});

test("a command waits when the rate limit is reached, says so, and goes on", async () => {
  const service = await startService({ config: { requestsPerMinute: 1 } });
  const cpl = openCpl(service);
  await cpl.print(["quota", "--json"]);
  // A second of the service's minute is left.
  service.clock.advance(59);
  const child = Bun.spawn([...cpl.command, "list"], { env: { ...cpl.environment }, stdout: "pipe", stderr: "pipe" });
  const reader = child.stderr.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  expect(first).toBe("Rate limit reached. Waiting 1 second...\n");
  service.clock.advance(1);
  expect(await child.exited).toBe(0);
});

test("the shell completes commands, options, their values, and fetched names, and runs nothing that a shortcut contains", async () => {
  const { service, cpl } = await withSnippet("Hello");
  await service.given.snippet({ title: "Signature", shortcut: ":sig:a" });
  await service.given.snippet({ title: "Evil", shortcut: "$(touch$IFS$HOME/evil)" });
  await cpl.print(["list"]);
  await cpl.print(["tree"]);
  cpl.standIn("cpl", `exec ${cpl.command.map((word) => `'${word}'`).join(" ")} "$@"`);
  const profile = join(cpl.home, "profile");
  writeFileSync(profile, `PS1='$ '\n${await cpl.print(["completion", "bash"])}`);
  const complete = (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(" ");
    const script = `. "$HOME/profile"; COMP_LINE="cpl ${words.join(" ")}"; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(cpl ${line}); COMP_CWORD=${words.length}; _cpl; echo "\${COMPREPLY[*]}"`;
    const { stdout } = Bun.spawnSync(["bash", "-euc", script], { env: { ...cpl.environment } });
    return stdout.toString().trim();
  };
  expect(complete("hi")).toBe("history");
  expect(complete("get", "--s")).toBe("--set");
  expect(complete("get", "")).toBe(":sig:a /reply");
  writeFileSync(join(cpl.home, "a name.txt"), "");
  expect(complete("login", "--ca", join(cpl.home, "a n"))).toBe(join(cpl.home, "a name.txt"));
  expect(complete("export", "--format", "sn")).toBe("snipmate");
  expect(complete("import", "--on-duplicate", "")).toBe("skip replace create");
  expect(complete("list", "--limit", "")).toBe("");
  expect(complete("get", "--team", "O")).toBe("Other team Own team");
  expect(existsSync(join(cpl.home, "evil"))).toBeFalse();

  // The shell itself ends words at colons and spaces.
  if (whyNoTerminal !== undefined) return;
  const bash = runInTerminal(["bash", "--noprofile", "--rcfile", profile], { ...cpl.environment, TERM: "dumb" });
  const atPrompt = (line: string) =>
    bash.until((text) => `\n${text}`.replaceAll(/[\p{Cc}--\n]/gv, "").endsWith(`\n$ ${line}`));
  const completed = async (line: string, expected: string) => {
    await atPrompt("");
    bash.type(line);
    await atPrompt(expected);
    // Alt+# makes it a comment and runs that. After Ctrl+C, the shell may wait for another key.
    bash.type("\u001b#");
  };
  await completed("cpl get :\t", "cpl get :sig:a ");
  await completed("cpl get :sig:\t", "cpl get :sig:a ");
  await completed("cpl import --format=vs\t", "cpl import --format=vscode ");
  await completed("cpl list --team Own\t", "cpl list --team Own\\ team ");
  await completed("cpl list --team 'Ot\t", "cpl list --team 'Other team' ");
  bash.kill("SIGKILL");
});

test("a line that shows progress fits on a narrow terminal: the bar is shorter there, or left out", () => {
  expect(progressLine("Importing", 500, 5_027, 79)).toBe("Importing  ━━────────────────────────────  9%  500 of 5,027");
  expect(progressLine("Importing", 500, 5_027, 47)).toBe("Importing  ━─────────────  9%  500 of 5,027");
  expect(progressLine("Importing", 5_027, 5_027, 47)).toHaveLength(47);
  expect(progressLine("Importing", 5_027, 5_027, 39)).toBe("Importing  100%  5,027 of 5,027");
});

test("an invalid command line fails with status 1 and names the help", async () => {
  const cpl = openCpl();
  const outcomes = await Promise.all(
    [
      ["frobnicate"],
      ["get"],
      ["get", "/a", "--nope"],
      ["list", "--limit", "0"],
      ["diff", "/a", "x"],
      ["create", "/nowhere", "--title", "X"],
    ].map((words) => cpl.run(words)),
  );
  expect(outcomes.map(({ status, stderr }) => [status, stderr.split("\n")])).toEqual([
    [2, ['cpl: unknown command "frobnicate"', "Try: cpl --help", ""]],
    [2, ["cpl: SHORTCUT|ID is required", "Try: cpl get --help", ""]],
    [2, ['cpl: unknown option "--nope"', "Try: cpl get --help", ""]],
    [2, ["cpl: --limit must be a whole number from 1 to 10,000", "Try: cpl list --help", ""]],
    [2, ['cpl: "x" is not a version number', "Try: cpl diff --help", ""]],
    [1, ["cpl: /nowhere does not exist", ""]],
  ]);
  expect(() => findCommand(commands, ["serach"])).toThrow('unknown command "serach". Did you mean search?');
  for (const [word, message] of [
    ["--tema=x", 'unknown option "--tema". Did you mean --team?'],
    ["--team", "--team needs a value. For a value that begins with a dash, write --team=-VALUE"],
    ["--json=1", "--json does not take a value"],
  ] as const)
    expect(() => parse(get, ["/a", word])).toThrow(message);
  // What these print is for a program already.
  for (const [name, ...words] of [["mcp"], ["completion", "bash"]] as const) {
    const command = commands.find((each) => each.name === name);
    if (!command) throw new Error(`there is no ${name}`);
    expect(() => parse(command, [...words, "--json"])).toThrow('unknown option "--json"');
    expect(formatHelp(command)).not.toContain("--json");
  }
  expect(formatOverview(commands)).toContain("and all but mcp and completion have --json.");
});

test("a table that is wider than the terminal shortens names, never IDs and statuses", () => {
  const id = "01a208e0-06d3-769c-92bf-cd01b3876a18";
  const rows = [
    [id, "short.json", "2026-11-22 14:03 UTC", "finished", "raycast"],
    [id, `${"long ".repeat(9)}.json`, "2026-11-22 14:03 UTC", "undone", "commonplace"],
  ];
  const table = (columns: number) =>
    Bun.stripANSI(formatTable(["id", "file", "imported", "status", "format"], rows, columns, "file"))
      .split("\n")
      .slice(0, -1);
  for (const line of table(120)) expect(widthOf(line)).toBeLessThanOrEqual(120);
  expect(table(120)[2]).toBe(`${id}  ${"long ".repeat(7)}l…  2026-11-22 14:03 UTC  undone    commonplace`);
  // Narrower than all that has to be there: the terminal continues on the next line.
  expect(table(50)[2]).toBe(`${id}  long long long …  2026-11-22 14:03 UTC  undone    commonplace`);
  expect(formatTable(["version", "text"], [["1", "abcdefghij"]], 12)).toEndWith("1        ab…\n");
});
