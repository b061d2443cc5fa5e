// Whether a text is a public key of age. Its checksum (Bech32) is verified here, so that a mistyped key stops the service at its start, and
// not every backup after it; the library that encrypts is loaded only for that.

const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

export function isRecipient(text: string): boolean {
  const end = text.lastIndexOf("1");
  const [prefix, data] = [text.slice(0, end), text.slice(end + 1)];
  if (!/^age(1pq)?$/.test(prefix) || data.length < 40) return false;
  const values = [...data].map((digit) => digits.indexOf(digit));
  if (values.includes(-1)) return false;
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return checksumOf([...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]) === 1;
}

function checksumOf(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) sum ^= generator;
  }
  return sum;
}
