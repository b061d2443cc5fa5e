// The documentation in a browser: readable for everyone, with a search that needs no other host, and reached from the console.
import { expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { type HelpTopic, help } from "../../web/help.ts";
import {
  axe,
  browserMilliseconds,
  eventually,
  findPageProblems,
  goTo,
  overflow,
  unexpected,
  type Visit,
  visit,
  widths,
} from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";
import { startService } from "../support/service.ts";

setDefaultTimeout(browserMilliseconds);

const originOf = async (): Promise<string> => (await startService()).service.origin;

/** Looks at a page, and fails on any complaint: a violation of the policy, or a request to another origin. */
async function read(
  path: string,
  look: (visited: Visit & { readonly origin: string }) => Promise<void>,
): Promise<void> {
  const origin = await originOf();
  const visited = await visit({ origin, path });
  await look({ ...visited, origin });
  expect(unexpected(visited.complaints)).toEqual([]);
  await visited.leave();
}

const listOfPages = (page: Page) => page.getByRole("navigation", { name: "Pages" });
const headings = (page: Page) => page.getByRole("navigation", { name: "On this page" });
const field = (page: Page) => page.getByRole("searchbox", { name: "Search the documentation" });

/** Opens the search by its keys, and waits for the results. */
async function searchFor(page: Page, query: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await field(page).fill(query);
  await page
    .getByRole("status")
    .filter({ hasText: /result/ })
    .waitFor();
}

test.each(["", "administer/", "build/guide/", "operate/backup/", "how/contributing/"])(
  "the page /docs/%s is accessible in both themes, wide and on a phone",
  async (path) => {
    await read(`/docs/${path}`, async ({ page }) => {
      expect(await findPageProblems(page, widths)).toEqual([]);
    });
  },
);

test("the search and the list of pages are accessible while they are open, wide and on a phone", async () => {
  await read("/docs/", async ({ page }) => {
    await searchFor(page, "password");
    expect(await findPageProblems(page, widths)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Pages" }).click();
    await listOfPages(page).getByRole("link", { name: "Backups" }).waitFor();
    expect(await findPageProblems(page)).toEqual([]);
  });
});

test("the search is used with the keyboard alone: it finds a heading, and leads to it", async () => {
  await read("/docs/", async ({ page }) => {
    await searchFor(page, "remove people");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/administer/people/#remove-people");
    await page.getByRole("heading", { name: "Remove people" }).waitFor();

    await searchFor(page, "pasword");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.href.includes("remove-people"));
  });
});

test("words that are nowhere find nothing, and a failed load is tried again", async () => {
  await read("/docs/", async ({ page, complaints }) => {
    await page.route("**/search.json", (route) => route.fulfill({ status: 503, body: "" }));
    await page.getByRole("button", { name: "Search" }).click();
    await field(page).fill("backup");
    await page.getByText("The search could not be loaded").waitFor();
    await page.unroute("**/search.json");
    complaints.length = 0;
    await field(page).fill("xyzzyplugh");
    await page.getByText("Nothing found").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await field(page).waitFor({ state: "hidden" });
  });
});

test("the search asks for one file of the service, and then needs no network", async () => {
  await read("/docs/", async ({ page, context, origin }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await searchFor(page, "backup");
    await context.setOffline(true);
    await field(page).fill("rate limit");
    await page
      .getByRole("link", { name: /^Rate limit/ })
      .first()
      .waitFor();
    await context.setOffline(false);
    expect(asked).toEqual([`${origin}/docs/search.json`]);
  });
});

test("on a phone, buttons open the pages and the headings, and nothing is cut off", async () => {
  await read("/docs/build/guide/", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toBe(0);
    await page.getByRole("button", { name: "On this page" }).click();
    await headings(page).getByRole("link", { name: "Rate limit" }).click();
    await headings(page).waitFor({ state: "hidden" });
    expect(new URL(page.url()).hash).toBe("#rate-limit");
    await page.getByRole("button", { name: "Pages" }).click();
    await listOfPages(page).getByRole("link", { name: "Monitoring" }).click();
    await page.getByRole("heading", { name: "Monitoring", level: 1 }).waitFor();
  });
});

test("a button copies code, without the prompts of a terminal", async () => {
  await read("/docs/use/cpl/", async ({ page }) => {
    const block = page.locator(".code").filter({ hasText: "$ " }).first();
    const shown = await block.locator("code").innerText();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect([shown, copied]).toEqual([expect.stringContaining("$ "), shown.replaceAll(/^\$ /gm, "")]);
  });
});

test("links to the address of the examples lead to this service", async () => {
  await read("/docs/build/guide/", async ({ page, origin }) => {
    const link = page.locator("article").getByRole("link", { name: `${origin}/api/reference` });
    expect(await link.getAttribute("href")).toBe(`${origin}/api/reference`);
  });
});

test("the theme is the one chosen in the console, and can be changed", async () => {
  await read("/docs/", async ({ page, origin }) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await theme()).toBe("light");
    await page.evaluate(() => localStorage.setItem("commonplace-theme", "dark"));
    await goTo(page, `${origin}/docs/use/glossary/`);
    expect(await theme()).toBe("dark");
    await page.getByLabel("Theme").selectOption("Light");
    expect(await theme()).toBe("light");
    expect(await page.evaluate(() => localStorage.getItem("commonplace-theme"))).toBe("light");
  });
});

test("without JavaScript, everything but the search works", async () => {
  const origin = await originOf();
  const { page, complaints, leave } = await visit({ origin, path: "/docs/", hasScript: false });
  expect(await page.getByRole("button", { name: "Search" }).isVisible()).toBe(false);
  await listOfPages(page).getByRole("link", { name: "Backups" }).click();
  await page.getByRole("heading", { name: "Backups", level: 1 }).waitFor();
  await headings(page).getByRole("link").first().click();
  expect(new URL(page.url()).hash).not.toBe("");
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});

test("an unknown page leads to the first one", async () => {
  await read("/docs/operate/nowhere/", async ({ page }) => {
    expect(await axe(page)).toEqual([]);
    await page.getByRole("link", { name: "first page" }).click();
    await page.getByRole("heading", { name: "Commonplace", level: 1 }).waitFor();
  });
});

test("the account menu of the console leads to it", async () => {
  const { origin, person, workspace } = await startConsole();
  const { cookie } = await person({ role: "member" });
  const { page, context, complaints } = await visit({ origin, path: `/console/w/${workspace.id}/overview`, cookie });
  await page.getByRole("button", { name: /Account menu/ }).click();
  const opened = context.waitForEvent("page");
  await page.getByRole("menuitem", { name: "Help" }).click();
  const documentation = await opened;
  await documentation.getByRole("heading", { name: "Commonplace", level: 1 }).waitFor();
  await eventually(async () => new URL(documentation.url()).pathname, "/docs/");
  expect(unexpected(complaints)).toEqual([]);
  await context.close();
});

test("each page of the console leads to its section", async () => {
  const { origin, person, workspace } = await startConsole();
  const { cookie } = await person({ role: "owner", isOperator: true });
  const { page, leave, complaints } = await visit({ origin, path: "/console/people", cookie });
  const inWorkspace = ["overview", "keys", "usage", "log", "billing", "members", "teams", "audit", "settings"] as const;
  const addresses: (readonly [HelpTopic, string])[] = [
    ...inWorkspace.map((topic) => [topic, `/console/w/${workspace.id}/${topic}`] as const),
    ["account", "/console/account"],
    ["people", "/console/people"],
    ["workspaces", "/console/workspaces"],
    ["accountLog", "/console/account-log"],
  ];
  const links: [HelpTopic, string | null][] = [];
  for (const [topic, address] of addresses) {
    await goTo(page, origin + address);
    links.push([topic, await page.getByRole("link", { name: /^Learn more about / }).getAttribute("href")]);
  }
  expect(links).toEqual(addresses.map(([topic]) => [topic, `/docs/${help[topic]}`]));
  // The library has no header: the account menu leads to its page.
  await goTo(page, `${origin}/console/w/${workspace.id}/library`);
  await page.getByRole("button", { name: /Account menu/ }).click();
  expect(await page.getByRole("menuitem", { name: "Help" }).getAttribute("href")).toBe(`/docs/${help.library}`);
  // `test/docs/site.test.ts` checks that each page has the heading.
  await page.goto(`${origin}/docs/${help.audit}`);
  await page.getByRole("heading", { name: "Find out who changed what" }).waitFor();
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});
