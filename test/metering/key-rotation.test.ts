// A key gets a new secret, and its previous secret is accepted until the overlap ends (decisions, Keys).
import { describe, expect, test } from "bun:test";
import { findBalanceAfter } from "../../src/metering/admission/admission.store.ts";
import {
  activateKey,
  createKey,
  deactivateKey,
  deleteKey,
  type Overlap,
  rotateKey,
} from "../../src/metering/keys/keys.ts";
import { engine, openNode } from "../support/engine.ts";
import { expectRefusal } from "../support/expect.ts";
import { makeWorkspace, run, runJson } from "../support/program.ts";
import { type Started, startService, temporaryDirectory, text } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";
const read = (started: Pick<Started, "call">, key: string) =>
  started.call("GET", "/tags", { key, query: { ids: never } });
const statusesOf = async (started: Pick<Started, "call">, ...keys: string[]): Promise<number[]> => {
  const statuses = [];
  for (const key of keys) statuses.push((await read(started, key)).status);
  return statuses;
};
const rotate = (started: Pick<Started, "admin" | "key">, overlap: Overlap) =>
  started.admin((transaction) => rotateKey(transaction, started.key.id, overlap));
const expectUnknown = async (started: Started, key: string) =>
  expectRefusal(await read(started, key), 401, "Invalid or inactive API key", 0);

describe("rotation", () => {
  test("without an overlap: the next call with the old secret is refused, with the new one admitted as the same key", async () => {
    const started = await startService();
    const { id, secret: old } = started.key;
    expect(await statusesOf(started, old)).toEqual([200]);
    const rotated = await rotate(started, "now");
    expect(rotated).toMatchObject({ id, status: "active", previous_secret_until: null });
    expect(rotated.secret).not.toBe(old);
    expect(rotated.secret_start).toBe(rotated.secret.slice(0, 8));
    await expectUnknown(started, old);
    expect(await statusesOf(started, rotated.secret)).toEqual([200]);
    expect((await started.ledger()).map((row) => row.key_id)).toEqual([id, id]);
  });

  test.each([
    ["1h", 3_600],
    ["24h", 86_400],
    ["7d", 604_800],
  ] as const)("with an overlap of %s both secrets open, up to its last millisecond", async (overlap, seconds) => {
    const started = await startService({});
    const old = started.key.secret;
    const { secret, previous_secret_until } = await rotate(started, overlap);
    expect(previous_secret_until).toBe(new Date(started.clock.now + seconds * 1_000).toISOString());
    expect(await statusesOf(started, old, secret)).toEqual([200, 200]);
    started.clock.advance(seconds - 0.001);
    expect(await statusesOf(started, old, secret)).toEqual([200, 200]);
    started.clock.advance(0.001);
    await expectUnknown(started, old);
    expect(await statusesOf(started, secret)).toEqual([200]);
  });

  test("both secrets are one key: one ledger, one rate limit, the same teams", async () => {
    const started = await startService({ config: { requestsPerMinute: 3 } });
    const { id, secret: old } = started.limitedKey;
    const { secret } = await started.admin((transaction) => rotateKey(transaction, id, "1h"));
    const post = (key: string, teamId: string) =>
      started.call("POST", "/snippet", { key, body: { title: "A", content: text("B"), teamId } });
    expect((await post(old, started.team.id)).status).toBe(200);
    expectRefusal(await post(old, started.otherTeam.id), 403, "API key does not have access to this team");
    const last = await post(secret, started.team.id);
    expect(last.status).toBe(200);
    expect(last.headers.get("x-ratelimit-remaining")).toBe("0");
    for (const key of [old, secret]) expect((await post(key, started.team.id)).status).toBe(429);
    const rows = await started.rows<{ key_id: string; key_call: number }>(
      "select key_id, key_call from ledger where workspace_id = ? order by key_call",
      started.workspace.id,
    );
    expect(rows.map((row) => [row.key_id, Number(row.key_call)])).toEqual([
      [id, 1],
      [id, 2],
      [id, 3],
    ]);
  });

  test("rotated again within an overlap, the oldest secret ends at once", async () => {
    const started = await startService();
    const first = started.key.secret;
    const { secret: second } = await rotate(started, "7d");
    const { secret: third } = await rotate(started, "1h");
    await expectUnknown(started, first);
    expect(await statusesOf(started, second, third)).toEqual([200, 200]);
    const { secret: fourth } = await rotate(started, "now");
    for (const old of [first, second, third]) await expectUnknown(started, old);
    expect(await statusesOf(started, fourth)).toEqual([200]);
  });

  test("deactivation acts on both secrets at once, and so does activation", async () => {
    const started = await startService();
    const { id, secret: old } = started.key;
    const { secret } = await rotate(started, "24h");
    await started.admin((transaction) => deactivateKey(transaction, id));
    for (const key of [old, secret]) await expectUnknown(started, key);
    await started.admin((transaction) => activateKey(transaction, id));
    expect(await statusesOf(started, old, secret)).toEqual([200, 200]);
  });

  test("a deactivated key that is rotated stays deactivated", async () => {
    const started = await startService();
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));
    const { secret, status } = await rotate(started, "now");
    expect(status).toBe("inactive");
    await expectUnknown(started, secret);
    await started.admin((transaction) => activateKey(transaction, started.key.id));
    expect(await statusesOf(started, secret)).toEqual([200]);
    await expectUnknown(started, started.key.secret);
  });

  test("of a deleted key no hash is left, of neither secret", async () => {
    const started = await startService();
    const { id, secret: old } = started.key;
    const { secret } = await rotate(started, "24h");
    await started.admin((transaction) => deactivateKey(transaction, id));
    await started.admin((transaction) => deleteKey(transaction, id));
    for (const key of [old, secret]) await expectUnknown(started, key);
    expect(
      await started.rows(
        "select secret_hash, previous_secret_hash, previous_secret_until from api_keys where id = ?",
        id,
      ),
    ).toEqual([{ secret_hash: null, previous_secret_hash: null, previous_secret_until: null }]);
  });

  test("a large body comes in with the old secret too, and not after its time", async () => {
    const started = await startService({});
    const old = started.key.secret;
    await rotate(started, "1h");
    const body = { title: "Large", content: text("x".repeat(200_000)), teamId: started.team.id };
    const send = () => started.call("POST", "/snippet", { key: old, body });
    expect((await send()).status).toBe(200);
    started.clock.advance(3_600);
    expectRefusal(await send(), 401, "Invalid or inactive API key", 0);
  });

  test("calls with the old secret are no failed authentications; those after its time are", async () => {
    const started = await startService({});
    const old = started.key.secret;
    const { secret } = await rotate(started, "1h");
    for (let count = 0; count < 70; count += 1) expect(await statusesOf(started, old)).toEqual([200]);
    expect((await read(started, `${old.slice(0, -1)}?`)).status).toBe(401);
    started.clock.advance(3_600);
    const refused: number[] = [];
    for (let count = 0; count < 61; count += 1) refused.push(...(await statusesOf(started, old)));
    expect(refused).toEqual([...Array(60).fill(401), 429]);
    expect(await statusesOf(started, secret)).toEqual([200]);
  });

  test("a call whose commit has no answer is found in the ledger, whatever became of its key since", async () => {
    const started = await startService();
    await read(started, started.key.secret);
    const requestId = (await started.ledger())[0]?.id ?? "";
    const key = { workspace_id: started.workspace.id, key_id: started.key.id };
    const findBalance = (id: string) => started.admin((transaction) => findBalanceAfter(transaction, { ...key, id }));
    for (const overlap of ["1h", "1h", "now"] as const) {
      await rotate(started, overlap);
      expect(await findBalance(requestId)).toBe(100_000);
    }
    await started.admin((transaction) => deactivateKey(transaction, key.key_id));
    await started.admin((transaction) => deleteKey(transaction, key.key_id));
    expect(await findBalance(requestId)).toBe(100_000);
    expect(await findBalance(never)).toBeUndefined();
  });

  test("another key of the workspace is not touched", async () => {
    const started = await startService();
    const other = await started.admin((transaction) => createKey(transaction, started.workspace.id, "Other", "all"));
    await rotate(started, "now");
    expect(await statusesOf(started, other.secret, started.limitedKey.secret)).toEqual([200, 200]);
  });
});

describe("while calls run", () => {
  /** Calls without a pause until stopped. @returns for each call whether it started after the rotation, and its status */
  async function keepCalling(
    started: Started,
    key: string,
    state: { isRotated: boolean; begunAfter: number; isDone: boolean },
  ) {
    const calls: { beganAfter: boolean; status: number }[] = [];
    while (!state.isDone) {
      const beganAfter = state.isRotated;
      if (beganAfter) state.begunAfter += 1;
      calls.push({ beganAfter, status: (await read(started, key)).status });
    }
    return calls;
  }

  test("rotated by another node: no call is refused within an overlap, and none with the old secret admitted without, 15 times", async () => {
    const started = await startService({});
    const node = await openNode(started.dataDirectory, () => started.clock.now);
    let secret = started.key.secret;
    try {
      for (let round = 0; round < 15; round += 1)
        for (const overlap of ["1h", "now"] as const) {
          const state = { isRotated: false, begunAfter: 0, isDone: false };
          const calling = Array.from({ length: 3 }, () => keepCalling(started, secret, state));
          await read(started, secret);
          const rotated = await node.transaction((transaction) => rotateKey(transaction, started.key.id, overlap));
          state.isRotated = true;
          while (state.begunAfter === 0) await Promise.all([read(started, secret), read(started, rotated.secret)]);
          state.isDone = true;
          const calls = (await Promise.all(calling)).flat();
          const wrong = calls.filter(({ beganAfter, status }) =>
            overlap === "1h" ? status !== 200 : beganAfter && status === 200,
          );
          expect(wrong).toEqual([]);
          expect(calls.some(({ beganAfter }) => beganAfter)).toBe(true);
          expect(await statusesOf(started, rotated.secret)).toEqual([200]);
          secret = rotated.secret;
          // Failed authentications have their own limit.
          started.clock.advance(60);
        }
    } finally {
      await node.close();
    }
    const [row] = await started.rows<{ calls: number; numbered: number }>(
      `select call_count as calls, (select count(*) from ledger l where l.key_id = k.id) as numbered
       from api_keys k where id = ?`,
      started.key.id,
    );
    expect(Number(row?.calls)).toBe(Number(row?.numbered));
  });
});

describe("on the command line", () => {
  const here = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };

  test("key rotate prints the new secret once, and says until when the old one works", async () => {
    const { key, workspace } = await makeWorkspace(here);
    const rotated = await runJson(["key", "rotate", "--key", key, "--overlap", "24h"], here);
    expect(rotated).toMatchObject({ id: key, workspace_id: workspace, status: "active" });
    expect(rotated.secret).toMatch(/^cpl_[0-9A-Za-z]{38}$/);
    expect(Date.parse(rotated.previous_secret_until)).toBeGreaterThan(Date.now());
    const people = await run(["key", "show", "--key", key], here);
    expect(people.stdout).toContain(
      `old secret works until  ${rotated.previous_secret_until.slice(0, 16).replace("T", " ")} UTC`,
    );
    expect(people.stdout).not.toContain(rotated.secret.slice(8));
    const now = await runJson(["key", "rotate", "--key", key, "--overlap", "now"], here);
    expect(now.previous_secret_until).toBeNull();
  });

  test("an overlap that there is not, and a key that there is not, are refused", async () => {
    const { key } = await makeWorkspace(here);
    const wrong = await run(["key", "rotate", "--key", key, "--overlap", "2h"], here);
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("--overlap must be one of: now, 1h, 24h, 7d"),
    ]);
    const missing = await run(["key", "rotate", "--key", never, "--overlap", "now"], here);
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining(`key not found: ${never}`)]);
  });

  test("each act on a key stands in the audit log, without its secret", async () => {
    const { key, workspace } = await makeWorkspace(here);
    const { secret } = await runJson(["key", "rotate", "--key", key, "--overlap", "1h"], here);
    for (const verb of ["deactivate", "activate", "deactivate", "delete"])
      await runJson(["key", verb, "--key", key], here);
    const rows = await engine.rowsOf(here.COMMONPLACE_DATA_DIRECTORY)<{
      action: string;
      after: string | null;
      actor_kind: string;
    }>(
      "select action, actor_kind, after from audit_log where workspace_id = ? and action like 'key.%' order by id",
      workspace,
    );
    expect(rows.map((row) => row.action)).toEqual([
      ...["key.create", "key.rotate", "key.deactivate", "key.activate", "key.deactivate", "key.delete"],
    ]);
    expect(new Set(rows.map((row) => row.actor_kind))).toEqual(new Set(["command"]));
    expect(JSON.parse(rows[1]?.after ?? "")).toMatchObject({ overlap: "1h", secret_start: secret.slice(0, 8) });
    expect(JSON.stringify(rows)).not.toContain(secret.slice(8));
  });
});
