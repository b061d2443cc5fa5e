// A real browser, from npm.
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A single process would end with its first context; without web security a browser does not say where a call comes from. */
const unwanted =
  /^--(single-process|disable-web-security|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|in-process-gpu)/;

/** Starts one, which the caller closes. */
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
