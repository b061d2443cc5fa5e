// The library search of people: what it finds, without the texts.
import { findAuthors } from "../../library/authors.store.ts";
import type { Call } from "../../library/call.ts";
import { writesNothing } from "../../library/feed/noted.ts";
import { findListedSnippets } from "../../library/listed-snippets.store.ts";
import { findPage, type SearchParameters } from "../../library/search/page.ts";
import type { LongRead } from "../../platform/database/long-read.ts";

interface Asked extends Pick<Call, "caller" | "trashDays"> {
  readonly query: SearchParameters;
}

const read = async (transaction: Call["transaction"], { query, ...call }: Asked) => {
  // Without the texts, every page fits into a response.
  const { rows, metadata, pagination, matchesOf } = await findPage(
    { ...call, transaction, ...writesNothing },
    query,
    async (ids) => ids.length,
  );
  const { workspaceId } = call.caller;
  const listed = await findListedSnippets(
    transaction,
    workspaceId,
    rows.map(({ id }) => id),
  );
  const matches = await matchesOf();
  const writers = listed.map((row) => row.updated_by);
  const authorOf = await findAuthors(transaction, workspaceId, writers);
  return {
    data: listed.map((row) => ({
      ...row,
      tag_ids: [...row.tag_ids],
      updated_by: authorOf(row.updated_by),
      matches: matches.get(row.id) ?? [],
    })),
    metadata,
    nextCursor: pagination.nextCursor,
  };
};

export const librarySearch: LongRead<Asked, Awaited<ReturnType<typeof read>>> = { name: "librarySearch", read };
