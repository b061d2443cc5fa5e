// `cpl rename`: gives a snippet another title.
import type { Command } from "../command.ts";
import { UsageError } from "../failures.ts";
import { findSnippet, findTeam } from "../references.ts";
import { printJson, statusLine } from "../terminal/print.ts";
import { snippetArgument, teamOption } from "./get.ts";

export const rename: Command = {
  name: "rename",
  summary: "Change the title of a snippet",
  arguments: [snippetArgument, { value: "TITLE", meaning: "the new title, in quotation marks" }],
  options: { team: teamOption },
  notes: ["Changes nothing else: the shortcut and the ID stay the same."],
  run: async ({ words: [reference = "", title = ""], options, isJson, connect }) => {
    if (title.trim() === "") throw new UsageError("TITLE must not be empty", "rename");
    const { client } = await connect();
    const { id, title: before } = await findSnippet(client, reference, await findTeam(client, options.text("team")));
    const isChanged = title !== before;
    if (isChanged) await client.putSnippet({ id, title });
    if (isJson) printJson({ id, title, renamed: isChanged });
    else statusLine(isChanged ? `Renamed “${before}” to “${title}”.` : `The title is already “${title}”.`);
  },
};
