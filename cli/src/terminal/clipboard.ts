// Copies a text with the system's own program, or through the terminal.
import { spawnSync } from "node:child_process";
import { Failure } from "../failures.ts";

interface Program {
  readonly words: readonly string[];
  readonly isUsable: boolean;
}

/** @throws Failure without a clipboard */
export async function copyText(text: string): Promise<void> {
  const { WAYLAND_DISPLAY, DISPLAY } = process.env;
  const programs: readonly Program[] = [
    { words: ["pbcopy"], isUsable: process.platform === "darwin" },
    { words: ["wl-copy"], isUsable: Boolean(WAYLAND_DISPLAY) },
    { words: ["xclip", "-selection", "clipboard"], isUsable: Boolean(DISPLAY) },
    { words: ["xsel", "--clipboard", "--input"], isUsable: Boolean(DISPLAY) },
    { words: ["clip.exe"], isUsable: process.platform === "win32" || Boolean(process.env.WSL_DISTRO_NAME) },
  ];
  for (const { words, isUsable } of programs) if (isUsable && pipe(words, text)) return;
  // Most terminals copy what comes in this sequence, also over SSH.
  if (!process.stderr.isTTY)
    throw new Failure("no clipboard tool was found. Install wl-copy, xclip, or xsel, or use cpl get");
  process.stderr.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
}

function pipe([program = "", ...words]: readonly string[], text: string): boolean {
  // wl-copy and xclip stay in the background to serve the clipboard, so their output must not be waited for.
  const { status } = spawnSync(program, words, { input: text, stdio: ["pipe", "ignore", "ignore"] });
  return status === 0;
}
