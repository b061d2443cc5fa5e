// Which variation of a snippet an agent means.
import type { SnippetDetail } from "../sdk/src/index.ts";
import { ToolError } from "./results.ts";
import type { ToolContext } from "./tool.ts";

/** @param wanted an ID or a name; the first variation by default. @throws ToolError */
export function chooseVariation({ variations }: SnippetDetail, wanted: string | undefined) {
  const found =
    wanted === undefined
      ? variations[0]
      : (variations.find(({ id }) => id === wanted.toLowerCase()) ?? variations.find(({ name }) => name === wanted));
  if (found) return found;
  throw new ToolError(`there is no variation ${JSON.stringify(wanted)}`);
}

/** The variation with its content. Costs 1 unit if it is not the first one. */
export async function readVariation(
  snippet: SnippetDetail,
  wanted: string | undefined,
  { client, requests }: ToolContext,
) {
  const chosen = chooseVariation(snippet, wanted);
  if (chosen.id === snippet.variations[0]?.id) return { ...chosen, content: snippet.content };
  return (await requests.of(client.getSnippetVariation({ snippetId: snippet.id, variationId: chosen.id }))).data;
}
