// The library search of people: what it finds, without the texts.
import { findAuthors } from "../../library/authors.store.ts";
import type { Call } from "../../library/call.ts";
import { writesNothing } from "../../library/feed/noted.ts";
import { findListedSnippets } from "../../library/listed-snippets.store.ts";
import { listCorrections } from "../../library/search/corrections.ts";
import { findPage, prepareFilter, type SearchParameters } from "../../library/search/page.ts";
import type { LongRead } from "../../platform/database/long-read.ts";

interface Asked extends Pick<Call, "caller" | "trashDays"> {
  readonly query: SearchParameters;
}

const read = async (transaction: Call["transaction"], { query, ...rest }: Asked) => {
  const call: Call = { ...rest, transaction, ...writesNothing };
  const { correctedQuery, page } = await findOrCorrect(call, query);
  const { rows, metadata, pagination, matchesOf } = page;
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
    metadata: { ...metadata, ...(correctedQuery !== undefined && { correctedQuery }) },
    // A cursor belongs to the query as it was sent.
    nextCursor: correctedQuery === undefined ? pagination.nextCursor : null,
  };
};

// Without the texts, every page fits into a response.
const find = (call: Call, query: SearchParameters) => findPage(call, query, async (ids) => ids.length);

/** A search that finds nothing is tried again with its words as they are spelled elsewhere. */
async function findOrCorrect(call: Call, parameters: SearchParameters) {
  const page = await find(call, parameters);
  const { query, cursor } = parameters;
  if (query === undefined || cursor !== undefined || page.rows.length > 0) return { page };
  const filter = await prepareFilter(call, parameters);
  for (const correctedQuery of await listCorrections(call.transaction, call.caller.workspaceId, filter, query)) {
    const corrected = await find(call, { ...parameters, query: correctedQuery });
    if (corrected.rows.length > 0) return { page: corrected, correctedQuery };
  }
  return { page };
}

export const librarySearch: LongRead<Asked, Awaited<ReturnType<typeof read>>> = { name: "librarySearch", read };
