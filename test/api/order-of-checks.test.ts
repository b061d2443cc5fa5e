// The order of checks: the response reports the first error (decisions, Keys; decisions, Access).
import { describe, expect, test } from "bun:test";
import { deactivateKey } from "../../src/metering/keys/keys.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { expectRefusal, newId } from "../support/expect.ts";
import { fillWindow, leave, setSubscription } from "../support/refusals.ts";
import { type RawAnswer, type RawCall, type Started, startService, text } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

/** A call in which everything except the key is invalid: the query, the body and the IDs. */
const allWrong: RawCall = { query: { folderId: "no-uuid" }, body: "{" };

const putFolder = (started: Started, call: RawCall): Promise<RawAnswer> => started.call("PUT", "/folder", call);

describe("the earlier check wins over every later one", () => {
  test("1 HTTPS: neither the path nor the method nor the key is looked at", async () => {
    const started = await startService();
    const answers = [];
    for (const [method, path] of [
      ["GET", "/api/snippet"],
      ["PATCH", "/api/snippet"],
      ["GET", "/nowhere"],
      ["GET", "/healthz"],
    ] as const) {
      const response = await fetch(`http://localhost:${started.service.httpPort}${path}`, { method });
      answers.push({
        status: response.status,
        cost: response.headers.get("x-request-cost"),
        body: await response.json(),
      });
    }
    for (const answer of answers)
      expect(answer).toEqual({
        status: 403,
        cost: "0",
        body: { success: false, message: "HTTPS is required", error: "https_required", requestId: newId },
      });
  });

  test("2 the path, then the method, come before the Authorization header", async () => {
    const started = await startService();
    for (const key of [undefined, newSecret(), started.key.secret]) {
      expectRefusal(await started.call("GET", "/snippet/", { key }), 404, "Not found", 0);
      expectRefusal(await started.call("PATCH", "/nowhere", { key }), 404, "Not found", 0);
      const wrongMethod = await started.call("PATCH", "/snippet", { key, body: "{" });
      expectRefusal(wrongMethod, 405, "Method not allowed", 0);
      expect(wrongMethod.headers.get("allow")).toBe("GET, POST, PUT, DELETE");
    }
    expect(await started.ledger()).toEqual([]);
  });

  test("3 the Authorization header comes before query and body", async () => {
    const started = await startService({});
    const answer = await putFolder(started, allWrong);
    expectRefusal(answer, 401, "Authorization header with Bearer token is required", 0);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("4 the key comes before its rate limit, its subscription, the call and the quota", async () => {
    const started = await startService({ config: { requestsPerMinute: 2 } });
    await fillWindow(started, started.key.secret, 2);
    await setSubscription(started, "inactive");
    await leave(started, 0);
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));

    for (const key of [started.key.secret, newSecret()]) {
      const answer = await putFolder(started, { ...allWrong, key });
      expectRefusal(answer, 401, "Invalid or inactive API key", 0);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(await started.ledger()).toHaveLength(2);
  });

  test("5 the rate limit comes before the subscription, the call and the quota", async () => {
    const started = await startService({ config: { requestsPerMinute: 2 } });
    await fillWindow(started, started.key.secret, 2);
    await setSubscription(started, "inactive");
    await leave(started, 0);

    const answer = await putFolder(started, { ...allWrong, key: started.key.secret });

    expectRefusal(answer, 429, "Rate limit exceeded. Try again in 60 seconds", 0);
    expect(await started.ledger()).toHaveLength(2);
  });

  test("6 the subscription comes before the call and the quota", async () => {
    const started = await startService();
    await setSubscription(started, "inactive");
    await leave(started, 0);
    const answer = await putFolder(started, { ...allWrong, key: started.key.secret });
    expectRefusal(answer, 403, "Workspace subscription is not active", 0);
  });

  test("7 query and body come before existence, team and quota", async () => {
    const started = await startService();
    const foreign = await started.given.folder({ teamId: started.otherTeam.id });
    await leave(started, 0);
    for (const folderId of [never, foreign.id])
      for (const body of ["{", { colour: "#fff" }, {}]) {
        const call = { query: { folderId }, body, key: started.limitedKey.secret };
        expectRefusal(await putFolder(started, call), 400, /JSON|colour|at least one|field/, 0);
      }
  });

  test("8 existence comes before team, and both before the quota", async () => {
    const started = await startService();
    const foreign = await started.given.folder({ teamId: started.otherTeam.id });
    await leave(started, 0);
    const rename = (folderId: string) =>
      putFolder(started, { query: { folderId }, body: { folderName: "New" }, key: started.limitedKey.secret });

    expectRefusal(await rename(never), 404, "Folder not found", 0);
    expectRefusal(await rename(foreign.id), 403, "API key does not have access to this team", 0);
    const own = await started.given.folder().catch((error: Error) => error.message);
    expect(own).toBe("Insufficient API requests: 1 required, 0 remaining");
  });

  test("the target comes before the references in the body", async () => {
    const started = await startService();
    const foreign = await started.given.folder({ teamId: started.otherTeam.id });
    const own = await started.given.folder();
    const move = (folderId: string) =>
      putFolder(started, { query: { folderId }, body: { parentFolderId: never }, key: started.limitedKey.secret });

    expectRefusal(await move(never), 404, "Folder not found");
    expectRefusal(await move(foreign.id), 403, "API key does not have access to this team");
    expectRefusal(await move(own.id), 400, /^parentFolderId /);
  });

  test("a body beyond 8 MiB is 413 in its place: behind key, rate limit and subscription", async () => {
    const started = await startService({ config: { requestsPerMinute: 1 } });
    const body = " ".repeat(8 * 1024 * 1024 + 1);
    const post = (key?: string) => started.call("POST", "/snippet", { key, body });

    expectRefusal(await post(), 401, "Authorization header with Bearer token is required", 0);
    expectRefusal(await post(newSecret()), 401, "Invalid or inactive API key", 0);
    const before = await started.balance();
    expectRefusal(await post(started.key.secret), 413, "Request body is too large", 1);
    expect(await started.balance()).toBe(before - 1);
    expectRefusal(await post(started.key.secret), 429, /^Rate limit exceeded/, 0);
    await setSubscription(started, "inactive");
    expectRefusal(await post(started.limitedKey.secret), 403, "Workspace subscription is not active", 0);
  });

  test("a body of 8 MiB exactly is read", async () => {
    const started = await startService();
    const body = JSON.stringify({ title: "Long", content: text("x"), teamId: started.team.id });
    const answer = await started.call("POST", "/snippet", {
      key: started.key.secret,
      body: body.padEnd(8 * 1024 * 1024, " "),
    });
    expect(answer.status).toBe(200);
  });
});
