// Saves the selected snippets as one file, made in the page.
import { shownNote } from "../../../src/library/formats/tool-block.ts";
import { callConsole } from "../../api.ts";
import { downloadText } from "../../components/copy.tsx";
import { pluralize } from "../../components/format.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { toMarkdown } from "../copy/formats.ts";
import type { Snippet } from "../data.ts";
import { withPatience, withProgress } from "./run.ts";

/** More than that is a matter for the API. */
export const exportedMax = 500;
/** All texts together, in characters: they are in the memory of the page. */
const exportedLengthMax = 50_000_000;
/** Requests at the same time. */
const readsAtOnce = 4;

export type ExportFormat = "markdown" | "json";

/** Reads snippets with all their texts and saves them. */
export async function exportSnippets(
  ids: readonly string[],
  format: ExportFormat,
  workspaceId: string,
  names: (snippet: Snippet) => { readonly folder: string | null; readonly tags: readonly string[] },
): Promise<void> {
  if (ids.length > exportedMax) {
    toast(`You can export up to ${exportedMax} snippets at a time`, "danger");
    return;
  }
  try {
    const snippets = await withProgress("Exporting snippets", ids.length, async (signal, advance) => {
      const read: Snippet[] = [];
      let length = 0;
      for (let start = 0; start < ids.length && !signal.aborted; start += readsAtOnce) {
        const portion = await Promise.all(
          ids.slice(start, start + readsAtOnce).map((id) => withPatience(() => readWhole(id, workspaceId), signal)),
        );
        read.push(...portion);
        length += portion
          .flatMap(({ variations }) => variations)
          .reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
        if (length > exportedLengthMax)
          throw new Error("These snippets are too large for one file. Select fewer snippets.");
        advance(read.length);
      }
      return signal.aborted ? [] : read;
    });
    if (snippets.length === 0) return;
    const isMarkdown = format === "markdown";
    downloadText(
      `snippets.${isMarkdown ? "md" : "json"}`,
      isMarkdown ? snippets.map(formatMarkdown).join("\n") : formatJson(snippets, names),
    );
    toast(`Exported ${pluralize(snippets.length, "snippet")}`);
  } catch (error) {
    toastError(error instanceof Error ? error : new Error("Something went wrong. Try again."));
  }
}

/** A snippet whose texts are too long for one response is read text by text. */
export async function readWhole(id: string, workspaceId: string): Promise<Snippet> {
  const { data: snippet } = await callConsole("getLibrarySnippet", { query: { id }, workspaceId });
  const variations = [];
  for (const variation of snippet.variations) {
    if (variation.content !== null) {
      variations.push(variation);
      continue;
    }
    const query = { variationId: variation.id };
    const { data } = await callConsole("getLibrarySnippetVariation", { query, workspaceId });
    variations.push({ ...variation, content: data.content.content });
  }
  return { ...snippet, variations };
}

/** The title as a heading, the note as a quotation, and each text; those after the first below their names. */
export const formatMarkdown = ({ title, snippet_note, variations }: Snippet): string => {
  const [first, ...others] = variations;
  const shown = shownNote(snippet_note ?? "");
  const note = shown === "" ? "" : `> ${shown.replaceAll("\n", "\n> ")}\n\n`;
  const whole = first ? toMarkdown(title, first.content_type, first.content ?? "") : "";
  const headed = whole.replace("\n\n", () => `\n\n${note}`);
  const rest = others.map(({ name, content_type, content }) => `\n#${toMarkdown(name, content_type, content ?? "")}`);
  return [headed, ...rest].join("");
};

const formatJson = (snippets: readonly Snippet[], names: Parameters<typeof exportSnippets>[3]): string =>
  JSON.stringify(
    {
      snippets: snippets.map((snippet) => ({
        id: snippet.id,
        title: snippet.title,
        note: snippet.snippet_note,
        shortcut: snippet.shortcut,
        ...names(snippet),
        isArchived: snippet.is_archived,
        createdAt: snippet.created_at,
        updatedAt: snippet.updated_at,
        variations: snippet.variations.map(({ name, content_type, content }) => ({
          name,
          contentType: content_type,
          content,
        })),
      })),
    },
    undefined,
    2,
  );
