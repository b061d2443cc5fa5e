// Looks for a secret in bytes, in every form in which a program could have written it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A text as it is, in hexadecimal digits, in base64 at each of its three alignments, in a URL, and as JSON escapes. */
export function formsOf(needle: string): string[] {
  const hex = Buffer.from(needle).toString("hex");
  const base64 = [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.from("\0".repeat(shift) + needle).toString("base64");
    // The first and last characters also depend on the bytes beside the text.
    const inner = encoded.replaceAll("=", "").slice(shift === 0 ? 0 : 4, -2);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const escapes = [...needle].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  return [needle, hex, hex.toUpperCase(), ...base64, encodeURIComponent(needle), escapes];
}

/** The places whose bytes contain one of these pieces of a secret in any form. */
export const placesWith = (pieces: readonly string[], places: Readonly<Record<string, Buffer>>): string[] =>
  Object.entries(places).flatMap(([name, bytes]) =>
    pieces.flatMap(formsOf).some((form) => bytes.includes(form)) ? [name] : [],
  );

/** Every file in a directory, with its bytes. */
export const filesIn = (directory: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path)]),
  );
