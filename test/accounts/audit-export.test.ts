// The audit logs for other programs: by download, by command, and continuously. Each line has what its hash covers.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { noWorkspace } from "../../src/accounts/audit/audit.ts";
import { exportWaiting } from "../../src/accounts/audit/continuous-export.ts";
import { openSink } from "../../src/operations/audit-sink.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { makeLocalCertificate } from "../../src/platform/tls/make-certificate.ts";
import { startConsole } from "../support/console.ts";
import { openNode } from "../support/engine.ts";
import { scrape } from "../support/metrics.ts";
import { run, runJson } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** No background job runs: entries wait until the test exports them. */
const still: Wait = (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end()));

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

test("a download contains the filtered entries, oldest first, and is audited before it begins", async () => {
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

test("the command writes all chains to a private file, and never overwrites one", async () => {
  const { person, workspace, dataDirectory } = await startConsole({});
  const here = { COMMONPLACE_DATA_DIRECTORY: dataDirectory };
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
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("--since must be a date")]);
});

test("each entry is sent at least once and in order, even with several nodes and after failures", async () => {
  const path = join(temporaryDirectory(), "audit.jsonl");
  const sink = { target: path, header: undefined };
  const started = await startConsole({ config: { metricsPort: 0, auditSink: sink }, wait: still });
  const { person, workspace, service, dataDirectory, clock } = started;
  const owner = await person({ role: "owner" });
  const rename = (name: string) => owner.call("putWorkspace", { body: { name } });
  const node = await openNode(dataDirectory, () => clock.now);
  const send = openSink(sink);
  const shown = async () =>
    [...(await scrape(started)).matchAll(/^commonplace_audit_export_(lag_seconds|pending_entries) (.*)$/gm)].map(
      ([, name, value]) => [name, Number(value)],
    );
  const exportAll = (database = service.database, to = send) => exportWaiting(database, to, () => true);
  await rename("One");
  await rename("Two");
  const broken = () => Promise.reject(new Error("the sink is down"));
  await expect(exportAll(service.database, broken)).rejects.toThrow("the sink is down");
  clock.advance(1_000);
  expect(Object.fromEntries(await shown())).toEqual({ pending_entries: 2, lag_seconds: 1_000 });
  const sent = await Promise.all([exportAll(), exportAll(node), exportAll()]);
  expect(sent.reduce((sum, count) => sum + count, 0)).toBe(2);
  await rename("Three");
  expect([await exportAll(node), await exportAll()]).toEqual([1, 0]);
  await node.close();
  expect((await shown()).map(([, value]) => value)).toEqual([0, 0]);
  const lines = linesOf(readFileSync(path, "utf8"));
  expect([lines.length, isChain(lines, workspace.id)]).toEqual([3, true]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("entries are sent over HTTPS, with the configured header, and redirects are not followed", async () => {
  const { key, cert, ca } = await makeLocalCertificate();
  const requests: { header: string | null; body: string }[] = [];
  let status = 204;
  const server = Bun.serve({
    port: 0,
    tls: { key, cert },
    fetch: async (request) => {
      requests.push({ header: request.headers.get("x-key"), body: await request.text() });
      return new Response(null, { status, headers: { Location: "https://localhost:1/" } });
    },
  });
  const send = openSink(
    { target: `https://localhost:${server.port}/in`, header: { name: "X-Key", value: "secret" } },
    ca,
  );
  await send("{}\n");
  expect(requests).toEqual([{ header: "secret", body: "{}\n" }]);
  for (status of [302, 500]) await expect(send("{}\n")).rejects.toThrow(`the address responded with status ${status}`);
  expect(requests).toHaveLength(3);
  await server.stop(true);
  await expect(send("{}\n")).rejects.toThrow("the address did not respond");
});
