// The console's pages in a real browser: signing in, the shell around every page, and one's own account.
import { afterAll, describe, expect } from "bun:test";
import { URI } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { makeFirstLink } from "../src/people/first-administrator.ts";
import { makePasswordToken } from "../src/people/password-links.ts";
import { axe, browserMilliseconds, overflow, startBrowser, visit } from "./support/browser.ts";
import { startConsole, testPassword } from "./support/console.ts";
import { beforePages, pageTest as test } from "./support/pages.ts";

let browser: Browser;
beforePages(async () => {
  browser = await startBrowser();
}, browserMilliseconds);
afterAll(() => browser?.close(), browserMilliseconds);

const look = (name: string, work: () => Promise<void>) => test(name, work, browserMilliseconds);
/** A refusal that a test provokes stands on the browser's console as well. */
const unexpected = (complaints: readonly string[]) =>
  complaints.filter((complaint) => !/Failed to load resource.*status of 40[0-9]/.test(complaint));
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

async function signIn(page: Page, email: string, password = testPassword): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

describe("every page of the base", () => {
  for (const theme of ["light", "dark"] as const)
    for (const width of [1280, 390])
      look(`is accessible, fits and keeps to the policy: ${theme}, ${width} pixels wide`, async () => {
        const { origin, person, workspace } = await startConsole();
        const owner = await person({
          role: "owner",
          isOperator: true,
          name: "Ada King, Countess of Lovelace ".repeat(3),
        });
        const invited = await owner.call("postInvitation", { body: { email: "new@example.com", role: "member" } });
        const { pathname, hash } = new URL(invited.body.data.link);
        const pages = [
          { path: "/console/sign-in?ended", cookie: undefined },
          { path: `${pathname}${hash}`, cookie: undefined },
          { path: "/console/password#0123456789", cookie: undefined },
          { path: "/console/account", cookie: owner.cookie },
          { path: "/console/nothing/here", cookie: owner.cookie },
          { path: `/console/w/${workspace.id}/nothing`, cookie: owner.cookie },
        ];
        for (const { path, cookie } of pages) {
          const { page, context, complaints } = await visit(browser, {
            ...{ origin, path, theme, width },
            ...(cookie !== undefined && { cookie }),
          });
          await page.waitForLoadState("networkidle");
          expect({ path, found: await axe(page) }).toEqual({ path, found: [] });
          expect({ path, overflow: await overflow(page) }).toEqual({ path, overflow: 0 });
          expect({ path, complaints }).toEqual({ path, complaints: [] });
          expect(await page.title()).toEndWith("· Commonplace");
          await context.close();
        }
      });
});

describe("signing in", () => {
  look("leads to where one wanted to go; a wrong password says so and nothing more", async () => {
    const { origin, person, workspace } = await startConsole();
    const one = await person({ role: "owner" });
    const path = `/console/w/${workspace.id}/members?search=ada`;
    const { page, context, complaints } = await visit(browser, { origin, path });
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, one.email, "not the password");
    await page.getByRole("alert").getByText("The e-mail address or the password is not right").waitFor();
    await signIn(page, one.email);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    expect(page.url()).toBe(origin + path);
    expect(unexpected(complaints)).toEqual([]);
    await context.close();
  });

  for (const next of [
    "//example.com/",
    "/\\example.com",
    "https://example.com",
    "/../docs",
    "/sign-in",
    "javascript:alert(1)",
  ])
    look(`never leads out of the console: ${next}`, async () => {
      const { origin, person } = await startConsole();
      const one = await person({ role: "owner" });
      const path = `/console/sign-in?${new URLSearchParams({ next })}`;
      const { page, context } = await visit(browser, { origin, path });
      await signIn(page, one.email);
      await page.getByRole("navigation", { name: "Pages" }).or(page.getByText("Page not found")).first().waitFor();
      expect(page.url()).toStartWith(`${origin}/console/`);
      await context.close();
    });

  look("a session that was ended elsewhere leads back to the page after signing in again", async () => {
    const { origin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const { page, context } = await visit(browser, { origin, path: "/console/account", cookie: one.cookie });
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await one.call("deleteSession", { query: { id: one.sessionId } });
    await page.getByLabel("Your name").fill("Somebody else");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByText("Your session has ended").waitFor();
    await signIn(page, one.email);
    await page.getByRole("heading", { name: "Account" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/account");
    expect(await page.getByLabel("Your name").inputValue()).toBe(one.name);
    await context.close();
  });

  look("signing out leaves nothing behind, also with the way back of the browser", async () => {
    const { origin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const { page, context } = await visit(browser, { origin, path: "/console/account", cookie: one.cookie });
    await page.getByRole("button", { name: /Your menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByText(one.email).count()).toBe(0);
    await context.close();
  });
});

describe("an invitation", () => {
  look("makes an account and leads into the workspace; its token leaves the address bar", async () => {
    const { origin, person, workspace } = await startConsole();
    const owner = await person({ role: "owner" });
    const email = `${crypto.randomUUID()}@example.com`;
    const { body } = await owner.call("postInvitation", { body: { email, role: "member" } });
    const { pathname, hash } = new URL(body.data.link);
    const { page, context, complaints } = await visit(browser, { origin, path: pathname + hash });
    await page.getByRole("heading", { name: /^Join / }).waitFor();
    expect(page.url()).toBe(origin + pathname);
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
    await page.getByLabel("Your name").fill("Grace Hopper");
    await page.getByLabel("Password", { exact: true }).fill("a ship in port is safe");
    await page.getByRole("button", { name: "Join" }).click();
    await page.waitForURL(`${origin}/console/w/${workspace.id}/overview`);
    await page.getByRole("button", { name: /Your menu: Grace Hopper/ }).waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await context.close();

    const again = await visit(browser, { origin, path: pathname + hash });
    await again.page.getByRole("heading", { name: "This invitation is no longer open" }).waitFor();
    await again.context.close();
  });

  look("for somebody with an account is accepted after signing in", async () => {
    const { origin, person, workspace } = await startConsole();
    const owner = await person({ role: "owner" });
    const known = await person({ name: "Grace Hopper" });
    const { body } = await owner.call("postInvitation", { body: { email: known.email, role: "member" } });
    const { pathname, hash } = new URL(body.data.link);
    const { page, context } = await visit(browser, { origin, path: pathname + hash });
    await page.getByText("There is an account with your address already").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(testPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.waitForURL(`${origin}/console/w/${workspace.id}/overview`);
    await context.close();
  });
});

describe("a link", () => {
  look("of the first start makes the first administrator", async () => {
    const { origin, admin, workspace } = await startConsole({});
    const token = await admin((transaction) => makeFirstLink(transaction));
    const { page, context, complaints } = await visit(browser, { origin, path: `/console/invitation#${token}` });
    await page.getByRole("heading", { name: "Welcome to Commonplace" }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("Password", { exact: true }).fill("too short");
    await page.keyboard.press("Enter");
    await page.getByLabel("Password", { exact: true }).fill(testPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/console/w/${workspace.id}/overview`);
    await page.getByRole("link", { name: "Workspaces" }).waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await context.close();
  });

  look("to a new password works once", async () => {
    const { origin, admin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const token = await admin(async (transaction) => makePasswordToken(transaction, one.id, 60));
    const { page, context } = await visit(browser, { origin, path: `/console/password#${token}` });
    expect(page.url()).toBe(`${origin}/console/password`);
    await page.getByLabel("New password", { exact: true }).fill("a quite different sentence");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, one.email, "a quite different sentence");
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    expect((await one.call("getSession")).status).toBe(401);
    await context.close();

    const again = await visit(browser, { origin, path: `/console/password#${token}` });
    await again.page.getByLabel("New password", { exact: true }).fill("yet another sentence");
    await again.page.keyboard.press("Enter");
    await again.page.getByRole("alert").getByText("This link was used already, or its time is over").waitFor();
    await again.context.close();
  });
});

describe("the shell", () => {
  look("shows the pages that one's role opens, and says so of the others", async () => {
    const { origin, person, workspace } = await startConsole();
    const member = await person({ role: "member" });
    const { page, context } = await visit(browser, {
      ...{ origin, path: `/console/w/${workspace.id}/audit`, cookie: member.cookie },
    });
    await page.getByRole("heading", { name: "Not open to you" }).waitFor();
    const entries = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts();
    expect(entries).toEqual(["Overview", "Usage", "Members", "Teams"]);
    await context.close();
  });

  look("another's workspace is not there; the operator opens every one", async () => {
    const { origin, person, workspace } = await startConsole();
    const path = `/console/w/${workspace.id}/members`;
    const stranger = await visit(browser, { origin, path, cookie: (await person()).cookie });
    await stranger.page.getByRole("heading", { name: "Page not found" }).waitFor();
    await stranger.context.close();
    const operator = await visit(browser, { origin, path, cookie: (await person({ isOperator: true })).cookie });
    await operator.page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    await operator.context.close();
  });

  look("of many workspaces one is found by its name, and the same page is opened there", async () => {
    const { origin, person, workspace } = await startConsole();
    const one = await person({ role: "owner", isOperator: true });
    const names = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta"];
    const made = [];
    for (const name of names) made.push(await one.call("postWorkspace", { body: { name, teamName: "First" } }));
    const { page, context, complaints } = await visit(browser, {
      ...{ origin, path: `/console/w/${workspace.id}/members`, cookie: one.cookie },
    });
    await page.getByRole("button", { name: "Workspace: Test workspace" }).click();
    const found = page.getByRole("dialog", { name: "Open a workspace" });
    await found.getByLabel("Name").fill("ETA");
    await found.getByText("4 of 9.").waitFor();
    expect(await axe(page)).toEqual([]);
    await found.getByLabel("Name").fill("epsi");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/console/w/${made[4]?.body.data.id}/members`);
    await page.getByRole("button", { name: "Workspace: Epsilon" }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  look("who is in no workspace is told so", async () => {
    const { origin, person } = await startConsole();
    const { page, context } = await visit(browser, { origin, path: "/console", cookie: (await person()).cookie });
    await page.getByText("You are not in a workspace yet").waitFor();
    expect(await axe(page)).toEqual([]);
    await context.close();
  });

  look("the skip link leads to the content, and another page begins there", async () => {
    const { origin, person } = await startConsole();
    const { page, context } = await visit(browser, {
      ...{ origin, path: "/console/account", cookie: (await person({ role: "owner" })).cookie },
    });
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Teams" }).press("Enter");
    await page.getByRole("heading", { name: "Teams", level: 1 }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    expect(await page.title()).toBe("Teams · Commonplace");
    await context.close();
  });

  look("on a phone the menu opens, closes and gives the focus back; a page chosen there is gone to", async () => {
    const { origin, person } = await startConsole();
    const { page, context, complaints } = await visit(browser, {
      ...{ origin, path: "/console/account", cookie: (await person({ role: "owner" })).cookie, width: 390 },
    });
    const opener = page.getByRole("button", { name: "Menu", exact: true });
    await opener.press("Enter");
    const menu = page.getByRole("dialog", { name: "Menu" });
    await menu.waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await opener.click();
    await menu.getByRole("link", { name: "Members" }).click();
    await menu.waitFor({ state: "hidden" });
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  look("the theme follows the system until it is chosen, and the choice is kept", async () => {
    const { origin, person } = await startConsole();
    const { page, context, complaints } = await visit(browser, {
      ...{ origin, path: "/console/account", cookie: (await person({ role: "owner" })).cookie, theme: "dark" },
    });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await theme()).toBe("dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    const opener = page.getByRole("button", { name: /Your menu/ });
    await opener.press("Enter");
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    expect(await theme()).toBe("dark");
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "hidden" });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.reload();
    await page.locator("h1").waitFor();
    expect(await theme()).toBe("dark");
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("the account", () => {
  look("a token is made after the password was given again, and shown once", async () => {
    const { origin, person, bearer } = await startConsole();
    const one = await person({ role: "owner", confirmedMinutesAgo: 30 });
    const { page, context, complaints } = await visit(browser, {
      ...{ origin, path: "/console/account", cookie: one.cookie },
    });
    const opener = page.getByRole("button", { name: "Make a token" });
    await opener.click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Nightly report");
    await page.getByRole("button", { name: "Make token" }).click();
    const asking = page.getByRole("dialog", { name: "Confirm that it is you" });
    await asking.waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await asking.waitFor({ state: "hidden" });
    expect((await one.call("getTokens")).body.data).toEqual([]);
    await page.getByRole("button", { name: "Make token" }).click();
    await asking.getByLabel("Your password", { exact: true }).fill("wrong");
    await page.keyboard.press("Enter");
    await asking.getByRole("alert").getByText("The password is not right").waitFor();
    await asking.getByLabel("Your password", { exact: true }).fill(testPassword);
    await page.keyboard.press("Enter");
    const made = page.getByRole("dialog", { name: "Keep the token now" });
    await made.waitFor();
    expect(await axe(page)).toEqual([]);
    const secret = (await made.locator("pre").first().innerText()).trim();
    expect((await bearer(secret, "getWorkspace")).status).toBe(200);
    // It closes by its own button only.
    await page.keyboard.press("Escape");
    await made.getByRole("button", { name: "Copy" }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await made.getByRole("button", { name: "I have kept it" }).click();
    await made.waitFor({ state: "hidden" });
    expect(await page.content()).not.toContain(secret);
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    const actions = page.getByRole("button", { name: "Actions for Nightly report" });
    await actions.click();
    await page.getByRole("menuitem", { name: "End token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await actions.evaluate((button) => button === document.activeElement)).toBe(true);
    await actions.click();
    await page.getByRole("menuitem", { name: "End token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End token" }).click();
    await page.getByText("Access token ended").waitFor();
    expect((await bearer(secret, "getWorkspace")).status).toBe(401);
    expect(unexpected(complaints)).toEqual([]);
    await context.close();
  });

  look("a second step is set up with an app, asked for at sign-in, and replaced by a recovery code", async () => {
    const { origin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const { page, context, complaints } = await visit(browser, {
      ...{ origin, path: "/console/account", cookie: one.cookie },
    });
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/two-factor/enable")),
      page.getByRole("button", { name: "Set up the second step" }).click(),
    ]);
    const { totpURI } = (await answer.json()) as { totpURI: string };
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    const app = URI.parse(totpURI);
    if (!("period" in app)) throw new Error("the app must show codes that depend on the time");
    expect(await page.getByText(app.secret.base32).count()).toBe(1);
    await page.getByLabel("Code of your app").fill(app.generate());
    await page.keyboard.press("Enter");
    const codes = page.getByRole("dialog", { name: "Keep your recovery codes" });
    await codes.waitFor();
    expect(await axe(page)).toEqual([]);
    const [recovery] = await codes.getByRole("listitem").allInnerTexts();
    expect(await codes.getByRole("button", { name: "Done" }).isDisabled()).toBe(true);
    await codes.getByLabel(/I have kept them/).check();
    await codes.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Switch off" }).waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await context.close();

    const later = await visit(browser, { origin, path: "/console/sign-in" });
    await signIn(later.page, one.email);
    const code = later.page.getByLabel("Code of your app");
    await code.waitFor();
    expect(await code.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await axe(later.page)).toEqual([]);
    await code.fill("000000");
    await later.page.keyboard.press("Enter");
    await later.page.getByRole("alert").getByText("This code is not right").waitFor();
    await later.page.getByRole("button", { name: "Use a recovery code" }).click();
    await later.page.getByLabel("Recovery code").fill(recovery ?? "");
    await later.page.keyboard.press("Enter");
    await later.page.getByRole("navigation", { name: "Pages" }).waitFor();
    await later.context.close();
  });

  look("a passkey is added, opens the account, and is removed", async () => {
    const { origin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const { page, context, complaints } = await visit(browser, {
      ...{ origin, path: "/console/account", cookie: one.cookie },
    });
    const tools = await context.newCDPSession(page);
    await tools.send("WebAuthn.enable");
    await tools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Work laptop");
    await page.keyboard.press("Enter");
    await page.getByText("Passkey added").waitFor();
    await page.getByRole("rowheader", { name: "Work laptop" }).waitFor();
    await page.getByRole("button", { name: /Your menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.getByRole("button", { name: /Your menu/ }).click();
    await page.getByRole("menuitem", { name: "Account" }).click();
    await page.getByRole("button", { name: "Actions for Work laptop" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove passkey" }).click();
    await page.getByText("No passkeys yet").waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await context.close();
  });

  look("sessions are told apart and end", async () => {
    const { origin, person, visitor } = await startConsole();
    const one = await person({ role: "owner" });
    const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const other = visitor();
    await other.auth("/sign-in/email", { email: one.email, password: testPassword }, { "User-Agent": agent });
    const { page, context } = await visit(browser, { origin, path: "/console/account", cookie: one.cookie });
    await page.getByRole("button", { name: "End the session of Firefox on Linux" }).click();
    await page.getByText("Session ended").waitFor();
    expect((await other.call("getSession")).status).toBe(401);
    await context.close();
  });
});
