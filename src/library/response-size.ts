// Bounds the text in one answer: within all other limits a single read could ask for gigabytes, and take the service down.
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";

/** So many texts of full length, four bytes a character, are within the bound without being counted. */
const uncountedTextsMax = limits.responseTextBytesMax / (4 * limits.contentLengthMax);

/** @throws 400 when `texts` texts are more than one answer may hold; `countBytes` is only asked where that is possible */
export async function refuseTooMuchText(texts: number, countBytes: () => Promise<number>): Promise<void> {
  if (texts > uncountedTextsMax && (await countBytes()) > limits.responseTextBytesMax)
    throw errors.answerTooLarge(limits.responseTextBytesMax);
}
