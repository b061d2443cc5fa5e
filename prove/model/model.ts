// The reference model: what each operation does and answers, in the plainest possible way. It is written from the specification and shares
// no code with the service: no schemas, no types, no SQL. Everything is in memory, IDs are counted up, and time is what the request says.
import { Call, type Cursor } from "./call.ts";
import { invalid, quotaExceeded, Refused, readBody, readQuery } from "./input.ts";
import { operations } from "./operations.ts";
import type { Fields, Key, Request, Response, Texts, Workspace } from "./state.ts";

export const operationNames: readonly string[] = Object.keys(operations);
/** The tests of formats and imports compare them: the model writes no files, and does not know which import has made what. */
export const leftOut: readonly string[] = ["getExport", "getImports", "postImportUndo"];

const [minute, day] = [60_000, 86_400_000];
const toIso = (now: number): string => new Date(now).toISOString();

export class Model {
  readonly #cursors = new Map<string, Cursor>();
  #ids = 0;
  constructor(readonly perMinute: number) {}
  /** IDs are in the order in which they are made, as the service's are. */
  newId(): string {
    this.#ids += 1;
    return `~${String(this.#ids).padStart(6, "0")}`;
  }
  addWorkspace(name: string, teams: readonly string[], allowance: number): Workspace {
    const library = { snippet: [], folder: [], tag: [], trash: [], changes: [] };
    const { perMinute } = this;
    const workspace = { id: this.newId(), name, allowance, perMinute, month: "", balance: 0, library };
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
    if (oldest !== undefined && key.admitted.length >= this.perMinute) {
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
    const left = this.perMinute - key.admitted.length;
    const headers = { "x-ratelimit-limit": String(this.perMinute), "x-ratelimit-remaining": String(left) };
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
      // A copy: later requests change the records.
      if ((response.body as Fields).error !== "quota_exceeded")
        key.kept.set(repeat, { request: same, response: structuredClone(response), at: now });
      return response;
    }
    const message = "This Idempotency-Key belongs to a different request: send a new key with each new request";
    if (kept.request !== same) return this.#fail(key, new Refused(422, "idempotency_key_reused", message));
    return { ...kept.response, cost: 0, headers: { "idempotency-replayed": "true" } };
  }

  #carryOut(request: Request): Response {
    const { operation, key, now } = request;
    const { workspace } = key;
    const before = structuredClone(workspace.library);
    try {
      const query = readQuery(operation, request.query);
      const call = new Call(operation, key, query, toIso(now), () => this.newId(), this.#cursors);
      const result = operations[operation]?.(call, query, readBody(operation, request.body)) ?? { data: undefined };
      const { version, cost: counted, data, ...more } = result;
      const isKnown = version !== undefined && version === request.known;
      const cost = isKnown ? 0 : (counted ?? 1);
      const remaining = workspace.balance;
      if (cost > remaining) throw quotaExceeded(cost, remaining);
      workspace.balance -= cost;
      if (version !== undefined) {
        const headers = { etag: `"${version}"`, "x-remaining-requests": String(workspace.balance) };
        return { status: isKnown ? 304 : 200, cost, body: isKnown ? "" : data, headers };
      }
      const usage = { remainingRequests: workspace.balance, ...(counted !== undefined && { usageDeducted: cost }) };
      return { status: 200, cost, body: { success: true, data, usage, ...more }, headers: {} };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      workspace.library = before;
      return this.#fail(key, error);
    }
  }
  /** A failed request costs one unit, if there is one. */
  #fail({ workspace }: Key, error: Refused): Response {
    const cost = error.code === "quota_exceeded" ? 0 : Math.min(1, workspace.balance);
    workspace.balance -= cost;
    return this.#refuse(error, cost, {});
  }
  #refuse({ status, code, message, more }: Refused, cost: number, headers: Texts): Response {
    const requestId = this.newId();
    const body = { success: false, message, error: code, requestId, ...more };
    return { status, cost, body, headers: { ...headers, "x-request-id": requestId } };
  }
}
