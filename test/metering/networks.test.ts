// Networks in CIDR notation: how they are written, and which addresses are in them, compared with Node's own list.
import { describe, expect, test } from "bun:test";
import { BlockList } from "node:net";
import fc from "fast-check";
import { formatNetwork, isInNetworks, parseNetwork } from "../../src/contract/networks.ts";
import "../support/once.ts";

const written = (text: string): string | undefined => {
  const network = parseNetwork(text);
  return network && formatNetwork(network);
};

describe("a network", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9/32"],
    ["203.0.113.9/24", "203.0.113.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8::1", "2001:db8::1/128"],
    ["2001:db8:0:0:ffff::/33", "2001:db8::/33"],
    ["::/0", "::/0"],
    ["::ffff:203.0.113.9", "203.0.113.9/32"],
    ["::ffff:203.0.113.9/120", "203.0.113.0/24"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["1::2:3:4:5:6:7", "1:0:2:3:4:5:6:7/128"],
  ])("%s is written as %s", (text, expected) => expect(written(text)).toBe(expected));

  test.each([
    ...[
      "",
      " ",
      "/",
      "/8",
      "203.0.113.9/",
      "203.0.113.9/33",
      "203.0.113.9/-1",
      "203.0.113.9/08x",
      "203.0.113",
      "1.2.3.4.5",
    ],
    ...[
      "256.0.0.1",
      "01.2.3.4",
      "0x1.2.3.4",
      "1.2.3.4 ",
      "2001:db8::/129",
      "2001:db8",
      "1::2::3",
      "fe80::1%eth0",
      "[::1]",
    ],
    ...["::1]/x", "::ffff:1.2.3", "example.com", "10.0.0.0/8/8", "10.0.0.0\\8", "::@1"],
  ])("%p is none", (text) => expect(parseNetwork(text)).toBeUndefined());

  test("contains the addresses that Node's list says, and an address in its IPv6 form like itself", () => {
    const near = (base: string, changes: number) => {
      const bytes = base.split(".").map(Number);
      return bytes.map((byte, index) => (index === changes % 5 ? byte ^ (1 << (changes % 8)) : byte)).join(".");
    };
    const v6 = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(":");
    const groups = fc.array(fc.constantFrom(0, 1, 0x2001, 0xdb8, 0x8000, 0xffff), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(32), fc.nat(40), (network, bits, changes) => {
        const list = new BlockList();
        list.addSubnet(network, bits, "ipv4");
        const networks = [parseNetwork(`${network}/${bits}`)].filter((one) => one !== undefined);
        const address = near(network, changes);
        expect(isInNetworks(networks, address)).toBe(list.check(address));
        expect(isInNetworks(networks, `::ffff:${address}`)).toBe(list.check(address));
        expect(isInNetworks(networks, "::1")).toBe(false);
      }),
    );
    fc.assert(
      fc.property(groups, groups, fc.nat(128), fc.nat(8), (one, other, bits, same) => {
        const list = new BlockList();
        list.addSubnet(v6(one), bits, "ipv6");
        const networks = [parseNetwork(`${v6(one)}/${bits}`)].filter((each) => each !== undefined);
        const address = v6([...one.slice(0, same), ...other.slice(same)]);
        if (isMapped(one) || isMapped([...one.slice(0, same), ...other.slice(same)])) return;
        expect(isInNetworks(networks, address)).toBe(list.check(address, "ipv6"));
        expect(isInNetworks(networks, `${address}%eth0`)).toBe(list.check(address, "ipv6"));
      }),
    );
    for (const text of ["", "unknown", "203.0.113.9.1"])
      expect(
        isInNetworks(
          [parseNetwork("0.0.0.0/0"), parseNetwork("::/0")].filter((one) => one !== undefined),
          text,
        ),
      ).toBe(false);
  });
});

const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
