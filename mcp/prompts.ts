// Prompts: the snippets whose tag is named `prompt`. Their placeholders are the arguments.
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import {
  type Commonplace,
  ConflictError,
  type FoundSnippet,
  type SnippetDetail,
  type TagInTree,
} from "../sdk/src/index.ts";
import { fillIn, placeholderNames } from "../src/library/placeholders.ts";
import { descriptionOf, partBytesMax, ToolError } from "./results.ts";

const promptTag = "prompt";
/** Each costs 1 unit, and clients list prompts without being asked. */
const promptsMax = 100;
/** Each is a request of its own. */
const teamsMax = 10;
const argumentsMax = 100;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Costs 1 unit, and 1 for each team with such a tag and for each prompt. Teams with few prompts leave their share to the others. */
export async function listPrompts(client: Commonplace): Promise<Prompt[]> {
  const tags = (await promptTags(client))
    .filter(({ snippet_count }) => snippet_count > 0)
    .sort((one, other) => one.snippet_count - other.snippet_count)
    .slice(-teamsMax);
  const byId = new Map<string, FoundSnippet>();
  for (const [index, tag] of tags.entries()) {
    const limit = Math.ceil((promptsMax - byId.size) / (tags.length - index));
    const { data } = await client.getSearch({ tagIds: [tag.id], limit });
    for (const snippet of data.snippets) byId.set(snippet.id, snippet);
  }
  const found = [...byId.values()];
  const isUnique = (shortcut: string) => found.filter((each) => each.shortcut === shortcut).length === 1;
  return found.map(({ id, shortcut, title, snippet_note, content }) => ({
    name: shortcut && isUnique(shortcut) ? shortcut : id,
    title,
    ...descriptionOf(snippet_note),
    arguments: placeholderNames(content.content)
      .slice(0, argumentsMax)
      .map((name) => ({ name })),
  }));
}

/** Costs 2 units, and more if several teams have the shortcut. @param name a shortcut or an ID. @throws ToolError if the snippet is not a prompt */
export async function getPrompt(
  client: Commonplace,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const snippet = await findPrompt(client, name);
  const text = fillIn(snippet.content.content, new Map(Object.entries(values)));
  if (new TextEncoder().encode(text).length > partBytesMax)
    throw new ToolError(`"${name}" is too long for a prompt. Use the tool get_snippet, which returns it in parts`);
  return {
    ...descriptionOf(snippet.snippet_note),
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

async function findPrompt(client: Commonplace, name: string): Promise<SnippetDetail> {
  const tags = await promptTags(client);
  const snippets = await findNamed(client, name, new Set(tags.map(({ team_id }) => team_id)));
  const prompts = snippets.filter(({ tag_ids }) => tags.some(({ id }) => tag_ids.includes(id)));
  const [only, second] = prompts;
  if (!only) throw new ToolError(`"${name}" does not have the tag "${promptTag}"`);
  if (!second) return only;
  const { teams } = (await client.getMe()).data;
  const nameOf = ({ team_id }: SnippetDetail) => teams.find(({ id }) => id === team_id)?.name ?? team_id;
  const choices = prompts.map((prompt) => `${prompt.id} (team ${JSON.stringify(nameOf(prompt))})`);
  throw new ToolError(
    `several teams have a prompt with the shortcut "${name}". Use an ID as the name of the prompt: ${choices.join(", ")}`,
  );
}

/** If several teams have the shortcut, one snippet of each team that can have prompts. */
async function findNamed(
  client: Commonplace,
  name: string,
  promptTeamIds: ReadonlySet<string>,
): Promise<readonly SnippetDetail[]> {
  try {
    return [(await (uuid.test(name) ? client.getSnippet({ id: name }) : client.getShortcut({ shortcut: name }))).data];
  } catch (error) {
    if (!(error instanceof ConflictError) || error.teamIds.length === 0) throw error;
    const found: SnippetDetail[] = [];
    for (const teamId of error.teamIds.filter((id) => promptTeamIds.has(id)).slice(0, teamsMax))
      found.push((await client.getShortcut({ shortcut: name, teamId })).data);
    return found;
  }
}

async function promptTags(client: Commonplace): Promise<readonly TagInTree[]> {
  const { data } = await client.getTree();
  return data.tags.filter(({ tag_name }) => tag_name.toLowerCase() === promptTag);
}
