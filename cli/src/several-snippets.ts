// What commands do to several snippets: all are found before the first one changes, and a failure says how far it got.
import type { Commonplace, SnippetDetail } from "../../sdk/src/index.ts";
import { Failure } from "./failures.ts";
import { findSnippet } from "./references.ts";
import { notice, pluralize } from "./terminal/print.ts";

/** Each snippet once. Each reference costs 1 unit. */
export async function findSnippets(
  client: Commonplace,
  references: readonly string[],
  teamId: string | undefined,
): Promise<SnippetDetail[]> {
  const found = new Map<string, SnippetDetail>();
  for (const reference of references) {
    const snippet = await findSnippet(client, reference, teamId);
    found.set(snippet.id, snippet);
  }
  return [...found.values()];
}

/** The team of all of them. @throws Failure if they are in several */
export function teamOf(snippets: readonly SnippetDetail[]): string {
  const [first] = snippets;
  if (!first || snippets.some(({ team_id }) => team_id !== first.team_id))
    throw new Failure("the snippets belong to different teams. Run the command for each team");
  return first.team_id;
}

/** One after another. @param done what has been done to those before a failure, such as "moved" */
export async function changeEach(
  snippets: readonly SnippetDetail[],
  done: string,
  change: (snippet: SnippetDetail) => Promise<void>,
): Promise<void> {
  for (const [index, snippet] of snippets.entries()) {
    try {
      await change(snippet);
    } catch (error) {
      if (index > 0) notice(`${pluralize(index, "snippet")} of ${snippets.length} ${done} before this failed.`);
      throw error;
    }
  }
}

/** `“Refund”`, or `3 snippets`. */
export const nameAll = (snippets: readonly { readonly title: string }[]): string => {
  const [first] = snippets;
  return first && snippets.length === 1 ? `“${first.title}”` : pluralize(snippets.length, "snippet");
};
