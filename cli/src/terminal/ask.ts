// Asks the person in front of the terminal.
import { createInterface } from "node:readline/promises";
import { exitStatus } from "../../../src/contract/exit-status.ts";
import { Canceled, Failure } from "../failures.ts";
import { oneLine } from "./style.ts";

/** Whether there is a person to ask: standard input and standard error are a terminal. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks for one line. @throws Canceled on Ctrl+C and Ctrl+D */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<never>((_, reject) => lines.once("close", () => reject(new Canceled())));
  lines.on("SIGINT", () => lines.close());
  closed.catch(() => undefined);
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

/** Asks before something is lost. @throws Failure without a terminal. @throws Canceled unless the person agrees */
export async function confirm(question: string): Promise<void> {
  if (!isInteractive()) throw new Failure("--yes is required unless you run this in a terminal", exitStatus.usage);
  if (!/^y(es)?$/i.test((await ask(`${oneLine(question)} [y/N] `)).trim())) throw new Canceled();
}

/** Asks for a secret, which the terminal does not show. @throws Canceled on Ctrl+C and Ctrl+D */
export async function askSecret(question: string): Promise<string> {
  let secret = "";
  try {
    for await (const key of keys(() => process.stderr.write(question))) {
      if (key === "\r" || key === "\n") break;
      if (key === "\u0003" || key === "\u0004") throw new Canceled();
      if (key === "\u007f" || key === "\b") secret = secret.slice(0, -1);
      else if (key >= " ") secret += key;
    }
    return secret;
  } finally {
    process.stderr.write("\n");
  }
}

/**
 * Every key that is pressed, until the loop ends. Special keys come as one sequence, such as `\u001b[A`.
 * @param onReady called once the terminal shows no keys by itself
 */
export async function* keys(onReady: () => void): AsyncGenerator<string, void> {
  const { stdin } = process;
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  const queue: string[] = [];
  let wake: () => void = () => undefined;
  const add = (text: string) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of special keys begin with one.
    queue.push(...(text.match(/\u001b\[[\d;]*[A-Za-z~]|\u001bO[A-Z]|./gsu) ?? []));
    wake();
  };
  stdin.on("data", add);
  try {
    onReady();
    for (;;) {
      const key = queue.shift();
      if (key !== undefined) yield key;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stdin.off("data", add);
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** Everything on standard input. */
export async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return decode(Buffer.concat(chunks));
}

/** A byte order mark is part of a text. @throws Failure */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    throw new Failure("the text is not UTF-8");
  }
}
