// What an import would do: counts, the first snippets, and what is lost or changed.

import { formatCount, pluralize } from "../../components/format.ts";
import { Badge, Notice } from "../../components/layout.tsx";
import { type ImportNote, placeOf, type previewImport } from "./import-run.ts";
import { formatNames } from "./names.ts";

type Preview = Awaited<ReturnType<typeof previewImport>>;

const actions = { create: ["New", "good"], replace: ["Replace", "accent"], skip: ["Skip", "neutral"] } as const;
/** Rows that are in the page. The service sends more. */
const rowsShown = 50;

export function ImportPreview({ preview: { data, metadata } }: { preview: Preview }) {
  const { createdCount, replacedCount, skippedCount, folderCount, tagCount, problemCount, warningCount } = metadata;
  const made = [
    pluralize(createdCount, "new snippet"),
    ...(folderCount > 0 ? [pluralize(folderCount, "new folder")] : []),
    ...(tagCount > 0 ? [pluralize(tagCount, "new tag")] : []),
    ...(replacedCount > 0 ? [`${pluralize(replacedCount, "snippet")} with a new version`] : []),
    ...(skippedCount > 0 ? [`${pluralize(skippedCount, "duplicate")} skipped`] : []),
  ];
  const rows = data.snippets.slice(0, rowsShown);
  const more = createdCount + replacedCount + skippedCount - rows.length;
  return (
    <div className="grid min-w-0 gap-3">
      <p role="status">
        <span className="font-medium">{formatNames[data.format] ?? data.format}</span>: {made.join(", ")}
      </p>
      {rows.length > 0 && (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
          aria-label="Snippets in the file"
          className="border-line max-h-56 overflow-y-auto rounded-md border"
        >
          {rows.map(({ title, shortcut, folder, action }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file never change their order
              key={index}
              className="border-line flex min-w-0 items-center gap-3 border-b px-3 py-2 last:border-b-0"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate">{title}</span>
                {(folder ?? shortcut) !== null && (
                  <span className="text-quiet block truncate text-xs">
                    {[folder, shortcut].filter((part) => part !== null && part !== "").join(" · ")}
                  </span>
                )}
              </span>
              <Badge tone={actions[action][1]}>{actions[action][0]}</Badge>
            </li>
          ))}
          {more > 0 && <li className="text-quiet px-3 py-2">and {formatCount(more)} more</li>}
        </ul>
      )}
      {problemCount > 0 && (
        <Notes tone="danger" title={`Can’t be imported (${formatCount(problemCount)})`} notes={data.problems} />
      )}
      {warningCount > 0 && (
        <Notes tone="warn" title={`Changed or left out (${formatCount(warningCount)})`} notes={data.warnings} />
      )}
    </div>
  );
}

interface NotesProps {
  readonly tone: "danger" | "warn";
  readonly title: string;
  readonly notes: readonly ImportNote[];
}

export const Notes = ({ tone, title, notes }: NotesProps) => (
  <Notice tone={tone}>
    <details>
      <summary className="cursor-pointer font-medium">{title}</summary>
      <ul className="mt-2 grid max-h-40 gap-1 overflow-y-auto text-xs wrap-anywhere">
        {notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the notes never change their order
          <li key={index}>
            {placeOf(note) && <span className="font-mono">{placeOf(note)}</span>}
            {note.message}
          </li>
        ))}
      </ul>
    </details>
  </Notice>
);
