// Guessing passwords is slowed down, and locks nobody out.
import { describe, expect, spyOn, test } from "bun:test";
import { openThrottle } from "../../src/accounts/sign-in/throttle.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { refusalOf } from "../support/service.ts";

/** The delays of sign-ins end at once. */
const quick = async (): Promise<void> => {};

describe("guessing", () => {
  test("after 30 failures in a minute, a network has to wait before it can try again", async () => {
    const { visitor, clock, person, rows } = await startConsole({ pause: quick });
    const { email } = await person({ role: "owner" });
    // What names no account is no guess: nobody is kept out by it.
    for (const path of ["/two-factor/verify-totp", "/two-factor/verify-backup-code"])
      for (let index = 0; index < 31; index += 1)
        expect((await visitor().auth(path, { code: String(index).padStart(6, "0") })).status).toBe(401);
    expect(await rows("select id from sign_in_attempts")).toEqual([]);
    const verify = spyOn(Bun.password, "verify").mockResolvedValue(false);
    const guess = (index: number) =>
      visitor().auth("/sign-in/email", { email: `guessed-${index}@example.com`, password: "wrong" });
    for (let index = 0; index < 30; index += 1) expect((await guess(index)).status).toBe(401);
    verify.mockRestore();
    const refused = await visitor().auth("/sign-in/email", { email, password: testPassword });
    expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_attempts",
      "60",
    ]);
    clock.advance(60);
    expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
  });

  test("each attempt on one account takes longer, up to 4 seconds, and nobody is locked out", async () => {
    const waited: number[] = [];
    const { visitor, person } = await startConsole({
      pause: async (milliseconds) => void waited.push(milliseconds),
    });
    const { email } = await person({ role: "owner" });
    for (let index = 0; index < 10; index += 1)
      expect((await visitor().auth("/sign-in/email", { email, password: "wrong" })).status).toBe(401);
    expect(waited.filter((milliseconds) => milliseconds % 250 === 0)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
    ]);
    // Each failure ends on a quarter of a second.
    expect(waited.filter((milliseconds) => milliseconds % 250 !== 0)).toHaveLength(10);
    expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
    // The right password ends the delays.
    waited.length = 0;
    await visitor().auth("/sign-in/email", { email, password: "wrong" });
    expect(waited.filter((milliseconds) => milliseconds % 250 === 0)).toEqual([]);
  });

  test("at the same moment is no way around it: thirty are tried, and the right password is not counted", async () => {
    const { visitor, person } = await startConsole({ pause: quick });
    const { email } = await person({ role: "owner" });
    // The 31 need no real check of the password, which takes long.
    const verify = spyOn(Bun.password, "verify").mockResolvedValue(true);
    for (let index = 0; index < 31; index += 1)
      expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
    verify.mockRestore();
    const hash = spyOn(Bun.password, "hash");
    const tried = await Promise.all(
      Array.from({ length: 33 }, (_, index) =>
        visitor().auth("/sign-in/email", { email: `guessed-${index}@example.com`, password: "wrong" }),
      ),
    );
    const hashes = hash.mock.calls.length;
    hash.mockRestore();
    expect(tried.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(30).fill(401),
      ...Array<number>(3).fill(429),
    ]);
    expect(hashes).toBe(30);
  });

  test("failed sign-ins are counted across all nodes, and the counts survive a restart", async () => {
    const waited: number[] = [];
    const { admin, service } = await startConsole({});
    const nodes = [0, 1].map(() =>
      openThrottle(service.database, async (milliseconds) => void waited.push(milliseconds)),
    );
    const fail = (index: number) =>
      nodes[index % 2]?.attempt(
        "192.0.2.1",
        "a@example.com",
        async () => "no",
        () => true,
      );
    for (let index = 0; index < 6; index += 1) await fail(index);
    expect(waited).toEqual([250, 500, 1_000]);
    for (let index = 6; index < 30; index += 1) await fail(index);
    for (const index of [0, 1])
      expect(await refusalOf(fail(index) ?? Promise.resolve())).toMatchObject({ status: 429 });
    // Of what was typed, only a hash is stored.
    const stored = await admin((transaction) => transaction.all(sql`select * from sign_in_attempts`));
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toMatch(/example|192/);
  });

  test("stands in the log, without the address and the password that were typed", async () => {
    const { visitor, lines } = await startConsole({});
    await visitor().auth("/sign-in/email", { email: "typed@example.com", password: "typed as well" });
    expect(lines.filter((line) => line.includes("sign-in refused"))).toHaveLength(1);
    expect(lines.join()).not.toContain("typed");
  });

  test("more people at once than can be hashed for are told to come back", async () => {
    // Each comes from a different network: fewer attempts at once are allowed from one network.
    const { visitor, person } = await startConsole({
      config: { trustedProxies: ["127.0.0.1", "::1"] },
      pause: quick,
    });
    const { email } = await person({ role: "owner" });
    const release: (() => void)[] = [];
    const verify = spyOn(Bun.password, "verify").mockImplementation(
      () => new Promise<boolean>((done) => release.push(() => done(true))),
    );
    let refused = 0;
    let answered = 0;
    const attempt = async (_: unknown, index: number) => {
      const answer = await visitor().auth(
        "/sign-in/email",
        { email, password: testPassword },
        { "X-Forwarded-For": `192.0.2.${index}` },
      );
      answered += 1;
      if (answer.status === 503) refused += 1;
      return answer;
    };
    const soon = () => new Promise((next) => setImmediate(next));
    const all = Promise.all(Array.from({ length: 40 }, attempt));
    // None ends before all have started.
    while (refused < 6) await soon();
    let atOnceMax = 0;
    while (answered < 40) {
      atOnceMax = Math.max(atOnceMax, release.length);
      for (const go of release.splice(0)) go();
      await soon();
    }
    verify.mockRestore();
    const answers = await all;
    const busy = answers.find(({ status }) => status === 503);
    expect([busy?.body.error, busy?.headers.get("retry-after")]).toEqual(["busy", "2"]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(34).fill(200), ...Array<number>(6).fill(503)]);
    expect(atOnceMax).toBeLessThanOrEqual(2);
  });
});
