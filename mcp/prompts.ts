// Prompts: the snippets whose tag is named `prompt`. Their placeholders are the arguments.
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import type { Commonplace, FoundSnippet } from "../sdk/src/index.ts";
import { fillIn, placeholderNames } from "../src/library/placeholders.ts";
import { partBytesMax, ToolError } from "./results.ts";

const promptTag = "prompt";
/** As many as one request returns. */
const promptsMax = 100;
const argumentsMax = 100;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Costs 1 unit, and 1 for each team with such a tag and for each prompt. */
export async function listPrompts(client: Commonplace): Promise<Prompt[]> {
  const snippets: FoundSnippet[] = [];
  for (const tagId of await promptTagIds(client))
    snippets.push(...(await client.getSearch({ tagIds: [tagId], limit: promptsMax })).data.snippets);
  const found = snippets.slice(0, promptsMax);
  const isUnique = (shortcut: string) => found.filter((each) => each.shortcut === shortcut).length === 1;
  return found.map(({ id, shortcut, title, snippet_note, content }) => ({
    name: shortcut && isUnique(shortcut) ? shortcut : id,
    title,
    ...(snippet_note && { description: snippet_note }),
    arguments: placeholderNames(content.content)
      .slice(0, argumentsMax)
      .map((name) => ({ name })),
  }));
}

/** Costs 2 units. @param name a shortcut or an ID. @throws ToolError if the snippet is not a prompt */
export async function getPrompt(
  client: Commonplace,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const { data } = await (uuid.test(name) ? client.getSnippet({ id: name }) : client.getShortcut({ shortcut: name }));
  const tagIds = await promptTagIds(client);
  if (!data.tag_ids.some((id) => tagIds.includes(id)))
    throw new ToolError(`"${name}" does not have the tag "${promptTag}"`);
  const text = fillIn(data.content.content, new Map(Object.entries(values)));
  if (new TextEncoder().encode(text).length > partBytesMax)
    throw new ToolError(`"${name}" is too long for a prompt. Use the tool get_snippet, which returns it in parts`);
  return {
    ...(data.snippet_note && { description: data.snippet_note }),
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

async function promptTagIds(client: Commonplace): Promise<readonly string[]> {
  const { data } = await client.getTree();
  return data.tags.filter(({ tag_name }) => tag_name.toLowerCase() === promptTag).map(({ id }) => id);
}
