// Takes pictures of an instance with realistic data: `npm run screenshots`. With names, such as `-- alerts keys`, only those. Those that a page
// shows go to docs/screenshots, and the others, to be looked at, to dist/screenshots.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Page } from "playwright-core";
import { readConfig } from "../src/config.ts";
import { createKey } from "../src/metering/keys/keys.ts";
import type { LimitChanges } from "../src/metering/keys/limit-settings.ts";
import { startBrowser } from "../test/support/chromium.ts";
import { becomeAdministrator } from "../test/support/first-administrator.ts";
import { now, startDemo } from "./demo.ts";
import { demoTeams } from "./demo-library.ts";
import { pictureAgent } from "./demo-security.ts";
import { type LibraryPicture, libraryPictures } from "./library-pictures.ts";
import { takeTerminalPictures, terminalPictureNames } from "./terminal-pictures.ts";
import { transferPictures } from "./transfer-pictures.ts";

const root = join(import.meta.dir, "..");
const [shownDirectory, otherDirectory] = [join(root, "docs/screenshots"), join(root, "dist/screenshots")];
/** The pictures that Markdown pages show. */
const shown = new Set(
  ["*.md", "docs/**/*.md"]
    .flatMap((pages) => [...new Bun.Glob(pages).scanSync(root)])
    .flatMap((page) => [...readFileSync(join(root, page), "utf8").matchAll(/screenshots\/([\w-]+\.png)/g)])
    .map(([, name]) => name),
);
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
interface FurtherPicture {
  readonly name: string;
  /** Below /console. */
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const choose = async (page: Page, about: string, item: string) => {
  await press(page, `Actions for ${about}`);
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
/** Scrolls a card to the top, on phones below the header, which stays. */
const showCard = (page: Page, title: string) =>
  page.getByRole("heading", { name: title, exact: true }).evaluate((heading) => {
    if (heading instanceof HTMLElement) heading.style.scrollMarginTop = innerWidth < 600 ? "92px" : "24px";
    heading.scrollIntoView({ block: "start" });
  });

const furtherPictures = (workspaceId: string): readonly FurtherPicture[] => {
  const settings = `w/${workspaceId}/settings`;
  return [
    { name: "account", path: "account" },
    { name: "sessions", path: "account", prepare: (page) => showCard(page, "Sessions") },
    { name: "access-tokens", path: "account", prepare: (page) => showCard(page, "Personal access tokens") },
    { name: "account-data", path: "account", prepare: (page) => showCard(page, "Your data") },
    { name: "account-deletion", path: "account", prepare: (page) => press(page, "Delete account") },
    { name: "storage", path: settings, prepare: (page) => showCard(page, "Storage") },
    { name: "alerts", path: settings, prepare: (page) => showCard(page, "Alerts") },
    { name: "alerts-change", path: settings, prepare: (page) => press(page, "Change alerts") },
    { name: "webhook", path: settings, prepare: (page) => showCard(page, "Webhook") },
    { name: "sign-in-policy", path: settings, prepare: (page) => press(page, "Change policy") },
    { name: "workspace-deletion", path: settings, prepare: (page) => press(page, "Delete workspace") },
    {
      name: "team-deletion",
      path: `w/${workspaceId}/teams`,
      prepare: (page) => choose(page, demoTeams[0] ?? "", "Delete team"),
    },
    {
      name: "key-limits",
      path: `w/${workspaceId}/keys`,
      prepare: async (page) => {
        await choose(page, "Support desk", "Edit key");
        await page.getByLabel("Requests per minute").scrollIntoViewIfNeeded();
      },
    },
  ];
};
const stills = [...libraryPictures, ...transferPictures];
const variants = [
  { theme: "light", width: 1280, height: 860 },
  { theme: "dark", width: 1280, height: 860 },
  { theme: "light", width: 390, height: 844 },
  { theme: "dark", width: 390, height: 844 },
] as const;

/** The picture of a page: `invoices/2026-10` is "invoice". */
const nameOf = (path: string): string => path.replace(/s?\/.*/, "");

/** The first picture of the README: one operation with its example fits in it. */
const referenceSize = { width: 1280, height: 660 };

const settledMilliseconds = 600;

/** Makes a picture a quarter smaller without losses. */
const optimizer = Bun.which("optipng");
if (optimizer === null) console.warn("The pictures could be a quarter smaller: apt-get install optipng");

const chosen = process.argv.slice(2);
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.includes(name);

async function take(page: Page, name: string, theme: string, width: number): Promise<void> {
  write(`${name}-${theme}-${width < 600 ? "phone" : "wide"}.png`, await page.screenshot());
}

function write(file: string, picture: Uint8Array): void {
  const path = join(shown.has(file) ? shownDirectory : otherDirectory, file);
  writeFileSync(path, picture);
  if (optimizer !== null) Bun.spawnSync([optimizer, "-quiet", "-o2", path]);
  console.log(relative(root, path));
}

const dataDirectory = mkdtempSync(join(tmpdir(), "commonplace-pictures-"));
const settings = {
  COMMONPLACE_DATA_DIRECTORY: dataDirectory,
  // The reference shows the port.
  COMMONPLACE_HTTPS_PORT: process.env.COMMONPLACE_HTTPS_PORT ?? "8443",
  COMMONPLACE_HTTP_PORT: "off",
  COMMONPLACE_LOG_LEVEL: "off",
  COMMONPLACE_BILLING_FROM: "2026-01",
  COMMONPLACE_SELLER_NAME: "Lighthouse Platform Inc.",
  COMMONPLACE_SELLER_ADDRESS: "4 Pier Street; Portland, ME 04101; United States",
};
const { service, workspaceId, firstLink, fill, changeAsColleague } = await startDemo(readConfig(settings));
const browser = await startBrowser();
try {
  for (const directory of [shownDirectory, otherDirectory]) mkdirSync(directory, { recursive: true });
  const administrator = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: "en-US",
    userAgent: pictureAgent,
  });
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
      // They draw scrollbars over the page, and only while it is scrolled.
      isMobile: width < 600,
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    return { page, context };
  };
  const takeLibrary = async (
    page: Page,
    { name, prepare, restore, isWide }: LibraryPicture,
    theme: string,
    width: number,
  ) => {
    if ((isWide && width < 600) || !isChosen(name)) return;
    await page.goto(`${new URL(firstLink).origin}/console/w/${workspaceId}/library`);
    await prepare(page, { theme, changeAsColleague });
    // The page stays connected, so the network is never idle.
    await page.waitForTimeout(settledMilliseconds);
    await take(page, name, theme, width);
    await restore?.(page);
  };
  for (const variant of variants) {
    const { theme, width } = variant;
    const { page, context } = await openPage(variant);
    for (const name of pages.filter((path) => isChosen(nameOf(path)))) {
      await page.goto(`${new URL(firstLink).origin}/console/w/${workspaceId}/${name}`);
      await page.waitForLoadState("networkidle");
      await take(page, nameOf(name), theme, width);
    }
    for (const { name, path, prepare } of furtherPictures(workspaceId).filter((picture) => isChosen(picture.name))) {
      await page.goto(`${new URL(firstLink).origin}/console/${path}`);
      await page.waitForLoadState("networkidle");
      await prepare?.(page);
      await page.waitForTimeout(settledMilliseconds);
      await take(page, name, theme, width);
    }
    for (const picture of stills) if (!picture.isLast) await takeLibrary(page, picture, theme, width);
    if (width >= 600 && isChosen("reference")) {
      await page.setViewportSize(referenceSize);
      await page.goto(`${service.baseUrl}/reference#tag/snippets/getSnippet`);
      await page.getByRole("button", { name: "Test Request (get /snippet)" }).waitFor();
      await page.waitForLoadState("networkidle");
      await take(page, "reference", theme, width);
    }
    await context.close();
  }
  for (const variant of variants) {
    const { page, context } = await openPage(variant);
    for (const picture of stills) if (picture.isLast) await takeLibrary(page, picture, variant.theme, variant.width);
    await context.close();
  }
  const inTerminal = terminalPictureNames.filter(isChosen);
  if (inTerminal.length > 0) {
    const newKey = (name: string, limits: LimitChanges) =>
      service.database.transaction((transaction) => createKey(transaction, workspaceId, name, "all", null, limits));
    const access = {
      url: service.baseUrl,
      ca: readFileSync(join(dataDirectory, "tls/ca.crt"), "utf8"),
      key: (await newKey("Terminal", { requestsPerMinute: 1_000 })).secret,
      readOnlyKey: (await newKey("Agent", { scope: "read" })).secret,
    };
    await takeTerminalPictures(browser, access, inTerminal, write);
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
}
