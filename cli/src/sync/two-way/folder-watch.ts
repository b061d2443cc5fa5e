// Reports changes of files in a folder and in all folders in it.
import { type FSWatcher, mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** Elsewhere, Node.js would watch each file by itself, and systems limit how many: so it watches folders, each by itself. */
const isRecursive = process.platform === "darwin" || process.platform === "win32";

export class FolderWatch {
  readonly #root: string;
  readonly #changed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(root: string, changed: () => void) {
    this.#root = root;
    this.#changed = changed;
  }

  /** Watches folders that are new. What happened in them before has to be looked for. */
  refresh(): void {
    mkdirSync(this.#root, { recursive: true });
    const folders = isRecursive ? [this.#root] : foldersIn(this.#root);
    const wanted = new Set(folders);
    for (const [folder, watcher] of this.#watchers) if (!wanted.has(folder)) this.#stop(folder, watcher);
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  close(): void {
    for (const [folder, watcher] of this.#watchers) this.#stop(folder, watcher);
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { recursive: isRecursive }, this.#changed);
      this.#watchers.set(folder, watcher);
      // A folder that goes, or that its system cannot watch any longer.
      watcher.on("error", () => this.#stop(folder, watcher));
    } catch {
      // The system allows no more watchers, or the folder is gone: changes in it are found by looking.
    }
  }

  #stop(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(folder);
  }
}

function foldersIn(folder: string): string[] {
  try {
    const own = readdirSync(folder, { withFileTypes: true });
    const folders = own.filter((each) => each.isDirectory() && !each.name.startsWith("."));
    return [folder, ...folders.flatMap(({ name }) => foldersIn(join(folder, name)))];
  } catch {
    // It is gone, or cannot be read, which the comparison reports.
    return [];
  }
}
