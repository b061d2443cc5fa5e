// Networks in CIDR notation, of IPv4 and IPv6, and which of them an address is in. An IPv4 address may also be written as IPv6
// (`::ffff:203.0.113.9`): it is the same address.

/** An address as a number, with its size in bits. */
interface Address {
  readonly size: 32 | 128;
  readonly value: bigint;
}

/** All addresses that begin with the same bits. */
export interface Network extends Address {
  readonly prefixBits: number;
}

/** @returns undefined where the text is neither a network nor an address. Bits behind the prefix are dropped. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", suffix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const parsed = parseBits(address);
  if (!parsed) return undefined;
  const prefixBits = suffix === undefined ? parsed.size : Number(suffix);
  if (prefixBits > parsed.size) return undefined;
  // A mapped network that contains nothing but mapped addresses is one of IPv4.
  const plain = prefixBits >= mappedBits ? unmapped(parsed) : parsed;
  const bits = prefixBits - (parsed.size - plain.size);
  const rest = BigInt(plain.size - bits);
  return { size: plain.size, value: (plain.value >> rest) << rest, prefixBits: bits };
}

/** The one way in which a network is written: `10.0.0.0/8`. */
export const formatNetwork = ({ size, value, prefixBits }: Network): string =>
  `${size === 32 ? formatV4(value) : formatV6(value)}/${prefixBits}`;

/** Whether one of the networks contains the address. What is no address is in none. */
export function isInNetworks(networks: readonly Network[], text: string): boolean {
  const parsed = parseBits(text.split("%", 1)[0] ?? "");
  if (!parsed) return false;
  const address = unmapped(parsed);
  return networks.some(({ size, value, prefixBits }) => {
    const rest = BigInt(size - prefixBits);
    return size === address.size && address.value >> rest === value >> rest;
  });
}

const mappedBits = 96;
const mappedPrefix = 0xffffn;

const unmapped = (address: Address): Address =>
  address.size === 128 && address.value >> 32n === mappedPrefix
    ? { size: 32, value: address.value & 0xffffffffn }
    : address;

const parseBits = (text: string): Address | undefined => (text.includes(":") ? parseV6(text) : parseV4(text));

function parseV4(text: string): Address | undefined {
  const parts = text.split(".");
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return isAddress ? { size: 32, value: joined(parts.map(Number), 8n) } : undefined;
}

/** URLs contain IPv6 addresses, so the platform knows how to read one, and writes it in its shortest form. */
function parseV6(text: string): Address | undefined {
  const url = `http://[${text}]/`;
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  const [head = "", tail] = new URL(url).hostname.slice(1, -1).split("::");
  const groupsOf = (part: string | undefined) =>
    part ? part.split(":").map((group) => Number.parseInt(group, 16)) : [];
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return { size: 128, value: joined([...before, ...zeros, ...after], 16n) };
}

const joined = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);

const split = (value: bigint, count: number, bits: bigint): number[] =>
  Array.from({ length: count }, (_, index) =>
    Number((value >> (bits * BigInt(count - 1 - index))) & ((1n << bits) - 1n)),
  );

const formatV4 = (value: bigint): string => split(value, 4, 8n).join(".");

const formatV6 = (value: bigint): string => {
  const groups = split(value, 8, 16n).map((group) => group.toString(16));
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
};
