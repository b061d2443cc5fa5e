// HTTPS only, and proxies that terminate TLS (decisions, HTTPS).
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { readConfig } from "../../src/config.ts";
import { receive, trustedProxies } from "../../src/platform/http/receive.ts";
import { newId } from "../support/expect.ts";
import { type Started, startService } from "../support/service.ts";
import { exchange, openPlain, openTls, readToEnd, requestText } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";

const hsts = "max-age=31536000";

const bearer = (started: Started) => ({ Authorization: `Bearer ${started.key.secret}` });

const httpsRequired = { success: false, message: "HTTPS is required", error: "https_required", requestId: newId };

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

  test.each(["TLSv1", "TLSv1.1"] as const)("%s: an old TLS version is refused", async (version) => {
    const started = await startService();
    const opening = openTls(started.service.port, { ca: started.ca, minVersion: version, maxVersion: version });
    // The alert comes from the server: the client did offer the old version.
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
    ["GET", "/api/reference", 200],
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

  test("from a peer that is not trusted, X-Forwarded-For is ignored, and the log says so once", async () => {
    const started = await startService();
    for (const _ of [1, 2]) await securely(started, { "X-Forwarded-For": "192.0.2.1" });
    const warnings = started.lines.filter((line) => line.includes("COMMONPLACE_TRUSTED_PROXIES"));
    expect(warnings.map((line) => JSON.parse(line))).toEqual([
      {
        level: "warn",
        message: "X-Forwarded-For was ignored: if your proxy sent it, add its address to COMMONPLACE_TRUSTED_PROXIES",
        clientAddress: "127.0.0.1",
      },
    ]);
    const trusting = await startService({ config: { trustedProxies: ["127.0.0.1"] } });
    await securely(trusting, { "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https" });
    expect(trusting.lines.filter((line) => line.includes("TRUSTED_PROXIES"))).toEqual([]);
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
    const connection = { peerAddress: peer, isTls: false, receivedAt: 0, pause: async () => undefined };
    expect(receive(request, connection, trustedProxies(entries)).isSecure).toBe(isTrusted);
  });
});
