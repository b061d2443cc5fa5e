// Starts a real browser, from npm.
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/**
 * Removed flags: a single process would end with its first context, without web security the browser sends no Origin, and people have
 * scrollbars.
 */
const unwanted =
  /^--(hide-scrollbars|single-process|disable-web-security|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|in-process-gpu)/;

/** Starts a browser, which the caller closes. @param environment instead of that of the tests */
export const startBrowser = async (environment?: Record<string, string | undefined>): Promise<Browser> =>
  playwright.launch({
    ...(environment && { env: environment }),
    executablePath: await chromium.executablePath(),
    ignoreDefaultArgs: ["--hide-scrollbars"],
    args: [
      ...chromium.args.filter((argument) => !unwanted.test(argument)),
      // There is no graphics card, and emulating one takes most of the time.
      "--disable-gpu",
      // Each page lives for a second: compiling its scripts to fast code takes longer than that code saves.
      "--js-flags=--no-maglev,--no-turbofan",
      "--no-sandbox",
      "--disable-background-networking",
      "--no-first-run",
      "--disable-sync",
    ],
  });
