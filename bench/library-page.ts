// The library page with many snippets, in a real browser: its scripts, from a key press to the result, and scrolling.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { createRandom, wordAt } from "./search-texts.ts";
import { percentile } from "./statistics.ts";

const scriptKilobytesMax = 250;
const resultMillisecondsMax = 100;
const taskMillisecondsMax = 50;

/** Of the ranks 0 to 9, 10 to 99, … 10,000 to 59,999 alike. */
const typedWords = 25;
const lettersMax = 8;
const scrollSteps = 400;
const pixelsPerStep = 700;

export async function measureLibrary(
  browser: Browser,
  options: BrowserContextOptions,
  address: string,
  snippets: number,
): Promise<Result[]> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // Otherwise the page loads the scripts of all others once it is idle.
  await page.addInitScript(() =>
    Object.defineProperty(Object.getPrototypeOf(Reflect.get(navigator, "connection")), "saveData", { get: () => true }),
  );
  await page.goto(address);
  await page.locator("[role=option][aria-posinset='1']").waitFor();
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  );
  showProgress("Library page", "typing");
  const times = await measureTyping(page);
  showProgress("Library page", "scrolling");
  const longest = await measureScrolling(page, address);
  await context.close();
  const group = `Library page, ${snippets.toLocaleString("en-US")} snippets`;
  const row = (name: string, unit: Result["unit"], service: number, atMost: number): Result => ({
    group,
    name,
    unit,
    service,
    aim: { of: "service", atMost },
  });
  return [
    row("scripts of the first view, compressed", "KB", bytes / 1_000, scriptKilobytesMax),
    row("key press to result, p50", "ms", percentile(times, 0.5), resultMillisecondsMax),
    row("key press to result, p95", "ms", percentile(times, 0.95), resultMillisecondsMax),
    row("longest task while scrolling", "ms", longest, taskMillisecondsMax),
  ];
}

/** Types words letter by letter. @returns the milliseconds from each key press until its result is painted */
async function measureTyping(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    document.addEventListener("input", ({ timeStamp, target }) => {
      const query = (target as HTMLInputElement).value.trim();
      delete document.documentElement.dataset.resultAfter;
      const look = () => {
        const isAnswered = performance
          .getEntriesByType("resource")
          .some(({ name }) => name.includes("/library/search") && new URL(name).searchParams.get("query") === query);
        const isShown = document.querySelector("[role=listbox]")?.getAttribute("aria-busy") !== "true";
        // A task after a frame runs when that frame is painted.
        if (!isAnswered || !isShown) requestAnimationFrame(look);
        else
          setTimeout(() => {
            document.documentElement.dataset.resultAfter = String(performance.now() - timeStamp);
          });
      };
      requestAnimationFrame(look);
    });
  });
  const random = createRandom(11);
  const asked = new Set<string>();
  const times: number[] = [];
  const field = page.getByRole("combobox", { name: "Find snippets" });
  for (let count = 0; count < typedWords; count += 1) {
    await field.fill("");
    const word = wordAt(Math.floor(60_000 ** random()) - 1).slice(0, lettersMax);
    for (let letters = 1; letters <= word.length; letters += 1) {
      const query = word.slice(0, letters);
      // What was asked for before comes from the page's own cache.
      if (asked.has(query)) {
        await field.fill(query);
        continue;
      }
      asked.add(query);
      await page.evaluate(() => performance.clearResourceTimings());
      await field.press(query.at(-1) ?? "");
      await page.locator("html[data-result-after]").waitFor({ state: "attached" });
      times.push(await page.evaluate(() => Number(document.documentElement.dataset.resultAfter)));
    }
  }
  return times;
}

/** Scrolls through thousands of rows, which load meanwhile. @returns the milliseconds of the longest task */
async function measureScrolling(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.locator("[role=option][aria-posinset='1']").waitFor();
  await page.getByRole("tree").waitFor();
  return page.evaluate(
    async ([steps, pixels]) => {
      let longest = 0;
      const note = (milliseconds: number) => {
        longest = Math.max(longest, milliseconds);
      };
      // Only tasks of 50 ms or more are reported so.
      const watch = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) note(duration);
      });
      watch.observe({ type: "longtask" });
      const scroller = document.querySelector("[role=listbox]")?.parentElement;
      for (let step = 0; step < steps; step += 1) {
        await new Promise<void>((next) =>
          requestAnimationFrame(() => {
            const startedAt = performance.now();
            scroller?.scrollBy(0, pixels);
            // Runs after this frame's layout and paint.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => {
              note(performance.now() - startedAt);
              next();
            };
            port2.postMessage(undefined);
          }),
        );
      }
      watch.disconnect();
      return longest;
    },
    [scrollSteps, pixelsPerStep] as const,
  );
}
