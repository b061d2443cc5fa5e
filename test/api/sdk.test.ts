// The SDK: what it sends and what it returns for each response.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { inspect } from "node:util";
import { sleep } from "../../sdk/src/exchange.ts";
import {
  AuthenticationError,
  Commonplace,
  CommonplaceError,
  type CommonplaceOptions,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InsufficientScopeError,
  InvalidRequestError,
  KeyBudgetExceededError,
  KeyExpiredError,
  NetworkNotAllowedError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
} from "../../sdk/src/index.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { startService, text } from "../support/service.ts";

const root = join(import.meta.dir, "../..");
const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const apiKey = "cpl_secretOfATest";
const baseUrl = "https://snippets.test/api";

/** A client whose every call is answered by `answer`, and the requests that it made. */
function clientOf(answer: () => Response | Promise<Response>, options: Partial<CommonplaceOptions> = {}) {
  const requests: { url: URL; method: string; headers: Headers; body: unknown }[] = [];
  const fetch = async (url: string, { method = "", headers, body }: RequestInit) => {
    requests.push({ url: new URL(url), method, headers: new Headers(headers), body: body && JSON.parse(String(body)) });
    return answer();
  };
  return { client: new Commonplace({ baseUrl, apiKey, fetch, ...options }), requests };
}

const succeeding = () => Response.json({ success: true, data: {}, usage: { remainingRequests: 1 } });
const limited = (headers: Record<string, string> = {}) =>
  Response.json({ success: false, message: "Slow down", error: "rate_limit_exceeded" }, { status: 429, headers });
const html = (status: number, words = "Bad gateway") =>
  new Response(`<html>${words}</html>`, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });

/** What the promise rejects with. */
async function failureOf(promise: Promise<unknown>): Promise<CommonplaceError> {
  const failure = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof CommonplaceError) return failure;
  throw new Error("the call did not fail with a CommonplaceError", { cause: failure });
}

describe("what is sent", () => {
  test.each(operationNames)("%s goes where the table says", async (name) => {
    const row = operations[name];
    const { client, requests } = clientOf(succeeding);
    const query = Object.fromEntries(Object.keys(row.query).map((parameter) => [parameter, `value of ${parameter}`]));
    const isFile = row.body?.kind === "file";
    const body = row.body && (isFile ? { file: '"A file"' } : { title: "A title", note: null });
    // The arguments are arbitrary: the compiler checks their types.
    await Reflect.apply(client[name], client, [{ ...query, ...body }]);
    const [request] = requests;
    expect(requests.length).toBe(1);
    expect(request?.method).toBe(row.method);
    expect(`${request?.url.origin}${request?.url.pathname}`).toBe(baseUrl + row.path);
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual(query);
    // The test reads each body as JSON.
    expect(request?.body).toEqual(isFile ? "A file" : body);
    expect(request?.headers.get("Authorization")).toBe(`Bearer ${apiKey}`);
    expect(request?.headers.get("Content-Type")).toBe(
      isFile ? "application/octet-stream" : body ? "application/json" : null,
    );
  });

  test("lists go comma-separated, moments as ISO 8601, undefined not at all", async () => {
    const { client, requests } = clientOf(succeeding);
    await client.getFolders({ folderIds: ["a", "b"], limit: 5, offset: undefined });
    const fromDate = new Date("2026-01-31T09:30:00Z");
    await client.getSnippetVariationHistory({ variationId: "a", fromDate, toDate: "2026-02-01T00:00:00+01:00" });
    await client.putSnippet({ id: "a", title: undefined, note: null });
    expect(requests.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
      { folderIds: "a,b", limit: "5" },
      { variationId: "a", fromDate: "2026-01-31T09:30:00.000Z", toDate: "2026-02-01T00:00:00+01:00" },
      { id: "a" },
    ]);
    expect(requests[2]?.body).toEqual({ note: null });
  });

  test("variations are deleted by query or by body", async () => {
    const { client, requests } = clientOf(succeeding);
    await client.deleteSnippetVariation({ variationId: "a" });
    await client.deleteSnippetVariation({ variationIds: ["a", "b"] });
    expect(requests.map(({ url, body }) => [url.search, body])).toEqual([
      ["?variationId=a", undefined],
      ["", { variationIds: ["a", "b"] }],
    ]);
  });

  test("an argument that can not be sent is refused, and further headers never replace the key", async () => {
    const { client, requests } = clientOf(succeeding);
    const misspelt = { id: "a", limit: 1 };
    await expect(client.getSnippet(misspelt)).rejects.toThrow(
      new TypeError('getSnippet does not accept the argument "limit"'),
    );
    await client.getSnippet({ id: "a" }, { headers: { authorization: "Bearer other", "X-Trace": "1" } });
    expect(requests.map(({ headers }) => [headers.get("Authorization"), headers.get("X-Trace")])).toEqual([
      [`Bearer ${apiKey}`, "1"],
    ]);
  });

  test("a client is not made with a wrong option, and the message does not repeat the key", () => {
    const make = (options: Partial<CommonplaceOptions>) => () => new Commonplace({ baseUrl, apiKey, ...options });
    expect(make({ apiKey: "" })).toThrow("apiKey must be");
    expect(make({ apiKey: "cpl_secret\n" })).toThrow(/^(?!.*cpl_)/);
    for (const wrong of ["/api", "http://snippets.test/api", "https://a:b@snippets.test", "https://snippets.test?x"])
      expect(make({ baseUrl: wrong })).toThrow("baseUrl must be an HTTPS URL");
    expect(make({ timeoutSeconds: 0 })).toThrow("timeoutSeconds must be greater than 0");
  });
});

describe("pages of a list with a cursor", () => {
  test("follow each other from the cursor on, with all other arguments, until nothing follows", async () => {
    const { client, given } = await startService();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await given.snippet({ title: `Snippet ${count}` })).id);
    const pagesFrom = async (cursor?: string) => {
      const pages: string[][] = [];
      for await (const { data, pagination } of client.getSearchPages({ query: "snippet", limit: 2, cursor })) {
        pages.push(data.snippets.map((snippet) => snippet.id));
        expect(pagination.limit).toBe(2);
      }
      return pages;
    };
    expect(await pagesFrom()).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
    const { pagination } = await client.getSearch({ query: "snippet", limit: 3 });
    expect(await pagesFrom(pagination.nextCursor ?? "")).toEqual([made.slice(3)]);
  });

  test("are only requested while they are read, and end with the first that fails", async () => {
    const page = (nextCursor: string | null) =>
      Response.json({ success: true, data: { snippets: [] }, usage: {}, pagination: { limit: 50, nextCursor } });
    const { client, requests } = clientOf(() => (requests.length < 3 ? page(`${requests.length}`) : limited()));
    for await (const { pagination } of client.getTrashPages()) if (pagination.nextCursor === "1") break;
    expect(requests.length).toBe(1);
    const read = async () => {
      for await (const _ of client.getTrashPages({ teamId: "a" }));
    };
    expect(await failureOf(read())).toBeInstanceOf(RateLimitError);
    expect(requests.map(({ url }) => url.search)).toEqual(["", "?teamId=a", "?teamId=a&cursor=2"]);
  });
});

describe("a plain text", () => {
  test("comes in an envelope, byte for byte, with what the headers say", async () => {
    const { client, given, balance } = await startService();
    const content = '\ufeff{"success": false} größer\r\n';
    const { id } = await given.snippet({ content: text(content) });
    const answer = await client.getText({ id });
    expect(answer).toStrictEqual({
      success: true,
      data: content,
      usage: { remainingRequests: await balance() },
    });
    const { cost, etag = "" } = answer.response ?? {};
    expect(cost).toBe(1);
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(await failureOf(client.getText({ id }, { headers: { "If-None-Match": etag } }))).toMatchObject({
      status: 304,
      code: "not_modified",
      response: { cost: 0, etag },
    });
  });

  test("of a proxy is no text of the service", async () => {
    const { client } = clientOf(() => new Response("Welcome", { headers: { "Content-Type": "text/plain" } }));
    expect(await failureOf(client.getText({ id }))).toMatchObject({ status: 200, code: "unexpected_answer" });
  });

  test("behind a shortcut of several teams is a conflict that names them", async () => {
    const { client, given, team, otherTeam } = await startService();
    await given.snippet({ shortcut: "/x" });
    await given.snippet({ shortcut: "/x", teamId: otherTeam.id });
    const conflict = await failureOf(client.getText({ shortcut: "/x" }));
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({ status: 409, code: "shortcut_ambiguous", teamIds: [team.id, otherTeam.id] });
  });
});

describe("what comes back", () => {
  test("the whole answer, and beside it what the headers say", async () => {
    const { client, team, balance } = await startService();
    const answer = await client.postSnippet({ title: "A title", content: text("Hello"), teamId: team.id });
    const { snippetId } = answer.data;
    const remainingRequests = await balance();
    const metadata = { totalVariations: 1, tagsAttached: 0 };
    const sent = { success: true, data: { snippetId }, usage: { remainingRequests }, metadata } as const;
    expect(answer).toStrictEqual(sent);
    expect(JSON.stringify(answer)).toBe(JSON.stringify(sent));
    expect(answer.response).toEqual({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cost: 1,
      rateLimit: { limit: 1_000_000, remaining: 999_999, resetSeconds: 60 },
    });
  });

  test("each refusal is an error of the class that says what to do", async () => {
    const { client, limitedClient, otherTeam, workspace, admin, clientFor } = await startService();
    const invalid = await failureOf(client.getSnippet({ id: "1" }));
    expect(invalid).toBeInstanceOf(InvalidRequestError);
    expect(invalid).toMatchObject({ status: 400, code: "invalid_request", message: "id must be a UUID" });
    expect(invalid.requestId).toBe(invalid.response?.requestId ?? "");
    expect(invalid.response?.cost).toBe(1);

    const unknown = await failureOf(clientFor(apiKey).getSnippet({ id }));
    expect(unknown).toBeInstanceOf(AuthenticationError);
    expect(unknown).toMatchObject({ status: 401, code: "invalid_api_key" });

    const folder = { folderName: "A folder", folderColor: "red", teamId: otherTeam.id };
    const forbidden = await failureOf(limitedClient.postFolder(folder));
    expect(forbidden).toBeInstanceOf(ForbiddenError);
    expect(forbidden).toMatchObject({ status: 403, code: "team_forbidden" });

    const gone = await failureOf(client.getSnippet({ id }));
    expect(gone).toBeInstanceOf(NotFoundError);
    expect(gone).toMatchObject({ status: 404, code: "snippet_not_found", body: { message: "Snippet not found" } });

    await admin((transaction) => changeWorkspace(transaction, workspace.id, { monthly_requests: 0 }));
    const exceeded = await failureOf(client.postFolders({ folders: [folder, folder] }));
    expect(exceeded).toBeInstanceOf(QuotaExceededError);
    expect(exceeded).toMatchObject({ status: 403, requiredRequests: 2, remainingRequests: 0 });
  });

  test.each([
    [{ scope: "read" }, 403, "insufficient_scope", InsufficientScopeError],
    [{ networks: ["192.0.2.0/24"] }, 403, "network_not_allowed", NetworkNotAllowedError],
    [{ monthlyBudget: 0 }, 403, "api_key_budget_exceeded", KeyBudgetExceededError],
    [{ expiresAt: "2026-03-15T12:00:01.000Z" }, 401, "api_key_expired", KeyExpiredError],
  ] as const)("a limit of the key, %p: %i, %s", async (limits, status, code, kind) => {
    const { admin, clientFor, clock, team, workspace } = await startService({});
    const { secret } = await admin((transaction) =>
      createKey(transaction, workspace.id, "Limited", "all", null, limits),
    );
    const send = () => clientFor(secret).postTag({ tagName: "A", tagColor: "red", teamId: team.id });
    if ("expiresAt" in limits) {
      expect((await send()).response?.keyExpiresAt).toBe(limits.expiresAt);
      clock.advance(1);
    }
    const failure = await failureOf(send());
    expect(failure.constructor).toBe(kind);
    expect(failure).toMatchObject({ status, code, ...(kind === KeyBudgetExceededError && { requiredRequests: 1 }) });
  });

  test.each([
    [413, InvalidRequestError],
    [429, RateLimitError],
    [502, ServiceError],
    [404, CommonplaceError],
    [401, CommonplaceError],
    [302, CommonplaceError],
    [200, CommonplaceError],
  ])("a page with status %i that is not the service's is told from it", async (status, kind) => {
    const failure = await failureOf(clientOf(() => html(status, `seen: ${apiKey}`)).client.getSnippet({ id }));
    expect(failure.constructor).toBe(kind);
    expect(failure).toMatchObject({ status, code: "unexpected_answer", body: "<html>seen: [API key]</html>" });
    expect(failure.message).toContain(
      `GET /snippet: the response (status ${status}, text/html) does not come from the service`,
    );
  });

  test("JSON of somebody else and a path that the service does not know are no missing snippet", async () => {
    const foreign = () => Response.json({ message: "no Route matched" }, { status: 404 });
    expect((await failureOf(clientOf(foreign).client.getSnippet({ id }))).code).toBe("unexpected_answer");
    const { service, key, fetch } = await startService();
    const client = new Commonplace({ baseUrl: `${service.baseUrl}/v2`, apiKey: key.secret, fetch });
    const failure = await failureOf(client.getSnippet({ id }));
    expect(failure.constructor).toBe(CommonplaceError);
    expect(failure).toMatchObject({ status: 404, code: "not_found" });
  });

  test("a list comes page by page, each snippet once", async () => {
    const { client, team, given } = await startService();
    const folder = await given.folder();
    const tag = await given.tag();
    const titles = ["5", "4", "3", "2", "1"];
    const place = { teamId: team.id, folderId: folder.id, tagIds: [tag.id] };
    for (const title of titles.toReversed()) await client.postSnippet({ title, content: text("Hello"), ...place });
    const inFolder = await Array.fromAsync(client.snippetsInFolder({ folderId: folder.id, limit: 2 }));
    expect(inFolder.map(({ title }) => title)).toEqual(titles);
    const withTag = await Array.fromAsync(client.snippetsWithTag({ tagId: tag.id, limit: 2, offset: 1 }));
    expect(withTag.map(({ title }) => title)).toEqual(titles.slice(1));
  });
});

describe("waiting", () => {
  test("a 429 is waited out for exactly as long as the service says, and only where asked", async () => {
    const { service, key, fetch, clock, given } = await startService({ config: { requestsPerMinute: 3 } });
    const snippet = await given.snippet();
    const waits: number[] = [];
    const sleep = async (seconds: number) => {
      waits.push(seconds);
      clock.advance(seconds);
    };
    const options = { baseUrl: service.baseUrl, apiKey: key.secret, fetch, sleep };
    clock.advance(10);
    await new Commonplace(options).getSnippet({ id: snippet.id });
    const refused = await failureOf(new Commonplace(options).getSnippet({ id: snippet.id }));
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 50, response: { cost: 0 } });

    const patient = new Commonplace({ ...options, waitForRateLimit: true });
    expect((await patient.getSnippet({ id: snippet.id })).data).toEqual(snippet);
    expect(waits).toEqual([50]);
  });

  test("the waiting of one call is bounded", async () => {
    const waits: number[] = [];
    const sleep = async (seconds: number) => void waits.push(seconds);
    const answer = () => (waits.length < 5 ? limited({ "Retry-After": "40" }) : succeeding());
    const { client, requests } = clientOf(answer, { sleep, waitForRateLimit: { maxSeconds: 100 } });
    expect(await failureOf(client.getSnippet({ id }))).toBeInstanceOf(RateLimitError);
    expect([waits, requests.length]).toEqual([[40, 40], 3]);

    const single = clientOf(() => limited({ "Retry-After": "1" }), { sleep, waitForRateLimit: true });
    const notLater = single.client.getSnippet({ id }, { waitForRateLimit: false });
    expect(await failureOf(notLater)).toMatchObject({ retryAfterSeconds: 1 });
    expect([waits.length, single.requests.length]).toEqual([2, 1]);

    const silent = clientOf(() => limited(), { sleep, waitForRateLimit: true });
    expect(await failureOf(silent.client.getSnippet({ id }))).toMatchObject({ retryAfterSeconds: undefined });
    expect(silent.requests.length).toBe(1);
  });

  test("an abort ends the waiting with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("no longer wanted");
    const answer = () => {
      setTimeout(() => controller.abort(reason), 1);
      return limited({ "Retry-After": "60" });
    };
    const { client, requests } = clientOf(answer, { waitForRateLimit: true });
    await expect(client.getSnippet({ id }, { signal: controller.signal })).rejects.toBe(reason);
    expect(requests.length).toBe(1);
  });

  test("a wait that nobody ends resolves by itself", async () => {
    await expect(sleep(0.001, new AbortController().signal)).resolves.toBeUndefined();
  });

  test("a call in flight ends by its signal, the client's signal, or the time limit", async () => {
    const hanging = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(new DOMException("cut off", "AbortError"))),
      );
    const own = new AbortController();
    const common = new AbortController();
    const client = new Commonplace({ baseUrl, apiKey, fetch: hanging, signal: common.signal });
    const calls = [client.getSnippet({ id }, { signal: own.signal }), client.getSnippet({ id })];
    own.abort("one");
    common.abort("all");
    expect(await Promise.allSettled([...calls, client.getSnippet({ id })])).toEqual([
      { status: "rejected", reason: "one" },
      { status: "rejected", reason: "all" },
      { status: "rejected", reason: "all" },
    ]);

    const hasty = new Commonplace({ baseUrl, apiKey, fetch: hanging, timeoutSeconds: 0.001 });
    const failure = await failureOf(hasty.getSnippet({ id }));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ status: undefined, code: "timeout" });
    expect(failure).toMatchObject({ message: "No response from snippets.test within 0.001 seconds" });
  });

  test("no response is a ConnectionError with its cause", async () => {
    const cause = new TypeError("fetch failed");
    const { client } = clientOf(() => Promise.reject(cause));
    const failure = await failureOf(client.getSnippet({ id }));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ status: undefined, code: "connection_failed", cause });
    expect(failure).toMatchObject({ message: "No response from snippets.test" });
  });
});

const refusal = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json({ success: false, message: "Later", error, requestId: id }, { status, headers });

/** A client whose requests are answered one after the other, and how long it waited in between. */
function retrying(answers: readonly (() => Response | Promise<Response>)[], options: Partial<CommonplaceOptions> = {}) {
  const waits: number[] = [];
  let next = 0;
  const answer = () => {
    const made = answers[Math.min(next, answers.length - 1)]?.();
    next += 1;
    return made ?? Response.error();
  };
  const { client, requests } = clientOf(answer, { sleep: async (seconds) => void waits.push(seconds), ...options });
  return { client, requests, waits, keys: () => requests.map(({ headers }) => headers.get("Idempotency-Key")) };
}

const lost = () => Promise.reject(new TypeError("fetch failed"));

describe("a write is sent again", () => {
  test("with the same idempotency key, when its response is lost or the service is not available", async () => {
    const { client, requests, waits, keys } = retrying([
      lost,
      () => refusal(503, "outcome_unknown", { "Retry-After": "3" }),
      () => html(502),
      () => refusal(409, "request_in_progress", { "Retry-After": "1" }),
      succeeding,
    ]);
    await client.putSnippet({ id, note: "x" });
    expect(requests.map(({ method, url, body }) => [method, url.search, body])).toEqual(
      Array(5).fill(["PUT", `?id=${id}`, { note: "x" }]),
    );
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    // Half of the pause or more is waited, and the pause doubles.
    expect(waits).toEqual([expect.any(Number), 3, expect.any(Number), 1]);
    expect(waits[0]).toBeWithin(0.25, 0.5001);
    expect(waits[2]).toBeWithin(1, 2.0001);
  });

  test("each with a key of its own, or with the caller's", async () => {
    const { client, keys } = retrying([succeeding]);
    await client.deleteSnippet({ id });
    await client.deleteSnippet({ id });
    await client.deleteSnippet({ id }, { idempotencyKey: "mine" });
    await client.deleteSnippet({ id }, { headers: { "idempotency-key": "also mine" } });
    await client.getSnippet({ id });
    expect(new Set(keys().slice(0, 2)).size).toBe(2);
    expect(keys().slice(2)).toEqual(["mine", "also mine", null]);
  });

  test("for so long, and then fails with the last failure", async () => {
    const answer = () => refusal(503, "unavailable", { "Retry-After": "4" });
    const { client, waits } = retrying([answer], { retryWrites: { maxSeconds: 10 } });
    const failure = await failureOf(client.deleteSnippet({ id }));
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure).toMatchObject({ status: 503, code: "unavailable", requestId: id, retryAfterSeconds: 4 });
    expect(waits).toEqual([4, 4]);
  });

  test("and carried out once, though every response is lost but the last", async () => {
    const { service, key, team, fetch, ledger } = await startService();
    const answers: Response[] = [];
    const losing = async (url: string, init: RequestInit) => {
      answers.push(await fetch(url, init));
      if (answers.length < 3) throw new TypeError("fetch failed");
      return answers.at(-1)?.clone() ?? Response.error();
    };
    const options = { baseUrl: service.baseUrl, apiKey: key.secret, fetch: losing, sleep: async () => undefined };
    const { data, response } = await new Commonplace(options).postTag({
      tagName: "A tag",
      tagColor: "red",
      teamId: team.id,
    });
    expect(response).toMatchObject({ isReplay: true, cost: 0 });
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts.map((body) => JSON.parse(body).data.tag)).toEqual(Array(3).fill(data.tag));
    expect((await ledger()).map(({ units }) => units)).toEqual([1, 0, 0]);
  });

  test.each([
    ["a read, since each is charged", "getSnippet", {}, lost],
    ["one that the caller forbids", "deleteSnippet", { retryWrites: false }, lost],
    ["a refusal", "deleteSnippet", {}, () => refusal(404, "snippet_not_found")],
    ["another request's key", "deleteSnippet", {}, () => refusal(422, "idempotency_key_reused")],
    ["a failure of the service", "deleteSnippet", {}, () => refusal(500, "internal_error")],
    ["a rate limit", "deleteSnippet", {}, () => limited({ "Retry-After": "1" })],
    [
      "a certificate that is not trusted",
      "deleteSnippet",
      {},
      () => Promise.reject(Object.assign(new Error(), { code: "SELF_SIGNED_CERT_IN_CHAIN" })),
    ],
  ] as const)("but not %s", async (_, method, options, answer) => {
    const { client, requests } = retrying([answer], options);
    expect(await failureOf(client[method]({ id }))).toBeInstanceOf(CommonplaceError);
    expect(requests.length).toBe(1);
  });
});

test("the key stands in nothing that is shown", async () => {
  const { client } = clientOf(() => limited());
  const failure = await failureOf(client.getSnippet({ id }));
  const shown = [client, failure].flatMap((value) => [
    JSON.stringify(value),
    inspect(value, { showHidden: true, depth: 9 }),
    Bun.inspect(value),
    String(value),
  ]);
  expect(shown.join()).not.toContain(apiKey);
  expect(JSON.stringify(client)).toBe("{}");
});

test("the generated files are those of the table", () => {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, "scripts/generate.ts", "--check"], { cwd: root });
  expect([stdout.toString(), exitCode]).toEqual(["", 0]);
});

test("a file arrives in chunks; a chunk that cannot be taken and a file that ends early are errors", async () => {
  const received: string[] = [];
  const onChunk = (chunk: Uint8Array) => void received.push(new TextDecoder().decode(chunk));
  const headers = { "X-Remaining-Requests": "5", "X-Request-Cost": "2", "Content-Disposition": 'filename="a.zip"' };
  const clientOf = (chunks: readonly string[], isBroken = false) => {
    const left = [...chunks];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const chunk = left.shift();
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
      else if (isBroken) controller.error(new Error("the connection was lost"));
      else controller.close();
    };
    const answer = async () => new Response(new ReadableStream({ pull }), { headers });
    return new Commonplace({ baseUrl, apiKey, fetch: answer });
  };
  const whole = clientOf(["one", "two"]);
  const { data, usage } = await whole.getExport({ teamId: id }, { onChunk });
  expect([data.name, data.bytes.length, usage, received]).toEqual([
    ...["a.zip", 0, { remainingRequests: 5, usageDeducted: 2 }, ["one", "two"]],
  ]);
  const broken = clientOf(["three"], true);
  await expect(broken.getExport({ teamId: id }, { onChunk })).rejects.toMatchObject({ code: "connection_failed" });
  expect(received.at(-1)).toBe("three");
  const full = new Error("the disk is full");
  const refuse = () => Promise.reject(full);
  const refused = clientOf(["four"]).getExport({ teamId: id }, { onChunk: refuse });
  await expect(refused).rejects.toBe(full);
});
