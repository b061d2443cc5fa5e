// The files in deploy/ and the Dockerfile match the program and each other. What cannot be run here is parsed; their tools
// check them if installed.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import program from "../../package.json" with { type: "json" };
import { commands } from "../../src/commands.ts";
import { settings } from "../../src/config/settings.ts";
import { readConfig } from "../../src/config.ts";
import { root, runToEnd } from "../support/program.ts";
import { startService, temporaryDirectory } from "../support/service.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever stands there, and asserts on it.
const yaml = (path: string): any => Bun.YAML.parse(read(path));

const dockerfile = read("Dockerfile");
const compose = yaml("deploy/compose.yaml");
const manifests = yaml("deploy/kubernetes.yaml");
const unit = read("deploy/commonplace.service");

const defaultOf = (name: string): string => settings.find((setting) => setting.name === name)?.default ?? "";
const [httpsPort, httpPort] = [Number(defaultOf("COMMONPLACE_PORT")), Number(defaultOf("COMMONPLACE_HTTP_PORT"))];
/** The longest shutdown after SIGTERM, drain included. */
const shutdownSeconds = 15;

/** Skips the test if the tool is not installed, and says so in its title. */
function withTool(tool: string, title: string, run: () => Promise<void>): void {
  const isInstalled = Bun.which(tool) !== null;
  test.skipIf(!isInstalled)(isInstalled ? title : `${title} (skipped: ${tool} is not installed)`, run);
}

test("no file names a setting that does not exist", () => {
  const files = readdirSync(join(root, "deploy")).map((name) => `deploy/${name}`);
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

describe("compose.yaml", () => {
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

  test("opens nothing to the outside but the proxy, whom alone the nodes believe", () => {
    expect(names.filter((name) => compose.services[name].ports)).toEqual(["proxy"]);
    expect(compose.networks.back.internal).toBe(true);
    const address = compose.services.proxy.networks.back.ipv4_address;
    for (const node of nodes) {
      expect(compose.services[node].networks).toEqual(["back"]);
      expect(compose.services[node].environment.COMMONPLACE_TRUSTED_PROXIES).toBe(address);
    }
    const [{ subnet }] = compose.networks.back.ipam.config;
    expect(address.startsWith(subnet.replace(/\.0\/24$/, "."))).toBe(true);
  });

  test("balances over all nodes on the plain port", () => {
    const upstreams = /reverse_proxy (.*) \{/.exec(read("deploy/Caddyfile"))?.[1]?.split(" ");
    expect(upstreams).toEqual(nodes.map((node) => `${node}:${httpPort}`));
  });

  test("holds no secret: each comes from a file that git ignores", () => {
    const used = [...read("deploy/compose.yaml").matchAll(/\$\{(\w+)/g)].map((match) => match[1]);
    const example = [...read("deploy/.env.example").matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expect(new Set(used)).toEqual(new Set(example.map(([name]) => name)));
    expect(Object.fromEntries(example)).toMatchObject({ POSTGRES_PASSWORD: "", INSTANCE_KEY: "" });
    expect(read(".gitignore").split("\n")).toContain("/deploy/.env");
  });

  withTool("docker-compose", "docker-compose reads it", async () => {
    // The only one that runs without a daemon is old, and does not know the project's name.
    const place = join(temporaryDirectory(), "compose.yaml");
    writeFileSync(place, read("deploy/compose.yaml").replace(/^name: .*$/m, ""));
    const { status, stderr } = await runToEnd(["docker-compose", "--file", place, "config", "--quiet"], {
      POSTGRES_PASSWORD: "any",
      INSTANCE_KEY: "any",
      SITE: "localhost",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("the proxies", () => {
  const idleSeconds = Number(/^const idleSeconds = (\d+);$/m.exec(read("src/platform/http/listener.ts"))?.[1]);

  test("let go of an idle connection before the node does", () => {
    expect(idleSeconds).toBeGreaterThan(0);
    expect(Number(/keepalive (\d+)s/.exec(read("deploy/Caddyfile"))?.[1])).toBeLessThan(idleSeconds);
    expect(Number(/keepalive_timeout (\d+)s/.exec(read("deploy/nginx.conf"))?.[1])).toBeLessThan(idleSeconds);
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
    expect(readConfig({ COMMONPLACE_BACKUP_DIRECTORY }).backup?.directory).toStartWith("/var/lib/commonplace/");
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

describe("kubernetes.yaml", () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever stands there, and asserts on it.
  const manifest = (kind: string): any => manifests.find((one: { kind: string }) => one.kind === kind);
  const { spec } = manifest("Deployment");
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const environment = Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    container.env.map((entry: any) => [entry.name, entry.value ?? "postgres://user:password@host/name"]),
  );
  const config = readConfig({ ...environment, COMMONPLACE_HOST: "0.0.0.0" });
  const portOf = (name: string): number =>
    container.ports.find((port: { name: string }) => port.name === name)?.containerPort;

  test("gives settings that the program takes, and none that the cluster makes up", () => {
    expect(config.database.engine).toBe("postgres");
    expect(pod.enableServiceLinks).toBe(false);
    expect(
      container.env.find((entry: { name: string }) => entry.name === "COMMONPLACE_DATABASE_URL").value,
    ).toBeUndefined();
    const [certificate] = container.volumeMounts.filter((mount: { name: string }) => mount.name === "tls");
    expect(config.tls?.certPath).toBe(`${certificate.mountPath}/tls.crt`);
    expect(config.tls?.keyPath).toBe(`${certificate.mountPath}/tls.key`);
  });

  test("names the same ports everywhere", () => {
    expect(portOf("https")).toBe(config.port);
    expect(config.metricsPort).toBe(portOf("metrics"));
    expect(spec.template.metadata.annotations["prometheus.io/port"]).toBe(String(config.metricsPort));
    expect(manifest("Service").spec.ports[0].targetPort).toBe("https");
    const policy = manifest("NetworkPolicy").spec;
    expect(policy.ingress.map((rule: { ports: object[] }) => rule.ports)).toEqual([
      [{ port: "https" }],
      [{ port: "metrics" }],
    ]);
    expect(config.metricsHost).toBe("0.0.0.0");
    expect(config.httpPort).toBeUndefined();
  });

  test("asks /healthz whether to restart, /readyz whether to send calls", () => {
    const request = (path: string) => ({ path, port: "https", scheme: "HTTPS" });
    expect(container.startupProbe.httpGet).toEqual(request("/healthz"));
    expect(container.livenessProbe.httpGet).toEqual(request("/healthz"));
    expect(container.readinessProbe.httpGet).toEqual(request("/readyz"));
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(periodSeconds * failureThreshold).toBeLessThan(config.drainSeconds);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(shutdownSeconds);
  });

  test("fits the restricted profile of Pod Security", () => {
    expect(manifest("Namespace").metadata.labels["pod-security.kubernetes.io/enforce"]).toBe("restricted");
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(pod.securityContext.runAsUser).toBeGreaterThan(0);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  test("selects its own pods everywhere, and keeps all but one of them", () => {
    const labels = { "app.kubernetes.io/name": "commonplace" };
    expect(spec.template.metadata.labels).toEqual(labels);
    const selectors = [
      spec.selector.matchLabels,
      manifest("Service").spec.selector,
      manifest("PodDisruptionBudget").spec.selector.matchLabels,
      manifest("NetworkPolicy").spec.podSelector.matchLabels,
      ...pod.topologySpreadConstraints.map(
        (rule: { labelSelector: { matchLabels: object } }) => rule.labelSelector.matchLabels,
      ),
    ];
    for (const selector of selectors) expect(selector).toEqual(labels);
    expect(spec.replicas).toBe(3);
    expect(manifest("PodDisruptionBudget").spec.maxUnavailable).toBe(1);
  });
});
