// Which addresses are on the public internet. Everything else may be something that only this machine or its network can reach.
import { isIP } from "node:net";
import { isInNetworks, type Network, parseNetwork } from "../contract/networks.ts";

const parsed = (texts: readonly string[]): Network[] =>
  texts.map(parseNetwork).filter((network) => network !== undefined);

/** The registries of special addresses (RFC 6890), and one address that is public but answers only inside a cloud. */
const specialV4 = parsed([
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"],
]);
const allV4 = parsed(["0.0.0.0/0"]);
const globalV6 = parsed(["2000::/3"]);
const specialV6 = parsed(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** @param address an IP address; one of IPv4 may be written as IPv6 */
export const isPublicAddress = (address: string): boolean =>
  isInNetworks(allV4, address)
    ? !isInNetworks(specialV4, address)
    : isInNetworks(globalV6, address) && !isInNetworks(specialV6, address);

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Whether a host may be used, as far as its name tells. @param allowedHosts as they are in a URL */
export function isAllowedHost(address: string, allowedHosts: readonly string[]): boolean {
  const url = new URL(address);
  const host = hostOf(url);
  return allowedHosts.includes(url.hostname) || isIP(host) === 0 || isPublicAddress(host);
}
