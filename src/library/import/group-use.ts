// Which new folders and tags an import needs. Those of duplicates alone would stay empty: a duplicate stays where it is in the team.
import type { TreeSnippet } from "../formats/tree.ts";
import type { PlannedGroup } from "./plan.ts";

type NewGroups = ReadonlyMap<string, PlannedGroup>;

export class GroupUse {
  readonly #folders: NewGroups;
  readonly #tags: NewGroups;
  readonly #used = new Set<PlannedGroup>();
  readonly #needed = new Set<PlannedGroup>();

  constructor(folders: readonly PlannedGroup[], tags: readonly PlannedGroup[]) {
    this.#folders = newByKey(folders);
    this.#tags = newByKey(tags);
  }

  /** @returns the new groups that a snippet of the file is in */
  of({ folder, tags }: TreeSnippet): readonly PlannedGroup[] {
    const inFolder = folder === null ? undefined : this.#folders.get(folder);
    const groups = [inFolder ?? [], ...tags.map((key) => this.#tags.get(key) ?? [])].flat();
    for (const group of groups) this.#used.add(group);
    return groups;
  }

  /** @param groups of a snippet that is created */
  need(groups: readonly PlannedGroup[] = []): void {
    for (const group of groups) this.#needed.add(group);
  }

  /** Those that are needed, that the team has, and that are empty in the file itself, with what these are in. */
  among(planned: readonly PlannedGroup[]): PlannedGroup[] {
    const [around, aroundKept] = [new Set<string>(), new Set<string>()];
    // What is inside comes after what it is in.
    const kept = planned.toReversed().filter((each) => {
      const { key, parent } = each.group;
      const isEmptyInFile = !this.#used.has(each) && !around.has(key);
      const isKept = each.existingId !== null || isEmptyInFile || this.#needed.has(each) || aroundKept.has(key);
      if (parent !== null) around.add(parent);
      if (parent !== null && isKept) aroundKept.add(parent);
      return isKept;
    });
    return kept.reverse();
  }
}

const newByKey = (planned: readonly PlannedGroup[]): NewGroups =>
  new Map(planned.filter(({ existingId }) => existingId === null).map((each) => [each.group.key, each]));
