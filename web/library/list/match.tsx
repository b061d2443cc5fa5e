// Where a snippet matches what was searched for.
import type { SnippetRow } from "../data.ts";

export type Match = SnippetRow["matches"][number];

export const matchIn = (row: SnippetRow, field: string): Match | undefined =>
  row.matches.find((match) => match.field === field);

/** The match to show in the place of the first line. */
export const matchOfText = (row: SnippetRow): Match | undefined => matchIn(row, "content") ?? matchIn(row, "note");

/** The searched text around a match, as far as the service sends it. */
export const textOf = ({ before, match, after }: Match): string => `${before}${match}${after}`;

/** Fields that are short, and shown as a whole. */
const wholeFields = new Set(["title", "shortcut", "tags"]);

/** One line, with the match near its start, so that it is visible where the line is cut. */
export function MarkedMatch({ of: { field, before, match, after } }: { of: Match }) {
  const lead = wholeFields.has(field) ? before : lastPart(before);
  return (
    <>
      {field === "note" && "Note: "}
      {lead}
      <mark className="bg-mark text-text rounded-xs">{match}</mark>
      {after}
    </>
  );
}

const leadMax = 24;

/** The end of a text, from the start of a word on. */
function lastPart(text: string): string {
  const points = [...text];
  if (points.length <= leadMax) return text;
  const end = points.slice(-leadMax).join("");
  return `…${end.replace(/^\S*\s/, "")}`;
}
