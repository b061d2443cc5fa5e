// Pictures of the console for docs/screenshots, from an instance that looks like one in use: `npm run screenshots`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { readConfig } from "../src/config.ts";
import { startBrowser } from "../test/support/browser.ts";
import { now, startDemo } from "./demo.ts";

const target = join(import.meta.dir, "../docs/screenshots");
const person = { name: "Ada Lovelace", email: "ada@harbour.example", password: "a picture needs no password" };
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
const looks = [
  { theme: "light", width: 1280, height: 860 },
  { theme: "dark", width: 1280, height: 860 },
  { theme: "light", width: 390, height: 844 },
  { theme: "dark", width: 390, height: 844 },
] as const;

const directory = mkdtempSync(join(tmpdir(), "commonplace-pictures-"));
const settings = {
  COMMONPLACE_DATA: directory,
  COMMONPLACE_PORT: "0",
  COMMONPLACE_HTTP_PORT: "off",
  COMMONPLACE_LOG: "off",
};
const { service, workspaceId, firstLink, fill } = await startDemo(readConfig(settings));
const browser = await startBrowser();
try {
  mkdirSync(target, { recursive: true });
  const first = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-US" });
  const cookies = await enter(await first.newPage(), firstLink).then(() => first.cookies());
  await fill();
  for (const { theme, width, height } of looks) {
    const context = await browser.newContext({
      ...{ ignoreHTTPSErrors: true, locale: "en-US", colorScheme: theme, viewport: { width, height } },
      // Twice as sharp where it is small.
      deviceScaleFactor: width < 600 ? 2 : 1,
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    for (const name of pages) {
      await page.goto(`${new URL(firstLink).origin}/console/w/${workspaceId}/${name}`);
      await page.waitForLoadState("networkidle");
      const size = width < 600 ? "phone" : "wide";
      const path = join(target, `${name.replace(/s?\/.*/, "")}-${theme}-${size}.png`);
      await page.screenshot({ path });
      console.log(path.slice(target.length + 1));
    }
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** The first administrator, as the printed link makes one. */
async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(person.name);
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/console\/w\//);
}
