// The security log of a person's account: each action once, and no secret.
import { describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync } from "node:crypto";
import { type TOTP, URI } from "otpauth";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { engine } from "../support/engine.ts";
import { newId } from "../support/expect.ts";
import { runJson } from "../support/program.ts";

describe("the security log", () => {
  const actions = async (person: Pick<Awaited<ReturnType<StartedConsole["person"]>>, "call">): Promise<string[]> =>
    (await person.call("getSecurityLog")).body.data.map(({ action }: { action: string }) => action);

  test("tells an act whole: by whom, from where, how it was and how it is", async () => {
    const { person } = await startConsole({});
    const one = await person({ role: "owner", name: "Ada" });
    await one.call("putPerson", { body: { name: "Countess" } });
    const { status, body } = await one.call("getSecurityLog");
    expect([status, body.nextCursor, body.data]).toEqual([
      200,
      null,
      [
        {
          id: newId,
          at: "2026-03-15T12:00:00.000Z",
          actor_kind: "person",
          actor_id: one.id,
          actor_name: "Ada",
          client_address: "127.0.0.1",
          action: "account.rename",
          target_kind: "account",
          target_id: one.id,
          target_name: one.email,
          before: { name: "Ada" },
          after: { name: "Countess" },
        },
      ],
    ]);
  });

  test("has each act on an account once, newest first, a page at a time, and no secret", async () => {
    const { person, visitor, admin, workspace, clock, rows, origin } = await startConsole({});
    const one = await person({ role: "owner" });
    const other = visitor();
    await other.auth("/sign-in/email", { email: one.email, password: testPassword }, { "User-Agent": "A phone" });
    const browser = visitor(one.cookie);
    const secrets = [testPassword];
    const done: string[] = ["session.create"];
    const does = async (action: string, work: () => Promise<{ status: number; body: unknown }>) => {
      clock.advance(1);
      const { status, body } = await work();
      expect([action, status]).toEqual([action, 200]);
      if (action !== "") done.unshift(action);
      return body as Record<string, unknown> & { data: Record<string, unknown> };
    };
    const sessions = (await browser.call("getSessions")).body.data;
    const phone = sessions.find((session: { is_this: boolean }) => !session.is_this);
    await does("session.end", () => browser.call("deleteSession", { query: { id: phone.id } }));
    await does("session.end_others", () => browser.call("deleteSessions"));
    const token = {
      workspaceId: workspace.id,
      name: "CI",
      scopes: { workspace: "write" },
      expiresAt: "2026-04-01T00:00:00Z",
    };
    const made = await does("token.create", () => browser.call("postToken", { body: token }));
    secrets.push(String(made.data.secret));
    await does("token.delete", () => browser.call("deleteToken", { query: { id: String(made.data.id) } }));
    const setUp = await does("", () => browser.auth("/two-factor/enable", { password: testPassword }));
    const code = (URI.parse(String(setUp.totpURI)) as TOTP).generate();
    await does("second_factor.enable", () => browser.auth("/two-factor/verify-totp", { code }));
    const renewed = await does("recovery_codes.create", () =>
      browser.auth("/two-factor/generate-backup-codes", { password: testPassword }),
    );
    secrets.push(...(setUp.backupCodes as string[]), ...(renewed.backupCodes as string[]));
    await does("second_factor.disable", () => browser.auth("/two-factor/disable", { password: testPassword }));
    await does("passkey.create", async () => registerPasskey(browser, origin, "A key"));
    const [passkey] = (await browser.auth("/passkey/list-user-passkeys")).body;
    await does("passkey.delete", () =>
      browser.auth("/passkey/delete-passkey", { id: passkey.id, password: testPassword }),
    );
    const changed = "another long password";
    await does("password.change", () =>
      browser.auth("/change-password", { currentPassword: testPassword, newPassword: changed }),
    );
    const link = await admin(async (transaction) => makePasswordToken(transaction, one.id, 60));
    const reset = "yet another long password";
    await does("password.reset", () => visitor().auth("/reset-password", { token: link, newPassword: reset }));
    secrets.push(changed, reset, link);

    const again = visitor();
    await does("session.create", () => again.auth("/sign-in/email", { email: one.email, password: reset }));
    expect(await actions(again)).toEqual(done);
    const seen: string[] = [];
    let cursor: string | null = "";
    do {
      const { body } = await again.call("getSecurityLog", { query: { limit: 5, ...(cursor && { cursor }) } });
      seen.push(...body.data.map(({ action }: { action: string }) => action));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(done);
    const { data } = (await again.call("getSecurityLog")).body;
    for (const act of data)
      expect(act).toMatchObject({ actor_id: one.id, client_address: "127.0.0.1", target_id: one.id });
    const named = (action: string) => data.find((act: { action: string }) => act.action === action);
    expect(named("session.end").before).toEqual({ client_address: "127.0.0.1", user_agent: "A phone" });
    expect(named("passkey.create")).toMatchObject({ before: null, after: { name: "A key" } });
    expect(named("passkey.delete")).toMatchObject({ before: { name: "A key" }, after: null });
    expect(named("token.create").after).toMatchObject({ name: "CI", workspace: "Test workspace" });
    const stored = JSON.stringify(await rows("select * from audit_log"));
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  });

  test("has nothing of a change that was refused, or of others", async () => {
    const { person, visitor } = await startConsole({});
    const [one, other] = [await person({ role: "owner" }), await person({ role: "owner" })];
    const browser = visitor();
    await browser.auth("/sign-in/email", { email: one.email, password: testPassword });
    const wrong = { currentPassword: "not the password", newPassword: "another long password" };
    expect((await browser.auth("/change-password", wrong)).status).toBe(400);
    expect(
      (await browser.auth("/passkey/delete-passkey", { id: crypto.randomUUID(), password: testPassword })).status,
    ).toBe(404);
    expect((await browser.call("deleteSession", { query: { id: crypto.randomUUID() } })).status).toBe(404);
    await browser.auth("/sign-out", {});
    await other.call("putPerson", { body: { name: "Other" } });
    expect(await actions(one)).toEqual(["sign_in.refuse", "session.create"]);
  });

  test("an act whose entry can not be written does not happen", async () => {
    const { person, visitor, dataDirectory, rows } = await startConsole({});
    const one = await person({ role: "owner" });
    const stored = () => rows("select password from person_credentials where person_id = ?", one.id);
    const before = await stored();
    const connection = await engine.connect(dataDirectory);
    for (const statement of engine.refuseInserts("audit_log", "planted")) await connection.run(statement);
    const change = { currentPassword: testPassword, newPassword: "another long password" };
    expect((await visitor(one.cookie).auth("/change-password", change)).status).toBeGreaterThanOrEqual(500);
    expect((await one.call("putPerson", { body: { name: "Nobody" } })).status).toBeGreaterThanOrEqual(500);
    for (const statement of engine.allowInserts("audit_log")) await connection.run(statement);
    await connection.close();
    expect(await stored()).toEqual(before);
    expect((await one.call("getSession")).body.data.person.name).toBe(one.name);
  });

  test("tells whose account it is that its address was shown to be theirs", async () => {
    const { person, visitor, admin } = await startConsole({});
    const one = await person({ role: "owner" });
    await admin((transaction) =>
      transaction.run(sql`update people set email_verified = ${false} where id = ${one.id}`),
    );
    const token = await admin(async (transaction) => makePasswordToken(transaction, one.id, 60));
    await visitor().auth("/reset-password", { token, newPassword: "the owner's long password" });
    const browser = visitor();
    await browser.auth("/sign-in/email", { email: one.email, password: "the owner's long password" });
    expect((await actions(browser)).sort()).toEqual(["account.verify", "password.reset", "session.create"]);
  });

  test("of all accounts is the operator's to read: also how they came to be, and what commands did to them", async () => {
    const { person, visitor, dataDirectory, workspace, clock } = await startConsole({});
    const operator = await person({ isOperator: true });
    const owner = await person({ role: "owner", email: "owner@example.com" });
    await owner.call("putPerson", { body: { name: "Renamed" } });
    const invited = await operator.call("postInvitation", {
      query: { workspaceId: workspace.id },
      body: { email: "new@example.com", role: "member" },
    });
    expect(invited.status).toBe(200);
    const token = new URL(invited.body.data.link).hash.slice(1);
    clock.advance(86_400);
    await visitor().call("postInvitationAcceptance", {
      body: { token, name: "New", password: "quite a long password" },
    });
    await runJson(["person", "create", "--email", owner.email], { COMMONPLACE_DATA_DIRECTORY: dataDirectory });
    const read = async (query: Record<string, string>) =>
      (await operator.call("getInstanceAuditLog", { query })).body.data.map(
        ({ action, target_id }: { action: string; target_id: string }) => [action, target_id === owner.id],
      );
    expect((await read({})).sort()).toEqual([
      ["account.create", false],
      ["account.rename", true],
      ["member.password_link", true],
      ["session.create", false],
    ]);
    expect((await read({ account: "OWNER@example.com" })).sort()).toEqual([
      ["account.rename", true],
      ["member.password_link", true],
    ]);
    expect(await read({ actorKind: "command" })).toEqual([["member.password_link", true]]);
    expect(await read({ actorKind: "command", account: "new@example.com" })).toEqual([]);
    expect((await operator.call("getInstanceAuditLog", { query: { actorKind: "x" } })).status).toBe(400);
    const exported = await operator.call("getInstanceAuditLogExport", { query: { actorKind: "command" } });
    expect(
      exported.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).action),
    ).toEqual(["member.password_link"]);
    expect(await read({ account: "nobody@example.com" })).toEqual([]);
    expect(await read({ action: "account.r" })).toEqual([["account.rename", true]]);
    expect(await read({ to: "2026-03-15", from: "2026-03-15" })).toEqual([["account.rename", true]]);
    expect((await actions(owner)).sort()).toEqual(["account.rename", "member.password_link"]);
  });
});

/** A device's response to a registration: without attestation, with user verification. */
async function registerPasskey(browser: ReturnType<StartedConsole["visitor"]>, origin: string, name: string) {
  const { body: options } = await browser.auth("/passkey/generate-register-options", { password: testPassword });
  const about = { type: "webauthn.create", challenge: options.challenge, origin };
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = Buffer.from(crypto.randomUUID());
  const authenticatorData = Buffer.concat([
    createHash("sha256").update("localhost").digest(),
    // Present, verified and with a key; the counter; no model; how long its id is.
    Buffer.from(["45", "00000000", "00".repeat(16), id.length.toString(16).padStart(4, "0")].join(""), "hex"),
    id,
    // COSE: an elliptic key, ES256, P-256, and the point.
    ...[Buffer.from("a5010203262001215820", "hex"), Buffer.from(x, "base64url")],
    ...[Buffer.from("225820", "hex"), Buffer.from(y, "base64url")],
  ]);
  // CBOR: { fmt: "none", attStmt: {}, authData }.
  const head = `a363666d74646e6f6e656761747453746d74a068617574684461746158${authenticatorData.length.toString(16)}`;
  return browser.auth("/passkey/verify-registration", {
    name,
    response: {
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: Buffer.from(JSON.stringify(about)).toString("base64url"),
        attestationObject: Buffer.concat([Buffer.from(head, "hex"), authenticatorData]).toString("base64url"),
      },
    },
  });
}

test("people see the addresses from which they acted and from which strangers tried, not those of operators", async () => {
  const { person, visitor, rows } = await startConsole({});
  const operator = await person({ isOperator: true });
  const one = await person({ role: "owner" });
  await operator.call("deleteInstancePersonFactors", { query: { personId: one.id } });
  await visitor().auth("/sign-in/email", { email: one.email, password: "not the password" });
  await one.call("putPerson", { body: { name: "Renamed" } });
  const addresses = (entries: readonly { action: string; client_address: string | null }[]) =>
    Object.fromEntries(entries.map(({ action, client_address }) => [action, client_address]));
  const expected = { "account.rename": "127.0.0.1", "sign_in.refuse": "127.0.0.1", "second_factor.drop": null };
  expect(addresses((await one.call("getSecurityLog")).body.data)).toEqual(expected);
  const { tables } = (await one.call("getPersonExport")).body;
  expect(addresses(tables.audit_log)).toMatchObject(expected);
  const [stored] = await rows("select client_address from audit_log where action = 'second_factor.drop'");
  expect(stored).toEqual({ client_address: "127.0.0.1" });
});
