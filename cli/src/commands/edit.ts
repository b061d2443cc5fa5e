// `cpl edit`: changes the text of a snippet in the editor. A change by someone else is shown, and never overwritten unseen.
import type { Commonplace, SnippetDetail } from "../../../sdk/src/index.ts";
import type { Command } from "../command.ts";
import { Canceled, Failure } from "../failures.ts";
import { findSnippet, findTeam, readVariation } from "../references.ts";
import { ask, isInteractive } from "../terminal/ask.ts";
import { diffOf, inColors } from "../terminal/diff.ts";
import { type Draft, edit } from "../terminal/editor.ts";
import { notice, printJson, status } from "../terminal/print.ts";
import { snippetArgument, teamOption, variationOption } from "./get.ts";

export const editCommand: Command = {
  name: "edit",
  summary: "Change the text of a snippet in your editor",
  arguments: [snippetArgument],
  options: { variation: variationOption, team: teamOption },
  notes: [
    "Opens the text in your editor (EDITOR) and saves your changes. If someone else",
    "changes the text while you are editing it, shows you their change and asks",
    "before it overwrites anything.",
  ],
  run: async ({ words: [reference = ""], options, isJson, connect }) => {
    const { client } = await connect();
    const snippet = await findSnippet(client, reference, await findTeam(client, options.text("team")));
    const variation = await readVariation(client, snippet, options.text("variation"));
    const isSaved = await editUntilSaved(client, snippet, variation);
    if (isJson) printJson({ id: snippet.id, variation_id: variation.id, saved: isSaved });
    else status(isSaved ? `Saved "${snippet.title}".` : "No changes.");
  },
};

type Text = Awaited<ReturnType<typeof readVariation>>;

/** @returns false if the person changed nothing */
async function editUntilSaved(client: Commonplace, snippet: SnippetDetail, opened: Text): Promise<boolean> {
  /** The stored text that the person has seen. */
  let seen = opened.content.content;
  let draft = edit(seen, opened.content.type);
  try {
    for (;;) {
      if (draft.text === seen) {
        draft.remove();
        return false;
      }
      const current = (await client.getSnippetVariation({ snippetId: snippet.id, variationId: opened.id })).data
        .content;
      if (current.content === seen || current.content === draft.text) {
        await save(client, opened.id, { type: current.type, content: draft.text }, seen);
        draft.remove();
        return true;
      }
      showConflict(seen, current.content, draft);
      const answer = isInteractive() ? await askWhatToDo() : "q";
      if (answer === "q") throw new Failure(`nothing was saved. Your text is in ${draft.path}`);
      seen = current.content;
      if (answer === "e") draft = reopen(draft, current.type);
    }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Canceled) notice(`Your text is in ${draft.path}.`);
    throw error;
  }
}

function showConflict(seen: string, current: string, { text }: Draft): void {
  notice("While you were editing, someone else changed this text:");
  process.stderr.write(inColors(diffOf({ name: "before", text: seen }, { name: "theirs", text: current })));
  notice("Your text differs from theirs:");
  process.stderr.write(inColors(diffOf({ name: "theirs", text: current }, { name: "yours", text })));
}

/** Edit again, overwrite what was shown, or quit. */
async function askWhatToDo(): Promise<"e" | "o" | "q"> {
  for (;;) {
    const [letter] = (await ask("[e]dit yours again, [o]verwrite theirs, or [q]uit? ")).trim().toLowerCase();
    if (letter === "e" || letter === "o" || letter === "q") return letter;
  }
}

function reopen(draft: Draft, contentType: string): Draft {
  const next = edit(draft.text, contentType);
  draft.remove();
  return next;
}

/** The version before the saved one is in the history, so a change that was saved in the same moment is noticed. */
async function save(client: Commonplace, variationId: string, content: Text["content"], seen: string): Promise<void> {
  await client.putSnippetVariation({ variationId, content });
  const { data } = await client.getSnippetVariationHistory({ variationId, limit: 2 });
  const [newest, previous] = data;
  const isExpected = newest?.content.content === content.content && (previous?.content.content ?? seen) === seen;
  if (isExpected || content.content === seen) return;
  notice("Someone else saved a different version at the same time. To see it, run cpl history and cpl diff.");
}
