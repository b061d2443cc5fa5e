// Takes the screenshots in docs/screenshots from an instance with realistic data: `npm run screenshots`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { startBrowser } from "../test/support/chromium.ts";
import { becomeAdministrator } from "../test/support/first-administrator.ts";
import { now, startDemo } from "./demo.ts";

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
const variants = [
  { theme: "light", width: 1280, height: 860 },
  { theme: "dark", width: 1280, height: 860 },
  { theme: "light", width: 390, height: 844 },
  { theme: "dark", width: 390, height: 844 },
] as const;

/** The first picture of the README: one operation with its example fits in it. */
const referenceSize = { width: 1280, height: 660 };

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
  for (const { theme, width, height } of variants) {
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
    for (const name of pages) {
      await page.goto(`${new URL(firstLink).origin}/console/w/${workspaceId}/${name}`);
      await page.waitForLoadState("networkidle");
      const size = width < 600 ? "phone" : "wide";
      const path = join(outputDirectory, `${name.replace(/s?\/.*/, "")}-${theme}-${size}.png`);
      await page.screenshot({ path });
      console.log(path.slice(outputDirectory.length + 1));
    }
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
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
}
