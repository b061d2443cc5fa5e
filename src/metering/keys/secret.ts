// The secret of an API key: how it is made, recognised and kept (decisions, section 9). Only its hash is ever stored.

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomCharacters = 32;
const checksumCharacters = 6;

/** How secrets with a prefix are made and recognised: the prefix, 32 random base62 characters, and the checksum of everything before. */
export function secretForm(prefix: string) {
  const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${randomCharacters + checksumCharacters}}$`);
  return {
    make: (): string => {
      const body = prefix + Array.from({ length: randomCharacters }, randomCharacter).join("");
      return body + checksum(body);
    },
    is: (text: string): boolean =>
      pattern.test(text) && checksum(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters),
    startOf: (secret: string): string => secret.slice(0, prefix.length + 4),
  };
}

const keyForm = secretForm("cpl_");

/** A new secret of an API key. */
export const newSecret = keyForm.make;

/** True when the text can be a secret at all: its form and its checksum are right. */
export const isSecret = keyForm.is;

/** What a list may show: the prefix and the first 4 characters. */
export const startOf = keyForm.startOf;

/** SHA-256 of the whole secret, in hex: what is stored and looked up. */
export const hashOf = (secret: string): string => new Bun.CryptoHasher("sha256").update(secret).digest("hex");

/** Anything that looks like a secret, percent-encoded ones included, is taken out of a text before it may be logged. */
export const withoutSecrets = (text: string): string =>
  text.replace(/(cpl|cpt)(?:_|%(?:25)*5f)[0-9a-z]{4,}/gi, (_, prefix: string) => `${prefix.toLowerCase()}_[removed]`);

/** CRC32 (IEEE) in base62, most significant first, zero padded. */
function checksum(body: string): string {
  let rest = Bun.hash.crc32(body);
  let digits = "";
  for (let index = 0; index < checksumCharacters; index += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** Each character equally likely: bytes beyond the last whole multiple of 62 are thrown again. */
function randomCharacter(): string {
  const usable = 256 - (256 % alphabet.length);
  for (;;) {
    const byte = crypto.getRandomValues(new Uint8Array(1))[0] ?? 255;
    if (byte < usable) return alphabet.charAt(byte % alphabet.length);
  }
}
