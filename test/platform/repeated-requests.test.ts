// A repeated request is carried out once: across nodes, after a crash, and after a commit whose outcome nobody learned.
import { beforeAll, describe, expect, test } from "bun:test";
import { prove } from "../../prove/repeats.ts";
import { engine, openNode } from "../support/engine.ts";
import { type Answer, callOn, isOnPostgres, makeWorkspace, onPostgres, startNode, until } from "../support/nodes.ts";
import { shared, startFixture, startShared } from "../support/postgres-failures.ts";
import type { Fate } from "../support/postgres-proxy.ts";
import { spawnService } from "../support/process.ts";
import { temporaryDirectory } from "../support/service.ts";

const patienceMilliseconds = 60_000;
const isReplay = ({ headers }: Answer): boolean => headers.get("idempotency-replayed") === "true";

test("150 creates through connections that are cut, with kills: each is carried out and charged once", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const made = { runs: 0, inputs: 0 };
  const run = { engine: engine.name, form: "short", seed, made, isOver: () => false, show: () => undefined } as const;
  await prove(run).catch((cause: unknown) => {
    throw new Error(`with seed ${seed}`, { cause });
  });
  expect(made.runs).toBe(150);
});

test("a kill after the commit: the repeat gets the response that was stored, and there is one charge", async () => {
  const dataDirectory = temporaryDirectory();
  const database = await openNode(dataDirectory);
  const { id, key, teamId } = await makeWorkspace(database);
  await database.close();
  const rows = engine.rowsOf(dataDirectory);
  const folders = () => rows<{ id: string }>("select id from folders where workspace_id = ?", id);
  const request = {
    body: { folderName: "A folder", folderColor: "#336699", teamId },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  };
  const first = await spawnService(dataDirectory);
  const lost = callOn(first, key, "POST", "/folder", request).catch(() => undefined);
  await until(async () => (await folders()).length === 1, patienceMilliseconds);
  first.kill("SIGKILL");
  await Promise.all([first.ended, lost]);

  const second = await spawnService(dataDirectory);
  const repeat = await callOn(second, key, "POST", "/folder", request);

  expect(isReplay(repeat)).toBe(true);
  expect(await folders()).toEqual([{ id: repeat.body.data.folder.id }]);
  expect(await rows("select status, units from ledger where workspace_id = ? order by key_call", id)).toEqual([
    { status: 200, units: 1 },
    { status: 200, units: 0 },
  ]);
  second.kill("SIGTERM");
  await second.ended;
});

describe.skipIf(!isOnPostgres)(onPostgres("several nodes"), () => {
  beforeAll(startShared);

  const startThree = async () => {
    const database = await shared.createDatabase();
    const url = shared.urlOf(database);
    const nodes = [await startNode(url), await startNode(url), await startNode(url)] as const;
    const workspace = await makeWorkspace(nodes[0].database, { keys: 8 });
    const requestOf = (idempotencyKey: string) => ({
      body: { tagName: idempotencyKey, tagColor: "#336699", teamId: workspace.teamId },
      headers: { "Idempotency-Key": idempotencyKey },
    });
    const sql = shared.connect(database);
    const send = (node: number, idempotencyKey: string, secret = workspace.key): Promise<Answer> =>
      nodes[node % 3]?.call(secret, "POST", "/tag", requestOf(idempotencyKey)) ?? Promise.reject();
    return {
      database,
      sql,
      send,
      /** Sends it again after a 503: a machine with too much to do gives up waiting for a lock. */
      sendUntilServed: async (...request: Parameters<typeof send>): Promise<Answer> => {
        let answer = await send(...request);
        while (answer.status === 503) answer = await send(...request);
        return answer;
      },
      workspace,
      stop: async () => {
        await Promise.all(nodes.map((node) => node.stop()));
        await sql.close();
      },
    };
  };

  test("the same request to all three at once: one is carried out, the others get its response or 409", async () => {
    const { sql, sendUntilServed: send, workspace, stop } = await startThree();
    const keys = Array.from({ length: 64 }, () => crypto.randomUUID());
    await Promise.all(
      keys.map(async (key, at) => {
        const secret = workspace.keys[at % workspace.keys.length]?.secret;
        const answers = await Promise.all([0, 1, 2, 0].map((node) => send(node, key, secret)));
        const done = answers.filter(({ status }) => status === 200);
        expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1);
        for (const { body } of done) expect(body).toEqual(done[0]?.body);
        for (const { status, headers, body } of answers) {
          if (status === 200) continue;
          expect([status, headers.get("retry-after"), body.error]).toEqual([409, "1", "request_in_progress"]);
        }
        const repeat = await send(at, key, secret);
        expect([isReplay(repeat), repeat.body]).toEqual([true, done[0]?.body]);
      }),
    );
    const [charged] = await sql`select sum(units)::int as units from ledger where workspace_id = ${workspace.id}`;
    expect(charged.units).toBe(keys.length);
    const tags: { tag_name: string }[] = await sql`select tag_name from tags where workspace_id = ${workspace.id}`;
    expect(tags.map(({ tag_name }) => tag_name).sort()).toEqual(keys.sort());
    await stop();
  });

  test("while a request is in progress on one node, a repeat on another one gets 409 and does not wait for it", async () => {
    const { sql, database, send, stop } = await startThree();
    const other = shared.connect(database);
    const claims = async () => {
      const [row] = await sql`select count(*)::int as claims from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())`;
      return row.claims;
    };
    for (;;) {
      const key = crypto.randomUUID();
      await other`begin`;
      await other`lock table tags in share mode`;
      let hasEnded = false;
      const first = send(0, key).finally(() => {
        hasEnded = true;
      });
      await until(async () => hasEnded || (await claims()) === 1, patienceMilliseconds);
      const refused = await send(1, key);
      const wasInProgress = !hasEnded;
      await other`rollback`;
      const done = await first;
      // The service gives up after three seconds.
      if (!wasInProgress || done.status === 503) continue;
      expect([refused.status, refused.body.error]).toEqual([409, "request_in_progress"]);
      expect([refused.headers.get("retry-after"), refused.headers.get("x-request-cost")]).toEqual(["1", "0"]);
      expect(done.status).toBe(200);
      const repeat = await send(1, key);
      expect([isReplay(repeat), repeat.body]).toEqual([true, done.body]);
      break;
    }
    await other.close();
    await stop();
  });

  test.each<[Fate, boolean]>([
    ["loses its answer", true],
    ["never arrives", false],
  ])(
    "a commit that %s, and a database that stays away: the repeat settles it, with one charge",
    async (fate, isDone) => {
      const fixture = await startFixture(shared, { hasProxy: true });
      const { node, proxy, workspace, secretOf } = fixture;
      if (!proxy) throw new Error("no proxy");
      const send = () =>
        node.call(secretOf(0), "POST", "/tag", {
          body: { tagName: "A tag", tagColor: "#336699", teamId: workspace.teamId },
          headers: { "Idempotency-Key": "once" },
        });
      proxy.decide = () => {
        proxy.isReachable = false;
        return fate;
      };
      expect((await send()).body).toMatchObject({ error: "outcome_unknown" });
      proxy.decide = () => "passes";
      proxy.isReachable = true;

      let repeat = await send();
      while (repeat.status === 503 || repeat.status === 409) repeat = await send();

      expect(repeat.status).toBe(200);
      const sql = fixture.sql();
      const tags: { id: string }[] = await sql`select id from tags where workspace_id = ${workspace.id}`;
      expect(tags.map(({ id }) => id)).toEqual([repeat.body.data.tag.id]);
      const [charged] = await sql`select sum(units)::int as units from ledger where workspace_id = ${workspace.id}`;
      expect(charged.units).toBe(1);
      expect(isReplay(repeat)).toBe(isDone);
      await fixture.stop();
    },
  );
});
