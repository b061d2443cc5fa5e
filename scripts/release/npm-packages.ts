// The npm packages: the server with one package per platform, the TypeScript client, and cpl.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import cliManifest from "../../cli/package.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import clientManifest from "../../sdk/package.json" with { type: "json" };
import type { Artifact } from "./artifact.ts";
import { licenseFiles, readText } from "./documents.ts";
import { gzip } from "./gzip.ts";
import { packageNames, platformPackage } from "./names.ts";
import type { Platform } from "./platforms.ts";
import { run } from "./run.ts";
import type { Source } from "./source.ts";
import { type Entry, tar, textFile } from "./tar.ts";

/** What all packages have in common. npm compares `repository` with the provenance of a package. */
const shared = {
  license: manifest.license,
  ...Object.fromEntries(
    Object.entries(manifest).filter(([name]) => ["repository", "homepage", "bugs", "author"].includes(name)),
  ),
  publishConfig: { access: "public" },
};

/** Starts the service with the executable for this machine, which is in one of its optional dependencies. */
export function serverPackage(source: Source, platforms: readonly Platform[]): Artifact {
  return npmPackage(
    source,
    {
      name: packageNames.server,
      description: manifest.description,
      type: "module",
      engines: { node: ">=20" },
      bin: { commonplace: "commonplace.js" },
      optionalDependencies: Object.fromEntries(platforms.map(({ name }) => [platformPackage(name), source.version])),
    },
    [
      textFile("commonplace.js", readText("scripts/release/npm/commonplace.js"), 0o755),
      textFile("README.md", readText("scripts/release/npm/README.md")),
    ],
  );
}

/** The executable for one platform. Other machines do not install it. */
export function executablePackage(source: Source, platform: Platform, executable: Uint8Array): Artifact {
  const { name, os, cpu } = platform;
  return npmPackage(
    source,
    {
      name: platformPackage(name),
      description: `The Commonplace executable for ${name}`,
      os: [os],
      cpu: [cpu],
      // Alpine Linux has another C library, with which the executable does not start.
      ...(os === "linux" && { libc: ["glibc"] }),
      preferUnplugged: true,
    },
    [
      { path: "bin/commonplace", bytes: executable, mode: 0o755 },
      textFile(
        "README.md",
        `# ${platformPackage(name)}\n\nThe executable for ${name} that \`${packageNames.server}\` starts. Install that package instead.\n`,
      ),
    ],
  );
}

/** @param directory for what is built on the way */
export function clientPackage(source: Source, directory: string): Artifact {
  run([process.execPath, "sdk/build.ts", directory]);
  const built = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: `dist${path.slice(directory.length)}`, bytes: readFileSync(path), mode: 0o644 }));
  return npmPackage(source, clientManifest, [...built, textFile("README.md", readText("sdk/README.md"))], ["LICENSE"]);
}

/** @param directory where the module was built */
export function cplPackage(source: Source, directory: string): Artifact {
  return npmPackage(source, cliManifest, [
    { path: "dist/cpl.js", bytes: readFileSync(join(directory, "cpl.js")), mode: 0o755 },
    textFile("README.md", readText("cli/README.md")),
  ]);
}

/** The archive that `npm publish` takes. */
function npmPackage(
  source: Source,
  own: Readonly<Record<string, unknown>> & { readonly name: string },
  files: readonly Entry[],
  licenses: readonly string[] = licenseFiles,
): Artifact {
  const text = JSON.stringify({ ...shared, ...own, version: source.version }, null, 2);
  const entries = [
    textFile("package.json", `${text}\n`),
    ...licenses.map((path) => textFile(path, readText(path))),
    ...files,
  ];
  return {
    name: `${own.name.replace(/^@/, "").replace("/", "-")}-${source.version}.tgz`,
    bytes: gzip(tar(entries, source.date, "package/")),
  };
}
