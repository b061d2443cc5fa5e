// Certificates while the service runs: replaced without a restart or a lost call, renewed in time, with a warning before they expire.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import type { Log } from "../../src/platform/log.ts";
import { OperatorError } from "../../src/platform/operator-error.ts";
import { watchCertificate } from "../../src/platform/tls/certificate-watch.ts";
import { type Certificate, loadCertificate } from "../../src/platform/tls/certificates.ts";
import { fingerprintOf, makePair, type Pair, shownFingerprint } from "../support/pairs.ts";
import { spawnService } from "../support/process.ts";
import { runRefused } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";
import { exchange, openTls, parseAnswer, readToEnd, requestText } from "../support/sockets.ts";

const replaced = "certificate replaced";
const kept = "could not load the new certificate; still using the current one";

/** A service with its own certificate files, and the functions that the tests need. */
async function startWithPair(pair: Pair) {
  const directory = temporaryDirectory();
  const paths = { cert: join(directory, "tls.crt"), key: join(directory, "tls.key") };
  const write = (files: Partial<Pair>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(paths[name as keyof Pair], text);
  };
  write(pair);
  const service = await spawnService(temporaryDirectory(), {
    COMMONPLACE_TLS_CERT_FILE: paths.cert,
    COMMONPLACE_TLS_KEY_FILE: paths.key,
  });
  const entries = (message: string): { cause?: string; level: string }[] =>
    service
      .log()
      .split("\n")
      .flatMap((line) => (line.includes(message) ? [JSON.parse(line)] : []));
  return {
    service,
    paths,
    write,
    entries,
    /** Waits until new connections get this certificate. */
    untilShown: async ({ cert }: Pair) => {
      while ((await shownFingerprint(service.port)) !== fingerprintOf(cert)) await Bun.sleep(20);
    },
    untilLogged: async (message: string, times: number) => {
      while (entries(message).length < times) await Bun.sleep(1);
    },
    end: async () => {
      service.kill("SIGTERM");
      expect(await service.ended).toBe(0);
    },
  };
}

/** The pause between a client's calls, which leaves processor time for the service. */
const pauseMilliseconds = 2;

/** Makes one call after another, each on a new connection, until stopped. @returns the failures */
function keepConnecting(port: number) {
  let isGoing = true;
  let calls = 0;
  const failures: string[] = [];
  const going = (async () => {
    while (isGoing) {
      calls += 1;
      const answer = await openTls(port, { rejectUnauthorized: false })
        .then((socket) => exchange(socket, requestText("GET", "/healthz")))
        .catch((error: Error & { code?: string }) => ({ status: error.code ?? error.message }));
      if (answer.status !== 200) failures.push(String(answer.status));
      await Bun.sleep(pauseMilliseconds);
    }
    return { calls, failures };
  })();
  return () => {
    isGoing = false;
    return going;
  };
}

describe("files that change under a running service", () => {
  test("20 times under load: no new connection fails, no open one is cut, a call in flight is answered", async () => {
    const pairs = await Promise.all(Array.from({ length: 4 }, () => makePair()));
    const [first] = pairs as [Pair];
    const { service, write, untilShown, untilLogged, entries, end } = await startWithPair(first);
    const { key = "", team_id } = service.announced;
    const authorization = `Bearer ${key}`;

    const slow = await openTls(service.port, { rejectUnauthorized: false });
    const body = JSON.stringify({ tagName: "Slow", tagColor: "#fff", teamId: team_id });
    const slowAnswer = readToEnd(slow);
    slow.write(
      `POST /api/tag HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    const silent = await openTls(service.port, { rejectUnauthorized: false });
    const keptAlive = await openTls(service.port, { rejectUnauthorized: false });
    const cut = new Promise<string>((resolve) => keptAlive.once("close", () => resolve("the open connection was cut")));
    const callAgain = () => {
      const answer = new Promise<string>((resolve) => {
        keptAlive.once("data", (chunk: Buffer) => resolve(chunk.toString().split("\r\n")[0] ?? ""));
      });
      keptAlive.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      return Promise.race([answer, cut]);
    };
    const session = connectHttp2(`https://localhost:${service.port}`, { rejectUnauthorized: false });
    let isGoing = true;
    const over2 = (async () => {
      let calls = 0;
      for (; isGoing; calls += 1) {
        await Bun.sleep(pauseMilliseconds);
        await new Promise((resolve, reject) => {
          const stream = session.request({ ":path": "/healthz" });
          stream.on("response", (headers) => (headers[":status"] === 200 ? resolve(undefined) : reject(headers)));
          stream.on("error", reject);
          stream.resume();
          stream.end();
        });
      }
      return calls;
    })();
    const stops = Array.from({ length: 6 }, () => keepConnecting(service.port));

    for (let swap = 1; swap <= 20; swap += 1) {
      const pair = pairs[swap % pairs.length] as Pair;
      write(pair);
      service.kill("SIGHUP");
      await untilShown(pair);
      expect(await callAgain()).toBe("HTTP/1.1 200 OK");
    }

    const outcomes = await Promise.all(stops.map((stop) => stop()));
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
    expect(Math.min(...outcomes.map(({ calls }) => calls))).toBeGreaterThan(20);
    isGoing = false;
    expect(await over2).toBeGreaterThan(20);
    session.close();
    slow.write(body.slice(10));
    expect(parseAnswer(await slowAnswer)).toMatchObject({ status: 200, body: { data: { tag: { tag_name: "Slow" } } } });
    expect((await exchange(silent, requestText("GET", "/healthz"))).status).toBe(200);
    await untilLogged(replaced, 20);
    expect(entries(kept)).toEqual([]);
    keptAlive.destroy();
    await end();
  }, 120_000);

  test("nobody has to say so: shown within seconds, also behind a symbolic link that is turned", async () => {
    const [one, two] = [await makePair(), await makePair()];
    const volume = temporaryDirectory();
    // As Kubernetes mounts a secret: the files are links through a link to the current directory.
    const write = (name: string, pair: Pair) => {
      mkdirSync(join(volume, name));
      writeFileSync(join(volume, name, "tls.crt"), pair.cert);
      writeFileSync(join(volume, name, "tls.key"), pair.key);
      symlinkSync(name, join(volume, "..next"));
      renameSync(join(volume, "..next"), join(volume, "..data"));
    };
    write("..monday", one);
    for (const name of ["tls.crt", "tls.key"]) symlinkSync(join("..data", name), join(volume, name));
    const service = await spawnService(temporaryDirectory(), {
      COMMONPLACE_TLS_CERT_FILE: join(volume, "tls.crt"),
      COMMONPLACE_TLS_KEY_FILE: join(volume, "tls.key"),
    });
    expect(await shownFingerprint(service.port)).toBe(fingerprintOf(one.cert));

    const turnedAt = performance.now();
    write("..tuesday", two);
    rmSync(join(volume, "..monday"), { recursive: true });
    while ((await shownFingerprint(service.port)) !== fingerprintOf(two.cert)) await Bun.sleep(20);
    expect(performance.now() - turnedAt).toBeLessThan(6_000);
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  }, 180_000);

  test("what can not be used is not shown: the old one stays, one line says why, and the next change is looked at", async () => {
    const [one, two, three] = [await makePair(), await makePair(), await makePair()];
    const { service, paths, write, untilShown, untilLogged, entries, end } = await startWithPair(one);
    const chain = two.cert + three.cert;
    const wrong: [Partial<Pair>, string][] = [
      [{ cert: two.cert }, `COMMONPLACE_TLS_KEY_FILE: ${paths.key} does not match the certificate in ${paths.cert}`],
      [{ cert: two.cert.slice(0, 300) }, `COMMONPLACE_TLS_CERT_FILE: ${paths.cert} does not contain a certificate`],
      [{ cert: "" }, `COMMONPLACE_TLS_CERT_FILE: ${paths.cert} is not a PEM file`],
      [
        { cert: chain.slice(0, -200), key: two.key },
        `COMMONPLACE_TLS_CERT_FILE: ${paths.cert} contains a damaged certificate`,
      ],
      [
        { key: two.key.slice(0, 100) },
        `COMMONPLACE_TLS_KEY_FILE: ${paths.key} does not contain a private key, or the key has a passphrase`,
      ],
    ];
    for (const [at, [files, cause]] of wrong.entries()) {
      write({ ...one, ...files });
      service.kill("SIGHUP");
      await untilLogged(kept, at + 1);
      expect(entries(kept)[at]).toMatchObject({ level: "warn", cause: expect.stringContaining(cause) });
      expect(await shownFingerprint(service.port)).toBe(fingerprintOf(one.cert));
    }
    rmSync(paths.key);
    service.kill("SIGHUP");
    await untilLogged(kept, wrong.length + 1);
    expect(entries(kept).at(-1)?.cause).toStartWith(`COMMONPLACE_TLS_KEY_FILE: cannot read ${paths.key}: `);
    expect(await shownFingerprint(service.port)).toBe(fingerprintOf(one.cert));

    write(two);
    service.kill("SIGHUP");
    await untilShown(two);
    await untilLogged(replaced, 1);
    expect(entries(kept)).toHaveLength(wrong.length + 1);
    for (const { key } of [one, two])
      for (const line of key.split("\n").slice(1, -2)) expect(service.log()).not.toContain(line);
    await end();
  }, 180_000);

  test("the port stays the service's own: a second start is refused, before a change and after it", async () => {
    const [one, two] = [await makePair(), await makePair()];
    const { service, write, untilShown, end } = await startWithPair(one);
    const startAgain = () =>
      runRefused({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_HTTPS_PORT: String(service.port) });
    const message = `commonplace: port ${service.port} is already in use. If Commonplace is running, stop it; otherwise set COMMONPLACE_HTTPS_PORT to another port.\n`;
    expect(await startAgain()).toEqual({ status: 1, stdout: "", stderr: message });
    write(two);
    service.kill("SIGHUP");
    await untilShown(two);
    expect(await startAgain()).toEqual({ status: 1, stdout: "", stderr: message });
    await end();
  }, 180_000);
});

describe("a certificate that nobody renews", () => {
  const day = 86_400_000;
  const start = Date.parse("2026-03-15T12:00:00.000Z");

  /** Watches an operator's certificate that expires in this many days, by a clock that the test advances. */
  async function watch(days: number, show: (certificate: Certificate) => void = () => undefined) {
    const directory = temporaryDirectory();
    const [certPath, keyPath] = [join(directory, "tls.crt"), join(directory, "tls.key")];
    const write = ({ cert, key }: Pair) => {
      writeFileSync(certPath, cert);
      writeFileSync(keyPath, key);
    };
    write(await makePair());
    const config = readConfig({ COMMONPLACE_TLS_CERT_FILE: certPath, COMMONPLACE_TLS_KEY_FILE: keyPath });
    const lines: unknown[] = [];
    const log: Log = {
      write: (level, message, fields) => lines.push([level, message, fields]),
      flush: () => undefined,
    };
    const clock = { now: start };
    const first = { ...(await loadCertificate(config)), expiresAt: new Date(start + days * day) };
    const watching = watchCertificate(config, first, show, log, () => clock.now);
    return { watching, lines, clock, write, certPath, expiresAt: first.expiresAt };
  }

  test("is spoken of at the start and once a day, from 14 days before its end and after it", async () => {
    const { watching, lines, clock, certPath: file, expiresAt } = await watch(2.5);
    const soon = ["warn", "certificate expires soon", { expiresAt, file }];
    expect(lines).toEqual([soon]);
    await watching.check();
    clock.now += day - 1;
    await watching.check();
    expect(lines).toEqual([soon]);
    clock.now += 1;
    await watching.check();
    await watching.check();
    expect(lines).toEqual([soon, soon]);
    clock.now += 2 * day;
    await watching.check();
    expect(lines).toEqual([soon, soon, ["warn", "certificate expired", { expiresAt, file }]]);
  });

  test("with more than 14 days left nothing is said", async () => {
    const { watching, lines, clock } = await watch(15.5);
    await watching.check();
    expect(lines).toEqual([]);
    clock.now += 1.5 * day;
    await watching.check();
    expect(lines).toHaveLength(1);
  });

  test("files that are just being written are left alone until they are whole", async () => {
    const { watching, lines, write } = await watch(90);
    const [old, next] = [watching.current(), await makePair()];
    let isWriting = true;
    const writing = (async () => {
      for (let length = 30; isWriting; length += 1) {
        write({ cert: next.cert.slice(0, length), key: old.key });
        await Bun.sleep(1);
      }
    })();
    await watching.check();
    expect(lines).toEqual([]);
    isWriting = false;
    await writing;
    write(next);
    await watching.check();
    expect(lines).toEqual([["info", replaced, { expiresAt: watching.current().expiresAt }]]);
    expect(watching.current()).toMatchObject(next);
  });

  test("what failed without a fault of the files is tried again after an hour, and then shown", async () => {
    let tries = 0;
    const { watching, lines, clock, write } = await watch(90, () => {
      tries += 1;
      if (tries < 3) throw new OperatorError("planted");
    });
    write(await makePair());
    await watching.check();
    await watching.check();
    expect(tries).toBe(1);
    clock.now += 60 * 60 * 1_000;
    await watching.check();
    expect(tries).toBe(2);
    expect(lines).toEqual(Array(2).fill(["warn", kept, { cause: "planted" }]));
    const before = watching.current();
    clock.now += 60 * 60 * 1_000;
    await watching.check();
    expect(watching.current()).not.toEqual(before);
    clock.now += 60 * 60 * 1_000;
    await watching.check();
    expect(tries).toBe(3);
  });
});
