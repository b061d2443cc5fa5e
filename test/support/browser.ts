// A real browser for the tests of the console's pages, and ways to look at a page that is still on its way.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { startBrowser } from "./chromium.ts";
import { afterAllTests } from "./cleanup.ts";

/** The timeout of tests that visit several pages. */
export const browserMilliseconds = 60_000;

export interface VisitOptions {
  /** `https://localhost:port`, of `startConsole()`. */
  readonly origin: string;
  /** Such as `/console/account`. */
  readonly path: string;
  /** A complete Cookie header, such as `person().cookie`. */
  readonly cookie?: string;
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly hasScript?: boolean;
  /** A fixed time for the browser's clock, such as the service's; default: the computer's clock. */
  readonly at?: number;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Everything that the browser reports: console messages, script errors, violations of the content security policy, and requests that
   * failed or went to another origin. A test drops refusals that it provoked with `complaints.length = 0`.
   */
  readonly complaints: string[];
  /**
   * Use it instead of `context.close()`: the next visit reuses the context in half the time, because its process has all scripts cached.
   * Only if the test changed nothing but the pages' own storage: no clock, route or device.
   */
  readonly leave: () => Promise<void>;
}

/** A context with one page, whose events go to the complaints of the current visit. */
interface Tab extends Pick<Visit, "page" | "context"> {
  readonly at: number | undefined;
  origin: string;
  complaints: string[];
}

/** The browser ends requests where containers, which other tests start, add a network. Pages repeat them. */
const networkChanged = "net::ERR_NETWORK_CHANGED";

/** Also what a load reports that meets the page with this error. */
const isNetworkChange = (error: unknown): boolean => /net::ERR_NETWORK_CHANGED|chrome-error:/.test(String(error));

/** Loads a page again if the network changed meanwhile, as a person would. */
function repeatLoads(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const repeat = async <T>(load: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await load();
      } catch (error) {
        if (!isNetworkChange(error)) throw error;
      }
  };
  page.goto = (...words) => repeat(() => goto(...words));
  page.reload = (...words) => repeat(() => reload(...words));
}

const idleTabs: Tab[] = [];

let shared: Promise<Browser> | undefined;

/** One browser for all test files of a run. A test that runs too long ends its processes, the browser too: the next test gets a new one. */
const sharedBrowser = (): Promise<Browser> => {
  shared ??= startBrowser().then((browser) => {
    browser.once("disconnected", () => {
      shared = undefined;
      idleTabs.length = 0;
    });
    afterAllTests(() => browser.close());
    return browser;
  });
  return shared;
};

/** Opens a page in a context without cookies or storage, and waits until it is loaded. */
export async function visit(options: VisitOptions): Promise<Visit> {
  const browser = await sharedBrowser();
  try {
    return await openVisit(options);
  } catch (failure) {
    // A browser that is being ended still answers for a moment.
    const ended = new Promise((next) => browser.once("disconnected", next));
    if (browser.isConnected()) await Promise.race([ended, Bun.sleep(endMilliseconds)]);
    if (browser.isConnected()) throw failure;
    return openVisit(options);
  }
}

async function openVisit({
  origin,
  path,
  cookie,
  theme = "light",
  width = 1280,
  hasScript = true,
  at,
}: VisitOptions): Promise<Visit> {
  const index = idleTabs.findIndex((candidate) => hasScript && candidate.at === at);
  const tab = idleTabs.splice(index, index < 0 ? 0 : 1)[0] ?? (await openTab(hasScript, at));
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
    if (page.isClosed()) return;
    if (!hasScript) return context.close();
    // A page of the same site without scripts: the browser would start a new process for another site.
    await page.goto(`${origin}/healthz`);
    const session = await context.newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await session.detach();
    await context.clearCookies();
    idleTabs.push(tab);
  };
  return { page, context, complaints, leave };
}

async function openTab(hasScript: boolean, at: number | undefined): Promise<Tab> {
  const context = await (await sharedBrowser()).newContext({
    ignoreHTTPSErrors: true,
    locale: "en-US",
    javaScriptEnabled: hasScript,
    // Otherwise each check waits for animations.
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (at !== undefined) await context.clock.setFixedTime(at);
  const page = await context.newPage();
  repeatLoads(page);
  const tab: Tab = { page, context, at, origin: "", complaints: [] };
  page.on("console", (message) => {
    if (!message.text().includes(networkChanged)) tab.complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => tab.complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    // A page that shows a secret once asks before the user leaves it; that is allowed.
    if (dialog.type() !== "beforeunload") tab.complaints.push(`dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== tab.origin)
      tab.complaints.push(`left: ${url.href}`);
  });
  page.on("requestfailed", (request) => {
    // A request that the page itself cancels has not failed.
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED" && reason !== networkChanged)
      tab.complaints.push(`failed: ${request.url()} ${reason}`);
  });
  await page.addInitScript(() => {
    // Preloading the scripts of other pages takes a quarter of the time; one test covers it.
    Object.defineProperty(Object.getPrototypeOf(Reflect.get(navigator, "connection")), "saveData", {
      get: () => true,
      configurable: true,
    });
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
    // After a change of theme each color transition would take longer than all checks.
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition-property: none !important; }");
    document.adoptedStyleSheets.push(still);
  });
  return tab;
}

/** The complaints without the refusals (400 to 409) that a test provokes: the browser's console reports those too. */
export const unexpected = (complaints: readonly string[]): string[] =>
  complaints.filter((complaint) => !/Failed to load resource.*status of 40[0-9]/.test(complaint));

/** Loads another page in the same tab, which is cheaper than a visit, and waits for its heading and until nothing is loading. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /loading/i })
    .first()
    .waitFor({ state: "detached" });
}

/** Signs in on the sign-in page. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const timeoutMilliseconds = 20_000;
const readEveryMilliseconds = 20;
/** Within which a browser that is not stuck draws a frame. */
const frameMilliseconds = 2_000;
/** Within which a browser that was ended is gone. */
const endMilliseconds = 5_000;

/** Reads repeatedly until the value is as expected, since a click or key press takes effect later. @throws the failed comparison on timeout */
export async function eventually<Value>(read: () => Promise<Value>, expected: NoInfer<Value>): Promise<void> {
  const end = performance.now() + timeoutMilliseconds;
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

/** Waits until the element has the focus, which a closing dialog returns with a delay. */
export const waitForFocus = (target: Locator): Promise<void> => target.and(target.page().locator(":focus")).waitFor();

/**
 * Presses a copy button. Locate it by position, since its label changes.
 * @returns the clipboard's text once the button says "Copied"
 */
export async function copiedBy(button: Locator, press: () => Promise<void> = () => button.click()): Promise<string> {
  await Promise.all([button.getByText("Copied").waitFor(), press()]);
  return button.page().evaluate(() => navigator.clipboard.readText());
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const axeRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules about colors; a theme affects no other rule. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** Ends all animations, and waits until everything is rendered. */
async function waitUntilIdle(page: Page): Promise<void> {
  const idle = page.evaluate(async () => {
    const end = () => {
      const moving = document
        .getAnimations()
        .filter(
          (one) => one.playState !== "finished" && one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        );
      // Ended and not awaited: the promise of an animation that is paused, or of one that the browser drops, may never settle.
      for (const one of moving) one.finish();
      return moving.length;
    };
    end();
    do {
      // In a frame the page receives its size and theme. The task of the lowest priority runs once it has reacted to them; an idle
      // callback would wait for ever in a browser that has to share the processor.
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      await scheduler.postTask(() => undefined, { priority: "background" });
      // An inherited color starts its transition when the parent's has ended.
    } while (end() > 0);
  });
  const isIdle = idle.then(() => true);
  // Without a screen, the browser may draw no frame until somebody looks.
  while (!(await Promise.race([isIdle, Bun.sleep(frameMilliseconds).then(() => false)])))
    look(page).catch(() => undefined);
}

/** Makes the browser draw a frame. */
async function look(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.captureScreenshot", { format: "jpeg", clip: { x: 0, y: 0, width: 1, height: 1, scale: 1 } });
  await session.detach();
}

/** The violations that axe finds on the page, as `rule: elements`. */
export async function axe(page: Page, rules: readonly string[] = axeRules): Promise<string[]> {
  await waitUntilIdle(page);
  const session = await page.context().newCDPSession(page);
  // Evaluated through the developer tools, which the page's content security policy does not restrict.
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  // Loaded once per page: half a megabyte takes longer than the check itself.
  if ((await evaluate("typeof axe")) === "undefined") await evaluate(axeSource);
  // A window is checked alone: the page behind it cannot be reached, and was checked before.
  const found = await evaluate(
    `axe.run(document.querySelector("[role=dialog], [role=alertdialog]") ?? document, { resultTypes: ["violations"], runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.map(
      ({ id, nodes }) => id + ": " + nodes.slice(0, 4).map(({ html, failureSummary }) => html + " — " + failureSummary).join(" | ")))`,
  );
  await session.detach();
  // The expression above returns a list of strings.
  return found as string[];
}

/** By how many pixels the page is wider than the window; 0 if nothing is cut off. */
export async function overflow(page: Page): Promise<number> {
  await waitUntilIdle(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The widths of a desktop window and of a phone. */
export const widths = [1280, 390] as const;
const phoneWidthMax = 639;

/**
 * The problems of the page in both themes, at its current width or at the given widths: violations that axe finds, and content that is cut
 * off. Each width is checked with all rules of axe in one theme (desktop: light, phone: dark), and with the color rules in the other.
 */
export async function findPageProblems(page: Page, givenWidths?: readonly number[]): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 0, height: 0 };
  const found: string[] = [];
  for (const width of givenWidths ?? [before.width]) {
    await page.setViewportSize({ ...before, width });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      const hasAllRules = (colorScheme === "dark") === width <= phoneWidthMax;
      const problems = await axe(page, hasAllRules ? axeRules : colorRules);
      const pixels = await overflow(page);
      if (pixels !== 0) problems.push(`${pixels} pixels are cut off`);
      found.push(...problems.map((what) => `${colorScheme}, ${width} pixels wide: ${what}`));
    }
  }
  await page.setViewportSize(before);
  return found;
}
