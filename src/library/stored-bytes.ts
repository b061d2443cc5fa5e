// How much of a workspace's storage the parts of its library take (decisions, Storage).

/** What a row takes besides its texts: each variation, each former version, each folder, and each tag is one. */
export const rowBytes = 256;

/** The bytes of texts as they are stored, in UTF-8. */
export const textBytes = (...texts: readonly (string | null | undefined)[]): number =>
  texts.reduce((sum, text) => sum + (text ? Buffer.byteLength(text) : 0), 0);

/** A row with these texts. */
export const bytesOfRow = (...texts: readonly string[]): number => rowBytes + textBytes(...texts);

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
