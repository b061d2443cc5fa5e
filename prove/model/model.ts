// The reference model: what happens to every request, in the plainest possible way. It is written from the specification and shares no
// code with the service: no schemas, no types, no SQL. Everything is in memory, IDs are counted up, and time is what the request says.
import { additions } from "./additions.ts";
import { Call, type Operations } from "./call.ts";
import { attempt, invalid, Refused, readBody, readQuery, refuse } from "./input.ts";
import { operations as ofInterface } from "./operations.ts";
import type { Request, Response } from "./state.ts";

const operations: Operations = { ...ofInterface, ...additions };
export const operationNames: readonly string[] = Object.keys(operations);
/** The tests of formats and imports compare them: the model writes no files, and does not know which import has made what. */
export const leftOut: readonly string[] = ["getExport", "getImports", "postImportUndo"];

const [minute, day] = [60_000, 86_400_000];
const reused = "This Idempotency-Key belongs to a different request: send a new key with each new request";
/** Refusals that cost nothing, and that a repeat does not get again. */
const free = ["quota_exceeded", "rate_limit_exceeded"];

export class Model extends Call {
  /** Answers a request: the rate limit comes first, then whether it is a repeat, then the operation and its charge. */
  ask(request: Request): Response {
    const { operation, key, query, body, headers, now } = request;
    const { workspace } = key;
    Object.assign(this, { key, library: structuredClone(workspace.library) });
    Object.assign(this, { now: new Date(now).toISOString(), changes: [] });
    const month = this.now.slice(0, 7);
    if (workspace.month !== month) Object.assign(workspace, { month, balance: workspace.allowance });

    const recent = key.admitted.filter((at) => at > now - minute);
    const isAdmitted = recent.length < this.perMinute;
    key.admitted = isAdmitted ? [...recent, now] : recent;
    const seconds = Math.ceil(((recent[0] ?? 0) + minute - now) / 1_000);

    // A repeat gets the first response again, for nothing.
    const sentKey = operation.startsWith("get") ? undefined : headers["Idempotency-Key"];
    // With and without quotes, it is the same.
    const repeat = sentKey?.replace(/^"(.+)"$/, "$1");
    const sent = JSON.stringify([operation, query, body]);
    const kept = key.kept.findLast((each) => each.repeat === repeat && each.at > now - day);

    const outcome = attempt(() => {
      if (!isAdmitted) throw refuse(429, "rate_limit_exceeded", `Rate limit exceeded. Try again in ${seconds} seconds`);
      if (!/^[!-~]{1,255}$/.test(sentKey ?? "none"))
        throw invalid("Idempotency-Key must be 1 to 255 visible ASCII characters");
      if (kept && kept.sent !== sent) throw refuse(422, "idempotency_key_reused", reused);
      return kept
        ? { ...kept.response, headers: { "idempotency-replayed": "true", "x-request-cost": 0 } }
        : this.#carryOut(request);
    });
    const response = outcome instanceof Refused ? this.#refusal(outcome) : outcome;
    // A copy: later requests change the records.
    if (repeat !== undefined && !kept && !free.includes(response.body.error))
      key.kept.push({ repeat, sent, response: structuredClone(response), at: now });

    const left = this.perMinute - key.admitted.length;
    const limits = { "x-ratelimit-limit": this.perMinute, "x-ratelimit-remaining": left };
    const retry = isAdmitted ? {} : { "retry-after": seconds };
    return { ...response, headers: { ...response.headers, ...limits, ...retry } };
  }
  /** A refused request changes nothing, and costs one unit, if there is one. */
  #refusal({ status, body }: Refused): Response {
    const { workspace } = this.key;
    const cost = free.includes(body.error) ? 0 : Math.min(1, workspace.balance);
    workspace.balance -= cost;
    const requestId = this.newId();
    return { status, body: { ...body, requestId }, headers: { "x-request-id": requestId, "x-request-cost": cost } };
  }
  /** Reads the request, carries out its operation, and charges it. */
  #carryOut({ operation, query, body, headers }: Request): Response {
    const { workspace } = this.key;
    const { table, does } = operations[operation] as Operations[string];
    const [ofQuery = "", ofBody = ""] = table.split(/ *\| */);
    const { version, cost: counted, data, ...more } = does(this, readQuery(ofQuery, query), readBody(ofBody, body));
    const isKnown = version !== undefined && headers["If-None-Match"] === `"${version}"`;
    const cost = isKnown ? 0 : (counted ?? 1);
    this.requireUnits(cost);
    workspace.balance -= cost;
    // In the feed, the changes of one request are together by team.
    this.library.changes.push(...[...Map.groupBy(this.changes, ({ team_id }) => team_id).values()].flat());
    workspace.library = this.library;
    const usage = { remainingRequests: workspace.balance, usageDeducted: counted };
    const paid = { "x-request-cost": cost };
    if (version === undefined) return { status: 200, body: { success: true, data, usage, ...more }, headers: paid };
    const ofText = { ...paid, etag: `"${version}"`, "x-remaining-requests": workspace.balance };
    return isKnown ? { status: 304, body: "", headers: ofText } : { status: 200, body: data, headers: ofText };
  }
}
