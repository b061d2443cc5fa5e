// WebKitGTK, over classic WebDriver, on a virtual display. Safari is built on the same engine.
import { freePort } from "../ports.ts";
import { type Driver, type OtherBrowser, startScreen, viewport } from "./driver.ts";

export const webkit: OtherBrowser = {
  name: "WebKitGTK",
  needs: { WebKitWebDriver: "webkit2gtk-driver", Xvfb: "xvfb" },
  start,
};

async function start(): Promise<Driver> {
  const [xvfb, display] = await startScreen();
  const port = freePort();
  const program = Bun.spawn(["WebKitWebDriver", `--port=${port}`], {
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: "x11", LANG: "en_US.UTF-8" },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const send = async (method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    // As the protocol describes it.
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${error}: ${message}`);
  };
  const end = async () => {
    program.kill();
    xvfb.kill();
    await Promise.all([program.exited, xvfb.exited]);
  };
  try {
    await untilReady(() => send("GET", "/status"));
    const capabilities = { alwaysMatch: { acceptInsecureCerts: true } };
    const { sessionId } = (await send("POST", "/session", { capabilities })) as { sessionId: string };
    const session = `/session/${sessionId}`;
    const evaluate = async (expression: string): Promise<unknown> => {
      const script = `const done = arguments[0];
        (async () => JSON.stringify(await (${expression})))().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const answer = await send("POST", `${session}/execute/async`, { script, args: [] });
      // Written by the script above.
      const { value, error } = answer as { value?: string; error?: string };
      if (error !== undefined) throw new Error(error);
      return value === undefined ? undefined : JSON.parse(value);
    };
    await fit(evaluate, (rect) => send("POST", `${session}/window/rect`, rect));
    return {
      open: async (url) => void (await send("POST", `${session}/url`, { url })),
      evaluate,
      act: async (actions) => void (await send("POST", `${session}/actions`, { actions })),
      picture: async () => Buffer.from(String(await send("GET", `${session}/screenshot`)), "base64"),
      close: async () => {
        await send("DELETE", session).catch(() => undefined);
        await end();
      },
    };
  } catch (failure) {
    await end();
    throw failure;
  }
}

/** Gives the page, not the window, its size. */
async function fit(
  evaluate: (expression: string) => Promise<unknown>,
  setWindow: (size: { readonly width: number; readonly height: number }) => Promise<unknown>,
): Promise<void> {
  await setWindow(viewport);
  // The expression returns two numbers.
  const [width, height] = (await evaluate("[outerWidth - innerWidth, outerHeight - innerHeight]")) as [number, number];
  await setWindow({ width: viewport.width + width, height: viewport.height + height });
}

async function untilReady(ask: () => Promise<unknown>): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      await ask();
      return;
    } catch (failure) {
      if (left === 0) throw failure;
      await Bun.sleep(50);
    }
  }
}
