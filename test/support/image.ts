// Builds the image from the Dockerfile, as `docker build` does. Where the images that it starts from cannot be pulled, images made of this
// machine's own files take their names: the steps of the Dockerfile stay as they are.
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import program from "../../package.json" with { type: "json" };
import { copyLibraries, importRoot } from "./container-roots.ts";
import type { Podman } from "./podman.ts";
import { root, runToEnd } from "./program.ts";

export const imageName = `localhost/commonplace:${program.version}`;

const [buildBase = "", finalBase = ""] = [
  ...readFileSync(join(root, "Dockerfile"), "utf8").matchAll(/^FROM (\S+)/gm),
].map(([, name = ""]) => name);

/** A run of all tests tries to pull the images; the others do not use the network for it. */
const mayPull = process.env.TEST_CASES === undefined;
const pullSeconds = 60;

/** @returns what was built on: `pulled` images or `local` ones @throws Error with the output of the build */
export async function buildImage(podman: Podman): Promise<"pulled" | "local"> {
  const isPulled = mayPull && (await canPull(podman));
  const bases = isPulled ? [] : await localBases(podman);
  await podman.run(
    "build",
    // The only format with a health check.
    ...["--format", "docker", "--layers=false", "--network", "host"],
    ...bases,
    ...(await npmMounts(podman)),
    ...["--tag", imageName, root],
  );
  return isPulled ? "pulled" : "local";
}

async function canPull(podman: Podman): Promise<boolean> {
  for (const base of [buildBase, finalBase]) {
    const { status } = await runToEnd(["timeout", String(pullSeconds), "podman", "pull", base], podman.environment);
    if (status !== 0) return false;
  }
  return true;
}

/** Options that replace both images: one with the programs of this machine, and one with nothing but the C library. */
async function localBases(podman: Podman): Promise<string[]> {
  const programs = join(podman.directory, "programs");
  for (const name of ["root", "tmp"]) mkdirSync(join(programs, name), { recursive: true });
  mkdirSync(join(programs, "etc"));
  writeFileSync(join(programs, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  for (const name of ["bin", "lib", "lib64", "sbin"]) symlinkSync(`usr/${name}`, join(programs, name));
  const libraries = join(podman.directory, "libraries");
  copyLibraries(libraries, realpathSync(process.execPath));
  await Promise.all([
    importRoot(podman, programs, "localhost/programs"),
    importRoot(podman, libraries, "localhost/libraries"),
  ]);
  // Where Node.js is installed, such as /usr or /opt/node.
  const node = realpathSync(Bun.which("node") ?? "/usr/bin/node");
  const mounts = new Set(["/usr", "/etc/ssl", "/etc/alternatives", dirname(dirname(node))]);
  return [
    ...["--build-context", `${buildBase}=container-image://localhost/programs`],
    ...["--build-context", `${finalBase}=container-image://localhost/libraries`],
    ...[...mounts].filter(existsSync).flatMap((path) => ["--volume", `${path}:${path}:ro`]),
  ];
}

/** Options that let npm use the registry and the cache of this machine. */
async function npmMounts(podman: Podman): Promise<string[]> {
  const setting = async (name: string) => {
    const { stdout } = await runToEnd(["npm", "config", "get", name], {}, podman.directory);
    return stdout.trim();
  };
  const [cache, registry, authorities] = await Promise.all([setting("cache"), setting("registry"), setting("cafile")]);
  const own = join(homedir(), ".npmrc");
  const hasAuthorities = existsSync(authorities);
  const settings = [
    existsSync(own) ? readFileSync(own, "utf8") : "",
    `registry=${registry}`,
    "cache=/npm-cache",
    "prefer-offline=true",
    hasAuthorities ? "cafile=/npm-authorities.pem" : "",
  ];
  const file = join(podman.directory, "npmrc");
  writeFileSync(file, settings.join("\n"), { mode: 0o600 });
  mkdirSync(cache, { recursive: true });
  return [
    ...["--volume", `${file}:/root/.npmrc:ro`, "--volume", `${cache}:/npm-cache`],
    ...(hasAuthorities ? ["--volume", `${authorities}:/npm-authorities.pem:ro`] : []),
  ];
}
