// What folders and tags have in common: they belong to a team, and may be nested in one of the same team, without cycles.

import { errors, type Noun, type Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { BatchItem } from "../contract/operation.ts";
import type { Value } from "../platform/database/sql.ts";
import { accessible, teamRefusals } from "./access.ts";
import { decideEach, wellFormed } from "./batch.ts";
import type { Call } from "./call.ts";
import type { GroupStore } from "./groups.store.ts";

/** The columns that every group has. */
export interface Group {
  readonly id: string;
  readonly team_id: string;
  readonly workspace_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A kind of group: how its fields on the wire become columns. */
export interface Kind<Row extends Group, Input, Changes> {
  readonly noun: Noun;
  readonly rows: GroupStore<Row>;
  readonly parentField: string;
  readonly parentOf: (body: Input | Changes) => string | null | undefined;
  readonly toRow: (group: Group, input: Input) => Row & Readonly<Record<string, Value>>;
  readonly toColumns: (changes: Changes) => Readonly<Record<string, Value>>;
}

export async function createGroups<Row extends Group, Input extends { teamId: string }, Changes>(
  call: Call,
  kind: Kind<Row, Input, Changes>,
  items: readonly BatchItem<Input>[],
) {
  const { transaction, caller } = call;
  const inputs = wellFormed(items);
  const parentIds = inputs.flatMap((input) => kind.parentOf(input) ?? []);
  kind.rows.keep(transaction, caller.workspaceId, parentIds);
  const teamRefusal = await teamRefusals(
    call,
    inputs.map((input) => input.teamId),
  );
  const parents = await kind.rows.find(transaction, caller.workspaceId, parentIds);
  const made: (Row & Readonly<Record<string, Value>>)[] = [];
  const outcome = await decideEach(items, async (input): Promise<Row | Refusal> => {
    const refusal =
      teamRefusal(input.teamId) ?? (await parentRefusal(call, kind, kind.parentOf(input), input.teamId, parents));
    if (refusal) return refusal;
    const group = {
      id: transaction.newId(),
      team_id: input.teamId,
      workspace_id: caller.workspaceId,
      created_at: transaction.now,
      updated_at: transaction.now,
    };
    const row = kind.toRow(group, input);
    made.push(row);
    return row;
  });
  kind.rows.insert(transaction, made);
  return outcome;
}

export async function changeGroups<Row extends Group, Input, Changes>(
  call: Call,
  kind: Kind<Row, Input, Changes>,
  items: readonly BatchItem<Changes & { id: string }>[],
) {
  const { transaction, caller } = call;
  const inputs = wellFormed(items);
  const parentIds = inputs.flatMap((input) => kind.parentOf(input) ?? []);
  const mentioned = [...new Set([...inputs.map((input) => input.id), ...parentIds])];
  kind.rows.hold(transaction, caller.workspaceId, mentioned, parentIds.length > 0);
  const rows = await kind.rows.find(transaction, caller.workspaceId, mentioned);
  // One after the other: whether a parent closes a cycle depends on the parents that earlier items have set.
  return decideEach(items, async (input): Promise<Row | Refusal> => {
    const row = accessible(
      caller,
      kind.noun,
      rows.find(({ id }) => id === input.id),
    );
    const refusal = await parentRefusal(call, kind, kind.parentOf(input), row.team_id, rows, input.id);
    if (refusal) return refusal;
    const changed = await kind.rows.update(transaction, caller.workspaceId, row.id, kind.toColumns(input));
    return changed ?? errors.notFound(kind.noun);
  });
}

/**
 * Why a group may not be the parent: it must be of the same team (whether it exists elsewhere is nobody's business), must not
 * be the child or inside it, and nesting must end, because every such look walks up to the top.
 */
async function parentRefusal<Row extends Group, Input, Changes>(
  { transaction, caller }: Call,
  { noun, rows, parentField }: Kind<Row, Input, Changes>,
  parentId: string | null | undefined,
  teamId: string,
  candidates: readonly Group[],
  childId?: string,
): Promise<Refusal | undefined> {
  if (!parentId) return undefined;
  const kind = noun.toLowerCase();
  if (!candidates.some((group) => group.id === parentId && group.team_id === teamId))
    return errors.invalid(`${parentField} must be a ${kind} of the same team`);
  const upwards = await rows.listUpwards(transaction, caller.workspaceId, parentId, limits.nestingMax);
  if (childId !== undefined && upwards.includes(childId))
    return errors.invalid(`${parentField} must not be the ${kind} itself or a ${kind} inside it`);
  if (upwards.length >= limits.nestingMax)
    return errors.invalid(`${parentField} must not be nested ${limits.nestingMax} deep or more`);
  return undefined;
}
