// What a two-way sync says about what it has done.
import { notice, pluralize, printJson, status } from "../../terminal/print.ts";
import type { Event, EventKind, Outcome, Problem } from "./outcome.ts";
import { deletionsMax } from "./session.ts";

/** More files of one kind are only counted. */
const pathsShown = 3;

/** A person should look at the two versions. */
const needsAttention: ReadonlySet<EventKind> = new Set(["conflict", "kept", "overtaken"]);

type Sentence = (event: Event) => string;
type Count = (files: string) => string;

interface Wording {
  readonly sentences: Readonly<Record<EventKind, Sentence>>;
  /** The same about several files. */
  readonly counted: Readonly<Partial<Record<EventKind, Count>>>;
  readonly emptied: string;
  readonly manyDeletions: (snippets: string) => string;
}

export const done: Wording = {
  sentences: {
    downloaded: ({ path }) => `Created ${path}.`,
    updated: ({ path }) => `Updated ${path}.`,
    moved: ({ path, other }) => `Moved ${path} to ${other}.`,
    removed: ({ path }) => `Removed ${path}.`,
    restored: ({ path }) => `Created ${path} again.`,
    uploaded: ({ path }) => `Uploaded ${path}.`,
    merged: ({ path }) => `Merged your changes to ${path} with someone else's, and uploaded the result.`,
    created: ({ path }) => `Created a snippet from ${path}.`,
    added: ({ path }) => `Added a variation from ${path}.`,
    trashed: ({ path }) => `Moved the snippet for ${path} to the trash.`,
    conflict: ({ path, other }) =>
      `Someone else has changed ${path} too. It has their version; yours is in "${other}".`,
    kept: ({ path, other }) => `The snippet for ${path} was deleted or archived. Your version is in "${other}".`,
    overtaken: ({ path }) =>
      `Someone else saved ${path} at the same time. Their version is in the history: run cpl history.`,
  },
  counted: {
    downloaded: (files) => `Created ${files}.`,
    updated: (files) => `Updated ${files}.`,
    moved: (files) => `Moved ${files}.`,
    removed: (files) => `Removed ${files}.`,
    restored: (files) => `Created ${files} again.`,
    uploaded: (files) => `Uploaded ${files}.`,
    created: (files) => `Created snippets from ${files}.`,
    added: (files) => `Added variations from ${files}.`,
    trashed: (files) => `Moved the snippets for ${files} to the trash.`,
  },
  emptied: "No files were found, so cpl created all files again and deleted nothing.",
  manyDeletions: (snippets) =>
    `Deleting ${snippets} now would exceed the limit of ${deletionsMax} in 10 minutes, so cpl created the missing files again and deleted nothing. To delete more, use --delete.`,
};

/** What a dry run says. */
export const planned: Wording = {
  sentences: {
    downloaded: ({ path }) => `Would create ${path}.`,
    updated: ({ path }) => `Would update ${path}.`,
    moved: ({ path, other }) => `Would move ${path} to ${other}.`,
    removed: ({ path }) => `Would remove ${path}.`,
    restored: ({ path }) => `Would create ${path} again.`,
    uploaded: ({ path }) => `Would upload ${path}.`,
    merged: ({ path }) => `Would merge your changes to ${path} with someone else's, and upload the result.`,
    created: ({ path }) => `Would create a snippet from ${path}.`,
    added: ({ path }) => `Would add a variation from ${path}.`,
    trashed: ({ path }) => `Would move the snippet for ${path} to the trash.`,
    conflict: ({ path, other }) =>
      `Someone else has changed ${path} too. It would get their version; yours would be kept in "${other}".`,
    kept: ({ path, other }) =>
      `The snippet for ${path} was deleted or archived. Your version would be kept in "${other}".`,
    overtaken: ({ path }) => `Would upload ${path}.`,
  },
  counted: {
    downloaded: (files) => `Would create ${files}.`,
    updated: (files) => `Would update ${files}.`,
    moved: (files) => `Would move ${files}.`,
    removed: (files) => `Would remove ${files}.`,
    restored: (files) => `Would create ${files} again.`,
    uploaded: (files) => `Would upload ${files}.`,
    created: (files) => `Would create snippets from ${files}.`,
    added: (files) => `Would add variations from ${files}.`,
    trashed: (files) => `Would move the snippets for ${files} to the trash.`,
  },
  emptied: "No files were found, so cpl would create all files again and delete nothing.",
  manyDeletions: (snippets) =>
    `Deleting ${snippets} now would exceed the limit of ${deletionsMax} in 10 minutes, so cpl would create the missing files again and delete nothing. To delete more, use --delete.`,
};

export interface ReportOptions {
  readonly root: string;
  readonly isJson: boolean;
  readonly isDry: boolean;
}

/** @param before what was reported last: a problem that is still there is no news */
export function reportChanges(outcome: Outcome, { root, isJson, isDry }: ReportOptions, before?: Outcome): void {
  const { events, problems, warnings, keptFromTrash, isEmptied } = outcome;
  const known = before ? problemsOf(before) : [];
  const news = problemsOf(outcome).filter((message) => !known.includes(message));
  if (isJson) {
    const isNews = !before || events.length + news.length > 0;
    if (isNews) printJson({ directory: root, events, problems, warnings, keptFromTrash });
    return;
  }
  const { sentences, counted, emptied, manyDeletions } = isDry ? planned : done;
  for (const [kind, all] of Map.groupBy(events, (event) => event.kind)) {
    const several = all.length > pathsShown ? counted[kind] : undefined;
    const say = needsAttention.has(kind) ? notice : status;
    if (several) say(several(pluralize(all.length, "file")));
    else for (const event of all) say(sentences[kind](event));
  }
  for (const each of warnings) notice(sentenceOf(each));
  for (const message of news) notice(message);
  if (keptFromTrash > 0) notice(isEmptied ? emptied : manyDeletions(pluralize(keptFromTrash, "snippet")));
}

const sentenceOf = ({ path, line, message }: Problem): string =>
  `${path}${line === undefined ? "" : `, line ${line}`}: ${message}.`;

const problemsOf = ({ problems }: Outcome): string[] => problems.map(sentenceOf);

export function reportSummary(outcome: Outcome, snippetCount: number, { root, isJson, isDry }: ReportOptions): void {
  if (isJson) return;
  const count = (...kinds: EventKind[]) => kinds.reduce((sum, kind) => sum + outcome.of(kind).length, 0);
  const created = pluralize(count("downloaded", "restored"), "file");
  const [changed, removed] = [count("updated", "moved", "conflict"), count("removed")];
  const sent = pluralize(count("uploaded", "merged", "added"), "snippet");
  const [made, deleted] = [count("created"), count("trashed")];
  const snippets = pluralize(snippetCount, "snippet");
  status(
    isDry
      ? `Would sync ${snippets} with ${root}: create ${created}, change ${changed}, and remove ${removed}; change ${sent}, create ${made}, and delete ${deleted}.`
      : `Synced ${snippets} with ${root}: ${created} created, ${changed} changed, ${removed} removed; ${sent} changed, ${made} created, ${deleted} deleted.`,
  );
}
