// Usage as people look at it: a span of days, each with its units, split by operation, key or team.

import type { z } from "zod";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { usage } from "../../contract/console/records.ts";
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { dayOf, shiftDay } from "../../platform/time.ts";
import { operationOf } from "./explanation.ts";
import { findKeyNames, findTeamNames } from "./names.store.ts";
import { sumUsage, type UsagePart, type UsageSum } from "./totals.store.ts";

type Usage = z.output<typeof usage>;
type Part = Usage["parts"][number];

const daysDefault = 30;
/** Parts of their own; what is used least is one part together, so that an answer has an end. */
const partsMax = 50;
/** The id of that part. */
const others = "others";
/** The id of the teams together that somebody must not know of. */
const hidden = "private";

/** The days asked for, both included: the last 30 where nothing is said. @throws Refusal 400 naming the field */
export function spanOf(now: string, query: { from?: string | undefined; to?: string | undefined }) {
  const to = query.to ?? dayOf(now);
  const from = query.from ?? shiftDay(to, 1 - daysDefault);
  if (from > to) throw errors.invalid("from must not be after to");
  const { usageDaysMax } = consoleLimits;
  if (shiftDay(from, usageDaysMax) <= to) throw errors.invalid(`from must be at most ${usageDaysMax} days before to`);
  return { from, to };
}

/** Every day of the span, and its parts, the most used first. Teams that are hidden count together, without their names. */
export async function showDays(
  transaction: Transaction,
  workspaceId: string,
  { from, to, by, hiddenTeams }: { from: string; to: string; by: UsagePart; hiddenTeams: ReadonlySet<string> },
): Promise<Usage> {
  const found = await sumUsage(transaction, workspaceId, { from, to, by });
  const sums = by === "team" ? found.map((sum) => (hiddenTeams.has(sum.part) ? { ...sum, part: hidden } : sum)) : found;
  const ranked = ranking(sums);
  const shown = ranked.length > partsMax ? ranked.slice(0, partsMax - 1) : ranked;
  const rest = ranked.slice(shown.length);
  const names = await namesOf(
    transaction,
    workspaceId,
    by,
    shown.map((part) => part.id),
  );
  const parts: Part[] = shown.map((part) => ({ ...part, name: names(part.id) }));
  if (rest.length > 0) parts.push({ id: others, name: `${rest.length} others`, ...together(rest) });

  const placeOf = new Map(shown.map((part, index) => [part.id, index]));
  const byDay = Map.groupBy(sums, (sum) => sum.day);
  const days: Usage["days"] = [];
  for (let day = from; day <= to; day = shiftDay(day, 1)) {
    const ofDay = byDay.get(day) ?? [];
    const units_by_part = parts.map(() => 0);
    for (const sum of ofDay) {
      const place = placeOf.get(sum.part) ?? parts.length - 1;
      units_by_part[place] = (units_by_part[place] ?? 0) + sum.units;
    }
    days.push({ day, ...together(ofDay), units_by_part });
  }
  return { from, to, by, ...together(sums), parts, days };
}

/** The units of the days from one on, until now. */
export async function unitsSince(transaction: Transaction, workspaceId: string, from: string): Promise<number> {
  const span = { from, to: dayOf(transaction.now), by: "operation" } as const;
  return together(await sumUsage(transaction, workspaceId, span)).units;
}

interface Use {
  readonly calls: number;
  readonly units: number;
}

const together = (uses: readonly Use[]) => ({
  calls: uses.reduce((sum, use) => sum + use.calls, 0),
  units: uses.reduce((sum, use) => sum + use.units, 0),
});

/** The parts by their units, then by their calls; those that are alike by their ids, so that the order stays. */
function ranking(sums: readonly UsageSum[]) {
  const parts = Map.groupBy(sums, (sum) => sum.part);
  return [...parts]
    .map(([id, ofPart]) => ({ id, ...together(ofPart) }))
    .sort((left, right) => right.units - left.units || right.calls - left.calls || (left.id < right.id ? -1 : 1));
}

/** How the parts are called: an operation by its method and path. A deleted key keeps its name. */
async function namesOf(transaction: Transaction, workspaceId: string, by: UsagePart, ids: readonly string[]) {
  if (by === "operation")
    return (id: string) => {
      const row = operationOf(id);
      return row ? `${row.method} ${row.path}` : id;
    };
  const known = ids.filter((id) => id !== "" && id !== hidden);
  const find = by === "key" ? findKeyNames : findTeamNames;
  const names = await find(transaction, workspaceId, known);
  const unnamed = new Map([
    ["", "No team or several"],
    [hidden, "Private teams of others"],
  ]);
  return (id: string) => names.get(id) ?? unnamed.get(id) ?? id;
}
