// Interface, Authentication 7; decisions, section 11: HTTPS only, the certificate, proxies that end TLS.
import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { join } from "node:path";
import { checkServerIdentity } from "node:tls";
import { generate } from "selfsigned";
import { readConfig } from "../../src/config.ts";
import { receive, trustedProxies } from "../../src/platform/http/receive.ts";
import { loadCertificate } from "../../src/platform/tls/certificates.ts";
import { startService as start } from "../../src/service.ts";
import { newId } from "../support/expect.ts";
import { type Started, startService, temporaryDirectory } from "../support/service.ts";
import { exchange, openPlain, openTls, readToEnd, requestText } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";
const day = 86_400_000;
const hsts = "max-age=31536000";

const bearer = (started: Started) => ({ Authorization: `Bearer ${started.key.secret}` });
const httpsRequired = { success: false, message: "HTTPS is required", error: "https_required", requestId: newId };

/** A pair of files with a certificate for localhost that ends so many days from now. */
async function makeFiles(directory: string, days = 90): Promise<{ certPath: string; keyPath: string }> {
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
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

/** One request over HTTP/2. */
const request2 = (session: ClientHttp2Session, headers: Record<string, string>, body?: string) =>
  new Promise<{ status: unknown; headers: Record<string, unknown>; body: unknown }>((resolve, reject) => {
    const stream = session.request(headers);
    let [status, received, text]: [unknown, Record<string, unknown>, string] = [undefined, {}, ""];
    stream.on("response", (given) => {
      status = given[":status"];
      received = { ...given };
    });
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    stream.on("end", () => resolve({ status, headers: received, body: text === "" ? undefined : JSON.parse(text) }));
    stream.on("error", reject);
    stream.end(body);
  });

describe("TLS", () => {
  test.each(["TLSv1.2", "TLSv1.3"] as const)("%s is accepted", async (version) => {
    const started = await startService();
    const socket = await openTls(started.service.port, { ca: started.ca, minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    const answer = await exchange(socket, requestText("GET", `/api/tags?ids=${never}`, bearer(started)));
    expect(answer.status).toBe(200);
    expect(answer.body.success).toBe(true);
  });

  test.each(["TLSv1", "TLSv1.1"] as const)("%s is refused by the service", async (version) => {
    const started = await startService();
    const opening = openTls(started.service.port, { ca: started.ca, minVersion: version, maxVersion: version });
    // The alert comes from the other end: this end did offer the old version.
    expect(await opening.catch((error: Error & { code?: string }) => error.code)).toBe(
      "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    );
  });

  test("HTTP/1.1 for a client that speaks nothing else, HTTP/2 for one that offers it", async () => {
    const started = await startService();
    for (const [offered, chosen] of [
      [["http/1.1"], "http/1.1"],
      [["h2", "http/1.1"], "h2"],
    ] as const) {
      const socket = await openTls(started.service.port, { ca: started.ca, ALPNProtocols: [...offered] });
      expect(socket.alpnProtocol).toBe(chosen);
      socket.destroy();
    }
  });

  test("calls over HTTP/2 are the same calls, many at a time on one connection", async () => {
    const started = await startService();
    const session = connectHttp2(`https://localhost:${started.service.port}`, { ca: started.ca });
    const authorization = `Bearer ${started.key.secret}`;
    try {
      const body = JSON.stringify({ tagName: "Made over HTTP/2", tagColor: "#fff", teamId: started.team.id });
      const created = await request2(session, { ":method": "POST", ":path": "/api/tag", authorization }, body);
      expect(created).toMatchObject({
        status: 200,
        headers: { "x-request-cost": "1", "strict-transport-security": hsts },
        body: { success: true, usage: { remainingRequests: 99_999 } },
      });
      const reads = await Promise.all(
        Array.from({ length: 50 }, () => request2(session, { ":path": `/api/tags?ids=${never}`, authorization })),
      );
      expect(reads.map(({ status }) => status)).toEqual(Array(50).fill(200));
      expect(await request2(session, { ":path": "/api/snippet" })).toMatchObject({
        status: 401,
        body: { message: "Authorization header with Bearer token is required" },
      });
      for (const method of ["HEAD", "OPTIONS"])
        expect((await request2(session, { ":method": method, ":path": "/api/snippet", authorization })).status).toBe(
          405,
        );
      expect(await started.ledger()).toHaveLength(51);
    } finally {
      session.close();
    }
  });

  test("plain HTTP spoken to the TLS port gets no answer, and the call is never seen", async () => {
    const started = await startService({});
    const socket = await openPlain(started.service.port);
    const ending = readToEnd(socket);
    socket.write(requestText("GET", `/api/tags?ids=${never}`, bearer(started)));
    expect(await ending).not.toContain("HTTP/");
    expect(await started.ledger()).toEqual([]);
    expect(started.lines).toEqual([]);
  });

  test("TLS spoken to the plain port gets no handshake", async () => {
    const started = await startService();
    const opening = openTls(started.service.httpPort ?? 0, { ca: started.ca });
    expect(
      await opening.then(
        () => "opened",
        () => "refused",
      ),
    ).toBe("refused");
  });
});

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
    const config = readConfig({ COMMONPLACE_DATA: temporaryDirectory() });
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

    const { cert } = await loadCertificate(readConfig({ COMMONPLACE_DATA: dataDirectory }));

    expect(cert !== before).toBe(isRenewed);
    if (!isRenewed) return;
    const { ca, leaf } = filesOf(dataDirectory);
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(Date.parse(leaf.validTo)).toBeGreaterThan(Date.now() + 300 * day);
  });

  test.each(["ca.crt", "localhost.crt", "localhost.key"])(
    "without %s, or with half of it, it is made again",
    async (name) => {
      const config = readConfig({ COMMONPLACE_DATA: temporaryDirectory() });
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
      [missing, good.keyPath, `COMMONPLACE_TLS_CERT: can not read ${missing}: `],
      [good.certPath, missing, `COMMONPLACE_TLS_KEY: can not read ${missing}: `],
      [directory, good.keyPath, `COMMONPLACE_TLS_CERT: can not read ${directory}: `],
      [noPem, good.keyPath, `COMMONPLACE_TLS_CERT: ${noPem} is not a PEM file`],
      [good.certPath, noPem, `COMMONPLACE_TLS_KEY: ${noPem} is not a PEM file`],
      [garbage, good.keyPath, `COMMONPLACE_TLS_CERT: ${garbage} holds no certificate`],
      [good.keyPath, good.keyPath, `COMMONPLACE_TLS_CERT: ${good.keyPath} holds no certificate`],
      [good.certPath, good.certPath, `COMMONPLACE_TLS_KEY: ${good.certPath} holds no private key without a passphrase`],
      [good.certPath, locked, `COMMONPLACE_TLS_KEY: ${locked} holds no private key without a passphrase`],
      [
        good.certPath,
        other.keyPath,
        `COMMONPLACE_TLS_KEY: ${other.keyPath} is not the key of the certificate in ${good.certPath}`,
      ],
    ] as const) {
      const config = readConfig({
        COMMONPLACE_DATA: temporaryDirectory(),
        COMMONPLACE_PORT: "0",
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
    for (const name of ["COMMONPLACE_TLS_CERT", "COMMONPLACE_TLS_KEY"])
      expect(() => readConfig({ [name]: "file.pem" })).toThrow(
        "COMMONPLACE_TLS_CERT and COMMONPLACE_TLS_KEY must be given together",
      );
  });
});

describe("the plain listener", () => {
  test("refuses every call with 403 in the error body, without a redirect", async () => {
    const started = await startService({});
    for (const [method, path] of [
      ["GET", `/api/tags?ids=${never}`],
      ["POST", "/api/snippet"],
      ["DELETE", "/"],
      ["GET", "/healthz"],
    ] as const) {
      const socket = await openPlain(started.service.httpPort ?? 0);
      const answer = await exchange(socket, requestText(method, path, bearer(started), method === "POST" ? "{}" : ""));
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 403, body: httpsRequired });
      expect(Object.keys(answer.headers)).not.toContain("location");
      expect(Object.keys(answer.headers)).not.toContain("strict-transport-security");
    }
    expect(await started.ledger()).toEqual([]);
    expect(await started.rows("select last_used_at from api_keys where id = ?", started.key.id)).toEqual([
      { last_used_at: null },
    ]);
  });

  test("refuses over HTTP/2 without TLS as well", async () => {
    const started = await startService();
    const session = connectHttp2(`http://localhost:${started.service.httpPort}`);
    try {
      const authorization = `Bearer ${started.key.secret}`;
      expect(await request2(session, { ":path": `/api/tags?ids=${never}`, authorization })).toMatchObject({
        status: 403,
        body: httpsRequired,
      });
    } finally {
      session.close();
    }
  });

  test("can be switched off", async () => {
    expect(readConfig({ COMMONPLACE_HTTP_PORT: "off" }).httpPort).toBeUndefined();
    const started = await startService({ config: { httpPort: undefined } });
    expect(started.service.httpPort).toBeUndefined();
    await started.service.stop();
  });
});

test("HSTS is sent with every answer over TLS", async () => {
  const started = await startService({});
  const origin = started.baseUrl.replace("/api", "");
  for (const [method, path, status] of [
    ["GET", `/api/tags?ids=${never}`, 200],
    ["GET", "/api/snippet", 400],
    ["OPTIONS", "/api/snippet", 405],
    ["HEAD", "/api/snippet", 405],
    ["GET", "/nowhere", 404],
    ["GET", "/healthz", 200],
    ["GET", "/api/docs", 200],
  ] as const) {
    const answer = await started.fetch(`${origin}${path}`, { method, headers: bearer(started) });
    expect({ path, status: answer.status, hsts: answer.headers.get("strict-transport-security") }).toEqual({
      path,
      status,
      hsts,
    });
  }
  const refused = await started.call("GET", "/snippet");
  expect({ status: refused.status, hsts: refused.headers.get("strict-transport-security") }).toEqual({
    status: 401,
    hsts,
  });
});

describe("X-Forwarded-Proto", () => {
  const path = `/api/tags?ids=${never}`;
  const plainly = async (started: Started, forwarded: Record<string, string>) => {
    const url = `http://127.0.0.1:${started.service.httpPort}${path}`;
    const answer = await fetch(url, { headers: { ...bearer(started), ...forwarded }, redirect: "manual" });
    return { status: answer.status, hsts: answer.headers.get("strict-transport-security"), body: await answer.json() };
  };
  const securely = async (started: Started, forwarded: Record<string, string>) => {
    const answer = await started.call("GET", "/tags", {
      key: started.key.secret,
      query: { ids: never },
      headers: forwarded,
    });
    return { status: answer.status, hsts: answer.headers.get("strict-transport-security"), body: answer.body };
  };
  const served = { status: 200, hsts, body: expect.objectContaining({ success: true }) };
  const refused = { status: 403, hsts: null, body: httpsRequired };

  test("https from a trusted proxy: the plain listener serves, with HSTS", async () => {
    for (const trustedProxies of [["127.0.0.1"], ["192.0.2.1", "127.0.0.0/8"]]) {
      const started = await startService({ config: { trustedProxies } });
      expect(await plainly(started, { "X-Forwarded-Proto": "https" })).toEqual(served as never);
      expect(await plainly(started, { "X-Forwarded-Proto": "HTTPS" })).toEqual(served as never);
      expect(await started.ledger()).toHaveLength(2);
    }
  });

  test("http, nothing, or anything else from a trusted proxy: the plain listener refuses", async () => {
    const started = await startService({ config: { trustedProxies: ["127.0.0.1"] } });
    for (const forwarded of [
      {},
      { "X-Forwarded-Proto": "http" },
      { "X-Forwarded-Proto": "https, http" },
      { "X-Forwarded-Proto": "" },
      { "X-Forwarded-Ssl": "on" },
    ])
      expect(await plainly(started, forwarded as Record<string, string>)).toEqual(refused as never);
    expect(await started.ledger()).toEqual([]);
  });

  test("http over TLS from a trusted proxy: refused, for its client came without TLS", async () => {
    const started = await startService({ config: { trustedProxies: ["127.0.0.1"] } });
    expect(await securely(started, { "X-Forwarded-Proto": "http" })).toEqual(refused as never);
    expect(await securely(started, { "X-Forwarded-Proto": "https" })).toEqual(served as never);
    expect(await securely(started, {})).toEqual(served as never);
  });

  test("from anybody else it is ignored, both ways", async () => {
    for (const trustedProxies of [[], ["192.0.2.1", "10.0.0.0/8", "::1"]]) {
      const started = await startService({ config: { trustedProxies } });
      expect(await plainly(started, { "X-Forwarded-Proto": "https" })).toEqual(refused as never);
      expect(await plainly(started, { "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1" })).toEqual(
        refused as never,
      );
      expect(await securely(started, { "X-Forwarded-Proto": "http" })).toEqual(served as never);
    }
  });

  test.each([
    ["10.1.2.3", ["10.0.0.0/8"], true],
    ["::ffff:10.1.2.3", ["10.0.0.0/8"], true],
    ["11.1.2.3", ["10.0.0.0/8"], false],
    ["::ffff:11.1.2.3", ["10.0.0.0/8"], false],
    ["2001:db8::7", ["2001:db8::/32"], true],
    ["2001:db9::7", ["2001:db8::/32"], false],
    ["::1", ["127.0.0.1"], false],
    ["", ["0.0.0.0/0", "::/0"], false],
  ])("a peer %p is trusted by %p: %p", (peer, entries, isTrusted) => {
    const request = new Request("http://localhost/", { headers: { "X-Forwarded-Proto": "https" } });
    expect(receive(request, peer, false, trustedProxies(entries)).isSecure).toBe(isTrusted);
  });
});
