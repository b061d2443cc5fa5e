// Makes the certificate for localhost.

import { dayMilliseconds } from "../time.ts";

/** In PEM. */
export interface LocalCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** As long as browsers and operating systems accept for a server certificate. */
const validDays = 397;

/**
 * Signed by an authority that is made for it alone and whose key is discarded: trusting the CA file means trusting this certificate and
 * nothing that could be signed later.
 */
export async function makeLocalCertificate(): Promise<LocalCertificate> {
  // Loaded only when needed: it is much code, and later starts do not need it.
  const { generate } = await import("selfsigned");
  const now = Date.now();
  const span = {
    notBeforeDate: new Date(now - dayMilliseconds),
    notAfterDate: new Date(now + validDays * dayMilliseconds),
  };
  const ca = await generate([{ name: "commonName", value: "Commonplace on this computer" }], {
    keyType: "ec",
    algorithm: "sha256",
    ...span,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    ...span,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { ca: ca.cert, cert: leaf.cert, key: leaf.private };
}
