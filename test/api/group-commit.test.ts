// Calls and their commits: each is committed before its response, and none succeeds without a database.
import { describe, expect, test } from "bun:test";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { engine, openNode } from "../support/engine.ts";
import { newId } from "../support/expect.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { type RawAnswer, type Started, startService, temporaryDirectory, text } from "../support/service.ts";

const originOf = (started: Started): string => new URL(started.baseUrl).origin;

describe("group commit", () => {
  test("64 parallel writes: each is committed before its answer, and none is lost", async () => {
    const started = await startService();
    const post = async (index: number) => {
      const answer: RawAnswer = await started.call("POST", "/snippet", {
        key: started.key.secret,
        body: { title: `Parallel ${index}`, content: text(`Text ${index}`), teamId: started.team.id },
      });
      // Another connection sees only what is committed.
      const seen = await started.rows("select title from snippets where id = ?", answer.body.data.snippetId);
      return { status: answer.status, seen };
    };
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => post(index)));
    expect(answers).toEqual(
      Array.from({ length: 64 }, (_, index) => ({ status: 200, seen: [{ title: `Parallel ${index}` }] })),
    );
    expect(await started.ledger()).toHaveLength(64);
    await expectConsistentBalances(started.rows, started.workspace.id);
  });

  const notes = async () => {
    const directory = temporaryDirectory();
    let groups = 0;
    // SQLite reads the clock once per group.
    const database = await openNode(directory, () => {
      groups += 1;
      return Date.now();
    });
    await database.transaction((transaction) => transaction.run(sql`create table notes (number integer primary key)`));
    const rows = engine.rowsOf(directory);
    return {
      database,
      groupsSoFar: () => groups,
      add: (number: number) =>
        database.transaction(async (transaction) => {
          await transaction.run(sql`insert into notes (number) values (${number})`);
          return number;
        }),
      /** As another connection sees them: what is committed. */
      committed: async () =>
        (await rows<{ number: number }>("select number from notes order by number")).map(({ number }) => number),
      close: () => database.close(),
    };
  };
  const numbers = (length: number) => Array.from({ length }, (_, number) => number);

  test("what waits at the same time is answered after its commit; on SQLite it shares one", async () => {
    const { add, groupsSoFar, committed, close } = await notes();
    const writeAtOnce = async (from: number): Promise<number> => {
      const before = groupsSoFar();
      const seen = numbers(64).map(async (number) => {
        await add(from + number);
        return (await committed()).includes(from + number);
      });
      expect(await Promise.all(seen)).toEqual(Array(64).fill(true));
      return groupsSoFar() - before;
    };
    let [written, groups] = [0, 0];
    do {
      groups = await writeAtOnce(written);
      written += 64;
      // A group ends early where the machine is too busy. PostgreSQL groups commits internally.
    } while (engine.name === "sqlite" && groups > 1 && written < 640);
    if (engine.name === "sqlite") expect(groups).toBe(1);
    expect(await committed()).toEqual(numbers(written));
    await close();
  });

  test("a lone call waits for nobody", async () => {
    const { add, committed, close } = await notes();
    expect(await add(1)).toBe(1);
    expect(await committed()).toEqual([1]);
    await close();
  });

  test("one that fails takes nothing of the others with it", async () => {
    const { database, committed, close } = await notes();
    const add = (number: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`insert into notes (number) values (${number})`);
        if (number % 3 === 0) throw new Error(`planted ${number}`);
        if (number % 3 === 1) await transaction.run(sql`insert into notes (number) values (${number})`);
      });
    const outcomes = await Promise.allSettled(numbers(30).map(add));
    expect(outcomes.map(({ status }) => status)).toEqual(
      numbers(30).map((number) => (number % 3 === 2 ? "fulfilled" : "rejected")),
    );
    expect(outcomes[0]).toMatchObject({ reason: { message: "planted 0" } });
    expect(await committed()).toEqual(numbers(30).filter((number) => number % 3 === 2));
    await close();
  });

  // If every call has its own connection, others are not affected.
  test.skipIf(engine.name !== "sqlite")(
    "an engine that fails in one of them fails them all: nobody is told of a success, nothing is kept",
    async () => {
      const { database, add, committed, close } = await notes();
      const failing = database.transaction(() => Promise.reject(new DatabaseUnavailable("planted")));
      const outcomes = await Promise.allSettled([add(1), add(2), failing, add(3)]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { name: "DatabaseUnavailable" } });
      expect(await committed()).toEqual([]);
      expect(await add(1)).toBe(1);
      expect(await committed()).toEqual([1]);
      await close();
    },
  );

  test("closing finishes what waits", async () => {
    const { database, add, committed, close } = await notes();
    const adding = Promise.all(numbers(20).map(add));
    const closing = database.close();
    expect(await adding).toEqual(numbers(20));
    expect(await committed()).toEqual(numbers(20));
    await closing;
    await close().catch(() => undefined);
  });
});

test("a database that is taken away from a running service: 503 and no call is done, until it is there again", async () => {
  const started = await startService({});
  const probe = async (path: string) => (await started.fetch(`${originOf(started)}${path}`)).status;
  const post = () =>
    started.call("POST", "/tag", {
      key: started.key.secret,
      body: { tagName: "Lost", tagColor: "#000", teamId: started.team.id },
    });
  const makeAvailable = await engine.makeUnavailable(started.dataDirectory);
  const refused = await post();
  expect(refused.body).toEqual({
    success: false,
    message: "The service cannot reach its database. Nothing was changed or charged",
    error: "unavailable",
    requestId: newId,
  });
  expect({ status: refused.status, retryAfter: refused.headers.get("retry-after") }).toEqual({
    status: 503,
    retryAfter: "1",
  });
  expect([await probe("/readyz"), await probe("/healthz")]).toEqual([503, 200]);

  await makeAvailable();
  expect(await probe("/readyz")).toBe(200);
  expect(await started.rows("select * from tags")).toEqual([]);
  expect((await post()).status).toBe(200);
  expect(await started.ledger()).toMatchObject([{ operation: "postTag", status: 200, units: 1 }]);
});
