// What folders and tags share: they belong to a team and can be nested within it, without cycles.
import { countUpTo } from "../accounts/workspaces/maximums.store.ts";
import { errors, type Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { BatchItem } from "../contract/operation.ts";
import { lockForStorageChange } from "../metering/storage/storage.store.ts";
import type { Value } from "../platform/database/sql.ts";
import { prepareTeamCheck, requireAccess } from "./access.ts";
import type { Act } from "./activity.store.ts";
import { decideEach, validValues } from "./batch.ts";
import type { Call } from "./call.ts";
import type { NotedChange } from "./feed/noted.ts";
import type { GroupStore } from "./groups.store.ts";
import { bytesOfRow, sum } from "./stored-bytes.ts";

/** The columns that every group has. */
export interface Group {
  readonly id: string;
  readonly team_id: string;
  readonly workspace_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** When a group was created and last changed, of one that is older than its row. */
export interface OwnTimes {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Without times, it is created now. */
export type NewGroup<Input> = Input & { readonly times?: OwnTimes };

/** One kind of group: its store, and how its request fields become columns. */
export interface GroupKind<Row extends Group, Input, Changes> {
  readonly noun: "Folder" | "Tag";
  /** How many a workspace can have. */
  readonly most: number;
  readonly store: GroupStore<Row>;
  readonly parentField: string;
  readonly parentOf: (body: Input | Changes) => string | null | undefined;
  /** The texts of a group, its name first. */
  readonly textsOf: (row: Row) => readonly [name: string, color: string];
  readonly toRow: (group: Group, input: Input) => Row & Readonly<Record<string, Value>>;
  readonly toColumns: (changes: Changes) => Readonly<Record<string, Value>>;
}

export async function createGroups<Row extends Group, Input extends { teamId: string }, Changes>(
  call: Call,
  kind: GroupKind<Row, Input, Changes>,
  items: readonly BatchItem<NewGroup<Input>>[],
) {
  const { transaction, caller } = call;
  const inputs = validValues(items);
  const parentIds = inputs.flatMap((input) => kind.parentOf(input) ?? []);
  kind.store.lockForReference(transaction, caller.workspaceId, parentIds);
  // Nothing else is added to the library meanwhile.
  lockForStorageChange(transaction, caller.workspaceId);
  const what = kind.noun === "Folder" ? "folder" : "tag";
  const [checkTeam, total] = await Promise.all([
    prepareTeamCheck(
      call,
      inputs.map((input) => input.teamId),
    ),
    countUpTo(transaction, what, caller.workspaceId, kind.most),
  ]);
  const parents = await kind.store.find(transaction, caller.workspaceId, parentIds);
  const created: (Row & Readonly<Record<string, Value>>)[] = [];
  const outcome = await decideEach(items, async (input): Promise<Row | Refusal> => {
    const refusal =
      checkTeam(input.teamId) ?? (await checkParent(call, kind, kind.parentOf(input), input.teamId, parents));
    if (refusal) return refusal;
    if (total + created.length >= kind.most) return errors.tooManyGroups(kind.noun, kind.most);
    const group = {
      id: transaction.newId(),
      team_id: input.teamId,
      workspace_id: caller.workspaceId,
      created_at: input.times?.createdAt ?? transaction.now,
      updated_at: input.times?.updatedAt ?? transaction.now,
    };
    const row = kind.toRow(group, input);
    created.push(row);
    return row;
  });
  kind.store.insert(transaction, created);
  await call.storeBytes(sum(created.map((row) => bytesOfGroup(kind, row))));
  call.noteChanges(created.map((row) => changeOf(kind, "created", row)));
  return outcome;
}

export async function updateGroups<Row extends Group, Input, Changes>(
  call: Call,
  kind: GroupKind<Row, Input, Changes>,
  items: readonly BatchItem<Changes & { id: string }>[],
) {
  const { transaction, caller } = call;
  const inputs = validValues(items);
  const parentIds = inputs.flatMap((input) => kind.parentOf(input) ?? []);
  const mentionedIds = [...new Set([...inputs.map((input) => input.id), ...parentIds])];
  if (parentIds.length > 0) kind.store.lockTeams(transaction, caller.workspaceId, mentionedIds);
  if (mentionedIds.length > 0) kind.store.lockForChange(transaction, caller.workspaceId, mentionedIds);
  const rows = await kind.store.find(transaction, caller.workspaceId, mentionedIds);
  let added = 0;
  const changes: NotedChange[] = [];
  const acts: Act[] = [];
  // One after another: whether a parent closes a cycle depends on the parents that earlier items have set.
  const outcome = await decideEach(items, async (input): Promise<Row | Refusal> => {
    const row = requireAccess(
      caller,
      kind.noun,
      rows.find(({ id }) => id === input.id),
    );
    const refusal = await checkParent(call, kind, kind.parentOf(input), row.team_id, rows, input.id);
    if (refusal) return refusal;
    const updated = await kind.store.update(transaction, caller.workspaceId, row.id, kind.toColumns(input));
    if (!updated) return errors.notFound(kind.noun);
    added += bytesOfGroup(kind, updated) - bytesOfGroup(kind, row);
    const isMove = kind.parentOf(input) !== undefined && Object.keys(kind.toColumns(input)).length === 1;
    changes.push(changeOf(kind, isMove ? "moved" : "changed", row));
    acts.push(actOfUpdate(kind, row, updated, isMove));
    return updated;
  });
  await call.storeBytes(added);
  call.noteChanges(changes);
  call.recordActs(acts);
  return outcome;
}

/** Deletes groups; the groups inside them move to the top level. */
export async function removeGroups<Row extends Group>(
  { transaction, caller, storeBytes, noteChanges }: Call,
  kind: Pick<GroupKind<Row, never, never>, "noun" | "store" | "textsOf">,
  rows: readonly Row[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  kind.store.moveChildrenToRoot(transaction, caller.workspaceId, ids);
  kind.store.remove(transaction, caller.workspaceId, ids);
  noteChanges(rows.map((row) => changeOf(kind, "deleted", row)));
  await storeBytes(-sum(rows.map((row) => bytesOfGroup(kind, row))));
}

/** What was done to these groups. */
export const actsOnGroups = <Row extends Group>(
  { noun, textsOf }: Pick<GroupKind<Row, never, never>, "noun" | "textsOf">,
  action: "create" | "delete",
  rows: readonly Row[],
): Act[] =>
  rows.map((row) => ({ action: `${noun.toLowerCase()}.${action}`, teamId: row.team_id, name: textsOf(row)[0] }));

function actOfUpdate<Row extends Group>(
  { noun, textsOf }: Pick<GroupKind<Row, never, never>, "noun" | "textsOf">,
  before: Row,
  after: Row,
  isMove: boolean,
): Act {
  const [[from], [name]] = [textsOf(before), textsOf(after)];
  const action = isMove ? "move" : from === name ? "change" : "rename";
  const details = action === "rename" ? { details: { from } } : {};
  return { action: `${noun.toLowerCase()}.${action}`, teamId: after.team_id, name, ...details };
}

const changeOf = (
  { noun }: Pick<GroupKind<Group, never, never>, "noun">,
  action: NotedChange["action"],
  { id, team_id }: Group,
): NotedChange => ({ kind: noun === "Folder" ? "folder" : "tag", action, id, teamId: team_id });

const bytesOfGroup = <Row extends Group>({ textsOf }: Pick<GroupKind<Row, never, never>, "textsOf">, row: Row) =>
  bytesOfRow(...textsOf(row));

/**
 * Why a group cannot be the parent, or undefined. A parent must belong to the same team; the refusal does not tell whether it exists
 * elsewhere. It must not be the child or a group inside the child. Nesting is limited, because each check walks up to the root.
 */
async function checkParent<Row extends Group, Input, Changes>(
  { transaction, caller }: Call,
  { noun, store, parentField }: GroupKind<Row, Input, Changes>,
  parentId: string | null | undefined,
  teamId: string,
  candidates: readonly Group[],
  childId?: string,
): Promise<Refusal | undefined> {
  if (!parentId) return undefined;
  const kind = noun.toLowerCase();
  if (!candidates.some((group) => group.id === parentId && group.team_id === teamId))
    return errors.invalid(`${parentField} must be a ${kind} of the same team`);
  const path = await store.listPathToRoot(transaction, caller.workspaceId, parentId, limits.nestingMax);
  if (childId !== undefined && path.includes(childId))
    return errors.invalid(`${parentField} must not be the ${kind} itself or a ${kind} inside it`);
  if (path.length >= limits.nestingMax)
    return errors.invalid(`${parentField} must be nested fewer than ${limits.nestingMax} levels deep`);
  return undefined;
}
