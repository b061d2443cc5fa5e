// What else than its text can be copied of a snippet.
import type { Session } from "../../workspace.tsx";
import { isProse } from "../editor/prose.ts";

/** A title and its text as Markdown; code is in a fence. */
export function toMarkdown(title: string, contentType: string, text: string): string {
  const heading = `# ${title.replace(/\s+/g, " ")}`;
  if (isProse(contentType)) return `${heading}\n\n${text}\n`;
  // The fence is longer than any run of backticks in the text.
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  const language = contentType === "code" ? "" : contentType;
  return `${heading}\n\n${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}\n`;
}

/**
 * A command that prints the text.
 * @param api how commands reach it
 * @param variationId undefined for the first variation
 */
export const toCurl = ({ url, curl }: Session["api"], snippetId: string, variationId?: string): string => {
  const query = new URLSearchParams({ id: snippetId, ...(variationId !== undefined && { variation: variationId }) });
  return `${curl} -H "Authorization: Bearer $CPL_KEY" '${url}/text?${query}'`;
};
