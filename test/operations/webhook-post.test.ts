// Requests to an address that a customer has chosen: only to the public internet or to hosts that the operator names, only to the address
// that was checked, and only to the right certificate.
import { expect, test } from "bun:test";
import { createPost, type PostOptions } from "../../src/operations/webhook-post.ts";
import { isPublicAddress } from "../../src/platform/public-address.ts";
import { makeLocalCertificate } from "../../src/platform/tls/make-certificate.ts";
import "../support/once.ts";

async function start() {
  const { key, cert, ca } = await makeLocalCertificate();
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    tls: { key, cert },
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      requests.push(
        `${request.headers.get("host")}${pathname} ${request.headers.get("x-test")} ${await request.text()}`,
      );
      if (pathname === "/slow") await Bun.sleep(60_000);
      if (pathname === "/moved") return Response.redirect("/elsewhere", 302);
      return new Response("a".repeat(1_000_000), { status: 202 });
    },
  });
  const send = (path: string, { host = "localhost", ...options }: Partial<PostOptions> & { host?: string } = {}) =>
    createPost({ allowedHosts: ["localhost"], ca, ...options })(`https://${host}:${server.port}${path}`, '{"é":1}', {
      "X-Test": "yes",
    }).catch((error: Error) => error.message);
  return { requests, server, send };
}

test("the status is returned, whatever else the response contains, and a redirect is not followed", async () => {
  const { requests, server, send } = await start();
  expect([await send("/in"), await send("/moved")]).toEqual([202, 302]);
  expect(await send("/address", { host: "127.0.0.1", allowedHosts: ["127.0.0.1"] })).toBe(202);
  expect(requests).toEqual([
    `localhost:${server.port}/in yes {"é":1}`,
    `localhost:${server.port}/moved yes {"é":1}`,
    `127.0.0.1:${server.port}/address yes {"é":1}`,
  ]);
  expect(await send("/slow", { timeoutSeconds: 0.5 })).toBe("timeout");
  await server.stop(true);
});

test("nothing is sent to a private address under any name, or to a host whose certificate is not trusted", async () => {
  const { requests, server, send } = await start();
  let lookups = 0;
  // A name server that gives a public address to a check, and a private one to a connection.
  const rebinding = async () => [lookups++ === 0 ? "127.0.0.1" : "93.184.215.14"];
  const refused = { host: "hooks.example.com", allowedHosts: ["localhost"] };
  expect(await send("/", { ...refused, resolve: rebinding })).toBe("private_address");
  expect(lookups).toBe(1);
  expect(await send("/", { ...refused, resolve: async () => ["93.184.215.14", "10.0.0.1"] })).toBe("private_address");
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "2130706433", "0x7f.1", "127.1"])
    expect([host, await send("/", { host, allowedHosts: [] })]).toEqual([host, "private_address"]);
  expect(await send("/", { allowedHosts: [] })).toBe("private_address");
  expect(await send("/", { ...refused, resolve: () => Promise.reject(new Error("ENOTFOUND")) })).toBe("host_not_found");

  const named = { host: "hooks.example.com", allowedHosts: ["hooks.example.com"], resolve: async () => ["127.0.0.1"] };
  expect(await send("/", named)).toBe("certificate");
  const system = createPost({ allowedHosts: ["localhost"] });
  await expect(system(`https://localhost:${server.port}/`, "{}", {})).rejects.toThrow("certificate");
  expect(requests).toEqual([]);
  await server.stop(true);
  expect(await send("/")).toBe("connection");
});

test("an address is public unless a registry sets it aside", () => {
  const isPublic = (text: string) => text.split(" ").map((address) => isPublicAddress(address));
  const reserved =
    "0.0.0.0 10.1.2.3 100.64.0.1 100.100.100.200 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::ffff:10.0.0.1 64:ff9b::a00:1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 ff02::1 2001:db8::1 2002:a00:1:: 2001::1 not.an.address";
  expect(new Set(isPublic(reserved))).toEqual(new Set([false]));
  expect(
    new Set(isPublic("93.184.215.14 172.32.0.1 8.8.8.8 2606:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8")),
  ).toEqual(new Set([true]));
});
