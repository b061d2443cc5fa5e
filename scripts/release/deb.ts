// The Debian package of the server: the executable, the systemd unit, a settings file, manual page, and completion scripts.
import { createHash } from "node:crypto";
import { ar, type Member } from "./ar.ts";
import type { Artifact } from "./artifact.ts";
import { type Documents, readText } from "./documents.ts";
import { gzip } from "./gzip.ts";
import { maintainer } from "./names.ts";
import type { Source } from "./source.ts";
import { type Entry, tar, textFile } from "./tar.ts";

/** Files of a person who administers the machine: an upgrade asks before it replaces one that was changed. */
const settingsFile = "etc/commonplace/commonplace.env";

/** What the runtime asks of the C library; `test/release/formats.test.ts` reads it from the executables. */
export const libcVersionMin = "2.17";

const scripts = ["postinst", "prerm", "postrm"] as const;

/** @param architecture as Debian names it */
export function makeDeb(
  { version, date }: Pick<Source, "version" | "date">,
  architecture: string,
  executable: Uint8Array,
  { manual, completions }: Documents,
): Artifact {
  const files: Entry[] = [
    { path: "usr/bin/commonplace", bytes: executable, mode: 0o755 },
    textFile("usr/sbin/commonplace-admin", inUsrBin(readText("deploy/commonplace-admin")), 0o755),
    textFile("usr/lib/systemd/system/commonplace.service", inUsrBin(readText("deploy/commonplace.service"))),
    textFile(settingsFile, readText("deploy/commonplace.env.example"), 0o600),
    { path: "etc/commonplace/tls", mode: 0o755 },
    compressed("usr/share/man/man1/commonplace.1.gz", manual),
    textFile("usr/share/bash-completion/completions/commonplace", completions.bash),
    textFile("usr/share/zsh/vendor-completions/_commonplace", completions.zsh),
    textFile("usr/share/fish/vendor_completions.d/commonplace.fish", completions.fish),
    textFile("usr/share/doc/commonplace/copyright", readText("LICENSE")),
    compressed("usr/share/doc/commonplace/changelog.gz", changelog(version, date)),
    compressed("usr/share/doc/commonplace/CHANGELOG.md.gz", readText("CHANGELOG.md")),
    compressed("usr/share/doc/commonplace/THIRD-PARTY.md.gz", readText("THIRD-PARTY.md")),
  ];
  const control = [
    textFile("control", controlText(version, architecture, files)),
    textFile("conffiles", `/${settingsFile}\n`),
    textFile(
      "md5sums",
      files
        .filter(({ path, bytes }) => bytes && path !== settingsFile)
        .map(checksumLine)
        .join(""),
    ),
    ...scripts.map((name) => textFile(name, readText(`scripts/release/debian/${name}`), 0o755)),
  ];
  const archive = (entries: readonly Entry[]) => gzip(tar(entries, date, "./"));
  const members: Member[] = [
    { name: "debian-binary", bytes: Buffer.from("2.0\n") },
    { name: "control.tar.gz", bytes: archive(control) },
    { name: "data.tar.gz", bytes: archive(files) },
  ];
  return { name: `commonplace_${version}_${architecture}.deb`, bytes: ar(members, date) };
}

/** The files in deploy/ are for an executable that was installed by hand. */
function inUsrBin(text: string): string {
  const moved = text.replaceAll("/usr/local/", "/usr/");
  if (moved === text) throw new Error("a file in deploy/ no longer names /usr/local");
  return moved;
}

const compressed = (path: string, text: string): Entry => ({ path, bytes: gzip(Buffer.from(text), 9), mode: 0o644 });

/** In Debian's format, which has a date as emails have it. */
const changelog = (version: string, date: number): string => `commonplace (${version}) stable; urgency=medium

  * CHANGELOG.md.gz, in the same directory, lists the changes.

 -- ${maintainer}  ${new Date(date * 1_000).toUTCString().replace("GMT", "+0000")}
`;

const checksumLine = ({ path, bytes = new Uint8Array() }: Entry): string =>
  `${createHash("md5").update(bytes).digest("hex")}  ${path}\n`;

function controlText(version: string, architecture: string, files: readonly Entry[]): string {
  const bytes = files.reduce((sum, { bytes: { length } = new Uint8Array() }) => sum + length, 0);
  return `Package: commonplace
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(bytes / 1_024)}
Depends: libc6 (>= ${libcVersionMin}), init-system-helpers (>= 1.54~), passwd
Section: web
Priority: optional
Description: snippet service for text and code
 People find, copy, and write text and code in the browser. Code editors,
 voice agents, and prompt pipelines fetch the same snippets over HTTPS.
 .
 This package installs the service, its systemd unit, and the commands for
 operators.
`;
}
