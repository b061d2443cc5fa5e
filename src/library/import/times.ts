// The times that a snippet of an archive gets: its own, as far as they can be true, so that a team that moves to another instance keeps them.
import { counted } from "../formats/messages.ts";
import type { Place, SnippetList, TreeSnippet, TreeVariation, Warning } from "../formats/tree.ts";
import type { Plan } from "./plan.ts";

/** No snippet is older: a time before it comes from a clock that was not set. */
const earliest = "2000-01-01T00:00:00.000Z";

export interface VariationTimes {
  readonly createdAt: string;
  /** Of its current version. */
  readonly changedAt: string;
  /** Of its former versions, the oldest first. None is later than the current one. */
  readonly former: readonly string[];
}

export interface SnippetTimes {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly variations: readonly VariationTimes[];
}

/** @param now the time of the import, in place of what the archive does not say, or says wrongly */
export function timesOf(
  { createdAt: created, updatedAt: updated, variations }: TreeSnippet,
  now: string,
): SnippetTimes {
  const createdAt = usable(created, now) ?? now;
  return {
    createdAt,
    updatedAt: latest(usable(updated, now) ?? now, createdAt),
    variations: variations.map((each) => timesOfVariation(each, createdAt, now)),
  };
}

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

/** Says how many of the snippets that are made do not get all the times that the archive has. */
export function warnOfTimes(
  snippets: SnippetList,
  places: readonly Place[],
  plan: Pick<Plan, "snippets">,
  now: string,
): Warning[] {
  const changed = plan.snippets.flatMap(({ kind, at }) => {
    const snippet = snippets.at(at);
    return kind === "create" && snippet && !keepsTimes(snippet, now) ? [at] : [];
  });
  const [first] = changed;
  if (first === undefined) return [];
  const place = places[first];
  const message = `${counted(changed.length, "snippet")} ${changed.length === 1 ? "gets" : "get"} the time of the import in place of dates that are in the future, before 2000, malformed, or not in order.`;
  return [{ ...(place && { place }), message }];
}

function keepsTimes(snippet: TreeSnippet, now: string): boolean {
  const times = timesOf(snippet, now);
  const isKept = (time: string | null, given: string | undefined) => time === null || time === given;
  return (
    isKept(snippet.createdAt, times.createdAt) &&
    isKept(snippet.updatedAt, times.updatedAt) &&
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
