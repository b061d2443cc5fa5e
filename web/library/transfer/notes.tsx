// What of a file is not imported, or changed by the import: on the page, with its place, and as a table to download.
import { importReport } from "../../../src/library/formats/import-report.ts";
import { Button } from "../../components/button.tsx";
import { downloadText } from "../../components/copy.tsx";
import { formatCount } from "../../components/format.ts";
import { Notice, type Tone } from "../../components/layout.tsx";
import type { ImportIssue } from "./import-run.ts";

/** Lists of notes, by what they have in common. */
export interface NoteLists {
  readonly problems: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
  /** Files that are not sent. */
  readonly leftOut: readonly ImportIssue[];
}

interface AllNotesProps {
  readonly notes: NoteLists;
  /** The service lists only the first of them. */
  readonly problemCount: number;
  readonly warningCount: number;
  readonly isDone: boolean;
  readonly fileName: string;
}

export function AllNotes({ notes, problemCount, warningCount, isDone, fileName }: AllNotesProps) {
  const { problems, warnings, leftOut } = notes;
  if (problems.length + warnings.length + leftOut.length === 0) return null;
  const isWhole = problems.length >= problemCount && warnings.length >= warningCount;
  const title = isDone ? "Not imported" : "Can’t be imported";
  return (
    <div className="grid min-w-0 gap-2">
      <Notes tone="danger" title={title} notes={problems} count={problemCount} isOpen />
      <Notes tone="warn" title="Warnings" notes={warnings} count={warningCount} isOpen={!isDone} />
      <Notes tone="neutral" title="Files left out" notes={leftOut} isOpen={!isDone} />
      <p>
        <Button
          size="small"
          onClick={() => downloadText(`${fileName} - notes.csv`, importReport(problems, [...warnings, ...leftOut]))}
        >
          {isWhole ? "Download list" : "Download partial list"}
        </Button>
      </p>
    </div>
  );
}

interface NotesProps {
  readonly tone: Tone;
  readonly title: string;
  readonly notes: readonly ImportIssue[];
  readonly count?: number | undefined;
  /** Nobody agrees to a loss that has to be unfolded first. */
  readonly isOpen: boolean;
}

/** Notes that are in the page. */
const shownMax = 200;

export function Notes({ tone, title, notes, count = notes.length, isOpen }: NotesProps) {
  if (notes.length === 0) return null;
  const shown = notes.slice(0, shownMax);
  return (
    <Notice tone={tone}>
      <details open={isOpen}>
        <summary className="cursor-pointer font-medium">
          {title} ({formatCount(count)})
        </summary>
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
          aria-label={title}
          className="mt-2 grid max-h-40 gap-1 overflow-y-auto text-xs wrap-anywhere"
        >
          {shown.map((note, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the notes never change their order
            <li key={index}>
              {placeOf(note) && <span className="font-mono">{placeOf(note)}</span>}
              {note.message}
            </li>
          ))}
          {count > shown.length && <li>and {formatCount(count - shown.length)} more</li>}
        </ul>
      </details>
    </Notice>
  );
}

const placeOf = ({ file, line }: ImportIssue): string =>
  file === null ? "" : `${file}${line === null ? "" : `:${line}`}: `;
