// Makes the snippets of an import, and gives those of the team their new versions.
import type { Call } from "../call.ts";
import { firstVariationName, type TreeSnippet } from "../formats/tree.ts";
import { putSnippet } from "../snippets.ts";
import { bytesOfRow, sum, textBytes } from "../stored-bytes.ts";
import { findFirstVariation } from "../variations.store.ts";
import { createSnippets } from "../write-snippets.ts";
import * as store from "./imports.store.ts";
import { groupIds } from "./make-groups.ts";
import { type Made, refusable, succeeded } from "./outcome.ts";
import { type Plan, type PlannedSnippet, toInput } from "./plan.ts";
import type { ImportSource, ImportTarget } from "./run.ts";
import type { Step } from "./steps.ts";
import { type SnippetTimes, timesOf } from "./times.ts";

export async function makeSnippets(
  call: Call,
  target: ImportTarget,
  { tree }: ImportSource,
  importId: string,
  plan: Plan,
  portion: readonly Step[],
  soFar: Made,
): Promise<void> {
  const { workspaceId } = target;
  const folders = await groupIds(call, workspaceId, importId, "folder", plan, tree);
  const tags = await groupIds(call, workspaceId, importId, "tag", plan, tree);
  const chosen = (kind: PlannedSnippet["kind"]) =>
    portion.flatMap((step) => {
      if (step.kind !== "snippet" || step.planned.kind !== kind) return [];
      const snippet = tree.snippets.at(step.place);
      return snippet ? [{ each: step.planned, snippet }] : [];
    });
  const creates = chosen("create").map((one) => withTimes(call, one));
  if (creates.length > 0) {
    const body = creates.map(({ snippet, times }, index) => ({
      index,
      id: undefined,
      value: {
        ...toInput(snippet, target.teamId),
        times,
        folderId: snippet.folder === null ? target.folderId : (folders.get(snippet.folder) ?? null),
        tagIds: snippet.tags.flatMap((key) => tags.get(key) ?? []),
      },
    }));
    const outcome = await refusable(
      call,
      soFar.failures,
      creates.map(({ snippet }) => snippet.title),
      async () => {
        const { done, errors } = await createSnippets(call, body);
        return { created: done, errors };
      },
    );
    const made = succeeded(creates, outcome).map(([{ each, ...rest }, { id }]) => ({ place: each.at, id, ...rest }));
    await complete(call, workspaceId, made);
    store.insertMade(
      call.transaction,
      workspaceId,
      importId,
      made.map(({ place, id, times }) => ({
        ...{ kind: "snippet" as const, place, id, made_at: times.updatedAt },
        ...{ version_id: null, former_version_id: null },
      })),
    );
    soFar.snippetIds.push(...made.map(({ id }) => id));
  }
  for (const { each, snippet } of chosen("replace")) await replace(call, workspaceId, importId, each, snippet, soFar);
}

interface Dated {
  readonly snippet: TreeSnippet;
  readonly times: SnippetTimes;
  /** The IDs of the former versions of each variation. */
  readonly versionIds: readonly (readonly string[])[];
}

/** IDs that are created before the snippet's sort before those of its current versions, also where their times are the same. */
const withTimes = <Chosen extends { readonly snippet: TreeSnippet }>(
  { transaction }: Call,
  chosen: Chosen,
): Chosen & Dated => ({
  ...chosen,
  times: timesOf(chosen.snippet, transaction.now),
  versionIds: chosen.snippet.variations.map(({ formerVersions }) => formerVersions.map(() => transaction.newId())),
});

/** What the rule for new snippets does not set: the archived state, the name of the first variation, and earlier versions. */
async function complete(
  { transaction, caller, storeBytes }: Call,
  workspaceId: string,
  made: readonly (Dated & { readonly id: string })[],
): Promise<void> {
  const versions = made.flatMap(({ id, snippet, times, versionIds }) =>
    snippet.variations.flatMap(({ formerVersions }, number) =>
      formerVersions.map(({ type, content }, index) => ({
        snippet_id: id,
        variation_number: number,
        changed_at: times.variations[number]?.former[index] ?? transaction.now,
        id: versionIds[number]?.[index] ?? transaction.newId(),
        changed_by: caller.id,
        content_type: type,
        content,
      })),
    ),
  );
  if (versions.length > 0) store.insertFormerVersions(transaction, workspaceId, versions);
  const changed = made.flatMap(({ id, snippet: { isArchived, variations } }) => {
    const name = variations[0]?.name || firstVariationName;
    return isArchived || name !== firstVariationName ? [{ id, is_archived: isArchived, variation_name: name }] : [];
  });
  if (changed.length > 0) store.completeSnippets(transaction, workspaceId, changed);
  const names = changed.map(({ variation_name }) => textBytes(variation_name) - textBytes(firstVariationName));
  await storeBytes(sum(names) + sum(versions.map(({ content_type, content }) => bytesOfRow(content_type, content))));
}

/** Gives a snippet of the team the text as a new version. Everything else of it stays. */
async function replace(
  call: Call,
  workspaceId: string,
  importId: string,
  planned: PlannedSnippet,
  { title, variations: [first] }: TreeSnippet,
  soFar: Made,
): Promise<void> {
  if (planned.kind === "create" || !first) return;
  const { transaction } = call;
  const before = await findFirstVariation(transaction, workspaceId, planned.id);
  await refusable(call, soFar.failures, [title], async () => {
    await putSnippet(call, {
      query: { id: planned.id },
      body: { content: { type: first.type, content: first.content } },
    });
    return { created: [], errors: [] };
  });
  const after = await findFirstVariation(transaction, workspaceId, planned.id);
  if (!before || !after || before.currentVersion.id === after.currentVersion.id) return;
  soFar.replaced += 1;
  store.insertMade(transaction, workspaceId, importId, [
    {
      ...{ kind: "version", place: planned.at, id: planned.id, made_at: transaction.now },
      ...{ version_id: after.currentVersion.id, former_version_id: before.currentVersion.id },
    },
  ]);
}
