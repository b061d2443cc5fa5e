// Records the film at the top of the README, in both themes: `npm run record`. A snippet is found, copied with its placeholders filled in, and
// compared with its earlier version.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Page } from "playwright-core";
import { readConfig } from "../src/config.ts";
import { startBrowser } from "../test/support/chromium.ts";
import { becomeAdministrator } from "../test/support/first-administrator.ts";
import { now, startDemo } from "./demo.ts";
import { pictureAgent } from "./demo-security.ts";
import { Film } from "./film.ts";

/** The values of the placeholders, in their order. */
const values = ["Ada", "HW-2041", "$48.00", "Friday", "Mia"];
const root = join(import.meta.dir, "..");
/** Small enough that the texts can be read where a README shows it. */
const viewport = { width: 1160, height: 700 };

async function record(page: Page): Promise<Film> {
  const film = new Film(page, { x: 720, y: 420 });
  const option = page.locator("[role=option]").filter({ hasText: "Refund approved" });
  await option.waitFor();
  await film.settle();
  await film.hold(1_000);
  await film.click(page.getByRole("combobox", { name: "Find snippets" }));
  await film.type("refund");
  await page.locator("[role=option] mark").first().waitFor();
  await film.settle();
  await film.hold(900);
  await film.click(option);
  await page.getByRole("article", { name: "Refund approved" }).waitFor();
  await film.settle();
  await film.hold(1_000);
  await film.click(page.getByRole("button", { name: "Copy", exact: true }));
  await film.settle();
  await film.hold(500);
  for (const value of values) {
    await film.type(value, 60);
    await page.keyboard.press("Tab");
  }
  await film.hold(500);
  await film.click(page.getByRole("dialog").getByRole("button", { name: "Copy", exact: true }));
  await film.settle();
  await film.hold(1_400);
  await film.click(page.getByRole("button", { name: "Dismiss" }));
  await film.click(page.getByRole("link", { name: "History" }));
  await page.getByRole("region", { name: "Comparison" }).waitFor();
  await film.settle();
  await film.hold(2_500);
  return film;
}

const dataDirectory = mkdtempSync(join(tmpdir(), "commonplace-film-"));
const { service, workspaceId, firstLink, fill } = await startDemo(
  readConfig({
    COMMONPLACE_DATA_DIRECTORY: dataDirectory,
    COMMONPLACE_HTTPS_PORT: "0",
    COMMONPLACE_HTTP_PORT: "off",
    COMMONPLACE_LOG_LEVEL: "off",
  }),
);
const browser = await startBrowser();
try {
  const first = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-US", userAgent: pictureAgent });
  await becomeAdministrator(await first.newPage(), firstLink);
  const cookies = await first.cookies();
  await fill();
  for (const theme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      locale: "en-US",
      colorScheme: theme,
      viewport,
      deviceScaleFactor: 2,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    await page.goto(`${new URL(firstLink).origin}/console/w/${workspaceId}/library`);
    const film = await record(page);
    const file = join(root, `docs/screenshots/tour-${theme}.webp`);
    const bytes = film.encode();
    writeFileSync(file, bytes);
    console.log(`${relative(root, file)}: ${film.milliseconds / 1_000} s, ${Math.round(bytes.length / 1_000)} KB`);
    await context.close();
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
}
