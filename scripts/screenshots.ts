// Takes the screenshots in docs/screenshots from an instance with realistic data: `npm run screenshots`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { readConfig } from "../src/config.ts";
import { startBrowser } from "../test/support/chromium.ts";
import { becomeAdministrator } from "../test/support/first-administrator.ts";
import { now, startDemo } from "./demo.ts";
import { type LibraryPicture, libraryPictures } from "./library-pictures.ts";

const outputDirectory = join(import.meta.dir, "../docs/screenshots");
const pages = [
  "overview",
  "keys",
  "usage",
  "log",
  "billing",
  "invoices/2026-10",
  "members",
  "teams",
  "audit",
  "settings",
] as const;
/** Further pictures: the page's path below /console, and what is opened there. */
const furtherPictures = (workspaceId: string) =>
  [
    { name: "account", path: "account", opens: undefined },
    { name: "sign-in-policy", path: `w/${workspaceId}/settings`, opens: "Change policy" },
  ] as const;
const variants = [
  { theme: "light", width: 1280, height: 860 },
  { theme: "dark", width: 1280, height: 860 },
  { theme: "light", width: 390, height: 844 },
  { theme: "dark", width: 390, height: 844 },
] as const;

/** The first picture of the README: one operation with its example fits in it. */
const referenceSize = { width: 1280, height: 660 };

const settledMilliseconds = 600;

async function take(page: Page, name: string, theme: string, width: number): Promise<void> {
  const file = `${name}-${theme}-${width < 600 ? "phone" : "wide"}.png`;
  await page.screenshot({ path: join(outputDirectory, file) });
  console.log(file);
}

const dataDirectory = mkdtempSync(join(tmpdir(), "commonplace-pictures-"));
const settings = {
  COMMONPLACE_DATA: dataDirectory,
  // The reference shows the port.
  COMMONPLACE_PORT: process.env.COMMONPLACE_PORT ?? "8443",
  COMMONPLACE_HTTP_PORT: "off",
  COMMONPLACE_LOG: "off",
  COMMONPLACE_SELLER_NAME: "Lighthouse Platform Inc.",
  COMMONPLACE_SELLER_ADDRESS: "4 Pier Street; Portland, ME 04101; United States",
};
const { service, workspaceId, firstLink, fill } = await startDemo(readConfig(settings));
const browser = await startBrowser();
try {
  mkdirSync(outputDirectory, { recursive: true });
  const administrator = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-US" });
  const cookies = await becomeAdministrator(await administrator.newPage(), firstLink).then(() =>
    administrator.cookies(),
  );
  await fill();
  const openPage = async ({ theme, width, height }: (typeof variants)[number]) => {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      locale: "en-US",
      colorScheme: theme,
      viewport: { width, height },
      // Phones have a higher pixel density.
      deviceScaleFactor: width < 600 ? 2 : 1,
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    return { page, context };
  };
  const takeLibrary = async (page: Page, { name, prepare, isWide }: LibraryPicture, theme: string, width: number) => {
    if (isWide && width < 600) return;
    await page.goto(`${new URL(firstLink).origin}/console/w/${workspaceId}/library`);
    await prepare(page);
    // The page stays connected, so the network is never idle.
    await page.waitForTimeout(settledMilliseconds);
    await take(page, name, theme, width);
  };
  for (const variant of variants) {
    const { theme, width } = variant;
    const { page, context } = await openPage(variant);
    for (const name of pages) {
      await page.goto(`${new URL(firstLink).origin}/console/w/${workspaceId}/${name}`);
      await page.waitForLoadState("networkidle");
      await take(page, name.replace(/s?\/.*/, ""), theme, width);
    }
    for (const { name, path, opens } of furtherPictures(workspaceId)) {
      await page.goto(`${new URL(firstLink).origin}/console/${path}`);
      await page.waitForLoadState("networkidle");
      if (opens) await page.getByRole("button", { name: opens }).click();
      await page.waitForTimeout(settledMilliseconds);
      await take(page, name, theme, width);
    }
    for (const picture of libraryPictures) if (!picture.isLast) await takeLibrary(page, picture, theme, width);
    if (width >= 600) {
      const name = `reference-${theme}-wide.png`;
      await page.setViewportSize(referenceSize);
      await page.goto(`${service.baseUrl}/docs#tag/snippets/getSnippet`);
      await page.getByRole("button", { name: "Test Request (get /snippet)" }).waitFor();
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: join(outputDirectory, name) });
      console.log(name);
    }
    await context.close();
  }
  for (const variant of variants) {
    const { page, context } = await openPage(variant);
    for (const picture of libraryPictures)
      if (picture.isLast) await takeLibrary(page, picture, variant.theme, variant.width);
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
}
