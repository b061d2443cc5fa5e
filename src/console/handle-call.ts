// One call of the console's operations through the rooms: who is it, what is asked, may they, the rule, the way out.
import { noWorkspace } from "../accounts/audit/audit.ts";
import { consoleErrors } from "../contract/console/errors.ts";
import type { ConsoleOperation } from "../contract/console/operation.ts";
import { type ConsoleOperationName, consoleOperations } from "../contract/console/operations.ts";
import { errors, Refusal } from "../contract/errors.ts";
import { DatabaseUnavailable } from "../platform/database/database.ts";
import { parseInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../platform/http/respond.ts";
import { credentialOf, type Passed, pass, requireOwnOrigin } from "./authorize.ts";
import type { ConsoleCall, ConsoleVisit, Instance } from "./call.ts";
import { consoleHandlers, type Download } from "./handlers.ts";

const bodyBytesMax = 64 * 1024;
const retryAfterFailureSeconds = 1;

/** A cookie that was signed by this instance: its token, and the cookie again for a session that goes on. */
export interface SessionCookie {
  readonly token: string;
  readonly renewed: () => string;
}

/** Answers one call. Never throws: whatever happens becomes an answer. */
export async function dispatchConsole(
  instance: Instance,
  name: ConsoleOperationName,
  incoming: IncomingRequest,
  cookie: SessionCookie | undefined,
  requestId: string,
): Promise<OutgoingResponse> {
  try {
    return await carryThrough(instance, name, incoming, cookie, requestId);
  } catch (error) {
    return consoleRefusal(instance, error, requestId);
  }
}

/** Any failure as an answer; what is none of the caller's doing is told to the log, and not to the caller. */
export function consoleRefusal(
  instance: Pick<Instance, "report">,
  error: unknown,
  requestId: string,
): OutgoingResponse {
  if (error instanceof Refusal) return refusalResponse(error, requestId);
  instance.report(requestId, error);
  const isUnavailable = error instanceof DatabaseUnavailable;
  return refusalResponse(isUnavailable ? errors.unavailable(retryAfterFailureSeconds) : errors.internal(), requestId);
}

async function carryThrough(
  instance: Instance,
  name: ConsoleOperationName,
  incoming: IncomingRequest,
  cookie: SessionCookie | undefined,
  requestId: string,
): Promise<OutgoingResponse> {
  const operation: ConsoleOperation = consoleOperations[name];
  const credential = credentialOf(incoming, cookie?.token);
  if (credential.kind !== "token") requireOwnOrigin(incoming, instance.origin, operation.body !== undefined);
  if (credential.kind === "none" && operation.needs !== "nobody") throw consoleErrors.signInRequired();
  const readInput = async (): Promise<ReturnType<typeof parseInput> | Refusal> => {
    try {
      return parseInput(operation, incoming.search, operation.body ? await readBody(incoming) : new Uint8Array());
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
  const input = await readInput();
  if (input instanceof Refusal) {
    // Who calls comes before what was asked: a stranger learns nothing from a malformed call.
    if (operation.needs !== "nobody") {
      const asPerson: ConsoleOperation = { ...operation, needs: "person" };
      await instance.database.read((transaction) => pass(transaction, credential, asPerson, undefined, ""));
    }
    throw input;
  }
  const { workspaceId } = input.query;
  const enter = (transaction: ConsoleCall["transaction"]) =>
    pass(
      transaction,
      credential,
      operation,
      typeof workspaceId === "string" ? workspaceId : undefined,
      incoming.clientAddress,
    );

  const handler = consoleHandlers[name] as (call: unknown, input: unknown) => Promise<Result>;
  let passed: Passed | undefined;
  let result: Result;
  if (operation.isOwnTransaction) {
    passed =
      operation.needs === "nobody" && credential.kind === "none"
        ? undefined
        : await optional(operation, instance.database.read(enter));
    const { actor, reach = "all" } = passed ?? {};
    const visit: ConsoleVisit = {
      ...{ instance, actor, reach, requestId, incoming },
      workspaceId: passed?.workspaceId ?? noWorkspace,
    };
    result = await handler(visit, input);
  } else {
    const isReading = operation.method === "GET" && !operation.isWriting;
    const work = async (transaction: ConsoleCall["transaction"]) => {
      passed = await enter(transaction);
      const { actor, workspaceId: id, reach } = passed;
      const call: ConsoleCall = { instance, transaction, actor, workspaceId: id, reach, requestId };
      return handler(call, input);
    };
    result = isReading ? await instance.database.read(work) : await instance.database.transaction(work);
  }
  const upkeep = passed?.upkeep;
  if (upkeep) await instance.database.transaction(async (transaction) => upkeep(transaction));
  const renewed = upkeep && credential.kind === "session" && cookie ? [cookie.renewed()] : [];
  return answerOf(operation, result, requestId, renewed);
}

/** Where nobody needs to be signed in, a session that has ended is none. */
async function optional(operation: ConsoleOperation, passing: Promise<Passed>): Promise<Passed | undefined> {
  if (operation.needs !== "nobody") return passing;
  return passing.catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}

interface Result {
  readonly data?: unknown;
  readonly nextCursor?: string | null;
  readonly cookies?: readonly string[];
  readonly body?: Download["body"];
  readonly fileName?: string;
}

async function readBody(incoming: IncomingRequest): Promise<Uint8Array | "too large"> {
  if ((incoming.bodyBytes ?? 0) > bodyBytesMax) return "too large";
  return incoming.readBody(bodyBytesMax);
}

function answerOf(
  operation: ConsoleOperation,
  result: Result,
  requestId: string,
  renewed: readonly string[],
): OutgoingResponse {
  const headers: Record<string, string> = {
    ...unchargedHeaders(requestId),
    "Content-Type": `${operation.answers ?? "application/json"}; charset=utf-8`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  const cookies = [...renewed, ...(result.cookies ?? [])];
  if (result.body === undefined || result.fileName === undefined) {
    const { data, nextCursor } = result;
    return { status: 200, body: JSON.stringify({ success: true, data, nextCursor }), headers, cookies, units: 0 };
  }
  headers["Content-Disposition"] = `attachment; filename="${result.fileName.replaceAll(/[^\w.-]+/g, "-")}"`;
  if (operation.answers === "application/pdf") headers["Content-Type"] = operation.answers;
  return { status: 200, body: result.body, headers, cookies, units: 0 };
}
