// How soon a page of the console can be used, in a browser that has never been there, beside a page that holds one heading.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { startBrowser } from "../test/support/chromium.ts";
import { becomeAdministrator } from "../test/support/first-administrator.ts";
import type { Plan } from "./measure.ts";
import { type RecordedAnswer, startBareServer, startService } from "./processes.ts";
import { progress } from "./progress.ts";
import type { Result } from "./report.ts";
import { median } from "./statistics.ts";

const millisecondsMax = 1_000;
const anybody: BrowserContextOptions = { ignoreHTTPSErrors: true, locale: "en-US" };

export async function measurePages(directory: string, { rounds }: Plan): Promise<Result[]> {
  mkdirSync(directory);
  const [data, answerPath] = [join(directory, "data"), join(directory, "answer.json")];
  const bareAnswer: RecordedAnswer = {
    body: "<!doctype html><title>Bare</title><h1>Bare</h1>",
    headers: { "Content-Type": "text/html" },
  };
  writeFileSync(answerPath, JSON.stringify(bareAnswer));
  const service = await startService(data);
  const bare = await startBareServer(join(data, "tls"), answerPath);
  const browser = await startBrowser();
  try {
    const administrator = await browser.newContext(anybody);
    const page = await administrator.newPage();
    await becomeAdministrator(page, String(service.printed.first_administrator_link));
    const overview = page.url();
    const signedIn = { ...anybody, storageState: await administrator.storageState() };
    await administrator.close();
    const pages = [
      { name: "sign-in", address: `https://localhost:${service.port}/console/sign-in`, as: anybody },
      { name: "overview, signed in", address: overview, as: signedIn },
    ];
    const results: Result[] = [];
    for (const { name, address, as } of pages) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round <= rounds; round += 1) {
        progress(`Page: ${name}`, `round ${round} of ${rounds}`);
        ours.push(await timeToUse(browser, as, address));
        theirs.push(await timeToUse(browser, anybody, `https://localhost:${bare.port}/`));
      }
      // The first of each warms the servers.
      const [service, yardstick] = [median(ours.slice(1)), median(theirs.slice(1))];
      results.push({
        group: "Page, from the address to its use, nothing cached",
        name,
        unit: "ms",
        service,
        yardstick,
        aim: { of: "service", atMost: millisecondsMax },
      });
    }
    return results;
  } finally {
    await browser.close();
    await bare.stop();
    await service.stop();
  }
}

/** Milliseconds from the navigation's begin until what belongs on the page is there and painted, and nothing says that it loads. */
async function timeToUse(browser: Browser, as: BrowserContextOptions, address: string): Promise<number> {
  const context = await browser.newContext(as);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const isReady = () => {
      const isLoading = [...document.querySelectorAll("[role=status]")].some((one) => /loading/i.test(one.textContent));
      return document.querySelector("h1") !== null && !isLoading;
    };
    const watch = new MutationObserver(() => {
      if (!isReady()) return;
      watch.disconnect();
      // After what was changed has been painted, and the script that changed it has come to rest.
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
