// `cpl export`: a team into a file.
import { existsSync, writeFileSync } from "node:fs";
import { writableFormatIds } from "../../../src/library/formats/format-ids.ts";
import type { Command } from "../command.ts";
import { Failure, UsageError } from "../failures.ts";
import { requireTeam } from "../references.ts";
import { notice, printJson } from "../terminal/print.ts";

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
    format: { value: "FORMAT", meaning: "the format; commonplace, an archive with all versions, by default" },
  },
  notes: [...inLines(writableFormatIds), "Costs 1 unit, and 1 more for each text in the file."],
  run: async ({ words: [path = ""], options, isJson, connect }) => {
    const wanted = options.text("format") ?? "commonplace";
    const format = writableFormatIds.find((id) => id === wanted);
    if (!format) throw new UsageError(`--format must be one of: ${writableFormatIds.join(", ")}`, "export");
    if (path !== "-" && existsSync(path)) throw new Failure(`${path} already exists`);
    const { client } = await connect();
    const teamId = await requireTeam(client, options.text("team"));
    const { data, usage } = await client.getExport({ teamId, format });
    if (path === "-") return void process.stdout.write(data.bytes);
    writeFileSync(path, data.bytes, { flag: "wx", mode: 0o600 });
    if (isJson) printJson({ file: path, format, bytes: data.bytes.length, units: usage.usageDeducted });
    else notice(`Exported to ${path}.`);
  },
};
