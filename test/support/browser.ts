// A real browser for the tests of the console's pages, and ways to look at a page that is still on its way.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { startBrowser } from "./chromium.ts";
import { afterAllTests } from "./cleanup.ts";

/** For tests that look at several pages. */
export const browserMilliseconds = 60_000;

export interface VisitOptions {
  /** `https://localhost:port`, of `startConsole()`. */
  readonly origin: string;
  /** Below it, such as `/console/account`. */
  readonly path: string;
  /** A whole Cookie header, of `person().cookie`. */
  readonly cookie?: string;
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly hasScript?: boolean;
  /** Where the browser's clock stands, such as the service's; without it, it goes with the computer's. */
  readonly at?: number;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Everything that the browser complained of: messages on its console, failures of scripts, offences against the policy, requests that
   * failed or left the service. Refusals that a test provokes can be taken out with `complaints.length = 0`.
   */
  readonly complaints: string[];
  /**
   * Instead of `context.close()`: the next visit may use it again, which costs a half, because its process has all scripts at hand. Only
   * where nothing was changed but what the pages themselves keep: no clock, no route, no devices.
   */
  readonly leave: () => Promise<void>;
}

/** A context with one page in it, which listens for whoever visits. */
interface Tab extends Pick<Visit, "page" | "context"> {
  readonly at: number | undefined;
  origin: string;
  complaints: string[];
}

const leftTabs: Tab[] = [];

let shared: Promise<Browser> | undefined;

/** One for all test files of a run. */
const sharedBrowser = (): Promise<Browser> => {
  shared ??= startBrowser().then((browser) => {
    afterAllTests(() => browser.close());
    return browser;
  });
  return shared;
};

/** Opens a page in a context that holds nothing of anybody, and waits until it is there. */
export async function visit({
  origin,
  path,
  cookie,
  theme = "light",
  width = 1280,
  hasScript = true,
  at,
}: VisitOptions): Promise<Visit> {
  const place = leftTabs.findIndex((candidate) => hasScript && candidate.at === at);
  const tab = leftTabs.splice(place, place < 0 ? 0 : 1)[0] ?? (await openTab(hasScript, at));
  const { page, context } = tab;
  const complaints: string[] = [];
  Object.assign(tab, { origin, complaints });
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme, media: null });
  if (cookie !== undefined) {
    const separator = cookie.indexOf("=");
    const [name, value] = [cookie.slice(0, separator), cookie.slice(separator + 1)];
    await context.addCookies([{ name, value, url: origin, secure: true, httpOnly: true }]);
  }
  await goTo(page, origin + path);
  const leave = async () => {
    if (!hasScript) return context.close();
    // A page without a script, of the same site: with another one the browser would begin a new process.
    await page.goto(`${origin}/healthz`);
    const session = await context.newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await session.detach();
    await context.clearCookies();
    leftTabs.push(tab);
  };
  return { page, context, complaints, leave };
}

async function openTab(hasScript: boolean, at: number | undefined): Promise<Tab> {
  const context = await (await sharedBrowser()).newContext({
    ignoreHTTPSErrors: true,
    locale: "en-US",
    javaScriptEnabled: hasScript,
    // What moves is waited for otherwise.
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (at !== undefined) await context.clock.setFixedTime(at);
  const page = await context.newPage();
  const tab: Tab = { page, context, at, origin: "", complaints: [] };
  page.on("console", (message) => tab.complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => tab.complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    // A page that holds what is shown once asks before it is left; that may be.
    if (dialog.type() !== "beforeunload") tab.complaints.push(`dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== tab.origin)
      tab.complaints.push(`left: ${url.href}`);
  });
  page.on("requestfailed", (request) => {
    // What the page itself no longer wants has not failed.
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") tab.complaints.push(`failed: ${request.url()} ${reason}`);
  });
  await page.addInitScript(() => {
    // The scripts of pages that nobody visits take a quarter of the time; one test looks at them.
    Object.defineProperty(Object.getPrototypeOf(Reflect.get(navigator, "connection")), "saveData", {
      get: () => true,
      configurable: true,
    });
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
    // With another theme each element would move to its new colour, which takes longer than a look at all of them.
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition-property: none !important; }");
    document.adoptedStyleSheets.push(still);
  });
  return tab;
}

/** What is left of the complaints without the refusals (400 to 409) that a test provokes: they stand on the browser's console as well. */
export const unexpected = (complaints: readonly string[]): string[] =>
  complaints.filter((complaint) => !/Failed to load resource.*status of 40[0-9]/.test(complaint));

/** Loads another page where one was, which is cheaper than a visit, and waits until it is there: its heading, and nothing that loads. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /loading/i })
    .first()
    .waitFor({ state: "detached" });
}

/** On the sign-in page. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const patienceMilliseconds = 20_000;
const readEveryMilliseconds = 20;

/** Reads again until it is so: what a key or a click sets off is not there with its end. Says at last what is there instead. */
export async function eventually<Value>(read: () => Promise<Value>, expected: NoInfer<Value>): Promise<void> {
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    const value = await read();
    try {
      expect<unknown>(value).toEqual(expected);
      return;
    } catch (failure) {
      if (performance.now() > end) throw failure;
      await Bun.sleep(readEveryMilliseconds);
    }
  }
}

/** Waits until the focus is there: it is given back a moment after what had it has gone. */
export const hasFocus = (target: Locator): Promise<void> => target.and(target.page().locator(":focus")).waitFor();

/**
 * Presses a copy button, which has another label then: name it by where it stands.
 * @returns what is on the clipboard once the button says so
 */
export async function copiedBy(button: Locator, press: () => Promise<void> = () => button.click()): Promise<string> {
  await Promise.all([button.getByText("Copied").waitFor(), press()]);
  return button.page().evaluate(() => navigator.clipboard.readText());
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const axeRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Those that look at colours; all others look at what a theme does not change. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Waits until nothing moves and nothing is left to be rendered: what is on its way is looked at where it arrives. */
const isAtRest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(
          (one) =>
            one.playState !== "finished" && one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        );
    do {
      // A colour that is inherited begins to move where the one above has arrived.
      while (moving().length > 0) await Promise.all(moving().map((one) => one.finished.catch(() => {})));
      // With a frame the page hears of its size and its theme; idle, it has done what follows from it.
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      await new Promise((next) => requestIdleCallback(next));
    } while (moving().length > 0);
  });

/** What axe finds wrong with the page as it stands, `rule: elements`; empty where all is well. */
export async function axe(page: Page, rules: readonly string[] = axeRules): Promise<string[]> {
  await isAtRest(page);
  const session = await page.context().newCDPSession(page);
  // Evaluated by the browser's own tools: the page's policy has no say in it.
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      ...{ expression, awaitPromise: true, returnByValue: true },
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  // Half a megabyte, which takes longer than a look: once for each page that was loaded.
  if ((await evaluate("typeof axe")) === "undefined") await evaluate(axeSource);
  const found = await evaluate(
    `axe.run(document, { resultTypes: ["violations"], runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(
      ({ id, nodes }) => id + ": " + nodes.slice(0, 4).map(({ html, failureSummary }) => html + " — " + failureSummary).join(" | ")))`,
  );
  await session.detach();
  // The expression above makes a list of texts.
  return found as string[];
}

/** By how many pixels the page is wider than the window: 0 where nothing is cut off. */
export async function overflow(page: Page): Promise<number> {
  await isAtRest(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** A window on a desk and one on a phone. */
export const widths = [1280, 390] as const;
const phoneWidthMax = 639;

/**
 * What is wrong with the page as it stands, in both themes and as wide as it is, or as wide as is asked: what axe finds, and what is cut
 * off. All rules of axe are asked once for a width, in the light on the desk and in the dark on the phone; in the other theme those about
 * colours.
 */
export async function faults(page: Page, asked?: readonly number[]): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 0, height: 0 };
  const found: string[] = [];
  for (const width of asked ?? [before.width]) {
    await page.setViewportSize({ ...before, width });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      const isWhole = (colorScheme === "dark") === width <= phoneWidthMax;
      const wrong = await axe(page, isWhole ? axeRules : colourRules);
      const pixels = await overflow(page);
      if (pixels !== 0) wrong.push(`${pixels} pixels are cut off`);
      found.push(...wrong.map((what) => `${colorScheme}, ${width} pixels wide: ${what}`));
    }
  }
  await page.setViewportSize(before);
  return found;
}
