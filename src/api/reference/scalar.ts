// The script of the reference page: Scalar, as its package has it, with its license at the top.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

/** Most of what the highest quality saves, in a fraction of its time. */
const brotliQuality = 9;

/** The script, compressed with Brotli outside of the main thread. The executable has it inside: `scripts/build.ts` replaces this module. */
export async function compressedScalar(): Promise<Uint8Array<ArrayBuffer>> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  return new Uint8Array(await promisify(brotliCompress)(scalarScript(), { params }));
}

/**
 * The script as the package has it. Scalar's plugin for Fastify carries all of it as one string; it installs 5 MB, where the package that it
 * comes from installs 287.
 */
export function scalarScript(): string {
  const main = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  const folder = dirname(dirname(main));
  const license = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  const script = withOwnWords(scriptOf(readFileSync(main, "utf8")).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
  return `/*! Scalar API reference ${version}\n${license} */\n${script}`;
}

/** What no setting of Scalar changes: the word in place of a key, and the start of a curl command, which `reference.js` determines. */
const ownWords = [
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are parts of the script, not templates.
  ["YOUR_SECRET_TOKEN", "YOUR_KEY", 3],
  ["`curl ${", "`${globalThis.curlStart} ${", 1],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.
] as const;

/** @throws if another version of Scalar has these words in other places */
function withOwnWords(script: string): string {
  return ownWords.reduce((text, [theirs, ours, places]) => {
    const parts = text.split(theirs);
    if (parts.length !== places + 1) throw new Error(`Scalar has ${theirs} in ${parts.length - 1} places`);
    return parts.join(ours);
  }, script);
}

/** The string of the plugin with the script, read rather than imported: what the plugin imports is not installed (package.json, overrides). */
function scriptOf(plugin: string): string {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(plugin) ?? [];
  if (literal === undefined) throw new Error("the package of Scalar has no script");
  // Unlike JavaScript, JSON does not allow control characters in a string.
  return JSON.parse(literal.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))) as string;
}
