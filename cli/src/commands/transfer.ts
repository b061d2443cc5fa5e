// `cpl export`: a team into a file.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { exitStatus } from "../../../src/contract/exit-status.ts";
import { writableFormatIds } from "../../../src/library/formats/format-ids.ts";
import type { Command } from "../command.ts";
import { Canceled, Failure, UsageError } from "../failures.ts";
import { requireTeam } from "../references.ts";
import { ask, isInteractive } from "../terminal/ask.ts";
import { abortOnInterrupt } from "../terminal/interrupt.ts";
import { printJson, status, warn } from "../terminal/print.ts";
import { startProgress } from "../terminal/progress.ts";

export const ownTeam = {
  value: "TEAM",
  meaning: "the team, by name or ID; not needed if your key has access to only one",
};

/** As much as fits on a line of the help. */
export const inLines = (words: readonly string[]): string[] => [
  `Formats: ${words.slice(0, 7).join(", ")},`,
  `${words.slice(7, 14).join(", ")}${words.length > 14 ? "," : "."}`,
  ...(words.length > 14 ? [`${words.slice(14).join(", ")}.`] : []),
];

export const exportTeam: Command = {
  name: "export",
  summary: "Export a team's snippets as a file",
  arguments: [{ value: "FILE", meaning: "a new file, or - for standard output" }],
  options: {
    team: ownTeam,
    format: {
      value: "FORMAT",
      meaning: "the format; commonplace, an archive with all versions, by default",
      choices: writableFormatIds,
    },
    "allow-code": { meaning: "write the file even if the other tool runs code in it" },
  },
  notes: [
    ...inLines(writableFormatIds),
    "Costs 1 unit, and 1 more for each variation and, in an archive, each earlier",
    "version. Warnings say what the format leaves out, and what the other tool would",
    "replace or run. If it would run code, cpl names the snippets and asks you before it",
    "writes the file; in scripts, it writes the file only with --allow-code.",
  ],
  run: async ({ words: [path = ""], options, isJson, connect }) => {
    const wanted = options.text("format") ?? "commonplace";
    const format = writableFormatIds.find((id) => id === wanted);
    if (!format) throw new UsageError(`--format must be one of: ${writableFormatIds.join(", ")}`, "export");
    if (path !== "-" && existsSync(path)) throw new Failure(`${path} already exists`);
    if (path !== "-" && !existsSync(dirname(path))) throw new Failure(`${dirname(path)} does not exist`);
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const signal = abortOnInterrupt();
    const receive = async (onChunk: (chunk: Uint8Array) => void | Promise<void>) => {
      try {
        return await client.getExport({ teamId, format }, { onChunk, signal, timeoutSeconds: exportWaitSeconds });
      } catch (error) {
        throw signal.aborted ? new Canceled() : error;
      }
    };
    const isAllowed = options.isSet("allow-code");
    if (path === "-") {
      // An archive, which can be large, contains no code.
      if (format === "commonplace") warn((await receive(writeToOutput)).data.warnings);
      else {
        const chunks: Uint8Array[] = [];
        const { data } = await receive((chunk) => void chunks.push(chunk));
        warn(data.warnings);
        await requireAllowed(data, isAllowed, "The file");
        await writeToOutput(Buffer.concat(chunks));
      }
      return;
    }
    const file = createFile(path);
    try {
      const { usage, data } = await receive(file.write);
      const { warnings, codeCount } = data;
      file.pause();
      if (!isJson || codeCount > 0) warn(warnings);
      await requireAllowed(data, isAllowed, path);
      const bytes = file.finish();
      if (isJson) printJson({ file: path, format, bytes, units: usage.usageDeducted, warnings, code_count: codeCount });
      else status(`Exported to ${path}.`);
    } finally {
      file.end();
    }
  },
};

/** Asks the person about a file with code. @throws Failure where there is no person, or they do not want it */
async function requireAllowed({ codeCount }: { readonly codeCount: number }, isAllowed: boolean, name: string) {
  if (codeCount === 0 || isAllowed) return;
  const notWritten = `${name} was not written`;
  if (!isInteractive())
    throw new Failure(`${notWritten}, because the other tool would run code in it. To write it, add --allow-code`);
  const answer = await ask("Write the file with this code? [y/N] ");
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(notWritten, exitStatus.canceled);
}

async function writeToOutput(chunk: Uint8Array): Promise<void> {
  if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
}

/** The service first finds out how much there is to export. */
const exportWaitSeconds = 150;

/** A file that has its name once it is complete. */
function createFile(path: string) {
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  const file = openSync(partial, "wx", 0o600);
  const progress = startProgress("Exporting");
  let [bytes, isOpen] = [0, true];
  return {
    write: (chunk: Uint8Array) => {
      for (let start = 0; start < chunk.length; ) start += writeSync(file, chunk, start);
      bytes += chunk.length;
      progress.received(bytes);
    },
    /** Shows no more progress, since everything is there. */
    pause: () => progress.end(),
    /** Gives the file its name, unless another file has it by now. @returns its bytes */
    finish: (): number => {
      try {
        linkSync(partial, path);
      } catch (error) {
        if (existsSync(path)) throw new Failure(`${path} already exists`);
        // Some file systems do not support links.
        if (error instanceof Error) renameSync(partial, path);
      }
      return bytes;
    },
    /** Removes what is not complete. */
    end: () => {
      if (!isOpen) return;
      isOpen = false;
      progress.end();
      closeSync(file);
      rmSync(partial, { force: true });
    },
  };
}
