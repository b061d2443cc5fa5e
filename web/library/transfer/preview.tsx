// What an import would do: counts, folders and tags, the first snippets, and what is lost or changed.

import { classNames } from "../../components/class-names.ts";
import { formatCount, pluralize, quote } from "../../components/format.ts";
import { Badge, Notice } from "../../components/layout.tsx";
import { GroupTree } from "./group-tree.tsx";
import type { ImportFile, Preview } from "./import-run.ts";
import { formatNames } from "./names.ts";
import { AllNotes } from "./notes.tsx";

type Row = Preview["data"]["snippets"][number];

const actions = { create: ["New", "good"], replace: ["Replace", "accent"], skip: ["Duplicate", "neutral"] } as const;
const matches = { text: "Same text", shortcut: "Same shortcut", both: "Same text and shortcut" } as const;
/** Rows that are in the page. The service sends more. */
const rowsShown = 50;

interface ImportPreviewProps {
  readonly preview: Preview;
  readonly file: ImportFile;
  /** Nothing would be imported, because of a problem. */
  readonly isRefused: boolean;
}

export function ImportPreview({ preview: { data, metadata }, file, isRefused }: ImportPreviewProps) {
  const { createdCount, replacedCount, skippedCount, folderCount, tagCount } = metadata;
  const made = [
    pluralize(createdCount, "new snippet"),
    ...(folderCount > 0 ? [pluralize(folderCount, "new folder")] : []),
    ...(tagCount > 0 ? [pluralize(tagCount, "new tag")] : []),
    ...(replacedCount > 0 ? [`${pluralize(replacedCount, "snippet")} with a new version`] : []),
    ...(skippedCount > 0 ? [`${pluralize(skippedCount, "duplicate")} to skip`] : []),
  ];
  const { folders, tags, warnings } = data;
  const shownNew = [...folders, ...tags].filter(({ is_new }) => is_new).length;
  const hasTree = folders.length + tags.length > 0;
  return (
    <div className="grid min-w-0 gap-3">
      <p role="status">
        <span className="font-medium">{formatNames[data.format] ?? data.format}</span>: {made.join(", ")}
      </p>
      <div className={classNames("grid min-w-0 gap-3", hasTree && "sm:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]")}>
        {hasTree && <GroupTree folders={folders} tags={tags} moreCount={folderCount + tagCount - shownNew} />}
        <Snippets rows={data.snippets.slice(0, rowsShown)} count={createdCount + replacedCount + skippedCount} />
      </div>
      {isRefused && (
        <Notice tone="danger">
          <p role="status">
            Nothing will be imported, because some items can’t be. Correct the file, or choose to import the rest.
          </p>
        </Notice>
      )}
      <AllNotes
        notes={{ problems: [...file.problems, ...data.problems], warnings, leftOut: file.leftOut }}
        problemCount={countProblems({ data, metadata }, file)}
        warningCount={metadata.warningCount}
        isDone={false}
        fileName={file.name}
      />
    </div>
  );
}

export const countProblems = ({ metadata }: Preview, file: ImportFile): number =>
  metadata.problemCount + file.problems.length;

const Snippets = ({ rows, count }: { rows: readonly Row[]; count: number }) =>
  rows.length > 0 && (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label="Snippets in the file"
      className="border-line max-h-56 min-w-0 overflow-y-auto overscroll-contain rounded-md border"
    >
      {rows.map((row, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file never change their order
          key={index}
          className="border-line flex min-w-0 items-center gap-3 border-b px-3 py-2 last:border-b-0"
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate">{row.title}</span>
            <span className="text-quiet block truncate text-xs empty:hidden">{describe(row)}</span>
          </span>
          <Badge tone={actions[row.action][1]}>{actions[row.action][0]}</Badge>
        </li>
      ))}
      {count > rows.length && <li className="text-quiet px-3 py-2">and {formatCount(count - rows.length)} more</li>}
    </ul>
  );

/** Of a duplicate, what it has in common with which snippet of the team. */
const describe = ({ folder, shortcut, duplicate }: Row): string =>
  duplicate
    ? `${matches[duplicate.match]} as ${quote(duplicate.title)}`
    : [folder, shortcut].filter((part) => part !== null && part !== "").join(" · ");
