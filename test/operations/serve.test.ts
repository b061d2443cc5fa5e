// ./commonplace serve: the output of the first start and of later ones, and how the service stops.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { version } from "../../package.json" with { type: "json" };
import { engine } from "../support/engine.ts";
import { newId } from "../support/expect.ts";
import {
  expectFailure,
  freePort,
  fromSource,
  type Program,
  run,
  runJson,
  runToEnd,
  serve,
} from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** As in a terminal. */
const inText = { COMMONPLACE_LOG_FORMAT: "text" };
const secretPattern = /cpl_[0-9A-Za-z]{38}/;

const consoleOf = ({ baseUrl }: Program): string => baseUrl.replace(/\/api$/, "/console");
const linkOf = (program: Program) => expect.stringMatching(new RegExp(`^${consoleOf(program)}/invitation#[\\w-]{43}$`));

describe("the first start", () => {
  test("the service prints its addresses, and where the setup link and the key are", async () => {
    // A directory whose name a shell would split.
    const data = join(temporaryDirectory(), "it's the data");
    await using program = await serve({ COMMONPLACE_DATA_DIRECTORY: data, ...inText }, [], fromSource);
    const { key = "", team_id: team = "", curl = "", first_administrator_link: link } = program.first;
    const consoleUrl = consoleOf(program);
    const [keyFile, linkFile] = [join(data, "first-api-key.txt"), join(data, "setup-link.txt")];
    expect(link).toStartWith(`${consoleUrl}/invitation#`);
    expect(program.announcement).toBe(`
Commonplace ${version} is running

  API        ${program.baseUrl}
  Reference  ${program.baseUrl}/reference
  Console    ${consoleUrl}
  Team ID    ${team}

Next step: create the operator account. Open the link in this file:

  ${linkFile}

If you cannot read the file, create another link: ./commonplace setup-link

Your first API key and a sample request are in this file:

  ${keyFile}

`);
    expect(team).toEqual(newId);
    expect(readFileSync(linkFile, "utf8")).toBe(
      `Open this link to create the operator account. The link works once and expires in 60 minutes.\n\n${link}\n`,
    );
    expect(readFileSync(keyFile, "utf8")).toBe(`Your first API key. It has access to all teams.
Store it in a safe place, then delete this file.

API key  ${key}
Team ID  ${team}

First request:

${curl}
`);
    for (const file of [keyFile, linkFile]) expect(statSync(file).mode & 0o777).toBe(0o600);

    // As printed, in a shell with another working directory.
    const pasted = await runToEnd(["bash", "-c", curl], {}, "/");
    expect(pasted.status).toBe(0);
    const answer = JSON.parse(pasted.stdout);
    expect(answer).toMatchObject({ success: true, usage: { remainingRequests: 99_999 } });

    const read = await program.call("GET", `/snippet?id=${answer.data.snippetId}`, key);
    expect(await read.json()).toMatchObject({ data: { title: "Hello", team_id: team } });
  });

  test("with --json prints one JSON value, also until the end", async () => {
    const data = temporaryDirectory();
    await using program = await serve({ COMMONPLACE_DATA_DIRECTORY: data }, ["--json"], fromSource);
    program.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    const first = JSON.parse(program.stdout());
    expect(program.stdout()).toBe(`${JSON.stringify(first)}\n`);
    expect(first).toEqual({
      base_url: program.baseUrl,
      ca: join(data, "tls/ca.crt"),
      console_url: consoleOf(program),
      workspace_id: newId,
      team_id: newId,
      api_key_file: join(data, "first-api-key.txt"),
      setup_link_file: join(data, "setup-link.txt"),
    });
    expect(program.first).toMatchObject({
      key: expect.stringMatching(secretPattern),
      curl: expect.stringContaining(`curl --cacert ${join(data, "tls/ca.crt")} ${program.baseUrl}/snippet \\\n  -H`),
      first_administrator_link: linkOf(program),
    });
    expect(program.stdout() + program.stderr()).not.toMatch(secretPattern);
  });

  test.skipIf(engine.name === "sqlite")(
    "on one data directory several times at once: all serve, one has the key, which all know",
    async () => {
      const data = temporaryDirectory();
      const programs = await Promise.all([1, 2, 3].map(() => serve({ COMMONPLACE_DATA_DIRECTORY: data })));
      const keys = programs.flatMap(({ first }) => first.key ?? []);
      expect(keys).toHaveLength(1);
      // They share one certificate authority: otherwise the call would not trust the others.
      for (const program of programs) {
        const answer = await program.call("GET", "/tags?ids=00000000-0000-7000-8000-000000000000", keys[0] ?? "");
        expect(answer.status).toBe(200);
      }
      const { stdout } = await run(["workspace", "list", "--json"], { COMMONPLACE_DATA_DIRECTORY: data });
      expect(JSON.parse(stdout)).toHaveLength(1);
      await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()));
    },
  );

  test.skipIf(engine.name !== "sqlite")("on one data directory several times at once: one serves", async () => {
    const data = temporaryDirectory();
    const starts = await Promise.allSettled([1, 2, 3].map(() => serve({ COMMONPLACE_DATA_DIRECTORY: data })));
    const started = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    expect(started).toHaveLength(1);
    expect(started[0]?.first.key).toMatch(secretPattern);
    for (const start of starts)
      if (start.status === "rejected")
        expect(start.reason.message).toContain(`is already serving the database ${data}/`);
    await Promise.all(started.map((program) => program[Symbol.asyncDispose]()));
  });

  test("makes the data directory and what is in it for its own user alone", async () => {
    const data = join(temporaryDirectory(), "deep/er");
    await using _ = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
    const mode = (path: string) => (statSync(join(data, path)).mode & 0o777).toString(8);
    expect(["", "tls", "tls/localhost.key"].map(mode)).toEqual(["700", "700", "600"]);
    if (engine.name === "sqlite") expect(mode("commonplace.db")).toBe("600");
  });
});

describe("without a first key", () => {
  test("the first start creates a workspace and a team, and prints the command that creates a key", async () => {
    const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_FIRST_KEY: "off", ...inText };
    await using program = await serve(settings, [], fromSource);
    const [{ id: workspace }] = await runJson(["workspace", "list"], settings);
    expect(program.announcement).toBe(`
Commonplace ${version} is running

  API        ${program.baseUrl}
  Reference  ${program.baseUrl}/reference
  Console    ${consoleOf(program)}
  Team ID    ${program.first.team_id}

Next step: create the operator account. Open the link in this file:

  ${join(settings.COMMONPLACE_DATA_DIRECTORY, "setup-link.txt")}

If you cannot read the file, create another link: ./commonplace setup-link

Create an API key in the console, or with this command:

  ./commonplace key create --name NAME --all-teams \\
    --workspace ${workspace}

`);
    expect(await runJson(["key", "list", "--workspace", workspace], settings)).toEqual([]);
    expect(existsSync(join(settings.COMMONPLACE_DATA_DIRECTORY, "first-api-key.txt"))).toBeFalse();
  });

  test("setup-link prints a link that creates the operator account, until there is one", async () => {
    const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_FIRST_KEY: "off" };
    await using program = await serve(settings);
    const { stdout, ...outcome } = await run(["setup-link"], settings);
    expect(outcome).toEqual({ status: 0, stderr: "" });
    const [link = ""] = stdout.match(/https:\S+/) ?? [];
    expect(stdout).toBe(`
  ${link}

Open this link to create the operator account.
It works once and expires in 60 minutes.
`);
    expect(link).toEqual(linkOf(program));
    const origin = new URL(link).origin;
    const accepted = await fetch(`${origin}/console/api/invitation/acceptance`, {
      method: "POST",
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify({
        token: new URL(link).hash.slice(1),
        name: "Ada",
        email: "ada@example.com",
        password: "a password, and a long one",
      }),
      tls: { ca: readFileSync(program.ca, "utf8") },
    });
    expect(accepted.status).toBe(200);
    expect(await runJson(["person", "list"], settings)).toMatchObject([
      { email: "ada@example.com", is_operator: true },
    ]);
    expectFailure(
      await run(["setup-link"], settings),
      1,
      "an account exists already. To create another operator, run ./commonplace person create --operator --email ADDRESS",
    );
  });

  test("setup-link needs a console", async () => {
    const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
    await run(["workspace", "create", "--name", "Ours"], settings);
    const outcome = await run(["setup-link"], { ...settings, COMMONPLACE_CONSOLE: "off" });
    expectFailure(outcome, 1, "the console is off (COMMONPLACE_CONSOLE)");
  });
});

test("a later start prints the addresses and no key, and what was created is still there", async () => {
  const data = temporaryDirectory();
  const settings = { COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_HTTPS_PORT: String(freePort()), ...inText };
  const first = await serve(settings);
  const key = first.first.key ?? "";
  const linkFile = join(data, "setup-link.txt");
  expect(existsSync(linkFile)).toBeTrue();
  first.kill("SIGTERM");
  expect(await first.exited).toBe(0);
  await run(["person", "create", "--email", "ada@example.com"], settings);

  // The same port immediately: nothing of the first service is left.
  await using second = await serve(settings);
  expect(second.announcement).toBe(`
Commonplace ${version} is running

  API        ${first.baseUrl}
  Reference  ${first.baseUrl}/reference
  Console    ${consoleOf(first)}

`);
  // The link of the first start no longer works.
  expect(existsSync(linkFile)).toBeFalse();
  const answer = await second.call("GET", "/tags?ids=00000000-0000-7000-8000-000000000000", key);
  expect(answer.status).toBe(200);
});

test("with COMMONPLACE_URL, people are told one address for everything", async () => {
  const settings = {
    COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(),
    COMMONPLACE_URL: "https://snippets.example.com",
    ...inText,
  };
  await using program = await serve(settings);
  expect(program.announcement).toContain(`
  API        https://snippets.example.com/api
  Reference  https://snippets.example.com/api/reference
  Console    https://snippets.example.com/console
`);
});

test("where a workspace was made before the first start, no further one is made", async () => {
  const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
  await run(["workspace", "create", "--name", "Ours"], settings);
  await using program = await serve(settings, ["--json"]);
  expect(JSON.parse(program.announcement)).toEqual({
    base_url: program.baseUrl,
    ca: program.ca,
    console_url: consoleOf(program),
    setup_link_file: join(settings.COMMONPLACE_DATA_DIRECTORY, "setup-link.txt"),
  });
  expect(program.first).toEqual({ first_administrator_link: linkOf(program) });
});

test("without a console, a start tells of none and prints no link", async () => {
  const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_CONSOLE: "off" };
  await run(["workspace", "create", "--name", "Ours"], settings);
  await using program = await serve(settings, ["--json"]);
  expect(JSON.parse(program.announcement)).toEqual({ base_url: program.baseUrl, ca: program.ca });
});

describe("settings act", () => {
  test("the monthly allowance, the rate limit and the API path", async () => {
    const settings = {
      COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(),
      COMMONPLACE_MONTHLY_REQUESTS: "7",
      COMMONPLACE_REQUESTS_PER_MINUTE: "2",
      COMMONPLACE_API_PATH: "/",
    };
    await using program = await serve(settings, ["--json"]);
    const { base_url } = JSON.parse(program.announcement);
    const { key = "", team_id: teamId } = program.first;
    expect(base_url).toMatch(/^https:\/\/localhost:\d+$/);
    const body = { title: "A", content: { type: "code", content: "B" }, teamId };
    const answers = [1, 2, 3].map(() => program.call("POST", "/snippet", key, body));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 429]);
    const { stdout } = await run(["workspace", "list", "--json"], settings);
    expect(JSON.parse(stdout)[0].monthly_requests).toBe(7);
  });

  test("the plain port refuses, and off means none", async () => {
    const port = freePort();
    const plain = () => fetch(`http://127.0.0.1:${port}/api/snippet`);
    const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_HTTP_PORT: String(port) };
    const program = await serve(settings);
    const refused = await plain();
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ success: false, message: "HTTPS is required" });
    program.kill("SIGTERM");
    expect(await program.exited).toBe(0);

    await using _ = await serve({ ...settings, COMMONPLACE_HTTP_PORT: "off" });
    await expect(plain()).rejects.toThrow();
  });

  test("the log: one JSON line per request on standard error, without the key; off means silence", async () => {
    const data = temporaryDirectory();
    const program = await serve({ COMMONPLACE_DATA_DIRECTORY: data }, ["--json"]);
    const { key = "", team_id, workspace_id } = program.first;
    await program.call("POST", "/tag", key, { tagName: "A", tagColor: "B", teamId: team_id });
    await program.call("GET", "/nowhere", key);
    program.kill("SIGINT");
    expect(await program.exited).toBe(0);
    const lines = program.stderr().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", message: "request", operation: "postTag", status: 200, units: 1, workspaceId: workspace_id },
      { level: "info", message: "request", method: "GET", path: "/api/nowhere", status: 404, units: 0 },
    ]);
    expect(program.stderr()).not.toContain(key.slice(8));

    const silent = await serve({ COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_LOG_LEVEL: "off" });
    await silent.call("GET", "/nowhere", key);
    silent.kill("SIGTERM");
    expect(await silent.exited).toBe(0);
    expect(silent.stderr()).toBe("");
  });
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s: the call in flight is answered, then the service ends with 0",
  async (signal) => {
    const program = await serve({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_LOG_LEVEL: "off" }, [
      "--json",
    ]);
    const { key = "", team_id: teamId } = program.first;
    const body = JSON.stringify({ title: "In flight", content: { type: "code", content: "x" }, teamId });
    const socket = connect({
      port: Number(new URL(program.baseUrl).port),
      host: "127.0.0.1",
      servername: "localhost",
      ca: await Bun.file(program.ca).text(),
    });
    const received: string[] = [];
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.on("data", (chunk) => received.push(chunk.toString()));
    await new Promise<void>((resolve) => socket.once("secureConnect", resolve));
    const head = `POST /api/snippet HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 20), () => resolve()));
    // A later call was answered, so the earlier partial request has arrived.
    await (await program.call("GET", "/nowhere", key)).text();

    program.kill(signal);
    // The service is stopping once it refuses new connections.
    for (;;) {
      const isTaken = await program.call("GET", "/nowhere", key).then(
        (answer) => answer.text().then(() => true),
        () => false,
      );
      if (!isTaken) break;
    }
    socket.write(body.slice(20));
    expect(await program.exited).toBe(0);
    await closed;
    expect(received.join("")).toStartWith("HTTP/1.1 200 OK\r\n");
    expect(program.stderr()).toBe("");
  },
);
