// Two nodes on one PostgreSQL that change the same rows at the same moment.
import { afterAll, beforeAll, expect } from "bun:test";
import type { SQL } from "bun";
import { type OperationName, operations } from "../../src/contract/operations.ts";
import {
  type Answer,
  expectConsistentLibrary,
  isOnPostgres,
  isolation,
  makeWorkspace,
  type Node,
  type Request,
  startNode,
  type Workspace,
} from "./nodes.ts";
import { startPrivatePostgres } from "./private-postgres.ts";
import { text } from "./service.ts";

export const rounds = 50 * Number(process.env.TEST_SCALE ?? 1);
/** For races that have more calls each. */
export const fewerRounds = Math.ceil(rounds / 4);
/** Races that run side by side, each on rows of its own. */
export const width = 10;
export let sql: SQL;
export let workspace: Workspace;
export let [callsMade, callsGivenUp] = [0, 0];
let nodes: readonly Node[] = [];

async function startTwoNodes(): Promise<void> {
  const server = await startPrivatePostgres();
  const name = await server.createDatabase();
  sql = server.connect(name);
  nodes = [await startNode(server.urlOf(name)), await startNode(server.urlOf(name))];
  // One key for each call of a race: calls with the same key are admitted one after another.
  workspace = await makeWorkspace(database(0), { allowance: 1_000_000_000, keys: 60 });
}

async function stopTwoNodes(): Promise<void> {
  await Promise.all(nodes.map((node) => node.stop()));
  await sql?.close();
}

/** Starts two nodes before the calling file's tests and stops them afterwards. */
export function withTwoNodes(): void {
  beforeAll(async () => {
    if (isOnPostgres) await startTwoNodes();
  });
  afterAll(stopTwoNodes);
}

/** The database of one of the nodes, for work that no request does. */
export const database = (number: number): Node["database"] => (nodes[number % nodes.length] as Node).database;

/** Responses that no client may ever get. */
export const failures: unknown[] = [];

export const call = async (number: number, operation: OperationName, request: Request): Promise<Answer> => {
  const { method, path } = operations[operation];
  const key = workspace.keys[number % workspace.keys.length]?.secret ?? "";
  const answer = await (nodes[number % nodes.length] as Node).call(key, method, path, request);
  callsMade += 1;
  // At another isolation level than the usual one, heavy load may exhaust the retries.
  const isGivenUp = isolation !== undefined && answer.status === 503;
  if (isGivenUp) callsGivenUp += 1;
  else if (answer.status >= 500) failures.push({ operation, status: answer.status, body: answer.body });
  return answer;
};

export let made = 0;

export const make = async (operation: OperationName, body: unknown) => {
  made += 1;
  const answer = await call(made, operation, { body });
  expect(answer.status).toBe(200);
  return answer.body.data;
};

export const folder = async (parentFolderId?: string): Promise<string> =>
  (await make("postFolder", { folderName: "A", folderColor: "#fff", teamId: workspace.teamId, parentFolderId })).folder
    .id;

export const tag = async (parentTagId?: string): Promise<string> =>
  (await make("postTag", { tagName: "A", tagColor: "#fff", teamId: workspace.teamId, parentTagId })).tag.id;

export const snippetBody = (more: object = {}) => ({
  title: "A",
  content: text("A"),
  teamId: workspace.teamId,
  ...more,
});

export const snippet = async (more: object = {}): Promise<string> =>
  (await make("postSnippet", snippetBody(more))).snippetId;

export const variationsOf = async (id: string): Promise<string[]> =>
  (await call(0, "getSnippet", { query: { id } })).body.data.variations.map((row: { id: string }) => row.id);

export type RaceCall = [OperationName, Request];

/** Makes the rows of many races, sends the calls of each race to both nodes at once, and checks the responses. */
export async function race<Rows>(
  makeRows: () => Promise<Rows>,
  callsOf: (rows: Rows) => readonly RaceCall[],
  check: (answers: readonly Answer[], rows: Rows) => void | Promise<void>,
  count = rounds,
): Promise<void> {
  for (let done = 0; done < count; done += width) {
    const sets = await Promise.all(Array.from({ length: Math.min(width, count - done) }, makeRows));
    const outcomes = await Promise.all(
      sets.map((rows, set) => {
        const calls = callsOf(rows);
        return Promise.all(calls.map(([operation, request], at) => call(set * calls.length + at, operation, request)));
      }),
    );
    for (const [set, answers] of outcomes.entries()) await check(answers, sets[set] as Rows);
  }
  expect(failures.splice(0)).toEqual([]);
  await expectConsistentLibrary(sql, workspace.id);
}

export const outcomeOf = ({ status, body }: Answer): string => (status === 200 ? "done" : `${status} ${body.message}`);
export const outcomesOf = (answers: readonly Answer[]): string[] => answers.map(outcomeOf).sort();

/** Messages that a caller may get if another caller was faster. */
export const refusals = {
  last: "400 A snippet must keep at least one variation",
  gone: { snippet: "404 Snippet not found", variation: "404 Variation not found" },
  noFolder: "400 folderId must be a folder of the same team",
  noTag: "400 tagIds must be tags of the same team",
  noParentFolder: "400 parentFolderId must be a folder of the same team",
  noParentTag: "400 parentTagId must be a tag of the same team",
};

/**
 * Makes numbered calls from so many clients at once, each when its last one is answered. A row may be deleted again before it is read, so
 * only a failed expectation counts as a failure.
 */
export async function callFromClients(
  clients: number,
  callsMax: number,
  makeCall: (number: number) => Promise<unknown>,
): Promise<void> {
  let number = 0;
  const client = async () => {
    while (number < callsMax) {
      number += 1;
      await makeCall(number).catch((error) => {
        if (String(error).includes("expect")) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}
