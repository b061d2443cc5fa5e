// deploy/kubernetes.yaml matches the program and the files next to it.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { settings } from "../../src/config/settings.ts";
import { readConfig } from "../../src/config.ts";
import { read, shutdownSeconds, yaml } from "../support/deploy-files.ts";
import { root } from "../support/program.ts";

const manifests = yaml("deploy/kubernetes.yaml");
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever stands there, and asserts on it.
const manifest = (kind: string, name = "commonplace"): any =>
  manifests.find(
    (one: { kind: string; metadata: { name: string } }) => one.kind === kind && one.metadata.name === name,
  );
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
  expect(manifest("Service", "commonplace-metrics").spec.ports).toMatchObject([
    { port: config.metricsPort, targetPort: "metrics" },
  ]);
  // Behind a load balancer, it would show the metrics to everyone.
  expect(manifest("Service").spec.ports).toHaveLength(1);
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

const backup = manifest("CronJob", "postgres-backup").spec.jobTemplate.spec.template;
const [dump] = backup.spec.containers;

test("fits the restricted profile of Pod Security", () => {
  expect(manifest("Namespace").metadata.labels["pod-security.kubernetes.io/enforce"]).toBe("restricted");
  for (const [one, inner] of [
    [pod, container],
    [backup.spec, dump],
  ]) {
    expect(one.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(one.securityContext.runAsUser).toBeGreaterThan(0);
    expect(inner.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(one.automountServiceAccountToken).toBe(false);
  }
});

test("lets out what the settings ask for: names, PostgreSQL, email, and HTTPS", () => {
  const portsOf = (name: string): number[] =>
    manifest("NetworkPolicy", name).spec.egress.flatMap((rule: { ports: { port: number }[] }) =>
      rule.ports.map(({ port }) => port),
    );
  expect(new Set(portsOf("commonplace"))).toEqual(new Set([53, 5432, 443, 587, 465]));
  expect(new Set(portsOf("postgres-backup"))).toEqual(new Set([53, 5432]));
  const defaultPorts: Record<string, number> = { "smtps:": 465, "https:": 443, "postgres:": 5432 };
  const examples = [
    ...settings.map(({ meaning }) => meaning),
    read("deploy/.env.example"),
    read("deploy/commonplace.env.example"),
  ];
  const urls = examples.flatMap((text) => text.match(/\b(?:smtps?|https|postgres):\/\/[\w.:@/-]+/g) ?? []);
  expect(urls.length).toBeGreaterThan(5);
  for (const url of urls) {
    const { port, protocol } = new URL(url);
    expect([url, portsOf("commonplace")]).toEqual([
      url,
      expect.arrayContaining([Number(port) || defaultPorts[protocol]]),
    ]);
  }
});

test("takes all other settings from a secret, which the file's own settings override", () => {
  expect(container.envFrom).toEqual([{ secretRef: { name: "commonplace-settings", optional: true } }]);
});

test("backs up the database with the script, in the image that Compose uses", () => {
  expect(dump.image).toBe(yaml("deploy/compose.yaml").services.postgres.image);
  const [, script] = dump.command;
  expect(existsSync(join(root, "deploy", basename(script)))).toBe(true);
  const mounted = dump.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  expect(mounted).toEqual([dirname(script), "/backups"]);
  expect(read("deploy/postgres-backup")).toMatch(/^directory=.*:-\/backups\}$/m);
  expect(read("deploy/kubernetes.yaml")).toContain("configmap postgres-backup --from-file=deploy/postgres-backup");
  expect(manifest("NetworkPolicy", "postgres-backup").spec.podSelector.matchLabels).toEqual(backup.metadata.labels);
});

test("selects its own pods everywhere, and keeps all but one of them", () => {
  const labels = { "app.kubernetes.io/name": "commonplace" };
  expect(spec.template.metadata.labels).toEqual(labels);
  const selectors = [
    spec.selector.matchLabels,
    manifest("Service").spec.selector,
    manifest("Service", "commonplace-metrics").spec.selector,
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
