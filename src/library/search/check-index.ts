// Examines the index: whether a search would come across every snippet.
import type { Transaction } from "../../platform/database/database.ts";
import * as store from "./index.store.ts";
import { DocumentReader } from "./segment.ts";

const snippetsAtOnce = 1_000;
const partsAtOnce = 1_000;

export interface IndexExamination {
  readonly examined: number;
  /** True where there are more snippets than were examined, which are spread over all of them. */
  readonly isSample: boolean;
  /** Snippets that are neither in the index as they are now nor wait for it, each with its workspace. */
  readonly missing: readonly store.SnippetPlace[];
}

/** @param snippetsMax where there are more, a sample of at least half as many is examined, evenly spread over all */
export async function examineIndex(transaction: Transaction, snippetsMax: number): Promise<IndexExamination> {
  let sample: store.SnippetPlace[] = [];
  let step = 1;
  let count = 0;
  for (let last: store.SnippetPlace | undefined; ; ) {
    const rows = await store.listSnippetPlaces(transaction, last, snippetsAtOnce);
    last = rows.at(-1);
    if (!last) break;
    for (const row of rows) {
      if (count % step === 0) sample.push(row);
      count += 1;
    }
    while (sample.length > snippetsMax) {
      sample = sample.filter((_, index) => index % 2 === 0);
      step *= 2;
    }
  }
  return { ...(await examine(transaction, sample)), isSample: step > 1 };
}

async function examine(transaction: Transaction, snippets: readonly store.SnippetPlace[]) {
  const missing: store.SnippetPlace[] = [];
  for (const [workspaceId, ofWorkspace] of Map.groupBy(snippets, (snippet) => snippet.workspace_id)) {
    const unseen = new Map(ofWorkspace.map((snippet) => [snippet.id, snippet]));
    for (const { snippetIds } of await store.listPending(transaction, workspaceId, Number.MAX_SAFE_INTEGER))
      for (const id of snippetIds) unseen.delete(id);
    for (const { segment, document_count } of await store.listSegments(transaction, workspaceId))
      for (let part = 0; part <= document_count; part += partsAtOnce)
        for (const { data } of await store.listDocumentBlocks(
          transaction,
          workspaceId,
          segment,
          part,
          part + partsAtOnce - 1,
        ))
          for (const { id, updatedAt } of new DocumentReader(data).all())
            if (Date.parse(unseen.get(id)?.updated_at ?? "") === updatedAt) unseen.delete(id);
    missing.push(...unseen.values());
  }
  return { examined: snippets.length, missing };
}
