// Posts JSON to an HTTPS address that a customer has chosen. Only the public internet can be reached, and hosts that the operator names:
// the name is looked up once, and the connection goes to the address that was checked. No redirect is followed, no proxy is used, and of
// the response, only the status is read.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";
import { type Post, PostFailed } from "../metering/alerts/deliveries.ts";
import { hostOf, isPublicAddress } from "../platform/public-address.ts";

export interface PostOptions {
  /** Hosts that may be in any network. */
  readonly allowedHosts: readonly string[];
  /** PEM of a certificate authority to trust instead of the system's. */
  readonly ca?: string;
  /** All addresses of a name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly timeoutSeconds?: number;
}

const timeoutSecondsDefault = 10;
const responseBytesMax = 16 * 1024;

const resolveName = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true, order: "ipv4first" })).map(({ address }) => address);

export function createPost({
  allowedHosts,
  ca,
  resolve = resolveName,
  timeoutSeconds = timeoutSecondsDefault,
}: PostOptions): Post {
  return async (text, body, headers) => {
    const url = new URL(text);
    const end = Promise.withResolvers<never>();
    const timer = setTimeout(() => end.reject(new PostFailed("timeout")), timeoutSeconds * 1_000);
    const stopping = new AbortController();
    try {
      const address = await Promise.race([findAddress(url, allowedHosts, resolve), end.promise]);
      return await Promise.race([
        exchange(url, address, requestOf(url, body, headers), ca, stopping.signal),
        end.promise,
      ]);
    } finally {
      clearTimeout(timer);
      stopping.abort();
    }
  };
}

/** @throws PostFailed where one of the host's addresses is not public */
async function findAddress(
  url: URL,
  allowedHosts: readonly string[],
  resolve: (host: string) => Promise<readonly string[]>,
): Promise<string> {
  const host = hostOf(url);
  const addresses =
    isIP(host) === 0
      ? await resolve(host).catch(() => {
          throw new PostFailed("host_not_found");
        })
      : [host];
  const [address] = addresses;
  if (address === undefined) throw new PostFailed("host_not_found");
  if (!allowedHosts.includes(url.hostname) && !addresses.every(isPublicAddress))
    throw new PostFailed("private_address");
  return address;
}

/** The parts of a URL contain no line ends. */
function requestOf(url: URL, body: string, headers: Readonly<Record<string, string>>): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "User-Agent: Commonplace",
    "Content-Type: application/json",
    `Content-Length: ${bytes.length}`,
    "Connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(lines.join("\r\n")), bytes]);
}

/** Sends a request once the certificate is known to be the host's. @returns the status of the response */
function exchange(
  url: URL,
  address: string,
  request: Buffer,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const host = hostOf(url);
  let isSecure = false;
  let response = "";
  const socket = connect(
    {
      host: address,
      port: Number(url.port) || 443,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
      minVersion: "TLSv1.2",
    },
    () => {
      isSecure = true;
      socket.write(request);
    },
  );
  signal.addEventListener("abort", () => socket.destroy());
  socket.on("data", (data: Buffer) => {
    response += data.toString("latin1");
    const status = statusOf(response);
    if (status !== undefined) resolve(status);
    else if (response.length > responseBytesMax) reject(new PostFailed("no_response"));
  });
  socket.on("error", (error: Error & { code?: unknown }) =>
    reject(new PostFailed(isSecure ? "no_response" : isAboutCertificate(error) ? "certificate" : "connection")),
  );
  socket.on("close", () => reject(new PostFailed(isSecure ? "no_response" : "connection")));
  return promise;
}

/** The first status that is not informational; undefined while it has not arrived. */
function statusOf(response: string): number | undefined {
  let rest = response;
  for (;;) {
    const [, status] = /^HTTP\/1\.[01] (\d{3})[^\n]*\n/.exec(rest) ?? [];
    if (status === undefined || !status.startsWith("1")) return status === undefined ? undefined : Number(status);
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    rest = rest.slice(end + 4);
  }
}

const isAboutCertificate = ({ code }: { code?: unknown }): boolean =>
  typeof code === "string" && /CERT|SIGN|ISSUER|VERIFY|ALTNAME/.test(code);
