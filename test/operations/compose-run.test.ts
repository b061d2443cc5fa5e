// deploy/compose.yaml in real containers: two nodes, PostgreSQL, and its backups. The proxy is left out, because its image is not built here.
import "../support/once.ts";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Composed, makePostgresImage, prepareCompose } from "../support/compose.ts";
import { buildImage, imageName } from "../support/image.ts";
import { findPodman, type Podman } from "../support/podman.ts";
import { toolsDirectory } from "../support/postgres-tools.ts";

const { podman, cannotRun } = await findPodman();
const tools = toolsDirectory();
const reason =
  cannotRun ??
  (Bun.which("docker-compose") ? undefined : "docker-compose is not installed") ??
  (tools ? undefined : "the tools of PostgreSQL are not installed");
if (reason !== undefined) console.log(`compose-run.test.ts: skipped: ${reason}`);

const prepareMilliseconds = 300_000;
/** Each command of docker-compose takes a second. */
setDefaultTimeout(240_000);

describe.skipIf(reason !== undefined)("the Compose file", () => {
  const { run, attempt, reach } = podman as Podman;
  let composed: Composed;

  /** Runs docker-compose. @returns standard output */
  const compose = async (...words: string[]) => {
    const { status, stdout, stderr } = await composed.compose(...words);
    if (status !== 0) throw new Error(`docker-compose ${words.join(" ")} ended with ${status}:\n${stderr}`);
    return stdout;
  };
  const command = (node: string, ...words: string[]) => compose("exec", "-T", node, "/commonplace", ...words, "--json");
  const json = async (node: string, ...words: string[]) => JSON.parse(await command(node, ...words));
  const untilReady = async (node: string) => {
    while ((await composed.compose("exec", "-T", node, "/commonplace", "health", "--ready")).status !== 0)
      await Bun.sleep(100);
  };
  const inspect = async (service: string) =>
    JSON.parse(await run("container", "inspect", `commonplace_${service}_1`))[0];

  beforeAll(async () => {
    await buildImage(podman as Podman);
    const images = { node: imageName, postgres: await makePostgresImage(podman as Podman, tools ?? "") };
    composed = await prepareCompose(podman as Podman, images, [
      "POSTGRES_PASSWORD=secret",
      `INSTANCE_KEY=${"k".repeat(32)}`,
      "SITE=snippets.example.com",
      "COMPOSE_PROFILES=backup",
      "COMMONPLACE_MONTHLY_REQUESTS=7",
    ]);
    const started = compose("up", "--detach", "postgres", "node-1", "node-2", "backup");
    // systemd runs podman's health checks; here, the test does, and docker-compose waits for the result.
    let isStarting = true;
    started.finally(() => {
      isStarting = false;
    });
    while (isStarting) {
      await attempt("healthcheck", "run", "commonplace_postgres_1");
      await Bun.sleep(100);
    }
    await started;
  }, prepareMilliseconds);
  afterAll(() => composed?.stop());

  test("two nodes serve one database, with the settings of .env", async () => {
    await Promise.all(["node-1", "node-2"].map(untilReady));
    const made = await json("node-1", "workspace", "create", "--name", "Ours");
    expect(made).toMatchObject({ name: "Ours", monthly_requests: 7 });
    expect(await json("node-2", "workspace", "show", "--workspace", made.id)).toMatchObject(made);
    expect((await json("node-2", "setup-link")).link).toStartWith("https://snippets.example.com/console/invitation#");
  });

  test("no node has a first key that nobody knows", async () => {
    const workspaces: { id: string }[] = await json("node-1", "workspace", "list");
    const keys = workspaces.map(({ id }) => json("node-1", "key", "list", "--workspace", id));
    expect((await Promise.all(keys)).flat()).toEqual([]);
  });

  test("Prometheus reaches the metrics of each node", async () => {
    for (const port of composed.metricsPorts.slice(0, 2)) {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, await reach(port));
      expect(await metrics.text()).toContain("commonplace_");
    }
  });

  test("nodes run without root, on read-only roots, and reach other networks, which PostgreSQL does not", async () => {
    const node = await inspect("node-1");
    expect(node.Config.User).toBe("65532:65532");
    expect(node.HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      SecurityOpt: [expect.stringContaining("no-new-privileges")],
    });
    expect(node.EffectiveCaps ?? []).toEqual([]);
    const networksOf = async (service: string) => Object.keys((await inspect(service)).NetworkSettings.Networks).sort();
    expect(await networksOf("node-1")).toEqual(["commonplace_back", "commonplace_out"]);
    expect(await networksOf("postgres")).toEqual(["commonplace_back"]);
    expect(await networksOf("backup")).toEqual(["commonplace_back"]);
    const isInternal = async (name: string) => JSON.parse(await run("network", "inspect", name))[0].internal;
    expect([await isInternal("commonplace_back"), await isInternal("commonplace_out")]).toEqual([true, false]);
  });

  test("a backup is made and restored as docs/operate/containers.md says", async () => {
    const [, name = ""] = /^Created (\S+)$/m.exec(await compose("exec", "-T", "backup", "postgres-backup")) ?? [];
    expect((await attempt("healthcheck", "run", "commonplace_backup_1")).status).toBe(0);
    const before = await json("node-1", "workspace", "list");
    await command("node-1", "workspace", "create", "--name", "Later");
    await compose("stop", "node-1", "node-2");
    const nodes = await Promise.all(["node-1", "node-2"].map(inspect));
    expect(nodes.map(({ State }) => State.ExitCode)).toEqual([0, 0]);
    // While podman's name server learns that the nodes are gone, it answers nothing.
    while ((await composed.compose("exec", "-T", "backup", "pg_isready", "--host=postgres")).status !== 0)
      await Bun.sleep(100);
    await compose("exec", "-T", "backup", "postgres-backup", "restore", name);
    await compose("start", "node-1", "node-2");
    await untilReady("node-1");
    expect(await json("node-1", "workspace", "list")).toEqual(before);
    const { findings } = await json("node-1", "doctor");
    expect(findings.filter(({ severity }: { severity: string }) => severity === "problem")).toEqual([]);
  });
});
