// The certificate that the service shows: the operator's own, or one for localhost, made at the first start.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { Refusal } from "../refusal.ts";

export interface Certificate {
  /** PEM: the certificate and what leads to its authority. */
  readonly cert: string;
  readonly key: string;
  /** File that a client takes to trust the localhost certificate; undefined for the operator's own. */
  readonly caPath: string | undefined;
  /** The first host name on the operator's own certificate, where it is not for localhost. */
  readonly hostName: string | undefined;
}

const day = 86_400_000;
/** Within what browsers and operating systems accept of a server certificate. */
const validDays = 397;
const renewedBeforeDays = 30;

/** @throws Refusal that names the file and what is wrong with it */
export async function loadCertificate(config: Config): Promise<Certificate> {
  if (!config.tls) return localCertificate(join(config.dataDirectory, "tls"));
  const { certPath, keyPath } = config.tls;
  const [cert, key] = [readPem("COMMONPLACE_TLS_CERT", certPath), readPem("COMMONPLACE_TLS_KEY", keyPath)];
  const certificate = parse(`COMMONPLACE_TLS_CERT: ${certPath} holds no certificate`, () => new X509Certificate(cert));
  const privateKey = parse(`COMMONPLACE_TLS_KEY: ${keyPath} holds no private key without a passphrase`, () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new Refusal(`COMMONPLACE_TLS_KEY: ${keyPath} is not the key of the certificate in ${certPath}`);
  const isLocal = certificate.checkHost("localhost") !== undefined;
  const hostName = isLocal ? undefined : /DNS:([^*,]+)(?:,|$)/.exec(certificate.subjectAltName ?? "")?.[1];
  return { cert, key, caPath: undefined, hostName };
}

function parse<Parsed>(refusal: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch {
    throw new Refusal(refusal);
  }
}

function readPem(setting: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Refusal(`${setting}: can not read ${path}: ${error instanceof Error ? error.message : error}`);
  }
  if (!text.includes("-----BEGIN ")) throw new Refusal(`${setting}: ${path} is not a PEM file`);
  return text;
}

/**
 * A certificate for localhost, signed by an authority that is made for it alone and whose key is thrown away at once: who trusts
 * the CA file trusts this one certificate and nothing that anybody could sign later.
 */
async function localCertificate(directory: string): Promise<Certificate> {
  const paths = {
    ca: join(directory, "ca.crt"),
    cert: join(directory, "localhost.crt"),
    key: join(directory, "localhost.key"),
  };
  if (!isUsable(paths)) {
    // Loaded only when needed: making certificates is much code, and every later start does without.
    const { generate } = await import("selfsigned");
    const now = Date.now();
    const span = { notBeforeDate: new Date(now - day), notAfterDate: new Date(now + validDays * day) };
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
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    replaceFile(paths.key, leaf.private, 0o600);
    replaceFile(paths.cert, leaf.cert, 0o644);
    replaceFile(paths.ca, ca.cert, 0o644);
  }
  const [cert, key] = [readFileSync(paths.cert, "utf8"), readFileSync(paths.key, "utf8")];
  return { cert, key, caPath: paths.ca, hostName: undefined };
}

/** False when the files are not there, damaged, of different makings (after a start that was cut off), or near their end. */
function isUsable(paths: { ca: string; cert: string; key: string }): boolean {
  try {
    const [ca, cert] = [new X509Certificate(readFileSync(paths.ca)), new X509Certificate(readFileSync(paths.cert))];
    const isOneMaking = cert.verify(ca.publicKey) && cert.checkPrivateKey(createPrivateKey(readFileSync(paths.key)));
    return isOneMaking && Date.parse(cert.validTo) > Date.now() + renewedBeforeDays * day;
  } catch {
    return false;
  }
}

/** Writes beside and renames, so that no start ever reads half a file. */
function replaceFile(path: string, text: string, mode: number): void {
  const beside = `${path}.new`;
  writeFileSync(beside, text, { mode });
  chmodSync(beside, mode);
  renameSync(beside, path);
}
