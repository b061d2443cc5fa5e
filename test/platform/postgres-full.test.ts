// Commands that meet a PostgreSQL without a free connection say so, and wait for a moment.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { isOnPostgres, onPostgres, openAdministration, until } from "../support/nodes.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { environment, program } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const notice = "All connections to PostgreSQL are in use. Trying again for 10 s\n";

describe.skipIf(!isOnPostgres)(onPostgres("a PostgreSQL without a free connection"), () => {
  let url: string;
  const others: SQL[] = [];
  const free = async () => void (await Promise.all(others.splice(0).map((other) => other.close({ timeout: 0 }))));
  beforeAll(async () => {
    const server = await startPrivatePostgres({ settings: { max_connections: "10" } });
    url = server.urlOf(await server.createDatabase());
    await (await openAdministration(url)).close();
  });
  afterAll(free);

  const fill = async () => {
    for (;;) {
      const other = new SQL(url, { max: 1 });
      others.push(other);
      try {
        await other`select 1`;
      } catch {
        return;
      }
    }
  };
  const start = async (...words: string[]) => {
    const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_DATABASE_URL: url };
    const child = Bun.spawn([...program, ...words], {
      env: await environment(settings, words),
      stdout: "pipe",
      stderr: "pipe",
    });
    let stderr = "";
    const reading = (async () => {
      for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) stderr += text;
    })();
    const stdout = new Response(child.stdout).text();
    return {
      said: () => stderr,
      ended: async () => {
        const [status] = await Promise.all([child.exited, reading]);
        return { status, stdout: await stdout, stderr };
      },
    };
  };

  test.each([["workspace list"], ["doctor"]])(
    "%s waits, and does its work as soon as a connection is free",
    async (line) => {
      await fill();
      const command = await start(...line.split(" "));
      await until(async () => command.said() === notice, 30_000);
      await free();
      const { stdout, stderr } = await command.ended();
      expect(stderr).toBe(notice);
      expect(stdout).toContain(line === "doctor" ? "reached in" : "No workspaces");
    },
    60_000,
  );

  test("after ten seconds, it says what to do", async () => {
    await fill();
    const command = await start("workspace", "list");
    expect(await command.ended()).toEqual({
      status: 1,
      stdout: "",
      stderr: `${notice}commonplace: all connections to PostgreSQL are in use, and none became free within 10 s: raise max_connections, or lower COMMONPLACE_DATABASE_CONNECTIONS on the nodes\n`,
    });
    await free();
  }, 60_000);
});
