// What ./commonplace import reads: the files that it is given, or an archive of any size.
import { createHash } from "node:crypto";
import { closeSync, openSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { ColumnChoice, FormatId } from "../../library/formats/format-ids.ts";
import { ReadError } from "../../library/formats/read-error.ts";
import type { Warning } from "../../library/formats/tree.ts";
import type { ImportSource } from "../../library/import/run.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { hashFiles, readGivenFiles } from "./given-files.ts";

export interface ReadChoices {
  readonly format: FormatId | undefined;
  readonly columns: ColumnChoice | undefined;
}

/** `close` ends the reading: until then, an archive is read part by part. */
export type OpenedSource = ImportSource & { readonly close: () => void };

/** @throws OperatorError for what cannot be read. The parsers are loaded when they are needed. */
export async function openSource(path: string, choices: ReadChoices): Promise<OpenedSource> {
  try {
    return (await openArchive(path, choices)) ?? (await readAll(path, choices));
  } catch (error) {
    throw operatorErrorOf(error);
  }
}

async function openArchive(path: string, choices: ReadChoices): Promise<OpenedSource | undefined> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || choices.columns || (choices.format ?? "commonplace") !== "commonplace") return undefined;
  const { readArchiveInParts } = await import("../../library/import/archive-parts.ts");
  const file = openSync(path, "r");
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  try {
    const read = readArchiveInParts({ descriptor: file, bytes: stat.size });
    if (!read) close();
    const name = basename(path);
    return read && { ...read, name, hash: hashOf([name, read.hash, choices]), close };
  } catch (error) {
    close();
    throw error;
  }
}

const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

async function readAll(path: string, choices: ReadChoices): Promise<OpenedSource> {
  const files = readGivenFiles(path);
  const { readFiles } = await import("../../library/formats/formats.ts");
  const name = files.length === 1 ? (files[0]?.path ?? path) : path;
  return { ...readFiles(files, choices), name, hash: hashFiles(files, choices), close: () => undefined };
}

/** What is wrong with the files is for the person who gave them. */
export function operatorErrorOf(error: unknown): unknown {
  if (!(error instanceof ReadError)) return error;
  return new OperatorError(lineOf({ message: error.message, ...(error.place && { place: error.place }) }));
}

/** `file:line  message`. */
export const lineOf = ({ place, message }: Warning): string =>
  place ? `${place.file}${place.line === undefined ? "" : `:${place.line}`}: ${message}` : message;
