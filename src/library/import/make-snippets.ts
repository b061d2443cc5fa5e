// Makes the snippets of an import, and gives those of the team their new versions.
import { addMilliseconds } from "../../platform/time.ts";
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
  const places = new Set(portion.map(({ place }) => place));
  const planned = plan.snippets.filter(({ at }) => places.has(at));
  const folders = await groupIds(call, workspaceId, importId, "folder", plan, tree);
  const tags = await groupIds(call, workspaceId, importId, "tag", plan, tree);
  const chosen = (kind: PlannedSnippet["kind"]) =>
    planned.flatMap((each) => {
      const snippet = tree.snippets[each.at];
      return each.kind === kind && snippet ? [{ each, snippet }] : [];
    });
  const creates = chosen("create");
  if (creates.length > 0) {
    const body = creates.map(({ snippet }, index) => ({
      index,
      id: undefined,
      value: {
        ...toInput(snippet, target.teamId),
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
    const made = succeeded(creates, outcome).map(([{ each, snippet }, { id }]) => ({ place: each.at, snippet, id }));
    await complete(call, workspaceId, made);
    store.insertMade(
      call.transaction,
      workspaceId,
      importId,
      made.map(({ place, id }) => ({
        ...{
          kind: "snippet" as const,
          place,
          id,
          made_at: call.transaction.now,
          version_id: null,
          former_version_id: null,
        },
      })),
    );
    soFar.snippetIds.push(...made.map(({ id }) => id));
  }
  for (const { each, snippet } of chosen("replace")) await replace(call, workspaceId, importId, each, snippet, soFar);
}

/** What the rule for new snippets does not set: the archived state, the name of the first variation, and earlier versions. */
async function complete(
  { transaction, caller, storeBytes }: Call,
  workspaceId: string,
  made: readonly { readonly snippet: TreeSnippet; readonly id: string }[],
): Promise<void> {
  const latest = addMilliseconds(transaction.now, -1);
  const versions = made.flatMap(({ id, snippet }) =>
    snippet.variations.flatMap(({ formerVersions }, number) =>
      formerVersions.map(({ type, content, changedAt }) => ({
        snippet_id: id,
        variation_number: number,
        // Older than the current version, which is written now.
        changed_at: changedAt !== null && isTime(changedAt) && changedAt < latest ? changedAt : latest,
        id: transaction.newId(),
        changed_by: caller.id,
        content_type: type,
        content,
      })),
    ),
  );
  if (versions.length > 0) store.insertFormerVersions(transaction, workspaceId, versions);
  const changed = made.flatMap(({ id, snippet: { isArchived, variations } }) => {
    const [first] = variations;
    const name = first?.name || firstVariationName;
    const hasVersions = (first?.formerVersions.length ?? 0) > 0;
    if (!isArchived && !hasVersions && name === firstVariationName) return [];
    const version = hasVersions
      ? { changed_at: transaction.now, version_id: transaction.newId() }
      : { changed_at: null, version_id: null };
    return [{ id, is_archived: isArchived, variation_name: name, ...version }];
  });
  if (changed.length > 0) store.completeSnippets(transaction, workspaceId, changed);
  const names = changed.map(({ variation_name }) => textBytes(variation_name) - textBytes(firstVariationName));
  await storeBytes(sum(names) + sum(versions.map(({ content_type, content }) => bytesOfRow(content_type, content))));
}

const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));

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
