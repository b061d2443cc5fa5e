// When the service cannot start: one clear line on standard error, nothing on standard output, exit status 1, nothing damaged.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { engine, urlWithoutCredentials } from "../support/engine.ts";
import {
  expectFailure,
  freePort,
  makeWorkspace,
  run,
  runJson,
  runRefused,
  type Settings,
  serve,
} from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";
import { wrongSettings } from "../support/settings.ts";

/** Fails unless the start is refused with a line that this pattern fits. */
async function expectRefused(settings: Settings, message: RegExp): Promise<void> {
  const outcome = await runRefused(settings);
  expect(outcome).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(/^commonplace: [^\n]+\n$/) });
  expect(outcome.stderr).toMatch(message);
}

describe("settings", () => {
  test("a wrong value, each told by its rule; a setting that does not exist", async () => {
    const data = temporaryDirectory();
    // Without PostgreSQL: backups, whose settings are among these, are not for it.
    const inFile = {
      COMMONPLACE_DATA_DIRECTORY: data,
      COMMONPLACE_DATABASE_URL: "",
      COMMONPLACE_DATABASE_CONNECTIONS: "",
    };
    await Promise.all(
      wrongSettings.map(async ([name, value, message]) =>
        expectFailure(await runRefused({ ...inFile, [name]: value }), 1, message),
      ),
    );
    // Refused before anything was created.
    expect([...new Bun.Glob("**").scanSync({ cwd: data, onlyFiles: false })]).toEqual([]);
  });

  test("a port in use, by this service or by another program; both ports the same", async () => {
    const data = temporaryDirectory();
    await using running = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
    const servicePort = new URL(running.baseUrl).port;
    const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const otherPort = String(other.port);
    const free = String(freePort());
    const here = { COMMONPLACE_DATA_DIRECTORY: data };
    const elsewhere = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
    const inUse = (port: string, setting: string) =>
      `port ${port} is already in use. If Commonplace is running, stop it; otherwise set ${setting} to another port`;
    const cases: [Settings, string][] = [
      // With PostgreSQL, two nodes may share a data directory.
      ...(engine.name === "postgres"
        ? ([
            [{ ...here, COMMONPLACE_HTTPS_PORT: servicePort }, inUse(servicePort, "COMMONPLACE_HTTPS_PORT")],
          ] satisfies [Settings, string][])
        : []),
      [{ ...elsewhere, COMMONPLACE_HTTPS_PORT: servicePort }, inUse(servicePort, "COMMONPLACE_HTTPS_PORT")],
      [{ ...elsewhere, COMMONPLACE_HTTPS_PORT: otherPort }, inUse(otherPort, "COMMONPLACE_HTTPS_PORT")],
      [{ ...elsewhere, COMMONPLACE_HTTP_PORT: otherPort }, inUse(otherPort, "COMMONPLACE_HTTP_PORT")],
      [
        { ...elsewhere, COMMONPLACE_HTTPS_PORT: free, COMMONPLACE_HTTP_PORT: free },
        inUse(free, "COMMONPLACE_HTTP_PORT"),
      ],
    ];
    for (const [settings, message] of cases) expectFailure(await runRefused(settings), 1, message);
    other.stop(true);
    // A refused start has not created a workspace whose key was never printed.
    await using later = await serve(elsewhere);
    expect(later.first.key).toBeString();
  });

  test("an address that this computer does not have", async () => {
    await expectRefused(
      { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_HOST: "192.0.2.1" },
      /cannot listen on 192\.0\.2\.1 port 0: /,
    );
  });
});

describe.skipIf(engine.name !== "sqlite")("a data directory that a service uses", () => {
  test("another service is refused, and told which process it is; commands work; nothing is left behind by a kill", async () => {
    const data = temporaryDirectory();
    const settings = { COMMONPLACE_DATA_DIRECTORY: data };
    await using running = await serve(settings);
    const { pid } = running;
    const since = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
    const message = `process ${pid} on ${hostname()} is already serving the database ${data}/commonplace\\.db \\(since ${since}\\)\\. Stop it, or set COMMONPLACE_DATA_DIRECTORY`;
    await expectRefused(settings, new RegExp(`^commonplace: ${message} to another directory\\.\n$`));
    // The same file through another data directory.
    const elsewhere = {
      COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(),
      COMMONPLACE_DATABASE_URL: `sqlite:${data}/commonplace.db`,
    };
    await expectRefused(elsewhere, new RegExp(message));

    const { workspace } = await makeWorkspace(settings);
    expect(await runJson(["workspace", "list"], settings)).toContainEqual(expect.objectContaining({ id: workspace }));
    await runJson(["backup", "--to", join(temporaryDirectory(), "copy.db")], settings);
    const examined = await run(["doctor", "--json"], settings);
    expect(JSON.parse(examined.stdout).findings).not.toContainEqual(expect.objectContaining({ severity: "problem" }));

    running.kill("SIGKILL");
    await running.exited;
    await using next = await serve(settings);
    await expectRefused(settings, new RegExp(`process ${next.pid} on `));
  });
});

describe("a data directory that can not be used", () => {
  test("is a file, lies below a file, or can not be made", async () => {
    const file = join(temporaryDirectory(), "file");
    writeFileSync(file, "mine");
    const below = join(file, "below");
    await Promise.all([
      runRefused({ COMMONPLACE_DATA_DIRECTORY: file }).then((outcome) =>
        expectFailure(outcome, 1, `the data directory ${file} is a file`),
      ),
      runRefused({ COMMONPLACE_DATA_DIRECTORY: below }).then((outcome) =>
        expectFailure(outcome, 1, `the data directory ${below} cannot be created: ENOTDIR: not a directory`),
      ),
    ]);
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test.skipIf(process.platform !== "linux")("lies where nothing can be written", async () => {
    await expectRefused(
      { COMMONPLACE_DATA_DIRECTORY: "/proc/commonplace" },
      /the data directory \/proc\/commonplace cannot be created: /,
    );
    const first = engine.name === "sqlite" ? /cannot use the database \/proc\/commonplace\.db: / : /\/proc\/tls/;
    await expectRefused({ COMMONPLACE_DATA_DIRECTORY: "/proc" }, first);
  });
});

test("a database that was used by a newer version is refused by every command, and stays as it is", async () => {
  const data = temporaryDirectory();
  const made = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
  made.kill("SIGTERM");
  await made.exited;
  const behind = await engine.connect(data);
  await behind.run("insert into schema_migrations (version, name, applied_at) values (99, 'later', '2030-01-01')");
  await behind.close();
  const stored = () => engine.rowsOf(data)("select * from schema_migrations order by version");
  const before = await stored();

  const message =
    /: the database has schema version 99, but this program supports up to \d+\. Use the version of Commonplace that last used it, or a newer one\.$/m;
  await expectRefused({ COMMONPLACE_DATA_DIRECTORY: data }, message);
  const listed = await run(["workspace", "list", "--json"], { COMMONPLACE_DATA_DIRECTORY: data });
  expect(listed).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(message) });
  expect(await stored()).toEqual(before);
});

describe.skipIf(engine.name !== "postgres")("a PostgreSQL that can not be used: one line, without the password", () => {
  const password = "a-secret";
  const cases: [string, (url: URL) => void, RegExp][] = [
    ["nobody listens", (url) => Object.assign(url, { port: freePort() }), /: Failed to connect\n$/],
    ["the password is wrong", () => undefined, /: password authentication failed/],
    [
      "there is no such role",
      (url) => Object.assign(url, { username: "stranger" }),
      /: password authentication failed for user "stranger"\n$/,
    ],
  ];
  const isLetIn = async (url: string): Promise<boolean> => {
    const connection = new SQL(url, { max: 1 });
    const isAnswered = await connection`select 1`.then(
      () => true,
      () => false,
    );
    await connection.close();
    return isAnswered;
  };
  test.each(cases)("%s", async (_, change, reason) => {
    const data = temporaryDirectory();
    const location = await engine.locate(data);
    if (location.engine === "sqlite") throw new Error("this is about PostgreSQL");
    const url = new URL(location.url);
    url.password = password;
    change(url);
    // The server that TEST_DATABASE_URL names may accept any password.
    if (await isLetIn(url.href)) return;
    const outcome = await runRefused({ COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_DATABASE_URL: url.href });
    expect(outcome).toMatchObject({ status: 1, stdout: "" });
    expect(outcome.stderr).toStartWith(`commonplace: cannot use PostgreSQL at ${urlWithoutCredentials(url.href)}: `);
    expect(outcome.stderr).toMatch(reason);
    expect(outcome.stderr).not.toContain(password);
    expect(outcome.stderr.trimEnd()).not.toContain("\n");
  });

  test("there is no such database", async () => {
    const data = temporaryDirectory();
    const location = await engine.locate(data);
    if (location.engine === "sqlite") throw new Error("this is about PostgreSQL");
    const url = Object.assign(new URL(location.url), { pathname: "/never_made" }).href;
    const message = `cannot use PostgreSQL at ${urlWithoutCredentials(url)}: database "never_made" does not exist`;
    expectFailure(await runRefused({ COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_DATABASE_URL: url }), 1, message);
  });
});

describe.skipIf(engine.name !== "sqlite")("a database file that can not be used", () => {
  const original = temporaryDirectory();
  beforeAll(async () => {
    const made = await serve({ COMMONPLACE_DATA_DIRECTORY: original });
    made.kill("SIGTERM");
    await made.exited;
  });

  /** A corrupted copy of a used database; the start and the other commands must refuse it and leave it unchanged. */
  async function expectSpoilt(spoil: (path: string) => void, message: RegExp): Promise<void> {
    const data = temporaryDirectory();
    cpSync(original, data, { recursive: true });
    const path = join(data, "commonplace.db");
    spoil(path);
    const before = readFileSync(path);
    await expectRefused({ COMMONPLACE_DATA_DIRECTORY: data }, message);
    const listed = await run(["workspace", "list", "--json"], { COMMONPLACE_DATA_DIRECTORY: data });
    expect(listed).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(message) });
    expect(readFileSync(path).equals(before)).toBeTrue();
  }

  const overwrite = (path: string, page: number) => {
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, page * 4_096);
  };

  test("is a file of something else", () =>
    expectSpoilt((path) => writeFileSync(path, "not a database".repeat(1_000)), /file is not a database/));
  test("was cut off", () => expectSpoilt((path) => truncateSync(path, 20_480), /malformed|damaged/));
  test("lost its first page", () => expectSpoilt((path) => overwrite(path, 0), /file is not a database/));
  test("lost a page in the middle", () => expectSpoilt((path) => overwrite(path, 6), /malformed|damaged/));

  test("is a directory", () => {
    const data = temporaryDirectory();
    mkdirSync(join(data, "commonplace.db"));
    return expectRefused({ COMMONPLACE_DATA_DIRECTORY: data }, /cannot use the database .*commonplace\.db: /);
  });
});
