// What releases are written with: archives that other programs read, and that are the same bytes each time.
import "../support/once.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commands as cliCommands } from "../../cli/src/commands.ts";
import { ar, readAr } from "../../scripts/release/ar.ts";
import { checksumLine, signChecksums } from "../../scripts/release/checksums.ts";
import { makeDeb } from "../../scripts/release/deb.ts";
import { makeDocuments } from "../../scripts/release/documents.ts";
import { gzip } from "../../scripts/release/gzip.ts";
import { filesWithNames, scope, withScope } from "../../scripts/release/names.ts";
import { changelogSection } from "../../scripts/release/notes.ts";
import { type Entry, tar, textFile } from "../../scripts/release/tar.ts";
import { readSbom } from "../../scripts/sbom.ts";
import { commands } from "../../src/commands.ts";
import { settings } from "../../src/config/settings.ts";
import { root, runToEnd } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const source = { version: "1.2.3", commit: "0".repeat(40), date: 1_700_000_000, isChanged: false };
const documents = makeDocuments(source);

/** Standard output of a program that must succeed. */
async function outputOf(words: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, stdout, stderr } = await runToEnd(words, settings);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const files: Entry[] = [
  textFile("b/program", "run\n", 0o755),
  textFile("a", "text"),
  { path: "data", mode: 0o700, owner: 65_532 },
  textFile(`${"long/".repeat(30)}name`, "deep"),
];

describe("a tar archive", () => {
  test("is read by tar, with mode, owner, and date, and each directory before what is in it", async () => {
    const archive = join(temporaryDirectory(), "files.tar");
    writeFileSync(archive, tar(files, source.date, "./"));
    const listed = await outputOf(["tar", "--list", "--verbose", "--full-time", "--numeric-owner", "--file", archive], {
      TZ: "UTC",
      LC_ALL: "C",
    });
    const lines = listed.split("\n").map((line) => line.replaceAll(/ +/g, " "));
    expect(lines.slice(0, 4)).toEqual([
      "-rw-r--r-- 0/0 4 2023-11-14 22:13:20 ./a",
      "drwxr-xr-x 0/0 0 2023-11-14 22:13:20 ./b/",
      "-rwxr-xr-x 0/0 4 2023-11-14 22:13:20 ./b/program",
      "drwx------ 65532/65532 0 2023-11-14 22:13:20 ./data/",
    ]);
    expect(lines.at(-2)).toBe(`-rw-r--r-- 0/0 4 2023-11-14 22:13:20 ./${"long/".repeat(30)}name`);
    expect(await outputOf(["tar", "--extract", "--to-stdout", "--file", archive, "./b/program"])).toBe("run\n");
  });

  test("is the same in whatever order the files are given", () => {
    expect(tar(files.toReversed(), source.date)).toEqual(tar(files, source.date));
  });

  test("has each path once, and none that is too long", () => {
    expect(() => tar([textFile("a", ""), textFile("a", "")], 0)).toThrow("a is in the archive twice");
    expect(() => tar([textFile("n".repeat(101), "")], 0)).toThrow("too long");
  });
});

test("what is compressed has no date and no name of a system, and can be read again", () => {
  const bytes = new TextEncoder().encode("text ".repeat(1_000));
  const compressed = gzip(bytes);
  expect([...compressed.slice(4, 8), compressed[9]]).toEqual([0, 0, 0, 0, 255]);
  expect(Bun.gunzipSync(new Uint8Array(compressed))).toEqual(bytes);
  expect(gzip(bytes)).toEqual(compressed);
});

test("an ar archive has its members in order, also those of an odd length", () => {
  const members = [
    { name: "debian-binary", bytes: Buffer.from("2.0\n") },
    { name: "odd", bytes: Buffer.from("123") },
    { name: "last", bytes: Buffer.from("45") },
  ];
  expect(readAr(ar(members, source.date))).toEqual(members);
  expect(() => readAr(Buffer.from("something else"))).toThrow("not an ar archive");
});

describe.skipIf(!Bun.which("dpkg-deb"))("a Debian package", () => {
  const { name, bytes } = makeDeb(source, "amd64", Buffer.from("#!/bin/sh\n"), documents.server);
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, bytes);

  test("is read by dpkg-deb, and has what the system needs, with its modes", async () => {
    expect(name).toBe("commonplace_1.2.3_amd64.deb");
    const field = (field: string) => outputOf(["dpkg-deb", "--field", path, field]);
    expect(await field("Version")).toBe("1.2.3\n");
    expect(await field("Depends")).toBe("libc6 (>= 2.17), init-system-helpers (>= 1.54~), passwd\n");
    const listed = await outputOf(["dpkg-deb", "--contents", path]);
    const modes = Object.fromEntries(
      listed
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/\s+/))
        .map(([mode = "", owner = "", , , , file = ""]) => [file.slice(1), `${mode} ${owner}`]),
    );
    expect(modes).toMatchObject({
      "/usr/bin/commonplace": "-rwxr-xr-x root/root",
      "/usr/sbin/commonplace-admin": "-rwxr-xr-x root/root",
      "/usr/lib/systemd/system/commonplace.service": "-rw-r--r-- root/root",
      "/etc/commonplace/commonplace.env": "-rw------- root/root",
      "/usr/share/man/man1/commonplace.1.gz": "-rw-r--r-- root/root",
      "/usr/share/bash-completion/completions/commonplace": "-rw-r--r-- root/root",
      "/usr/share/doc/commonplace/copyright": "-rw-r--r-- root/root",
    });
    expect(await outputOf(["dpkg-deb", "--info", path, "conffiles"])).toBe("/etc/commonplace/commonplace.env\n");
  });

  test("its unit and its commands start the program where the package puts it", async () => {
    const data = await runToEnd([
      "sh",
      "-c",
      `dpkg-deb --fsys-tarfile ${path} | tar -xO ./usr/lib/systemd/system/commonplace.service ./usr/sbin/commonplace-admin`,
    ]);
    expect(data.stdout).toContain("ExecStart=/usr/bin/commonplace serve\n");
    expect(data.stdout).toContain('/usr/bin/commonplace "$@"');
    expect(data.stdout).not.toContain("/usr/local/");
  });

  test("its scripts are those of a shell", async () => {
    for (const script of ["postinst", "prerm", "postrm"])
      await outputOf(["sh", "-n", join(root, "scripts/release/debian", script)]);
  });
});

test.skipIf(!Bun.which("minisign"))(
  "minisign verifies the signature of the checksums, and refuses others",
  async () => {
    const directory = temporaryDirectory();
    const [secret, own] = [join(directory, "secret.key"), join(directory, "public.key")];
    await outputOf(["minisign", "-G", "-W", "-s", secret, "-p", own]);
    const path = join(directory, "SHA256SUMS");
    writeFileSync(path, checksumLine({ name: "a", bytes: Buffer.from("1") }));
    expect(signChecksums(directory, secret, source)).toBe("SHA256SUMS.minisig");
    const verify = () => runToEnd(["minisign", "-V", "-p", own, "-m", path]);
    const trusted = `Trusted comment: commonplace 1.2.3, commit ${source.commit}\n`;
    expect(await verify()).toMatchObject({ status: 0, stdout: expect.stringContaining(trusted) });
    writeFileSync(path, checksumLine({ name: "a", bytes: Buffer.from("2") }));
    expect((await verify()).status).toBe(1);
  },
);

describe("the manual pages", () => {
  const pages = { commonplace: documents.server.manual, cpl: documents.cpl.manual };

  test("have every command and setting, and the date of the commit", () => {
    for (const page of Object.values(pages)) expect(page).toContain('"2023-11-14" "Commonplace 1.2.3"');
    for (const { name } of commands) expect(pages.commonplace).toContain(`\n.SS ${name}\n`);
    for (const { name } of cliCommands) expect(pages.cpl).toContain(`\n.SS ${name}\n`);
    for (const { name } of settings) expect(pages.commonplace).toContain(`\\fB${name}\\fR`);
  });

  test.skipIf(!Bun.which("groff"))("are formatted without a warning", async () => {
    for (const [name, page] of Object.entries(pages)) {
      const path = join(temporaryDirectory(), `${name}.1`);
      writeFileSync(path, page);
      const shown = await outputOf(["groff", "-K", "utf8", "-man", "-Tutf8", "-ww", "-rHY=0", path]);
      expect(shown).toContain("--json");
      expect(shown).not.toContain("./commonplace");
    }
  });
});

describe("the completion scripts of the server", () => {
  const { bash, zsh, fish } = documents.server.completions;

  /** What bash offers for a line that ends where the cursor is. */
  async function offered(line: string): Promise<string[]> {
    const words = line.split(" ");
    const array = words.map((word) => `'${word}'`).join(" ");
    const script = `${bash}\nCOMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _commonplace; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await outputOf(["bash", "-c", script])).trim().split("\n");
  }

  test("bash offers commands, their second words, and their options", async () => {
    expect(await offered("commonplace se")).toEqual(expect.arrayContaining(["serve", "setup-link"]));
    expect(await offered("commonplace key ")).toEqual(expect.arrayContaining(["create", "list", "rotate"]));
    expect(await offered("commonplace key create --all")).toEqual(["--all-teams"]);
    expect(await offered("commonplace serve --t")).toEqual(["--try", "--trust-certificate"]);
    expect(await offered("commonplace backup verify --fr")).toEqual(["--from"]);
  });

  test("bash offers files where an option takes one, and nothing where it takes a text", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "backup one.db"), "");
    expect(await offered(`commonplace restore --from ${directory}/ba`)).toEqual([`${directory}/backup one.db`]);
    expect(await offered("commonplace key create --name s")).toEqual([""]);
  });

  test.skipIf(!Bun.which("zsh"))("zsh can read its script", async () => {
    const path = join(temporaryDirectory(), "_commonplace");
    writeFileSync(path, zsh);
    await outputOf(["zsh", "-n", path]);
  });

  test.skipIf(!Bun.which("fish"))("fish can read its script", async () => {
    const path = join(temporaryDirectory(), "commonplace.fish");
    writeFileSync(path, fish);
    await outputOf(["fish", "--no-execute", path]);
  });
});

describe("the launcher in the npm package", () => {
  const directory = temporaryDirectory();
  const name = `${scope}/server`;
  const own = `${name}-${process.platform}-${process.arch}`;
  const packageDirectory = join(directory, "node_modules", name);
  mkdirSync(packageDirectory, { recursive: true });
  const manifest = { name, type: "module", optionalDependencies: { [own]: "1.2.3" } };
  writeFileSync(join(packageDirectory, "package.json"), JSON.stringify(manifest));
  copyFileSync(join(root, "scripts/release/npm/commonplace.js"), join(packageDirectory, "commonplace.js"));
  const launch = (...words: string[]) => runToEnd(["node", join(packageDirectory, "commonplace.js"), ...words]);

  test("says for which platforms there is an executable, if npm installed none", async () => {
    const { status, stderr } = await launch();
    expect([status, stderr]).toEqual([1, expect.stringContaining(`there is no executable for ${process.platform}`)]);
  });

  describe("with an executable", () => {
    const executable = join(directory, "node_modules", own, "bin/commonplace");
    const script = `#!/bin/sh
trap "echo ended; exit 7" TERM
echo "$@"
[ "$1" != wait ] || while :; do sleep 0.1; done
exit 3
`;
    beforeAll(() => {
      mkdirSync(dirname(executable), { recursive: true });
      writeFileSync(executable, script, { mode: 0o755 });
    });

    test.each([
      [[], "serve"],
      [["--try"], "serve --try"],
      [["--data", "x"], "serve --data x"],
      [["--version"], "--version"],
      [["-h"], "-h"],
      [["key", "list"], "key list"],
    ])("%p runs the right command, and has its exit status", async (words, line) => {
      expect(await launch(...words)).toEqual({ status: 3, stdout: `${line}\n`, stderr: "" });
    });

    test("SIGTERM reaches the executable", async () => {
      const child = Bun.spawn(["node", join(packageDirectory, "commonplace.js"), "wait"], {
        stdout: "pipe",
        stdin: "ignore",
      });
      const reader = child.stdout.getReader();
      const read = async () => new TextDecoder().decode((await reader.read()).value);
      expect(await read()).toBe("wait\n");
      child.kill("SIGTERM");
      expect(await read()).toBe("ended\n");
      expect(await child.exited).toBe(7);
    });
  });
});

test("all files name the npm packages in the current scope", async () => {
  expect(withScope('"@other/server", @other/cpl and @modelcontextprotocol/client')).toBe(
    `"${scope}/server", ${scope}/cpl and @modelcontextprotocol/client`,
  );
  for (const path of filesWithNames)
    expect(withScope(await Bun.file(join(root, path)).text())).toBe(await Bun.file(join(root, path)).text());
});

test("the notes of a version are its section of the changelog, or what is not released yet", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n- New\n\n## 0.1.0 (2026-12-01)\n\n- First\n";
  expect(changelogSection(changelog, "0.1.0")).toBe("## 0.1.0 (2026-12-01)\n\n- First\n");
  expect(changelogSection(changelog, "0.2.0")).toBe("## Unreleased\n\n- New\n");
  expect(() => changelogSection("# Changelog\n", "0.2.0")).toThrow("no section about 0.2.0");
});

test("the list of packages is the same each time, if its date is given", () => {
  const date = "2023-11-14T22:13:20.000Z";
  const [one, other] = [readSbom(date), readSbom(date)];
  expect(one).toEqual(other);
  expect(one).toMatchObject({
    metadata: { timestamp: date },
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
  });
});
