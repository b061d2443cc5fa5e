// Refuses passwords that are easy to guess. The lists of common passwords are loaded with the first new password: they take 30 MB.
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

const productName = "commonplace";
/** A guesser needs a hundred million tries: more than the throttle lets anybody make. */
const scoreMin = 3;
/** The check of a longer text takes long, and its beginning is enough. */
const checkedLengthMax = 64;
/** How much of a password must be something else than the name, the address, and the product. */
const ownLengthMin = 6;
/** Shorter words of a name are in other words by chance. */
const wordLengthMin = 3;

let loaded: Promise<ZxcvbnFactory> | undefined;

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
}

/** @param about what a guesser knows of the person: name and address */
export async function isEasyToGuess(password: string, about: readonly string[]): Promise<boolean> {
  const words = [productName, ...about.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= wordLengthMin)
    .sort((one, other) => other.length - one.length);
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), password.toLowerCase());
  if ([...rest.replaceAll(/[^\p{L}\p{N}]/gu, "")].length < ownLengthMin) return true;
  loaded ??= load();
  return (await loaded).check(password.slice(0, checkedLengthMax), words).score < scoreMin;
}
