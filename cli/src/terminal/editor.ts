// The person's editor, on a file that only they can read.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../failures.ts";
import { isInteractive } from "./ask.ts";

/** Endings by which editors know a language. Other content types are their own ending, such as `go`. */
const endings: Readonly<Record<string, string>> = {
  plaintext: "txt",
  code: "txt",
  markdown: "md",
  javascript: "js",
  typescript: "ts",
  python: "py",
  ruby: "rb",
  rust: "rs",
  shell: "sh",
};

export interface Draft {
  /** The text as it was saved last. */
  readonly text: string;
  /** The file, which stays if the text could not be saved. */
  readonly path: string;
  readonly remove: () => void;
}

/**
 * Opens a text in the editor and waits until it is closed.
 * @throws Failure if there is no editor, or if it fails
 */
export function edit(text: string, contentType: string): Draft {
  const directory = mkdtempSync(join(tmpdir(), "cpl-"));
  const path = join(directory, `snippet.${endings[contentType] ?? contentType.replace(/[^a-z0-9]/gi, "")}`);
  const remove = () => rmSync(directory, { recursive: true, force: true });
  writeFileSync(path, text, { mode: 0o600 });
  try {
    open(path);
  } catch (error) {
    remove();
    throw error;
  }
  return { text: withoutAddedEnd(text, readFileSync(path, "utf8")), path, remove };
}

/** Git's order. The variable may have options, so it is a command line. */
function open(path: string): void {
  const { VISUAL, EDITOR } = process.env;
  if (!VISUAL && !EDITOR && !isInteractive())
    throw new Failure("there is no terminal for an editor. Run this in a terminal, or set EDITOR");
  const command = VISUAL || EDITOR || (process.platform === "win32" ? "notepad" : "vi");
  const { status, error } = spawnSync(`${command} ${quote(path)}`, { stdio: "inherit", shell: true });
  if (error || status !== 0)
    throw new Failure(`the editor failed: ${command}. Set EDITOR to the editor that you want to use`);
}

const quote = (path: string): string =>
  process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;

/** Editors end the last line. A text that had no such end keeps to that. */
const withoutAddedEnd = (before: string, after: string): string =>
  !before.endsWith("\n") && after.endsWith("\n") ? after.replace(/\r?\n$/, "") : after;
