// Everything about one variation of a snippet, for programs.
import type { Commonplace } from "../../sdk/src/index.ts";
import { chooseVariation, findSnippet, withPaths } from "./references.ts";

/** A field is null if it is empty, or if the service cannot be reached and the field was not fetched before. */
export interface SnippetRecord {
  readonly id: string | null;
  readonly title: string | null;
  readonly shortcut: string | null;
  readonly team_id: string | null;
  readonly folder_id: string | null;
  /** Its path. */
  readonly folder: string | null;
  readonly tag_ids: readonly string[] | null;
  readonly tags: readonly string[] | null;
  readonly variation_id: string | null;
  /** Its name. */
  readonly variation: string | null;
  readonly type: string | null;
  /** The number of the current version, as `cpl history` shows it. */
  readonly version: number | null;
  /** Of the text, as `GET /text` returns it. */
  readonly etag: string | null;
  readonly updated_at: string | null;
  readonly text: string;
}

/** What is known of a text alone. */
export const textOnly = (text: string): SnippetRecord => ({
  id: null,
  title: null,
  shortcut: null,
  team_id: null,
  folder_id: null,
  folder: null,
  tag_ids: null,
  tags: null,
  variation_id: null,
  variation: null,
  type: null,
  version: null,
  etag: null,
  updated_at: null,
  text,
});

/** Costs 3 units, and 1 more for the names of its folder and tags. A text that has not changed costs nothing. */
export async function readRecord(
  client: Commonplace,
  reference: string,
  teamId: string | undefined,
  wanted: string | undefined,
): Promise<SnippetRecord> {
  const snippet = await findSnippet(client, reference, teamId);
  const { id, team_id, folder_id, tag_ids } = snippet;
  const variation = chooseVariation(snippet, wanted);
  const hasGroups = folder_id !== null || tag_ids.length > 0;
  const { folders, tags } = hasGroups ? (await client.getTree({ teamId: team_id })).data : { folders: [], tags: [] };
  return {
    id,
    title: snippet.title,
    shortcut: snippet.shortcut,
    team_id,
    folder_id,
    folder: withPaths(folders).find((folder) => folder.id === folder_id)?.path ?? null,
    tag_ids,
    tags: tags.filter((tag) => tag_ids.includes(tag.id)).map(({ tag_name }) => tag_name),
    variation_id: variation.id,
    variation: variation.name,
    updated_at: snippet.updated_at,
    ...(await readVersion(client, id, variation.id)),
  };
}

const attemptsMax = 3;

/** The current text with its version. Both are read again if someone changes the text in between. */
async function readVersion(client: Commonplace, id: string, variationId: string) {
  for (let attempt = 1; ; attempt += 1) {
    const { data: text, response } = await client.getText({ id, variation: variationId });
    const { data, metadata } = await client.getSnippetVariationHistory({ variationId, limit: 1 });
    const [newest] = data;
    const isSame = newest?.content.content === text;
    if (!isSame && attempt < attemptsMax) continue;
    return {
      type: newest?.content.type ?? null,
      version: isSame ? metadata.totalRecords : null,
      etag: response?.etag ?? null,
      text,
    };
  }
}
