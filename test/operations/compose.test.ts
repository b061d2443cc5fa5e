// deploy/compose.yaml matches the program and the files next to it.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { httpPort, read, shutdownSeconds, withTool, yaml } from "../support/deploy-files.ts";
import { root, runToEnd } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const compose = yaml("deploy/compose.yaml");
const names = Object.keys(compose.services);
const nodes = names.filter((name) => /^node-\d+$/.test(name));

test("has three nodes whose settings the program takes", () => {
  expect(nodes).toEqual(["node-1", "node-2", "node-3"]);
  for (const node of nodes) {
    const { environment } = compose.services[node];
    const url = environment.COMMONPLACE_DATABASE_URL.replace(/\$\{.*?\}/, "password");
    const origin = environment.COMMONPLACE_URL.replace(/\$\{.*?\}/, "snippets.example.com");
    const key = environment.COMMONPLACE_INSTANCE_KEY.replace(/\$\{.*?\}/, "k".repeat(32));
    const config = readConfig({
      ...environment,
      COMMONPLACE_DATABASE_URL: url,
      COMMONPLACE_INSTANCE_KEY: key,
      COMMONPLACE_URL: origin,
    });
    expect(config.database.engine).toBe("postgres");
    expect(Number.parseInt(compose.services[node].stop_grace_period, 10)).toBeGreaterThan(shutdownSeconds);
  }
});

test("gives nobody more than is needed: read-only roots, no capabilities, bounds, users who are not root", () => {
  for (const name of names) {
    const { read_only, cap_drop, security_opt, pids_limit, deploy, logging, user } = compose.services[name];
    expect({ name, read_only, cap_drop, security_opt }).toEqual({
      name,
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(pids_limit).toBeGreaterThan(0);
    expect(deploy.resources.limits).toEqual({ cpus: expect.any(String), memory: expect.any(String) });
    expect(logging.options["max-size"]).toBeString();
    if (name !== "proxy") expect([name, user]).toEqual([name, expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  }
  expect(compose.services.proxy.cap_add).toEqual(["NET_BIND_SERVICE"]);
});

test("opens nothing to other machines but the proxy, whom alone the nodes believe", () => {
  const isOpen = (name: string) =>
    compose.services[name].ports?.some((port: string) => !port.startsWith("127.0.0.1:")) ?? false;
  expect(names.filter(isOpen)).toEqual(["proxy"]);
  expect(compose.networks.back.internal).toBe(true);
  const address = compose.services.proxy.networks.back.ipv4_address;
  for (const node of nodes) {
    expect(compose.services[node].environment.COMMONPLACE_TRUSTED_PROXIES).toBe(address);
  }
  const [{ subnet, ip_range }] = compose.networks.back.ipam.config;
  expect(address.startsWith(subnet.replace(/\.0\/24$/, "."))).toBe(true);
  // Otherwise, the first container to start would get the proxy's address, and the nodes would trust it.
  expect(ip_range).toBe(subnet.replace(/\.0\/24$/, ".128/25"));
  expect(Number(address.split(".").at(-1))).toBeLessThan(128);
});

test("balances over all nodes on the plain port", () => {
  const upstreams = /reverse_proxy (.*) \{/.exec(read("deploy/Caddyfile"))?.[1]?.split(" ");
  expect(upstreams).toEqual(nodes.map((node) => `${node}:${httpPort}`));
});

test("lets the nodes reach other networks, and nobody but the proxy and them reach beyond this one", () => {
  for (const node of nodes) expect(compose.services[node].networks).toEqual(["back", "out"]);
  expect(compose.networks.out).toBeNull();
  for (const name of ["postgres", "backup"]) expect(compose.services[name].networks).toEqual(["back"]);
});

test("has the metrics of each node on a port of its own", () => {
  const ports = nodes.flatMap((node) => compose.services[node].ports);
  expect(ports).toEqual([9464, 9465, 9466].map((port) => `127.0.0.1:${port}:9464`));
  for (const node of nodes)
    expect(compose.services[node].environment).toMatchObject({
      COMMONPLACE_METRICS_HOST: "0.0.0.0",
      COMMONPLACE_METRICS_PORT: "9464",
    });
});

const variables = [...read("deploy/.env.example").matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
  name,
  value,
]);

test("holds no secret: each comes from a file that git ignores", () => {
  const used = [...read("deploy/compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const own = variables.map(([name]) => name).filter((name) => !/^COMMONPLACE_|^COMPOSE_PROFILES$/.test(name ?? ""));
  expect(new Set(used)).toEqual(new Set(own));
  expect(Object.fromEntries(variables)).toMatchObject({ POSTGRES_PASSWORD: "", INSTANCE_KEY: "" });
  expect(read(".gitignore").split("\n")).toContain("/deploy/.env");
});

test("gives the nodes the settings of that file, which the program takes and none of which the nodes override", () => {
  const given = Object.fromEntries(variables.filter(([name]) => name?.startsWith("COMMONPLACE_")));
  expect(Object.keys(given).length).toBeGreaterThan(5);
  const config = readConfig({ ...given, COMMONPLACE_URL: "https://snippets.example.com" });
  expect(config).toMatchObject({ mail: { from: "commonplace@example.com" }, openId: { clientId: "commonplace" } });
  for (const node of nodes) {
    const { env_file, environment } = compose.services[node];
    expect(env_file).toEqual([".env"]);
    expect(Object.keys(given).filter((name) => name in environment)).toEqual([]);
  }
});

test("backs up PostgreSQL with its own tools, if the profile is on", () => {
  const { backup, postgres } = compose.services;
  expect(backup.image).toBe(postgres.image);
  expect(backup.profiles).toEqual(["backup"]);
  expect(Object.fromEntries(variables)).toMatchObject({ COMPOSE_PROFILES: "backup" });
  const [script, data] = backup.volumes.map((volume: string) => volume.split(/:(?=\/|ro$)/));
  expect(existsSync(join(root, "deploy", script[0]))).toBe(true);
  expect(script.slice(1)).toEqual([`/usr/local/bin/${backup.entrypoint[0]}`, "ro"]);
  expect(data[1]).toBe(backup.environment.BACKUP_DIRECTORY);
  expect(data[1]).toBe(postgres.volumes[0].split(":")[1]);
});

withTool("docker-compose", "docker-compose reads it, and passes the settings on", async () => {
  // The only one that runs without a daemon is old, and does not know the project's name.
  const directory = temporaryDirectory();
  const place = join(directory, "compose.yaml");
  writeFileSync(place, read("deploy/compose.yaml").replace(/^name: .*$/m, ""));
  const example = read("deploy/.env.example")
    .replace("POSTGRES_PASSWORD=", "POSTGRES_PASSWORD=secret")
    .replace("INSTANCE_KEY=", `INSTANCE_KEY=${"k".repeat(32)}`)
    .replaceAll("#COMMONPLACE_", "COMMONPLACE_");
  writeFileSync(join(directory, ".env"), example);
  const { status, stdout, stderr } = await runToEnd(["docker-compose", "--file", place, "config"], {}, directory);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const { services } = Bun.YAML.parse(stdout) as any;
  expect(services.backup.environment).toMatchObject({ BACKUP_HOURS: "24", BACKUP_KEEP: "7" });
  for (const node of nodes) {
    const config = readConfig(services[node].environment);
    expect(config.mail?.url).toBe("smtp://commonplace:PASSWORD@mail.example.com:587");
    expect(config.publicOrigin).toBe("https://snippets.example.com");
  }
});
