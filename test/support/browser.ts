// A real browser for the tests of the console's pages.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContext, type Page, chromium as playwright } from "playwright-core";

/** For `beforeAll` and for tests that look at several pages. */
export const browserMilliseconds = 60_000;

/** A single process would end with its first context; without web security a browser does not say where a call comes from. */
const unwanted =
  /^--(single-process|disable-web-security|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|in-process-gpu)/;

/** Starts one; a test file shares it and closes it. */
export const startBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args.filter((argument) => !unwanted.test(argument)),
      // Nothing here is drawn by a graphics card, and an imitated one takes most of the time.
      "--disable-gpu",
      "--no-sandbox",
      "--disable-background-networking",
      "--no-first-run",
      "--disable-sync",
    ],
  });

export interface VisitOptions {
  /** `https://localhost:port`, of `startConsole()`. */
  readonly origin: string;
  /** Below it, such as `/console/account`. */
  readonly path: string;
  /** A whole Cookie header, of `person().cookie`. */
  readonly cookie?: string;
  readonly theme?: "light" | "dark";
  readonly width?: number;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Everything that the browser complained of: messages on its console, failures of scripts, offences against the policy, and requests
   * that left the service. Refusals that a test provokes can be taken out with `complaints.length = 0`.
   */
  readonly complaints: string[];
}

/** Opens a page in a context of its own, and waits until its heading is there. */
export async function visit(
  browser: Browser,
  { origin, path, cookie, theme = "light", width = 1280 }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: "en-US",
    viewport: { width, height: 900 },
    colorScheme: theme,
    // What moves is waited for otherwise.
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (cookie !== undefined) {
    const separator = cookie.indexOf("=");
    const [name, value] = [cookie.slice(0, separator), cookie.slice(separator + 1)];
    await context.addCookies([{ name, value, url: origin, secure: true, httpOnly: true }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol === "https:" && url.origin !== origin) complaints.push(`left: ${url.href}`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.goto(origin + path);
  await page.locator("h1").first().waitFor();
  return { page, context, complaints };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const axeRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds wrong with the page as it stands, `rule: elements`; empty where all is well. */
export async function axe(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // Evaluated by the browser's own tools: the page's policy has no say in it.
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      ...{ expression, awaitPromise: true, returnByValue: true },
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  // What is still moving has colours of its own: everything is brought to its end first.
  await evaluate(`Promise.all(document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
    .map((one) => one.finished.catch(() => {})))`);
  await evaluate(axeSource);
  const found = await evaluate(
    `axe.run(document, { resultTypes: ["violations"], runOnly: ${JSON.stringify(axeRules)} }).then(({ violations }) => violations.map(
      ({ id, nodes }) => id + ": " + nodes.slice(0, 4).map(({ html, failureSummary }) => html + " — " + failureSummary).join(" | ")))`,
  );
  await session.detach();
  // The expression above makes a list of texts.
  return found as string[];
}

/** By how many pixels the page is wider than the window: 0 where nothing is cut off. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
