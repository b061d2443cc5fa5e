// Installs the Debian package of a release in a Debian of its own: installs, upgrades, removes, and purges it, and starts what its unit starts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDeb } from "../../scripts/release/deb.ts";
import { makeDocuments } from "../../scripts/release/documents.ts";
import { afterAllTests } from "../support/cleanup.ts";
import { freePort, type Outcome, runToEnd } from "../support/program.ts";
import { type BuiltRelease, version } from "./built-release.ts";

const architecture = process.arch === "arm64" ? "arm64" : "amd64";
const installMilliseconds = 120_000;
const requestMilliseconds = 60_000;

const made = await makeDebian();
if (made.whyNot) console.log(`The Debian package is not installed: ${made.whyNot}.`);

/** A Debian with nothing but what every Debian has, and no network to install more from. */
async function makeDebian(): Promise<{ readonly root: string; readonly whyNot?: string }> {
  const root = mkdtempSync(join(tmpdir(), "commonplace-test-debian-"));
  afterAllTests(() => rmSync(root, { recursive: true, force: true }));
  if (!Bun.which("mmdebstrap")) return { root, whyNot: "mmdebstrap is not installed: apt-get install mmdebstrap" };
  if (process.getuid?.() !== 0) return { root, whyNot: "only root can change its root directory" };
  const words = ["mmdebstrap", "--quiet", "--variant=essential", "--include=passwd", "bookworm", root];
  const { status, stderr } = await runToEnd(words, {}, "/", installMilliseconds * 2);
  return status === 0
    ? { root }
    : { root, whyNot: `mmdebstrap ended with ${status}: ${stderr.trim().split("\n").at(-1)}` };
}

export function testDebianPackage(release: () => BuiltRelease): void {
  describe.skipIf(Boolean(made.whyNot))("the Debian package", () => {
    const { root } = made;
    const port = freePort();
    const earlier = "0.0.1";
    const settingsFile = join(root, "etc/commonplace/commonplace.env");
    const certificate = join(root, "var/lib/commonplace/tls/ca.crt");
    let key = "";

    /** Runs a command in the root, with processes of its own. */
    const run = (...words: string[]): Promise<Outcome> =>
      runToEnd(
        [...enter(root), ...words],
        { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
        "/",
        installMilliseconds,
      );
    const output = async (...words: string[]): Promise<string> => {
      const { status, stdout, stderr } = await run(...words);
      expect([words, status, stderr]).toEqual([words, 0, ""]);
      return stdout;
    };
    const modeOf = async (path: string) => (await output("stat", "--format", "%a %U:%G", path)).trim();

    beforeAll(async () => {
      const name = `commonplace_${version}_${architecture}.deb`;
      copyFileSync(release().path(name), join(root, "new.deb"));
      const archive = `commonplace-${version}-linux-${process.arch}`;
      const unpacked = await release().unpack(`${archive}.tar.gz`);
      const source = { version: earlier, commit: "", date: 0, isChanged: false };
      const executable = readFileSync(join(unpacked, archive, "commonplace"));
      writeFileSync(
        join(root, "old.deb"),
        makeDeb(source, architecture, executable, makeDocuments(source).server).bytes,
      );
    }, installMilliseconds);

    /** Starts the service as systemd would, asks it with a key, and stops it. @returns the status of the response */
    async function startAndAsk(): Promise<number> {
      const child = Bun.spawn([...enter(root), ...commandOfUnit(root)], { stdout: "pipe", stderr: "inherit" });
      try {
        // It prints one line when it is ready.
        await child.stdout.getReader().read();
        key ||=
          /cpl_[0-9A-Za-z]{38}/.exec(readFileSync(join(root, "var/lib/commonplace/first-api-key.txt"), "utf8"))?.[0] ??
          "";
        const response = await fetch(`https://localhost:${port}/api/me`, {
          headers: { Authorization: `Bearer ${key}` },
          tls: { ca: readFileSync(certificate, "utf8") },
        });
        return response.status;
      } finally {
        // unshare itself ignores the signal.
        const [service] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
        if (service) process.kill(Number(service), "SIGTERM");
        await child.exited;
      }
    }

    test(
      "is installed, with its user and its directories, and runs doctor",
      async () => {
        const installed = await run("dpkg", "--install", "/old.deb");
        expect([installed.status, installed.stderr]).toEqual([0, expect.not.stringContaining("error")]);
        expect(installed.stdout).toMatch(/^\d+ problems?, .* ok\.$|^No problems, .* ok\.$/m);
        expect(installed.stdout).toContain("Operator account:  commonplace-admin setup-link");
        expect(await output("dpkg-query", "--show", "--showformat", `\${Version} \${Status}`, "commonplace")).toBe(
          `${earlier} install ok installed`,
        );
        expect(await modeOf("/etc/commonplace")).toBe("750 root:commonplace");
        expect(await modeOf("/etc/commonplace/tls")).toBe("750 root:commonplace");
        expect(await modeOf("/etc/commonplace/commonplace.env")).toBe("600 root:root");
        expect(await modeOf("/var/lib/commonplace")).toBe("700 commonplace:commonplace");
        expect(await output("getent", "passwd", "commonplace")).toEndWith(":/var/lib/commonplace:/usr/sbin/nologin\n");
        expect(await output("dpkg", "--verify", "commonplace")).toBe("");
        expect(await output("commonplace", "--version")).toContain("commonplace ");
      },
      installMilliseconds,
    );

    test(
      "starts as its unit starts it, with the settings in its file",
      async () => {
        writeFileSync(settingsFile, `COMMONPLACE_HTTPS_PORT=${port}\nCOMMONPLACE_HTTP_PORT=off\n`);
        expect(await startAndAsk()).toBe(200);
        expect(await modeOf("/var/lib/commonplace/commonplace.db")).toBe("600 commonplace:commonplace");
      },
      requestMilliseconds,
    );

    test(
      "is upgraded, and keeps the settings and the data",
      async () => {
        const upgraded = await run("dpkg", "--install", "/new.deb");
        expect([upgraded.status, upgraded.stderr]).toEqual([0, ""]);
        expect(await output("dpkg-query", "--show", "--showformat", `\${Version}`, "commonplace")).toBe(version);
        expect(readFileSync(settingsFile, "utf8")).toContain(`COMMONPLACE_HTTPS_PORT=${port}`);
        expect(await startAndAsk()).toBe(200);
        expect(await output("commonplace-admin", "workspace", "list")).toContain("My workspace");
      },
      installMilliseconds,
    );

    test(
      "is removed, and keeps the settings and the data; installed again, it has them",
      async () => {
        await output("dpkg", "--remove", "commonplace");
        expect(existsSync(join(root, "usr/bin/commonplace"))).toBeFalse();
        expect(existsSync(settingsFile)).toBeTrue();
        expect(existsSync(certificate)).toBeTrue();
        expect((await run("dpkg", "--install", "/new.deb")).status).toBe(0);
        expect(await startAndAsk()).toBe(200);
      },
      installMilliseconds,
    );

    test(
      "is purged, with its settings, its data, and its user",
      async () => {
        await output("dpkg", "--purge", "commonplace");
        for (const path of ["etc/commonplace", "var/lib/commonplace", "usr/bin/commonplace"])
          expect([path, existsSync(join(root, path))]).toEqual([path, false]);
        expect((await run("getent", "passwd", "commonplace")).status).toBe(2);
        expect((await run("getent", "group", "commonplace")).status).toBe(2);
        expect((await run("dpkg-query", "--status", "commonplace")).status).toBe(1);
      },
      installMilliseconds,
    );

    afterAll(() => rmSync(join(root, "old.deb"), { force: true }));
  });
}

/** Processes in the root end with the command, and see only each other. */
const enter = (root: string): string[] => [
  ...["unshare", "--mount", "--pid", "--fork", "--kill-child=SIGTERM", `--mount-proc=${root}/proc`],
  ...["chroot", root, "env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
];

/** What systemd runs for the installed unit: as its user, with its variables and those of its settings file. */
function commandOfUnit(root: string): string[] {
  const unit = readFileSync(join(root, "usr/lib/systemd/system/commonplace.service"), "utf8");
  const values = (name: string) =>
    Array.from(unit.matchAll(new RegExp(`^${name}=-?(.+)$`, "gm")), ([, value = ""]) => value);
  const settings = values("EnvironmentFile").flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .filter((line) => /^\w+=/.test(line)),
  );
  const [user = "", group = "", command = ""] = ["User", "Group", "ExecStart"].flatMap(values);
  return [
    ...["setpriv", `--reuid=${user}`, `--regid=${group}`, "--init-groups", "--no-new-privs"],
    ...["env", "--ignore-environment", ...values("Environment"), ...settings, ...command.split(" ")],
  ];
}
