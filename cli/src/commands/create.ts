// `cpl create`: creates a snippet from a file, from standard input, or from what is written in the editor.
import { readFileSync } from "node:fs";
import type { Command } from "../command.ts";
import { Canceled, UsageError } from "../failures.ts";
import { findGroups, requireTeam } from "../references.ts";
import { ask, decode, isInteractive, readInput } from "../terminal/ask.ts";
import { edit } from "../terminal/editor.ts";
import { notice, print, printJson } from "../terminal/print.ts";

const typeDefault = "plaintext";
/** A mistyped name must not become a new tag. */
const groupAdvice = "Create it in the console first, or run cpl tree to see all folders and tags";

export const create: Command = {
  name: "create",
  summary: "Create a snippet",
  arguments: [{ value: "FILE", meaning: "a file with the text, or - for standard input", isOptional: true }],
  options: {
    title: { value: "TITLE", meaning: "the title" },
    shortcut: { value: "SHORTCUT", meaning: "the shortcut, such as /refund" },
    team: { value: "TEAM", meaning: "the team, by name or ID; not needed if your key has access to only one" },
    folder: { value: "FOLDER", meaning: "an existing folder, by path (such as Replies/Refunds) or ID" },
    tag: { value: "TAG", meaning: "an existing tag of the team, by name or ID", isRepeatable: true },
    note: { value: "NOTE", meaning: "a note about the snippet" },
    type: { value: "TYPE", meaning: `the content type, such as markdown or python; ${typeDefault} by default` },
  },
  notes: ["Without a file, opens your editor (EDITOR). Prints the ID of the new snippet."],
  run: async ({ words: [file], options, isJson, connect }) => {
    const isAsking = isInteractive() && file !== "-";
    const title = options.text("title") ?? (isAsking ? await ask("Title: ") : undefined);
    if (!title) throw new UsageError("--title is required", "create");
    const given = file === undefined || file === "-" ? undefined : decode(readFileSync(file));
    const type = options.text("type") ?? typeDefault;
    const { client } = await connect();
    // Everything that can be wrong is found before the person writes.
    const teamId = await requireTeam(client, options.text("team"));
    const wanted = { teamId, folder: options.text("folder"), tags: options.texts("tag") };
    const groups = await findGroups(client, wanted, groupAdvice);
    const draft = file === undefined && isAsking ? edit("", type) : undefined;
    const text = draft?.text ?? given ?? (await readInput());
    if (text === "" && draft) {
      draft.remove();
      throw new Canceled();
    }
    try {
      const { data } = await client.postSnippet({
        title,
        content: { type, content: text },
        teamId,
        shortcut: options.text("shortcut"),
        note: options.text("note"),
        ...groups,
      });
      draft?.remove();
      if (isJson) printJson({ id: data.snippetId });
      else print(`${data.snippetId}\n`);
    } catch (error) {
      if (draft) notice(`Your text is in ${draft.path}.`);
      throw error;
    }
  },
};
