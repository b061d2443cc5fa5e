// The Markdown files of a team's folder on the disk.
import { createHash } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sleep } from "../../../../sdk/src/exchange.ts";
import { removeIfEmpty, requireInside } from "../directory.ts";
import type { Files, FoundFile } from "./ports.ts";

/** A file that was written a moment ago may not be complete. */
const quietMilliseconds = 250;
const quietAttemptsMax = 8;
/** A file that was changed so long ago has another time if it is changed again. */
const datedMilliseconds = 2_000;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const isMarkdown = (name: string): boolean => /\.md$/i.test(name);
/** Of a write that was interrupted. */
const isLeftover = (name: string): boolean => /^\..*\.\d+\.tmp$/.test(name);
/** A file that iCloud has taken off the disk. */
const placeholder = /^\.(?<name>.*\.md)\.icloud$/i;

interface Read {
  readonly stamp: string;
  readonly file: FoundFile;
}

export class DiskFiles implements Files {
  readonly #root: string;
  readonly #signal: AbortSignal;
  #read = new Map<string, Read>();

  constructor(root: string, signal = new AbortController().signal) {
    this.#root = root;
    this.#signal = signal;
  }

  /** Waits while someone is writing. */
  async scan(): Promise<readonly FoundFile[]> {
    for (let attempt = 1; ; attempt += 1) {
      const { files, isQuiet } = this.#scanOnce();
      if (isQuiet || attempt === quietAttemptsMax) return files;
      await sleep(quietMilliseconds / 1_000, this.#signal);
    }
  }

  #scanOnce() {
    const before = this.#read;
    this.#read = new Map();
    let isQuiet = true;
    const files: FoundFile[] = [];
    for (const { path, isPlaceholder } of this.#list("")) {
      if (isPlaceholder) {
        files.push({
          path,
          content: undefined,
          hash: "",
          problem: "the file is stored only in iCloud. Download it first",
        });
        continue;
      }
      const status = lstatSync(join(this.#root, path), { throwIfNoEntry: false });
      if (!status) continue;
      const age = Date.now() - status.mtimeMs;
      const stamp = [status.mtimeMs, status.ctimeMs, status.size, status.ino].join(" ");
      const known = before.get(path);
      const file = known?.stamp === stamp ? known.file : unlessGone(() => this.#readFile(path));
      if (!file) continue;
      const read = { stamp, file };
      if (age > datedMilliseconds) this.#read.set(path, read);
      isQuiet &&= Math.abs(age) >= quietMilliseconds;
      files.push(read.file);
    }
    return { files, isQuiet };
  }

  /** Folders and files whose names begin with a dot belong to programs. */
  *#list(folder: string): Generator<{ readonly path: string; readonly isPlaceholder: boolean }> {
    for (const each of this.#entriesOf(folder)) {
      const path = folder === "" ? each.name : `${folder}/${each.name}`;
      const hidden = placeholder.exec(each.name)?.groups?.name;
      if (hidden !== undefined) yield { path: folder === "" ? hidden : `${folder}/${hidden}`, isPlaceholder: true };
      else if (each.isFile() && isLeftover(each.name)) rmSync(join(this.#root, path), { force: true });
      else if (each.name.startsWith(".")) continue;
      else if (each.isDirectory()) yield* this.#list(path);
      else if (each.isFile() && isMarkdown(each.name)) yield { path, isPlaceholder: false };
    }
  }

  #entriesOf(folder: string) {
    return unlessGone(() => readdirSync(join(this.#root, folder), { withFileTypes: true })) ?? [];
  }

  #readFile(path: string): FoundFile {
    const bytes = readFileSync(join(this.#root, path));
    const hash = hashOf(bytes);
    try {
      return { path, content: decoder.decode(bytes), hash };
    } catch {
      return { path, content: undefined, hash };
    }
  }

  exists(path: string): boolean {
    const full = join(this.#root, path);
    const isThere = (each: string) => lstatSync(each, { throwIfNoEntry: false }) !== undefined;
    return isThere(full) || isThere(join(dirname(full), `.${basename(full)}.icloud`));
  }

  write(path: string, content: string, expected: string | undefined): boolean {
    const full = join(this.#root, requireInside(path));
    mkdirSync(dirname(full), { recursive: true });
    const mode = lstatSync(full, { throwIfNoEntry: false })?.mode;
    const temporary = join(dirname(full), `.${basename(full)}.${process.pid}.tmp`);
    writeFileSync(temporary, content, mode === undefined ? {} : { mode });
    try {
      if (expected === undefined) return !this.exists(path) && putInFreePlace(temporary, full);
      if (!this.#is(path, expected)) return false;
      renameSync(temporary, full);
      return true;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  move(from: string, to: string, expected: string): boolean {
    const [source, target] = [join(this.#root, requireInside(from)), join(this.#root, requireInside(to))];
    mkdirSync(dirname(target), { recursive: true });
    if (!this.#is(from, expected) || this.exists(to)) return false;
    renameSync(source, target);
    removeIfEmpty(this.#root, dirname(from));
    return true;
  }

  remove(path: string, expected: string): boolean {
    if (!this.#is(path, expected)) return false;
    rmSync(join(this.#root, requireInside(path)));
    removeIfEmpty(this.#root, dirname(path));
    return true;
  }

  #is(path: string, expected: string): boolean {
    const full = join(this.#root, path);
    const status = lstatSync(full, { throwIfNoEntry: false });
    return status?.isFile() === true && hashOf(readFileSync(full)) === expected;
  }
}

/** Undefined where it is no longer there. @throws where it cannot be read */
function unlessGone<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Unlike a rename, a link never replaces what someone has just put there. Some file systems have none. */
function putInFreePlace(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    renameSync(temporary, path);
  }
  return true;
}
