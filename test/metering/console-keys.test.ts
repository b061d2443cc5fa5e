// API access in the console: keys by the console's operations, and how the public API answers with them afterwards.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { moment, newId, withoutLimits } from "../support/expect.ts";

const never = "00000000-0000-7000-8000-000000000000";
type Person = Awaited<ReturnType<StartedConsole["person"]>>;

const statusOf = async (started: Pick<StartedConsole, "call">, key: string): Promise<number> =>
  (await started.call("GET", "/tags", { key, query: { ids: never } })).status;
const makeKey = async (person: Person, name = "Deploy", teams: "all" | string[] = "all") =>
  (await person.call("postKey", { body: { name, teams } })).body.data;
const auditOf = async ({ rows, workspace }: Pick<StartedConsole, "rows" | "workspace">) =>
  (
    await rows<{
      action: string;
      actor_name: string;
      target_name: string;
      before: string | null;
      after: string | null;
    }>(
      "select action, actor_name, target_name, before, after from audit_log where workspace_id = ? order by id",
      workspace.id,
    )
  ).map((row) => ({
    ...row,
    before: row.before && JSON.parse(row.before),
    after: row.after && JSON.parse(row.after),
  }));
const namesIn = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name);

describe("the life of a key", () => {
  test("made with a secret that opens the interface at once, told once", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { status, body } = await owner.call("postKey", { body: { name: "Deploy", teams: [started.team.id] } });
    expect(status).toBe(200);
    const { secret, curl, ...key } = body.data;
    expect(key).toEqual({
      id: newId,
      workspace_id: started.workspace.id,
      name: "Deploy",
      secret_start: secret.slice(0, 8),
      status: "active",
      is_all_teams: false,
      team_permissions: [started.team.id],
      created_at: moment(started.clock),
      created_by: "Ada Lovelace",
      last_used_at: null,
      deactivated_at: null,
      calls_30_days: 0,
      previous_secret_until: null,
      ...withoutLimits,
      is_managed: true,
    });
    expect(curl).toContain(secret);
    expect(await statusOf(started, secret)).toBe(200);
    const read = await owner.call("getKey", { query: { keyId: key.id } });
    expect(read.body.data).toEqual({ ...key, last_used_at: moment(started.clock), calls_30_days: 1 });
    expect(read.text).not.toContain(secret.slice(8));
  });

  test.each(["all", "limited"])("the curl line of a key for %s teams works when it is pasted", async (kind) => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { curl } = await makeKey(owner, "Pasted", kind === "all" ? "all" : [started.otherTeam.id]);
    const pasted = Bun.spawn(["sh", "-c", `${curl} -s`], { stdout: "pipe", stderr: "ignore" });
    const { success, data } = JSON.parse(await new Response(pasted.stdout).text());
    expect(success).toBe(true);
    const read = await started.call("GET", "/snippet", { key: started.key.secret, query: { id: data.snippetId } });
    expect(read.body.data.team_id).toBe(kind === "all" ? started.team.id : started.otherTeam.id);
  });

  test("commands name the CA of a local certificate, but not where clients see another certificate", async () => {
    const local = await startConsole({});
    const file = (name: string) => join(local.dataDirectory, "tls", name);
    const tls = { certPath: file("chain.crt"), keyPath: file("localhost.key") };
    writeFileSync(tls.certPath, ["localhost.crt", "ca.crt"].map((name) => readFileSync(file(name), "utf8")).join("\n"));
    const trusted = `curl --cacert ${file("ca.crt")}`;
    const starts: [StartedConsole, curl: string, url: string][] = [
      [local, trusted, `${local.origin}/api`],
      [await startConsole({ config: { tls } }), "curl", ""],
      [
        await startConsole({ config: { publicOrigin: "https://snippets.example.com", apiPath: "/v1" } }),
        "curl",
        "https://snippets.example.com/v1",
      ],
    ];
    for (const [{ person, service }, curl, url] of starts) {
      const owner = await person({ role: "owner" });
      const address = url || service.baseUrl;
      expect((await owner.call("getSession")).body.data.api).toEqual({ url: address, curl });
      const headers = { Origin: new URL(address).origin };
      const made = await owner.call("postKey", { body: { name: "Deploy", teams: "all" }, headers });
      expect(made.body.data.curl).toStartWith(`${curl} ${address}/snippet -H `);
    }
  });

  test("deactivated: the next call is refused; activated: the next is admitted", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { id, secret } = await makeKey(owner);
    const off = await owner.call("postKeyDeactivation", { query: { keyId: id } });
    expect(off.body.data).toMatchObject({ id, status: "inactive", deactivated_at: moment(started.clock) });
    expect(await statusOf(started, secret)).toBe(401);
    const on = await owner.call("postKeyActivation", { query: { keyId: id } });
    expect(on.body.data).toMatchObject({ id, status: "active", deactivated_at: null });
    expect(await statusOf(started, secret)).toBe(200);
  });

  test("an active key is not deleted; an inactive one is, and then there is none", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { id, secret } = await makeKey(owner);
    const query = { keyId: id };
    const refused = await owner.call("deleteKey", { query });
    expect([refused.status, refused.body.error]).toEqual([409, "key_active"]);
    expect(await statusOf(started, secret)).toBe(200);
    await owner.call("postKeyDeactivation", { query });
    const deleted = await owner.call("deleteKey", { query });
    expect([deleted.status, deleted.body.data.status]).toEqual([200, "inactive"]);
    for (const name of ["getKey", "deleteKey", "postKeyActivation", "postKeyDeactivation"] as const)
      expect((await owner.call(name, { query })).body.error).toBe("key_not_found");
    expect(namesIn(await owner.call("getKeys"))).not.toContain("Deploy");
  });

  test("renamed, and moved to other teams from the next call on", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { id, secret } = await makeKey(owner, "Before", [started.team.id]);
    const post = async (teamId: string) => {
      const body = { title: "A", content: { type: "plaintext", content: "B" }, teamId };
      return (await started.call("POST", "/snippet", { key: secret, body })).status;
    };
    const change = (body: object) => owner.call("putKey", { query: { keyId: id }, body });
    expect((await change({ name: "After" })).body.data).toMatchObject({
      name: "After",
      team_permissions: [started.team.id],
    });
    expect([await post(started.team.id), await post(started.otherTeam.id)]).toEqual([200, 403]);
    const moved = await change({ teams: [started.otherTeam.id, started.otherTeam.id] });
    expect(moved.body.data).toMatchObject({ name: "After", team_permissions: [started.otherTeam.id] });
    expect([await post(started.team.id), await post(started.otherTeam.id)]).toEqual([403, 200]);
    expect((await change({ teams: "all" })).body.data).toMatchObject({ is_all_teams: true, team_permissions: [] });
    expect([await post(started.team.id), await post(started.otherTeam.id)]).toEqual([200, 200]);
    expect((await change({ teams: [started.team.id] })).body.data).toMatchObject({ is_all_teams: false });
    expect([await post(started.team.id), await post(started.otherTeam.id)]).toEqual([200, 403]);
  });

  test("limits can be set at creation and later; the audit log has the limits before and after", async () => {
    const started = await startConsole({ config: { requestsPerMinute: 20 } });
    const owner = await started.person({ role: "owner" });
    const limits = { scope: "read", expiresAt: "2026-04-01T00:00:00Z", networks: ["127.0.0.1", "::1/64", "::2/64"] };
    const body = { name: "CI", teams: "all", ...limits, monthlyBudget: 9, requestsPerMinute: 20 };
    const { id, secret } = (await owner.call("postKey", { body })).body.data;
    const after = {
      scope: "read",
      expires_at: "2026-04-01T00:00:00.000Z",
      networks: ["127.0.0.1/32", "::/64"],
      monthly_budget: 9,
      requests_per_minute: 20,
    };
    expect((await owner.call("getKey", { query: { keyId: id } })).body.data).toMatchObject({
      ...after,
      budget_used: 0,
    });
    expect(await statusOf(started, secret)).toBe(200);
    const change = (changes: object) => owner.call("putKey", { query: { keyId: id }, body: changes });
    const changes = {
      scope: "read_write",
      expiresAt: null,
      networks: [],
      monthlyBudget: null,
      requestsPerMinute: null,
    };
    expect((await change(changes)).body.data).toMatchObject(withoutLimits);
    const named = { name: "CI", teams: "all" };
    expect((await auditOf(started)).map((row) => [row.action, row.before, row.after])).toEqual([
      ["key.create", null, { ...named, status: "active", secret_start: secret.slice(0, 8), ...after }],
      ["key.change", { ...named, ...after }, named],
    ]);
    for (const [wrong, message] of [
      [{ requestsPerMinute: 21 }, "requestsPerMinute must be at most 20, the instance's limit for each key"],
      [{ requestsPerMinute: 0 }, "requestsPerMinute must be a whole number from 1 to 1000000"],
      [{ monthlyBudget: 1.5 }, "monthlyBudget must be a whole number from 0 to 1000000000000"],
      [{ expiresAt: "2026-03-15T12:00:00Z" }, "expiresAt must be in the future"],
      [{ expiresAt: "tomorrow" }, "expiresAt must be an ISO 8601 timestamp in UTC, such as 2026-01-31T09:30:00Z"],
      [
        { networks: ["10.0.0.0/33"] },
        /^networks.* must be an IP address or a network, such as 203.0.113.0\/24 or 2001:db8::\/32$/,
      ],
      [{ networks: Array(51).fill("::1") }, "networks must have at most 50 items"],
      [{ scope: "write" }, "scope must be one of read, read_write"],
      [{}, /^at least one of these fields is required/],
    ] as const) {
      const { status, body } = await change(wrong);
      expect([wrong, status, body.message]).toEqual([
        wrong,
        400,
        typeof message === "string" ? message : expect.stringMatching(message),
      ]);
    }
  });

  test("rotated: the new secret opens, the old one as long as the overlap lasts", async () => {
    const started = await startConsole({});
    const owner = await started.person({ role: "owner" });
    const { id, secret: old } = await makeKey(owner);
    const rotate = async (overlap: string) =>
      (await owner.call("postKeyRotation", { query: { keyId: id }, body: { overlap } })).body.data;
    const first = await rotate("1h");
    const until = new Date(started.clock.now + 3_600_000).toISOString();
    expect(first).toMatchObject({ id, secret_start: first.secret.slice(0, 8), previous_secret_until: until });
    expect(first.curl).toContain(first.secret);
    expect([await statusOf(started, old), await statusOf(started, first.secret)]).toEqual([200, 200]);
    started.clock.advance(3_600);
    expect([await statusOf(started, old), await statusOf(started, first.secret)]).toEqual([401, 200]);
    expect((await owner.call("getKey", { query: { keyId: id } })).body.data.previous_secret_until).toBeNull();
    const again = await started.person({ role: "owner" });
    const second = (await again.call("postKeyRotation", { query: { keyId: id }, body: { overlap: "now" } })).body.data;
    expect(second.previous_secret_until).toBeNull();
    expect([await statusOf(started, first.secret), await statusOf(started, second.secret)]).toEqual([401, 200]);
  });

  test("making, rotating and deleting ask for the password again; deactivating in an emergency does not", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner", confirmedMinutesAgo: 16 });
    const query = { keyId: started.key.id };
    const errors = [
      await owner.call("postKey", { body: { name: "A", teams: "all" } }),
      await owner.call("postKeyRotation", { query, body: { overlap: "now" } }),
      await owner.call("deleteKey", { query }),
    ].map(({ status, body }) => [status, body.error]);
    expect(errors).toEqual(Array(3).fill([403, "confirmation_required"]));
    expect((await owner.call("postKeyDeactivation", { query })).status).toBe(200);
  });
});

describe("the list", () => {
  test("newest first, in pages that follow each other, without what was deleted", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    for (let number = 1; number <= 4; number += 1) await makeKey(owner, `Key ${number}`);
    const query = { limit: 3 };
    const first = await owner.call("getKeys", { query });
    expect(namesIn(first)).toEqual(["Key 4", "Key 3", "Key 2"]);
    const second = await owner.call("getKeys", { query: { ...query, cursor: first.body.nextCursor } });
    expect(namesIn(second)).toEqual(["Key 1", "No team", "One team"]);
    const third = await owner.call("getKeys", { query: { ...query, cursor: second.body.nextCursor } });
    expect([namesIn(third), third.body.nextCursor]).toEqual([["All teams"], null]);
    expect((await owner.call("getKeys", { query: { limit: 7 } })).body.nextCursor).toBeNull();
  });

  test("searched by part of a name, whatever its case, with signs that SQL takes for more", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    for (const name of ["50% off_peak", "500 offXpeak", "Wow!", "back\\slash", "Ümlaut"]) await makeKey(owner, name);
    const search = async (text: string) => namesIn(await owner.call("getKeys", { query: { search: text } }));
    expect(await search("OFF_")).toEqual(["50% off_peak"]);
    expect(await search("50%")).toEqual(["50% off_peak"]);
    expect(await search("!")).toEqual(["Wow!"]);
    expect(await search("\\")).toEqual(["back\\slash"]);
    expect(await search("Üml")).toEqual(["Ümlaut"]);
    expect(await search("team")).toEqual(["No team", "One team", "All teams"]);
    expect(await search("nothing like it")).toEqual([]);
  });

  test("searched by the start of a secret, or by a whole one", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { secret } = await makeKey(owner, "Wanted");
    for (const text of [secret.slice(0, 8), secret.slice(0, 7), secret])
      expect(namesIn(await owner.call("getKeys", { query: { search: text } }))).toContain("Wanted");
    expect(namesIn(await owner.call("getKeys", { query: { search: `${secret.slice(0, 7)}-` } }))).not.toContain(
      "Wanted",
    );
  });

  test("a cursor that is none is refused", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    for (const place of [["1; drop table api_keys"], [], ["a", "b"], [never, never]]) {
      const cursor = Buffer.from(JSON.stringify(place)).toString("base64url");
      expect((await owner.call("getKeys", { query: { cursor } })).status).toBe(400);
    }
  });

  test("counts the calls of the last 30 days, today included", async () => {
    const started = await startConsole({ at: "2026-03-01T12:00:00.000Z" });
    const { id, secret } = started.key;
    for (let calls = 0; calls < 3; calls += 1) await statusOf(started, secret);
    const count = async () => {
      const owner = await started.person({ role: "owner" });
      const { body } = await owner.call("getKeys");
      return body.data.find((key: { id: string }) => key.id === id).calls_30_days;
    };
    expect(await count()).toBe(3);
    started.clock.advance(29 * 86_400);
    await statusOf(started, secret);
    expect(await count()).toBe(4);
    started.clock.advance(86_400);
    expect(await count()).toBe(1);
  });

  test("a key that was made on the command line is nobody's", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { body } = await owner.call("getKey", { query: { keyId: started.key.id } });
    expect(body.data.created_by).toBeNull();
  });
});

describe("who reaches which key", () => {
  const notFound = (answer: { body: object }): object => ({ ...answer.body, requestId: "" });

  test("a team's admin and editor see the keys that are limited to their teams; the admin alone changes them", async () => {
    const started = await startConsole();
    const { team, otherTeam } = started;
    const owner = await started.person({ role: "owner" });
    const both = await makeKey(owner, "Both", [team.id, otherTeam.id]);
    const admin = await started.person({ role: "member", teams: { [team.id]: "admin" } });
    const editor = await started.person({ role: "member", teams: { [team.id]: "editor" } });
    const mixed = await started.person({ role: "member", teams: { [team.id]: "admin", [otherTeam.id]: "editor" } });
    const viewer = await started.person({ role: "member", teams: { [team.id]: "viewer" } });
    const listed = async (person: Person) =>
      (await person.call("getKeys")).body.data.map((key: { name: string; is_managed: boolean }) => [
        key.name,
        key.is_managed,
      ]);
    expect(await listed(admin)).toEqual([["One team", true]]);
    expect(await listed(editor)).toEqual([["One team", false]]);
    expect(await listed(mixed)).toEqual([
      ["Both", false],
      ["One team", true],
    ]);
    expect((await viewer.call("getKeys")).status).toBe(403);
    const off = (person: Person, keyId: string) => person.call("postKeyDeactivation", { query: { keyId } });
    expect((await off(admin, started.limitedKey.id)).status).toBe(200);
    expect((await off(editor, started.limitedKey.id)).body.error).toBe("forbidden");
    for (const keyId of [both.id, started.key.id, started.emptyKey.id])
      expect((await off(admin, keyId)).body.error).toBe("key_not_found");
    expect((await off(mixed, both.id)).body.error).toBe("key_not_found");
  });

  test("a team's admin makes and moves keys within their teams only, and never to all", async () => {
    const started = await startConsole();
    const { team, otherTeam } = started;
    const admin = await started.person({ role: "member", teams: { [team.id]: "admin" } });
    const make = (teams: "all" | string[]) => admin.call("postKey", { body: { name: "Mine", teams } });
    const made = await make([team.id]);
    expect(made.status).toBe(200);
    expect((await make("all")).body.error).toBe("forbidden");
    expect((await make([team.id, otherTeam.id])).body.error).toBe("team_not_found");
    const query = { keyId: made.body.data.id };
    expect((await admin.call("putKey", { query, body: { teams: "all" } })).body.error).toBe("forbidden");
    expect((await admin.call("putKey", { query, body: { teams: [otherTeam.id] } })).body.error).toBe("team_not_found");
    expect((await admin.call("putKey", { query, body: { name: "Renamed" } })).status).toBe(200);
  });

  test("a key of another workspace, one out of reach and one that is not there say the same", async () => {
    const [started, other] = [await startConsole(), await startConsole()];
    const owner = await started.person({ role: "owner" });
    const admin = await started.person({ role: "member", teams: { [started.team.id]: "admin" } });
    const unknown = notFound(await owner.call("getKey", { query: { keyId: never } }));
    expect(unknown).toEqual({ success: false, message: "Key not found", error: "key_not_found", requestId: "" });
    const query = { keyId: other.key.id };
    for (const [name, body] of [
      ["getKey", undefined],
      ["putKey", { name: "Mine" }],
      ["deleteKey", undefined],
      ["postKeyRotation", { overlap: "now" }],
      ["postKeyDeactivation", undefined],
      ["postKeyActivation", undefined],
    ] as const) {
      expect(notFound(await owner.call(name, { query, body }))).toEqual(unknown);
      expect(notFound(await admin.call(name, { query: { keyId: started.key.id }, body }))).toEqual(unknown);
    }
    expect(await statusOf(other, other.key.secret)).toBe(200);
  });

  test("teams of another workspace, and teams that are not there, are not found", async () => {
    const [started, other] = [await startConsole(), await startConsole()];
    const owner = await started.person({ role: "owner" });
    for (const teamId of [other.team.id, never]) {
      const { status, body } = await owner.call("postKey", { body: { name: "A", teams: [started.team.id, teamId] } });
      expect([status, body.error]).toEqual([404, "team_not_found"]);
    }
  });

  test("the operator sees the keys of a workspace that is not theirs, and changes none", async () => {
    const started = await startConsole();
    const operator = await started.person({ isOperator: true });
    const { body } = await operator.call("getKeys");
    expect(body.data.map((key: { is_managed: boolean }) => key.is_managed)).toEqual([false, false, false]);
    expect((await operator.call("postKeyDeactivation", { query: { keyId: started.key.id } })).status).toBe(403);
  });
});

test("every act stands in the audit log, before and after, and never a secret", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Grace Hopper" });
  const { id, secret } = await makeKey(owner, "First", [started.team.id]);
  const query = { keyId: id };
  await owner.call("putKey", { query, body: { name: "Second", teams: "all" } });
  const rotated = (await owner.call("postKeyRotation", { query, body: { overlap: "24h" } })).body.data;
  for (const name of ["postKeyDeactivation", "postKeyActivation", "postKeyDeactivation", "deleteKey"] as const)
    expect((await owner.call(name, { query })).status).toBe(200);
  const log = await auditOf(started);
  const teams = [{ id: started.team.id, name: "Own team" }];
  const [start, nextStart] = [secret.slice(0, 8), rotated.secret.slice(0, 8)];
  const [off, on] = [{ status: "inactive" }, { status: "active" }];
  expect(log.map(({ action, before, after }) => [action, before, after])).toEqual([
    ["key.create", null, { name: "First", teams, status: "active", secret_start: start }],
    ["key.change", { name: "First", teams }, { name: "Second", teams: "all" }],
    [
      "key.rotate",
      { secret_start: start },
      { secret_start: nextStart, overlap: "24h", previous_secret_until: rotated.previous_secret_until },
    ],
    ["key.deactivate", on, off],
    ["key.activate", off, on],
    ["key.deactivate", on, off],
    ["key.delete", { name: "Second", teams: "all", status: "inactive", secret_start: nextStart }, null],
  ]);
  expect(new Set(log.map((row) => row.actor_name))).toEqual(new Set(["Grace Hopper"]));
  for (const hidden of [secret, rotated.secret]) expect(JSON.stringify(log)).not.toContain(hidden.slice(8));
});

test.each([
  [{ teams: "all" }, "name"],
  [{ name: "   ", teams: "all" }, "name"],
  [{ name: "x".repeat(101), teams: "all" }, "name"],
  [{ name: "A" }, "teams"],
  [{ name: "A", teams: [] }, "teams"],
  [{ name: "A", teams: ["no id"] }, "teams"],
  [{ name: "A", teams: "some" }, "teams"],
])("a key of %j is not made", async (body, about) => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner" });
  const answer = await owner.call("postKey", { body });
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(about)]);
});
