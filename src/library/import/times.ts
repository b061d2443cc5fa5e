// The times that the snippets, folders, and tags of an archive get: their own, as far as they can be true, so that a team that moves to
// another instance keeps them.
import { counted, listed } from "../formats/messages.ts";
import type { Place, SnippetList, TreeGroup, TreeSnippet, TreeVariation, Warning } from "../formats/tree.ts";
import type { OwnTimes } from "../groups.ts";
import type { Plan, PlannedGroup } from "./plan.ts";

/** Nothing is older: a time before it comes from a clock that was not set. */
const earliest = "2000-01-01T00:00:00.000Z";

export interface VariationTimes {
  readonly createdAt: string;
  /** Of its current version. */
  readonly changedAt: string;
  /** Of its former versions, the oldest first. None is later than the current one. */
  readonly former: readonly string[];
}

export interface SnippetTimes extends OwnTimes {
  readonly variations: readonly VariationTimes[];
}

/** @param now the time of the import, in place of what the archive does not say, or says wrongly */
export function timesOf(snippet: TreeSnippet, now: string): SnippetTimes {
  const { createdAt, updatedAt } = timesOfGroup(snippet, now);
  const variations = snippet.variations.map((each) => timesOfVariation(each, createdAt, now));
  return { createdAt, updatedAt, variations };
}

export function timesOfGroup({ createdAt: created, updatedAt: updated }: Dated, now: string): OwnTimes {
  const createdAt = usable(created, now) ?? now;
  return { createdAt, updatedAt: latest(usable(updated, now) ?? now, createdAt) };
}

type Dated = Pick<TreeGroup | TreeSnippet, "createdAt" | "updatedAt">;

function timesOfVariation(
  { changedAt: changed, formerVersions }: TreeVariation,
  snippetCreatedAt: string,
  now: string,
): VariationTimes {
  const known = formerVersions.map((version) => usable(version.changedAt, now));
  const changedAt = latest(usable(changed, now) ?? now, ...known.flatMap((time) => time ?? []));
  const former = known.map(
    (time, index) => time ?? known.slice(index).find((later) => later !== undefined) ?? changedAt,
  );
  // A variation is as old as its first version.
  return { createdAt: latest(earliestOf(changedAt, ...former), snippetCreatedAt), changedAt, former };
}

/**
 * Says how many of the snippets, folders, and tags that are made do not get all the times that the archive has.
 * @param made what the import itself has made until now
 */
export function warnOfTimes(
  snippets: SnippetList,
  places: readonly Place[],
  plan: Pick<Plan, "snippets" | "folders" | "tags">,
  made: ReadonlySet<string>,
  now: string,
): Warning[] {
  const changed = plan.snippets.flatMap(({ kind, at }) => {
    const snippet = snippets.at(at);
    return kind === "create" && snippet && !keepsTimes(snippet, now) ? [at] : [];
  });
  const isChanged = ({ group, existingId }: PlannedGroup) =>
    (existingId === null || made.has(existingId)) && !keepsOwnTimes(group, timesOfGroup(group, now));
  const counts = [
    [changed.length, "snippet"],
    [plan.folders.filter(isChanged).length, "folder"],
    [plan.tags.filter(isChanged).length, "tag"],
  ] as const;
  const nouns = counts.flatMap(([count, noun]) => (count > 0 ? counted(count, noun) : []));
  if (nouns.length === 0) return [];
  const isOne = counts.reduce((sum, [count]) => sum + count, 0) === 1;
  const [first] = changed;
  const place = first === undefined ? undefined : places[first];
  const message = `${listed(nouns)} ${isOne ? "gets" : "get"} the time of the import in place of dates that are in the future, before 2000, malformed, or not in order.`;
  return [{ ...(place && { place }), message }];
}

const isKept = (time: string | null, given: string | undefined): boolean => time === null || time === given;

const keepsOwnTimes = ({ createdAt, updatedAt }: Dated, given: OwnTimes): boolean =>
  isKept(createdAt, given.createdAt) && isKept(updatedAt, given.updatedAt);

function keepsTimes(snippet: TreeSnippet, now: string): boolean {
  const times = timesOf(snippet, now);
  return (
    keepsOwnTimes(snippet, times) &&
    snippet.variations.every(({ changedAt, formerVersions }, number) => {
      const given = times.variations[number];
      return (
        isKept(changedAt, given?.changedAt) &&
        formerVersions.every((version, index) => isKept(version.changedAt, given?.former[index]))
      );
    })
  );
}

const usable = (time: string | null, now: string): string | undefined =>
  time !== null && isTime(time) && time >= earliest && time <= now ? time : undefined;

/** Whether the service writes times like this one: such texts sort in the order of time. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text)) && !isRolledOver(text);

/** February 30 can be parsed, as a day in March. */
const isRolledOver = (text: string): boolean => new Date(text).toISOString() !== text;

const latest = (...[first = "", ...others]: readonly string[]): string =>
  others.reduce((one, other) => (other > one ? other : one), first);
const earliestOf = (...[first = "", ...others]: readonly string[]): string =>
  others.reduce((one, other) => (other < one ? other : one), first);
