// The files of deploy/high-availability, as they are, on seven machines of the test: the commands of the page's rehearsal are run, a primary
// loses power, and no acknowledged write is lost.
import "../support/all-only.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Machine, startMachines } from "../support/machines.ts";
import { isOnPostgres, until } from "../support/nodes.ts";
import { type Program, root, runToEnd, type Settings, serve, program as words } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";
import { planMembers, type Rehearsal, startRehearsal } from "../support/three-members.ts";

const page = readFileSync(join(root, "docs/operate/high-availability.md"), "utf8");
const servers = "/usr/lib/postgresql";
const readyMilliseconds = 180_000;
/** Longer than `ttl`, after which a primary that cannot reach etcd gives up without failsafe_mode. */
const withoutEtcdMilliseconds = 20_000;

const needed = ["etcd", "patroni", "haproxy", "python3", "nsenter"];
const missing = [
  ...needed.filter((name) => Bun.which(name) === null),
  ...(existsSync(servers) ? [] : ["postgresql"]),
  ...(process.getuid?.() === 0 ? [] : ["root"]),
];
if (missing.length > 0) console.log(`high-availability.test.ts: skipped, without ${missing.join(", ")}`);

/** The blocks of commands that say where they are run, in order. What follows them on the page is done without Patroni. */
const [withPatroni = ""] = page.split("\n## Without Patroni\n");
const blocks = Array.from(
  withPatroni.matchAll(/^ *```sh\n *# on (.+)\n([^`]*)```$/gm),
  ([, place = "", commands = ""]) => ({
    place,
    commands: commands.trim(),
  }),
);

describe.skipIf(!isOnPostgres || missing.length > 0)("high availability", () => {
  let machines: Machine[];
  let program: Program;
  let rehearsal: Rehearsal;
  let authority: string;
  /** Runs the program on the node. */
  let executable: string;
  let settings: Settings;
  const on = (name: string): Machine => {
    const machine = machines.find((one) => one.name === name);
    if (machine === undefined) throw new Error(`there is no machine ${name}`);
    return machine;
  };
  const members = () => machines.filter(({ name }) => name.startsWith("db-"));

  const listMembers = async (): Promise<{ Member: string; Role: string; State: string }[]> => {
    for (const { shell } of members()) {
      const { status, stdout } = await shell(
        "sudo -u postgres patronictl -c /etc/patroni/config.yml list --format json",
      );
      if (status === 0 && stdout.startsWith("[")) return JSON.parse(stdout);
    }
    return [];
  };
  const roles = async () =>
    (await listMembers())
      .filter(({ State }) => ["running", "streaming"].includes(State))
      .map(({ Role }) => Role)
      .sort();
  const isComplete = async () => (await roles()).join() === "Leader,Replica,Sync Standby";
  const withRole = async (isWanted: (role: string) => boolean) =>
    (await listMembers()).filter(({ Role }) => isWanted(Role)).map(({ Member }) => on(Member));

  /**
   * Until HAProxy has checked the servers, it sends connections to each of the three in turn, so that three in a row reach the primary only
   * if it sends all of them there.
   */
  const leadsToPrimary = async (url: string): Promise<boolean> => {
    const address = url.replace("verify-full", "require");
    const { stdout } = await on("node").shell(
      `for turn in 1 2 3; do psql "${address}" --tuples-only --no-align --command 'select pg_is_in_recovery()'; done`,
    );
    return stdout === "f\nf\nf\n";
  };

  const placesOf = async (place: string): Promise<Machine[]> => {
    if (place === "the leader") return withRole((role) => role === "Leader");
    if (place === "both standbys") return withRole((role) => role !== "Leader");
    if (place === "the node") return [on("node")];
    return place.split(" and ").map(on);
  };
  /** Runs the next block of the page. */
  const next = async (expected: string) => {
    const block = blocks.shift();
    expect(block?.commands).toContain(expected);
    const places = await placesOf(block?.place ?? "");
    expect(places).not.toEqual([]);
    const outcomes = await Promise.all(places.map(({ shell }) => shell(block?.commands ?? "")));
    expect(outcomes.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      places.map(() => ({ status: 0, stderr: "" })),
    );
    return outcomes[0]?.stdout ?? "";
  };

  beforeAll(async () => {
    const directory = temporaryDirectory();
    const planned = await planMembers(directory);
    authority = planned.authority;
    machines = await startMachines(directory, planned.plans);
    for (const name of ["etcd-1", "etcd-2", "etcd-3"]) await on(name).shell("systemctl start etcd");
    await on("db-1").shell("systemctl start patroni");
    await until(async () => (await roles()).includes("Leader"), readyMilliseconds);
    for (const name of ["db-2", "db-3"]) await on(name).shell("systemctl start patroni");
    await until(isComplete, readyMilliseconds);
  }, readyMilliseconds * 2);

  test(
    "three members form a cluster, and a node finds the primary through HAProxy, with a verified certificate",
    async () => {
      expect(await next("patronictl -c /etc/patroni/config.yml list")).toContain("Sync Standby");
      expect(await next("create database commonplace")).toBe("CREATE ROLE\nCREATE DATABASE\n");
      await on("node").shell("systemctl start haproxy");
      const data = temporaryDirectory();
      executable = join(data, "on-the-node");
      writeFileSync(executable, `#!/bin/sh\nexec ${on("node").enter().join(" ")} ${words.join(" ")} "$@"\n`);
      chmodSync(executable, 0o755);
      const [, url = ""] = /COMMONPLACE_DATABASE_URL="(.+)"/.exec(page) ?? [];
      settings = {
        COMMONPLACE_DATA_DIRECTORY: data,
        COMMONPLACE_DATABASE_URL: url,
        NODE_EXTRA_CA_CERTS: authority,
        COMMONPLACE_REQUESTS_PER_MINUTE: "600",
      };
      await until(() => leadsToPrimary(url), readyMilliseconds);
      program = await serve(settings, ["--json"], executable);
      rehearsal = await startRehearsal(on("node"), program);
    },
    readyMilliseconds,
  );

  const isReady = async () =>
    (await on("node").shell(`curl --silent --fail --insecure ${new URL(program.baseUrl).origin}/readyz`)).status === 0;

  test(
    "a switchover: writes fail for a few seconds",
    async () => {
      const before = rehearsal.gaps().length;
      await next("switchover --force");
      await until(async () => rehearsal.gaps().length > before, readyMilliseconds);
      await until(isComplete, readyMilliseconds);
    },
    readyMilliseconds * 2,
  );

  test(
    "HAProxy is restarted: the node is ready again",
    async () => {
      await next("systemctl restart haproxy");
      await until(isReady, readyMilliseconds);
    },
    readyMilliseconds,
  );

  test(
    "two of three etcd servers are lost: writes go on",
    async () => {
      const before = rehearsal.gaps().length;
      await next("systemctl stop etcd");
      await Bun.sleep(withoutEtcdMilliseconds);
      expect(rehearsal.gaps().slice(before)).toEqual([]);
      expect(await isReady()).toBe(true);
      await next("systemctl start etcd");
      await until(isComplete, readyMilliseconds);
    },
    readyMilliseconds * 2,
  );

  test(
    "the primary loses power: a standby takes over, and the machine rejoins",
    async () => {
      const block = blocks.shift();
      expect(block).toEqual({ place: "the leader", commands: "sudo systemctl reboot --force --force" });
      const [leader] = await placesOf("the leader");
      expect(leader).toBeDefined();
      const before = rehearsal.gaps().length;
      await leader?.cutPower();
      await until(async () => rehearsal.gaps().length > before, readyMilliseconds);
      await leader?.boot();
      await leader?.shell("systemctl start patroni");
      await until(isComplete, readyMilliseconds);
      expect((await withRole((role) => role === "Leader")).map(({ name }) => name)).not.toEqual([leader?.name ?? ""]);
    },
    readyMilliseconds * 3,
  );

  test(
    "both standbys are lost: the primary goes on alone",
    async () => {
      const standbys = await placesOf("both standbys");
      await next("systemctl stop patroni");
      await until(isReady, readyMilliseconds);
      const block = blocks.shift();
      expect(block).toEqual({ place: "both standbys", commands: "sudo systemctl start patroni" });
      for (const { shell } of standbys) await shell(block?.commands ?? "");
      await until(isComplete, readyMilliseconds);
    },
    readyMilliseconds * 2,
  );

  test(
    "every acknowledged write is there once, on all three servers, and the doctor finds nothing",
    async () => {
      const report = await rehearsal.end();
      console.log(rehearsal.output());
      expect(report).toEqual({ status: 0, lost: 0, twice: 0, changed: 0, acknowledged: report.acknowledged });
      expect(report.acknowledged).toBeGreaterThan(100);
      const counted = "select count(distinct title), count(*) from snippets where title like 'Rehearsal %'";
      const countOn = async ({ shell }: Machine) =>
        (await shell(`sudo -u postgres psql --no-align --tuples-only commonplace -c "${counted}"`)).stdout.trim();
      const [leader] = await placesOf("the leader");
      const count = leader ? await countOn(leader) : "";
      const [titles, rows] = count.split("|").map(Number);
      expect(titles).toBe(rows);
      expect(rows).toBeGreaterThanOrEqual(report.acknowledged);
      for (const member of members())
        await until(async () => (await countOn(member)) === count, readyMilliseconds).catch(async () =>
          expect([member.name, await countOn(member)]).toEqual([member.name, count]),
        );
      const doctor = await runToEnd([executable, "doctor", "--json"], settings);
      const { findings } = JSON.parse(doctor.stdout);
      expect(findings.filter(({ severity }: { severity: string }) => severity === "problem")).toEqual([]);
      expect(blocks).toEqual([]);
    },
    readyMilliseconds * 2,
  );
});
