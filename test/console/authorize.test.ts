// Authentication: cookies work for the console only, keys for the public API only.
import { expect, test } from "bun:test";
import { startConsole } from "../support/console.ts";

test("without a session: 401 in the interface's form", async () => {
  const { stranger } = await startConsole();
  const { status, body } = await stranger("getKeys");
  expect({ status, body }).toEqual({
    status: 401,
    body: {
      success: false,
      message: "Sign in to continue",
      error: "sign_in_required",
      requestId: expect.any(String),
    },
  });
});

test("a workspace that one is no member of looks like one that is not there", async () => {
  const { person } = await startConsole();
  const stranger = await person();
  const foreign = await stranger.call("getWorkspace");
  const unknown = await stranger.call("getWorkspace", { query: { workspaceId: crypto.randomUUID() } });
  expect(foreign.status).toBe(404);
  expect({ ...foreign.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
});

test("what changes something must come from the console's own pages", async () => {
  const { person } = await startConsole();
  const owner = await person({ role: "owner" });
  const body = { name: "Renamed" };
  const foreign = await owner.call("putWorkspace", { body, headers: { Origin: "https://elsewhere.example" } });
  expect([foreign.status, foreign.body.error]).toEqual([403, "other_origin"]);
  const asForm = await owner.call("putWorkspace", { body, headers: { "Content-Type": "text/plain" } });
  expect([asForm.status, asForm.body.error]).toEqual([400, "not_json"]);
});

test("a session does not open the interface, a key does not open the console", async () => {
  const { person, call, bearer, key } = await startConsole();
  const owner = await person({ role: "owner" });
  expect((await call("GET", "/tags", { headers: { Cookie: owner.cookie } })).status).toBe(401);
  const { status, body } = await bearer(key.secret, "getKeys");
  expect([status, body.error]).toEqual([401, "invalid_token"]);
});

test("a row that is removed is a session that has ended, for the very next call", async () => {
  const { person, admin } = await startConsole();
  const owner = await person({ role: "owner" });
  const { sql } = await import("../../src/platform/database/sql.ts");
  await admin((transaction) => transaction.run(sql`delete from person_sessions where id = ${owner.sessionId}`));
  expect((await owner.call("getWorkspace")).status).toBe(401);
});

test("the page is at one address: another name of this computer leads there, any other host is told", async () => {
  const { origin, fetch } = await startConsole();
  const { port } = new URL(origin);
  const led = await fetch(`https://127.0.0.1:${port}/console/w/any`, { redirect: "manual" });
  expect([led.status, led.headers.get("location")]).toEqual([302, `${origin}/console/w/any`]);
  const told = await fetch(`${origin}/console`, { headers: { Host: "snippets.example.com" } });
  expect([told.status, (await told.json()).message]).toEqual([
    421,
    `The console is at ${origin}/console. To use another address, set COMMONPLACE_URL`,
  ]);
});

test("where the operator has named an address, a proxy may name the service as it likes", async () => {
  const { service, fetch } = await startConsole({ config: { publicOrigin: "https://snippets.example.com" } });
  const { origin } = new URL(service.baseUrl);
  const { status } = await fetch(`${origin}/console`, { headers: { Host: "upstream:8443" } });
  expect(status).toBe(200);
});

test("a browser at the bare address is led to the console, a program finds nothing there", async () => {
  const { origin, fetch } = await startConsole();
  const ask = async (path: string, accept: string, method = "GET") => {
    const answer = await fetch(`${origin}${path}`, { method, headers: { Accept: accept }, redirect: "manual" });
    return [answer.status, answer.headers.get("location")];
  };
  expect(await ask("/", "text/html,*/*;q=0.8")).toEqual([302, "/console"]);
  expect(await ask("/?a=b", "text/html", "HEAD")).toEqual([302, "/console"]);
  for (const asked of [ask("/", "*/*"), ask("/", "text/html", "POST"), ask("/index.html", "text/html")])
    expect(await asked).toEqual([404, null]);
});

test("without a console, there is nothing at its path", async () => {
  const { service, fetch } = await startConsole({ config: { isConsoleOn: false } });
  const { origin } = new URL(service.baseUrl);
  for (const path of ["/console", "/"])
    expect((await fetch(`${origin}${path}`, { headers: { Accept: "text/html" } })).status).toBe(404);
  expect(service.consoleUrl).toBeUndefined();
});
