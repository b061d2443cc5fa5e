// The certificate for localhost: made once even if many services start together, complete even if a start is interrupted, and renewed in time.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localPair } from "../../src/platform/tls/local-certificate.ts";
import { fingerprintOf, makePair, shownFingerprint } from "../support/pairs.ts";
import { spawnService } from "../support/process.ts";
import { root } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";
import { exchange, openTls, requestText } from "../support/sockets.ts";

const day = 86_400_000;

/** Three files in which the certificate is its own authority. */
async function writeLocal(directory: string, days: number): Promise<string> {
  const { cert, key } = await makePair(days);
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries({ "localhost.crt": cert, "localhost.key": key, "ca.crt": cert }))
    writeFileSync(join(directory, name), text);
  return cert;
}

/** Requests the pair in a separate process. @returns the certificate */
async function localPairElsewhere(directory: string): Promise<string> {
  const script = `
    import { localPair } from ${JSON.stringify(join(root, "src/platform/tls/local-certificate.ts"))};
    await Bun.stdin.text();
    console.log((await localPair(${JSON.stringify(directory)})).cert);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe" });
  // All start once all are ready.
  child.stdin.end();
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return text.trim();
}

describe("many at once on one directory", () => {
  test.each([
    ["nothing", undefined],
    ["a certificate near its end", 20],
    ["a good certificate", 60],
  ])(
    "where %s lies: all get the same, and nothing is left beside it",
    async (_, days) => {
      for (let round = 1; round <= 2; round += 1) {
        const data = temporaryDirectory();
        const directory = join(data, "tls");
        const before = days === undefined ? undefined : await writeLocal(directory, days);
        const elsewhere = Array.from({ length: 3 }, () => localPairElsewhere(directory));
        const here = await Promise.all(Array.from({ length: 4 }, () => localPair(directory)));
        const certificates = [...(await Promise.all(elsewhere)), ...here.map(({ cert }) => cert.trim())];
        expect(new Set(certificates).size).toBe(1);
        expect(certificates[0] === before?.trim()).toBe(days === 60);
        expect(readFileSync(join(directory, "localhost.crt"), "utf8").trim()).toBe(certificates[0] ?? "");
        expect(readdirSync(data)).toEqual(["tls"]);
      }
    },
    180_000,
  );
});

describe("a start that was cut off", () => {
  test("while the new files were written: they are made anew, and what lies beside goes when it is old", async () => {
    const data = temporaryDirectory();
    const directory = join(data, "tls");
    for (const name of ["tls.new-young", "tls.new-older"]) await writeLocal(join(data, name), 60);
    rmSync(join(data, "tls.new-older/ca.crt"));
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1_000);
    utimesSync(join(data, "tls.new-older"), twoHoursAgo, twoHoursAgo);
    writeFileSync(join(data, "tls.newest"), "Somebody's own");
    const { cert } = await localPair(directory);
    expect(readFileSync(join(directory, "localhost.crt"), "utf8")).toBe(cert);
    expect(readdirSync(data).sort()).toEqual(["tls", "tls.new-young", "tls.newest"]);
  });

  test("while an old certificate had been moved away: a new one is made", async () => {
    const data = temporaryDirectory();
    const directory = join(data, "tls");
    await writeLocal(directory, 20);
    renameSync(directory, join(data, "tls.new-a.old"));
    const made = await localPair(directory);
    expect(await localPair(directory)).toEqual(made);
  });

  test("an empty directory is taken for none", async () => {
    const directory = join(temporaryDirectory(), "tls");
    mkdirSync(directory);
    expect(await localPair(directory)).toEqual(await localPair(directory));
  });

  test("killed at any moment of the making, 5 times: the next finds a whole one or makes it", async () => {
    const hasBegunToWrite = (data: string) => readdirSync(data).some((name) => name.startsWith("tls.new-"));
    for (let round = 0; round < 5; round += 1) {
      const data = temporaryDirectory();
      const directory = join(data, "tls");
      if (round % 2 === 0) await writeLocal(directory, 20);
      const script = `
        import { localPair } from ${JSON.stringify(join(root, "src/platform/tls/local-certificate.ts"))};
        await localPair(${JSON.stringify(directory)});`;
      const child = Bun.spawn([process.execPath, "-e", script]);
      while (!hasBegunToWrite(data) && child.exitCode === null) await new Promise(setImmediate);
      // Some ticks later: while it writes, while it moves files, or afterwards.
      for (let ticks = Math.random() * 20; ticks > 1; ticks -= 1) await new Promise(setImmediate);
      child.kill("SIGKILL");
      await child.exited;
      const { cert } = await localPair(directory);
      expect(readFileSync(join(directory, "localhost.crt"), "utf8")).toBe(cert);
      expect(await localPair(directory)).toMatchObject({ cert });
    }
  }, 180_000);
});

test("comes near its end while the service runs: it is made again and shown", async () => {
  // Valid for some more seconds, which must be longer than the start takes.
  for (const seconds of [3, 20, 60]) {
    const dataDirectory = temporaryDirectory();
    const directory = join(dataDirectory, "tls");
    const before = fingerprintOf(await writeLocal(directory, 30 + seconds / 86_400));
    const service = await spawnService(dataDirectory);
    const isOldShown = (await shownFingerprint(service.port)) === before;

    while ((await shownFingerprint(service.port)) === before) await Bun.sleep(20);
    const socket = await openTls(service.port, { ca: readFileSync(join(directory, "ca.crt"), "utf8") });
    expect(socket.authorized).toBe(true);
    expect(Date.parse(socket.getPeerCertificate().valid_to)).toBeGreaterThan(Date.now() + 300 * day);
    expect((await exchange(socket, requestText("GET", "/healthz"))).status).toBe(200);
    expect(readdirSync(dataDirectory).filter((name) => name.startsWith("tls"))).toEqual(["tls"]);
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    if (isOldShown) return;
  }
  throw new Error("every start took longer than the certificate was of use");
}, 120_000);
