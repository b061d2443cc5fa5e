// What is changed in a library appears on open pages: one stream for each, which tells only what the person may know.
import { beforeAll, expect, test } from "bun:test";
import { connect } from "node:http2";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { engine } from "../support/engine.ts";

let started: StartedConsole;
beforeAll(async () => {
  started = await startConsole({});
});

type Person = Awaited<ReturnType<StartedConsole["person"]>>;
const memberOf = (teamId: string) => started.person({ role: "member", teams: { [teamId]: "editor" } });

/** Reads a stream of events. `next` waits for the next hint, `end` for the end of the stream. */
function reading(chunks: AsyncIterator<Uint8Array | string>) {
  let text = "";
  const readOn = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (!done) text += typeof value === "string" ? value : new TextDecoder().decode(value);
    return !done;
  };
  return {
    next: async (): Promise<{ teamIds: string[] | null }> => {
      for (;;) {
        const [whole, data = ""] = /data: (.*)\n\n/.exec(text) ?? [];
        if (whole !== undefined) {
          text = text.slice(text.indexOf(whole) + whole.length);
          return JSON.parse(data);
        }
        if (!(await readOn())) throw new Error(`the stream ended after: ${text}`);
      }
    },
    end: async (): Promise<string> => {
      while (await readOn());
      return text;
    },
  };
}

const pathOf = (workspaceId: string) => `/console/api/library/events?workspaceId=${workspaceId}`;

async function openStream({ cookie }: Person, { origin, fetch }: StartedConsole = started) {
  const aborting = new AbortController();
  const response = await fetch(`${origin}${pathOf(started.workspace.id)}`, {
    headers: { Cookie: cookie, Accept: "text/event-stream" },
    signal: aborting.signal,
  });
  expect(response.status).toBe(200);
  const body = response.body as ReadableStream<Uint8Array>;
  return { response, ...reading(body[Symbol.asyncIterator]()), close: () => aborting.abort() };
}

const create = (teamId: string, { call, key }: StartedConsole = started) =>
  call("POST", "/snippet", {
    key: key.secret,
    body: { title: "New", content: { type: "plaintext", content: "x" }, teamId },
  });

test("a write by a key or a person is streamed, in a form that no proxy holds back, and a read is not", async () => {
  const person = await memberOf(started.team.id);
  const stream = await openStream(person);
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  await started.call("GET", "/teams", { key: started.key.secret });
  await create(started.team.id);
  expect(await stream.next()).toEqual({ teamIds: [started.team.id] });
  await person.call("postLibraryTag", { body: { tagName: "x", tagColor: "#fff", teamId: started.team.id } });
  expect(await stream.next()).toEqual({ teamIds: [started.team.id] });
  stream.close();
});

test("over HTTP/2 the same", async () => {
  const person = await memberOf(started.team.id);
  const session = connect(started.origin, { ca: started.ca });
  const request = session.request({
    ":path": pathOf(started.workspace.id),
    cookie: person.cookie,
    accept: "text/event-stream",
  });
  const stream = reading(request[Symbol.asyncIterator]());
  await new Promise((resolve) => request.once("response", resolve));
  await create(started.team.id);
  expect(await stream.next()).toEqual({ teamIds: [started.team.id] });
  session.destroy();
});

test("the stream says nothing about a team that the person cannot read", async () => {
  const person = await memberOf(started.team.id);
  const stream = await openStream(person);
  await create(started.otherTeam.id);
  await create(started.team.id);
  expect(await stream.next()).toEqual({ teamIds: [started.team.id] });
  stream.close();
});

test("the stream ends when the person signs out or loses access, before it says anything more", async () => {
  const { sql } = await import("../../src/platform/database/sql.ts");
  const [signedOut, removed] = [await memberOf(started.team.id), await memberOf(started.team.id)];
  const streams = [await openStream(signedOut), await openStream(removed)];
  await started.admin(async (transaction) => {
    await transaction.run(sql`delete from person_sessions where id = ${signedOut.sessionId}`);
    await transaction.run(sql`delete from team_memberships where person_id = ${removed.id}`);
  });
  await create(started.team.id);
  for (const stream of streams) expect(await stream.end()).not.toContain("data:");
});

test("a person has a bounded number of streams, and one that is closed makes room", async () => {
  const person = await memberOf(started.team.id);
  const streams = await Promise.all(Array.from({ length: 12 }, () => openStream(person)));
  const ask = () =>
    started.fetch(`${started.origin}${pathOf(started.workspace.id)}`, {
      headers: { Cookie: person.cookie, Accept: "text/event-stream" },
    });
  const refused = await ask();
  expect([refused.status, (await refused.json()).error]).toEqual([429, "too_many_streams"]);
  for (const { close } of streams) close();
  let again = await ask();
  while (again.status === 429) again = await ask();
  expect(again.status).toBe(200);
  await again.body?.cancel();
});

test("a page that cannot keep a stream asks, and learns the same", async () => {
  const person = await memberOf(started.team.id);
  const ask = async (since?: string) =>
    (await person.call("getLibraryEvents", { query: since === undefined ? {} : { since } })).body.data;
  const first = await ask();
  expect(first.teamIds).toEqual([]);
  await create(started.otherTeam.id);
  await create(started.team.id);
  expect((await ask(first.position)).teamIds).toEqual([started.team.id]);
  expect((await person.call("getLibraryEvents", { query: { since: "x" } })).status).toBe(400);
});

test("when the service stops, its streams end at once", async () => {
  const own = await startConsole({});
  const person = await own.person({ role: "owner" });
  const response = await own.fetch(`${own.origin}${pathOf(own.workspace.id)}`, {
    headers: { Cookie: person.cookie, Accept: "text/event-stream" },
  });
  const stream = reading((response.body as ReadableStream<Uint8Array>)[Symbol.asyncIterator]());
  const stopping = own.service.stop();
  expect(await stream.end()).toContain(": open");
  await stopping;
});

test.skipIf(engine.name !== "postgres")("the stream reports what was written at another node", async () => {
  const other = await startConsole({ config: { dataDirectory: started.dataDirectory } });
  const person = await memberOf(started.team.id);
  const stream = await openStream(person, other);
  await create(started.team.id);
  expect(await stream.next()).toEqual({ teamIds: [started.team.id] });
  stream.close();
});
