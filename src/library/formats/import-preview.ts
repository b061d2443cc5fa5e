// What an import would do, as lines of a terminal: cpl and the operator's command show the same.

/** The texts must be safe to show. */
export interface ImportPreview {
  /** Paths of those that do not exist yet. */
  readonly newFolders: readonly string[];
  readonly newTags: readonly string[];
  readonly snippets: readonly PreviewedSnippet[];
  /** All of each, also those that are not listed. */
  readonly counts: { readonly folders: number; readonly tags: number; readonly snippets: number };
}

interface PreviewedSnippet {
  readonly action: "create" | "replace" | "skip";
  readonly title: string;
  readonly shortcut: string | null;
  /** The one that the team already has. */
  readonly duplicate: { readonly title: string; readonly match: "text" | "shortcut" | "both" } | null;
}

/** So many lines of each list are shown. */
export const previewLinesMax = 20;

/** @param bold how a heading is shown */
export const previewLines = (
  { newFolders, newTags, snippets, counts }: ImportPreview,
  bold: (text: string) => string,
): string[] => [
  ...section(bold("New folders"), newFolders, counts.folders),
  ...section(bold("New tags"), newTags, counts.tags),
  ...section(bold("Snippets"), snippets.slice(0, previewLinesMax).map(rowOf), counts.snippets),
];

/** A heading and the first lines. @param count of all @param rest what to do about the others */
export function section(heading: string, lines: readonly string[], count: number, rest = ""): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, previewLinesMax);
  const moreCount = count - shown.length;
  const more = moreCount > 0 ? [`and ${moreCount.toLocaleString("en-US")} more${rest}`] : [];
  return ["", heading, ...[...shown, ...more].map((line) => `  ${line}`)];
}

const matches = { text: "text", shortcut: "shortcut", both: "text and shortcut" } as const;

const rowOf = ({ action, title, shortcut, duplicate }: PreviewedSnippet): string =>
  [
    action.padEnd("replace".length),
    title,
    ...(shortcut === null ? [] : [`(${shortcut})`]),
    ...(duplicate ? [`same ${matches[duplicate.match]} as "${duplicate.title}"`] : []),
  ].join("  ");
