// The TLS port alone: which listener accepts new connections, and when the previous ones are closed.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import type { Certificate } from "../../src/platform/tls/certificates.ts";
import { openSecurePort, type Traffic } from "../../src/platform/tls/secure-port.ts";
import { listeningSockets } from "../../src/platform/tls/steering.ts";
import { fingerprintOf, makePair, shownFingerprint } from "../support/pairs.ts";
import { openTls, parseAnswer, readToEnd } from "../support/sockets.ts";

const quietMilliseconds = 200;
const newCertificate = async (): Promise<Certificate> => ({
  ...(await makePair()),
  caPath: undefined,
  hostName: undefined,
  expiresAt: new Date(),
});

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === "::1"));

test.each(["127.0.0.1", "0.0.0.0", ...(hasIPv6 ? ["::1", "::"] : [])])(
  "on %s: the newest takes every new connection, each other is closed once its last call is answered",
  async (hostname) => {
    const [first, second, third, fourth] = (await Promise.all([1, 2, 3, 4].map(newCertificate))) as [
      Certificate,
      Certificate,
      Certificate,
      Certificate,
    ];
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const traffics: Traffic[] = [];
    const secure = openSecurePort(
      ({ cert, key }, traffic, port) => {
        traffics.push(traffic);
        return Bun.serve({
          hostname,
          port: port ?? 0,
          reusePort: port !== undefined,
          tls: { cert, key },
          fetch: async () => {
            await finished;
            traffic.lastAt = performance.now();
            return new Response("answered");
          },
        });
      },
      first,
      quietMilliseconds,
    );
    const { port } = secure;
    const host = hostname.includes(":") ? "::1" : "127.0.0.1";
    const expectAllToGet = async (certificate: Certificate) => {
      for (let count = 0; count < 40; count += 1)
        expect(await shownFingerprint(port, host)).toBe(fingerprintOf(certificate.cert));
    };
    const untilListening = async (sockets: number) => {
      while (listeningSockets(port).length !== sockets) await Bun.sleep(5);
    };

    await expectAllToGet(first);
    secure.applyCertificate(second);
    // However long the connections below take, the first one is not idle yet.
    const [firstTraffic] = traffics as [Traffic];
    firstTraffic.lastAt = Number.POSITIVE_INFINITY;
    await expectAllToGet(second);
    const slow = await openTls(port, { host, rejectUnauthorized: false });
    const answer = readToEnd(slow);
    slow.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    while (secure.pendingRequests() === 0) await new Promise(setImmediate);
    secure.applyCertificate(third);
    expect(listeningSockets(port)).toHaveLength(3);
    await expectAllToGet(third);
    firstTraffic.lastAt = performance.now();

    // The first one closes while the second still has a call: the kernel's list is then in another order.
    await untilListening(2);
    const closedAt = performance.now();
    while (performance.now() < closedAt + 2 * quietMilliseconds) await expectAllToGet(third);
    expect(listeningSockets(port)).toHaveLength(2);
    finish();
    expect(parseAnswer(await answer)).toMatchObject({ status: 200, text: "answered" });
    await untilListening(1);
    await expectAllToGet(third);
    secure.applyCertificate(fourth);
    await expectAllToGet(fourth);

    secure.stop(true);
    expect(listeningSockets(port)).toEqual([]);
  },
);

test("what TLS can not use leaves all as it was", async () => {
  const [first, second] = [await newCertificate(), await newCertificate()];
  const secure = openSecurePort(
    ({ cert, key }, _, port) =>
      Bun.serve({
        port: port ?? 0,
        reusePort: port !== undefined,
        tls: { cert, key },
        fetch: () => new Response(""),
      }),
    first,
    quietMilliseconds,
  );
  expect(() => secure.applyCertificate({ ...second, key: first.key })).toThrow("KEY_VALUES_MISMATCH");
  expect(listeningSockets(secure.port)).toHaveLength(1);
  expect(await shownFingerprint(secure.port)).toBe(fingerprintOf(first.cert));
  secure.applyCertificate(second);
  expect(await shownFingerprint(secure.port)).toBe(fingerprintOf(second.cert));
  secure.stop(true);
});
