// Firefox, over WebDriver BiDi: it listens itself, without another program.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryRoot } from "../temporary-root.ts";
import { type Driver, lineOf, type OtherBrowser, viewport } from "./driver.ts";

export const firefox: OtherBrowser = { name: "Firefox", needs: { "firefox-esr": "firefox-esr" }, start };

async function start(): Promise<Driver> {
  const profile = mkdtempSync(join(temporaryRoot(), "commonplace-firefox-"));
  const browser = Bun.spawn(
    ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"],
    {
      env: { ...process.env, HOME: profile, LANG: "en_US.UTF-8" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const end = async () => {
    browser.kill();
    await browser.exited;
    rmSync(profile, { recursive: true, force: true });
  };
  try {
    const [, address = ""] = await lineOf(browser.stderr, /WebDriver BiDi listening on (ws:\S+)/);
    const send = await connect(`${address}/session`);
    await send("session.new", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
    // The protocol says that there is one.
    const { contexts } = (await send("browsingContext.getTree", {})) as { contexts: readonly { context: string }[] };
    const context = contexts[0]?.context;
    await send("browsingContext.setViewport", { context, viewport });
    return {
      open: async (url) => void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
      evaluate: async (expression) => {
        const answer = await send("script.evaluate", {
          expression: `(async () => JSON.stringify(await (${expression})))()`,
          target: { context },
          awaitPromise: true,
        });
        // As the protocol describes it.
        const { result, exceptionDetails } = answer as {
          result?: { value?: string };
          exceptionDetails?: { text: string };
        };
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return result?.value === undefined ? undefined : JSON.parse(result.value);
      },
      act: async (actions) => void (await send("input.performActions", { context, actions })),
      picture: async () => {
        const { data } = (await send("browsingContext.captureScreenshot", { context })) as { data: string };
        return Buffer.from(data, "base64");
      },
      close: end,
    };
  } catch (failure) {
    await end();
    throw failure;
  }
}

type Send = (method: string, params: object) => Promise<unknown>;

/** Connects to a browser. @returns a function that sends a command and resolves to its result */
async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`Cannot connect to ${address}`));
  });
  socket.onmessage = ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data));
    const answer = waiting.get(id);
    if (!answer) return;
    waiting.delete(id);
    if (error === undefined) answer.resolve(result);
    else answer.reject(new Error(`${error}: ${message}`));
  };
  socket.onclose = () => {
    for (const answer of waiting.values()) answer.reject(new Error("The browser has ended"));
  };
  let last = 0;
  return (method, params) => {
    last += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(last, answer);
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer.promise;
  };
}
