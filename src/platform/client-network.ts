// Which client addresses count as one client, wherever failures are counted.

/** What counts as one client: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const following = tail ? tail.split(":") : [];
  const filled =
    tail === undefined
      ? groups
      : [...groups, ...Array<string>(8 - groups.length - following.length).fill("0"), ...following];
  return `${filled
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
