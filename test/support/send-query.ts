// Sends operations with a query of the test's own.
import { expect } from "bun:test";
import type { Operation } from "../../src/contract/operation.ts";
import { type OperationName, operations } from "../../src/contract/operations.ts";
import { cases } from "./cases.ts";
import { expectRefusal, inGroups } from "./expect.ts";
import { inputRefusal, sentToService } from "./input-refusal.ts";
import type { RawAnswer, Started } from "./service.ts";
import type { Targets } from "./targets.ts";

/** The body of the operation's example, unless it replaces the query. */
const bodyOf = (name: OperationName, targets: Targets): unknown =>
  cases[name].body?.isInsteadOfQuery ? undefined : cases[name].request(targets).body;

/** Sends the operation's example with this query. */
export function send(
  started: Started,
  name: OperationName,
  targets: Targets,
  query: [string, string][],
): Promise<RawAnswer> {
  const operation: Operation = operations[name];
  const body = bodyOf(name, targets);
  return started.call(operation.method, operation.path, {
    key: started.key.secret,
    query: new URLSearchParams(query).toString(),
    ...(body !== undefined && { body }),
  });
}

/** Checks that the parser refuses each of these queries with the message, and so does the service. */
export async function refuseAll(
  started: Started,
  name: OperationName,
  targets: Targets,
  queries: readonly [string, string][][],
  message: string,
): Promise<void> {
  const sent = bodyOf(name, targets);
  const body = typeof sent === "string" ? sent : (JSON.stringify(sent) ?? "");
  for (const query of queries)
    expect(inputRefusal(operations[name], new URLSearchParams(query).toString(), body)).toBe(message);
  await inGroups(sentToService(queries), async (query) =>
    expectRefusal(await send(started, name, targets, query), 400, message),
  );
}
