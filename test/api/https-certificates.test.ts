// The certificate of a service: one for localhost that it creates itself, or the operator's own (decisions, HTTPS).
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkServerIdentity } from "node:tls";
import { generate } from "selfsigned";
import { readConfig } from "../../src/config.ts";
import { loadCertificate } from "../../src/platform/tls/certificates.ts";
import { startService as start } from "../../src/service.ts";
import { startService, temporaryDirectory } from "../support/service.ts";
import { openTls } from "../support/sockets.ts";

const day = 86_400_000;

/** Writes a certificate for localhost that expires in this many days, and its key. */
async function makeFiles(
  directory: string,
  days = 90,
  keyType: "ec" | "rsa" = "ec",
): Promise<{ certPath: string; keyPath: string }> {
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType,
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + days * day),
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  mkdirSync(directory, { recursive: true });
  const paths = { certPath: join(directory, "localhost.crt"), keyPath: join(directory, "localhost.key") };
  writeFileSync(paths.certPath, made.cert);
  writeFileSync(paths.keyPath, made.private);
  return paths;
}

/** All that a client of TLS 1.2 can offer here. */
const oldAndNewCiphers = [
  ...["ECDSA", "RSA"].flatMap((kind) =>
    ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305", "AES128-SHA", "AES256-SHA"].map(
      (suite) => `ECDHE-${kind}-${suite}`,
    ),
  ),
  ...["AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA", "AES256-SHA"],
];

describe("the certificate for localhost", () => {
  const filesOf = (dataDirectory: string) => ({
    ca: new X509Certificate(readFileSync(join(dataDirectory, "tls/ca.crt"))),
    leaf: new X509Certificate(readFileSync(join(dataDirectory, "tls/localhost.crt"))),
  });

  test("is made at the first start and valid for localhost, 127.0.0.1 and ::1 against ca.crt", async () => {
    const started = await startService();
    const { ca, leaf } = filesOf(started.dataDirectory);
    expect(started.service.certificate.caPath).toBe(join(started.dataDirectory, "tls/ca.crt"));
    expect(leaf.checkIssued(ca)).toBe(true);
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect({ ca: ca.ca, leaf: leaf.ca }).toEqual({ ca: true, leaf: false });
    expect([leaf.checkHost("localhost"), leaf.checkIP("127.0.0.1"), leaf.checkIP("::1")]).toEqual([
      "localhost",
      "127.0.0.1",
      "::1",
    ]);
    expect([leaf.checkHost("example.com"), leaf.checkIP("192.0.2.1")]).toEqual([undefined, undefined]);
    const days = (Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / day;
    expect(days).toBeLessThanOrEqual(398);
    expect(Date.parse(leaf.validFrom)).toBeLessThan(Date.now());
  });

  test("a client that trusts ca.crt verifies it under each of the three names", async () => {
    const started = await startService();
    for (const name of ["localhost", "127.0.0.1", "::1"]) {
      const socket = await openTls(started.service.port, {
        ca: started.ca,
        checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
      });
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
  });

  test("a client that does not trust ca.crt refuses it", async () => {
    const started = await startService();
    const opening = openTls(started.service.port);
    expect(
      await opening.then(
        () => "opened",
        (error: Error & { code?: string }) => error.code,
      ),
    ).toMatch(/VERIFY|SELF_SIGNED|UNABLE/);
  });

  test("its key file is the owner's alone (0600), and the authority's key is kept nowhere", async () => {
    const started = await startService();
    const directory = join(started.dataDirectory, "tls");
    expect(readdirSync(directory).sort()).toEqual(["ca.crt", "localhost.crt", "localhost.key"]);
    expect(statSync(join(directory, "localhost.key")).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o077).toBe(0);
    const { ca, leaf } = filesOf(started.dataDirectory);
    expect(ca.publicKey.equals(leaf.publicKey)).toBe(false);
  });

  test("stays the same at the next start", async () => {
    const config = readConfig({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() });
    expect(await loadCertificate(config)).toEqual(await loadCertificate(config));
  });

  test.each([
    [29, true],
    [31, false],
    [-1, true],
  ])("with %i days left it is made again: %p", async (days, isRenewed) => {
    const dataDirectory = temporaryDirectory();
    const { certPath } = await makeFiles(join(dataDirectory, "tls"), days);
    writeFileSync(join(dataDirectory, "tls/ca.crt"), readFileSync(certPath));
    const before = readFileSync(certPath, "utf8");

    const { cert } = await loadCertificate(readConfig({ COMMONPLACE_DATA_DIRECTORY: dataDirectory }));

    expect(cert !== before).toBe(isRenewed);
    if (!isRenewed) return;
    const { ca, leaf } = filesOf(dataDirectory);
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(Date.parse(leaf.validTo)).toBeGreaterThan(Date.now() + 300 * day);
  });

  test.each(["ca.crt", "localhost.crt", "localhost.key"])(
    "without %s, or with half of it, it is made again",
    async (name) => {
      const config = readConfig({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() });
      const before = await loadCertificate(config);
      const path = join(config.dataDirectory, "tls", name);
      writeFileSync(path, readFileSync(path, "utf8").slice(0, 60));

      const after = await loadCertificate(config);

      expect(after.cert).not.toBe(before.cert);
      const { ca, leaf } = filesOf(config.dataDirectory);
      expect(leaf.verify(ca.publicKey)).toBe(true);
    },
  );
});

describe("the operator's own certificate", () => {
  test.each(["ec", "rsa"] as const)("%s: TLS 1.2 uses ephemeral keys and authenticated encryption", async (type) => {
    const tls = await makeFiles(temporaryDirectory(), 90, type);
    const { service } = await startService({ config: { tls } });
    const accepted: string[] = [];
    for (const cipher of oldAndNewCiphers) {
      const opening = openTls(service.port, { rejectUnauthorized: false, maxVersion: "TLSv1.2", ciphers: cipher });
      const socket = await opening.catch((error: Error) => {
        expect(error.message).toContain("HANDSHAKE_FAILURE");
        return undefined;
      });
      if (socket) accepted.push(cipher);
      socket?.destroy();
    }
    const suites = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"];
    expect(accepted).toEqual(suites.map((suite) => `ECDHE-${type === "ec" ? "ECDSA" : "RSA"}-${suite}`));
  });

  test("is served, and none is made", async () => {
    const tls = await makeFiles(temporaryDirectory());
    const started = await startService({ config: { tls } });
    expect(started.service.certificate.caPath).toBeUndefined();
    expect(readdirSync(started.dataDirectory)).not.toContain("tls");
    const socket = await openTls(started.service.port, { ca: readFileSync(tls.certPath, "utf8") });
    expect(socket.authorized).toBe(true);
    expect(new X509Certificate(socket.getPeerCertificate().raw).fingerprint256).toBe(
      new X509Certificate(readFileSync(tls.certPath)).fingerprint256,
    );
    socket.destroy();
    await started.service.stop();
  });

  test("what can not be served is refused at the start with one line that names the setting and the file", async () => {
    const directory = temporaryDirectory();
    const good = await makeFiles(join(directory, "good"));
    const other = await makeFiles(join(directory, "other"));
    const [noPem, garbage, locked, missing] = ["notes.txt", "garbage.pem", "locked.pem", "missing.pem"].map((name) =>
      join(directory, name),
    ) as [string, string, string, string];
    writeFileSync(noPem, "not a certificate");
    writeFileSync(garbage, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    const { privateKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "a passphrase" },
    });
    writeFileSync(locked, privateKey);

    for (const [certPath, keyPath, message] of [
      [missing, good.keyPath, `COMMONPLACE_TLS_CERT_FILE: cannot read ${missing}: `],
      [good.certPath, missing, `COMMONPLACE_TLS_KEY_FILE: cannot read ${missing}: `],
      [directory, good.keyPath, `COMMONPLACE_TLS_CERT_FILE: cannot read ${directory}: `],
      [noPem, good.keyPath, `COMMONPLACE_TLS_CERT_FILE: ${noPem} is not a PEM file`],
      [good.certPath, noPem, `COMMONPLACE_TLS_KEY_FILE: ${noPem} is not a PEM file`],
      [garbage, good.keyPath, `COMMONPLACE_TLS_CERT_FILE: ${garbage} does not contain a certificate`],
      [good.keyPath, good.keyPath, `COMMONPLACE_TLS_CERT_FILE: ${good.keyPath} does not contain a certificate`],
      [
        good.certPath,
        good.certPath,
        `COMMONPLACE_TLS_KEY_FILE: ${good.certPath} does not contain a private key, or the key has a passphrase`,
      ],
      [
        good.certPath,
        locked,
        `COMMONPLACE_TLS_KEY_FILE: ${locked} does not contain a private key, or the key has a passphrase`,
      ],
      [
        good.certPath,
        other.keyPath,
        `COMMONPLACE_TLS_KEY_FILE: ${other.keyPath} does not match the certificate in ${good.certPath}`,
      ],
    ] as const) {
      const config = readConfig({
        COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(),
        COMMONPLACE_HTTPS_PORT: "0",
        COMMONPLACE_HTTP_PORT: "off",
      });
      const starting = start({ ...config, tls: { certPath, keyPath } });
      const refusal = await starting.then(
        () => "started",
        (error: Error) => `${error.name}: ${error.message}`,
      );
      expect(refusal).toStartWith(`OperatorError: ${message}`);
      expect(refusal).not.toContain("\n");
    }
  });

  test("the certificate without its key, or the other way round, is refused", () => {
    for (const name of ["COMMONPLACE_TLS_CERT_FILE", "COMMONPLACE_TLS_KEY_FILE"])
      expect(() => readConfig({ [name]: "file.pem" })).toThrow(
        "COMMONPLACE_TLS_CERT_FILE and COMMONPLACE_TLS_KEY_FILE must be set together",
      );
  });
});
