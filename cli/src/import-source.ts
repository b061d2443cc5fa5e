// What `cpl import` sends: a file, or a directory as a zip. Nothing is read that is too large to be sent.
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { listed } from "../../src/library/formats/messages.ts";
import { readLimits } from "../../src/library/formats/read-limits.ts";
import { isHidden, isSystemFile } from "../../src/library/formats/wanted-files.ts";
import { writeZip } from "../../src/library/formats/zip.ts";
import { Failure } from "./failures.ts";
import { notice, pluralize } from "./terminal/print.ts";

export interface ImportSource {
  readonly fileName: string;
  readonly file: Uint8Array;
}

/** @throws Failure for what is too large, or has no files */
export function readSource(path: string): ImportSource {
  if (statSync(path).isDirectory()) return zipDirectory(path);
  return { fileName: basename(path), file: readFile(path, readLimits.requestBytesMax, tooLarge) };
}

/** The same directory is the same zip, so that an interrupted import continues. */
function zipDirectory(path: string): ImportSource {
  const { files, leftOut } = filesIn(path);
  if (leftOut.length > 0) notice(`Left out ${pluralize(leftOut.length, "hidden or linked item")}: ${listed(leftOut)}.`);
  if (files.length === 0) throw new Failure(`${path} has no files to import`);
  if (files.length > readLimits.filesMax)
    throw new Failure(
      `${path} has ${pluralize(files.length, "file")}, and an import can have at most ${readLimits.filesMax.toLocaleString("en-US")}. Import its directories one by one`,
    );
  let room: number = readLimits.totalBytesMax;
  const read = files.map((file) => {
    const bytes = readFile(join(path, file), room, () => tooLarge(path));
    room -= bytes.length;
    return { path: file, bytes };
  });
  const zip = writeZip(read);
  if (zip.length > readLimits.requestBytesMax) throw tooLarge(path, zip.length, true);
  return { fileName: `${basename(resolve(path))}.zip`, file: zip };
}

/** All files in a directory, relative and in order, without what nobody means to import. Links may lead out of it, or back into it. */
function filesIn(root: string) {
  const [files, leftOut]: [string[], string[]] = [[], []];
  const walk = (directory: string): void => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory + entry.name;
      const whole = entry.isDirectory() ? `${path}/` : path;
      if (isHidden(whole) || isSystemFile(whole) || !(entry.isDirectory() || entry.isFile())) leftOut.push(path);
      else if (entry.isDirectory()) walk(whole);
      else files.push(path);
    }
  };
  walk("");
  return { files: files.sort(), leftOut: leftOut.sort() };
}

/** A file, a pipe, or a device, none of which is read further than needed to see that it is too large. */
function readFile(path: string, bytesMax: number, errorOf: (path: string, bytes?: number) => Failure): Uint8Array {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size > bytesMax) throw errorOf(path, size);
    const pieces: Uint8Array[] = [];
    for (let total = 0; ; ) {
      const piece = new Uint8Array(Math.max(size + 1 - total, pieceBytes));
      const length = readSync(file, piece);
      if (length === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, length));
      total += length;
      if (total > bytesMax) throw errorOf(path);
    }
  } finally {
    closeSync(file);
  }
}
const pieceBytes = 65_536;

function formatSize(bytes: number): string {
  const [unit, size] = bytes < 2 ** 30 ? ["MiB", bytes / 2 ** 20] : ["GiB", bytes / 2 ** 30];
  return `${size.toFixed(1).replace(/\.0$/, "")} ${unit}`;
}

/** @param bytes undefined if nobody knows */
function tooLarge(path: string, bytes?: number, isZipped = false): Failure {
  const size = bytes === undefined ? "is too large" : `is ${formatSize(bytes)}${isZipped ? " as a zip file" : ""}`;
  // Text becomes a fraction of its size.
  const isZip = isZipped || bytes === undefined || /\.zip$/i.test(path);
  return new Failure(
    `${path} ${size}, and the service accepts at most ${formatSize(readLimits.requestBytesMax)}. ${isZip ? "Split it" : "Zip it or split it"}, or ask an operator of the service to run ./commonplace import`,
  );
}
