// The operator's commands while the service runs: their changes affect the next call.
import { afterAll, beforeAll, expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engine, testSomeOnPostgres as test } from "../support/engine.ts";
import { expectFailure, makeWorkspace, type Program, run, runJson, type Settings, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const here: Settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const neverExisted = "00000000-0000-7000-8000-000000000000";

let program: Program;
beforeAll(async () => {
  program = await serve({ ...here, COMMONPLACE_REQUESTS_PER_MINUTE: "1000" });
});
afterAll(async () => program[Symbol.asyncDispose]());

const read = async (answer: Promise<Response>) => {
  const response = await answer;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and asserts on it.
  return { status: response.status, ...((await response.json()) as any) };
};
const snippetFor = (teamId: string) => ({ title: "A", content: { type: "code", content: "B" }, teamId });

test("a new key, a deactivated one, an activated one, a deleted one", async () => {
  const { team, key, secret } = await makeWorkspace(here);
  const call = () => read(program.call("POST", "/snippet", secret, snippetFor(team)));

  expect(await call()).toMatchObject({ status: 200, success: true });
  expect(await runJson(["key", "show", "--key", key], here)).toMatchObject({ last_used_at: timestamp });
  expectFailure(
    await run(["key", "delete", "--key", key], here),
    1,
    "an active API key cannot be deleted. Deactivate it first",
  );
  expect(await call()).toMatchObject({ status: 200 });

  const deactivated = await runJson(["key", "deactivate", "--key", key], here);
  expect(deactivated).toMatchObject({ id: key, status: "inactive", deactivated_at: timestamp });
  expect(await call()).toMatchObject({ status: 401, message: "Invalid or inactive API key" });
  expect(await runJson(["key", "deactivate", "--key", key], here)).toEqual(deactivated);

  expect(await runJson(["key", "activate", "--key", key], here)).toMatchObject({
    status: "active",
    deactivated_at: null,
  });
  expect(await call()).toMatchObject({ status: 200 });

  await runJson(["key", "deactivate", "--key", key], here);
  const deleted = await run(["key", "delete", "--key", key], here);
  expect(deleted).toEqual({ status: 0, stdout: `Deleted Its key (${key}).\n`, stderr: "" });
  expect(await call()).toMatchObject({ status: 401, message: "Invalid or inactive API key" });
  expectFailure(await run(["key", "activate", "--key", key], here), 1, `key not found: ${key}`);
});

test("a team made later, for a key of all teams; the listed teams only, for another", async () => {
  const { workspace, team, secret } = await makeWorkspace(here);
  const words = ["key", "create", "--workspace", workspace, "--name", "One team", "--team", team];
  const limited = await runJson(words, here);
  const later = await runJson(["team", "create", "--workspace", workspace, "--name", "Later"], here);
  expect(await read(program.call("POST", "/snippet", secret, snippetFor(later.id)))).toMatchObject({ status: 200 });
  expect(await read(program.call("POST", "/snippet", limited.secret, snippetFor(team)))).toMatchObject({
    status: 200,
  });
  expect(await read(program.call("POST", "/snippet", limited.secret, snippetFor(later.id)))).toMatchObject({
    status: 403,
    message: "API key does not have access to this team",
  });
});

test("a subscription that ended, and one that began again", async () => {
  const { workspace, team, secret } = await makeWorkspace(here);
  const call = () => read(program.call("POST", "/snippet", secret, snippetFor(team)));
  const update = ["workspace", "change", "--workspace", workspace, "--subscription"];
  await runJson([...update, "inactive"], here);
  expect(await call()).toMatchObject({ status: 403, message: "Workspace subscription is not active" });
  await runJson([...update, "active"], here);
  expect(await call()).toMatchObject({ status: 200 });
});

test("a workspace is dumped and deleted, its keys stop working, and it is restored", async () => {
  const { workspace, secret } = await makeWorkspace(here);
  const call = () => read(program.call("GET", "/me", secret));
  const file = join(temporaryDirectory(), "dump.jsonl");
  const ofWorkspace = ["--workspace", workspace];
  const deleted = await runJson(["workspace", "delete", ...ofWorkspace, "--dump-to", file], here);
  expect([deleted.id, deleted.file]).toEqual([workspace, file]);
  expect(Date.parse(deleted.removal_at) - Date.parse(deleted.deleted_at)).toBe(7 * 24 * 60 * 60 * 1_000);
  const lines = (await Bun.file(file).text()).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ end: true, rows: lines.length - 2 });
  expect(await call()).toMatchObject({ status: 401, message: "Invalid or inactive API key" });
  await runJson(["workspace", "restore", ...ofWorkspace], here);
  expect(await call()).toMatchObject({ status: 200 });
});

test("a team is dumped and deleted, no key can access it, and it is restored", async () => {
  const { workspace, team, secret } = await makeWorkspace(here);
  const create = () => read(program.call("POST", "/snippet", secret, snippetFor(team)));
  const { data } = await create();
  const file = join(temporaryDirectory(), "dump.jsonl");
  const deleted = await runJson(["team", "delete", "--team", team, "--dump-to", file], here);
  expect([deleted.id, deleted.file]).toEqual([team, file]);
  expect(Date.parse(deleted.removal_at) - Date.parse(deleted.deleted_at)).toBe(7 * 24 * 60 * 60 * 1_000);
  const lines = (await Bun.file(file).text()).trimEnd().split("\n");
  // Its row, and that of its creation in the activity.
  expect(lines.filter((line) => line.includes(data.snippetId))).toHaveLength(2);
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ end: true, rows: lines.length - 2 });
  expect(await create()).toMatchObject({ status: 404, message: "Team not found" });
  expectFailure(await run(["team", "delete", "--team", team, "--no-dump"], here), 1, "team not found");
  const listed = await run(["team", "list", "--workspace", workspace], here);
  expect(listed.stdout).toContain(deleted.removal_at.slice(0, 10));
  expect(await runJson(["team", "restore", "--team", team], here)).toMatchObject({ id: team, deleted_at: null });
  expect(await create()).toMatchObject({ status: 200 });
  // Open pages learn of both.
  const changes = engine.rowsOf(here.COMMONPLACE_DATA_DIRECTORY ?? "");
  const found = await changes("select entries from library_changes where team_id = ? order by number", team);
  expect(found.map(({ entries }) => JSON.parse(String(entries)).length)).toEqual([1, 0, 0, 1]);
});

test("an account is deleted by its address, and nobody has that address afterward", async () => {
  const address = "leaver@example.com";
  const { id } = await runJson(["person", "create", "--email", address], here);
  const deleted = await runJson(["person", "delete", "--email", address], here);
  expect(deleted).toEqual({ id, pseudonym: `Former member ${id.slice(-4)}`, invitations_revoked: 0, keys: [] });
  expectFailure(await run(["person", "delete", "--email", address], here), 1, `no account has the address ${address}`);
});

test("a changed allowance and an add-on package, credited once for a payment reference", async () => {
  const { workspace, team, secret } = await makeWorkspace(here);
  const call = () => read(program.call("POST", "/snippet", secret, snippetFor(team)));
  const other = await makeWorkspace(here);
  const reference = crypto.randomUUID();
  const grant = (to: string, size: string) => [
    ...["quota", "grant", "--workspace", to, "--package", size],
    ...["--reference", reference],
  ];
  await runJson(["workspace", "change", "--workspace", workspace, "--monthly-requests", "1"], here);
  expect(await call()).toMatchObject({ status: 200, usage: { remainingRequests: 0 } });
  expect(await call()).toMatchObject({ status: 403, error: "quota_exceeded" });

  const granted = await runJson(grant(workspace, "100K"), here);
  expect(granted).toMatchObject({ workspace_id: workspace, credited: true, remaining: 100_000, granted: 100_001 });
  expect(granted.grants).toEqual([
    expect.objectContaining({ kind: "monthly", units: 1, remaining: 0, reference: null }),
    expect.objectContaining({ kind: "100K", units: 100_000, remaining: 100_000, reference }),
  ]);
  expect(await call()).toMatchObject({ status: 200, usage: { remainingRequests: 99_999 } });

  const again = await run(grant(workspace, "100K"), here);
  expect(again.stdout).toStartWith("This payment reference has already been used. Nothing was changed.\n");
  expect(await runJson(grant(workspace, "100K"), here)).toMatchObject({ credited: false, remaining: 99_999 });
  expect(await runJson(["quota", "show", "--workspace", workspace], here)).toMatchObject({
    remaining: 99_999,
    used: 2,
  });
  const refusal = `this payment reference was already used for another workspace or package: ${reference}`;
  expectFailure(await run(grant(other.workspace, "100K"), here), 1, refusal);
  expectFailure(await run(grant(workspace, "500K"), here), 1, refusal);
});

test("usage tells what was called, by operation and by key", async () => {
  const { workspace, team, key, secret } = await makeWorkspace(here);
  const words = ["key", "create", "--workspace", workspace, "--name", "Second", "--all-teams"];
  const second = await runJson(words, here);
  const created = await read(program.call("POST", "/snippet", secret, snippetFor(team)));
  const batch = { snippets: [snippetFor(team), snippetFor(team), snippetFor(team)] };
  await program.call("POST", "/snippets", second.secret, batch);
  await program.call("GET", `/snippet?id=${created.data.snippetId}`, second.secret);
  await program.call("GET", `/snippet?id=${neverExisted}`, second.secret);

  const used = await runJson(["usage", "--workspace", workspace], here);
  const month = new Date().toISOString().slice(0, 7);
  expect(used).toEqual({
    workspace_id: workspace,
    month,
    calls: 4,
    units: 6,
    by_operation: [
      { operation: "postSnippets", calls: 1, units: 3 },
      { operation: "getSnippet", calls: 2, units: 2 },
      { operation: "postSnippet", calls: 1, units: 1 },
    ],
    by_key: [
      { key_id: second.id, name: "Second", secret_start: second.secret.slice(0, 8), calls: 3, units: 5 },
      { key_id: key, name: "Its key", secret_start: secret.slice(0, 8), calls: 1, units: 1 },
    ],
  });
  // In a table, operations have the names of the documentation and the console.
  const { stdout } = await run(["usage", "--workspace", workspace], here);
  expect(stdout).toMatch(/\n +1 +3 +POST \/snippets\n +2 +2 +GET \/snippet\n +1 +1 +POST \/snippet\n/);
  const ofMonth = (text: string) => runJson(["usage", "--workspace", workspace, "--month", text], here);
  const [same, earlier] = await Promise.all([ofMonth(month), ofMonth("2020-01")]);
  expect(same).toEqual(used);
  expect(earlier).toMatchObject({ month: "2020-01", calls: 0, units: 0, by_operation: [], by_key: [] });
});

test("deleted snippets are listed, restored, and deleted permanently", async () => {
  const { workspace, team, key, secret } = await makeWorkspace(here);
  const of = ["--workspace", workspace];
  const deleted = async (title: string): Promise<string> => {
    const { data } = await read(program.call("POST", "/snippet", secret, { ...snippetFor(team), title }));
    await program.call("DELETE", `/snippet?id=${data.snippetId}`, secret);
    return data.snippetId;
  };
  const [first, second, third] = [await deleted("A"), await deleted("Up\u001b[2A\u202e"), await deleted("C")];
  const row = (id: string, title: string) => ({ id, title, team_id: team, deleted_at: timestamp, deleted_by: key });
  expect(await runJson(["trash", "list", ...of], here)).toEqual([
    row(third, "C"),
    row(second, "Up\u001b[2A\u202e"),
    row(first, "A"),
  ]);
  const { stdout } = await run(["trash", "list", ...of, "--team", team], here);
  expect(stdout).toMatch(
    new RegExp(`^ID +DELETED +TITLE\n${third} +[\\d-]+ +C\n${second} +[\\d-]+ +Up\ufffd\\[2A\ufffd\n${first}`),
  );

  const restore = ["trash", "restore", ...of, "--snippet", first.toUpperCase(), neverExisted, first];
  expect(await run(restore, here)).toEqual({
    status: 3,
    stdout: `Restored ${first}.\nNot restored: ${neverExisted}. Snippet not found.\n`,
    stderr: "",
  });
  expect(await read(program.call("GET", `/snippet?id=${first}`, secret))).toMatchObject({ status: 200 });
  expectFailure(await run(restore, here), 1, `snippet not found: ${first}`);
  expect(await runJson(["trash", "restore", ...of, "--snippet", second], here)).toEqual({
    restored: [second],
    errors: [],
  });
  expectFailure(
    await run(["trash", "restore", ...of, "--snippet", "x"], here),
    2,
    "--snippet must be an ID. To find it, run ./commonplace trash list",
    "./commonplace trash restore --help",
  );

  const [other, empty] = [await makeWorkspace(here), ["trash", "empty", ...of]];
  expectFailure(await run([...empty, "--team", other.team], here), 1, `team not found: ${other.team}`);
  expect(await run(empty, here)).toEqual({ status: 0, stdout: "Deleted 1 snippet.\n", stderr: "" });
  expect(await runJson(empty, here)).toEqual({ deleted: 0 });
  expect(await runJson(["trash", "list", ...of], here)).toEqual([]);
  expect(await read(program.call("GET", `/snippet?id=${first}`, secret))).toMatchObject({ status: 200 });
  expectFailure(await run(["trash", "restore", ...of, "--snippet", third], here), 1, `snippet not found: ${third}`);
});

test("snippets are imported, previewed before, undone, and exported, in any format and without overwriting anything", async () => {
  const { team, key, secret } = await makeWorkspace(here);
  const directory = temporaryDirectory();
  const [file, report] = [join(directory, "snippets.json"), join(directory, "left-out.csv")];
  writeFileSync(
    file,
    JSON.stringify(
      [
        { name: "A", text: "a" },
        { name: "", text: "b", keyword: "!b" },
        { name: "x".repeat(201), text: "c" },
      ],
      undefined,
      1,
    ),
  );
  const words = ["import", file, "--team", team];
  const problems = [
    {
      place: { file: "snippets.json", line: 11 },
      message: `"${"x".repeat(60)}…": the title must be 1 to 200 characters.`,
    },
  ];
  const counts = { folders: 0, tags: 0, created: 2, replaced: 0, skipped: 0 };

  expect(await runJson([...words, "--dry-run"], here, 3)).toEqual({
    format: "raycast",
    ...counts,
    ...{ new_folders: [], new_tags: [] },
    problems,
    warnings: [],
  });
  const empty = join(directory, "empty");
  expect((await run(["export", "--team", team, "--format", "vscode", "--to", empty], here)).stdout).toBe(
    `The team has no snippets, so ${empty} was not created.\n`,
  );
  const table = join(directory, "table.csv");
  const rows = Array.from({ length: 22 }, (_, index) => `s${index},${index},Mail / F${index % 2},t,x`);
  writeFileSync(table, ["title,content,folder,tags,other", ...rows].join("\n"));
  const preview = (await run(["import", table, "--team", team, "--dry-run"], here)).stdout;
  expect(preview.split("\n")).toEqual([
    "Format: CSV",
    "22 snippets would be imported, with 3 new folders and 1 new tag.",
    ...["", "New folders", "  Mail", "  Mail / F0", "  Mail / F1"],
    ...["", "New tags", "  t"],
    ...["", "Snippets", ...rows.slice(0, 20).map((_, index) => `  create   s${index}`), "  and 2 more"],
    ...["", "Warnings", '  table.csv:1: The column "other" is left out.', ""],
  ]);
  const wide = join(directory, "wide.csv");
  writeFileSync(wide, `content,${Array.from({ length: 25 }, (_, index) => `c${index}`).join(",")}\na\n`);
  expect((await run(["import", wide, "--team", team, "--dry-run"], here)).stdout).toEndWith(
    '  wide.csv:1: The column "c19" is left out.\n  and 5 more. Use --report FILE to list all.\n',
  );
  expectFailure(
    await run([...words, "--all-or-nothing", "--report", report], here),
    1,
    `nothing was imported because of 1 problem: snippets.json, line 11: ${problems[0]?.message}`,
  );
  expect(readFileSync(report, "utf8")).toBe(
    `kind,file,line,message\nproblem,snippets.json,11,"${problems[0]?.message.replaceAll('"', '""')}"\n`,
  );
  expectFailure(await run([...words, "--report", report], here), 1, `${report} already exists`);
  const stranger = "ada@example.com";
  expectFailure(await run([...words, "--as", stranger], here), 1, `the workspace has no member or API key ${stranger}`);
  const imported = await runJson([...words, "--as", key], here, 3);
  expect(imported).toMatchObject({ format: "raycast", ...counts, is_resumed: false, problems });
  expect(await read(program.call("GET", "/shortcut?shortcut=!b", secret))).toMatchObject({
    status: 200,
    data: { title: "b", created_by: key },
  });
  expect(await runJson(words, here, 3)).toMatchObject({ created: 0, skipped: 2 });

  const archive = join(directory, "out.zip");
  expect(await run(["export", "--team", team, "--to", archive], here)).toEqual({
    ...{ status: 0, stderr: "" },
    stdout: `Exported 2 snippets to ${archive}.\n`,
  });
  expect((await run(["export", "--team", team, "--to", archive], here)).status).toBe(1);
  const markdown = await runJson(
    ["export", "--team", team, "--format", "markdown", "--to", join(directory, "md")],
    here,
  );
  expect(markdown).toEqual({
    ...{ format: "markdown", snippets: 2 },
    files: [join(directory, "md", "A.md"), join(directory, "md", "b.md")],
    ...{ warnings: [], code: [] },
  });
  // What another tool would run is named before anything is written.
  const note = "```ultisnips\nhasTabStops: true\n```";
  const code = { title: "Date \u009b", teamId: team, note, content: { type: "plaintext", content: "`date`" } };
  await program.call("POST", "/snippet", secret, code);
  const vim = ["export", "--team", team, "--format", "ultisnips", "--to", join(directory, "vim")];
  const named = 'all.snippets:9: "Date \ufffd" runs `date`\n';
  expect(await run(vim, here)).toEqual({
    ...{ status: 1, stdout: "" },
    stderr: `${named}commonplace: nothing was written, because the other tool would run this code. To write it, add --allow-code.\n`,
  });
  expect(existsSync(join(directory, "vim"))).toBe(false);
  expect(await run([...vim, "--allow-code"], here)).toMatchObject({ status: 0, stderr: named });

  expect(await runJson(["import", "undo", "--import", imported.id], here)).toEqual({
    id: imported.id,
    deleted: 2,
    restored: 0,
    kept: 0,
  });
  expect(await runJson(["import", archive, "--team", team], here)).toMatchObject({
    format: "commonplace",
    created: 2,
    problems: [],
  });
  const { data: past } = await read(program.call("GET", `/imports?teamId=${team}&limit=1`, secret));
  expect(past.imports).toMatchObject([
    { format: "commonplace", status: "finished", created_by: "00000000-0000-0000-0000-000000000000" },
  ]);
  expectFailure(
    await run(["import", join(directory, "none"), "--team", team], here),
    1,
    `${join(directory, "none")} does not exist`,
  );
  expectFailure(
    await run([...words, "--on-duplicate", "x"], here),
    2,
    "--on-duplicate must be skip, replace, or create",
    "./commonplace import --help",
  );
});
