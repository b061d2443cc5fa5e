// The archives with an executable, its manual page, and its completion scripts, for people who install by hand.
import type { Artifact } from "./artifact.ts";
import { type Documents, licenseFiles, readText } from "./documents.ts";
import { gzip } from "./gzip.ts";
import type { Platform } from "./platforms.ts";
import type { Source } from "./source.ts";
import { type Entry, tar, textFile } from "./tar.ts";

/** What is only for the server: files for systemd and examples of settings. */
const serverFiles = [
  ["deploy/commonplace.service", 0o644],
  ["deploy/commonplace.env.example", 0o644],
  ["deploy/commonplace-admin", 0o755],
] as const;

/** @param program `commonplace` or `cpl` */
export function makeTarball(
  { version, date }: Source,
  { name: platform }: Platform,
  program: string,
  executable: Uint8Array,
  documents: Documents,
): Artifact {
  const directory = `${program}-${version}-${platform}`;
  const entries: Entry[] = [
    { path: program, bytes: executable, mode: 0o755 },
    ...licenseFiles.map((name) => textFile(name, readText(name))),
    textFile(`man/man1/${program}.1`, documents.manual),
    textFile(`completions/${program}.bash`, documents.completions.bash),
    textFile(`completions/_${program}`, documents.completions.zsh),
    textFile(`completions/${program}.fish`, documents.completions.fish),
    ...(program === "cpl" ? [] : serverFiles.map(([path, mode]) => textFile(path, readText(path), mode))),
  ];
  return { name: `${directory}.tar.gz`, bytes: gzip(tar(entries, date, `${directory}/`)) };
}
