// The format of a key, what is stored of it, which teams it can access, and its life cycle (decisions, Keys; decisions, Access).
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import { activateKey, createKey, deactivateKey, deleteKey, listKeys } from "../../src/metering/keys/keys.ts";
import { isSecret, newSecret } from "../../src/metering/keys/secret.ts";
import { readUsage } from "../../src/metering/quota/usage.ts";
import { engine, openNode } from "../support/engine.ts";
import { expectRefusal, moment, newId, withoutLimits } from "../support/expect.ts";
import { run } from "../support/program.ts";
import { type Started, startService, text } from "../support/service.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const never = "00000000-0000-7000-8000-000000000000";

/** CRC32 (IEEE) bit by bit, as defined. */
function crc32(data: string): number {
  let register = 0xffffffff;
  for (const byte of Buffer.from(data, "latin1")) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit += 1) register = register & 1 ? (register >>> 1) ^ 0xedb88320 : register >>> 1;
  }
  return (register ^ 0xffffffff) >>> 0;
}

/** The value of base62 digits, most significant first. */
const base62 = (digits: string): number =>
  [...digits].reduce((value, digit) => value * 62 + alphabet.indexOf(digit), 0);

const isAdmitted = async (started: Pick<Started, "call">, key: string): Promise<boolean> => {
  const { status } = await started.call("GET", "/tags", { key, query: { ids: never } });
  // 429: after too many failed authentications.
  if (![200, 401, 429].includes(status)) throw new Error(`the call ended with ${status}`);
  return status === 200;
};

const keyRow = async (started: Started, id: string) =>
  (await started.rows("select * from api_keys where id = ?", id))[0];

describe("the form of a key", () => {
  test("the test's own CRC32 gives the check value of the standard", () => {
    expect(crc32("123456789")).toBe(0xcbf43926);
  });

  test("cpl_, 32 random base62 characters, 6 characters of the CRC32 of everything before them", () => {
    for (let count = 0; count < 1_000; count += 1) {
      const secret = newSecret();
      expect(secret).toMatch(/^cpl_[0-9A-Za-z]{38}$/);
      expect(base62(secret.slice(-6))).toBe(crc32(secret.slice(0, -6)));
    }
  });

  test("the random characters are all of the alphabet, evenly, and no two keys are the same", () => {
    const secrets = Array.from({ length: 5_000 }, newSecret);
    expect(new Set(secrets).size).toBe(secrets.length);
    const counts = new Map([...alphabet].map((character) => [character, 0]));
    for (const secret of secrets)
      for (const character of secret.slice(4, 36)) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = (5_000 * 32) / 62;
    // Chi-squared with 61 degrees of freedom: beyond 160 by chance less than once in 10^9 runs. Bytes modulo 62 would give thousands.
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(62);
    expect(chiSquared).toBeLessThan(160);
  });

  test("a mistyped key is none: no single character may differ", () => {
    const secret = newSecret();
    expect(isSecret(secret)).toBe(true);
    for (let index = 0; index < secret.length; index += 1) {
      const other = alphabet[(alphabet.indexOf(secret[index] ?? "") + 1 + (index % 61)) % 62];
      expect(isSecret(secret.slice(0, index) + other + secret.slice(index + 1))).toBe(false);
    }
    for (const wrong of [secret.slice(1), `${secret}0`, ` ${secret}`, `${secret}\n`, secret.toLowerCase(), ""])
      expect(isSecret(wrong)).toBe(false);
  });
});

describe("what is stored and shown", () => {
  test("the secret is shown once, at creation, with everything else about the key", async () => {
    const started = await startService();
    const created = await started.admin((transaction) =>
      createKey(transaction, started.workspace.id, "Deploy", [started.team.id, started.team.id]),
    );
    expect(created as object).toEqual({
      id: newId,
      workspace_id: started.workspace.id,
      name: "Deploy",
      secret: expect.stringMatching(/^cpl_/),
      secret_start: created.secret.slice(0, 8),
      status: "active",
      is_all_teams: false,
      team_permissions: [started.team.id],
      created_at: moment(started.clock),
      created_by: null,
      last_used_at: null,
      deactivated_at: null,
      previous_secret_until: null,
      ...withoutLimits,
    });
    const { secret: _, ...shown } = created;
    const listed = await started.admin((transaction) => listKeys(transaction, started.workspace.id));
    expect(listed.at(-1)).toEqual(shown);
    expect(JSON.stringify(listed)).not.toContain(created.secret.slice(8));
  });

  test("is_all_teams comes with an empty list of teams", async () => {
    const started = await startService();
    const [all, one, none] = await started.admin((transaction) => listKeys(transaction, started.workspace.id));
    expect(all).toMatchObject({ is_all_teams: true, team_permissions: [] });
    expect(one).toMatchObject({ is_all_teams: false, team_permissions: [started.team.id] });
    expect(none).toMatchObject({ is_all_teams: false, team_permissions: [] });
  });

  test("stored is the SHA-256 of the whole key, and the prefix with 4 characters", async () => {
    const started = await startService();
    const row = await keyRow(started, started.key.id);
    expect(row).toMatchObject({
      secret_hash: createHash("sha256").update(started.key.secret).digest("hex"),
      secret_start: started.key.secret.slice(0, 8),
    });
    expect(JSON.stringify(row)).not.toContain(started.key.secret.slice(8, 16));
  });

  test("a key for a team of another workspace is not made", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const make = started.admin((transaction) =>
      createKey(transaction, started.workspace.id, "Wrong", [started.team.id, stranger.team.id]),
    );
    expect(await make.catch((error: Error) => `${error.name}: ${error.message}`)).toBe("Refusal: Team not found");
    expect(await started.admin((transaction) => listKeys(transaction, started.workspace.id))).toHaveLength(3);
  });

  test("last_used_at is the time of the last admitted call", async () => {
    const started = await startService({ config: { requestsPerMinute: 1 } });
    const { secret, id } = started.key;
    const lastUsed = async () => (await keyRow(started, id))?.last_used_at;
    expect(await lastUsed()).toBeNull();
    await started.call("GET", "/snippet", { key: secret });
    const first = moment(started.clock);
    expect(await lastUsed()).toBe(first);
    started.clock.advance(30);
    expect((await started.call("GET", "/snippet", { key: secret })).status).toBe(429);
    expect(await lastUsed()).toBe(first);
    started.clock.advance(30);
    await isAdmitted(started, secret);
    expect(await lastUsed()).toBe(moment(started.clock));
  });
});

describe("what a key reaches", () => {
  const post = (started: Started, key: string, teamId: string) =>
    started.call("POST", "/snippet", { key, body: { title: "New", content: text("New"), teamId } });

  test("an all-teams key reaches a team that was made later", async () => {
    const started = await startService();
    const later = await started.admin((transaction) => createTeam(transaction, started.workspace.id, "Later"));
    for (const teamId of [started.team.id, started.otherTeam.id, later.id])
      expect((await post(started, started.key.secret, teamId)).status).toBe(200);
  });

  test("a key with a list reaches the listed teams and no other, later ones included", async () => {
    const started = await startService();
    const later = await started.admin((transaction) => createTeam(transaction, started.workspace.id, "Later"));
    expect((await post(started, started.limitedKey.secret, started.team.id)).status).toBe(200);
    for (const teamId of [started.otherTeam.id, later.id])
      expectRefusal(
        await post(started, started.limitedKey.secret, teamId),
        403,
        "API key does not have access to this team",
      );
  });

  test("a key with an empty list reaches nothing", async () => {
    const started = await startService();
    for (const teamId of [started.team.id, started.otherTeam.id])
      expectRefusal(
        await post(started, started.emptyKey.secret, teamId),
        403,
        "API key does not have access to this team",
      );
  });

  test("a key whose only team was deleted reaches nothing, and not everything", async () => {
    const started = await startService({});
    const only = await started.admin((transaction) => createTeam(transaction, started.workspace.id, "Only"));
    const key = await started.admin((transaction) => createKey(transaction, started.workspace.id, "Only", [only.id]));
    const behind = await engine.connect(started.dataDirectory);
    await behind.run("delete from teams where id = ?", only.id);
    await behind.close();

    expectRefusal(await post(started, key.secret, only.id), 404, "Team not found");
    expectRefusal(await post(started, key.secret, started.team.id), 403, "API key does not have access to this team");
  });

  test("a key says nothing about another workspace: its team is unknown", async () => {
    const [started, stranger] = [await startService(), await startService()];
    expectRefusal(await post(started, started.key.secret, stranger.team.id), 404, "Team not found");
  });
});

describe("the life of a key", () => {
  test("deactivation acts on the next call, activation too, and doing either again changes nothing", async () => {
    const started = await startService({});
    const { id, secret } = started.key;
    expect(await isAdmitted(started, secret)).toBe(true);
    const off = await started.admin((transaction) => deactivateKey(transaction, id));
    expect(off).toMatchObject({ id, status: "inactive", deactivated_at: moment(started.clock) });
    expectRefusal(await started.call("GET", "/snippet", { key: secret }), 401, "Invalid or inactive API key", 0);
    started.clock.advance(5);
    expect(await started.admin((transaction) => deactivateKey(transaction, id))).toEqual(off);
    for (let count = 0; count < 2; count += 1)
      expect(await started.admin((transaction) => activateKey(transaction, id))).toMatchObject({
        status: "active",
        deactivated_at: null,
      });
    expect(await isAdmitted(started, secret)).toBe(true);
  });

  test("a deactivated key does not disturb the others of its workspace", async () => {
    const started = await startService({});
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));
    expect(await isAdmitted(started, started.limitedKey.secret)).toBe(true);
  });

  test("an active key cannot be deleted, a deactivated one can; then it is no key any more", async () => {
    const started = await startService({});
    const { id, secret } = started.key;
    const act = (work: typeof deleteKey) =>
      started.admin((transaction) => work(transaction, id)).catch((error: Error) => `${error.name}: ${error.message}`);
    expect(await act(deleteKey)).toBe("Refusal: An active API key cannot be deleted. Deactivate it first");
    expect(await isAdmitted(started, secret)).toBe(true);

    await act(deactivateKey);
    expect(await act(deleteKey)).toMatchObject({ id, status: "inactive" });

    expectRefusal(await started.call("GET", "/snippet", { key: secret }), 401, "Invalid or inactive API key", 0);
    for (const work of [activateKey, deactivateKey, deleteKey]) expect(await act(work)).toBe("Refusal: Key not found");
    const listed = await started.admin((transaction) => listKeys(transaction, started.workspace.id));
    expect(listed.map((key) => key.id)).toEqual([started.limitedKey.id, started.emptyKey.id]);
    expect(await keyRow(started, id)).toMatchObject({ secret_hash: null });
  });

  test("the usage of a deleted key keeps its name", async () => {
    const started = await startService({});
    await isAdmitted(started, started.key.secret);
    await started.given.tag();
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));
    await started.admin((transaction) => deleteKey(transaction, started.key.id));
    const usage = await started.admin((transaction) =>
      readUsage(transaction, started.workspace.id, moment(started.clock).slice(0, 7)),
    );
    expect(usage.by_key).toEqual([
      { key_id: started.key.id, name: "All teams", secret_start: started.key.secret.slice(0, 8), calls: 2, units: 1 },
    ]);
  });

  test("what a deleted key created stays, with its id as created_by", async () => {
    const started = await startService({});
    const { id } = await started.given.snippet();
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));
    await started.admin((transaction) => deleteKey(transaction, started.key.id));
    const read = await started.call("GET", "/snippet", { key: started.limitedKey.secret, query: { id } });
    expect(read.body.data.created_by).toBe(started.key.id);
  });

  /** Calls without a pause until stopped. @returns for each call whether it started after the deactivation, and whether it was admitted */
  async function keepCalling(
    started: Started,
    key: string,
    state: { isOff: boolean; begunOff: number; admitted: number; isDone: boolean },
  ) {
    const calls: { beganOff: boolean; admitted: boolean }[] = [];
    while (!state.isDone) {
      const beganOff = state.isOff;
      if (beganOff) state.begunOff += 1;
      const { status } = await started.call("GET", "/tags", { key, query: { ids: never } });
      if (status === 200) state.admitted += 1;
      calls.push({ beganOff, admitted: status === 200 });
    }
    return calls;
  }

  test("deactivated by another node while calls run: none that starts afterwards is admitted, 30 times", async () => {
    const started = await startService({});
    const node = await openNode(started.dataDirectory, () => started.clock.now);
    const { id, secret } = started.key;
    try {
      for (let round = 0; round < 30; round += 1) {
        const state = { isOff: false, begunOff: 0, admitted: 0, isDone: false };
        const calling = Array.from({ length: 4 }, () => keepCalling(started, secret, state));
        while (state.admitted === 0) await isAdmitted(started, secret);
        await node.transaction((transaction) => deactivateKey(transaction, id));
        state.isOff = true;
        while (state.begunOff === 0) await isAdmitted(started, secret);
        state.isDone = true;
        const calls = (await Promise.all(calling)).flat();
        expect(calls.filter(({ beganOff, admitted }) => beganOff && admitted)).toEqual([]);
        expect(calls.some(({ beganOff }) => beganOff)).toBe(true);
        await node.transaction((transaction) => activateKey(transaction, id));
        expect(await isAdmitted(started, secret)).toBe(true);
        // Failed authentications have their own limit.
        started.clock.advance(60);
      }
    } finally {
      await node.close();
    }
  });

  test("deactivated on the command line while calls run: none that starts afterwards is admitted", async () => {
    const started = await startService({});
    const state = { isOff: false, begunOff: 0, admitted: 0, isDone: false };
    const calling = [keepCalling(started, started.key.secret, state), keepCalling(started, started.key.secret, state)];
    const { status } = await run(["key", "deactivate", "--key", started.key.id], {
      COMMONPLACE_DATA_DIRECTORY: started.dataDirectory,
    });
    state.isOff = true;
    expect(status).toBe(0);
    expect(await isAdmitted(started, started.key.secret)).toBe(false);
    state.isDone = true;
    const calls = (await Promise.all(calling)).flat();
    expect(calls.filter(({ beganOff, admitted }) => beganOff && admitted)).toEqual([]);
    expect(calls.some(({ admitted }) => admitted)).toBe(true);
  });
});
