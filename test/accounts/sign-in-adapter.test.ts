// What stands between Better Auth and our database: nothing waits for itself, everybody is in their own context, and what works
// once works once however many try at the same moment.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthOptions } from "better-auth";
import { betterAuthStorage } from "../../src/accounts/sign-in/better-auth.store.ts";
import type { configureBetterAuth } from "../../src/accounts/sign-in/better-auth-settings.ts";
import { loadBetterAuth } from "../../src/accounts/sign-in/load-better-auth.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { startConsole, testPassword } from "../support/console.ts";

type Console = Awaited<ReturnType<typeof startConsole>>;
let started: Console;
let auth: ReturnType<typeof configureBetterAuth>;
const names = ["BETTER_AUTH_TRUSTED_ORIGINS", "BETTER_AUTH_SECRETS", "AUTH_SECRET"];

beforeAll(async () => {
  started = await startConsole();
  process.env.BETTER_AUTH_TRUSTED_ORIGINS = "https://elsewhere.example";
  process.env.BETTER_AUTH_SECRETS = "1:somebody else's secret, long enough to be one";
  process.env.AUTH_SECRET = "somebody else's";
  const { configureBetterAuth: configure } = await loadBetterAuth();
  auth = configure(started.service.database, {
    origin: "https://localhost",
    secret: "a secret of the test's own, long enough",
    singleSignOnHours: 12,
    openId: undefined,
    hasher: {
      hash: async (password) => `hash of ${password}`,
      verify: (password, hash) => Bun.password.verify(password, hash),
    },
    onFailure: () => undefined,
    onPasswordReset: async () => undefined,
    currentCall: () => undefined,
  });
});
afterAll(() => {
  for (const name of names) delete process.env[name];
});

/** Better Auth's own adapter, as it uses it. */
const adapterOf = async () => (await auth.$context).adapter;

const signIn = (email: string, address: string) =>
  auth.handler(
    new Request("https://localhost/console/auth/sign-in/email", {
      method: "POST",
      headers: { origin: "https://localhost", "content-type": "application/json", "x-commonplace-client": address },
      body: JSON.stringify({ email, password: testPassword }),
    }),
  );

test("what is set for other programs does not reach the library", async () => {
  expect(names.map((name) => process.env[name])).toEqual([undefined, undefined, undefined]);
  expect(new Set((await auth.$context).trustedOrigins)).toEqual(new Set(["https://localhost"]));
});

describe("a transaction of the library's", () => {
  test("is joined by what is asked of the adapter outside while it is open, and nothing waits for itself", async () => {
    const adapter = await adapterOf();
    const { id } = await started.person();
    const where = [{ field: "id", value: id }];
    const seen = await adapter.transaction(async (inner) => {
      await inner.update({ model: "user", where, update: { name: "Inside" } });
      // Not the transaction's own adapter: with one writer it would wait for the end of what waits for it.
      await adapter.update({ model: "user", where, update: { image: "outside" } });
      return adapter.transaction((innermost) =>
        innermost.findOne<{ name: string; image: string }>({ model: "user", where }),
      );
    });
    expect(seen).toMatchObject({ name: "Inside", image: "outside" });
  });

  test("is undone as a whole", async () => {
    const adapter = await adapterOf();
    const { id, name } = await started.person();
    const where = [{ field: "id", value: id }];
    const failing = adapter.transaction(async (inner) => {
      await inner.update({ model: "user", where, update: { name: "Inside" } });
      await adapter.update({ model: "user", where, update: { image: "outside" } });
      throw new Error("not after all");
    });
    await expect(failing).rejects.toThrow("not after all");
    expect(await adapter.findOne<{ name: string }>({ model: "user", where })).toMatchObject({ name, image: null });
  });

  test("that has ended takes nothing more: what outlives it is a transaction of its own", async () => {
    const adapter = await adapterOf();
    const { id } = await started.person();
    const where = [{ field: "id", value: id }];
    let later: (() => Promise<unknown>) | undefined;
    await adapter.transaction(async () => {
      const inContext = AsyncLocalStorage.snapshot();
      later = () => inContext(() => adapter.update({ model: "user", where, update: { name: "Afterwards" } }));
    });
    await later?.();
    expect(await adapter.findOne<{ name: string }>({ model: "user", where })).toMatchObject({ name: "Afterwards" });
  });

  test("runs in the context of who asked for it, also where several share a commit", async () => {
    const adapter = await adapterOf();
    const caller = new AsyncLocalStorage<number>();
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        caller.run(index, () => adapter.transaction(async () => ({ index, seen: caller.getStore() }))),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => ({ index, seen: index })));
  });
});

test("who signs in at the same moment gets a session of their own, with their own address", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => started.person()));
  const answers = await Promise.all(people.map(({ email }, index) => signIn(email, `192.0.2.${index + 1}`)));
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
  const found = await Promise.all(
    people.map(({ id }) =>
      started.rows<{ ip_address: string }>(
        "select ip_address from person_sessions where person_id = ? and ip_address is not null",
        id,
      ),
    ),
  );
  expect(found).toEqual(people.map((_, index) => [{ ip_address: `192.0.2.${index + 1}` }]));
});

describe("once", () => {
  const verification = async (value = "x") => {
    const adapter = await adapterOf();
    const identifier = crypto.randomUUID();
    const now = new Date();
    await adapter.create({
      model: "verification",
      data: { identifier, value, expiresAt: new Date(now.getTime() + 60_000), createdAt: now, updatedAt: now },
    });
    return { adapter, where: [{ field: "identifier", value: identifier }] };
  };

  test("of many who consume a row at the same moment, one gets it", async () => {
    const { adapter, where } = await verification();
    const got = await Promise.all(
      Array.from({ length: 12 }, () => adapter.consumeOne<{ value: string }>({ model: "verification", where })),
    );
    expect(got.filter((row) => row !== null)).toHaveLength(1);
    expect(await adapter.count({ model: "verification", where })).toBe(0);
  });

  test("a change under a condition happens once", async () => {
    const { adapter, where } = await verification("before");
    const guarded = [...where, { field: "value", value: "before" }];
    const got = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        adapter.update({ model: "verification", where: guarded, update: { value: `after ${index}` } }),
      ),
    );
    expect(got.filter((row) => row !== null)).toHaveLength(1);
  });

  test("counting loses nothing", async () => {
    const adapter = await adapterOf();
    const { id } = await started.person();
    await started.admin(async (transaction) =>
      transaction.insert("person_second_factors", [
        {
          id: transaction.newId(),
          person_id: id,
          secret: "x",
          backup_codes: "x",
          verified: false,
          failed_verification_count: 0,
          locked_until: null,
        },
      ]),
    );
    const where = [{ field: "userId", value: id }];
    const increment = { failedVerificationCount: 1 };
    await Promise.all(Array.from({ length: 12 }, () => adapter.incrementOne({ model: "twoFactor", where, increment })));
    expect(await adapter.findOne({ model: "twoFactor", where })).toMatchObject({
      failedVerificationCount: 12,
      verified: false,
      userId: id,
    });
  });

  test("a condition on nothing removes nothing", async () => {
    const { adapter, where } = await verification();
    await adapter.delete({ model: "verification", where: [] });
    expect(await adapter.count({ model: "verification", where })).toBe(1);
  });
});

test("every kind of condition that the library states finds what it says", async () => {
  const adapter = await adapterOf();
  const people = await Promise.all(["A", "B", "C"].map((name) => started.person({ name })));
  const ids = people.map(({ id }) => id);
  const own = { field: "id", value: ids, operator: "in" as const };
  const find = async (...more: NonNullable<Parameters<typeof adapter.findMany>[0]["where"]>) =>
    (
      await adapter.findMany<{ name: string }>({
        model: "user",
        where: [own, ...more],
        sortBy: { field: "name", direction: "desc" },
      })
    ).map(({ name }) => name);
  expect(await find()).toEqual(["C", "B", "A"]);
  expect(await find({ field: "name", value: "B", operator: "ne" })).toEqual(["C", "A"]);
  expect(await find({ field: "name", value: ["A", "B"], operator: "not_in" })).toEqual(["C"]);
  expect(await find({ field: "name", value: [], operator: "in" })).toEqual([]);
  expect(await find({ field: "name", value: "b", mode: "insensitive" })).toEqual(["B"]);
  expect(await find({ field: "name", value: "A", operator: "gt" })).toEqual(["C", "B"]);
  expect(await find({ field: "image", value: null })).toEqual(["C", "B", "A"]);
  expect(await find({ field: "image", value: null, operator: "ne" })).toEqual([]);
  expect(
    await find({ field: "name", value: "A", connector: "OR" }, { field: "name", value: "C", connector: "OR" }),
  ).toEqual(["C", "A"]);
});

test("a moment is the database's: what has ended by its clock has ended for the library", async () => {
  const { service, clock, admin } = await startConsole({});
  const adapter = betterAuthStorage(service.database)({} as BetterAuthOptions);
  const expiresAt = new Date(Date.now() + 60_000);
  await adapter.create({
    model: "verification",
    data: { identifier: "x", value: "x", expiresAt, createdAt: new Date(), updatedAt: new Date() },
  });
  const stored = await admin((transaction) =>
    transaction.first<{ expires_at: string }>(sql`select expires_at from person_verifications`),
  );
  expect(Math.abs(Date.parse(stored?.expires_at ?? "") - (clock.now + 60_000))).toBeLessThan(5_000);
  const where = [{ field: "expiresAt", value: new Date(), operator: "lt" as const }];
  expect(await adapter.count({ model: "verification", where })).toBe(0);
  clock.advance(120);
  expect(await adapter.count({ model: "verification", where })).toBe(1);
});
