// Makes the folders and tags of an import.
import type { Call } from "../call.ts";
import type { ImportTree } from "../formats/tree.ts";
import { folderKind, tagKind } from "../group-kinds.ts";
import { createGroups, type OwnTimes } from "../groups.ts";
import * as store from "./imports.store.ts";
import { type Made, type Outcome, refusable, succeeded } from "./outcome.ts";
import type { Plan, PlannedGroup } from "./plan.ts";
import type { ImportTarget } from "./run.ts";
import type { Step } from "./steps.ts";
import { timesOfGroup } from "./times.ts";

/** The IDs of the groups that the import has made, and of those that the team had. */
export async function groupIds(
  { transaction }: Call,
  workspaceId: string,
  importId: string,
  kind: "folder" | "tag",
  plan: Plan,
  tree: ImportTree,
) {
  const [groups, planned] = kind === "folder" ? [tree.folders, plan.folders] : [tree.tags, plan.tags];
  const made = await store.listMade(transaction, workspaceId, importId, [kind], groups.length + 1);
  const ids = new Map<string, string>();
  for (const { group, existingId } of planned) if (existingId !== null) ids.set(group.key, existingId);
  for (const { place, id } of made) {
    const group = groups[place];
    if (group) ids.set(group.key, id);
  }
  return ids;
}

/** The color of a group whose source has none. */
export const defaultColor = "#777c86";

export async function makeGroups(
  call: Call,
  { workspaceId, teamId, folderId }: ImportTarget,
  importId: string,
  kind: "folder" | "tag",
  plan: Plan,
  tree: ImportTree,
  portion: readonly Step[],
  soFar: Made,
): Promise<void> {
  const { transaction } = call;
  const [groups, planned] = kind === "folder" ? [tree.folders, plan.folders] : [tree.tags, plan.tags];
  const ids = await groupIds(call, workspaceId, importId, kind, plan, tree);
  const byKey = new Map(planned.map((each) => [each.group.key, each]));
  const missing = portion.flatMap(({ place }): (NewGroup & { place: number })[] => {
    const group = groups[place];
    const found = group && byKey.get(group.key);
    if (!found || found.existingId !== null || ids.has(found.group.key)) return [];
    return [{ ...found, place, times: timesOfGroup(found.group, transaction.now) }];
  });
  if (missing.length === 0) return;
  const outermost = kind === "folder" ? folderId : null;
  const parentOf = ({ group }: PlannedGroup) => (group.parent === null ? outermost : (ids.get(group.parent) ?? null));
  const names = missing.map(({ group }) => group.name);
  const made = await refusable(call, soFar.failures, names, () => postGroups(call, kind, teamId, missing, parentOf));
  const rows = succeeded(missing, made).map(([{ place, times }, { id }]) => ({
    ...{ kind, place, id, made_at: times.updatedAt, version_id: null, former_version_id: null },
  }));
  store.insertMade(transaction, workspaceId, importId, rows);
  soFar[kind === "folder" ? "folders" : "tags"] += rows.length;
}

interface NewGroup extends PlannedGroup {
  readonly times: OwnTimes;
}

/** Makes groups by the rule of their kind. */
async function postGroups(
  call: Call,
  kind: "folder" | "tag",
  teamId: string,
  groups: readonly NewGroup[],
  parentOf: (group: PlannedGroup) => string | null,
): Promise<Outcome<{ readonly id: string }>> {
  const bodyOf = <Value>(valueFor: (group: NewGroup, color: string) => Value) =>
    groups.map((each, index) => ({ index, id: undefined, value: valueFor(each, each.group.color ?? defaultColor) }));
  if (kind === "folder") {
    const body = bodyOf((each, folderColor) => ({
      ...{ teamId, folderName: each.group.name, folderColor, parentFolderId: parentOf(each) },
      times: each.times,
    }));
    const { done, errors } = await createGroups(call, folderKind, body);
    return { created: done, errors };
  }
  const body = bodyOf((each, tagColor) => ({
    teamId,
    tagName: each.group.name,
    tagColor,
    parentTagId: parentOf(each),
    times: each.times,
  }));
  const { done, errors } = await createGroups(call, tagKind, body);
  return { created: done, errors };
}
