// The tools that change the library.
import { z } from "zod";
import { nameTeams, ToolError } from "./results.ts";
import { adding, changing, defineTool, type ToolContext } from "./tool.ts";
import { chooseVariation, readVariation } from "./variations.ts";

const typeDefault = "plaintext";
const contentType = z.string().optional().describe("The content type of the text, such as markdown or python");
const note = z.string().describe("A note about the snippet");
const shortcut = z.string().describe("A short string that stands for the snippet, such as /refund");
const folderId = z.string().describe("A folder of the same team, by ID");
const tagIds = z.array(z.string()).describe("Tags of the same team, by ID");

export const writingTools = [
  defineTool({
    name: "create_snippet",
    title: "Create a snippet",
    description: "Creates a snippet and returns its ID. Costs 1 unit, and 1 more if team_id is omitted.",
    isWriting: true,
    annotations: adding,
    input: z.object({
      title: z.string().describe("1 to 200 characters"),
      text: z.string().describe("The text. Write placeholders as {{name}}"),
      content_type: contentType,
      team_id: z.string().optional().describe("The team, by ID. Not needed if the key has access to only one team"),
      shortcut: shortcut.optional(),
      note: note.optional(),
      folder_id: folderId.optional(),
      tag_ids: tagIds.optional(),
    }),
    run: async (given, context) => {
      const teamId = given.team_id ?? (await onlyTeam(context));
      const { data } = await context.requests.of(
        context.client.postSnippet({
          title: given.title,
          content: { type: given.content_type ?? typeDefault, content: given.text },
          teamId,
          shortcut: given.shortcut,
          note: given.note,
          folderId: given.folder_id,
          tagIds: given.tag_ids,
        }),
      );
      return { facts: { id: data.snippetId } };
    },
  }),
  defineTool({
    name: "update_snippet",
    title: "Change a snippet",
    description:
      "Changes the given fields of a snippet and leaves the others as they are. Earlier versions stay in the history; other fields have no history. Costs 1 unit, plus 1 if you give text but no content_type. With a variation, costs 1 more to find it, and 1 more if you give other fields as well.",
    isWriting: true,
    annotations: changing,
    input: z.object({
      id: z.string().describe("The ID of the snippet"),
      title: z.string().optional().describe("1 to 200 characters"),
      text: z.string().optional().describe("Replaces the whole text"),
      variation: z
        .string()
        .optional()
        .describe("The ID or name of the variation whose text is replaced; the first one by default"),
      content_type: contentType,
      shortcut: shortcut.nullable().optional(),
      note: note.nullable().optional(),
      folder_id: folderId.nullable().optional(),
      tag_ids: tagIds.optional(),
      is_archived: z.boolean().optional().describe("True archives the snippet, false unarchives it"),
    }),
    run: async ({ id, text, variation, content_type, ...given }, { client, requests }) => {
      const fields = {
        title: given.title,
        shortcut: given.shortcut,
        note: given.note,
        folderId: given.folder_id,
        tagIds: given.tag_ids,
        isArchived: given.is_archived,
      };
      const hasFields = Object.values(fields).some((value) => value !== undefined);
      if (text === undefined && !hasFields) {
        await requireWriteScope({ client, requests });
        throw new ToolError("provide at least one field to change");
      }
      const target =
        text === undefined ? undefined : await findTarget({ id, variation, content_type }, { client, requests });
      const content = target && text !== undefined ? { type: target.type, content: text } : undefined;
      const variationId = target?.variationId;
      const isFirst = variationId === undefined;
      if (hasFields || (isFirst && content))
        await requests.of(client.putSnippet({ id, ...fields, content: isFirst ? content : undefined }));
      if (!isFirst && content) await requests.of(client.putSnippetVariation({ variationId, content }));
      return { facts: { id, changed: true } };
    },
  }),
  defineTool({
    name: "add_variation",
    title: "Add a variation",
    description:
      "Adds a variation to a snippet, such as a translation. Without content_type, it gets the content type of the snippet's first variation. Costs 1 unit, and 1 more if content_type is omitted.",
    isWriting: true,
    annotations: adding,
    input: z.object({
      id: z.string().describe("The ID of the snippet"),
      name: z.string().describe("The name of the variation, 1 to 100 characters"),
      text: z.string().describe("The text of the variation"),
      content_type: contentType,
    }),
    run: async ({ id, name, text, content_type }, { client, requests }) => {
      const type = content_type ?? (await requests.of(client.getSnippet({ id }))).data.content.type;
      const content = { type, content: text };
      const { data } = await requests.of(
        client.postSnippetVariations({ snippetId: id, variations: [{ variationName: name, content }] }),
      );
      const [added] = data.variations;
      if (!added) throw new ToolError(data.errors[0]?.message ?? "the variation could not be added");
      return { facts: { id, variation: { id: added.id, name: added.name } } };
    },
  }),
  defineTool({
    name: "delete_snippet",
    title: "Delete a snippet",
    description:
      "Moves a snippet with all its variations to the trash, from which people can restore it for a limited time. Costs 1 unit.",
    isWriting: true,
    annotations: changing,
    input: z.object({ id: z.string().describe("The ID of the snippet") }),
    run: async ({ id }, { client, requests }) => {
      const { data } = await requests.of(client.deleteSnippet({ id }));
      return { facts: { id, message: data.message } };
    },
  }),
] as const;

/** Where a new text goes, and its content type. The first variation has no ID here: its text is that of the snippet. */
async function findTarget(
  { id, variation, content_type }: { id: string; variation: string | undefined; content_type: string | undefined },
  context: ToolContext,
): Promise<{ readonly variationId: string | undefined; readonly type: string }> {
  if (variation === undefined && content_type !== undefined) return { variationId: undefined, type: content_type };
  const snippet = (await context.requests.of(context.client.getSnippet({ id }))).data;
  const { id: chosenId } = chooseVariation(snippet, variation);
  const variationId = chosenId === snippet.variations[0]?.id ? undefined : chosenId;
  const type = content_type ?? (await readVariation(snippet, variation, context)).content.type;
  return { variationId, type };
}

type Me = Awaited<ReturnType<ToolContext["client"]["getMe"]>>["data"];

export const isReadOnly = ({ scopes }: Me["key"]): boolean => scopes !== null && !scopes.includes("write");

/** An agent that calls the tool again with other arguments must not be refused for another reason then. Costs 1 unit. @throws ToolError */
export async function requireWriteScope({ client, requests }: ToolContext): Promise<Me> {
  const { data } = await requests.of(client.getMe());
  if (isReadOnly(data.key)) throw new ToolError("API key has read access only (code insufficient_scope)");
  return data;
}

async function onlyTeam(context: ToolContext): Promise<string> {
  const { teams } = await requireWriteScope(context);
  const [only, second] = teams;
  if (only && !second) return only.id;
  throw new ToolError(only ? `provide team_id: ${nameTeams(teams)}` : "the key does not have access to any team");
}
