// Writes the archive of a team to a file, from one state of the database, with a part of the team in memory at a time.
import { createHash } from "node:crypto";
import type { Transaction } from "../../platform/database/database.ts";
import { archiveParts, manifestOf } from "../formats/archive.ts";
import { ZipFile } from "../formats/zip-file.ts";
import { type SnippetLine, snippetLines, wholeSnippetBytesMax } from "./snippet-lines.ts";
import { type ExportedTeam, type ExportPlan, readAllGroups } from "./team.ts";

export interface ArchiveOptions {
  /** Receives the bytes that do not change any more, and the snippets in them. */
  readonly onWritten?: (bytes: number, snippets: number) => void;
  /** Tests replace them. */
  readonly fileLengthMax?: number;
  readonly wholeBytesMax?: number;
}

/**
 * @param file empty, and open for writing
 * @returns its bytes
 * @throws ZipTooLarge
 */
export async function writeArchive(
  transaction: Transaction,
  team: ExportedTeam,
  plan: ExportPlan,
  file: number,
  {
    onWritten = () => undefined,
    fileLengthMax = archiveParts.lengthMax,
    wholeBytesMax = wholeSnippetBytesMax,
  }: ArchiveOptions = {},
): Promise<number> {
  const zip = new ZipFile(file);
  const hashes: Record<string, string> = {};
  let snippets = 0;
  const add = async (path: string, pieces: Iterable<string> | AsyncIterable<string>) => {
    const hash = createHash("sha256");
    zip.begin(path);
    for await (const piece of pieces) {
      hash.update(piece);
      await zip.write(piece);
    }
    hashes[path] = hash.digest("hex");
    onWritten(await zip.end(), snippets);
  };
  const groups = await readAllGroups(transaction, team);
  await add(archiveParts.folders, linesOf(groups.folders));
  await add(archiveParts.tags, linesOf(groups.tags));

  const lines = allLines(transaction, team, plan, wholeBytesMax);
  let next = await lines.next();
  /** The lines of one file. */
  async function* fill(): AsyncGenerator<string, void> {
    for (let length = 0; !next.done; next = await lines.next()) {
      // A line of unknown length is alone in its file.
      const added = next.value.length ?? Number.POSITIVE_INFINITY;
      if (length > 0 && length + added > fileLengthMax) return;
      length += added;
      snippets += 1;
      yield* next.value.pieces;
    }
  }
  for (let number = 1; !next.done; number += 1) await add(archiveParts.snippets(number), fill());

  const { files, snippetCount } = { files: { ...hashes }, snippetCount: snippets };
  await add(archiveParts.manifest, [manifestOf(files, snippetCount)]);
  return zip.finish();
}

async function* allLines(
  transaction: Transaction,
  team: ExportedTeam,
  { parts }: ExportPlan,
  wholeBytesMax: number,
): AsyncGenerator<SnippetLine, void> {
  for (const part of parts) yield* snippetLines(transaction, team, part, wholeBytesMax);
}

const linesOf = (rows: readonly unknown[]): string[] => rows.map((row) => `${JSON.stringify(row)}\n`);
