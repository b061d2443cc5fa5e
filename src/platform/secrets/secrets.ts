// Secrets that open something: how they are made, recognized, hashed, and kept out of the log (decisions, Keys).

/** How each kind of secret begins: it tells them apart, and scanners find one in a leak. */
export const secretPrefixes = { apiKey: "cpl_", accessToken: "cpt_", webhook: "whsec_" } as const;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomCharacters = 32;
const checksumCharacters = 6;
const shownCharacters = 4;

/** A kind of secret: its prefix, 32 random base62 characters, and a checksum of everything before it. */
export interface SecretForm {
  readonly make: () => string;
  /** True when the text can be such a secret at all: its form and its checksum are right. */
  readonly is: (text: string) => boolean;
  /** What a list may show: the prefix and the first 4 random characters. */
  readonly startOf: (secret: string) => string;
}

export function secretForm(prefix: string): SecretForm {
  const pattern = new RegExp(`^${prefix}[0-9A-Za-z]{${randomCharacters + checksumCharacters}}$`);
  return {
    make: () => {
      const body = prefix + randomText(randomCharacters);
      return body + checksum(body);
    },
    is: (text) =>
      pattern.test(text) && checksum(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters),
    startOf: (secret) => secret.slice(0, prefix.length + shownCharacters),
  };
}

/** SHA-256 of the whole secret, in hex: what is stored and looked up. */
export const hashSecret = (secret: string): string => new Bun.CryptoHasher("sha256").update(secret).digest("hex");

const prefixWords = Object.values(secretPrefixes).map((prefix) => prefix.slice(0, -1));
const looksLikeSecret = new RegExp(`(${prefixWords.join("|")})(?:_|%(?:25)*5f)[0-9a-z]{4,}`, "gi");

/** Removes from a text everything that looks like a secret, percent-encoded ones included, before it may be logged. */
export const redactSecrets = (text: string): string =>
  text.replace(looksLikeSecret, (_, prefix: string) => `${prefix.toLowerCase()}_[removed]`);

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

/** So many random letters and digits. */
export const randomText = (length: number): string => Array.from({ length }, randomCharacter).join("");

/** Each character is equally likely: bytes beyond the last whole multiple of 62 are drawn again. */
function randomCharacter(): string {
  const usable = 256 - (256 % alphabet.length);
  for (;;) {
    const byte = crypto.getRandomValues(new Uint8Array(1))[0] ?? 255;
    if (byte < usable) return alphabet.charAt(byte % alphabet.length);
  }
}
