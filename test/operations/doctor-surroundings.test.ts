// ./commonplace doctor: what it says about files, disks, ports and certificates.
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import {
  complaints,
  emptyDirectory,
  emptyInstance,
  examine,
  findingOf,
  isSqlite,
  makeInstances,
  placeBackup,
} from "../support/doctor.ts";
import { makePair } from "../support/pairs.ts";
import { root, type Settings } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

beforeAll(makeInstances);

describe("the surroundings", () => {
  const isRoot = process.getuid?.() === 0;

  test.each([
    [0o750, "warning", "its group"],
    [0o770, "warning", "its group"],
    [0o705, "problem", "everyone"],
  ] as const)("a data directory of mode %o", async (mode, severity, open) => {
    chmodSync(emptyDirectory, mode);
    const findings = await examine(emptyDirectory);
    chmodSync(emptyDirectory, 0o700);
    const message = `${emptyDirectory} is open to ${open} (mode 0${mode.toString(8)})`;
    expect(complaints(findings)).toEqual([["data directory", severity, message]]);
  });

  test("a data directory of everybody's, with nothing in it that is secret", async () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o777);
    expect(complaints(await examine(directory))).toEqual([
      ["data directory", "warning", `${directory} is open to everyone (mode 0777)`],
    ]);
  });

  test("a data directory that is a file", async () => {
    const path = join(temporaryDirectory(), "file");
    writeFileSync(path, "");
    expect(findingOf(await examine(path), "data directory")).toMatchObject({
      severity: "problem",
      message: `${path} is not a directory`,
    });
  });

  test("files that others can read, and of another owner", async () => {
    const directory = await emptyInstance();
    const path = join(directory, "tls/localhost.key");
    expect(findingOf(await examine(directory), "files")?.severity).toBe("ok");
    chmodSync(path, 0o640);
    expect(findingOf(await examine(directory), "files")).toMatchObject({
      severity: "warning",
      message: `readable by others: ${path} (0640)`,
    });
    chmodSync(directory, 0o755);
    expect(findingOf(await examine(directory), "files")).toMatchObject({ severity: "problem" });
    if (!isRoot) return;
    chownSync(path, 1, 1);
    expect(findingOf(await examine(directory), "files")).toMatchObject({
      severity: "problem",
      message: `owned by another user: ${path} (0640)`,
    });
  });

  test("a disk without room", async () => {
    // The file system /proc, where it exists, has no free space.
    if (!existsSync("/proc/self")) return;
    const settings = isSqlite ? { COMMONPLACE_DATABASE_URL: "sqlite:/proc/none/commonplace.db" } : {};
    expect(findingOf(await examine("/proc/none", settings), "disk")).toMatchObject({
      severity: "problem",
      message: expect.stringMatching(/^0\.0 KB free of /),
    });
  });

  test("a port that another program has", async () => {
    const other = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("no\r\n") },
    });
    const port = String(other.port);
    for (const [check, name] of [
      ["HTTPS port", "COMMONPLACE_HTTPS_PORT"],
      ["HTTP port", "COMMONPLACE_HTTP_PORT"],
      ["metrics port", "COMMONPLACE_METRICS_PORT"],
    ] as const)
      expect(complaints(await examine(emptyDirectory, { [name]: port }))).toEqual([
        [check, "warning", `${port} is used by another program, or the service does not respond`],
      ]);
    other.stop(true);
  });

  test("a schedule of backups that are late, or not made at all", async () => {
    if (!isSqlite) return;
    const directory = temporaryDirectory();
    const settings = { COMMONPLACE_BACKUP_DIRECTORY: directory, COMMONPLACE_BACKUP_HOURS: "6" };
    const look = async () => complaints(await examine(emptyDirectory, settings));
    expect(await look()).toEqual([["backups", "warning", `no backup in ${directory}`]]);
    placeBackup(directory, 9);
    expect(await look()).toEqual([
      ["backups", "warning", "the newest backup is 9 hours old; backups are scheduled every 6 h and are not encrypted"],
    ]);
    placeBackup(directory, 3);
    expect(await look()).toEqual([]);
  });

  test("no schedule of backups is a warning with a remedy; on PostgreSQL it says what is not checked", async () => {
    const findings = await examine(emptyDirectory, { COMMONPLACE_BACKUP_DIRECTORY: "" });
    expect(findingOf(findings, "backups")).toEqual({
      check: "backups",
      question: "Is there a recent backup?",
      ...(isSqlite
        ? {
            severity: "warning",
            message: "no scheduled backups",
            remedy:
              "Set COMMONPLACE_BACKUP_DIRECTORY, ideally to a directory on another disk. If you run ./commonplace backup on your own schedule, ignore this.",
          }
        : {
            severity: "ok",
            message:
              "not checked. Back up PostgreSQL with pg_dump or continuous archiving: see /docs/operate/backup on the service",
            remedy: null,
          }),
    });
  });

  test("a font for invoices that can not be used", async () => {
    const look = async (font: string) => complaints(await examine(emptyDirectory, { COMMONPLACE_INVOICE_FONT: font }));
    const font = join(root, "node_modules/dejavu-fonts-ttf/ttf/DejaVuSerif.ttf");
    expect(await look(font)).toEqual([]);
    const wrong = join(temporaryDirectory(), "font.otf");
    const complaint = [["invoice font", "problem", `the font ${wrong} cannot be used`]];
    expect(await look(wrong)).toEqual(complaint);
    writeFileSync(wrong, "no font");
    expect(await look(wrong)).toEqual(complaint);
  });
});

describe("the certificate", () => {
  const directory = temporaryDirectory();
  const paths = {
    COMMONPLACE_TLS_CERT_FILE: join(directory, "tls.crt"),
    COMMONPLACE_TLS_KEY_FILE: join(directory, "tls.key"),
  };
  const place = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(paths.COMMONPLACE_TLS_CERT_FILE, cert);
    writeFileSync(paths.COMMONPLACE_TLS_KEY_FILE, key, { mode: 0o600 });
  };
  const look = async (settings: Settings = {}) => complaints(await examine(emptyDirectory, { ...paths, ...settings }));
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  test("of the operator: sound, near its end, ended, not valid yet", async () => {
    place(await makePair(30));
    expect(await look()).toEqual([]);
    place(await makePair(10.5));
    expect(await look()).toEqual([["certificate expiry", "warning", `expires in 10 days, on ${dayAfter(10.5)}`]]);
    place(await makePair(-0.5));
    expect(await look()).toEqual([["certificate expiry", "problem", `expired on ${dayAfter(-0.5)}`]]);
    const later = await generate([{ name: "commonName", value: "localhost" }], {
      notBeforeDate: new Date(Date.now() + 86_400_000),
      notAfterDate: new Date(Date.now() + 90 * 86_400_000),
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
    });
    place({ cert: later.cert, key: later.private });
    expect(await look()).toEqual([
      ["certificate expiry", "problem", expect.stringMatching(/^not valid until \d{4}-.*Z$/)],
    ]);
  });

  test("of the operator: another's key, a file that is not there, a key for everybody, no name", async () => {
    const pair = await makePair();
    place({ ...pair, key: (await makePair()).key });
    const { COMMONPLACE_TLS_CERT_FILE: certPath, COMMONPLACE_TLS_KEY_FILE: keyPath } = paths;
    const refusal = `COMMONPLACE_TLS_KEY_FILE: ${keyPath} does not match the certificate in ${certPath}`;
    expect(await look()).toEqual([["certificate", "problem", refusal]]);
    rmSync(certPath);
    expect(await look()).toEqual([["certificate", "problem", expect.stringContaining(`cannot read ${certPath}`)]]);
    place(pair);
    chmodSync(keyPath, 0o644);
    expect(await look()).toEqual([["certificate", "problem", `${keyPath} can be read by everyone`]]);
    chmodSync(keyPath, 0o600);
    const nameless = await generate([{ name: "commonName", value: "localhost" }], {
      extensions: [{ name: "basicConstraints", cA: false }],
    });
    place({ cert: nameless.cert, key: nameless.private });
    expect(await look()).toEqual([
      ["certificate names", "problem", "the certificate has no subjectAltName, so no client accepts it"],
    ]);
  });

  test("for localhost: files that do not belong together, and a service for all the world", async () => {
    const local = join(await emptyInstance(), "tls");
    const pair = await makePair();
    for (const [name, text] of [
      ["ca.crt", pair.cert],
      ["localhost.crt", pair.cert],
      ["localhost.key", (await makePair()).key],
    ])
      writeFileSync(join(local, name ?? ""), text ?? "", { mode: 0o600 });
    expect(complaints(await examine(join(local, "..")))).toEqual([
      ["certificate", "warning", "the files of the localhost certificate do not match"],
    ]);
    writeFileSync(join(local, "localhost.key"), pair.key);
    expect(complaints(await examine(join(local, "..")))).toEqual([]);
    const near = await makePair(20.5);
    for (const [name, text] of [
      ["ca.crt", near.cert],
      ["localhost.crt", near.cert],
      ["localhost.key", near.key],
    ])
      writeFileSync(join(local, name ?? ""), text ?? "");
    expect(complaints(await examine(join(local, "..")))).toEqual([
      [
        "certificate expiry",
        "warning",
        `expires in 20 days, on ${dayAfter(20.5)}; the service renews it automatically`,
      ],
    ]);
    expect(complaints(await examine(emptyDirectory, { COMMONPLACE_HOST: "0.0.0.0" }))).toEqual([
      ["certificate names", "warning", "the service listens on 0.0.0.0, but its certificate is for localhost only"],
    ]);
    const behindProxy = { COMMONPLACE_HOST: "0.0.0.0", COMMONPLACE_TRUSTED_PROXIES: "10.0.0.0/8" };
    expect(complaints(await examine(emptyDirectory, behindProxy))).toEqual([]);
  });
});
