// Usage by day, split by operation, key or team.
import type { z } from "zod";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { usage } from "../../contract/console/operations/usage.ts";
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { dayOf, shiftDay } from "../../platform/time.ts";
import { titleOf } from "./explanation.ts";
import { findKeyNames, findTeamNames } from "./names.store.ts";
import { sumUsage, type UsagePart, type UsageSum } from "./totals.store.ts";

type Usage = z.output<typeof usage>;
type Part = Usage["parts"][number];

const daysDefault = 30;
/** The largest parts are listed. The others are one part together, so that a response stays small. */
const partsMax = 50;
/** The id of that part. */
const others = "others";
/** The id of all teams that are invisible to the reader. */
const hidden = "private";

/** The requested days, both included; by default the last 30. @throws Refusal `invalid` naming the field */
export function spanOf(now: string, query: { from?: string | undefined; to?: string | undefined }) {
  const to = query.to ?? dayOf(now);
  const from = query.from ?? shiftDay(to, 1 - daysDefault);
  if (from > to) throw errors.invalid('"from" must not be later than "to"');
  const { usageDaysMax } = consoleLimits;
  if (shiftDay(from, usageDaysMax) <= to)
    throw errors.invalid(`"from" must be at most ${usageDaysMax} days before "to"`);
  return { from, to };
}

/** Every day of the span with its parts, the largest first. Hidden teams count together, without their names. */
export async function readDailyUsage(
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
  if (rest.length > 0) parts.push({ id: others, name: `${rest.length} others`, ...sumOf(rest) });

  const indexOfPart = new Map(shown.map((part, index) => [part.id, index]));
  const byDay = Map.groupBy(sums, (sum) => sum.day);
  const days: Usage["days"] = [];
  for (let day = from; day <= to; day = shiftDay(day, 1)) {
    const ofDay = byDay.get(day) ?? [];
    const units_by_part = parts.map(() => 0);
    for (const sum of ofDay) {
      const index = indexOfPart.get(sum.part) ?? parts.length - 1;
      units_by_part[index] = (units_by_part[index] ?? 0) + sum.units;
    }
    days.push({ day, ...sumOf(ofDay), units_by_part });
  }
  return { from, to, by, ...sumOf(sums), parts, days };
}

/** Units from a day on, until now. */
export async function unitsSince(transaction: Transaction, workspaceId: string, from: string): Promise<number> {
  const span = { from, to: dayOf(transaction.now), by: "operation" } as const;
  return sumOf(await sumUsage(transaction, workspaceId, span)).units;
}

interface Use {
  readonly calls: number;
  readonly units: number;
}

const sumOf = (uses: readonly Use[]) => ({
  calls: uses.reduce((sum, use) => sum + use.calls, 0),
  units: uses.reduce((sum, use) => sum + use.units, 0),
});

/** The parts by units, then by calls, then by ids, so that the order is stable. */
function ranking(sums: readonly UsageSum[]) {
  const parts = Map.groupBy(sums, (sum) => sum.part);
  return [...parts]
    .map(([id, ofPart]) => ({ id, ...sumOf(ofPart) }))
    .sort((left, right) => right.units - left.units || right.calls - left.calls || (left.id < right.id ? -1 : 1));
}

/** The names of the parts: an operation has its method and path. A deleted key keeps its name. */
async function namesOf(transaction: Transaction, workspaceId: string, by: UsagePart, ids: readonly string[]) {
  if (by === "operation") return titleOf;
  const known = ids.filter((id) => id !== "" && id !== hidden);
  const find = by === "key" ? findKeyNames : findTeamNames;
  const names = await find(transaction, workspaceId, known);
  const unnamed = new Map([
    ["", "No team or several teams"],
    [hidden, "Other private teams"],
  ]);
  return (id: string) => names.get(id) ?? unnamed.get(id) ?? id;
}
