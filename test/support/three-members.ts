// Seven machines with the files of deploy/high-availability: three with etcd, three with PostgreSQL and Patroni, and a node with HAProxy.
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import type { Machine, MachinePlan } from "./machines.ts";
import { type Program, root } from "./program.ts";

const files = join(root, "deploy/high-availability");
const read = (name: string): string => readFileSync(join(files, name), "utf8");
const servers = "/usr/lib/postgresql";
const rehearsalMilliseconds = 180_000;

/** The name in the database URL, which the certificates of all servers have. */
const databaseName = "db.internal";
const namesOfDebianBefore = "3.0.2";

/** @returns the machines to start, and the certificate that a node has to trust */
export async function planMembers(directory: string): Promise<{ plans: MachinePlan[]; authority: string }> {
  const certificate = await generate([{ name: "commonName", value: databaseName }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: databaseName }] }],
  });
  const authority = join(directory, "database-ca.crt");
  writeFileSync(authority, certificate.cert);
  const numbers = [1, 2, 3];
  const plans = [
    ...numbers.map((number) => planEtcd(directory, number)),
    ...numbers.map((number) => planDatabase(directory, number, { cert: certificate.cert, key: certificate.private })),
    planNode(directory),
  ];
  return { plans, authority };
}

function planEtcd(directory: string, number: number): MachinePlan {
  const name = `etcd-${number}`;
  const [settings, data] = [join(directory, name), join(directory, `${name}-data`)];
  // Only the first lines are of this server; the others are the same on all.
  const [own = "", same = ""] = read("etcd").split("# The same on all three.");
  writeFileSync(
    settings,
    own.replace("ETCD_NAME=etcd-1", `ETCD_NAME=${name}`).replaceAll("10.0.0.31", `10.0.0.3${number}`) +
      (isOldPatroni() ? same.replace("#ETCD_ENABLE_V2", "ETCD_ENABLE_V2") : same),
  );
  makeOwnDirectory(data, "etcd");
  return {
    name,
    address: `10.0.0.3${number}`,
    files: { "/etc/default/etcd": settings, "/var/lib/etcd": data },
    log: join(directory, `${name}.log`),
  };
}

function planDatabase(directory: string, number: number, pair: { cert: string; key: string }): MachinePlan {
  const name = `db-${number}`;
  const [configuration, data, sockets] = ["etc", "data", "run"].map((part) => join(directory, `${name}-${part}`));
  for (const path of [configuration, data, sockets]) makeOwnDirectory(path ?? "", "postgres");
  const settings = read("patroni.yml")
    .replace("name: db-1", `name: ${name}`)
    .replaceAll("10.0.0.21", `10.0.0.2${number}`)
    .replaceAll("/15/", `/${newestServer()}/`);
  const contents = {
    "config.yml": isOldPatroni() ? settings.replace("etcd3:", "etcd:") : settings,
    "server.crt": pair.cert,
    "server.key": pair.key,
  };
  for (const [file, text] of Object.entries(contents)) writeOwn(join(configuration ?? "", file), text, "postgres");
  return {
    name,
    address: `10.0.0.2${number}`,
    files: { "/etc/patroni": configuration ?? "", "/var/lib/postgresql": data ?? "", "/run/postgresql": sockets ?? "" },
    log: join(directory, `${name}.log`),
  };
}

function planNode(directory: string): MachinePlan {
  const hosts = join(directory, "hosts");
  writeFileSync(hosts, `127.0.0.1 localhost ${databaseName}\n`);
  return {
    name: "node",
    address: "10.0.0.11",
    files: { "/etc/hosts": hosts, "/etc/haproxy": files },
    log: join(directory, "node.log"),
  };
}

const makeOwnDirectory = (path: string, user: string): void => {
  mkdirSync(path);
  giveTo(path, user, 0o700);
};

const writeOwn = (path: string, text: string, user: string): void => {
  writeFileSync(path, text);
  giveTo(path, user, 0o600);
};

function giveTo(path: string, user: string, mode: number): void {
  const [uid = 0, gid = 0] = ["-u", "-g"].map((option) => Number(Bun.spawnSync(["id", option, user]).stdout));
  chownSync(path, uid, gid);
  chmodSync(path, mode);
}

const newestServer = (): number => Math.max(...readdirSync(servers).map(Number));

/** The one in Debian 12, for which the files say what to change. */
const isOldPatroni = (): boolean =>
  String(Bun.spawnSync(["patroni", "--version"]).stdout)
    .trim()
    .endsWith(` ${namesOfDebianBefore}`);

export interface Rehearsal {
  readonly output: () => string;
  /** The seconds of each time without a write so far. */
  readonly gaps: () => number[];
  /** Ends it as Ctrl+C does. @returns what it counted */
  readonly end: () => Promise<{ status: number; acknowledged: number; lost: number; twice: number; changed: number }>;
}

/** Starts deploy/high-availability/rehearse on a machine that the program runs on, and waits until it writes. */
export async function startRehearsal({ enter }: Machine, { baseUrl, ca, first }: Program): Promise<Rehearsal> {
  const environment = { CPL_URL: baseUrl, CPL_KEY: first.key ?? "", CPL_CA: ca };
  const child = Bun.spawn(
    [...enter(), "sh", "-c", 'echo $$ && exec "$0" "$1"', join(files, "rehearse"), first.team_id ?? ""],
    {
      env: { ...process.env, ...environment },
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  let text = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) text += decoder.decode(chunk, { stream: true });
  })();
  const startedAt = performance.now();
  while (!text.includes("  writing ")) {
    if (child.exitCode !== null || performance.now() - startedAt > rehearsalMilliseconds)
      throw new Error(`rehearse did not start: ${text}`);
    await Bun.sleep(50);
  }
  return {
    output: () => text,
    gaps: () => Array.from(text.matchAll(/succeed again, after ([\d.]+) s/g), ([, seconds]) => Number(seconds)),
    end: async () => {
      const [pid = ""] = text.split("\n");
      Bun.spawnSync([...enter(), "kill", "-INT", pid]);
      const status = await child.exited;
      await reading;
      const counted = /Acknowledged: (\d+), lost: (\d+), carried out twice: (\d+), changed: (\d+)/.exec(text) ?? [];
      const [acknowledged = -1, lost = -1, twice = -1, changed = -1] = counted.slice(1).map(Number);
      return { status, acknowledged, lost, twice, changed };
    },
  };
}
