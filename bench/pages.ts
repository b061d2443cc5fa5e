// How soon a page of the console is usable in a browser without a cache, compared with a page that has only a heading; and how the library
// reacts on an instance with many snippets.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { makeFirstLink } from "../src/accounts/people/first-administrator.ts";
import { startBrowser } from "../test/support/chromium.ts";
import { becomeAdministrator } from "../test/support/first-administrator.ts";
import { waitForIndex } from "./fill.ts";
import { measureLibrary } from "./library-page.ts";
import type { Plan } from "./plan.ts";
import { type RecordedResponse, startBareServer } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { searchTextOf } from "./search-texts.ts";
import { createSite } from "./site.ts";
import { median } from "./statistics.ts";

const millisecondsMax = 1_000;
const snippetsInFolder = 1_000;
const signedOut: BrowserContextOptions = { ignoreHTTPSErrors: true, locale: "en-US" };

export async function measurePages(directory: string, { rounds, snippets }: Plan): Promise<Result[]> {
  const sample = (index: number, teamId: string) => {
    const { title, shortcut, note, type, content } = searchTextOf(index);
    return { title, shortcut, note, teamId, content: { type, content } };
  };
  const size = { workspaces: 1, keysInWorkspace: 8, snippets, inFolder: snippetsInFolder };
  const { engine } = await createSite(directory, { ...size, sample });
  const token = await engine.withDatabase((database) => database.transaction(makeFirstLink));
  const responsePath = join(directory, "response.json");
  const bareResponse: RecordedResponse = {
    body: "<!doctype html><title>Bare</title><h1>Bare</h1>",
    headers: { "Content-Type": "text/html" },
  };
  writeFileSync(responsePath, JSON.stringify(bareResponse));
  const service = await engine.startService();
  showProgress("Indexing snippets", "");
  await waitForIndex(engine);
  const bare = await startBareServer(join(directory, "tls"), responsePath);
  const browser = await startBrowser();
  try {
    const console = `https://localhost:${service.port}/console`;
    const administrator = await browser.newContext(signedOut);
    const page = await administrator.newPage();
    await becomeAdministrator(page, `${console}/invitation#${token}`);
    const [workspace = ""] = /^.*\/w\/[^/]+/.exec(page.url()) ?? [];
    const signedIn = { ...signedOut, storageState: await administrator.storageState() };
    await administrator.close();
    const library = `${workspace}/library`;
    const pages = [
      { name: "sign-in", address: `${console}/sign-in`, options: signedOut },
      { name: "overview, signed in", address: `${workspace}/overview`, options: signedIn },
      { name: `library, ${snippets.toLocaleString("en-US")} snippets`, address: library, options: signedIn },
    ];
    const results: Result[] = [];
    for (const { name, address, options } of pages) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round <= rounds; round += 1) {
        showProgress(`Page: ${name}`, `round ${round} of ${rounds}`);
        ours.push(await measureTimeToUse(browser, options, address));
        theirs.push(await measureTimeToUse(browser, signedOut, `https://localhost:${bare.port}/`));
      }
      // The first round warms up the servers.
      const [service, baseline] = [median(ours.slice(1)), median(theirs.slice(1))];
      results.push({
        group: "Page load until usable, nothing cached",
        name,
        unit: "ms",
        service,
        baseline,
        aim: { of: "service", atMost: millisecondsMax },
      });
    }
    return [...results, ...(await measureLibrary(browser, signedIn, library, snippets))];
  } finally {
    await browser.close();
    await bare.stop();
    await service.stop();
  }
}

/** Milliseconds from the start of the navigation until the page is rendered and nothing is loading. */
async function measureTimeToUse(browser: Browser, options: BrowserContextOptions, address: string): Promise<number> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const isReady = () => {
      const isLoading = [...document.querySelectorAll("[role=status]")].some((one) => /loading/i.test(one.textContent));
      return document.querySelector("h1") !== null && !isLoading;
    };
    const watch = new MutationObserver(() => {
      if (!isReady()) return;
      watch.disconnect();
      // Runs after the change is painted and the script that made it is idle.
      requestAnimationFrame(() =>
        setTimeout(() => {
          document.documentElement.dataset.usableAfter = String(performance.now());
        }),
      );
    });
    watch.observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.goto(address);
  await page.locator("html[data-usable-after]").waitFor({ state: "attached" });
  const milliseconds = await page.evaluate(() => Number(document.documentElement.dataset.usableAfter));
  await context.close();
  return milliseconds;
}
