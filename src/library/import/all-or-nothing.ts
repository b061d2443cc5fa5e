// Whether a file can be imported as a whole. It is decided before anything of it is imported, because a large one takes several
// transactions: what it needs in the end must be there at the beginning.
import { countUpTo } from "../../accounts/workspaces/maximums.store.ts";
import type { ImportIssue } from "../../contract/envelope.ts";
import { errors, type Refusal } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Call } from "../call.ts";
import { countWarnings, type ImportTree, type Warning } from "../formats/tree.ts";
import { bytesOfRow, sum } from "../stored-bytes.ts";
import { bytesOfSnippet } from "../write-snippets.ts";
import { defaultColor } from "./make-groups.ts";
import { countPlan, type Plan, toInput } from "./plan.ts";

export const toIssue = ({ place, message }: Warning): ImportIssue => ({
  file: place?.file ?? null,
  line: place?.line ?? null,
  message,
});

/** As the API has them: so many at most. */
export const toIssues = (notes: readonly Warning[]): ImportIssue[] =>
  notes.slice(0, limits.importIssuesMax).map(toIssue);

/** Refuses to import a part of a file. */
export const refusalOf = (problems: readonly Warning[]): Refusal =>
  errors.fileHasProblems(countWarnings(problems), toIssues(problems));

/**
 * @param itemsMax snippets, folders, and tags that each request makes or changes
 * @param isBeginning false where a part of the file is imported already, with what was needed for all of it
 * @throws Refusal 400 where something of the file cannot be imported, 403 where the workspace has too few units or too little storage for
 * all of it
 */
export async function requireWhole(
  call: Call,
  plan: Plan,
  tree: ImportTree,
  itemsMax: number,
  isBeginning: boolean,
): Promise<void> {
  if (plan.problems.length > 0) throw refusalOf(plan.problems);
  if (!isBeginning) return;
  const { folders, tags, created, replaced } = countPlan(plan);
  const problems = [
    ...(await tooManyGroups(call, "folder", folders, limits.foldersMax)),
    ...(await tooManyGroups(call, "tag", tags, limits.tagsMax)),
  ];
  if (problems.length > 0) throw refusalOf(problems);
  const items = folders + tags + created + replaced;
  const requests = Math.max(1, Math.ceil(items / itemsMax));
  // Who imports has it.
  if (!call.requireLeft) throw errors.internal();
  await call.requireLeft({ units: items + requests, bytes: bytesOf(plan, tree) });
}

async function tooManyGroups(
  { transaction, caller }: Call,
  kind: "folder" | "tag",
  added: number,
  most: number,
): Promise<Warning[]> {
  if (added === 0) return [];
  const present = await countUpTo(transaction, kind, caller.workspaceId, most);
  if (present + added <= most) return [];
  const { message } = errors.tooManyGroups(kind === "folder" ? "Folder" : "Tag", most);
  return [{ message: `${message}. It has ${present.toLocaleString("en-US")}, and the file adds ${added}.` }];
}

/** What the import adds to the library. */
function bytesOf({ folders, tags, snippets }: Plan, tree: ImportTree): number {
  const groups = [...folders, ...tags].filter(({ existingId }) => existingId === null);
  const texts = snippets.map(({ kind, at }) => {
    const snippet = tree.snippets.at(at);
    const [first] = snippet?.variations ?? [];
    if (!snippet || !first || kind === "skip") return 0;
    if (kind === "replace") return bytesOfRow(first.type, first.content);
    const former = snippet.variations.flatMap(({ formerVersions }) => formerVersions);
    return bytesOfSnippet(toInput(snippet, "")) + sum(former.map(({ type, content }) => bytesOfRow(type, content)));
  });
  return sum(texts) + sum(groups.map(({ group: { name, color } }) => bytesOfRow(name, color ?? defaultColor)));
}
