// The console's pages in a real browser: what applies to each of them, and the layout around them.
import { describe, expect, setDefaultTimeout } from "bun:test";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import {
  axe,
  browserMilliseconds,
  eventually,
  findPageProblems,
  goTo,
  visit,
  waitForFocus,
  widths,
} from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

test("every page of the base is accessible, fits and keeps to the policy, in both themes, wide and on a phone", async () => {
  const { origin, person, workspace } = await startConsole();
  const owner = await person({ role: "owner", isOperator: true, name: "Ada King, Countess of Lovelace ".repeat(3) });
  const invited = await owner.call("postInvitation", { body: { email: "new@example.com", role: "member" } });
  const { pathname, hash } = new URL(invited.body.data.link);
  const ofNobody = [
    { path: "/console/sign-in?ended", title: "Sign in", last: "Sign in with a passkey" },
    { path: `${pathname}${hash}`, title: "Join Test workspace", last: "Accept and join" },
    { path: "/console/password#0123456789", title: "Set your password", last: "Set password" },
  ];
  const ofOwner = [
    { path: "/console/account", title: "Account", last: "Create token" },
    { path: "/console/nothing/here", title: "Page not found", last: "Go home" },
    { path: `/console/w/${workspace.id}/nothing`, title: "Page not found", last: "Go home" },
  ];
  for (const [pages, who] of [
    [ofNobody, {}],
    [ofOwner, { cookie: owner.cookie }],
  ] as const) {
    const { page, leave, complaints } = await visit({ origin, path: pages[0]?.path ?? "", ...who });
    for (const { path, title, last } of pages) {
      if (path !== pages[0]?.path) await goTo(page, origin + path);
      await page.getByText(last, { exact: true }).waitFor();
      expect({ path, found: await findPageProblems(page, widths) }).toEqual({ path, found: [] });
      expect({ path, complaints }).toEqual({ path, complaints: [] });
      await eventually(() => page.title(), `${title} · Commonplace`);
    }
    await leave();
  }
});

describe("the shell", () => {
  test("shows the pages that one's role opens, and says so of the others", async () => {
    const { origin, person, workspace } = await startConsole();
    const member = await person({ role: "member" });
    const { page, leave } = await visit({
      origin,
      path: `/console/w/${workspace.id}/audit`,
      cookie: member.cookie,
    });
    await page.getByRole("heading", { name: "Access denied" }).waitFor();
    const entries = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts();
    expect(entries).toEqual(["Overview", "Usage", "Members", "Teams"]);
    await leave();
  });

  test("another's workspace is not there; the operator opens every one", async () => {
    const { origin, person, workspace } = await startConsole();
    const path = `/console/w/${workspace.id}/members`;
    const stranger = await visit({ origin, path, cookie: (await person()).cookie });
    await stranger.page.getByRole("heading", { name: "Page not found" }).waitFor();
    await stranger.leave();
    const operator = await visit({ origin, path, cookie: (await person({ isOperator: true })).cookie });
    await operator.page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    await operator.leave();
  });

  test("of many workspaces one is found by its name, and the same page is opened there", async () => {
    const { origin, person, workspace } = await startConsole();
    const one = await person({ role: "owner", isOperator: true });
    const names = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta"];
    const made = [];
    for (const name of names) made.push(await one.call("postWorkspace", { body: { name, teamName: "First" } }));
    const { page, leave, complaints } = await visit({
      origin,
      path: `/console/w/${workspace.id}/members`,
      cookie: one.cookie,
    });
    await page.getByRole("button", { name: "Workspace: Test workspace" }).click();
    const found = page.getByRole("dialog", { name: "Switch workspace" });
    await found.getByLabel("Workspace name").fill("ETA");
    await found.getByText("Showing 4 of 9.").waitFor();
    expect(await axe(page)).toEqual([]);
    await found.getByLabel("Workspace name").fill("epsi");
    await found.getByText("Showing 1 of 9.").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/console/w/${made[4]?.body.data.id}/members`);
    await page.getByRole("button", { name: "Workspace: Epsilon" }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  test("who is in no workspace is told so", async () => {
    const { origin, person } = await startConsole();
    const { page, leave } = await visit({ origin, path: "/console", cookie: (await person()).cookie });
    await page.getByText("You aren’t in a workspace yet").waitFor();
    expect(await axe(page)).toEqual([]);
    await leave();
  });

  test("where the subscription is not active every page of the workspace says so, as long as it is so", async () => {
    const { origin, admin, person, workspace } = await startConsole();
    const subscribe = (subscription: "active" | "inactive") =>
      admin((transaction) => changeWorkspace(transaction, workspace.id, { subscription }));
    await subscribe("inactive");
    const member = await person({ role: "member" });
    const { page, leave, complaints } = await visit({
      origin,
      path: `/console/w/${workspace.id}/overview`,
      cookie: member.cookie,
    });
    const banner = page.getByRole("main").getByText("Subscription inactive.");
    await banner.waitFor();
    await page.getByText("No requests yet").or(page.getByText("0 requests")).first().waitFor();
    expect(await findPageProblems(page, widths)).toEqual([]);
    const pages = page.getByRole("navigation", { name: "Pages" });
    for (const name of ["Usage", "Members", "Teams"]) {
      await pages.getByRole("link", { name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      expect(await banner.count()).toBe(1);
    }
    await subscribe("active");
    await page.reload();
    await page.getByRole("heading", { name: "Teams", level: 1 }).waitFor();
    expect(await banner.count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  test("the skip link leads to the content, and another page begins there", async () => {
    const { origin, person } = await startConsole();
    const { page, leave } = await visit({
      origin,
      path: "/console/account",
      cookie: (await person({ role: "owner" })).cookie,
    });
    await page.keyboard.press("Tab");
    await waitForFocus(page.getByRole("link", { name: "Skip to content" }));
    await page.keyboard.press("Enter");
    await waitForFocus(page.getByRole("main"));
    await page.keyboard.press("Tab");
    await page.locator("main :focus").waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Teams" }).press("Enter");
    await page.getByRole("heading", { name: "Teams", level: 1 }).waitFor();
    await waitForFocus(page.getByRole("main"));
    await eventually(() => page.title(), "Teams · Commonplace");
    await leave();
  });

  test("on a phone the menu opens, closes and gives the focus back; a page chosen there is gone to", async () => {
    const { origin, person } = await startConsole();
    const { page, leave, complaints } = await visit({
      origin,
      path: "/console/account",
      cookie: (await person({ role: "owner" })).cookie,
      width: 390,
    });
    const opener = page.getByRole("button", { name: "Menu", exact: true });
    await opener.press("Enter");
    const menu = page.getByRole("dialog", { name: "Menu" });
    await menu.locator(":focus").waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await waitForFocus(opener);
    await opener.click();
    await menu.getByRole("link", { name: "Members" }).click();
    await menu.waitFor({ state: "hidden" });
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  test("the scripts of all other pages come once a page is there, so that none waits for the network; not where data is to be saved", async () => {
    const { origin, person, workspace } = await startConsole();
    const { cookie } = await person({ role: "owner" });
    const { page, context } = await visit({ origin, path: `/console/w/${workspace.id}/keys`, cookie });
    const has = (name: string) =>
      page.evaluate(
        (part) => performance.getEntriesByType("resource").some((entry) => entry.name.includes(part)),
        `/part-${name}-`,
      );
    await page.waitForLoadState("networkidle");
    expect([await has("keys"), await has("audit")]).toEqual([true, false]);
    await page.addInitScript(() => {
      const connection = Object.getPrototypeOf(Reflect.get(navigator, "connection"));
      Object.defineProperty(connection, "saveData", { get: () => false });
    });
    await page.reload();
    await page.waitForLoadState("networkidle");
    expect([await has("keys"), await has("audit")]).toEqual([true, true]);
    await context.setOffline(true);
    for (const name of ["Audit log", "Billing", "Members"]) {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
    }
    await context.close();
  });

  test("the theme follows the system until it is chosen, and the choice is kept", async () => {
    const { origin, person } = await startConsole();
    const { page, leave, complaints } = await visit({
      origin,
      path: "/console/account",
      cookie: (await person({ role: "owner" })).cookie,
      theme: "dark",
    });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await eventually(theme, "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await eventually(theme, "light");
    const opener = page.getByRole("button", { name: /Account menu/ });
    await opener.press("Enter");
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await eventually(theme, "dark");
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "hidden" });
    await waitForFocus(opener);
    await page.reload();
    await page.locator("h1").waitFor();
    await eventually(theme, "dark");
    expect(complaints).toEqual([]);
    await leave();
  });
});
