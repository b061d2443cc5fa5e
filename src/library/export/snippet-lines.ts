// The snippets of a team as the lines of an archive. A snippet with much text is a line in pieces.
import type { Transaction } from "../../platform/database/database.ts";
import {
  type ExportedVariation,
  listForExport,
  listTagsForExport,
  listVariationsAfter,
  listVersionsAfter,
} from "./team.store.ts";
import { type ExportedTeam, type ExportPart, firstVariationOf, readPart, snippetOf, versionOf } from "./team.ts";

/** A snippet with more text than this is alone in its part, and is read piece by piece. */
export const wholeSnippetBytesMax = 16 * 1024 * 1024;
/** Texts of such a snippet that are read at once. */
const textsAtOnce = 4;

export interface SnippetLine {
  /** Undefined for one in pieces. */
  readonly length: number | undefined;
  readonly pieces: Iterable<string> | AsyncIterable<string>;
}

export async function* snippetLines(
  transaction: Transaction,
  team: ExportedTeam,
  part: ExportPart,
  bytesMax = wholeSnippetBytesMax,
): AsyncGenerator<SnippetLine, void> {
  if (part.ids.length === 1 && part.bytes > bytesMax)
    yield { length: undefined, pieces: lineInPieces(transaction, team, part) };
  else
    for (const snippet of await readPart(transaction, team, part)) {
      const line = `${JSON.stringify(snippet)}\n`;
      yield { length: line.length, pieces: [line] };
    }
}

async function* lineInPieces(
  transaction: Transaction,
  team: ExportedTeam,
  { ids }: ExportPart,
): AsyncGenerator<string, void> {
  const { workspaceId } = team;
  const [row] = await listForExport(transaction, workspaceId, ids);
  if (!row) return;
  const tagged = await listTagsForExport(transaction, workspaceId, [row.id]);
  const tags = tagged.map(({ tag_id }) => tag_id);
  yield `${withoutEnd(snippetOf(row, tags))},"variations":[`;
  yield* variationInPieces(transaction, team, firstVariationOf(row));
  for (let afterIndex = Number.MIN_SAFE_INTEGER; ; ) {
    const further = await listVariationsAfter(transaction, workspaceId, row.id, afterIndex, textsAtOnce);
    for (const each of further) {
      yield ",";
      yield* variationInPieces(transaction, team, each);
      afterIndex = each.variant_order_index;
    }
    if (further.length < textsAtOnce) break;
  }
  yield "]}\n";
}

async function* variationInPieces(
  transaction: Transaction,
  { workspaceId, withVersions }: ExportedTeam,
  variation: ExportedVariation,
): AsyncGenerator<string, void> {
  const { snippet_id, variation_number, name } = variation;
  yield `${withoutEnd({ name, ...versionOf(variation) })},"formerVersions":[`;
  let after: { readonly changed_at: string; readonly id: string } | undefined;
  for (let isMore = withVersions; isMore; ) {
    const versions = await listVersionsAfter(
      transaction,
      workspaceId,
      snippet_id,
      variation_number,
      after,
      textsAtOnce,
    );
    for (const each of versions) {
      yield `${after ? "," : ""}${JSON.stringify(versionOf(each))}`;
      after = each;
    }
    isMore = versions.length === textsAtOnce;
  }
  yield "]}";
}

const withoutEnd = (value: object): string => JSON.stringify(value).slice(0, -1);
