// Where the text of a snippet matches what was searched for.
import type { SnippetRow } from "../data.ts";

type Match = SnippetRow["matches"][number];

/** A line to show in the place of the first one: what the service sends of the text around the match. */
export interface MatchLine {
  readonly lead: string;
  readonly text: string;
  /** Shown from here on, so that the match is visible where the line is cut. */
  readonly from: number;
}

/** Undefined where neither the text nor the note matches. */
export function matchLineOf({ matches }: Pick<SnippetRow, "matches">): MatchLine | undefined {
  const match = matches.find(({ field }) => field === "content") ?? matches.find(({ field }) => field === "note");
  return match && lineOf(match);
}

const leadMax = 24;

function lineOf({ field, before, match, after }: Match): MatchLine {
  const end = [...before].slice(-leadMax).join("");
  // From the start of a word on.
  const shown = end === before ? before : end.replace(/^\S*\s/, "");
  return {
    lead: `${field === "note" ? "Note: " : ""}${shown === before ? "" : "…"}`,
    text: `${before}${match}${after}`,
    from: before.length - shown.length,
  };
}
