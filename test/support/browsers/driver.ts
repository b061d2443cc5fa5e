// Browsers other than Chromium, as the system has them installed, driven over the WebDriver protocol.

/** A device of the protocol with what it does, such as `{ type: "keyDown", value: "a" }`. */
export interface InputSource {
  readonly type: "key" | "pointer";
  readonly id: string;
  readonly actions: readonly Readonly<Record<string, unknown>>[];
}

/** What differs between browsers. */
export interface Driver {
  /** Loads an address, and waits until it is loaded. */
  readonly open: (address: string) => Promise<void>;
  /** Evaluates an expression in the page, and awaits it. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** As by hand: the page takes it for the user. */
  readonly act: (sources: readonly InputSource[]) => Promise<void>;
  /** A PNG. */
  readonly picture: () => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** A browser that may be installed. */
export interface OtherBrowser {
  readonly name: string;
  /** Commands that it needs, and the packages of Debian that have them. */
  readonly needs: Readonly<Record<string, string>>;
  readonly start: () => Promise<Driver>;
}

/** The size of the window's content. */
export const viewport = { width: 1280, height: 860 } as const;

/** Why a browser cannot be tested; undefined if it can. */
export function lackOf({ needs }: OtherBrowser): string | undefined {
  const missing = Object.entries(needs).filter(([command]) => Bun.which(command) === null);
  if (missing.length === 0) return undefined;
  return `not installed: ${[...new Set(missing.map(([, name]) => name))].join(", ")}`;
}

/** The first line of a stream that matches. @throws if the stream ends without one */
export async function lineOf(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<RegExpExecArray> {
  const decoder = new TextDecoder();
  let read = "";
  for await (const chunk of stream) {
    read += decoder.decode(chunk, { stream: true });
    const match = pattern.exec(read);
    if (match) return match;
  }
  throw new Error(`Ended without ${pattern}: ${read}`);
}

/** Windows have bars above the page. */
const screen = { width: 1600, height: 1200 } as const;

/** A virtual display with a clipboard. @returns its program and its name */
export async function startScreen(): Promise<[Bun.Subprocess, string]> {
  const size = `${screen.width}x${screen.height}x24`;
  const xvfb = Bun.spawn(["Xvfb", "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [, number] = await lineOf(xvfb.stdout, /(\d+)\n/);
  return [xvfb, `:${number}`];
}
