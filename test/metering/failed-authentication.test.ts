// At most 60 failed authentications of an address in any 60 seconds (decisions, Rate limit).
import { describe, expect, test } from "bun:test";
import { FailedAuthentications } from "../../src/metering/keys/failed-authentications.ts";
import { deactivateKey } from "../../src/metering/keys/keys.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { networkOf } from "../../src/platform/client-network.ts";
import { expectRefusal } from "../support/expect.ts";
import { admittedOf, ask, limited } from "../support/rate-limit.ts";
import type { Started } from "../support/service.ts";

describe("failed authentication", () => {
  const wrong = (started: Started, headers: Record<string, string> = {}) =>
    started.call("GET", "/snippet", { key: newSecret(), headers });

  test("60 failures of an address in 60 s are 401, further ones 429 with Retry-After", async () => {
    const started = await limited();
    for (let count = 0; count < 30; count += 1) {
      expect((await wrong(started)).status).toBe(401);
      expect((await started.call("GET", "/snippet")).status).toBe(401);
    }
    started.clock.advance(10);
    for (const answer of [
      await wrong(started),
      await started.call("GET", "/snippet"),
      await started.call("GET", "/snippet", { key: "x" }),
    ]) {
      expectRefusal(answer, 429, "Rate limit exceeded. Try again in 50 seconds", 0);
      expect(answer.headers.get("retry-after")).toBe("50");
    }
    started.clock.advance(49);
    expect((await wrong(started)).headers.get("retry-after")).toBe("1");
    started.clock.advance(1);
    expect((await wrong(started)).status).toBe(401);
  });

  test("a valid key from the same address is still admitted, and its calls do not count as failures", async () => {
    const started = await limited();
    for (let count = 0; count < 59; count += 1) await wrong(started);
    expect(await admittedOf(started, started.key.secret, 20)).toBe(20);
    expect((await wrong(started)).status).toBe(401);
    expect((await wrong(started)).status).toBe(429);
    expect(await admittedOf(started, started.limitedKey.secret, 20)).toBe(20);
  });

  test("a deactivated key and a key that ran into its limit: the one fails, the other does not", async () => {
    const started = await limited();
    await admittedOf(started, started.limitedKey.secret, 80);
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));
    for (let count = 0; count < 60; count += 1) expect((await ask(started, started.key.secret)).status).toBe(401);
    expect((await ask(started, started.key.secret)).status).toBe(429);
  });

  test("the address behind a trusted proxy is the client's, not the proxy's", async () => {
    const started = await limited({ config: { trustedProxies: ["127.0.0.1"] } });
    const from = (client: string) => wrong(started, { "X-Forwarded-For": client });
    for (let count = 0; count < 60; count += 1) expect((await from("192.0.2.1")).status).toBe(401);
    expect((await from("192.0.2.1")).status).toBe(429);
    expect((await from("192.0.2.2")).status).toBe(401);
    // The client can forge everything before the last untrusted address.
    expect((await from("203.0.113.9, 192.0.2.1")).status).toBe(429);
    expect((await from("192.0.2.1, 127.0.0.1")).status).toBe(429);
    expect((await from("192.0.2.1, 203.0.113.9")).status).toBe(401);
    expect((await wrong(started)).status).toBe(401);
  });

  test("a last hop that is no address hides nobody behind an invented one", async () => {
    const started = await limited({ config: { trustedProxies: ["127.0.0.1"] } });
    for (let count = 0; count < 60; count += 1)
      await wrong(started, { "X-Forwarded-For": `203.0.113.${count}, unknown` });
    expect((await wrong(started, { "X-Forwarded-For": "203.0.113.99, unknown" })).status).toBe(429);
  });

  test("X-Forwarded-For of somebody who is no trusted proxy is ignored", async () => {
    const started = await limited({ config: { trustedProxies: ["192.0.2.7"] } });
    for (let count = 0; count < 60; count += 1)
      expect((await wrong(started, { "X-Forwarded-For": `192.0.2.${count}` })).status).toBe(401);
    expect((await wrong(started, { "X-Forwarded-For": "192.0.2.200" })).status).toBe(429);
  });

  test("IPv6: all of a /64 are one client, another /64 is another", async () => {
    const started = await limited({ config: { trustedProxies: ["127.0.0.1"] } });
    const from = (client: string) => wrong(started, { "X-Forwarded-For": client });
    for (let count = 0; count < 60; count += 1)
      expect((await from(`2001:db8:1:2::${count.toString(16)}`)).status).toBe(401);
    expect((await from("2001:db8:1:2:ffff:ffff:ffff:ffff")).status).toBe(429);
    expect((await from("2001:db8:1:3::1")).status).toBe(401);
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("the network of %s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("the window of failures slides, and many addresses do not make it forget recent ones", () => {
    let now = 0;
    const failures = new FailedAuthentications(() => now);
    for (let count = 0; count < 60; count += 1) {
      expect(failures.add("192.0.2.1")).toBeUndefined();
      now += 500;
    }
    expect(failures.add("192.0.2.1")).toBe(30);
    for (let count = 0; count < 20_000; count += 1)
      failures.add(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
    expect(failures.add("192.0.2.1")).toBe(30);
    now += 30_000;
    expect(failures.add("192.0.2.1")).toBeUndefined();
    expect(failures.add("192.0.2.1")).toBe(1);
  });
});
