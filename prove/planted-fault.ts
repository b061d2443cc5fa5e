// Plants a fault: replaces a piece of source text in a file as it is loaded. Preloaded (BUN_OPTIONS=--preload=…) by the process of a
// control and by each process that it starts, so that the service contains no switch for it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plugin } from "bun";

export interface Fault {
  /** From the project's root, such as `src/library/folders.ts`. */
  readonly file: string;
  /** The text that is replaced, which must be in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

const variable = "PLANTED_FAULTS";
const root = join(import.meta.dir, "..");

/** The environment of a process in which these faults are planted. */
export const environmentOf = (faults: readonly Fault[]): Record<string, string> =>
  faults.length === 0
    ? {}
    : { [variable]: JSON.stringify(faults), BUN_OPTIONS: `--preload=${join(root, "prove/planted-fault.ts")}` };

/** @returns the text with the fault @throws if the text to replace is not in it exactly once */
export function plant(text: string, { file, find, replace }: Fault): string {
  const places = text.split(find).length - 1;
  if (find === "" || places !== 1)
    throw new Error(`the planted fault does not fit: ${file} contains ${places} times ${JSON.stringify(find)}`);
  return text.replace(find, () => replace);
}

/** The text of a file with all faults that concern it. */
export const faultyText = (file: string, faults: readonly Fault[]): string =>
  faults
    .filter((fault) => fault.file === file)
    .reduce((text, fault) => plant(text, fault), readFileSync(join(root, file), "utf8"));

const planted = JSON.parse(process.env[variable] ?? "[]") as readonly Fault[];
const files = new Set(planted.map(({ file }) => file));
// Before anything is loaded, so that a fault that does not fit ends the process.
const contentsOf = new Map([...files].map((file) => [join(root, file), faultyText(file, planted)]));
if (contentsOf.size > 0) {
  plugin({
    name: "planted faults",
    setup: (build) => {
      for (const [path, contents] of contentsOf)
        build.onLoad({ filter: new RegExp(`^${RegExp.escape(path)}$`) }, () => ({
          contents,
          loader: path.endsWith(".tsx") ? "tsx" : "ts",
        }));
    },
  });
  // A thread loads files again, and preloads nothing by itself.
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload: import.meta.path });
    }
  };
}
