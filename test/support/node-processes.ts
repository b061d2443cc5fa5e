// Nodes in their own processes on one PostgreSQL, and a load that calls every operation on them.
import { expect } from "bun:test";
import type { SQL } from "bun";
import { type OperationName, operationNames, operations } from "../../src/contract/operations.ts";
import { cases } from "./cases.ts";
import {
  type Answer,
  callOn,
  type LedgerRow,
  ledgerOf,
  openAdministration,
  type Target,
  type Workspace,
} from "./nodes.ts";
import { type PrivatePostgres, startPrivatePostgres } from "./private-postgres.ts";
import { spawnService } from "./process.ts";
import { temporaryDirectory, text } from "./service.ts";
import { importedFile, neverExisted, type Targets } from "./targets.ts";

export const never = "00000000-0000-7000-8000-000000000000";
/** Above 1 the tests run longer: more of everything. */
export const scale = Number(process.env.TEST_SCALE ?? 1);
/** The server that all these test files in a process share. */
export let server: PrivatePostgres;
let starting: Promise<PrivatePostgres> | undefined;

export async function startServer(): Promise<void> {
  starting ??= startPrivatePostgres({ settings: { max_connections: "200" } });
  server = await starting;
}

export const settingsOf = (database: string) => ({
  COMMONPLACE_LOG_LEVEL: "error",
  COMMONPLACE_DATABASE_URL: server.urlOf(database),
});

export const spawnNode = (database: string, settings = {}) =>
  spawnService(temporaryDirectory(), { ...settingsOf(database), ...settings });

/** Starts nodes in their own processes on a new database, with direct database access and plain SQL beside them. */
export async function startNodes(count: number, settings = {}) {
  const database = await server.createDatabase();
  const administration = await openAdministration(server.urlOf(database));
  const nodes = await Promise.all(Array.from({ length: count }, () => spawnNode(database, settings)));
  const sql = server.connect(database);
  return {
    database,
    administration,
    nodes,
    sql,
    stop: async () => {
      for (const node of nodes) node.kill("SIGKILL");
      await Promise.all(nodes.map((node) => node.ended));
      await administration.close();
      await sql.close();
    },
  };
}

export const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** A call as its client recorded it. */
export interface RecordedCall {
  readonly node: Target;
  readonly operation: OperationName;
  /** Undefined if there was no response. */
  readonly answer: Answer | undefined;
}

/** @returns a function that makes random calls of every operation, valid and invalid, one after another until `isOver` */
export function makeLoad(workspace: Workspace, nodes: () => readonly Target[], log: RecordedCall[]) {
  const secrets = [...workspace.keys.map((key) => key.secret), workspace.limitedKey];
  const pool: Targets[] = [];

  const call = async (
    node: Target,
    key: string,
    operation: OperationName,
    request: { query?: object; body?: unknown },
  ) => {
    const { method, path } = operations[operation];
    const query = request.query as Record<string, string> | undefined;
    const answer = await callOn(node, key, method, path, { query, body: request.body }).catch(() => undefined);
    log.push({ node, operation, answer });
    return answer;
  };

  /** Each step uses a random node: what one node has acknowledged, all nodes can read. */
  const makeTargets = async (): Promise<void> => {
    const teamId = pick([workspace.teamId, workspace.otherTeamId]);
    const made = async (operation: OperationName, body: unknown) =>
      (await call(pick(nodes()), workspace.key, operation, { body }))?.body?.data;
    const folder = (await made("postFolder", { folderName: "A folder", folderColor: "#336699", teamId }))?.folder;
    const tag = (await made("postTag", { tagName: "A tag", tagColor: "#336699", teamId }))?.tag;
    if (!folder || !tag) return;
    const snippetId = (
      await made("postSnippet", {
        title: "A snippet",
        content: text("Its text"),
        teamId,
        folderId: folder.id,
        tagIds: [tag.id],
        shortcut: tag.id,
        additionalVariations: [{ variationName: "Second", content: text("Second text") }],
      })
    )?.snippetId;
    if (!snippetId) return;
    const read = await call(pick(nodes()), workspace.key, "getSnippet", { query: { id: snippetId } });
    const [first, second] = read?.body?.data?.variations ?? [];
    if (!second) return;
    const trashedSnippetId = (await made("postSnippet", { title: "Trashed", content: text("Its text"), teamId }))
      ?.snippetId;
    if (!trashedSnippetId) return;
    await call(pick(nodes()), workspace.key, "deleteSnippet", { query: { id: trashedSnippetId } });
    const request = { query: { teamId, folderId: folder.id, onDuplicate: "create" }, body: importedFile };
    const imported = await call(pick(nodes()), workspace.key, "postImport", request);
    if (!imported?.body?.data) return;
    const [variationId, secondVariationId] = [first.id, second.id];
    pool.push({
      teamId,
      snippetId,
      trashedSnippetId,
      variationId,
      secondVariationId,
      folderId: folder.id,
      tagId: tag.id,
      shortcut: tag.id,
      importId: imported.body.data.importId,
    });
  };

  const invalidCalls: readonly ((targets: Targets) => [OperationName, { query?: object; body?: unknown }])[] = [
    () => ["postSnippet", { body: "{ not JSON" }],
    () => ["postTags", { body: { tags: [] } }],
    (on) => ["putFolder", { query: { folderId: on.folderId }, body: { parentFolderId: on.folderId } }],
    () => ["getSnippet", { query: { id: "no id" } }],
    (on) => ["deleteSnippetVariation", { body: { variationIds: [on.variationId, on.secondVariationId] } }],
    () => ["deleteSnippets", { query: { ids: Bun.randomUUIDv7() } }],
  ];

  return async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      if (pool.length < 4 || Math.random() < 0.05) await makeTargets();
      const on = pool.length === 0 || Math.random() < 0.1 ? neverExisted() : pick(pool);
      if (Math.random() < 0.15) await call(pick(nodes()), pick(secrets), ...pick(invalidCalls)(on));
      const operation = pick(operationNames);
      await call(pick(nodes()), pick(secrets), operation, cases[operation].request(on));
    }
  };
}

/** Writes snippets that no other client changes, and reads each one from a random node as soon as it is acknowledged. */
export async function writeAndReadElsewhere(
  workspace: Workspace,
  nodes: () => readonly Target[],
  log: RecordedCall[],
  written: Map<string, string>,
  isOver: () => boolean,
): Promise<void> {
  for (let number = 0; !isOver(); number += 1) {
    const [writer, reader] = [pick(nodes()), pick(nodes())];
    const title = `${crypto.randomUUID()}, ${number}`;
    const body = { title, content: text(title), teamId: workspace.teamId };
    const made = await callOn(writer, workspace.key, "POST", "/snippet", { body }).catch(() => undefined);
    log.push({ node: writer, operation: "postSnippet", answer: made });
    if (made?.status !== 200) continue;
    written.set(made.body.data.snippetId, title);
    const query = { id: made.body.data.snippetId };
    const read = await callOn(reader, workspace.key, "GET", "/snippet", { query }).catch(() => undefined);
    log.push({ node: reader, operation: "getSnippet", answer: read });
    if (read?.status === 200) expect(read.body.data.title).toBe(title);
    else expect(["no answer", "quota_exceeded"]).toContain(read === undefined ? "no answer" : read.body.error);
  }
}

/**
 * Sorts the responses by the balance that they report. Each must be the previous one minus its own cost and the units of the ledger rows in
 * between, whose responses were lost. @returns how many ledger rows no client has a response for
 */
export async function expectExactBalances(
  sql: SQL,
  workspaceId: string,
  log: readonly RecordedCall[],
  allowance: number,
) {
  const rows = await ledgerOf(sql, workspaceId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const answered = new Set<string>();
  const reported: { remaining: number; cost: number; id: string }[] = [];
  for (const { operation, answer } of log) {
    if (!answer) continue;
    const row = byId.get(answer.requestId);
    const cost = Number(answer.headers.get("x-request-cost"));
    expect(row).toMatchObject({ operation, status: answer.status, units: cost });
    expect(answered.has(answer.requestId)).toBe(false);
    answered.add(answer.requestId);
    if (answer.status !== 200) continue;
    expect(row?.balance_after).toBe(answer.body.usage.remainingRequests);
    if (cost > 0) reported.push({ remaining: answer.body.usage.remainingRequests, cost, id: answer.requestId });
  }
  reported.sort((left, right) => right.remaining - left.remaining);
  const others: LedgerRow[] = rows.filter((row) => row.units > 0 && !reported.some(({ id }) => id === row.id));
  let before = allowance;
  for (const { remaining, cost } of reported) {
    const between = others.filter((row) => row.balance_after < before && row.balance_after >= remaining + cost);
    expect(remaining).toBe(before - cost - between.reduce((sum, row) => sum + row.units, 0));
    before = remaining;
  }
  return rows.filter((row) => !answered.has(row.id)).length;
}
