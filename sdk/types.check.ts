// What the types promise, checked by the compiler alone: this file is never run.
import type {
  Change,
  Commonplace,
  CursorPagination,
  Pagination,
  ResponseInfo,
  Snippet,
  SnippetDetail,
  TrashedSnippet,
  Usage,
  UsageDeducted,
} from "./src/index.ts";

/** True only for two types that are one and the same. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const holds = <_Claim extends true>(): void => undefined;

type Answer<Name extends keyof Commonplace> = Commonplace[Name] extends (...args: never[]) => Promise<infer Value>
  ? Value
  : never;

// Answers.
holds<Same<Answer<"getSnippet">["data"], SnippetDetail>>();
holds<Same<Answer<"getSnippet">["usage"], Usage>>();
holds<Same<Answer<"getSnippets">["data"], Snippet[]>>();
holds<Same<Answer<"getSnippets">["usage"], UsageDeducted>>();
holds<Same<Answer<"getFolder">["pagination"], Pagination>>();
holds<Same<Answer<"putTag">["metadata"], { fieldsUpdated: Record<string, true> }>>();
holds<Same<Answer<"deleteTag">["metadata"], Record<string, never>>>();
holds<Same<Answer<"deleteTag">["response"], ResponseInfo | undefined>>();
holds<Same<Answer<"deleteTag">["success"], true>>();
holds<Same<SnippetDetail["folder_id"], string | null>>();
holds<Same<Answer<"getText">["data"], string>>();
// A later version of the service may add words.
holds<Same<Change["kind"], "snippet" | "variation" | "folder" | "tag" | (string & {})>>();
holds<Same<Answer<"getSearch">["pagination"], CursorPagination>>();

// Arguments.
export async function calls(client: Commonplace): Promise<void> {
  const content = { type: "plaintext", content: "Hello" };
  await client.getFolders({ folderIds: ["a", "b"], limit: 10 });
  await client.putSnippet({ id: "a", title: "New", folderId: null }, { headers: { "X-Trace": "1" } });
  await client.deleteSnippetVariation({ variationId: "a" });
  await client.deleteSnippetVariation({ variationIds: ["a"] });
  await client.getSnippetVariationHistory({ variationId: "a", fromDate: new Date(), toDate: "2026-01-31T00:00:00Z" });
  await client.postSnippet({ title: "T", content, teamId: "a", note: undefined });
  for await (const snippet of client.snippetsInFolder({ folderId: "a" })) holds<Same<typeof snippet, Snippet>>();

  for await (const page of client.getSearchPages({ query: "a" })) holds<Same<typeof page, Answer<"getSearch">>>();
  for await (const { data } of client.getTrashPages()) holds<Same<(typeof data)["snippets"], TrashedSnippet[]>>();

  // @ts-expect-error A required argument is missing.
  await client.getSnippet({});
  // @ts-expect-error A list of ids is an array.
  await client.getTags({ tagIds: "a,b" });
  // @ts-expect-error A misspelled argument is refused.
  await client.putSnippet({ id: "a", folder_id: null });
  // @ts-expect-error One of the two, never both.
  await client.deleteSnippetVariation({ variationId: "a", variationIds: ["a"] });
  // @ts-expect-error One of the two, never none.
  await client.deleteSnippetVariation({});
  // @ts-expect-error A title can not be cleared.
  await client.putSnippet({ id: "a", title: null });
  // @ts-expect-error Every snippet of a batch is complete.
  await client.postSnippets({ snippets: [{ title: "T", content }] });
  // @ts-expect-error An answer without pages has no pagination.
  (await client.getSnippets({ ids: ["a"] })).pagination;
}
