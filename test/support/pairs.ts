// Certificates for tests with their keys, and the fingerprints that clients see.
import { X509Certificate } from "node:crypto";
import { generate } from "selfsigned";
import { openTls } from "./sockets.ts";

const day = 86_400_000;

/** PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A self-signed certificate for localhost that expires in this many days. */
export async function makePair(days = 90): Promise<Pair> {
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + days * day),
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  return { cert: `${made.cert.trimEnd()}\n`, key: `${made.private.trimEnd()}\n` };
}

export const fingerprintOf = (cert: string | Buffer): string => new X509Certificate(cert).fingerprint256;

/** The fingerprint of the certificate that a new connection gets. */
export async function shownFingerprint(port: number, host = "127.0.0.1"): Promise<string> {
  const socket = await openTls(port, { host, rejectUnauthorized: false });
  try {
    return fingerprintOf(socket.getPeerCertificate().raw);
  } finally {
    socket.destroy();
  }
}
