// The reference model: what each operation does and answers, in the plainest possible way. It is written from the specification and shares
// no code with the service: no schemas, no types, no SQL. Everything is in memory, IDs are counted up, and time is what the request says.
import { Call, type Cursor, type Operation, type Result } from "./call.ts";
import { folderAndTagOperations } from "./groups.ts";
import { invalid, Parameters, Refused, readBody } from "./input.ts";
import { listOperations } from "./lists.ts";
import { search } from "./search.ts";
import { snippetOperations } from "./snippets.ts";
import type { Key, Request, Response, Workspace } from "./state.ts";

const operations: Readonly<Record<string, Operation>> = {
  ...snippetOperations,
  ...folderAndTagOperations,
  ...listOperations,
  getSearch: search,
};
export const operationNames: readonly string[] = Object.keys(operations);

/** The operations whose cost depends on what they return or change, and those of them that cost one more. */
const byItems = new Set(
  "getSnippets postSnippets deleteSnippets deleteSnippetVariation getSnippetVariationHistory getFolder getFolders postFolders putFolders deleteFolders getTag getTags postTags putTags deleteTags getSnippetVariations postSnippetVariations getSearch getTrash postSnippetsRestore".split(
    " ",
  ),
);
const onePlusItems = new Set(["getFolder", "getTag", "getSearch", "getTrash"]);

const [minute, day] = [60_000, 86_400_000];
const quotaExceeded = "quota_exceeded";
const toIso = (now: number): string => new Date(now).toISOString();

export class Model {
  readonly #perMinute: number;
  readonly #cursors = new Map<string, Cursor>();
  #ids = 0;
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }
  /** IDs are in the order in which they are made, as the service's are. */
  newId(): string {
    this.#ids += 1;
    return `~${String(this.#ids).padStart(6, "0")}`;
  }
  addWorkspace(name: string, teams: readonly string[], allowance: number): Workspace {
    const library = { snippets: [], folders: [], tags: [], trash: [] };
    const workspace = { id: this.newId(), name, allowance, month: "", balance: 0, library };
    return { ...workspace, teams: teams.map((each) => ({ id: this.newId(), name: each })) };
  }
  addKey(workspace: Workspace, name: string, teams?: readonly string[]): Key {
    return { id: this.newId(), name, workspace, teams, admitted: [], kept: new Map() };
  }

  /** Carries out a request. */
  ask(request: Request): Response {
    const { key, now } = request;
    key.admitted = key.admitted.filter((at) => at > now - minute);
    const [oldest] = key.admitted;
    if (oldest !== undefined && key.admitted.length >= this.#perMinute) {
      const seconds = Math.ceil((oldest + minute - now) / 1_000);
      const error = new Refused(429, "rate_limit_exceeded", `Rate limit exceeded. Try again in ${seconds} seconds`);
      return this.#withLimits(key, this.#refuse(error, 0, { "retry-after": String(seconds) }));
    }
    key.admitted.push(now);
    const { workspace } = key;
    const month = toIso(now).slice(0, 7);
    if (workspace.month !== month) Object.assign(workspace, { month, balance: workspace.allowance });
    return this.#withLimits(key, this.#once(request));
  }
  #withLimits(key: Key, response: Response): Response {
    const left = this.#perMinute - key.admitted.length;
    const headers = { "x-ratelimit-limit": String(this.#perMinute), "x-ratelimit-remaining": String(left) };
    return { ...response, headers: { ...response.headers, ...headers } };
  }

  /** A repeat of a request with an `Idempotency-Key` gets the first response, for nothing. */
  #once(request: Request): Response {
    const { key, operation, query, body, repeat, now } = request;
    if (repeat === undefined || operation.startsWith("get")) return this.#carryOut(request);
    if (!/^[!-~]{1,255}$/.test(repeat))
      return this.#fail(key, invalid("Idempotency-Key must be 1 to 255 visible ASCII characters"));
    const same = JSON.stringify([operation, query, body]);
    const kept = key.kept.get(repeat);
    if (!kept || kept.at <= now - day) {
      const response = this.#carryOut(request);
      const isKept = (response.body as { error?: string }).error !== quotaExceeded;
      if (isKept) key.kept.set(repeat, { request: same, response, at: now });
      return response;
    }
    const message = "This Idempotency-Key belongs to a different request: send a new key with each new request";
    if (kept.request !== same) return this.#fail(key, new Refused(422, "idempotency_key_reused", message));
    return { ...kept.response, cost: 0, headers: { "idempotency-replayed": "true" } };
  }

  #carryOut(request: Request): Response {
    const { key, operation } = request;
    const { workspace } = key;
    const before = structuredClone(workspace.library);
    try {
      const { data, metadata, pagination, items = 1, version } = this.#run(request);
      const isKnown = version !== undefined && version === request.known;
      const cost = isKnown ? 0 : items + (onePlusItems.has(operation) ? 1 : 0);
      const remaining = workspace.balance;
      if (cost > remaining)
        throw new Refused(403, quotaExceeded, `Insufficient API requests: ${cost} required, ${remaining} remaining`, {
          usage: { requiredRequests: cost, remainingRequests: remaining },
        });
      workspace.balance -= cost;
      if (version !== undefined) {
        const headers = { etag: `"${version}"`, "x-remaining-requests": String(workspace.balance) };
        return { status: isKnown ? 304 : 200, cost, body: isKnown ? "" : data, headers };
      }
      const usage = { remainingRequests: workspace.balance, ...(byItems.has(operation) && { usageDeducted: cost }) };
      const more = { ...(metadata !== undefined && { metadata }), ...(pagination !== undefined && { pagination }) };
      return { status: 200, cost, body: { success: true, data, usage, ...more }, headers: {} };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      workspace.library = before;
      return this.#fail(key, error);
    }
  }
  /** A failed request costs one unit, if there is one. */
  #fail({ workspace }: Key, error: Refused): Response {
    const cost = error.code === quotaExceeded ? 0 : Math.min(1, workspace.balance);
    workspace.balance -= cost;
    return this.#refuse(error, cost, {});
  }
  #refuse({ status, code, message, more }: Refused, cost: number, headers: Response["headers"]): Response {
    const requestId = this.newId();
    const body = { success: false, message, error: code, requestId, ...more };
    return { status, cost, body, headers: { ...headers, "x-request-id": requestId } };
  }

  #run({ operation, key, query, body, now }: Request): Result {
    const run = operations[operation];
    if (!run) throw new Error(`the model does not know ${operation}`);
    const call = new Call(key, toIso(now), new Parameters(query), () => this.newId(), this.#cursors, this.#perMinute);
    const next = run(call);
    return next(readBody(operation, body));
  }
}
