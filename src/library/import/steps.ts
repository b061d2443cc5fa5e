// The steps of an import, and how many of them one transaction does.
import type { ImportTree } from "../formats/tree.ts";
import { sum } from "../stored-bytes.ts";
import type { Plan, PlannedSnippet } from "./plan.ts";

/** What is done one after another. Every run of an import has the same steps, so that their number says where it stopped. */
export type Step =
  | { readonly kind: "folder" | "tag"; readonly place: number }
  | { readonly kind: "snippet"; readonly place: number; readonly planned: PlannedSnippet };

export const countSteps = ({ folders, tags, snippets }: ImportTree): number =>
  folders.length + tags.length + snippets.length;

interface ActingStep {
  readonly step: Step;
  readonly number: number;
}

/** Of plans that are being carried out: each portion asks for all steps. */
const knownSteps = new WeakMap<Plan, { readonly tree: ImportTree; readonly steps: readonly ActingStep[] }>();

/** The steps that make or change something, each with its number. What the team has, and what is left out, is passed over. */
export function actingSteps(plan: Plan, tree: ImportTree): readonly ActingStep[] {
  const known = knownSteps.get(plan);
  if (known?.tree === tree) return known.steps;
  const steps = findActingSteps(plan, tree);
  knownSteps.set(plan, { tree, steps });
  return steps;
}

function findActingSteps({ folders, tags, snippets }: Plan, tree: ImportTree): ActingStep[] {
  const stepsOf = (kind: "folder" | "tag", planned: Plan["folders"], groups: ImportTree["folders"], before: number) => {
    const made = new Set(planned.flatMap(({ group, existingId }) => (existingId === null ? group.key : [])));
    return groups.flatMap(({ key }, place) => (made.has(key) ? { step: { kind, place }, number: before + place } : []));
  };
  const before = tree.folders.length + tree.tags.length;
  return [
    ...stepsOf("folder", folders, tree.folders, 0),
    ...stepsOf("tag", tags, tree.tags, tree.folders.length),
    ...snippets.flatMap((planned) =>
      planned.kind === "skip"
        ? []
        : { step: { kind: "snippet" as const, place: planned.at, planned }, number: before + planned.at },
    ),
  ];
}

/** Where the steps with this number and greater ones begin. */
export function firstFrom(steps: readonly ActingStep[], number: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.number ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text that one transaction writes. A single snippet may be longer. */
const portionLengthMax = 2_000_000;

/** The first steps of the same kind; of groups, those that are not in each other. */
export function portionOf(steps: readonly Step[], { folders, tags, snippets }: ImportTree): Step[] {
  const portion: Step[] = [];
  const keys = new Set<string>();
  let length = 0;
  for (const step of steps) {
    if (step.kind !== steps[0]?.kind) break;
    if (step.kind === "snippet") {
      const { variations = [] } = snippets.at(step.place) ?? {};
      length += sum(
        variations.flatMap(({ content, formerVersions }) => [
          content.length,
          ...formerVersions.map((each) => each.content.length),
        ]),
      );
      if (portion.length > 0 && length > portionLengthMax) break;
    } else {
      const group = (step.kind === "folder" ? folders : tags)[step.place];
      if (group?.parent && keys.has(group.parent)) break;
      if (group) keys.add(group.key);
    }
    portion.push(step);
  }
  return portion;
}
