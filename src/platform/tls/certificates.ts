// The certificate that the service shows: the operator's own, or one for localhost, made at the first start.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { caPathIn, localPair } from "./local-certificate.ts";

/** PEM files of the operator's own certificate. */
export interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

export interface CertificateSettings {
  readonly dataDirectory: string;
  /** Undefined: a certificate for localhost is made in the data directory. */
  readonly tls: CertificateFiles | undefined;
}

export interface Certificate {
  /** In PEM: the certificate and its chain. */
  readonly cert: string;
  readonly key: string;
  /** The CA file that a client needs to trust the localhost certificate; undefined for the operator's own. */
  readonly caPath: string | undefined;
  /** The first host name of the operator's own certificate; undefined when it is for localhost. */
  readonly hostName: string | undefined;
  readonly expiresAt: Date;
}

/** @throws OperatorError that names the file and what is wrong with it */
export async function loadCertificate(settings: CertificateSettings): Promise<Certificate> {
  if (!settings.tls) return localCertificate(join(settings.dataDirectory, "tls"));
  const { certPath, keyPath } = settings.tls;
  const [cert, key] = [readPem("COMMONPLACE_TLS_CERT_FILE", certPath), readPem("COMMONPLACE_TLS_KEY_FILE", keyPath)];
  const certificate = parse(
    `COMMONPLACE_TLS_CERT_FILE: ${certPath} does not contain a certificate`,
    () => new X509Certificate(cert),
  );
  // An incomplete chain would fail for clients that need the rest of it.
  const chain = cert.split(/(?=-----BEGIN )/).filter((pem) => pem.startsWith("-----BEGIN CERTIFICATE-----"));
  parse(`COMMONPLACE_TLS_CERT_FILE: ${certPath} contains a damaged certificate after the first one`, () =>
    chain.map((pem) => new X509Certificate(pem)),
  );
  const privateKey = parse(
    `COMMONPLACE_TLS_KEY_FILE: ${keyPath} does not contain a private key, or the key has a passphrase`,
    () => createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new OperatorError(`COMMONPLACE_TLS_KEY_FILE: ${keyPath} does not match the certificate in ${certPath}`);
  const isLocal = certificate.checkHost("localhost") !== undefined;
  const hostName = isLocal ? undefined : /DNS:([^*,]+)(?:,|$)/.exec(certificate.subjectAltName ?? "")?.[1];
  return { cert, key, caPath: undefined, hostName, expiresAt: new Date(certificate.validTo) };
}

/** Whether a certificate is for this name or address, which may be in brackets. */
export function isHostOf({ cert }: Pick<Certificate, "cert">, name: string): boolean {
  const certificate = new X509Certificate(cert);
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
}

/** The CA file that clients at this origin need; undefined if they need none, or reach another server there, such as a proxy. */
export const caPathFor = (origin: string, certificate: Certificate): string | undefined =>
  certificate.caPath !== undefined && isHostOf(certificate, new URL(origin).hostname)
    ? resolve(certificate.caPath)
    : undefined;

async function localCertificate(directory: string): Promise<Certificate> {
  const { cert, key } = await localPair(directory);
  const expiresAt = new Date(new X509Certificate(cert).validTo);
  return { cert, key, caPath: caPathIn(directory), hostName: undefined, expiresAt };
}

function parse<Parsed>(refusal: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch {
    throw new OperatorError(refusal);
  }
}

function readPem(setting: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    // The message of the system ends with the call and the path: ", open '/etc/…'".
    const reason = error instanceof Error ? error.message.replace(/, \w+( '.*')?$/, "") : error;
    throw new OperatorError(`${setting}: cannot read ${path}: ${reason}`);
  }
  if (!text.includes("-----BEGIN ")) throw new OperatorError(`${setting}: ${path} is not a PEM file`);
  return text;
}
