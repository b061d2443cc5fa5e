// ./commonplace serve --try: a private instance with its own folder, high limits, and examples, and a link that signs in.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { exampleSnippets } from "../../src/library/examples/texts.ts";
import { environment, expectFailure, freePort, type Program, program, run, serve } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";
import { runInTerminal, whyNoTerminal } from "../support/terminal.ts";

/** From source, each start takes seconds beside other tests. */
const trialMilliseconds = 30_000;

/** A trial in the folder that it chooses itself. */
async function startTrial(home: string) {
  const trial = await serve({ HOME: home, XDG_DATA_HOME: "", COMMONPLACE_LOG_FORMAT: "text" }, ["--try"]);
  const data = join(home, ".local/share/commonplace-try");
  const ca = readFileSync(join(data, "tls/ca.crt"), "utf8");
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, trial.baseUrl), { ...init, tls: { ca } }) as Promise<Response>;
  return { trial, data, ask };
}

/** The addresses at which a process accepts connections. */
function listeningAddresses(pid: number): string[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => readLink(`/proc/${pid}/fd/${name}`));
  const isOurs = (inode: string) => links.includes(`socket:[${inode}]`);
  const rows = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/net/${name}`, "utf8").trim().split("\n").slice(1));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = ""]) => state === "0A" && isOurs(inode))
    .map(([, address = ""]) =>
      Array.from(Buffer.from(address.split(":")[0] ?? "", "hex"))
        .reverse()
        .join("."),
    );
}

/** A file that was closed meanwhile has none. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

type Ask = Awaited<ReturnType<typeof startTrial>>["ask"];

const openLink = (ask: Ask, { baseUrl, first }: Program) =>
  ask("/console/api/sign-in-link", {
    method: "POST",
    headers: { Origin: new URL(baseUrl).origin, "Content-Type": "application/json" },
    body: JSON.stringify({ token: new URL(first.sign_in_link ?? "").hash.slice(1) }),
  });

test(
  "has examples, high limits, a key, and a link that signs in once; a second start has the same data",
  async () => {
    const home = temporaryDirectory();
    const { trial, data, ask } = await startTrial(home);
    const linkFile = join(data, "sign-in-link.txt");
    expect(trial.announcement).toContain(`
Next step: sign in. Open the link in this file:

  ${linkFile}

If you cannot read the file, restart the service to get another link.
`);
    expect(readFileSync(linkFile, "utf8")).toBe(
      `Open this link to sign in. The link works once and expires in 60 minutes.\n\n${trial.first.sign_in_link}\n`,
    );
    expect(existsSync(join(data, "setup-link.txt"))).toBeFalse();

    expect([data, linkFile].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(listeningAddresses(trial.pid)).toEqual(["127.0.0.1"]);

    const { key = "", team_id: team } = trial.first;
    const headers = { Authorization: `Bearer ${key}` };
    const found = await ask(`/api/search?teamId=${team}&limit=100`, { headers });
    expect([found.status, found.headers.get("x-ratelimit-limit")]).toEqual([200, "100000"]);
    const answer = await found.json();
    expect(answer.data.snippets.map(({ title }: { title: string }) => title).sort()).toEqual(
      exampleSnippets.map(({ title }) => title).sort(),
    );
    expect(answer.usage.remainingRequests).toBeGreaterThan(999_999_000);

    const opened = await openLink(ask, trial);
    expect([opened.status, await opened.json()]).toMatchObject([200, { data: { message: "Signed in" } }]);
    const [cookie = ""] = opened.headers.getSetCookie();
    const session = await ask("/console/api/session", { headers: { Cookie: cookie.split(";")[0] ?? "" } });
    expect(await session.json()).toMatchObject({
      data: {
        person: { name: "You", is_operator: true, has_password: false },
        memberships: [{ workspace_name: "My workspace", role: "owner" }],
      },
    });
    expect((await openLink(ask, trial)).status).toBe(404);

    trial.kill("SIGTERM");
    expect(await trial.exited).toBe(0);
    const again = await startTrial(home);
    expect(again.trial.first).toEqual({ sign_in_link: expect.stringMatching(/\/console\/enter#/) });
    expect((await openLink(again.ask, again.trial)).status).toBe(200);
    expect((await again.ask("/api/me", { headers })).status).toBe(200);
    const listed = await run(["workspace", "list", "--data", data, "--json"]);
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
    await again.trial[Symbol.asyncDispose]();
  },
  trialMilliseconds,
);

describe("refuses", () => {
  const others = {
    COMMONPLACE_HOST: "0.0.0.0",
    COMMONPLACE_TRUSTED_PROXIES: "10.0.0.1",
    COMMONPLACE_DATABASE_URL: "sqlite:other.db",
    COMMONPLACE_CONSOLE: "off",
    COMMONPLACE_FIRST_KEY: "off",
    COMMONPLACE_URL: "https://snippets.example.com",
  };
  test.each(Object.entries(others))("%s, with which it would not be private", async (name, value) => {
    const refused = await run(["serve", "--try"], {
      COMMONPLACE_LOG_FORMAT: "text",
      HOME: temporaryDirectory(),
      [name]: value,
    });
    expectFailure(refused, 1, `--try starts a private instance on this machine. Unset ${name}, or leave out --try`);
  });

  test(
    "the data of an instance that is not a trial, and signs nobody in to it",
    async () => {
      const data = temporaryDirectory();
      const instance = await serve({ COMMONPLACE_DATA_DIRECTORY: data });
      instance.kill("SIGTERM");
      await instance.exited;
      const settings = { COMMONPLACE_HTTPS_PORT: "0", COMMONPLACE_LOG_FORMAT: "text", COMMONPLACE_LOG_LEVEL: "off" };
      const refused = await run(["serve", "--try", "--data", data], settings);
      const reason = `${data} has an instance that was not started with --try. Leave out --try, or name another directory with --data`;
      expectFailure(refused, 1, reason);
      expect(existsSync(join(data, "sign-in-link.txt"))).toBeFalse();
    },
    trialMilliseconds,
  );
});

test.skipIf(whyNoTerminal !== undefined)(
  "in a terminal, it prints the link and where the data is",
  async () => {
    const home = temporaryDirectory();
    const port = String(freePort());
    const settings = { HOME: home, XDG_DATA_HOME: "", COMMONPLACE_HTTPS_PORT: port, NO_COLOR: "1" };
    const service = runInTerminal([...program, "serve", "--try"], await environment(settings), 100);
    const text = await service.until((shown) => /Press Ctrl\+C to stop\.\n\n/.test(shown));
    const origin = `https://localhost:${port}`;
    expect(text).toStartWith(`
  ● Commonplace ${version} is running

  API        ${origin}/api
  Reference  ${origin}/api/reference
  Console    ${origin}/console
`);
    expect(text).toMatch(
      new RegExp(
        `\n  Next step  Open this link to sign in:\n\n${origin}/console/enter#[\\w-]{32}\n\n  The link works once`,
      ),
    );
    expect(text).toContain(`\n  Data       ${join(home, ".local/share/commonplace-try")}\n`);
    expect(text).not.toContain("To raise this");
    service.kill("SIGINT");
    expect(await service.exited).toBe(0);
  },
  trialMilliseconds,
);
