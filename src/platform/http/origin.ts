// The address under which people and programs find the service.
import { isIPv6 } from "node:net";

const httpsPort = 443;

/**
 * The origin of the console as browsers spell it: without the default port.
 * @param hostName of the operator's certificate
 */
export function originOf(
  config: { readonly host: string; readonly publicOrigin: string | undefined },
  hostName: string | undefined,
  port: number,
): string {
  const made = `https://${hostName ?? addressOf(config.host)}${port === httpsPort ? "" : `:${port}`}`;
  return config.publicOrigin ?? made;
}

/** How a client on this computer addresses the listener. */
export function addressOf(host: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(host)) return "localhost";
  return isIPv6(host) ? `[${host}]` : host;
}
