// dist/commonplace, the single executable: it is built, and runs without any other file.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildDocs } from "../../site/build.ts";
import { scalarScript } from "../../src/api/reference/scalar.ts";
import { engine } from "../support/engine.ts";
import { readFirstStart } from "../support/first-start.ts";
import { built, environment, root, runToEnd, type Settings } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

// The executable does not depend on the database.
const isSkipped = engine.name !== "sqlite";
if (isSkipped) console.log(`executable.test.ts: skipped on ${engine.name}, as it runs once, with SQLite`);

/** A PATH without bun and node. */
const bare: Settings = { PATH: "/nonexistent", HOME: "/nonexistent", COMMONPLACE_HTTPS_PORT: "0" };

describe.skipIf(isSkipped)("the executable", () => {
  const directory = join(temporaryDirectory(), "empty");
  const executable = join(directory, "commonplace");
  const words = (...more: string[]) => runToEnd([executable, ...more], bare, directory);
  let child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  let announced: Record<"base_url" | "ca" | "team_id" | "key" | "console_url" | "first_administrator_link", string>;
  let ask: (url: string, init?: RequestInit) => Promise<Response>;

  beforeAll(async () => {
    if (built === undefined) {
      const building = await runToEnd([process.execPath, join(root, "scripts/build.ts")]);
      expect(building).toMatchObject({ status: 0, stderr: "" });
      console.log(building.stdout.trim());
    }
    mkdirSync(directory);
    copyFileSync(built ?? join(root, "dist/commonplace"), executable);

    child = Bun.spawn([executable, "serve", "--json"], {
      cwd: directory,
      env: {
        ...(await environment(bare)),
        COMMONPLACE_HTTP_PORT: "off",
        COMMONPLACE_LOG_LEVEL: "debug",
        COMMONPLACE_REQUESTS_PER_MINUTE: "1000000",
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const { value } = await child.stdout.getReader().read();
    const text = new TextDecoder().decode(value);
    announced = { ...JSON.parse(text), ...readFirstStart(text) };
    const ca = readFileSync(announced.ca, "utf8");
    ask = (url, init) => fetch(url, { ...init, tls: { ca } });
  });

  afterAll(() => child?.kill("SIGKILL"));

  // 107 MB of it is the runtime, 1 MB the pages with the editor of texts and its languages.
  test("is one file, below 145 MB, and has the version of package.json", async () => {
    expect(readdirSync(join(root, "dist"))).not.toContain("commonplace.map");
    expect(statSync(executable).size).toBeLessThan(145_000_000);
    const { version } = await Bun.file(join(root, "package.json")).json();
    expect(await words("--version")).toEqual({ status: 0, stdout: `commonplace ${version}\n`, stderr: "" });
  });

  test("answers the first call through TLS", async () => {
    const { base_url, team_id, key } = announced;
    const made = await ask(`${base_url}/snippet`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({
        title: "Hello",
        teamId: team_id,
        content: { type: "plaintext", content: "Hello, world" },
      }),
    });
    expect(made.status).toBe(200);
    expect(await made.json()).toMatchObject({ success: true, usage: { remainingRequests: 99_999 } });
  });

  test("starts a thread for searches from its own file", async () => {
    const { base_url, key } = announced;
    const log = child.stderr.getReader();
    const logged = async () => new TextDecoder().decode((await log.read()).value);
    const search = async (): Promise<void> => {
      const found = await ask(`${base_url}/search?query=world`, { headers: { Authorization: `Bearer ${key}` } });
      // A busy machine may not get to the search in time.
      if (found.status === 503) return search();
      expect(await found.json()).toMatchObject({ data: { snippets: [{ title: "Hello" }] } });
    };
    // One that runs alone stays in the main thread.
    const searchAtOnce = () => Promise.all(Array.from({ length: 5 }, search));
    let lines = "";
    while (!lines.includes("searches have a thread of their own")) {
      await searchAtOnce();
      lines += await logged();
    }
    await searchAtOnce();
    expect(lines).not.toContain('"level":"error"');
    log.releaseLock();
  });

  test("starts a thread for small files from its own file", async () => {
    const { base_url, team_id, key } = announced;
    const log = child.stderr.getReader();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/octet-stream" };
    const body = "matches:\n  - trigger: a\n    replace: b\n";
    const query = new URLSearchParams({ teamId: team_id, dryRun: "true" });
    const imported = await ask(`${base_url}/import?${query}`, { method: "POST", headers, body });
    expect(await imported.json()).toMatchObject({ data: { format: "espanso", snippets: [{ title: "a" }] } });
    let lines = "";
    while (!lines.includes('"thread":"small_files"')) lines += new TextDecoder().decode((await log.read()).value);
    expect(lines).toContain('"message":"a thread started"');
    expect(lines).not.toContain('"level":"error"');
    log.releaseLock();
  });

  test("has the pages and the description inside, as they are in the source", async () => {
    const { base_url } = announced;
    const page = await ask(`${base_url}/reference`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("reference/scalar.js")]);
    for (const part of ["reference.css", "reference.js"]) {
      const served = await ask(`${base_url}/reference/${part}`);
      expect(await served.text()).toBe(readFileSync(join(root, "src/api/reference", part), "utf8"));
    }
    const bundle = await ask(`${base_url}/reference/scalar.js`);
    expect(await bundle.text()).toBe(scalarScript());
    const description = await ask(`${base_url}/openapi.json`);
    expect(await description.json()).toEqual(await Bun.file(join(root, "openapi.json")).json());
  });

  test("has the documentation inside, as it is built from the source", async () => {
    const { origin } = new URL(announced.base_url);
    for (const { path, text } of await buildDocs()) {
      const served = await ask(`${origin}/docs/${path}`);
      expect([path, served.status, (await served.text()) === text]).toEqual([path, 200, true]);
    }
  });

  test("makes the first administrator by the printed link, and signs them in with a password and with passkeys", async () => {
    const { console_url, first_administrator_link } = announced;
    const { origin } = new URL(console_url);
    const post = (path: string, body: object) =>
      ask(console_url + path, {
        method: "POST",
        headers: { Origin: origin, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const person = { email: "ada@example.com", password: "a password, and a long one" };
    const token = new URL(first_administrator_link).hash.slice(1);
    const made = await post("/api/invitation/acceptance", { token, name: "Ada", ...person });
    expect([made.status, made.headers.getSetCookie().length]).toEqual([200, 1]);
    const signedIn = await post("/auth/sign-in/email", person);
    expect([signedIn.status, signedIn.headers.getSetCookie().length]).toEqual([200, 1]);
    const options = await ask(`${console_url}/auth/passkey/generate-authenticate-options`);
    expect(await options.json()).toMatchObject({ rpId: "localhost" });
    const [{ password } = { password: "" }] = await engine.rowsOf(join(directory, "data"))<{ password: string }>(
      "select password from person_credentials",
    );
    expect(password).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test("runs the operator's commands beside the service", async () => {
    const listed = await words("workspace", "list");
    expect(listed).toMatchObject({ status: 0, stderr: "" });
    expect(listed.stdout).toContain("My workspace");
    expect(await words("bogus")).toEqual({
      status: 2,
      stdout: "",
      stderr: 'commonplace: unknown command "bogus"\nTry: ./commonplace --help\n',
    });
  });

  test("makes a backup of what it serves, by a process of its own kind, and restores it", async () => {
    const backup = await words("backup", "--to", "backup.db", "--json");
    expect(backup).toMatchObject({ status: 0, stderr: "" });
    const restored = await words("restore", "--from", "backup.db", "--data", "restored", "--json");
    expect(restored).toMatchObject({ status: 0, stderr: "" });
    const { rows, sha256 } = JSON.parse(backup.stdout);
    expect(JSON.parse(restored.stdout)).toMatchObject({ rows, sha256 });
    expect(rows).toMatchObject({ workspaces: 1, snippets: 1 });
  });

  test("takes no settings from files where it is started", async () => {
    await Bun.write(join(directory, ".env"), "COMMONPLACE_LOG_LEVEL=loud\n");
    await Bun.write(join(directory, "bunfig.toml"), 'preload = ["./missing.ts"]\n');
    expect(await words("workspace", "list")).toMatchObject({ status: 0, stderr: "" });
  });

  test("SIGTERM ends it with status 0", async () => {
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});
