// The files for HAProxy and nginx in front of two nodes on one PostgreSQL: a node is killed under load, and no request fails that began after
// that.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import { isOnPostgres, until } from "../support/nodes.ts";
import { freePort } from "../support/ports.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { type ServiceProcess, spawnService } from "../support/process.ts";
import { root } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const clients = 12;
const requestsAfterwards = 600;
const streamModule = "/usr/lib/nginx/modules/ngx_stream_module.so";
const read = (name: string): string => readFileSync(join(root, "deploy", name), "utf8");

/** Where a proxy listens, where its nodes are, and the directory of its files. */
interface Place {
  readonly directory: string;
  readonly port: number;
  readonly nodes: readonly number[];
}
const withNodes = (text: string, nodes: readonly number[]): string =>
  nodes.reduce((filled, port, index) => filled.replaceAll(`10.0.0.${11 + index}:8443`, `127.0.0.1:${port}`), text);

/** Writes the files of a proxy. @returns the command that runs it in the foreground */
const proxies: Readonly<Record<string, (place: Place) => string[]>> = {
  haproxy: ({ directory, port, nodes }) => {
    const config = withNodes(read("haproxy.cfg"), nodes)
      .replace("bind :443 ", `bind 127.0.0.1:${port} `)
      .replace("bind :80\n", `bind 127.0.0.1:${freePort()}\n`)
      // The clients of the test share one address.
      .replace(/^.*(?:reject if|deny_status 429).*$/gm, "")
      .replaceAll("/etc/haproxy", directory);
    writeFileSync(join(directory, "haproxy.cfg"), config);
    return ["haproxy", "-db", "-f", join(directory, "haproxy.cfg")];
  },
  nginx: ({ directory, port, nodes }) => {
    const stage = freePort();
    const site = read("nginx.conf")
      .replaceAll("/etc/letsencrypt/live/snippets.example.com", directory)
      .replaceAll(/^ *listen \[::\].*$/gm, "")
      .replace("listen 443 ", `listen 127.0.0.1:${port} `)
      .replace("listen 80;", `listen 127.0.0.1:${freePort()};`)
      .replace("server 127.0.0.1:8080;", `server 127.0.0.1:${stage};`);
    const stream = withNodes(read("nginx-nodes.conf"), nodes)
      .replace("listen 127.0.0.1:8079;", `listen 127.0.0.1:${stage};`)
      .replaceAll("/etc/nginx/nodes-ca.pem", join(directory, "nodes-ca.pem"));
    writeFileSync(join(directory, "site.conf"), site);
    writeFileSync(join(directory, "nodes.conf"), stream);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    for (const name of temporary) mkdirSync(join(directory, name));
    writeFileSync(
      join(directory, "nginx.conf"),
      `${existsSync(streamModule) ? `load_module ${streamModule};` : ""}
       daemon off; pid ${directory}/pid; error_log stderr; worker_processes 2; events { } include ${directory}/nodes.conf;
       http { access_log off; ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(" ")} include ${directory}/site.conf; }`,
    );
    return ["nginx", "-p", directory, "-c", join(directory, "nginx.conf")];
  },
};

describe.skipIf(!isOnPostgres)("two nodes behind a proxy", () => {
  for (const [name, prepare] of Object.entries(proxies)) {
    const isInstalled = Bun.which(name) !== null && (name !== "nginx" || existsSync(streamModule));
    const title = `${name}: a node is killed under load`;
    test.skipIf(!isInstalled)(
      isInstalled ? title : `${title} (skipped: not installed)`,
      async () => {
        const directory = temporaryDirectory();
        const pair = await writeCertificates(directory);
        const server = await startPrivatePostgres({ settings: { max_connections: "60" } });
        const settings = {
          COMMONPLACE_DATABASE_URL: server.urlOf(await server.createDatabase()),
          COMMONPLACE_TLS_CERT_FILE: pair.cert,
          COMMONPLACE_TLS_KEY_FILE: pair.key,
          COMMONPLACE_TRUSTED_PROXIES: "127.0.0.1",
          COMMONPLACE_MONTHLY_REQUESTS: "1000000000",
        };
        const first = await spawnService(temporaryDirectory(), settings);
        const nodes = [first, await spawnService(temporaryDirectory(), settings)];
        const port = freePort();
        const proxy = Bun.spawn(prepare({ directory, port, nodes: nodes.map((node) => node.port) }), {
          stdout: "ignore",
          stderr: "ignore",
        });
        try {
          await expectNoFailureAfterKill(`https://localhost:${port}`, nodes, first.announced.key ?? "");
        } finally {
          proxy.kill();
          for (const node of nodes) node.kill("SIGKILL");
          await Promise.all([proxy.exited, ...nodes.map((node) => node.ended)]);
        }
      },
      180_000,
    );
  }
});

async function expectNoFailureAfterKill(origin: string, nodes: readonly ServiceProcess[], key: string): Promise<void> {
  const send = async (path: string) => {
    const response = await fetch(`${origin}${path}`, {
      headers: { Authorization: `Bearer ${key}` },
      tls: { rejectUnauthorized: false },
      keepalive: true,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const isServing = () => send("/readyz").catch(() => 0);
  await until(async () => (await isServing()) === 200, 60_000);
  const outcomes: { readonly beganAt: number; readonly status: number }[] = [];
  let isOver = false;
  const calling = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const beganAt = performance.now();
      outcomes.push({ beganAt, status: await send("/api/me").catch(() => 0) });
    }
  });
  const isUsed = (node: ServiceProcess) => node.log().includes('"path":"/api/me"');
  await until(async () => nodes.every(isUsed) && outcomes.length > 100, 60_000);
  nodes[0]?.kill("SIGKILL");
  await nodes[0]?.ended;
  const killedAt = performance.now();
  const later = () => outcomes.filter(({ beganAt }) => beganAt > killedAt);
  await until(async () => later().length > requestsAfterwards, 120_000);
  isOver = true;
  await Promise.all(calling);
  const failed = outcomes.filter(({ status }) => status !== 200);
  // One for each client at most.
  expect(failed.length).toBeLessThanOrEqual(clients);
  expect(later().filter(({ status }) => status !== 200)).toEqual([]);
}

/** A certificate for clients, and one for the nodes, each its own authority. */
async function writeCertificates(directory: string): Promise<{ cert: string; key: string }> {
  const make = (name: string) =>
    generate([{ name: "commonName", value: name }], {
      keyType: "ec",
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: name }] }],
    });
  const [outside, inside] = [await make("localhost"), await make("nodes.internal")];
  const files = {
    "fullchain.pem": outside.cert,
    "privkey.pem": outside.private,
    "snippets.example.com.pem": `${outside.cert}\n${outside.private}`,
    "nodes-ca.pem": inside.cert,
    "node.pem": inside.cert,
    "node-key.pem": inside.private,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text, { mode: 0o600 });
  return { cert: join(directory, "node.pem"), key: join(directory, "node-key.pem") };
}
