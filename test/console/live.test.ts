// What is changed in a library appears on open pages: one stream for each, which tells only what the person may know.
import { beforeAll, expect, test } from "bun:test";
import { connect } from "node:http2";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import { consoleOperations } from "../../src/contract/console/operations.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { FeedCursors } from "../../src/library/feed/cursor.ts";
import { noteChangesIn } from "../../src/library/feed/write.ts";
import { needsImport } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { engine } from "../support/engine.ts";
import { testInstanceKey } from "../support/instance-key.ts";
import { libraryCases } from "../support/library-cases.ts";
import type { World } from "../support/roles.ts";
import { makeManyTargets, makeTargets } from "../support/targets.ts";

let started: StartedConsole;
/** Another node on PostgreSQL. SQLite has only one. */
let other: StartedConsole;
beforeAll(async () => {
  started = await startConsole({});
  other =
    engine.name === "postgres" ? await startConsole({ config: { dataDirectory: started.dataDirectory } }) : started;
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
  const inBoth = [started.otherTeam, started.team].map(({ id }) => ({
    ...{ title: "New", content: { type: "plaintext", content: "x" }, teamId: id },
  }));
  await started.client.postSnippets({ snippets: inBoth });
  expect(await stream.next()).toEqual({ teamIds: [started.team.id] });
  stream.close();
});

test("that a team was deleted is told only to those who could see its snippets", async () => {
  const member = await memberOf(started.team.id);
  const owner = await started.person({ role: "owner" });
  const secret = await started.admin((transaction) => createTeam(transaction, started.workspace.id, "Secret"));
  const inBoth = { [secret.id]: "viewer", [started.team.id]: "viewer" } as const;
  const insider = await started.person({ role: "member", teams: inBoth });
  const [outside, inside, above] = [await openStream(member), await openStream(insider), await openStream(owner)];
  const query = { teamId: secret.id };
  expect((await owner.call("deleteTeam", { query, body: { name: "Secret" } })).status).toBe(200);
  for (const stream of [inside, above]) expect(await stream.next()).toEqual({ teamIds: null });
  await create(started.team.id);
  expect(await outside.next()).toEqual({ teamIds: [started.team.id] });
  for (const stream of [outside, inside, above]) stream.close();
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

/** Asks the other node, as a page does that cannot keep a stream. */
const askAs =
  ({ cookie }: Person) =>
  async (since?: string) => {
    const query = since === undefined ? "" : `&since=${since}`;
    const response = await other.fetch(`${other.origin}${pathOf(started.workspace.id)}${query}`, {
      headers: { Cookie: cookie },
    });
    return { status: response.status, ...(await response.json()).data };
  };

test("a page that cannot keep a stream asks, and learns of the teams that the person can read", async () => {
  const ask = askAs(await memberOf(started.team.id));
  const first = await ask();
  expect(first.teamIds).toEqual([]);
  await create(started.otherTeam.id);
  expect((await ask(first.position)).teamIds).toEqual([]);
  await create(started.team.id);
  const second = await ask(first.position);
  expect(second.teamIds).toEqual([started.team.id]);
  expect((await ask(second.position)).teamIds).toEqual([]);
  const list = { workspaceId: started.workspace.id, teamId: undefined };
  const cursor = (number: number, at: string) =>
    new FeedCursors(testInstanceKey).format(list, { number, index: 0, at });
  const [tooOld, ofLaterBackup] = [cursor(1, "2026-01-01T00:00:00.000Z"), cursor(1_000, "2026-03-15T12:00:00.000Z")];
  for (const position of [tooOld, ofLaterBackup]) expect((await ask(position)).teamIds).toBeNull();
  expect((await ask("x")).status).toBe(400);
});

test("pages learn of every operation that changes the library, by keys and by people, on any node", async () => {
  const owner = await started.person({ role: "owner" });
  const ask = askAs(owner);
  const told: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  const observe = async (name: string, act: () => Promise<{ status: number }>, teamIds: string[] | null) => {
    const { position } = await ask();
    expect({ name, status: (await act()).status }).toEqual({ name, status: 200 });
    told[name] = (await ask(position)).teamIds;
    expected[name] = teamIds;
  };
  const { team, key } = started;
  const writes = operationNames.filter((name) => operations[name].method !== "GET");
  const imported = await makeTargets(started, team.id, true);
  const targets = await makeManyTargets(
    started,
    writes.map(() => team.id),
  );
  for (const [index, name] of writes.entries()) {
    const { method, path } = operations[name];
    const request = cases[name].request((needsImport(cases[name]) ? undefined : targets[index]) ?? imported);
    await observe(name, () => started.call(method, path, { key: key.secret, ...request }), [team.id]);
  }
  // Its cases use no more of the world.
  const world = { ...started, owner } as unknown as World;
  for (const name of Object.keys(libraryCases) as (keyof typeof libraryCases)[]) {
    if (consoleOperations[name].method === "GET") continue;
    const input =
      name === "postLibraryExamples"
        ? { query: { teamId: team.id } }
        : await libraryCases[name].input?.(world, "owner");
    await observe(name, () => owner.call(name, input), [team.id]);
  }
  const query = { teamId: started.otherTeam.id };
  await observe("deleteTeam", () => owner.call("deleteTeam", { query, body: { name: "Other team" } }), null);
  await observe("postTeamRestoration", () => owner.call("postTeamRestoration", { query, body: {} }), [query.teamId]);
  expect(told).toEqual(expected);
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

test("the stream reports what another process writes, also with a transaction that began before what was reported already", async () => {
  const person = await started.person({ role: "owner" });
  const stream = await openStream(person, other);
  const { workspace, team, otherTeam } = started;
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  /** Like a command: nothing tells the process with the stream. */
  const write = () =>
    started.admin(async (transaction) => {
      noteChangesIn(
        transaction,
        workspace.id,
      )(
        [team, otherTeam].map(({ id: teamId }) => ({ kind: "tag", action: "changed", id: Bun.randomUUIDv7(), teamId })),
      );
      begun.resolve();
      await released.promise;
    });
  // SQLite has one writer.
  const isBegunFirst = engine.name === "postgres";
  const writing = isBegunFirst ? write() : begun.resolve();
  await begun.promise;
  for (const { clock } of [started, other]) clock.advance(60);
  await create(team.id);
  expect(await stream.next()).toEqual({ teamIds: [team.id] });
  released.resolve();
  await (isBegunFirst ? writing : write());
  expect((await stream.next()).teamIds?.toSorted()).toEqual([team.id, otherTeam.id].sort());
  stream.close();
});
