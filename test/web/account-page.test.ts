// A person's own account in a real browser: name, password, second step, passkeys, sessions and access tokens.

import { expect, setDefaultTimeout } from "bun:test";
import { URI } from "otpauth";
import { sql } from "../../src/platform/database/sql.ts";
import {
  axe,
  browserMilliseconds,
  copiedBy,
  eventually,
  findPageProblems,
  signIn,
  unexpected,
  visit,
  waitForFocus,
  widths,
} from "../support/browser.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

const path = "/console/account";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

test("a token is made after the password was given again, and shown once", async () => {
  const { origin, person, bearer } = await startConsole();
  const one = await person({ role: "owner", confirmedMinutesAgo: 30 });
  const { page, leave, complaints } = await visit({ origin, path, cookie: one.cookie });
  const opener = page.getByRole("button", { name: "Create token" });
  await opener.click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Nightly report");
  await page.getByRole("button", { name: "Create access token" }).click();
  const asking = page.getByRole("dialog", { name: "Confirm it’s you" });
  await asking.waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await asking.waitFor({ state: "hidden" });
  expect((await one.call("getTokens")).body.data).toEqual([]);
  await page.getByRole("button", { name: "Create access token" }).click();
  await asking.getByLabel("Your password", { exact: true }).fill("wrong");
  await page.keyboard.press("Enter");
  await asking.getByRole("alert").getByText("Incorrect password").waitFor();
  await asking.getByLabel("Your password", { exact: true }).fill(testPassword);
  await page.keyboard.press("Enter");
  const made = page.getByRole("dialog", { name: "Save your access token" });
  await made.waitFor();
  expect(await axe(page)).toEqual([]);
  const secret = (await made.locator("pre").first().innerText()).trim();
  expect((await bearer(secret, "getWorkspace")).status).toBe(200);
  // Only its own button closes it.
  await page.keyboard.press("Escape");
  expect(await copiedBy(made.getByRole("figure").first().getByRole("button"))).toBe(secret);
  await made.getByRole("button", { name: "I’ve saved my token" }).click();
  await made.waitFor({ state: "hidden" });
  expect(await page.content()).not.toContain(secret);
  await waitForFocus(opener);
  const actions = page.getByRole("button", { name: "Actions for Nightly report" });
  await actions.click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await waitForFocus(actions);
  await actions.click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
  await page.getByText("Access token revoked").waitFor();
  expect((await bearer(secret, "getWorkspace")).status).toBe(401);
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});

test("a second step is set up with an app, asked for at sign-in, and replaced by a recovery code", async () => {
  const { origin, person } = await startConsole();
  const one = await person({ role: "owner" });
  const { page, leave, complaints } = await visit({ origin, path, cookie: one.cookie });
  await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
  await page.getByRole("dialog").getByLabel("Current password", { exact: true }).fill(testPassword);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/two-factor/enable")),
    page.keyboard.press("Enter"),
  ]);
  const { totpURI } = (await answer.json()) as { totpURI: string };
  await page.getByRole("img", { name: /QR code/ }).waitFor();
  expect(await axe(page)).toEqual([]);
  const app = URI.parse(totpURI);
  if (!("period" in app)) throw new Error("the app must show codes that depend on the time");
  await eventually(() => page.getByText(app.secret.base32).count(), 1);
  await page.getByLabel("Authentication code").fill(app.generate());
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Save your recovery codes" });
  await codes.waitFor();
  expect(await axe(page)).toEqual([]);
  const [recovery] = await codes.getByRole("listitem").allInnerTexts();
  expect(await codes.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
  await codes.getByLabel(/I’ve saved my codes/).check();
  await codes.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Turn off" }).waitFor();
  expect(unexpected(complaints)).toEqual([]);
  await leave();

  const later = await visit({ origin, path: "/console/sign-in" });
  await signIn(later.page, one.email, testPassword);
  const code = later.page.getByLabel("Authentication code");
  await waitForFocus(code);
  expect(await axe(later.page)).toEqual([]);
  await code.fill(app.generate() === "000000" ? "000001" : "000000");
  await later.page.keyboard.press("Enter");
  await later.page.getByRole("alert").getByText("That code is incorrect").waitFor();
  await later.page.getByRole("button", { name: "Use a recovery code" }).click();
  await later.page.getByLabel("Recovery code").fill(recovery ?? "");
  await later.page.keyboard.press("Enter");
  await later.page.getByRole("navigation", { name: "Pages" }).waitFor();
  await later.leave();
});

test("a passkey is added, opens a workspace that requires a second factor and the account, and is removed", async () => {
  const { origin, person, admin, workspace } = await startConsole();
  const one = await person({ role: "owner" });
  await admin((transaction) =>
    transaction.run(sql`update workspaces set sign_in_policy = 'second_factor' where id = ${workspace.id}`),
  );
  const closed = { origin, path: `/console/w/${workspace.id}/members`, cookie: one.cookie };
  const { page, context, complaints } = await visit(closed);
  await page.getByText("This workspace requires two-factor authentication").waitFor();
  await page.getByRole("link", { name: "Go to your account" }).click();
  const tools = await context.newCDPSession(page);
  await tools.send("WebAuthn.enable");
  await tools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Work laptop");
  await page.getByRole("dialog").getByLabel("Current password", { exact: true }).fill(testPassword);
  await page.keyboard.press("Enter");
  await page.getByText("Passkey added").waitFor();
  await page.getByRole("rowheader", { name: "Work laptop" }).waitFor();
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  await page.getByRole("button", { name: "Actions for Work laptop" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByLabel("Current password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("No passkeys yet").waitFor();
  expect(unexpected(complaints)).toEqual([]);
  await context.close();
});

/** A person who is signed in on the page and with these other browsers. */
async function signedInElsewhere(started: StartedConsole, ...agents: string[]) {
  const one = await started.person({ role: "owner" });
  const others = agents.map(() => started.visitor());
  for (const [index, agent] of agents.entries()) {
    const attempt = { email: one.email, password: testPassword };
    await others[index]?.auth("/sign-in/email", attempt, { "User-Agent": agent });
  }
  const statuses = () => Promise.all(others.map(async (other) => (await other.call("getSession")).status));
  const opened = await visit({ origin: started.origin, path, cookie: one.cookie });
  const sessions = opened.page.getByRole("table", { name: "Your sessions" });
  return { ...opened, one, statuses, sessions };
}

test("sessions are told apart and end", async () => {
  const { page, leave, statuses } = await signedInElsewhere(await startConsole(), firefox);
  expect(await statuses()).toEqual([200]);
  await page.getByRole("button", { name: "Sign out Firefox on Linux" }).click();
  await page.getByText("Session ended").waitFor();
  expect(await statuses()).toEqual([401]);
  await leave();
});

test("all other sessions end at once, after one was asked; this one goes on", async () => {
  const { page, leave, complaints, sessions, statuses } = await signedInElsewhere(
    await startConsole(),
    ...[firefox, "curl/8.14.1"],
  );
  const rows = sessions.getByRole("rowheader");
  const opener = page.getByRole("button", { name: "Sign out other sessions" });
  await eventually(() => rows.count(), 3);
  await opener.click();
  const asking = page.getByRole("dialog", { name: "Sign out all other sessions?" });
  await asking.waitFor();
  expect(await findPageProblems(page, widths)).toEqual([]);
  await asking.getByRole("button", { name: "Cancel" }).click();
  await asking.waitFor({ state: "detached" });
  await waitForFocus(opener);
  expect(await statuses()).toEqual([200, 200]);
  await opener.click();
  await asking.getByRole("button", { name: "Sign out other sessions" }).click();
  await page.getByText("2 sessions signed out").waitFor();
  expect(await statuses()).toEqual([401, 401]);
  await eventually(() => rows.count(), 1);
  await rows.getByText("This session").waitFor();
  await opener.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Account" }).waitFor();
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});

test("a name is changed, and the menu shows it at once", async () => {
  const { origin, person } = await startConsole();
  const one = await person({ role: "owner", name: "Ada Lovelace" });
  const { page, leave, complaints } = await visit({ origin, path, cookie: one.cookie });
  const name = page.getByLabel("Your name");
  const save = page.getByRole("button", { name: "Save name" });
  await eventually(() => save.isDisabled(), true);
  await name.fill("  ");
  await eventually(() => save.isDisabled(), true);
  await name.fill("Ada, Countess of Lovelace");
  await page.keyboard.press("Enter");
  await page.getByText("Name changed").waitFor();
  await page.getByRole("button", { name: "Account menu: Ada, Countess of Lovelace" }).waitFor();
  await eventually(() => save.isDisabled(), true);
  expect(await findPageProblems(page, widths)).toEqual([]);
  expect((await one.call("getSession")).body.data.person.name).toBe("Ada, Countess of Lovelace");
  expect(complaints).toEqual([]);
  await leave();
});

test("a password is changed by who knows the one before, and all other sessions end with it", async () => {
  const { page, leave, complaints, one, statuses } = await signedInElsewhere(await startConsole(), firefox);
  const next = "a quite different sentence";
  const change = async (current: string) => {
    await page.getByLabel("Current password", { exact: true }).fill(current);
    await page.getByLabel("New password", { exact: true }).fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
  };
  await change("not the password");
  await page.getByRole("alert").getByText("Incorrect password. Try again.").waitFor();
  expect(await findPageProblems(page, widths)).toEqual([]);
  expect(await statuses()).toEqual([200]);
  await change(testPassword);
  await page.getByText("Password changed. Your other sessions were signed out.").waitFor();
  await eventually(() => page.getByLabel("Current password", { exact: true }).inputValue(), "");
  await eventually(() => page.getByLabel("New password", { exact: true }).inputValue(), "");
  expect(await statuses()).toEqual([401]);

  // The session that changed it stays signed in; elsewhere the new password is needed.
  await page.reload();
  await page.getByRole("heading", { name: "Account" }).waitFor();
  await page.getByRole("button", { name: /Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await signIn(page, one.email, testPassword);
  await page.getByRole("alert").getByText("Incorrect email address or password").waitFor();
  await signIn(page, one.email, next);
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});
