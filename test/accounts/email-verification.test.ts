// People verify the address of their own account by an emailed link, and can add a second factor from then on.
import { expect, test } from "bun:test";
import { sql } from "../../src/platform/database/sql.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { startConsole, testPassword } from "../support/console.ts";

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };

/** No background job runs: queued mail stays where the test finds it. */
const still: Wait = (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end()));

test("an emailed link verifies the address once, before it expires, and only for the account that requested it", async () => {
  const { person, visitor, admin, rows, clock, origin } = await startConsole({ config: { mail }, wait: still });
  const [owner, other] = [await person({ role: "owner" }), await person({ role: "member" })];
  const setUnverified = ({ id }: { id: string }) =>
    admin((transaction) => transaction.run(sql`update people set email_verified = ${false} where id = ${id}`));
  for (const each of [owner, other]) await setUnverified(each);
  const enroll = () => visitor(owner.cookie).auth("/two-factor/enable", { password: testPassword });
  const refused = await enroll();
  expect([refused.status, refused.body.error]).toEqual([403, "email_unverified"]);
  expect((await owner.call("getSession")).body.data.person.needs_verification).toBe(true);

  const request = async () => {
    expect((await owner.call("postEmailVerification")).status).toBe(200);
    const mails = await rows<{ recipient: string; subject: string; body: string }>("select * from mails order by id");
    const newest = mails.at(-1);
    return { ...newest, token: /\/console\/verify#([\w-]{32})/.exec(newest?.body ?? "")?.[1] ?? "" };
  };
  const verify = async (token: string, { call } = owner) => {
    const { status, body } = await call("putEmailVerification", { body: { token } });
    return [status, body.error];
  };
  const late = await request();
  clock.advance(60 * 60 + 1);
  expect(await verify(late.token)).toEqual([404, "link_not_found"]);
  const { token, recipient, subject, body } = await request();
  expect([recipient, subject]).toEqual([owner.email, "Verify your email address for Commonplace"]);
  expect(body).toBe(`Hello,

Verify that this email address belongs to your Commonplace account:
${origin}/console/verify#${token}

The link works once and expires in 60 minutes. You must be signed in to the account that requested it.

If you did not request this, you can ignore this email. The address stays unverified.
`);
  expect(JSON.stringify(await rows("select * from person_verifications"))).not.toContain(token);
  expect(await verify(token, other)).toEqual([404, "link_not_found"]);
  const asPasswordLink = await visitor().auth("/reset-password", { token, newPassword: "a new password, and long" });
  expect(asPasswordLink.status).toBe(400);
  expect(await verify(token)).toEqual([200, undefined]);
  expect(await verify(token)).toEqual([404, "link_not_found"]);
  expect((await owner.call("getSession")).body.data.person.needs_verification).toBe(false);
  expect((await other.call("getSession")).body.data.person.needs_verification).toBe(true);
  const log = await owner.call("getSecurityLog");
  expect(log.body.data.filter(({ action }: { action: string }) => action === "account.verify")).toHaveLength(1);
  expect((await enroll()).status).toBe(200);

  const again = await owner.call("postEmailVerification");
  expect([again.status, again.body.error]).toEqual([409, "email_verified"]);
  const statuses: number[] = [];
  for (let index = 0; index < 4; index += 1) statuses.push((await other.call("postEmailVerification")).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test("where the service sends no email, the refusal says so, and an unverified address prevents nothing", async () => {
  const { person, visitor, admin } = await startConsole();
  const { id, call, cookie } = await person({ role: "owner" });
  await admin((transaction) => transaction.run(sql`update people set email_verified = ${false} where id = ${id}`));
  expect((await call("getSession")).body.data.person.needs_verification).toBe(false);
  const { status, body } = await call("postEmailVerification");
  expect([status, body.error, body.message]).toEqual([
    409,
    "no_email",
    "This service does not send email, so it cannot verify your address. Ask the operator to set up email",
  ]);
  expect((await visitor(cookie).auth("/two-factor/enable", { password: testPassword })).status).toBe(200);
});
