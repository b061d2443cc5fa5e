// The reference model: what each operation does and answers, in the plainest possible way. It is written from the specification and shares
// no code with the service: no schemas, no types, no SQL. Everything is in memory, IDs are counted up, and time is what the request says.
import { Call, type Operations } from "./call.ts";
import { invalid, quotaExceeded, Refused, readBody, readQuery, refuse } from "./input.ts";
import { operations } from "./operations.ts";
import type { Fields, Key, Request, Response, Workspace } from "./state.ts";

export const operationNames: readonly string[] = Object.keys(operations);
/** The tests of formats and imports compare them: the model writes no files, and does not know which import has made what. */
export const leftOut: readonly string[] = ["getExport", "getImports", "postImportUndo"];

const [minute, day] = [60_000, 86_400_000];

export class Model extends Call {
  addWorkspace(name: string, teams: readonly string[], allowance: number): Workspace {
    const workspace = { id: this.newId(), name, allowance, month: "", balance: 0 };
    const team = teams.map((each) => ({ id: this.newId(), name: each }));
    return { ...workspace, library: { team, snippet: [], folder: [], tag: [], trash: [], changes: [] } };
  }
  addKey(workspace: Workspace, name: string, teams?: readonly string[]): Key {
    return { id: this.newId(), name, workspace, teams, admitted: [], kept: new Map() };
  }

  /** Carries out a request. */
  ask(request: Request): Response {
    const { key, now } = request;
    const { workspace } = key;
    Object.assign(this, { key, now: new Date(now).toISOString() });
    const month = this.now.slice(0, 7);
    if (workspace.month !== month) Object.assign(workspace, { month, balance: workspace.allowance });
    key.admitted = key.admitted.filter((at) => at > now - minute);
    const seconds = Math.ceil(((key.admitted[0] ?? 0) + minute - now) / 1_000);
    const response = this.#attempt(() => {
      if (key.admitted.length >= this.perMinute)
        throw refuse(429, "rate_limit_exceeded", `Rate limit exceeded. Try again in ${seconds} seconds`);
      key.admitted.push(now);
      return this.#once(request);
    });
    const left = this.perMinute - key.admitted.length;
    const limits = { "x-ratelimit-limit": String(this.perMinute), "x-ratelimit-remaining": String(left) };
    const retry = response.status === 429 && { "retry-after": String(seconds) };
    return { ...response, headers: { ...response.headers, ...limits, ...retry } };
  }
  /** A failed request changes nothing, and costs one unit, if there is one. */
  #attempt(carryOut: () => Response): Response {
    const { workspace } = this.key;
    const before = structuredClone(workspace.library);
    try {
      return carryOut();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const isFree = ["quota_exceeded", "rate_limit_exceeded"].includes(error.body.error);
      const cost = isFree ? 0 : Math.min(1, workspace.balance);
      workspace.library = before;
      workspace.balance -= cost;
      const requestId = this.newId();
      return { status: error.status, cost, body: { ...error.body, requestId }, headers: { "x-request-id": requestId } };
    }
  }
  /** A repeat of a request with an `Idempotency-Key` gets the first response, for nothing. */
  #once(request: Request): Response {
    const { key, operation, query, body, repeat, now } = request;
    if (repeat === undefined || operation.startsWith("get")) return this.#carryOut(request);
    if (!/^[!-~]{1,255}$/.test(repeat)) throw invalid("Idempotency-Key must be 1 to 255 visible ASCII characters");
    const same = JSON.stringify([operation, query, body]);
    const kept = key.kept.get(repeat);
    if (!kept || kept.at <= now - day) {
      const response = this.#attempt(() => this.#carryOut(request));
      // A copy: later requests change the records.
      if ((response.body as Fields).error !== "quota_exceeded")
        key.kept.set(repeat, { request: same, response: structuredClone(response), at: now });
      return response;
    }
    const message = "This Idempotency-Key belongs to a different request: send a new key with each new request";
    if (kept.request !== same) throw refuse(422, "idempotency_key_reused", message);
    return { ...kept.response, cost: 0, headers: { "idempotency-replayed": "true" } };
  }
  #carryOut({ operation, query, body, known }: Request): Response {
    const { workspace } = this.key;
    const { table, does } = operations[operation] as Operations[string];
    const [ofQuery = "", ofBody = ""] = table.split("|");
    this.changes = [];
    const result = does(this, readQuery(ofQuery, query), readBody(operation, ofBody, body));
    const { version, cost: counted, data, ...more } = result;
    const isKnown = version !== undefined && version === known;
    const cost = isKnown ? 0 : (counted ?? 1);
    if (cost > workspace.balance) throw quotaExceeded(cost, workspace.balance);
    workspace.balance -= cost;
    // In the feed, the changes of one request are together by team.
    const byTeam = Object.groupBy(this.changes, ({ team_id }) => team_id);
    workspace.library.changes.push(...Object.values(byTeam).flatMap((changes) => changes ?? []));
    const remainingRequests = workspace.balance;
    if (version !== undefined) {
      const headers = { etag: `"${version}"`, "x-remaining-requests": String(remainingRequests) };
      return { status: isKnown ? 304 : 200, cost, body: isKnown ? "" : data, headers };
    }
    const usage = { remainingRequests, usageDeducted: counted };
    return { status: 200, cost, body: { success: true, data, usage, ...more }, headers: {} };
  }
}
