// The steps of an import, and how many of them one transaction does.
import type { Tree } from "../formats/tree.ts";
import { sum } from "../stored-bytes.ts";
import type { Plan } from "./plan.ts";

/** What is done one after another. Every run of an import has the same steps, so that their number says where it stopped. */
export type Step =
  | { readonly kind: "folder" | "tag"; readonly place: number }
  | { readonly kind: "snippet"; readonly place: number };

export const countSteps = ({ folders, tags, snippets }: Tree): number => folders.length + tags.length + snippets.length;

const stepsOf = ({ folders, tags, snippets }: Tree): Step[] => [
  ...folders.map((_, place) => ({ kind: "folder" as const, place })),
  ...tags.map((_, place) => ({ kind: "tag" as const, place })),
  ...snippets.map((_, place) => ({ kind: "snippet" as const, place })),
];

interface ActingStep {
  readonly step: Step;
  readonly number: number;
}

/** Of plans that are being carried out: each portion asks for all steps. */
const knownSteps = new WeakMap<Plan, { readonly tree: Tree; readonly steps: readonly ActingStep[] }>();

/** The steps that make or change something, each with its number. What the team has, and what is left out, is passed over. */
export function actingSteps(plan: Plan, tree: Tree): readonly ActingStep[] {
  const known = knownSteps.get(plan);
  if (known?.tree === tree) return known.steps;
  const steps = findActingSteps(plan, tree);
  knownSteps.set(plan, { tree, steps });
  return steps;
}

function findActingSteps({ folders, tags, snippets }: Plan, tree: Tree): ActingStep[] {
  const newKeys = (groups: Plan["folders"]) =>
    new Set(groups.flatMap(({ group, existingId }) => (existingId === null ? group.key : [])));
  const [newFolders, newTags] = [newKeys(folders), newKeys(tags)];
  const written = new Set(snippets.flatMap(({ kind, at }) => (kind === "skip" ? [] : at)));
  const acts = ({ kind, place }: Step): boolean => {
    if (kind === "snippet") return written.has(place);
    const key = (kind === "folder" ? tree.folders : tree.tags)[place]?.key ?? "";
    return (kind === "folder" ? newFolders : newTags).has(key);
  };
  return stepsOf(tree).flatMap((step, number) => (acts(step) ? { step, number } : []));
}

/** The text that one transaction writes. A single snippet may be longer. */
const portionLengthMax = 2_000_000;

/** The first steps of the same kind; of groups, those that are not in each other. */
export function portionOf(steps: readonly Step[], { folders, tags, snippets }: Tree): Step[] {
  const portion: Step[] = [];
  const keys = new Set<string>();
  let length = 0;
  for (const step of steps) {
    if (step.kind !== steps[0]?.kind) break;
    if (step.kind === "snippet") {
      const { variations = [] } = snippets[step.place] ?? {};
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
