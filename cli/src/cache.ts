// What was fetched, for when the service cannot be reached. Each response is a file that only its owner can read.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "./settings.ts";

/** A response as it was received. */
export interface Entry {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Stored extends Entry {
  readonly ageMilliseconds: number;
}

const entriesMax = 1_000;
const ageDaysMax = 30;
const dayMilliseconds = 86_400_000;

export class Cache {
  readonly #directory: string;

  /** Keys may have access to different teams, so each has its own files. */
  constructor(root: string, { url, key }: Pick<Access, "url" | "key">) {
    this.#directory = join(root, hash(`${url} ${key}`).slice(0, 16));
  }

  read(url: string): Stored | undefined {
    return this.#readFile(`${hash(url)}.json`);
  }

  /** A cache that cannot be written must not fail the command: the response was received. */
  write(entry: Entry): void {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      const path = this.#pathOf(entry.url);
      const temporary = `${path}.${process.pid}`;
      writeFileSync(temporary, JSON.stringify(entry), { mode: 0o600 });
      renameSync(temporary, path);
      this.#removeOld();
    } catch {}
  }

  /** The stored response was confirmed to be current. */
  touch(url: string): void {
    try {
      const now = new Date();
      utimesSync(this.#pathOf(url), now, now);
    } catch {}
  }

  /** Everything, the newest first. */
  entries(): Stored[] {
    return this.#files().flatMap(({ name }) => this.#readFile(name) ?? []);
  }

  #pathOf(url: string): string {
    return join(this.#directory, `${hash(url)}.json`);
  }

  #readFile(name: string): Stored | undefined {
    try {
      const path = join(this.#directory, name);
      const ageMilliseconds = Math.max(0, Date.now() - statSync(path).mtimeMs);
      // The file is what `write` wrote, or it cannot be parsed: it is replaced as a whole.
      return { ...(JSON.parse(readFileSync(path, "utf8")) as Entry), ageMilliseconds };
    } catch {
      return undefined;
    }
  }

  #files(): { readonly name: string; readonly modifiedAt: number }[] {
    try {
      return readdirSync(this.#directory)
        .filter((name) => name.endsWith(".json"))
        .map((name) => ({ name, modifiedAt: statSync(join(this.#directory, name)).mtimeMs }))
        .sort((one, other) => other.modifiedAt - one.modifiedAt);
    } catch {
      return [];
    }
  }

  #removeOld(): void {
    const oldest = Date.now() - ageDaysMax * dayMilliseconds;
    for (const [index, { name, modifiedAt }] of this.#files().entries())
      if (index >= entriesMax || modifiedAt < oldest) rmSync(join(this.#directory, name), { force: true });
  }
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
