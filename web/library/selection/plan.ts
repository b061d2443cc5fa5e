// Plans changes of many snippets: in portions that the service accepts, how to take them back, and what to say about them.
import type { BodyOf } from "../../call.ts";
import { formatCount, pluralize, quote } from "../../components/format.ts";

/** A change of one snippet. */
export type Move = BodyOf<"putLibrarySnippets">["snippets"][number];

/** So many snippets are changed in one request. */
export const portionMax = 100;

export const portionsOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / portionMax) }, (_, index) =>
    items.slice(index * portionMax, (index + 1) * portionMax),
  );

/** What has come of a portion. */
export interface Done {
  readonly ids: readonly string[];
  /** The changes that take it back; a change without anything but its id had nothing to change. */
  readonly undo?: readonly Move[];
  /** One message for each snippet that was refused. */
  readonly refusals: readonly string[];
}

/** What has come of all of them. */
export interface Outcome extends Required<Done> {
  readonly requested: number;
  /** Why the rest was not tried: the person stopped it, or what the service answered. */
  readonly stop: "person" | Error | undefined;
}

export const nothingDone = (requested: number): Outcome => ({
  requested,
  ids: [],
  undo: [],
  refusals: [],
  stop: undefined,
});

export const addDone = (outcome: Outcome, { ids, undo = [], refusals }: Done): Outcome => ({
  ...outcome,
  ids: [...outcome.ids, ...ids],
  undo: [...outcome.undo, ...undo],
  refusals: [...outcome.refusals, ...refusals],
});

/** The changes that take back what was changed, the last one first. Snippets that were as they should be are left alone. */
export const undoOf = ({ undo }: Outcome): readonly Move[] =>
  undo.filter(({ id, ...rest }) => Object.keys(rest).length > 0).toReversed();

/** What has happened, as a sentence without its period: `(snippets) => `Moved ${snippets} to “Replies”`` */
export type Say = (snippets: string) => string;

/** Says where snippets are now. @param folder undefined when they are in none */
export const sayMoved =
  (count: number, folder: string | undefined): Say =>
  (snippets) =>
    folder === undefined
      ? `Removed ${snippets} from ${count === 1 ? "its folder" : "their folders"}`
      : `Moved ${snippets} to ${quote(folder)}`;

/**
 * `Moved 3 of 5 snippets to “Replies”. 2 failed: Snippet not found.` A sentence by itself has no period, as in every notification.
 * @param title of a single one, which is named
 */
export function describeOutcome(say: Say, { requested, ids, refusals, stop }: Outcome, title?: string): string {
  const all = requested === 1 && title !== undefined ? quote(title) : pluralize(requested, "snippet");
  const some = `${formatCount(ids.length)} of ${pluralize(requested, "snippet")}`;
  const done = say(ids.length === requested ? all : some);
  const [refusal] = refusals;
  if (refusal === undefined && !(stop instanceof Error)) return done;
  const sentences = [ids.length === 0 ? "Nothing was changed." : `${done}.`];
  if (refusal !== undefined && requested === 1) sentences.push(`${refusal}.`);
  else if (refusal !== undefined) sentences.push(`${formatCount(refusals.length)} failed: ${refusal}.`);
  if (stop instanceof Error) sentences.push(stop.message);
  return sentences.join(" ");
}
