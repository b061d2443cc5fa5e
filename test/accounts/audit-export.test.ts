// The audit logs for other programs: by download, by command, and continuously. Each line has what its hash covers.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { noWorkspace } from "../../src/accounts/audit/audit.ts";
import { startConsole } from "../support/console.ts";
import { run, runJson } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

interface Line {
  readonly [field: string]: unknown;
  readonly workspace_id: string;
  readonly number: number;
  readonly action: string;
  readonly hash: string;
}
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const sha256 = (parts: unknown[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");
const textOf = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Whether the lines of a workspace are its whole chain. */
function isChain(lines: readonly Line[], workspaceId: string): boolean {
  let previous = sha256(["commonplace audit log", workspaceId]);
  return lines.every((line, index) => {
    const actor = sha256([line.actor_salt, line.actor_name, line.client_address]);
    const details = sha256([line.details_salt, line.target_name, textOf(line.before), textOf(line.after)]);
    const fixed = [
      "workspace_id",
      "number",
      "id",
      "at",
      "actor_kind",
      "actor_id",
      "action",
      "target_kind",
      "target_id",
    ];
    previous = sha256([previous, ...fixed.map((name) => line[name]), actor, details]);
    return line.number === index + 1 && line.hash === previous;
  });
}

test("a download has the entries of the filters, oldest first, and is itself audited before it begins", async () => {
  const { person, workspace } = await startConsole({});
  const owner = await person({ role: "owner", name: 'Ada "<b>" 夏目' });
  const operator = await person({ isOperator: true });
  for (const name of ["One", "Two", "Three"]) await owner.call("putWorkspace", { body: { name } });
  await owner.call("postTeam", { body: { name: "Team", visibility: "internal" } });
  const whole = await owner.call("getAuditLogExport");
  expect([whole.status, whole.headers.get("content-type"), whole.headers.get("content-disposition")]).toEqual([
    200,
    "application/x-ndjson; charset=utf-8",
    'attachment; filename="audit-log.jsonl"',
  ]);
  const lines = linesOf(whole.text);
  expect(lines.map(({ action }) => action)).toEqual([
    ...["workspace.change", "workspace.change", "workspace.change", "team.create", "audit.export"],
  ]);
  expect(isChain(lines, workspace.id)).toBe(true);
  expect(
    isChain(
      lines.map((line, index) => (index === 2 ? { ...line, actor_name: "Eve" } : line)),
      workspace.id,
    ),
  ).toBe(false);
  const filtered = await owner.call("getAuditLogExport", { query: { action: "team" } });
  expect(linesOf(filtered.text)).toEqual(lines.slice(3, 4));
  await owner.call("putPerson", { body: { name: "Ada" } });
  const ofAccount = await operator.call("getInstanceAuditLogExport", { query: { account: owner.email } });
  expect(linesOf(ofAccount.text)).toMatchObject([{ action: "account.rename", workspace_id: noWorkspace }]);
  expect((await operator.call("getInstanceAuditLogExport", { query: { account: "nobody@example.com" } })).text).toBe(
    "",
  );
});

test("the command writes all chains to a private file, never over another one", async () => {
  const { person, workspace, dataDirectory } = await startConsole({});
  const here = { COMMONPLACE_DATA: dataDirectory };
  const owner = await person({ role: "owner" });
  await owner.call("putWorkspace", { body: { name: "One" } });
  await owner.call("putPerson", { body: { name: "Ada" } });
  const path = join(temporaryDirectory(), "audit.jsonl");
  expect(await runJson(["audit", "export", "--to", path], here)).toEqual({ entries: 3, path });
  const lines = linesOf(readFileSync(path, "utf8"));
  expect(lines.map(({ action }) => action)).toEqual(["account.rename", "audit.export", "workspace.change"]);
  for (const id of [noWorkspace, workspace.id])
    expect(
      isChain(
        lines.filter(({ workspace_id }) => workspace_id === id),
        id,
      ),
    ).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await run(["audit", "export", "--to", path], here)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("exists"),
  });
  const wrong = await run(["audit", "export", "--to", `${path}2`, "--since", "yesterday"], here);
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("--since must be a day")]);
});
