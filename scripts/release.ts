// Builds everything that a release consists of, in dist/release: the same bytes each time for the same commit.
//
//   npm run release                                     for all platforms
//   npm run release -- --platform linux-x64             for some of them
//   npm run release -- --sign minisign.key              with a signature of the checksums
//   npm run release -- --outdir DIRECTORY               in another directory
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { formatAmount } from "../src/operations/format.ts";
import type { Artifact } from "./release/artifact.ts";
import { checksumLine, checksumsFile, signChecksums } from "./release/checksums.ts";
import { makeDeb } from "./release/deb.ts";
import { docsSite } from "./release/docs-site.ts";
import { licenseFiles, makeDocuments, readText } from "./release/documents.ts";
import { buildExecutables } from "./release/executables.ts";
import { type ImagePart, makeImage } from "./release/image.ts";
import { changelogSection } from "./release/notes.ts";
import { clientPackage, cplPackage, executablePackage, serverPackage } from "./release/npm-packages.ts";
import { platforms } from "./release/platforms.ts";
import { root } from "./release/run.ts";
import { readSource } from "./release/source.ts";
import { makeTarball } from "./release/tarballs.ts";
import { readSbom } from "./sbom.ts";

const startedAt = performance.now();
const { values } = parseArgs({
  options: {
    outdir: { type: "string", default: "dist/release" },
    platform: { type: "string", multiple: true },
    sign: { type: "string" },
  },
});
const names = platforms.map(({ name }) => name);
const unknown = values.platform?.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`--platform must be one of ${names.join(", ")}, not "${unknown}"`);
const chosen = platforms.filter(({ name }) => values.platform?.includes(name) ?? true);

const outdir = resolve(values.outdir);
// The same path from the sources in each clone: the source map in the executables has it.
const work = join(root, "dist/release-work");
rmSync(work, { recursive: true, force: true });
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
requireReplaceable(outdir);
rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });

const source = readSource();
console.log(`Commonplace ${source.version}, commit ${source.commit.slice(0, 12)}`);
if (source.isChanged) console.warn("The working tree differs from the commit: do not publish what is built from it.");

let sums = "";
let stepStartedAt = startedAt;

const documents = makeDocuments(source);
const imageParts: ImagePart[] = [];
for (const platform of chosen) {
  const { server, cpl } = buildExecutables(platform, work);
  write(makeTarball(source, platform, "commonplace", server, documents.server));
  write(makeTarball(source, platform, "cpl", cpl, documents.cpl));
  write(executablePackage(source, platform, server));
  if (!platform.debian) continue;
  write(makeDeb(source, platform.debian, server, documents.server));
  imageParts.push({ architecture: platform.debian, executable: server });
}
write(serverPackage(source, platforms));
write(clientPackage(source, join(work, "client")));
write(cplPackage(source, work));
if (imageParts.length > 0) write(await makeImage(source, imageParts, work));
write(await docsSite(source));
const sbom = readSbom(new Date(source.date * 1_000).toISOString());
write(text(`commonplace-${source.version}.cdx.json`, `${JSON.stringify(sbom, null, 2)}\n`));
for (const name of licenseFiles) write(text(name, readText(name)));
write(text("NOTES.md", changelogSection(readText("CHANGELOG.md"), source.version)));

writeFileSync(join(outdir, checksumsFile), sums);
const signature = values.sign === undefined ? undefined : signChecksums(outdir, resolve(values.sign), source);
const seconds = Math.round((performance.now() - startedAt) / 1_000);
console.log(
  `Built ${relative(root, outdir)} in ${seconds} s. Checksums: ${checksumsFile}${signature ? `, ${signature}` : ""}.`,
);
if (!signature) console.log("Not signed. To sign the checksums, name a key of minisign: --sign FILE");

/** Only what an earlier run wrote is deleted. */
function requireReplaceable(directory: string): void {
  const isOwn = directory === join(root, "dist/release") || existsSync(join(directory, checksumsFile));
  if (!isOwn && existsSync(directory) && readdirSync(directory).length > 0)
    fail(`${directory} has files that are not of a release. Name an empty directory`);
}

function text(name: string, content: string): Artifact {
  return { name, bytes: new TextEncoder().encode(content) };
}

/** Writes a file, and reports it. */
function write(artifact: Artifact): void {
  writeFileSync(join(outdir, artifact.name), artifact.bytes);
  sums += checksumLine(artifact);
  const now = performance.now();
  const took = `${((now - stepStartedAt) / 1_000).toFixed(1)} s`;
  stepStartedAt = now;
  console.log(
    `  ${artifact.name.padEnd(56)} ${formatAmount(artifact.bytes.length, "bytes").padStart(8)} ${took.padStart(8)}`,
  );
}

function fail(message: string): never {
  console.error(`commonplace: ${message}`);
  process.exit(2);
}
