// npm packages of a release are published once each, in an order in which none is missing what it needs, and without writing the secret down.
import "./support/once.ts";
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./support/program.ts";
import { temporaryDirectory } from "./support/service.ts";

/** Notes what it is asked to publish; `registry` has a file with the checksum of each package that it has already. */
const npm = `#!/bin/sh
case "$1" in
  config) echo https://registry.example.com/ ;;
  view) file="registry/$(echo "$2" | tr / _)"
    if [ -e "$file" ]; then cat "$file"; elif [ -e broken ]; then echo "npm error code E500" >&2; exit 1
    else echo "npm error code E404" >&2; exit 1; fi ;;
  publish) echo "$@" >>published; cat "$NPM_CONFIG_USERCONFIG" >settings ;;
esac
`;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly optionalDependencies?: object;
}

/** A directory with packages, and an npm of its own. */
async function release(...manifests: Manifest[]) {
  const directory = temporaryDirectory();
  for (const folder of ["bin", "registry", "release"]) mkdirSync(join(directory, folder));
  writeFileSync(join(directory, "bin/npm"), npm);
  chmodSync(join(directory, "bin/npm"), 0o755);
  for (const [index, manifest] of manifests.entries()) {
    const files = { "package/package.json": JSON.stringify(manifest) };
    await Bun.Archive.write(join(directory, `release/${index}.tgz`), files, { compress: "gzip" });
  }
  const publish = () => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", join(root, "scripts/publish-packages.sh"), "release"], {
      cwd: directory,
      env: { PATH: `${join(directory, "bin")}:${process.env.PATH}`, NPM_TOKEN: "the secret" },
    });
    const file = join(directory, "published");
    return {
      exitCode,
      output: stdout.toString() + stderr.toString(),
      published: existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [],
    };
  };
  const has = (id: string, index: number, checksum = checksumOf(join(directory, `release/${index}.tgz`))) =>
    writeFileSync(join(directory, "registry", id.replaceAll("/", "_")), `${checksum}\n`);
  return { directory, publish, has };
}

const checksumOf = (path: string): string =>
  `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;

const server = {
  name: "@example-org/server",
  version: "1.2.3",
  optionalDependencies: { "@example-org/server-linux": "1.2.3" },
};
const platform = { name: "@example-org/server-linux", version: "1.2.3" };
const options = "--access public --provenance --tag latest";

describe("the packages of a release", () => {
  test("are published after those that they need, with the secret only in the environment", async () => {
    const { directory, publish } = await release(server, platform);
    expect(publish()).toEqual({
      exitCode: 0,
      output: "",
      published: [`publish ./release/1.tgz ${options}`, `publish ./release/0.tgz ${options}`],
    });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: npm puts the variable's value there.
    expect(readFileSync(join(directory, "settings"), "utf8")).toBe("//registry.example.com/:_authToken=${NPM_TOKEN}\n");
  });

  test("are not what npm install takes if they come before a release", async () => {
    const { publish } = await release({ name: "@example-org/cpl", version: "1.2.3-rc.1" });
    expect(publish().published).toEqual(["publish ./release/0.tgz --access public --provenance --tag next"]);
  });

  test("are skipped if the registry has them, so that a run can be repeated", async () => {
    const { publish, has } = await release(server, platform);
    has("@example-org/server-linux@1.2.3", 1);
    const { exitCode, output, published } = publish();
    expect([exitCode, output]).toEqual([0, "@example-org/server-linux@1.2.3 is published already\n"]);
    expect(published).toEqual([`publish ./release/0.tgz ${options}`]);
  });

  test("are not published over others with their version, or if the registry does not say what it has", async () => {
    const taken = await release(server, platform);
    taken.has("@example-org/server-linux@1.2.3", 1, "sha512-other");
    const message =
      "@example-org/server-linux@1.2.3 is published already, with other contents: release a new version\n";
    expect(taken.publish()).toEqual({ exitCode: 1, output: message, published: [] });

    const unknown = await release(platform);
    writeFileSync(join(unknown.directory, "broken"), "");
    expect(unknown.publish()).toEqual({ exitCode: 1, output: "npm error code E500\n", published: [] });
    expect((await release()).publish()).toEqual({ exitCode: 1, output: "./release has no *.tgz\n", published: [] });
  });
});
