// Fetches the runtimes that the executables contain: packages of npm, checked against the checksums of package-lock.json.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockedPackages } from "../third-party.ts";
import type { Platform } from "./platforms.ts";
import { root, run } from "./run.ts";

const cache = join(root, "node_modules/.cache/commonplace");

/**
 * Unpacks the runtime of a platform.
 * @param directory where it may be unpacked
 * @returns the path of its executable
 * @throws Error if the package has another checksum
 */
export function unpackRuntime(platform: Platform, directory: string): string {
  const locked = lockedPackages().find(({ name }) => name === platform.runtime);
  if (!locked?.integrity) throw new Error(`package-lock.json has no checksum of ${platform.runtime}`);
  const archive = join(cache, `${platform.runtime.replace(/^@(.*)\//, "$1-")}-${locked.version}.tgz`);
  if (!existsSync(archive)) {
    mkdirSync(cache, { recursive: true });
    run(["npm", "pack", `${platform.runtime}@${locked.version}`, "--silent", "--pack-destination", cache]);
  }
  const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (integrity !== locked.integrity) {
    rmSync(archive);
    throw new Error(`${platform.runtime}@${locked.version} has the checksum ${integrity}, not ${locked.integrity}`);
  }
  mkdirSync(directory, { recursive: true });
  run(["tar", "-xzf", archive, "-C", directory]);
  return join(directory, "package/bin/bun");
}
