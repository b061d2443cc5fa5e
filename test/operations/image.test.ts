// The image: built with podman from the Dockerfile, and run as docs/operate/containers.md says.
import "../support/once.ts";
import "../support/every-time.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildImage, imageName } from "../support/image.ts";
import { findPodman, network, type Podman } from "../support/podman.ts";
import { freePort, root } from "../support/program.ts";

const { podman, cannotRun } = await findPodman();
if (cannotRun !== undefined) console.log(`image.test.ts: ${podman ? "the container is" : ""} skipped: ${cannotRun}`);

const page = readFileSync(join(root, "docs/operate/containers.md"), "utf8");
/** A command of the page, as words. */
const commandOf = (start: string): string[] => {
  const text =
    page
      .replaceAll("\\\n", " ")
      .split("\n")
      .find((line) => line.startsWith(start)) ?? "";
  return text.replace(/ {2,}#.*/, "").split(/\s+/);
};

const buildMilliseconds = 300_000;
const startMilliseconds = 60_000;

describe.skipIf(!podman)("the image", () => {
  const { run, reach } = podman as Podman;

  beforeAll(async () => {
    const bases = await buildImage(podman as Podman);
    console.log(`image.test.ts: built on ${bases} images`);
  }, buildMilliseconds);

  test("has the name that the page gives it, and runs the program as a user who is not root", async () => {
    expect(commandOf("docker build")).toEqual(["docker", "build", "--tag", imageName.replace("localhost/", ""), "."]);
    const [{ Config, Healthcheck, Size }] = JSON.parse(await run("image", "inspect", imageName));
    expect(Config).toMatchObject({ User: "65532:65532", Entrypoint: ["/commonplace"], Cmd: ["serve"] });
    expect(Healthcheck.Test).toEqual(["CMD", "/commonplace", "health"]);
    expect(Size).toBeLessThan(200_000_000);
  });

  describe.skipIf(cannotRun !== undefined)("run as the page says", () => {
    const port = freePort();
    const origin = `https://localhost:${port}`;
    const [, , ...given] = commandOf("docker run");
    const words = given.map((word) => word.replace(":8443:8443", `:${port}:8443`));
    const start = () => run("run", "--network", network, "--env", `COMMONPLACE_URL=${origin}`, ...words);
    const command = (...command: string[]) => run("exec", "commonplace", "/commonplace", ...command);
    const json = async (...words: string[]) => JSON.parse(await command(...words, "--json"));
    let ca = "";
    let key = "";

    /** A request from outside. */
    const call = async (path: string, init?: RequestInit) =>
      fetch(`${origin}${path}`, {
        headers: { Authorization: `Bearer ${key}` },
        ...init,
        tls: { ca },
        ...(await reach(port)),
      });
    /** Waits as Docker does: until the health check succeeds. */
    const untilHealthy = async () => {
      while ((await (podman as Podman).attempt("healthcheck", "run", "commonplace")).status !== 0) await Bun.sleep(100);
    };

    beforeAll(async () => {
      await start();
      await untilHealthy();
      await run("cp", "commonplace:/data/tls/ca.crt", join((podman as Podman).directory, "ca.crt"));
      ca = readFileSync(join((podman as Podman).directory, "ca.crt"), "utf8");
    }, startMilliseconds);

    afterAll(() => run("rm", "--force", "--time", "0", "--volumes", "commonplace"));

    test("the first start creates a workspace and no key; commands print the setup link and create a key", async () => {
      const [workspace] = await json("workspace", "list");
      expect(await json("key", "list", "--workspace", workspace.id)).toEqual([]);
      const { link } = await json("setup-link");
      expect(link).toStartWith(`${origin}/console/invitation#`);
      key = (await json("key", "create", "--workspace", workspace.id, "--name", "First", "--all-teams")).secret;
      const [team] = await json("team", "list", "--workspace", workspace.id);
      const created = await call("/api/snippet", {
        method: "POST",
        body: JSON.stringify({ title: "Hello", teamId: team.id, content: { type: "plaintext", content: "world" } }),
      });
      expect(created.status).toBe(200);
    });

    test("the console has its pages", async () => {
      const answer = await call("/console");
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    });

    test("its process runs as user 65532 without capabilities, and writes nowhere but the volume", async () => {
      expect((await run("top", "commonplace", "user", "capeff")).split("\n").slice(1)).toEqual([
        expect.stringMatching(/^65532\s+none$/),
      ]);
      const refused = await (podman as Podman).attempt(
        "exec",
        "commonplace",
        "/commonplace",
        "backup",
        "--to",
        "/b.db",
      );
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("EROFS")]);
      expect(await json("backup", "--to", "/data/b.db")).toMatchObject({ rows: { snippets: 1 } });
    });

    test("the doctor finds no problem", async () => {
      // A single node on localhost: the certificate and the backups are the operator's.
      const { findings } = await json("doctor");
      const warned = findings.filter(({ severity }: { severity: string }) => severity !== "ok");
      expect(warned.map(({ check }: { check: string }) => check)).toEqual(["certificate names", "backups"]);
    });

    test("SIGTERM ends it with status 0 within the time that the page gives it", async () => {
      await run("stop", "commonplace");
      const [{ State }] = JSON.parse(await run("container", "inspect", "commonplace"));
      expect(State).toMatchObject({ Running: false, ExitCode: 0, OOMKilled: false });
      const { stderr } = await (podman as Podman).attempt("logs", "commonplace");
      expect(stderr).not.toContain('"level":"error"');
    });

    test(
      "a new container on the same volume has everything",
      async () => {
        await run("rm", "commonplace");
        await start();
        await untilHealthy();
        const found = await (await call("/api/search?query=Hello")).json();
        expect(found.data.snippets).toMatchObject([{ title: "Hello" }]);
        expect(await json("workspace", "list")).toHaveLength(1);
      },
      startMilliseconds,
    );
  });
});
