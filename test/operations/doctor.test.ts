// ./commonplace doctor: a sound instance is called sound, every kind of damage is found by the check that is there for it, and the
// look itself changes nothing.
import { Database as SqliteConnection } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import { addUpUsage } from "../../src/metering/usage/totals.ts";
import type { Finding } from "../../src/operations/doctor/check.ts";
import { examineInstance } from "../../src/operations/doctor/doctor.ts";
import { invariantChecks } from "../../src/operations/doctor/invariants.ts";
import { schemaVersion, unfinishedCopyVersion } from "../../src/platform/database/migrate.ts";
import { readSchema } from "../../src/platform/database/schema.ts";
import { type Connection, databaseSettings, engine, openNode } from "../support/engine.ts";
import { type Filled, fillInstance } from "../support/filled.ts";
import { makePair } from "../support/pairs.ts";
import { spawnService } from "../support/process.ts";
import { freePort, root, run, runJson, type Settings } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const isSqlite = engine.name === "sqlite";
const closed = { COMMONPLACE_HTTP_PORT: "off", COMMONPLACE_PORT: String(freePort()) };

/** What the command examines, in this process. */
const examine = async (directory: string, settings: Settings = {}): Promise<Finding[]> =>
  examineInstance(
    { COMMONPLACE_DATA: directory, ...closed, ...(await databaseSettings(directory)), ...settings },
    () => undefined,
  );

/** All that is not well. */
const complaints = (findings: readonly Finding[]) =>
  findings
    .filter(({ severity }) => severity !== "ok")
    .map(({ check, severity, message }) => [check, severity, message]);

const findingOf = (findings: readonly Finding[], check: string) => findings.find((finding) => finding.check === check);

async function change(directory: string, ...statements: string[]): Promise<void> {
  const connection = await engine.connect(directory);
  for (const statement of statements) await connection.run(statement);
  await connection.close();
}

/** An instance with its schema and no row. */
async function emptyInstance(): Promise<string> {
  const directory = temporaryDirectory();
  await (await openNode(directory)).close();
  closeFiles(directory);
  mkdirSync(join(directory, "tls"), { mode: 0o700 });
  writeFileSync(join(directory, "tls/localhost.key"), "", { mode: 0o600 });
  return directory;
}

/** The files as the program makes them, which sets its own umask. */
function closeFiles(directory: string): void {
  const path = join(directory, "commonplace.db");
  if (existsSync(path)) chmodSync(path, 0o600);
}

const filledDirectory = temporaryDirectory();
let emptyDirectory = "";
beforeAll(async () => {
  await fillInstance(filledDirectory);
  closeFiles(filledDirectory);
  emptyDirectory = await emptyInstance();
});

/** Everything that lies in a directory, to the last byte. */
const bytesOf = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path).toString("base64")]),
  );

describe("a sound instance", () => {
  test("has nothing to complain of, and is left as it is", async () => {
    const before = [bytesOf(filledDirectory), await engine.stored(filledDirectory)];
    const findings = await examine(filledDirectory);
    expect(complaints(findings)).toEqual([]);
    for (const finding of findings) {
      expect(finding).toEqual({
        check: expect.stringMatching(/\S/),
        question: expect.stringMatching(/^[A-Z].*\?$/),
        severity: "ok",
        message: expect.stringMatching(/^\S.*\S$/),
        remedy: null,
      });
    }
    expect(new Set(findings.map(({ check }) => check)).size).toBe(findings.length);
    expect([bytesOf(filledDirectory), await engine.stored(filledDirectory)]).toEqual(before);
  });

  test("that was never started is well too, and is not made", async () => {
    const directory = join(temporaryDirectory(), "not there");
    const findings = await examine(directory);
    expect(complaints(findings)).toEqual([]);
    expect(findingOf(findings, isSqlite ? "database" : "schema version")?.message).toMatch(/made at the first start$/);
    expect(existsSync(directory)).toBeFalse();
    if (!isSqlite) expect(await engine.stored(directory)).toEqual({});
  });

  test("that serves is called so, while its calls go on", async () => {
    const directory = temporaryDirectory();
    const [port, httpPort, metricsPort] = [freePort(), freePort(), freePort()].map(String);
    const settings = {
      COMMONPLACE_PORT: port ?? "",
      COMMONPLACE_HTTP_PORT: httpPort ?? "",
      COMMONPLACE_METRICS_PORT: metricsPort ?? "",
    };
    const service = await spawnService(directory, settings);
    const { key = "", team_id = "" } = service.announced;
    const client = service.clientFor(key);
    let isExamined = false;
    const calling = (async () => {
      let calls = 0;
      for (; !isExamined; calls += 1)
        await client.postSnippet({ title: "A", content: { type: "plaintext", content: "B" }, teamId: team_id });
      return calls;
    })();
    const findings: Finding[] = [];
    for (let round = 0; round < 5; round += 1) findings.push(...(await examine(directory, settings)));
    isExamined = true;
    expect(await calling).toBeGreaterThan(0);
    expect(complaints(findings)).toEqual([]);
    for (const check of ["HTTPS port", "plain port", "metrics port"])
      expect(findingOf(findings, check)?.message).toMatch(/^\d+: the service answers$/);
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  });
});

describe("the command", () => {
  test("prints a line for each check and ends with 0, or JSON", async () => {
    const here = { COMMONPLACE_DATA: filledDirectory, ...closed };
    const result = await runJson(["doctor"], here);
    expect(result).toEqual({
      version: (await Bun.file(join(root, "package.json")).json()).version,
      standing: "ok",
      findings: expect.any(Array),
    });
    const shape = {
      check: expect.any(String),
      asks: expect.any(String),
      standing: "ok",
      says: expect.any(String),
      mend: null,
    };
    for (const finding of result.findings) expect(finding).toEqual(shape);
    const { status, stdout, stderr } = await run(["doctor"], here);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const { check } of result.findings) expect(stdout).toMatch(new RegExp(`^ok       ${check} `, "m"));
    expect(stdout).toEndWith(`\n\nno problems, no warnings, ${result.findings.length} ok.\n`);
  });

  test("ends with 0 when there are only warnings, and with 1 when there is a problem; both with --json too", async () => {
    const directory = await emptyInstance();
    chmodSync(directory, 0o750);
    const here = { COMMONPLACE_DATA: directory, ...closed };
    const warned = await run(["doctor"], here);
    expect(warned).toMatchObject({ status: 0, stderr: "" });
    expect(warned.stdout).toContain(`\nwarning  data directory        ${directory} is open to its`);
    expect(warned.stdout).toMatch(/\n {31}> chmod 700 it, .*\n/);
    chmodSync(directory, 0o755);
    const [people, json] = await Promise.all([run(["doctor"], here), run(["doctor", "--json"], here)]);
    expect([people.status, json.status]).toEqual([1, 1]);
    expect(JSON.parse(json.stdout)).toMatchObject({ standing: "problem" });
    expect(people.stdout).toMatch(/\n1 problem, no warnings, \d+ ok\.\n$/);
  });

  test("shows a wrong setting as a problem, and not as a failure of its own", async () => {
    const { status, stdout, stderr } = await run(["doctor", "--json"], { ...closed, COMMONPLACE_PORT: "https" });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(JSON.parse(stdout).findings).toEqual([
      {
        check: "settings",
        asks: "Can every setting be understood?",
        standing: "problem",
        says: 'COMMONPLACE_PORT must be a whole number from 0 to 65535, not "https"; nothing else was checked',
        mend: expect.stringContaining("./commonplace serve --help"),
      },
    ]);
  });
});

/** The rules of the tables would not let the damage in. */
async function withoutRules(directory: string): Promise<Connection> {
  const connection = await engine.connect(directory);
  const statements = isSqlite
    ? [
        "pragma foreign_keys = off",
        "pragma ignore_check_constraints = on",
        // What makes the order of variations unique belongs to the table.
        "create table loose as select * from variations",
        "drop table variations",
        "alter table loose rename to variations",
      ]
    : [
        "set session_replication_role = replica",
        "alter table quota_months drop constraint quota_months_balance_check",
        "alter table variations drop constraint variations_workspace_id_snippet_id_variant_order_index_key",
      ];
  for (const statement of statements) await connection.run(statement);
  return connection;
}

interface Damage {
  readonly check: string;
  readonly plant: (filled: Filled) => string;
  /** What the finding names. */
  readonly names: (filled: Filled) => string;
  /** Another check that sees it as well. */
  readonly also?: string;
  /** Where the next damage is one of the same check. */
  readonly undo?: (filled: Filled) => string;
}

const nowhere = "00000000-0000-4000-8000-000000000000";
const keyNamed = (name: string, { workspace }: Filled) =>
  `(select id from api_keys where name = '${name}' and workspace_id = '${workspace.id}')`;

const damages: readonly Damage[] = [
  {
    check: "balances",
    plant: () => "update quota_months set balance = balance + 1 where month = '2026-01'",
    names: ({ workspace }) => `2026-01 in workspace ${workspace.id}`,
    undo: () => "update quota_months set balance = balance - 1 where month = '2026-01'",
  },
  {
    check: "balances",
    plant: () => "update usage_days set units = units + 1 where operation = 'getSnippet'",
    names: () => "2026-01",
    also: "usage totals",
    undo: () => "update usage_days set units = units - 1 where operation = 'getSnippet'",
  },
  {
    check: "balances",
    plant: () =>
      "update ledger set units = units + 1 where operation = 'postSnippet' and admitted_at > '2026-04-01T00:00:00.000Z'",
    names: () => "2026-04",
  },
  {
    check: "overdrafts",
    plant: () => "update quota_months set balance = -1 where month = '2026-02'",
    names: () => "2026-02",
  },
  {
    check: "monthly grants",
    plant: () => "update quota_grants set kind = '100K' where kind = 'monthly' and month = '2026-02'",
    names: () => "2026-02",
  },
  {
    check: "calls",
    plant: (on) => `update api_keys set call_count = call_count + 1 where id = ${keyNamed("All teams", on)}`,
    names: ({ key }) => key.id,
    undo: (on) => `update api_keys set call_count = call_count - 1 where id = ${keyNamed("All teams", on)}`,
  },
  {
    check: "calls",
    plant: () => "update ledger set key_call = key_call - 1 where key_call = (select max(key_call) from ledger)",
    names: ({ key }) => key.id,
  },
  {
    check: "callers",
    plant: () => `update ledger set key_id = '${nowhere}' where key_call = (select min(key_call) from ledger)`,
    names: () => nowhere,
  },
  {
    check: "usage totals",
    plant: () => "update usage_totals set calls = calls + 1 where day = '2026-01-15' and operation = 'getSnippet'",
    names: ({ key }) => `2026-01 of key ${key.id}`,
    undo: () => "update usage_totals set calls = calls - 1 where day = '2026-01-15' and operation = 'getSnippet'",
  },
  {
    check: "usage totals",
    plant: () => "update usage_totals set units = units + 1 where day = '2026-01-15' and operation = 'putSnippet'",
    names: ({ key }) => `2026-01 of key ${key.id}`,
    undo: () => "update usage_totals set units = units - 1 where day = '2026-01-15' and operation = 'putSnippet'",
  },
  {
    check: "usage totals",
    plant: () => "update usage_marks set key_call = (select max(key_call) from ledger)",
    names: ({ key }) => `2026-04 of key ${key.id}`,
  },
  {
    check: "bought packages",
    plant: () => "update payments set status = 'failed' where reference = 'stripe paid'",
    names: () => "1 where this is not so: payment:",
    undo: () => "update payments set status = 'paid' where reference = 'stripe paid'",
  },
  {
    check: "bought packages",
    plant: () => "update payments set status = 'paid' where reference = 'stripe open'",
    names: () => "1 where this is not so: payment:",
    undo: () => "update payments set status = 'open' where reference = 'stripe open'",
  },
  {
    check: "bought packages",
    plant: () => "update payments set subject = '500K' where reference = 'manual open'",
    names: () => "2 where this is not so: payment:",
    undo: () => "update payments set subject = '100K' where reference = 'manual open'",
  },
  {
    check: "bought packages",
    plant: () => "update quota_grants set units = units * 2 where reference like 'payment:%'",
    names: () => "2 where this is not so: payment:",
  },
  {
    check: "variations",
    plant: ({ plain }) => `delete from variations where snippet_id = '${plain.id}'`,
    names: ({ plain }) => plain.id,
  },
  {
    check: "current versions",
    plant: ({ varied }) => `update variations set version_id = '${nowhere}' where id = '${varied.variations[0]?.id}'`,
    names: ({ varied }) => varied.variations[0]?.id ?? "none",
    undo: ({ varied }) =>
      `update variations set version_id = (select id from variation_versions where variation_id = variations.id)
       where id = '${varied.variations[0]?.id}'`,
  },
  {
    check: "current versions",
    plant: ({
      varied: {
        variations: [first, second],
      },
    }) =>
      `update variations set version_id = (select id from variation_versions where variation_id = '${second?.id}')
       where id = '${first?.id}'`,
    names: ({ varied }) => varied.variations[0]?.id ?? "none",
  },
  {
    check: "order of variations",
    plant: ({ varied }) => `update variations set variant_order_index = 7 where snippet_id = '${varied.id}'`,
    names: ({ varied }) => varied.id,
  },
  {
    check: "tagged since",
    plant: ({ innerTag }) =>
      `update snippet_tags set snippet_created_at = '2026-01-15T10:00:00.001Z' where tag_id = '${innerTag.id}'`,
    names: ({ snippet }) => snippet.id,
  },
  {
    check: "teams of folders",
    plant: ({ elsewhere, late }) =>
      `update folders set parent_folder_id = '${late.id}' where id = '${elsewhere.folder.id}'`,
    names: ({ elsewhere }) => elsewhere.folder.id,
  },
  {
    check: "nesting of folders",
    plant: ({ late, inner }) => `update folders set parent_folder_id = '${inner.id}' where id = '${late.id}'`,
    names: ({ late }) => late.id,
  },
  {
    check: "teams of tags",
    plant: ({ elsewhere, tag }) => `update tags set parent_tag_id = '${tag.id}' where id = '${elsewhere.tag.id}'`,
    names: ({ elsewhere }) => elsewhere.tag.id,
  },
  {
    check: "nesting of tags",
    plant: ({ innerTag }) => `update tags set parent_tag_id = id where id = '${innerTag.id}'`,
    names: ({ innerTag }) => innerTag.id,
  },
  {
    check: "teams of snippets",
    plant: ({ elsewhere, varied }) =>
      `update snippets set folder_id = '${elsewhere.folder.id}' where id = '${varied.id}'`,
    names: ({ varied }) => varied.id,
    undo: ({ varied }) => `update snippets set folder_id = null where id = '${varied.id}'`,
  },
  {
    check: "teams of snippets",
    plant: ({ elsewhere, tag }) => `update snippet_tags set tag_id = '${elsewhere.tag.id}' where tag_id = '${tag.id}'`,
    names: ({ snippet }) => snippet.id,
  },
];

describe("damage of the data", () => {
  const directory = temporaryDirectory();
  const broken = new Set<string>();
  let on: Filled;
  let connection: Connection;
  beforeAll(async () => {
    on = await fillInstance(directory);
    connection = await withoutRules(directory);
    return () => connection.close();
  });

  test("is told for every invariant", () => {
    expect(new Set(damages.map(({ check }) => check))).toEqual(new Set(invariantChecks.map(({ name }) => name)));
  });

  /** What was damaged before stays so: each damage adds the finding of its own check, and no other. */
  test.each(damages.map((damage) => [damage.check, damage] as const))("%s", async (check, damage) => {
    expect(await connection.run(damage.plant(on))).toBeGreaterThan(0);
    const seeing = [check, ...(damage.also ? [damage.also] : [])];
    for (const name of seeing) broken.add(name);
    const findings = await examine(directory);
    const invariants = findings.filter((finding) => invariantChecks.some(({ name }) => name === finding.check));
    const found = invariants.filter(({ severity }) => severity === "problem");
    expect(found.map((finding) => finding.check).sort()).toEqual([...broken].sort());
    const finding = findingOf(found, check);
    expect(finding?.message).toMatch(/^\d+ where this is not so: /);
    expect(finding?.message).toContain(damage.names(on));
    expect(finding?.remedy).toMatch(/look for what else writes to the database\.$/);
    if (!damage.undo) return;
    await connection.run(damage.undo(on));
    for (const name of seeing) broken.delete(name);
  });

  test("of the totals of usage is mended as the doctor says", async () => {
    const mended = temporaryDirectory();
    const { key } = await fillInstance(mended);
    closeFiles(mended);
    await change(mended, "update usage_totals set calls = calls + 1, units = units + 1");
    const message = expect.stringContaining(key.id);
    expect(complaints(await examine(mended))).toEqual([["usage totals", "problem", message]]);
    await change(
      mended,
      `delete from usage_marks where key_id = '${key.id}'`,
      `delete from usage_totals where key_id = '${key.id}'`,
      `insert into usage_totals (workspace_id, day, key_id, operation, status, team_id, calls, units)
       select workspace_id, day, key_id, operation, status, '', calls, units from usage_days where key_id = '${key.id}'`,
    );
    const database = await openNode(mended);
    expect(await addUpUsage(database)).toBeGreaterThan(0);
    await database.close();
    expect(complaints(await examine(mended))).toEqual([]);
  });

  test("names three of many", async () => {
    await connection.run("update snippet_tags set snippet_created_at = '2020-01-01T00:00:00.000Z'");
    for (let copy = 0; copy < 5; copy += 1)
      await connection.run(
        `insert into snippet_tags select workspace_id, snippet_id, '0190aaaa-0000-7000-8000-00000000000${copy}',
         snippet_created_at from snippet_tags where tag_id = '${on.innerTag.id}'`,
      );
    const message = findingOf(await examine(directory), "tagged since")?.message ?? "";
    expect(message).toStartWith("7 where this is not so: ");
    expect(message.split(on.snippet.id)).toHaveLength(4);
    expect(message).toEndWith(" and 4 more");
  });
});

describe("the schema", () => {
  test.each([
    [
      "that is older is migrated at the next start",
      `delete from schema_migrations where version = ${schemaVersion}`,
      "ok",
      /^\d+ of \d+: it is migrated at the next start; what it holds was not checked$/,
    ],
    [
      "that is newer is a problem",
      `insert into schema_migrations values (${schemaVersion + 1}, 'later', '2026-01-01T00:00:00.000Z')`,
      "problem",
      /^\d+, and this program knows \d+; what it holds was not checked$/,
    ],
    [
      "of half a copy is a problem",
      `insert into schema_migrations values (${unfinishedCopyVersion}, 'half', '2026-01-01T00:00:00.000Z')`,
      "problem",
      /^it holds a copy that was not finished$/,
    ],
  ])("%s", async (_, statement, severity, message) => {
    const directory = await emptyInstance();
    await change(directory, statement);
    const findings = await examine(directory);
    expect(findings.at(-1)).toMatchObject({
      check: "schema version",
      severity,
      message: expect.stringMatching(message),
    });
  });

  test("that lacks a column or an index is a problem", async () => {
    const directory = await emptyInstance();
    await change(directory, "drop index ledger_by_key", "alter table snippets drop column snippet_note");
    expect(complaints(await examine(directory))).toEqual([
      ["schema", "problem", "missing: ledger_by_key, snippets.snippet_note"],
    ]);
  });
});

describe("the surroundings", () => {
  const isRoot = process.getuid?.() === 0;

  test.each([
    [0o750, "warning", "its group"],
    [0o770, "warning", "its group"],
    [0o705, "problem", "everybody"],
  ] as const)("a data directory of mode %o", async (mode, severity, open) => {
    chmodSync(emptyDirectory, mode);
    const findings = await examine(emptyDirectory);
    chmodSync(emptyDirectory, 0o700);
    const message = `${emptyDirectory} is open to ${open}: its mode is 0${mode.toString(8)}`;
    expect(complaints(findings)).toEqual([["data directory", severity, message]]);
  });

  test("a data directory of everybody's, with nothing in it that is secret", async () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o777);
    expect(complaints(await examine(directory))).toEqual([
      ["data directory", "warning", `${directory} is open to everybody: its mode is 0777`],
    ]);
  });

  test("a data directory that is a file", async () => {
    const path = join(temporaryDirectory(), "file");
    writeFileSync(path, "");
    expect(findingOf(await examine(path), "data directory")).toMatchObject({
      severity: "problem",
      message: `${path} is no directory`,
    });
  });

  test("files that others can read, and of another owner", async () => {
    const directory = await emptyInstance();
    const path = join(directory, "tls/localhost.key");
    expect(findingOf(await examine(directory), "files")?.severity).toBe("ok");
    chmodSync(path, 0o640);
    expect(findingOf(await examine(directory), "files")).toMatchObject({
      severity: "warning",
      message: `open to others: ${path} (0640)`,
    });
    chmodSync(directory, 0o755);
    expect(findingOf(await examine(directory), "files")).toMatchObject({ severity: "problem" });
    if (!isRoot) return;
    chownSync(path, 1, 1);
    expect(findingOf(await examine(directory), "files")).toMatchObject({
      severity: "problem",
      message: `of another owner: ${path} (0640)`,
    });
  });

  test("a disk without room", async () => {
    // Where there is such a thing, it has no room at all.
    if (!existsSync("/proc/self")) return;
    const settings = isSqlite ? { COMMONPLACE_DATABASE_URL: "sqlite:/proc/none/commonplace.db" } : {};
    expect(findingOf(await examine("/proc/none", settings), "disk")).toMatchObject({
      severity: "problem",
      message: expect.stringMatching(/^0\.0 kB free of /),
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
      ["HTTPS port", "COMMONPLACE_PORT"],
      ["plain port", "COMMONPLACE_HTTP_PORT"],
      ["metrics port", "COMMONPLACE_METRICS_PORT"],
    ] as const)
      expect(complaints(await examine(emptyDirectory, { [name]: port }))).toEqual([
        [check, "warning", `${port}: another program listens there, or a service that does not answer`],
      ]);
    other.stop(true);
  });

  test("a schedule of backups that are late, or not made at all", async () => {
    if (!isSqlite) return;
    const directory = temporaryDirectory();
    const settings = { COMMONPLACE_BACKUP_DIRECTORY: directory, COMMONPLACE_BACKUP_HOURS: "6" };
    const look = async () => complaints(await examine(emptyDirectory, settings));
    expect(await look()).toEqual([["backups", "warning", `there is none in ${directory}`]]);
    const place = (hours: number) => {
      const at = new Date(Date.now() - hours * 3_600_000).toISOString().replace(/[-:]|\.\d+/g, "");
      writeFileSync(join(directory, `commonplace-${at}.db`), "");
    };
    place(9);
    expect(await look()).toEqual([["backups", "warning", "the newest is 9 hours old, one is made every 6"]]);
    place(3);
    expect(await look()).toEqual([]);
  });

  test("a font for invoices that can not be used", async () => {
    const look = async (font: string) => complaints(await examine(emptyDirectory, { COMMONPLACE_INVOICE_FONT: font }));
    const font = join(root, "node_modules/dejavu-fonts-ttf/ttf/DejaVuSerif.ttf");
    expect(await look(font)).toEqual([]);
    const wrong = join(temporaryDirectory(), "font.otf");
    const complaint = [["invoice font", "problem", `the font ${wrong} can not be used`]];
    expect(await look(wrong)).toEqual(complaint);
    writeFileSync(wrong, "no font");
    expect(await look(wrong)).toEqual(complaint);
  });
});

describe("the certificate", () => {
  const directory = temporaryDirectory();
  const paths = { COMMONPLACE_TLS_CERT: join(directory, "tls.crt"), COMMONPLACE_TLS_KEY: join(directory, "tls.key") };
  const place = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(paths.COMMONPLACE_TLS_CERT, cert);
    writeFileSync(paths.COMMONPLACE_TLS_KEY, key, { mode: 0o600 });
  };
  const look = async (settings: Settings = {}) => complaints(await examine(emptyDirectory, { ...paths, ...settings }));
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  test("of the operator: sound, near its end, ended, not valid yet", async () => {
    place(await makePair(30));
    expect(await look()).toEqual([]);
    place(await makePair(10.5));
    expect(await look()).toEqual([["certificate's end", "warning", `it ends in 10 days, on ${dayAfter(10.5)}`]]);
    place(await makePair(-0.5));
    expect(await look()).toEqual([["certificate's end", "problem", `it ended on ${dayAfter(-0.5)}`]]);
    const later = await generate([{ name: "commonName", value: "localhost" }], {
      notBeforeDate: new Date(Date.now() + 86_400_000),
      notAfterDate: new Date(Date.now() + 90 * 86_400_000),
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
    });
    place({ cert: later.cert, key: later.private });
    expect(await look()).toEqual([["certificate's end", "problem", expect.stringMatching(/^it is valid from .* on$/)]]);
  });

  test("of the operator: another's key, a file that is not there, a key for everybody, no name", async () => {
    const pair = await makePair();
    place({ ...pair, key: (await makePair()).key });
    const { COMMONPLACE_TLS_CERT: certPath, COMMONPLACE_TLS_KEY: keyPath } = paths;
    const refusal = `COMMONPLACE_TLS_KEY: ${keyPath} is not the key of the certificate in ${certPath}`;
    expect(await look()).toEqual([["certificate", "problem", refusal]]);
    rmSync(certPath);
    expect(await look()).toEqual([["certificate", "problem", expect.stringContaining(`can not read ${certPath}`)]]);
    place(pair);
    chmodSync(keyPath, 0o644);
    expect(await look()).toEqual([["certificate", "problem", `${keyPath} can be read by everybody`]]);
    chmodSync(keyPath, 0o600);
    const nameless = await generate([{ name: "commonName", value: "localhost" }], {
      extensions: [{ name: "basicConstraints", cA: false }],
    });
    place({ cert: nameless.cert, key: nameless.private });
    expect(await look()).toEqual([
      ["certificate's names", "problem", "it has no name in its field subjectAltName, so no client accepts it"],
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
      ["certificate", "warning", "the files of the certificate for localhost do not belong together"],
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
      ["certificate's end", "warning", `it ends in 20 days, on ${dayAfter(20.5)}; the service renews it by itself`],
    ]);
    expect(complaints(await examine(emptyDirectory, { COMMONPLACE_HOST: "0.0.0.0" }))).toEqual([
      ["certificate's names", "warning", "the service listens on 0.0.0.0 with a certificate for localhost alone"],
    ]);
    const behindProxy = { COMMONPLACE_HOST: "0.0.0.0", COMMONPLACE_TRUSTED_PROXIES: "10.0.0.0/8" };
    expect(complaints(await examine(emptyDirectory, behindProxy))).toEqual([]);
  });
});

describe("SQLite", () => {
  if (!isSqlite) return;
  const pathOf = (directory: string) => join(directory, "commonplace.db");

  test("a file that is no database, one that is damaged, one that is empty", async () => {
    const directory = await emptyInstance();
    const path = pathOf(directory);
    const bytes = readFileSync(path);
    writeFileSync(
      path,
      Buffer.concat([bytes.subarray(0, 5 * 4096), Buffer.alloc(3 * 4096, 7), bytes.subarray(8 * 4096)]),
    );
    expect(findingOf(await examine(directory), "integrity")).toMatchObject({ severity: "problem" });
    writeFileSync(path, "no database, but a text that is long enough to be taken for one".repeat(100));
    const findings = await examine(directory);
    expect(complaints(findings)).toEqual([
      ["database", "problem", `the database ${path} can not be read: file is not a database`],
    ]);
    expect(findings.at(-1)?.check).toBe("database");
    writeFileSync(path, "");
    expect(complaints(await examine(directory))).toEqual([]);
  });

  test("an index that lacks a row, and a row that refers to nothing", async () => {
    const directory = temporaryDirectory();
    const { tag } = await fillInstance(directory);
    closeFiles(directory);
    const connection = new SqliteConnection(pathOf(directory));
    connection.run("pragma foreign_keys = off");
    connection.run(`delete from tags where id = '${tag.id}'`);
    const [index] = connection
      .query<{ rootpage: number }, []>("select rootpage from sqlite_schema where name = 'snippets_by_folder'")
      .all();
    connection.close();
    const bytes = readFileSync(pathOf(directory));
    // The number of entries on the index's only page.
    bytes.writeUInt16BE(0, ((index?.rootpage ?? 0) - 1) * 4096 + 3);
    writeFileSync(pathOf(directory), bytes);
    const findings = await examine(directory);
    expect(complaints(findings)).toEqual([
      ["integrity", "problem", expect.stringContaining("snippets_by_folder")],
      ["references", "problem", "references to nothing: 1 of snippet_tags to tags, 1 of tags to tags"],
      ["nesting of tags", "problem", expect.stringMatching(/^1 where this is not so/)],
    ]);
  });

  test("a log that is not taken in", async () => {
    const directory = await emptyInstance();
    const log = `${pathOf(directory)}-wal`;
    writeFileSync(log, "", { mode: 0o600 });
    truncateSync(log, 600 * 1024 * 1024);
    expect(complaints(await examine(directory))).toEqual([
      ["write-ahead log", "warning", "629 MB not yet taken into the database"],
    ]);
  });
});

describe("PostgreSQL", () => {
  if (isSqlite) return;
  test("a server that does not answer, and a database that is not there", async () => {
    const unreachable = { COMMONPLACE_DATABASE_URL: `postgres://u:hidden@127.0.0.1:${freePort()}/n` };
    const findings = await examine(emptyDirectory, unreachable);
    expect(complaints(findings)).toEqual([["database", "problem", expect.stringMatching(/^n at 127\.0\.0\.1:\d+: /)]]);
    expect(JSON.stringify(findings)).not.toContain("hidden");
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(emptyDirectory);
    const missing = { COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { pathname: "/missing" }).href };
    expect(complaints(await examine(emptyDirectory, missing))).toEqual([
      ["database", "problem", expect.stringContaining('database "missing" does not exist')],
    ]);
  });

  test.each([
    ["synchronous_commit = off", "durability", "problem", "off: synchronous_commit"],
    ["default_transaction_read_only = on", "writing", "problem", "default_transaction_read_only is on"],
  ])("%s", async (setting, check, severity, message) => {
    const directory = await emptyInstance();
    await change(
      directory,
      `do $$ begin execute format('alter database %I set ${setting}', current_database()); end $$`,
    );
    expect(complaints(await examine(directory))).toEqual([[check, severity, message]]);
  });

  test("a connection over a network that is not encrypted", async () => {
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(emptyDirectory);
    // It leads to this machine, and does not say so.
    const settings = { COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { hostname: "0.0.0.0" }).href };
    expect(complaints(await examine(emptyDirectory, settings))).toEqual([
      ["encryption", "warning", "the connection to 0.0.0.0 is not encrypted"],
    ]);
  });

  test("more connections than there are", async () => {
    const settings = { COMMONPLACE_DATABASE_CONNECTIONS: "1000" };
    expect(complaints(await examine(emptyDirectory, settings))).toEqual([
      ["connections", "warning", expect.stringMatching(/^\d+ in use of \d+; a node opens 1000 at most$/)],
    ]);
  });

  test("an index and a rule that are not in force", async () => {
    const directory = await emptyInstance();
    await change(
      directory,
      "update pg_index set indisvalid = false where indexrelid = 'ledger_by_key'::regclass",
      "alter table workspaces add constraint later check (name <> 'x') not valid",
    );
    expect(complaints(await examine(directory))).toEqual([
      ["indexes", "problem", "not in force: later, ledger_by_key"],
    ]);
  });

  test("a role that may not do its work", async () => {
    const directory = await emptyInstance();
    const role = `doctor_${crypto.randomUUID().replaceAll("-", "")}`;
    await change(directory, `create role ${role} login password 'hidden'`);
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(directory);
    const settings = {
      COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { username: role, password: "hidden" }).href,
    };
    const look = async () => findingOf(await examine(directory, settings), "rights");
    // The schema's own list of migrations is one of them, and three are named.
    const more = readSchema().length + 1 - 3;
    expect(await look()).toMatchObject({
      severity: "problem",
      message: `the role ${role} may not read and write access_tokens, api_key_teams, api_keys and ${more} more`,
    });
    await change(directory, `grant select, insert, update, delete on all tables in schema public to ${role}`);
    expect(await look()).toMatchObject({
      severity: "problem",
      message: `the role ${role} may not make tables in the schema public`,
    });
    await change(directory, `grant create on schema public to ${role}`);
    expect(await look()).toMatchObject({
      severity: "warning",
      message: expect.stringContaining("so it can not migrate"),
    });
    await change(directory, `drop owned by ${role}`, `drop role ${role}`);
  });

  test("another encoding", async () => {
    const { COMMONPLACE_DATABASE_URL: url = "" } = await databaseSettings(emptyDirectory);
    const name = `${new URL(url).pathname.slice(1)}_ascii`;
    await change(
      emptyDirectory,
      `create database ${name} template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`,
    );
    const settings = { COMMONPLACE_DATABASE_URL: Object.assign(new URL(url), { pathname: `/${name}` }).href };
    expect(complaints(await examine(emptyDirectory, settings))).toEqual([
      ["encoding", "problem", "it is SQL_ASCII, and must be UTF8"],
    ]);
    // Needless on a server that goes with the run: a drop waits for a checkpoint of all that runs beside it.
    if (!process.env.TEST_DATABASE_DISPOSABLE) await change(emptyDirectory, `drop database ${name} with (force)`);
  });

  test("a clock that is wrong", async () => {
    const right = Date.now;
    Date.now = () => right() + 90_000;
    try {
      expect(complaints(await examine(emptyDirectory))).toEqual([
        ["clocks", "warning", expect.stringMatching(/^this machine is ahead by (89|90)\d{3} ms$/)],
      ]);
    } finally {
      Date.now = right;
    }
  });
});
