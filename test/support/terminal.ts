// A program in a real terminal: a pseudo-terminal of the system.
import { afterAllTests } from "./cleanup.ts";

export interface InTerminal {
  /** Everything shown so far. */
  readonly shown: () => string;
  /** Resolves once the terminal shows it. Fails when the program ends before. */
  readonly until: (isEnough: (text: string) => boolean) => Promise<string>;
  /** As if these keys were pressed. */
  readonly type: (keys: string) => void;
  readonly kill: (signal: "SIGINT" | "SIGKILL") => void;
  readonly exited: Promise<number>;
}

/** Why no test can use a terminal here; undefined where one can. */
export const whyNoTerminal: string | undefined =
  process.platform === "win32" ? "Windows has no pseudo-terminal that the runtime can open" : undefined;

export function runInTerminal(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  columns = 80,
): InTerminal {
  let text = "";
  const decoder = new TextDecoder();
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };
  const child = Bun.spawn([...words], {
    env: { LANG: "C.UTF-8", TERM: "xterm-256color", ...environment },
    terminal: {
      cols: columns,
      rows: 40,
      data: (_terminal, bytes) => {
        // A terminal ends its lines with a carriage return too.
        text += decoder.decode(bytes, { stream: true }).replaceAll("\r\n", "\n");
        wake();
      },
    },
  });
  afterAllTests(() => child.kill("SIGKILL"));
  void child.exited.then(wake);
  return {
    shown: () => text,
    until: async (isEnough) => {
      while (!isEnough(text)) {
        if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}:\n${text}`);
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        await promise;
        waiting.delete(resolve);
      }
      return text;
    },
    type: (keys) => void child.terminal?.write(keys),
    kill: (signal) => child.kill(signal),
    exited: child.exited,
  };
}
