// How operators reach the service from its own machine.
import { isIPv6 } from "node:net";

/** Whether an address belongs to this machine alone. */
export const isLoopback = (host: string): boolean => /^(127\.|\[?::1\]?$|localhost$)/.test(host);

/** The address at which a listener on `host` can be reached from its own machine. */
export const localAddress = (host: string): string => ({ "0.0.0.0": "127.0.0.1", "::": "::1" })[host] ?? host;

export function localUrl(scheme: "https" | "http", host: string, port: number, path: string): string {
  const address = localAddress(host);
  return `${scheme}://${isIPv6(address) ? `[${address}]` : address}:${port}${path}`;
}

/** Requests a local URL. Nothing secret is sent, so the certificate, which is for the public name, is not verified. */
export const fetchLocal = (url: string, timeoutMilliseconds: number): Promise<Response> =>
  fetch(url, {
    tls: { rejectUnauthorized: false },
    // A proxy from the environment would lead elsewhere.
    proxy: false,
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
