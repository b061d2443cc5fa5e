// The C library of the image: files of Debian's package libc6, checked against checksums. Everything else that the executable needs is inside it.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readAr } from "./ar.ts";
import { root, run } from "./run.ts";
import type { Entry } from "./tar.ts";

/** To renew it, take the version and the checksums of `apt-cache show libc6`. */
const version = "2.36-9+deb12u14";

/** The mirror has the current version of the package, the archive all earlier ones too. */
const sources = [
  "http://deb.debian.org/debian/pool/main/g/glibc",
  "https://snapshot.debian.org/archive/debian/20261124T000000Z/pool/main/g/glibc",
];

const packages = {
  amd64: {
    sha256: "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf",
    libraries: "lib/x86_64-linux-gnu",
    loader: "lib64/ld-linux-x86-64.so.2",
  },
  arm64: {
    sha256: "01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4",
    libraries: "lib/aarch64-linux-gnu",
    loader: "lib/ld-linux-aarch64.so.1",
  },
} as const;

/** What the executable is linked against. */
const libraries = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"];

const cache = join(root, "node_modules/.cache/commonplace");

/** @param directory where the package may be unpacked */
export async function libcEntries(architecture: "amd64" | "arm64", directory: string): Promise<Entry[]> {
  const { libraries: from, loader } = packages[architecture];
  const unpacked = join(directory, `libc-${architecture}`);
  mkdirSync(unpacked, { recursive: true });
  const data = readAr(await fetchPackage(architecture)).find(({ name }) => name === "data.tar.xz");
  if (!data) throw new Error("the package libc6 has no data.tar.xz");
  writeFileSync(join(unpacked, data.name), data.bytes);
  run(["tar", "-xf", join(unpacked, data.name), "-C", unpacked]);
  const read = (path: string) => readFileSync(join(unpacked, path));
  const copyright = "usr/share/doc/libc6/copyright";
  return [
    { path: loader, bytes: read(join(from, basename(loader))), mode: 0o755 },
    ...libraries.map((name) => ({ path: join(from, name), bytes: read(join(from, name)), mode: 0o755 })),
    { path: copyright, bytes: read(copyright), mode: 0o644 },
  ];
}

async function fetchPackage(architecture: "amd64" | "arm64"): Promise<Uint8Array> {
  const name = `libc6_${version}_${architecture}.deb`;
  const path = join(cache, name);
  if (existsSync(path)) return checked(readFileSync(path), architecture);
  const failures: string[] = [];
  for (const source of sources)
    try {
      const response = await fetch(`${source}/${name}`);
      if (!response.ok) throw new Error(`${response.status}`);
      const bytes = checked(await response.bytes(), architecture);
      mkdirSync(cache, { recursive: true });
      writeFileSync(path, bytes);
      return bytes;
    } catch (error) {
      failures.push(`${source}: ${error instanceof Error ? error.message : error}`);
    }
  throw new Error(`${name} could not be downloaded. Put it into ${cache}.\n${failures.join("\n")}`);
}

function checked(bytes: Uint8Array, architecture: "amd64" | "arm64"): Uint8Array {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 === packages[architecture].sha256) return bytes;
  throw new Error(`libc6 ${version} for ${architecture} has the checksum ${sha256}`);
}
