// Bundles the console's pages for browsers. It takes a quarter of a second, so the process does it and there is no build output to manage.
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export interface BuiltFile {
  /** With a hash of the content in it. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const pages = ["main.tsx", "main.css"].map((name) => join(import.meta.dir, "../../web", name));

/** The pages' scripts and styles, and the licenses of the packages in them. @throws an error that says what the bundler stumbled over */
export async function buildConsole(entrypoints: readonly string[] = pages): Promise<readonly BuiltFile[]> {
  const { default: tailwind } = await import("bun-plugin-tailwind");
  const { outputs, metafile } = await Bun.build({
    entrypoints: [...entrypoints],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    sourcemap: "none",
    metafile: true,
    publicPath: "/console/assets/",
    naming: { entry: "[name]-[hash].[ext]", chunk: "part-[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [tailwind],
  }).catch(explainFailure);
  const files = await Promise.all(
    outputs.map(async (output) => ({
      name: output.path.replace(/^\.?\//, ""),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
  return [...withContentHashes(files), await licenses(Object.keys(metafile?.inputs ?? {}))];
}

/** The bundler's error says only that it failed; its parts say what failed and where. */
function explainFailure(cause: unknown): never {
  const parts: readonly (BuildMessage | ResolveMessage)[] = cause instanceof AggregateError ? cause.errors : [];
  const lines = parts.map(({ message, position }) =>
    position ? `${position.file}:${position.line}:${position.column}: ${message}` : message,
  );
  throw new Error(["The console's pages could not be bundled", ...lines].join("\n"), { cause });
}

/**
 * Replaces every hash by one of the content of all files. The bundler's hashes also depend on the directory that the service was started
 * in, and nodes behind one address must serve each other's files.
 */
function withContentHashes(files: readonly BuiltFile[]): BuiltFile[] {
  const hashes = files.map(({ name }) => /-(\w+)\.\w+$/.exec(name)?.[1] ?? name);
  const anyHash = new RegExp(hashes.join("|"), "g");
  const texts = files.map(({ name, bytes }) => `${name}\n${new TextDecoder().decode(bytes)}`);
  // Each hash is replaced by its index.
  const whole = texts.map((text) => text.replace(anyHash, (hash) => String(hashes.indexOf(hash)))).join("\n");
  const own = hashes.map((_, index) => Bun.hash(`${index} ${whole}`).toString(36).padStart(8, "0").slice(0, 8));
  return texts.map((text) => {
    const [name = "", ...lines] = text.replace(anyHash, (hash) => own[hashes.indexOf(hash)] ?? hash).split("\n");
    return { name, bytes: new Uint8Array(Buffer.from(lines.join("\n"))) };
  });
}

/** Packages that are missing from the bundler's metafile: the styles begin with those of tailwindcss. */
const unreportedPackages = ["tailwindcss"];

/** The licenses of every package that a file came from. Bundling drops the comments that name them. */
async function licenses(inputs: readonly string[]): Promise<BuiltFile> {
  const directories = new Map(
    unreportedPackages.map((name) => [name, join(import.meta.dir, "../../node_modules", name)]),
  );
  for (const input of inputs) {
    const [, directory, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input) ?? [];
    // Paths are relative to the bundler's working directory.
    if (name !== undefined && directory !== undefined) directories.set(name, join(process.cwd(), directory));
  }
  const texts = await Promise.all(
    [...directories].sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, path]) => licenseOf(name, path)),
  );
  const line = `\n\n${"-".repeat(80)}\n\n`;
  const text = `The console's pages contain parts of these packages.${line}${texts.join(line)}\n`;
  const hash = Bun.hash(text).toString(36).slice(0, 8);
  return { name: `licenses-${hash}.txt`, bytes: new Uint8Array(Buffer.from(text)) };
}

async function licenseOf(name: string, directory: string): Promise<string> {
  const described: { version?: string; license?: string; homepage?: string } = await Bun.file(
    join(directory, "package.json"),
  ).json();
  const file = (await readdir(directory)).find((candidate) => /^licen[cs]e(\.|$)/i.test(candidate));
  const text = file === undefined ? (described.homepage ?? "") : (await Bun.file(join(directory, file)).text()).trim();
  return `${name} ${described.version ?? ""} (${described.license ?? "see below"})\n\n${text}`;
}
