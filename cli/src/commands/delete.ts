// `cpl delete`: moves a snippet to the trash.
import type { Command } from "../command.ts";
import { findSnippet, findTeam } from "../references.ts";
import { confirm } from "../terminal/ask.ts";
import { printJson, statusLine } from "../terminal/print.ts";
import { snippetArgument, teamOption } from "./get.ts";

export const deleteCommand: Command = {
  name: "delete",
  summary: "Move a snippet to the trash",
  arguments: [snippetArgument],
  options: { team: teamOption, yes: { meaning: "delete without asking" } },
  notes: [
    "Shows the title, and asks before it deletes anything. All variations of the snippet",
    "are deleted with it. It can be restored from the trash in the console.",
  ],
  run: async ({ words: [reference = ""], options, connect, isJson }) => {
    const { client } = await connect();
    const { id, title } = await findSnippet(client, reference, await findTeam(client, options.text("team")));
    if (!options.isSet("yes")) await confirm(`Move “${title}” to the trash?`);
    await client.deleteSnippet({ id });
    if (isJson) printJson({ deleted: true, id });
    else statusLine(`Moved “${title}” to the trash.`);
  },
};
