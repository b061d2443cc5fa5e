// The tools that read the library.
import { z } from "zod";
import { ConflictError, type FolderInTree, type TagInTree } from "../sdk/src/index.ts";
import { fillIn, placeholderNames } from "../src/library/placeholders.ts";
import { beginningOf, nameTeams, partOf, ToolError } from "./results.ts";
import { snippetUri } from "./snippet-uri.ts";
import { defineTool, reading, type ToolContext } from "./tool.ts";
import { chooseVariation, readVariation } from "./variations.ts";

const id = z.string().describe("The ID of a snippet");
const teamId = z.string().optional().describe("Only this team, by ID");
const part = z.int().min(1).optional().describe("Which part to return if the text is long; the first one by default");
const variation = z.string().optional().describe("The ID or name of a variation; the first one by default");
const namesMax = 100;
const searchLimitMax = 20;
const versionsMax = 20;
const versionsBackMax = 99;

export const readingTools = [
  defineTool({
    name: "search_snippets",
    title: "Search snippets",
    description:
      'Finds snippets by words in the title, shortcut, tags, note, or text. Without a query, lists all snippets, most recently changed first. Use quotes for "exact words", and -word to exclude a word. Costs 1 unit, plus 1 per snippet returned.',
    isWriting: false,
    annotations: reading,
    input: z.object({
      query: z.string().optional().describe("What to find"),
      team_id: teamId,
      folder_id: z.string().optional().describe("Only snippets in this folder and its subfolders, by ID"),
      tag_ids: z.array(z.string()).optional().describe("Only snippets with all of these tags, by ID"),
      limit: z.int().min(1).max(searchLimitMax).default(10).describe("Maximum number of snippets"),
      cursor: z.string().optional().describe("next_cursor of the previous page"),
    }),
    run: async ({ query, team_id, folder_id, tag_ids, limit, cursor }, { client, requests }) => {
      const inside = folder_id === undefined ? undefined : true;
      const { data, metadata, pagination } = await requests.of(
        client.getSearch({ query, teamId: team_id, folderId: folder_id, inside, tagIds: tag_ids, limit, cursor }),
      );
      const snippets = data.snippets.map(({ content, matches, ...snippet }) => ({
        id: snippet.id,
        title: snippet.title,
        shortcut: snippet.shortcut,
        team_id: snippet.team_id,
        folder_id: snippet.folder_id,
        updated_at: snippet.updated_at,
        content_type: content.type,
        text_begins: beginningOf(content.content),
        matches: matches.map(({ field, before, match, after }) => `${field}: ${beginningOf(before + match + after)}`),
      }));
      const { totalCount, totalIsAtLeast } = metadata;
      return {
        facts: {
          snippets,
          ...(totalCount === undefined ? { total_is_at_least: totalIsAtLeast } : { total_count: totalCount }),
          next_cursor: pagination.nextCursor,
        },
      };
    },
  }),
  defineTool({
    name: "get_snippet",
    title: "Get a snippet",
    description:
      "Returns the text of a snippet by its ID or its shortcut. Fills in placeholders such as {{name}} with the values you give. Costs 1 unit, and 1 more for a variation other than the first. If several teams have the shortcut, lists them, for 1 more unit.",
    isWriting: false,
    annotations: reading,
    input: z.object({
      id: id.optional(),
      shortcut: z
        .string()
        .optional()
        .describe("The shortcut of a snippet, such as /refund. Give either this or the ID"),
      team_id: z.string().optional().describe("The team, by ID, if several have the shortcut"),
      variation,
      placeholders: z.record(z.string(), z.string()).optional().describe("Values of placeholders, by name"),
      part,
    }),
    run: async ({ placeholders = {}, part: wantedPart, ...which }, context) => {
      const snippet = await findSnippet(which, context);
      const chosen = await readVariation(snippet, which.variation, context);
      const names = placeholderNames(chosen.content.content);
      const values = new Map(Object.entries(placeholders));
      const unknown = [...values.keys()].filter((name) => !names.includes(name));
      const { content: _, workspace_id: __, ...facts } = snippet;
      return {
        facts: {
          ...facts,
          variation: { id: chosen.id, name: chosen.name },
          content_type: chosen.content.type,
          missing: names.filter((name) => !values.get(name)).slice(0, namesMax),
          ...(unknown.length > 0 && { unknown_placeholders: unknown.slice(0, namesMax) }),
        },
        text: {
          uri: snippetUri(snippet.id, wantedPart),
          part: partOf(fillIn(chosen.content.content, values), wantedPart),
        },
      };
    },
  }),
  defineTool({
    name: "list_tree",
    title: "List teams, folders, and tags",
    description: "Lists the teams that the key has access to, with the IDs of their folders and tags. Costs 2 units.",
    isWriting: false,
    annotations: reading,
    input: z.object({ team_id: teamId, part }),
    run: async ({ team_id, part: wantedPart }, { client, requests }) => {
      const { teams } = (await requests.of(client.getTeams())).data;
      const { data, metadata } = await requests.of(client.getTree({ teamId: team_id }));
      const shown = teams.filter(({ id: each }) => team_id === undefined || each === team_id.toLowerCase());
      const lines = shown.flatMap((team) => [
        `team ${team.id} ${JSON.stringify(team.name)}: ${countOf(team.snippet_count)}`,
        ...data.folders.filter((each) => each.team_id === team.id).map(folderLine),
        ...data.tags.filter((each) => each.team_id === team.id).map(tagLine),
      ]);
      return {
        facts: { is_truncated: metadata.isTruncated },
        text: { uri: "commonplace://tree", part: partOf(lines.join("\n"), wantedPart) },
      };
    },
  }),
  defineTool({
    name: "list_versions",
    title: "List the versions of a snippet",
    description:
      "Lists the versions of a snippet's text, the current one first. With versions_back, returns the text of an earlier version instead. Costs 1 unit, plus 1 per version read.",
    isWriting: false,
    annotations: reading,
    input: z.object({
      id,
      variation,
      limit: z.int().min(1).max(versionsMax).default(10).describe("Maximum number of versions"),
      versions_back: z
        .int()
        .min(0)
        .max(versionsBackMax)
        .optional()
        .describe("Return the text from this many versions ago: 0 is the current one, 1 the previous one"),
      part,
    }),
    run: async ({ id: snippetId, variation: wanted, limit, versions_back: back, part: wantedPart }, context) => {
      const { client, requests } = context;
      const snippet = (await requests.of(client.getSnippet({ id: snippetId }))).data;
      const { id: variationId, name } = chooseVariation(snippet, wanted);
      const count = back === undefined ? limit : back + 1;
      const { data, metadata } = await requests.of(client.getSnippetVariationHistory({ variationId, limit: count }));
      const total = metadata.totalRecords;
      if (back === undefined) {
        const versions = data.map(({ changed_at, content }, index) => ({
          version: total - index,
          changed_at,
          text_begins: beginningOf(content.content),
        }));
        const variation = { id: variationId, name };
        return { facts: { id: snippet.id, title: snippet.title, variation, total_count: total, versions } };
      }
      const record = data[back];
      if (!record) throw new ToolError(`the text has only ${total === 1 ? "1 version" : `${total} versions`}`);
      return {
        facts: { id: snippet.id, title: snippet.title, version: total - back, changed_at: record.changed_at },
        text: { uri: snippetUri(snippet.id), part: partOf(record.content.content, wantedPart) },
      };
    },
  }),
] as const;

async function findSnippet(
  {
    id: snippetId,
    shortcut,
    team_id,
  }: { id?: string | undefined; shortcut?: string | undefined; team_id?: string | undefined },
  { client, requests }: ToolContext,
) {
  if ((snippetId === undefined) === (shortcut === undefined)) throw new ToolError("provide either id or shortcut");
  const pending =
    snippetId === undefined
      ? client.getShortcut({ shortcut: shortcut ?? "", teamId: team_id })
      : client.getSnippet({ id: snippetId });
  try {
    return (await requests.of(pending)).data;
  } catch (error) {
    if (!(error instanceof ConflictError) || error.teamIds.length === 0) throw error;
    const { teams } = (await requests.of(client.getMe())).data;
    const having = teams.filter((team) => error.teamIds.includes(team.id));
    throw new ToolError(
      `several teams have a snippet with the shortcut ${JSON.stringify(shortcut)}. Provide team_id: ${nameTeams(having)}`,
    );
  }
}

const countOf = (count: number): string => (count === 1 ? "1 snippet" : `${count} snippets`);
const inside = (parentId: string | null): string => (parentId === null ? "" : `, inside ${parentId}`);
const folderLine = (each: FolderInTree): string =>
  `  folder ${each.id} ${JSON.stringify(each.folder_name)}: ${countOf(each.snippet_count)}${inside(each.parent_folder_id)}`;
const tagLine = (each: TagInTree): string =>
  `  tag ${each.id} ${JSON.stringify(each.tag_name)}: ${countOf(each.snippet_count)}${inside(each.parent_tag_id)}`;
