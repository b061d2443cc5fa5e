// The reference page in a real browser, under the policy that the service sends with it.
import { afterAll, expect, setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { readConfig } from "../../src/config.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { type Service, startService } from "../../src/service.ts";
import {
  browserMilliseconds,
  copiedBy,
  eventually,
  faults,
  hasFocus,
  overflow,
  type VisitOptions,
  visit,
} from "../support/browser.ts";
import { beforePages, pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);
const dataDirectory = mkdtempSync(join(tmpdir(), "commonplace-reference-"));
let service: Service;

beforePages(async () => {
  const settings = { COMMONPLACE_PORT: "0", COMMONPLACE_HTTP_PORT: "off", COMMONPLACE_LOG: "off" };
  const config = readConfig({ COMMONPLACE_DATA: dataDirectory, ...settings });
  service = await startService(config);
});

afterAll(async () => {
  await service?.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

/** Opens the page, lets `look` look at it and expects no complaint. */
async function read(look: (page: Page) => Promise<void>, wishes: Pick<VisitOptions, "width" | "hasScript"> = {}) {
  const { origin, pathname } = new URL(`${service.baseUrl}/docs`);
  const { page, leave, complaints } = await visit({ origin, path: pathname, ...wishes });
  await look(page);
  expect(complaints).toEqual([]);
  await leave();
}

const shownCalls = (page: Page): Promise<string[]> => page.locator("nav a.call:visible").allInnerTexts();
const hash = (page: Page) => async () => new URL(page.url()).hash;

test("shows every operation with its method, path and cost, an example call and its answer; every link inside leads somewhere", () =>
  read(async (page) => {
    expect(await page.locator("section.operation").count()).toBe(27);
    for (const name of operationNames) {
      const { method, path, summary, cost } = operations[name];
      const text = (await page.locator(`#${name}`).textContent()) ?? "";
      for (const part of [method, path, summary, cost.words, `${service.baseUrl}${path}`, '"success": true'])
        expect(text).toContain(part);
      expect(await page.locator(`nav a[href="#${name}"]`).count()).toBe(1);
    }
    const lost = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
        .map((link) => link.hash)
        .filter((hash) => !document.querySelector(hash)),
    );
    expect(lost).toEqual([]);
  }));

test("can be read without the script", () =>
  read(
    async (page) => {
      expect(await page.locator("section.operation:visible").count()).toBe(27);
      expect(await page.locator("#filter").isVisible()).toBe(false);
      expect(await page.locator("nav a.call").first().isVisible()).toBe(true);
    },
    { hasScript: false },
  ));

test("a slash leads to the filter, Enter to the first match, Escape back to all", () =>
  read(async (page) => {
    await page.keyboard.press("/");
    await hasFocus(page.locator("#filter"));
    await page.keyboard.type("delete folder");
    await eventually(async () => (await shownCalls(page)).length, 2);
    await page.keyboard.press("Enter");
    await eventually(hash(page), "#deleteFolder");
    await page.locator("#filter").fill("no such thing");
    await page.locator("nav .none").waitFor();
    await page.locator("#filter").press("Escape");
    await eventually(async () => (await shownCalls(page)).length, 27);
  }));

test("the copy button copies the example as it is shown, with the address of this service", () =>
  read(async (page) => {
    const button = page.locator("#putSnippet .code").first().getByRole("button");
    const copied = await copiedBy(button, () => button.press("Enter"));
    expect(copied).toStartWith(`curl -X PUT '${service.baseUrl}/snippet?id=`);
    const body = /-d '(.*)'$/s.exec(copied)?.[1] ?? "";
    expect(Object.keys(JSON.parse(body) as object)).toEqual(["title", "note", "tagIds"]);
  }));

test("Tab leads to the content, visibly", () =>
  read(async (page) => {
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the content" });
    await hasFocus(skip);
    expect((await skip.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await eventually(hash(page), "#content");
    await page.keyboard.press("Tab");
    await page.locator("main :focus").waitFor();
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe("solid");
  }));

test("the navigation marks the section in view", () =>
  read(async (page) => {
    await page.locator('nav a[href="#getTag"]').click();
    await page.locator('nav a[href="#getTag"][aria-current]').waitFor();
    expect(await page.locator("nav [aria-current]").count()).toBe(1);
  }));

test("on a phone nothing is cut off and the navigation is a drawer", () =>
  read(
    async (page) => {
      const navigation = page.getByRole("navigation");
      expect(await overflow(page)).toBe(0);
      await navigation.waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Menu" }).press("Enter");
      await page.locator('nav a[href="#postTags"]').click();
      await navigation.waitFor({ state: "hidden" });
      await eventually(hash(page), "#postTags");
      await page.keyboard.press("/");
      await hasFocus(page.locator("#filter"));
      await page.keyboard.press("Escape");
      await navigation.waitFor({ state: "hidden" });
    },
    { width: 390 },
  ));

test("is accessible in both themes, wide and on a phone", () =>
  read(async (page) => {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    expect(await faults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation").waitFor();
    expect(await faults(page)).toEqual([]);
  }));
