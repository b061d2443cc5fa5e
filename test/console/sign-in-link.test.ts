// The link that `serve --try` prints: it signs one person in, once, from the console's own page.
import { expect, test } from "bun:test";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { makeSignInToken } from "../../src/accounts/people/sign-in-links.ts";
import { changeAccount } from "../../src/accounts/people/stop-account.ts";
import { consoleLimits } from "../../src/contract/console/limits.ts";
import { commandActor } from "../../src/operations/commands/record.ts";
import { startConsole } from "../support/console.ts";

async function startWithLink() {
  const console = await startConsole({});
  const owner = await console.person({ role: "owner", name: "Grace Hopper" });
  const token = await console.admin(async (transaction) => makeSignInToken(transaction, owner.id));
  const open = (headers: Readonly<Record<string, string>> = {}, body: object = { token }) =>
    console.visitor().call("postSignInLink", { body, headers });
  return { ...console, owner, token, open };
}

test("signs in once: a second use gets 404, even if both come at the same time", async () => {
  const { visitor, open, token } = await startWithLink();
  const browsers = [visitor(), visitor()];
  const opened = await Promise.all(browsers.map((browser) => browser.call("postSignInLink", { body: { token } })));
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 404]);
  const sessions = await Promise.all(browsers.map((browser) => browser.call("getSession")));
  expect(sessions.map(({ status }) => status).sort()).toEqual([200, 401]);
  const signedIn = sessions.find(({ status }) => status === 200);
  expect(signedIn?.body.data.person.name).toBe("Grace Hopper");
  expect((await open()).body).toMatchObject({ error: "link_not_found" });
});

test("a page on another site cannot use it, and does not use it up", async () => {
  const { origin, open } = await startWithLink();
  const { port } = new URL(origin);
  // The last two are what a browser sends whose name for the attacker's host leads to this machine.
  for (const from of [
    "https://evil.example.com",
    "null",
    "",
    `https://evil.example.com:${port}`,
    `http://localhost:${port}`,
  ])
    expect([from, (await open({ Origin: from, Host: `evil.example.com:${port}` })).body.error]).toEqual([
      from,
      "other_origin",
    ]);
  expect((await open({ Origin: "https://evil.example.com", "Content-Type": "text/plain" })).status).toBe(403);
  expect((await open()).status).toBe(200);
});

test("expires", async () => {
  const { clock, open } = await startWithLink();
  clock.advance(consoleLimits.firstLinkMinutes * 60 + 1);
  expect((await open()).status).toBe(404);
});

test("is for nothing else, and no other link signs in", async () => {
  const { visitor, admin, owner, open, token } = await startWithLink();
  const other = await admin(async (transaction) => makePasswordToken(transaction, owner.id, 60));
  expect((await open({}, { token: other })).status).toBe(404);
  const reset = await visitor().auth("/reset-password", { newPassword: "another long password", token });
  expect(reset.status).toBe(400);
  expect((await open()).status).toBe(200);
});

test("does not sign in a person whose account was stopped", async () => {
  const { admin, owner, open } = await startWithLink();
  await admin((transaction) => changeAccount(transaction, "disable", owner.id, commandActor()));
  expect((await open()).status).toBe(404);
});
