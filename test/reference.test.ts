// The reference page in a real browser, under the policy that the service sends with it.
import { afterAll, expect } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { readConfig } from "../src/config.ts";
import { operationNames, operations } from "../src/contract/operations.ts";
import { type Service, startService } from "../src/service.ts";
import { beforePages, pageTest as test } from "./support/pages.ts";

const startMilliseconds = 60_000;
const dataDirectory = mkdtempSync(join(tmpdir(), "commonplace-reference-"));
let service: Service;
let browser: Browser;

beforePages(async () => {
  const settings = { COMMONPLACE_PORT: "0", COMMONPLACE_HTTP_PORT: "off", COMMONPLACE_LOG: "off" };
  const config = readConfig({ COMMONPLACE_DATA: dataDirectory, ...settings });
  service = await startService(config);
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // With a single process the browser ends with its first context.
    args: [
      ...chromium.args.filter((argument) => argument !== "--single-process"),
      "--no-sandbox",
      "--disable-background-networking",
      "--no-first-run",
      "--disable-sync",
    ],
  });
}, startMilliseconds);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
}, startMilliseconds);

interface Visit {
  readonly page: Page;
  /** Everything that the browser complained of, and every request that left the service. */
  readonly complaints: string[];
}

interface Wishes {
  readonly width?: number;
  readonly hasScript?: boolean;
  readonly bypassesPolicy?: boolean;
}

/** Opens the page, lets `look` look at it and expects no complaint. */
async function visit(
  { width = 1280, hasScript = true, bypassesPolicy = false }: Wishes,
  look: (visit: Visit) => Promise<void>,
) {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width, height: 900 },
    javaScriptEnabled: hasScript,
    bypassCSP: bypassesPolicy,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== "data:" && origin !== new URL(service.baseUrl).origin) complaints.push(`left: ${request.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective}`),
      );
    });
    await page.goto(`${service.baseUrl}/docs`);
    await look({ page, complaints });
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

const shownCalls = (page: Page): Promise<string[]> => page.locator("nav a.call:visible").allInnerTexts();

test("shows every operation with its method, path and cost, an example call and its answer", () =>
  visit({}, async ({ page }) => {
    expect(await page.locator("section.operation").count()).toBe(27);
    for (const name of operationNames) {
      const { method, path, summary, cost } = operations[name];
      const text = (await page.locator(`#${name}`).textContent()) ?? "";
      for (const part of [method, path, summary, cost.words, `${service.baseUrl}${path}`, '"success": true'])
        expect(text).toContain(part);
      expect(await page.locator(`nav a[href="#${name}"]`).count()).toBe(1);
    }
  }));

test("every link inside the page leads somewhere", () =>
  visit({}, async ({ page }) => {
    const lost = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
        .map((link) => link.hash)
        .filter((hash) => !document.querySelector(hash)),
    );
    expect(lost).toEqual([]);
  }));

test("can be read without the script", () =>
  visit({ hasScript: false }, async ({ page }) => {
    expect(await page.locator("section.operation:visible").count()).toBe(27);
    expect(await page.locator("#filter").isVisible()).toBe(false);
    expect(await page.locator("nav a.call").first().isVisible()).toBe(true);
  }));

test("a slash leads to the filter, Enter to the first match, Escape back to all", () =>
  visit({}, async ({ page }) => {
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("filter");
    await page.keyboard.type("delete folder");
    expect(await shownCalls(page)).toHaveLength(2);
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#deleteFolder");
    await page.locator("#filter").fill("no such thing");
    expect(await page.locator("nav .none").isVisible()).toBe(true);
    await page.locator("#filter").press("Escape");
    expect(await shownCalls(page)).toHaveLength(27);
  }));

test("the copy button copies the example as it is shown, with the address of this service", () =>
  visit({}, async ({ page }) => {
    const panel = page.locator("#putSnippet .code").first();
    await panel.getByRole("button", { name: "Copy" }).press("Enter");
    await panel.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toStartWith(`curl -X PUT '${service.baseUrl}/snippet?id=`);
    const body = /-d '(.*)'$/s.exec(copied)?.[1] ?? "";
    expect(Object.keys(JSON.parse(body) as object)).toEqual(["title", "note", "tagIds"]);
  }));

test("Tab leads to the content, visibly", () =>
  visit({}, async ({ page }) => {
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the content" });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    expect((await skip.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const isInContent = () => document.activeElement?.closest("main") !== null;
    expect(await page.evaluate(isInContent)).toBe(true);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe("solid");
  }));

test("the navigation marks the section in view", () =>
  visit({}, async ({ page }) => {
    await page.locator('nav a[href="#getTag"]').click();
    await page.locator('nav a[href="#getTag"][aria-current]').waitFor();
    expect(await page.locator("nav [aria-current]").count()).toBe(1);
  }));

test("on a phone nothing is cut off and the navigation is a drawer", () =>
  visit({ width: 390 }, async ({ page }) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await page.locator("nav").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await page.locator('nav a[href="#postTags"]').click();
    expect(await page.locator("nav").isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toBe("#postTags");
    await page.keyboard.press("/");
    expect(await page.locator("#filter").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator("nav").isVisible()).toBe(false);
  }));

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    test(
      `is accessible: ${colorScheme}, ${width} pixels wide`,
      () =>
        // axe puts styles of its own into the page, which the policy would refuse.
        visit({ width, bypassesPolicy: true }, async ({ page }) => {
          await page.emulateMedia({ colorScheme });
          await page.evaluate(() => {
            for (const details of document.querySelectorAll("details")) details.open = true;
          });
          if (width < 500) await page.getByRole("button", { name: "Menu" }).click();
          await page.evaluate(axe);
          const found = await page.evaluate(
            `axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
            .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html).join(" | ")))`,
          );
          expect(found).toEqual([]);
        }),
      startMilliseconds,
    );
