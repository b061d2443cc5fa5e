// Attacks on the console and their outcomes. Each test is an attack that once worked or one that must
// never work.
import { describe, expect, spyOn, test } from "bun:test";
import * as OTPAuth from "otpauth";
import type { ConsoleOperationName } from "../../src/contract/console/operations.ts";
import { renderInvoice } from "../../src/metering/billing/invoice-pdf.ts";
import { csvLine } from "../../src/metering/usage/csv.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { insertLedgerCalls } from "../support/usage.ts";

const mail = { url: "smtp://localhost:1", from: "Commonplace <commonplace@example.com>" };
const cursorOf = (...place: string[]): string => Buffer.from(JSON.stringify(place)).toString("base64url");

describe("nobody stops the service or makes it fail", () => {
  test("by days at the end of all calendars: counting on from them never ended", async () => {
    const { person } = await startConsole();
    const owner = await person({ role: "owner" });
    const days = [{ to: "0000-01-05" }, { from: "0000-01-01" }, { to: "9999-12-31" }, { from: "9999-12-31" }];
    for (const query of days)
      for (const name of ["getUsage", "getLog", "getLogExport", "getAuditLog"] as const) {
        const { status, body } = await owner.call(name, { query });
        expect([name, query, status, body.error]).toEqual([name, query, 400, "invalid_request"]);
      }
    for (const query of [{ to: "1000-01-05" }, { from: "2999-12-01", to: "2999-12-31" }])
      expect((await owner.call("getUsage", { query })).status).toBe(200);
  });

  test("by cursors that name moments which no calendar has", async () => {
    const { person } = await startConsole();
    const owner = await person({ role: "owner" });
    const id = crypto.randomUUID();
    for (const at of ["0000-01-01T00:00:00.000Z", "2026-99-99T00:00:00.000Z", "2026-02-31T00:00:00.000Z"]) {
      const asked = [
        await owner.call("getPayments", { query: { cursor: cursorOf(at, id) } }),
        await owner.call("getAuditLog", { query: { cursor: cursorOf(at, id) } }),
        await owner.call("getLog", { query: { keyId: id, cursor: cursorOf(at, "1") } }),
      ];
      expect([at, ...asked.map(({ status }) => status)]).toEqual([at, 400, 400, 400]);
    }
  });

  test("by signs in an address that no database keeps; what is taken as one can sign in", async () => {
    const { person, visitor, stranger } = await startConsole({ config: { mail } });
    const owner = await person({ role: "owner" });
    for (const email of ["a\u0000b@example.com", "a\ud800b@example.com", "x@localhost", "jörg@example.com"]) {
      const invited = await owner.call("postInvitation", { body: { email, role: "member" } });
      const forgotten = await stranger("postPasswordReset", { body: { email } });
      expect([email, invited.status, forgotten.status]).toEqual([email, 400, 400]);
    }
    const { email } = await person({ email: "o'neil+console@mail.example.co.uk" });
    expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
  });

  test("by what the sign-in door passes on: signs that no database keeps, ids and passkeys that are none", async () => {
    // A separate service: these failures count for the network and must not slow down other tests.
    const { person, visitor, fetch, origin } = await startConsole({});
    const { cookie, email } = await person({ role: "owner" });
    const id = crypto.randomUUID();
    const deep = JSON.parse(`${"[".repeat(9)}${"]".repeat(9)}`);
    const response = { id: "x", rawId: "x", type: "public-key", response: {} };
    const bodies: [string, object][] = [
      ...["a\u0000b", "a\ud800b"].flatMap((text): [string, object][] => [
        ["/sign-in/email", { email: `${text}@example.com`, password: "x" }],
        ["/sign-in/email", { email, password: text }],
        ["/reset-password", { token: text, newPassword: "quite a long password" }],
        ["/two-factor/verify-totp", { code: text }],
        ["/two-factor/verify-backup-code", { code: text }],
        ["/passkey/update-passkey", { id, name: text }],
        ["/passkey/verify-authentication", { response: { ...response, id: text } }],
        ["/passkey/verify-authentication", { response: { ...response, [text]: "x" } }],
      ]),
      ["/sign-in/email", { email, password: deep }],
      ...["x", 7, {}, null].flatMap((none): [string, object][] => [
        ["/passkey/delete-passkey", { id: none, password: testPassword }],
        ["/passkey/update-passkey", { id: none, name: "x" }],
      ]),
      ...[null, "x", {}, { id: {}, response: {} }, { id: "x" }, { ...response, response: { transports: "x" } }].flatMap(
        (none): [string, object][] => [
          ["/passkey/verify-registration", { response: none }],
          ["/passkey/verify-authentication", { response: none }],
        ],
      ),
    ];
    for (const [path, body] of bodies) {
      const { status } = await visitor(cookie).auth(path, body);
      expect([path, JSON.stringify(body), status]).toEqual([path, JSON.stringify(body), 400]);
    }
    // Better Auth parses it up to that size: what it cannot parse is refused as well.
    for (const of of ["register", "authenticate"] as const) {
      const browser = visitor(cookie);
      const path = `/passkey/verify-${of === "register" ? "registration" : "authentication"}`;
      const sent = of === "register" ? { password: testPassword } : undefined;
      expect((await browser.auth(`/passkey/generate-${of}-options`, sent)).status).toBe(200);
      const { status } = await browser.auth(path, { response });
      expect([path, status < 500 && status >= 400]).toEqual([path, true]);
    }
    const headers = { Origin: origin, "Content-Type": "application/json" };
    const body = `{"email":${"[".repeat(30_000)}${"]".repeat(30_000)},"password":"x"}`;
    const { status } = await fetch(`${origin}/console/auth/sign-in/email`, { method: "POST", headers, body });
    expect(status).toBe(400);
  });

  test("by a long body of unknown length: no more of it is kept than may be sent", async () => {
    const { fetch, origin } = await startConsole();
    const body = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (let portion = 0; portion < 8; portion += 1) controller.enqueue(new Uint8Array(16 * 1024).fill(32));
          controller.close();
        },
      });
    const headers = { Origin: origin, "Content-Type": "application/json" };
    for (const path of ["api/password-reset", "auth/sign-in/email"]) {
      const { status } = await fetch(`${origin}/console/${path}`, { method: "POST", headers, body: body() });
      expect([path, status]).toEqual([path, 413]);
    }
  });

  test("by an invoice of a hundred packages: other calls are answered while it is set", async () => {
    const line = { units: 100_000, unit_price_microdollars: 100, amount_microdollars: 10_000_000 };
    const unpaid = { is_paid: false, paid_at: null, reference: null };
    /** How often other work ran between lines. */
    const seen: number[] = [];
    const lines = Array.from({ length: 100 }, () => ({
      ...{ ...line, ...unpaid },
      get description() {
        seen.push(turns);
        return "100K add-on package";
      },
    }));
    const amounts = { total_cents: 100_000, paid_cents: 0, due_cents: 100_000, paid_at: null };
    const about = { workspace_id: crypto.randomUUID(), workspace_name: "Eager", number: "INV-1", month: "2026-01" };
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    turn();
    const party = { name: "Eager", address: [], tax_id: null };
    const sides = { seller: { ...party, bank: [] }, billed_to: party, tax: null, net_cents: 1_000, tax_cents: 0 };
    await renderInvoice({ ...about, ...sides, issued_at: "2026-02-01T00:00:00.000Z", lines, ...amounts }, undefined);
    isDone = true;
    expect((seen.at(-1) ?? 0) - (seen.at(-100) ?? 0)).toBeGreaterThan(5);
  });

  test("by names of fields that JavaScript has for itself", async () => {
    const { person } = await startConsole();
    const owner = await person({ role: "owner" });
    for (const field of ["__proto__", "constructor", "toString"]) {
      const body = JSON.parse(`{"name":"New","${field}":{"role":"owner"}}`);
      const { status, body: answer } = await owner.call("putWorkspace", { body });
      expect([status, answer.message]).toEqual([400, `${field} is not a known field`]);
    }
    expect((await owner.call("getAuditLog", { query: { action: "%" } })).body.data).toEqual([]);
  });
});

describe("a session that was left open", () => {
  test("invites nobody and gives nobody a role without the password: a fresh account would be a way around it", async () => {
    const { person } = await startConsole();
    const owner = await person({ role: "owner", confirmedMinutesAgo: 16 });
    const { id: personId } = await person({ role: "member" });
    const invited = await owner.call("postInvitation", { body: { email: "accomplice@example.com", role: "owner" } });
    const raised = await owner.call("putMember", { query: { personId }, body: { role: "owner" } });
    for (const { status, body } of [invited, raised])
      expect([status, body.error]).toEqual([403, "confirmation_required"]);
  });

  test("is not confirmed by the word that stands for a password inside", async () => {
    const { person, visitor } = await startConsole();
    const { cookie } = await person({ role: "owner", confirmedMinutesAgo: 16 });
    const browser = visitor(cookie);
    const tried = await browser.auth("/two-factor/enable", { password: "confirmed" });
    expect([tried.status, tried.body.error]).toEqual([400, "invalid_password"]);
    for (const [password, error] of [
      ["confirmed", "invalid_password"],
      [undefined, "password_required"],
    ])
      expect((await browser.auth("/passkey/generate-register-options", { password })).body.error).toBe(error);
  });
});

describe("what is not theirs to see", () => {
  test("a private team shows in nobody's usage who can not see it", async () => {
    const { admin, person, workspace, team, otherTeam, key } = await startConsole();
    await admin(async (transaction) => {
      const call = { at: "2026-03-10T10:00:00.000Z", keyId: key.id, operation: "getTag", units: 1 };
      await insertLedgerCalls(transaction, workspace.id, [
        { ...call, teamId: team.id },
        { ...call, units: 5, teamId: otherTeam.id },
      ]);
    });
    const owner = await person({ role: "owner" });
    for (const teamId of [team.id, otherTeam.id])
      await owner.call("putTeam", { query: { teamId }, body: { visibility: "private" } });
    const member = await person({ role: "member", teams: { [team.id]: "viewer" } });
    const outsider = await person({ role: "member" });
    const parts = async (of: typeof owner) =>
      (await of.call("getUsage", { query: { by: "team" } })).body.data.parts.map(
        ({ id, units }: { id: string; units: number }) => [id, units],
      );
    expect(await parts(owner)).toEqual([
      [otherTeam.id, 5],
      [team.id, 1],
    ]);
    expect(await parts(member)).toEqual([
      ["private", 5],
      [team.id, 1],
    ]);
    const seen = await outsider.call("getUsage", { query: { by: "team" } });
    expect(seen.body.data.parts).toEqual([{ id: "private", name: "Other private teams", calls: 2, units: 6 }]);
    expect(seen.body.data.days.at(-6)).toEqual({ day: "2026-03-10", calls: 2, units: 6, units_by_part: [6] });
  });
});

test("of an owner who invites owners while being unmade, no such invitation is left", async () => {
  const { person, rows } = await startConsole();
  const owner = await person({ role: "owner" });
  const { id: personId, call } = await person({ role: "owner" });
  for (let round = 0; round < 8; round += 1) {
    const invite = (index: number) =>
      call("postInvitation", { body: { email: `x${round}-${index}@example.com`, role: "owner" } });
    await Promise.all([
      ...[1, 2, 3].map(invite),
      owner.call("putMember", { query: { personId }, body: { role: "member" } }),
      ...[4, 5, 6].map(invite),
    ]);
    const left = await rows("select email from invitations where invited_by = ? and revoked_at is null", personId);
    expect([round, left]).toEqual([round, []]);
    await owner.call("putMember", { query: { personId }, body: { role: "owner" } });
  }
});

describe("calls of other pages", () => {
  test("change nothing, however their origin is written", async () => {
    const { person, origin } = await startConsole();
    const owner = await person({ role: "owner" });
    const { hostname, port } = new URL(origin);
    const foreign = [
      "null",
      "",
      origin.toUpperCase(),
      `${origin}/`,
      `http://${hostname}:${port}`,
      `https://${hostname}`,
    ];
    for (const from of [...foreign, `https://x.${hostname}:${port}`, `${origin}.example.com`, `${origin},${origin}`]) {
      const { status, body } = await owner.call("putWorkspace", { body: { name: "Taken" }, headers: { Origin: from } });
      expect([from, status, body.error]).toEqual([from, 403, "other_origin"]);
    }
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "text/plain; application/json",
    ])
      expect([
        type,
        (await owner.call("putWorkspace", { body: { name: "Taken" }, headers: { "Content-Type": type } })).status,
      ]).toEqual([type, 400]);
    expect((await owner.call("getWorkspace")).body.data.name).toBe("Test workspace");
  });

  test("ask for nothing by HEAD, and by no method that the operation has not", async () => {
    const { person, fetch, origin, workspace } = await startConsole();
    const { cookie } = await person({ role: "owner" });
    for (const method of ["HEAD", "OPTIONS", "PATCH"]) {
      const url = `${origin}/console/api/workspace?workspaceId=${workspace.id}`;
      const { status, headers } = await fetch(url, { method, headers: { Cookie: cookie } });
      expect([method, status, headers.get("access-control-allow-origin")]).toEqual([method, 405, null]);
    }
  });
});

describe("signing in", () => {
  test("is switched on once by a code that is sent twice at the same moment, and leaves one session", async () => {
    const { person, visitor, rows } = await startConsole();
    const { cookie, id } = await person({ role: "owner" });
    const owner = visitor(cookie);
    const { body } = await owner.auth("/two-factor/enable", { password: testPassword });
    const code = (OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP).generate();
    const twice = await Promise.all([1, 2].map(() => owner.auth("/two-factor/verify-totp", { code })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 401]);
    const acts = await rows("select id from audit_log where target_id = ? and action = 'second_factor.enable'", id);
    expect(acts).toHaveLength(1);
    expect(await rows("select id from person_sessions where person_id = ?", id)).toHaveLength(1);
  });

  test("half-finished opens nothing, and of codes tried at the same moment five count", async () => {
    const { person, visitor } = await startConsole();
    const { cookie, email } = await person({ role: "owner" });
    const owner = visitor(cookie);
    const { body } = await owner.auth("/two-factor/enable", { password: testPassword });
    const app = OTPAuth.URI.parse(body.totpURI) as OTPAuth.TOTP;
    await owner.auth("/two-factor/verify-totp", { code: app.generate() });
    const thief = visitor();
    expect((await thief.auth("/sign-in/email", { email, password: testPassword })).body.twoFactorRedirect).toBe(true);
    const half: ConsoleOperationName[] = ["getSession", "getSessions", "getWorkspace", "getKeys"];
    for (const name of half) expect([name, (await thief.call(name)).status]).toEqual([name, 401]);
    expect((await thief.auth("/passkey/list-user-passkeys")).status).toBe(401);
    const tries = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        thief.auth("/two-factor/verify-totp", { code: String(index).padStart(6, "0") }),
      ),
    );
    expect(tries.filter((tried) => tried.body.error === "invalid_code").length).toBeLessThanOrEqual(5);
    expect(tries.every(({ status }) => status >= 400)).toBe(true);
  });

  test("addresses that the client makes up do not count: it has to wait like everybody", async () => {
    const { visitor, clock } = await startConsole({ pause: async () => {} });
    // Earlier failures no longer count.
    clock.advance(61);
    const verify = spyOn(Bun.password, "verify").mockResolvedValue(false);
    const guess = (index: number) =>
      visitor().auth(
        "/sign-in/email",
        { email: `guessed-${index}@example.com`, password: "wrong" },
        {
          "X-Forwarded-For": `10.0.0.${index}`,
          "X-Real-IP": `10.0.1.${index}`,
          "x-commonplace-client": `10.0.2.${index}`,
        },
      );
    for (let index = 0; index < 30; index += 1) expect((await guess(index)).status).toBe(401);
    expect((await guess(99)).status).toBe(429);
    verify.mockRestore();
    clock.advance(61);
  });
});

describe("a key", () => {
  test("that is rotated and deactivated at the same moment opens by neither secret, and a deleted one by none", async () => {
    const { person, call, team } = await startConsole();
    const owner = await person({ role: "owner" });
    const made = (await owner.call("postKey", { body: { name: "Deploy", teams: [team.id] } })).body.data;
    const query = { keyId: made.id };
    const [rotated, deactivated] = await Promise.all([
      owner.call("postKeyRotation", { query, body: { overlap: "7d" } }),
      owner.call("postKeyDeactivation", { query }),
    ]);
    expect([rotated.status, deactivated.status]).toEqual([200, 200]);
    const opens = async () =>
      Promise.all(
        [made.secret, rotated.body.data.secret].map(
          async (key) => (await call("GET", "/tags", { key, query: { ids: crypto.randomUUID() } })).status,
        ),
      );
    expect(await opens()).toEqual([401, 401]);
    expect((await owner.call("deleteKey", { query })).status).toBe(200);
    expect((await owner.call("postKeyActivation", { query })).status).toBe(404);
    expect(await opens()).toEqual([401, 401]);
  });
});

describe("what people write", () => {
  test("with a misspelled field is refused with the name that was probably meant", async () => {
    const { person } = await startConsole();
    const { status, body } = await (await person({ role: "owner" })).call("putWorkspace", { body: { nmae: "New" } });
    expect([status, body.message]).toEqual([400, "nmae is not a known field. Did you mean name?"]);
  });

  test("makes no headers of a mail, and no lines that could pass for ours", async () => {
    const { person, rows, admin } = await startConsole({ config: { mail } });
    const name = "Ours\r\nBcc: all@example.com\r\n\r\nClick \u202ehere";
    const owner = await person({ role: "owner", name });
    // The console refuses such a name. One that came in another way harms nobody either.
    expect((await owner.call("putWorkspace", { body: { name } })).status).toBe(400);
    await admin(async (transaction) => transaction.send(sql`update workspaces set name = ${name}`));
    await owner.call("postInvitation", { body: { email: "new@example.com", role: "member" } });
    const [sent] = await rows<{ subject: string; body: string }>("select subject, body from mails");
    expect(sent?.subject).toBe(
      "Invitation to Commonplace: Ours Bcc: all@example.com Click here invited you to “Ours Bcc: all@example.com Click here”",
    );
    expect(sent?.body.split("\n")[2]).toStartWith("Ours Bcc: all@example.com Click here (");
  });

  test("is no formula in a spreadsheet, in signs of full width neither", () => {
    for (const sign of "=+-@＝＋－＠") expect(csvLine([`${sign}1+1`])).toBe(`"'${sign}1+1"\r\n`);
  });
});
