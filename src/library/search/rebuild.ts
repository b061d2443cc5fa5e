// Makes the index of a workspace anew from its snippets. Searches go on with what it had until that is done.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import * as store from "./index.store.ts";
import { indexSnippets } from "./index-snippets.ts";
import { indexWorkspace, manyPending } from "./indexing.ts";
import { removeSegment } from "./segment-maker.ts";
import { type Indexing, indexingOf } from "./segments.ts";

/** So few that a service which runs meanwhile leaves them to this process. */
const portionSnippets = manyPending - 128;

/**
 * Interrupted, it leaves an index that is complete; the next time, it begins anew.
 * @param report is told how many snippets are done
 */
export async function rebuildIndex(
  indexing: Indexing,
  workspaceId: string,
  report: (snippets: number) => void,
): Promise<void> {
  const { database } = indexing;
  const ofWorkspace = indexingOf(indexing, workspaceId);
  const stray = await ofWorkspace.read((transaction) => store.listStray(transaction, workspaceId));
  for (const { segment } of stray) await removeSegment(ofWorkspace, segment);
  await database.transaction(async (transaction) => {
    lockForWorkspaceChange(transaction, workspaceId);
    store.markOutdated(transaction, workspaceId);
  });
  let done = 0;
  for (let last: string | undefined; ; ) {
    const ids = await database.transaction(async (transaction) => {
      const found = await store.listSnippetIds(transaction, workspaceId, last, portionSnippets);
      await indexSnippets(transaction, workspaceId, found);
      return found;
    });
    last = ids.at(-1);
    if (last === undefined) break;
    await indexWorkspace(indexing, workspaceId);
    done += ids.length;
    report(done);
  }
  const segments = await database.read((transaction) => store.listSegments(transaction, workspaceId));
  for (const { segment, state } of segments) if (state === "outdated") await removeSegment(ofWorkspace, segment);
}
