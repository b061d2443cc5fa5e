// The files in deploy/ and the Dockerfile match the program and each other. What cannot be run here is parsed; their tools
// check them if installed.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import program from "../../package.json" with { type: "json" };
import { commands } from "../../src/commands.ts";
import { settings } from "../../src/config/settings.ts";
import { readConfig } from "../../src/config.ts";
import { httpPort, httpsPort, read, shutdownSeconds, withTool, yaml } from "../support/deploy-files.ts";
import { root, runToEnd } from "../support/program.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

const dockerfile = read("Dockerfile");
const unit = read("deploy/commonplace.service");

test("no file names a setting that does not exist", () => {
  const files = [...new Bun.Glob("deploy/**/*").scanSync(root)];
  const unknown = ["Dockerfile", ...files].flatMap((path) =>
    [...read(path).matchAll(/\bCOMMONPLACE_[A-Z_]+\b/g)]
      .map(([name]) => name)
      .filter((name) => !settings.some((setting) => setting.name === name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test("the probes that the files name are answered with 200", async () => {
  const { service, fetch } = await startService();
  const named = ["Dockerfile", "deploy/Caddyfile", "deploy/kubernetes.yaml", "deploy/compose.yaml"].flatMap((path) =>
    [...read(path).matchAll(/\/(?:healthz|readyz)\b/g)].map(([probe]) => probe),
  );
  expect(new Set(named)).toEqual(new Set(["/healthz", "/readyz"]));
  for (const probe of new Set(named)) {
    const answer = await fetch(`https://localhost:${service.port}${probe}`);
    expect([probe, answer.status]).toEqual([probe, 200]);
  }
});

describe("Dockerfile", () => {
  const lines = dockerfile.split("\n");
  const final = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));

  test("runs as a user who is not root, given by number", () => {
    const [uid = 0] = final.flatMap((line) => /^USER (\d+):\d+$/.exec(line)?.[1] ?? []).map(Number);
    expect(uid).toBeGreaterThan(0);
    expect(dockerfile).toContain(`--chown=${uid}:${uid} /build/volume /`);
  });

  test("opens the ports that are listened on", () => {
    expect(final).toContain(`EXPOSE ${httpsPort} ${httpPort}`);
  });

  test("serves, and is asked for its health, by commands that exist", () => {
    const named = final.flatMap((line) => /CMD (\[.*\])$/.exec(line)?.[1] ?? []).map((list) => JSON.parse(list));
    expect(named).toEqual([["/commonplace", "health"], ["serve"]]);
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["health", "serve"]));
  });

  test("copies what exists and what .dockerignore lets through, and nothing else is let through", () => {
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(" ") ?? []);
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toContain("*");
    const allowed = ignored.flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []);
    expect(copied.toSorted()).toEqual(allowed.toSorted());
    for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  });

  test("builds on a Node.js that the package takes", () => {
    const version = Number(/^FROM node:(\d+)/m.exec(dockerfile)?.[1]);
    expect(version).toBeGreaterThanOrEqual(Number(/\d+/.exec(program.engines.node)?.[0]));
  });
});

test("image tags have the version of package.json", () => {
  const tags = ["Dockerfile", "deploy/compose.yaml", "deploy/kubernetes.yaml"].flatMap((path) =>
    [...read(path).matchAll(/commonplace:(\d[\w.-]*)/g)].map((match) => match[1]),
  );
  expect(tags.length).toBeGreaterThanOrEqual(3);
  expect(new Set(tags)).toEqual(new Set([program.version]));
});

describe("the proxies", () => {
  const idleSeconds = Number(/^const idleSeconds = (\d+);$/m.exec(read("src/platform/http/listener.ts"))?.[1]);

  test("let go of an idle connection before the node does", () => {
    expect(idleSeconds).toBeGreaterThan(0);
    expect(Number(/keepalive (\d+)s/.exec(read("deploy/Caddyfile"))?.[1])).toBeLessThan(idleSeconds);
    expect(Number(/keepalive_timeout (\d+)s/.exec(read("deploy/nginx.conf"))?.[1])).toBeLessThan(idleSeconds);
    expect(Number(/http-keep-alive (\d+)s/.exec(read("deploy/haproxy.cfg"))?.[1])).toBeLessThan(idleSeconds);
  });

  test("the one to PostgreSQL lets go of an idle connection after the node does", () => {
    const idle = Number(/^const idleSeconds = (\d+);$/m.exec(read("src/platform/database/postgres.ts"))?.[1]);
    const timeouts = [...read("deploy/high-availability/haproxy.cfg").matchAll(/timeout (?:client|server) (\d+)s/g)];
    expect(idle).toBeGreaterThan(0);
    expect(timeouts.filter(([, seconds]) => Number(seconds) > idle)).toHaveLength(2);
  });

  withTool("haproxy", "haproxy takes the file of the one to PostgreSQL", async () => {
    const tried = await runToEnd(["haproxy", "-c", "-q", "-f", join(root, "deploy/high-availability/haproxy.cfg")]);
    expect(tried).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("Patroni's times keep its rule, and commits wait for a standby", () => {
    const { bootstrap, postgresql } = yaml("deploy/high-availability/patroni.yml");
    const { ttl, loop_wait, retry_timeout, synchronous_mode } = bootstrap.dcs;
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
    expect(synchronous_mode).toBe(true);
    expect(postgresql.listen).toEndWith(":5432");
  });

  withTool("caddy", "caddy takes its file", async () => {
    const home = temporaryDirectory();
    const { status, stdout } = await runToEnd(
      ["caddy", "validate", "--adapter", "caddyfile", "--config", join(root, "deploy/Caddyfile")],
      { SITE: "localhost", XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    );
    expect([status, stdout]).toEqual([0, "Valid configuration\n"]);
  });

  withTool("nginx", "nginx takes its file", async () => {
    const directory = temporaryDirectory();
    const pems = await generate([{ name: "commonName", value: "snippets.example.com" }], { keyType: "ec" });
    writeFileSync(join(directory, "fullchain.pem"), pems.cert);
    writeFileSync(join(directory, "privkey.pem"), pems.private);
    mkdirSync(join(directory, "log"));
    // nginx opens what it listens on even to try a file: here sockets, which anybody may open.
    const site = read("deploy/nginx.conf")
      .replaceAll("/etc/letsencrypt/live/snippets.example.com", directory)
      .replaceAll(/^ *listen \[::\].*$/gm, "")
      .replaceAll(/listen (\d+)/g, `listen unix:${directory}/$1`);
    writeFileSync(join(directory, "site.conf"), site);
    writeFileSync(
      join(directory, "nginx.conf"),
      `pid ${directory}/pid; error_log stderr; events {} http { access_log off; include ${directory}/site.conf; }`,
    );
    const tried = await runToEnd(["nginx", "-t", "-q", "-p", directory, "-c", join(directory, "nginx.conf")]);
    expect(tried).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describe("commonplace.service", () => {
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map((match) => match[1]);

  test("runs a command that exists, as a user who is not root, and waits for its end", () => {
    expect(values("ExecStart")).toEqual(["/usr/local/bin/commonplace serve"]);
    expect(values("User")).toEqual(["commonplace"]);
    expect(Number(values("TimeoutStopSec")[0])).toBeGreaterThan(shutdownSeconds);
  });

  test("its settings, and each in the example, are taken by the program", () => {
    const example = [...read("deploy/commonplace.env.example").matchAll(/^#?(COMMONPLACE_\w+)=(.*)$/gm)];
    const given = Object.fromEntries([
      ...values("Environment").map((pair = "") => pair.split("=")),
      ...example.map(([, name, value]) => [name, value]),
    ]);
    expect(Object.keys(given).length).toBeGreaterThan(5);
    // Scheduled backups are for the embedded database.
    const { COMMONPLACE_BACKUP_DIRECTORY, ...others } = given;
    expect(readConfig(others)).toMatchObject({ dataDirectory: "/var/lib/commonplace" });
    const { backup } = readConfig({ COMMONPLACE_BACKUP_DIRECTORY });
    expect(values("ReadWritePaths")).toEqual([`-${backup?.directory}`]);
  });

  withTool("systemd-analyze", "systemd takes it, and finds little exposed", async () => {
    const place = join(temporaryDirectory(), "commonplace.service");
    writeFileSync(place, unit.replace("/usr/local/bin/commonplace", "/bin/true"));
    const verified = await runToEnd(["systemd-analyze", "verify", place]);
    expect({ status: verified.status, stderr: verified.stderr }).toEqual({ status: 0, stderr: "" });
    const { stdout } = await runToEnd(["systemd-analyze", "security", "--offline=true", "--no-pager", place]);
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(1.5);
  });
});
