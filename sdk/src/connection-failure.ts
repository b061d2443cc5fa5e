// Why a request had no response: the reason that the runtime gives, which lies several causes deep, and what to do about it.
import { ConnectionError } from "./errors.ts";

/** @param cause what `fetch` threw */
export function connectionFailure(url: string, cause: unknown): ConnectionError {
  const { host, hostname } = new URL(url);
  const reason = codesOf(cause).find((code) => certificateFailures.has(code) || connectionFailures.has(code));
  const known = reason === undefined ? undefined : (certificateFailures.get(reason) ?? connectionFailures.get(reason));
  const explain = known ?? noResponse;
  const code =
    reason !== undefined && certificateFailures.has(reason) ? "certificate_not_trusted" : "connection_failed";
  const detail = reason === undefined ? "" : ` (${reason})`;
  return new ConnectionError({ code, message: explain({ host, hostname, detail }), cause });
}

/** Whether the certificate may be one of a private authority, rather than expired or of another name. */
export const isUnknownAuthority = (error: unknown): boolean =>
  codesOf(error).some((code) => certificateFailures.get(code) === untrusted);

interface Place {
  readonly host: string;
  readonly hostname: string;
  /** The runtime's code in parentheses. */
  readonly detail: string;
}

type Explain = (place: Place) => string;

const untrusted: Explain = ({ host, detail }) =>
  `The TLS certificate of ${host} is not trusted${detail}, so nothing was sent. To trust a private certificate authority, start your program with NODE_EXTRA_CA_CERTS=PATH_TO/ca.crt, or pass a fetch of your own in the client's options. The CA of a local service is tls/ca.crt in its data directory`;
const expired: Explain = ({ host, detail }) =>
  `The TLS certificate of ${host} has expired${detail}, so nothing was sent. Renew it on the server`;
const notYetValid: Explain = ({ host, detail }) =>
  `The TLS certificate of ${host} is not valid yet${detail}, so nothing was sent. Check the clock of this machine`;
const otherName: Explain = ({ host, hostname, detail }) =>
  `The TLS certificate of ${host} is not valid for the name ${hostname}${detail}, so nothing was sent. In baseUrl, use one of the names in the certificate`;

const refused: Explain = ({ host, detail }) =>
  `Could not connect to ${host}${detail}. Check that the service is running and that baseUrl is correct`;
const unknownHost: Explain = ({ hostname, detail }) => `Could not find the host ${hostname}${detail}. Check baseUrl`;
const cutOff: Explain = ({ host, detail }) =>
  `The connection to ${host} was closed before the response was complete${detail}`;
const noResponse: Explain = ({ host, detail }) => `No response from ${host}${detail}`;

/** The codes of OpenSSL and Node, which Bun uses too. */
const certificateFailures: ReadonlyMap<string, Explain> = new Map([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", untrusted],
  ["SELF_SIGNED_CERT_IN_CHAIN", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", untrusted],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", untrusted],
  ["CERT_UNTRUSTED", untrusted],
  ["CERT_REJECTED", untrusted],
  ["CERT_SIGNATURE_FAILURE", untrusted],
  ["INVALID_CA", untrusted],
  ["CERT_HAS_EXPIRED", expired],
  ["CERT_NOT_YET_VALID", notYetValid],
  ["ERR_TLS_CERT_ALTNAME_INVALID", otherName],
  ["HOSTNAME_MISMATCH", otherName],
]);

const connectionFailures: ReadonlyMap<string, Explain> = new Map([
  ["ECONNREFUSED", refused],
  ["ConnectionRefused", refused],
  ["EHOSTUNREACH", refused],
  ["ENETUNREACH", refused],
  ["ETIMEDOUT", refused],
  ["UND_ERR_CONNECT_TIMEOUT", refused],
  ["ENOTFOUND", unknownHost],
  ["EAI_AGAIN", unknownHost],
  ["ECONNRESET", cutOff],
  ["UND_ERR_SOCKET", cutOff],
]);

/** Causes are followed this far, in case they form a circle. */
const depthMax = 10;

/** The codes of an error, of its causes and of the errors that it collects. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > depthMax) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const collected = "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  const inner = "cause" in error ? [error.cause, ...collected] : collected;
  return [...own, ...inner.flatMap((one) => codesOf(one, depth + 1))];
}
