// Folders or tags as choices: the best matches of what is typed, each with its color and where it is.
import { useMemo } from "react";
import { ColorDot } from "../list/tag-chip.tsx";
import type { Choice } from "../palette/choice-dialog.tsx";
import { findBest } from "../palette/rank.ts";
import { type Group, pathNames } from "./group.ts";

const shownMax = 50;
const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The key of a choice is the id of its group. */
export function useGroupChoices(groups: readonly Group[], query: string): readonly Omit<Choice, "onPick">[] {
  const sorted = useMemo(() => groups.toSorted((one, other) => compare(one.name, other.name)), [groups]);
  const byId = useMemo(() => new Map(groups.map((group) => [group.id, group])), [groups]);
  return useMemo(
    () =>
      findBest(sorted, query, ({ name }) => name, shownMax).map(({ id, name, color, kind, parentId }) => ({
        key: id,
        label: name,
        detail: pathNames(byId, parentId),
        lead: <ColorDot color={color} {...(kind === "folder" ? { shape: "folder" } : { className: "size-2.5" })} />,
      })),
    [sorted, byId, query],
  );
}
