// Loads the image of a release, and runs it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "../support/deploy-files.ts";
import { findPodman, network, type Podman } from "../support/podman.ts";
import { freePort } from "../support/program.ts";
import { type BuiltRelease, version } from "./built-release.ts";

const { podman, cannotRun } = await findPodman();
if (cannotRun !== undefined) console.log(`The image of the release is not run: ${cannotRun}.`);

const archive = `commonplace_${version}_oci.tar`;
const image = `localhost/commonplace:${version}`;
const startMilliseconds = 120_000;

export function testImage(release: () => BuiltRelease): void {
  describe("the image", () => {
    test("is for both platforms, and starts as the one from the Dockerfile does", async () => {
      const directory = await release().unpack(archive);
      const blob = ({ digest }: { digest: string }) =>
        JSON.parse(readFileSync(join(directory, "blobs", digest.replace(":", "/")), "utf8"));
      const [named, ...others] = JSON.parse(readFileSync(join(directory, "index.json"), "utf8")).manifests;
      const names = ["io.containerd.image.name", "org.opencontainers.image.ref.name"];
      expect([names.map((name) => named.annotations[name]), others]).toEqual([[image, image], []]);
      const { manifests } = blob(named);
      const found = manifests.map(({ platform }: { platform: object }) => platform);
      expect(found).toEqual(["amd64", "arm64"].map((architecture) => ({ architecture, os: "linux" })));
      for (const manifest of manifests) {
        const { layers, config } = blob(manifest);
        expect(layers).toHaveLength(2);
        expect(blob(config)).toMatchObject({
          architecture: manifest.platform.architecture,
          config: dockerfileConfig(),
        });
      }
    });

    describe.skipIf(!podman)("loaded by podman", () => {
      const { run } = podman as Podman;

      beforeAll(async () => {
        await run("load", "--input", release().path(archive));
      }, startMilliseconds);

      describe.skipIf(cannotRun !== undefined)("and run", () => {
        const port = freePort();
        const name = "commonplace-release";
        const start = () =>
          run(
            ...["run", "--detach", "--name", name, "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"],
            ...["--security-opt", "no-new-privileges", "--network", network, "--publish", `127.0.0.1:${port}:8443`],
            ...["--env", `COMMONPLACE_URL=https://localhost:${port}`, "--volume", "commonplace-release:/data"],
            ...["--health-cmd", '["/commonplace", "health"]', image],
          );
        const untilHealthy = async () => {
          while ((await (podman as Podman).attempt("healthcheck", "run", name)).status !== 0) await Bun.sleep(100);
        };
        afterAll(() => run("rm", "--force", "--time", "0", "--volumes", name));

        test(
          "answers requests, as a user who is not root, with a read-only root; a new container has the same data",
          async () => {
            await start();
            await untilHealthy();
            expect((await run("top", name, "user", "capeff")).split("\n").slice(1)).toEqual([
              expect.stringMatching(/^nonroot\s+none$/),
            ]);
            const json = async (...words: string[]) =>
              JSON.parse(await run("exec", name, "/commonplace", ...words, "--json"));
            const [{ id }] = await json("workspace", "list");
            const { secret } = await json("key", "create", "--workspace", id, "--name", "First", "--all-teams");
            await run("cp", `${name}:/data/tls/ca.crt`, join((podman as Podman).directory, "release-ca.crt"));
            const ca = readFileSync(join((podman as Podman).directory, "release-ca.crt"), "utf8");
            const ask = async () =>
              fetch(`https://localhost:${port}/api/me`, {
                headers: { Authorization: `Bearer ${secret}` },
                tls: { ca },
                ...(await (podman as Podman).reach(port)),
              });
            expect((await ask()).status).toBe(200);
            await run("stop", name);
            await run("rm", name);
            await start();
            await untilHealthy();
            expect((await ask()).status).toBe(200);
          },
          startMilliseconds,
        );
      });
    });
  });
}

/** What the Dockerfile says about containers, as the configuration of an image has it. */
function dockerfileConfig() {
  const dockerfile = read("Dockerfile").replaceAll("\\\n", " ");
  const final = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  const value = (name: string) => new RegExp(`^${name} (.+)$`, "m").exec(final)?.[1] ?? "";
  const health = value("HEALTHCHECK");
  const seconds = (option: string) => Number(new RegExp(`--${option}=(\\d+)s`).exec(health)?.[1]) * 1_000_000_000;
  return {
    User: value("USER"),
    WorkingDir: value("WORKDIR"),
    Env: value("ENV").split(/\s+/),
    ExposedPorts: Object.fromEntries(
      value("EXPOSE")
        .split(" ")
        .map((port) => [`${port}/tcp`, {}]),
    ),
    Volumes: { [value("VOLUME")]: {} },
    Entrypoint: JSON.parse(value("ENTRYPOINT")),
    Cmd: JSON.parse(value("CMD")),
    Healthcheck: {
      Test: ["CMD", ...JSON.parse(/CMD (\[.*\])$/.exec(health)?.[1] ?? "[]")],
      Interval: seconds("interval"),
      Timeout: seconds("timeout"),
      StartPeriod: seconds("start-period"),
      Retries: Number(/--retries=(\d+)/.exec(health)?.[1]),
    },
  };
}
