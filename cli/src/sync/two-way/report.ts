// What a two-way sync says about what it has done.
import { notice, pluralize, printJson, status } from "../../terminal/print.ts";
import type { Event, EventKind, Outcome } from "./outcome.ts";
import { deletionsMax } from "./session.ts";

/** More files of one kind are only counted. */
const pathsShown = 3;

/** A person should look at the two versions. */
const needsAttention: ReadonlySet<EventKind> = new Set(["conflict", "kept", "overtaken"]);

/** Each is one sentence about one file, or about several. */
const sentences: Readonly<Record<EventKind, (event: Event) => string>> = {
  updated: ({ path }) => `Updated ${path}.`,
  moved: ({ path, other }) => `Moved ${path} to ${other}.`,
  removed: ({ path }) => `Removed ${path}.`,
  restored: ({ path }) => `Wrote ${path} again.`,
  uploaded: ({ path }) => `Uploaded ${path}.`,
  merged: ({ path }) => `Merged your changes to ${path} with someone else's, and uploaded it.`,
  created: ({ path }) => `Created a snippet from ${path}.`,
  added: ({ path }) => `Added a variation from ${path}.`,
  trashed: ({ path }) => `Moved the snippet for ${path} to the trash.`,
  conflict: ({ path, other }) => `Someone else has changed ${path} too. It has their version; yours is in "${other}".`,
  kept: ({ path, other }) => `The snippet for ${path} was deleted or archived. Your version is in "${other}".`,
  overtaken: ({ path }) =>
    `Someone else saved ${path} at the same time. Their text is in its history: run cpl history.`,
};

const counted: Readonly<Partial<Record<EventKind, (files: string) => string>>> = {
  updated: (files) => `Updated ${files}.`,
  moved: (files) => `Moved ${files}.`,
  removed: (files) => `Removed ${files}.`,
  restored: (files) => `Wrote ${files} again.`,
  uploaded: (files) => `Uploaded ${files}.`,
  created: (files) => `Created snippets from ${files}.`,
  added: (files) => `Added variations from ${files}.`,
  trashed: (files) => `Moved the snippets for ${files} to the trash.`,
};

/** @param before what was reported last: a problem that is still there is no news */
export function reportChanges(outcome: Outcome, root: string, isJson: boolean, before?: Outcome): void {
  const { events, problems, keptFromTrash, isEmptied } = outcome;
  const known = before ? problemsOf(before) : [];
  const news = problemsOf(outcome).filter((message) => !known.includes(message));
  if (isJson) {
    const isNews = !before || events.length + news.length > 0;
    if (isNews) printJson({ directory: root, events, problems, keptFromTrash });
    return;
  }
  for (const [kind, all] of Map.groupBy(events, (event) => event.kind)) {
    const several = all.length > pathsShown ? counted[kind] : undefined;
    const say = needsAttention.has(kind) ? notice : status;
    if (several) say(several(pluralize(all.length, "file")));
    else for (const event of all) say(sentences[kind](event));
  }
  for (const message of news) notice(message);
  if (keptFromTrash > 0)
    notice(
      isEmptied
        ? "No files were found, so cpl wrote all files again and deleted nothing."
        : `Deleting ${pluralize(keptFromTrash, "snippet")} now would exceed the limit of ${deletionsMax} in 10 minutes, so cpl wrote the missing files again and deleted nothing. To delete more, use --delete.`,
    );
}

const problemsOf = ({ problems }: Outcome): string[] => problems.map(({ path, message }) => `${path}: ${message}.`);

export function reportSummary(
  outcome: Outcome,
  done: string,
  snippetCount: number,
  root: string,
  isJson: boolean,
): void {
  if (isJson) return;
  const count = (...kinds: EventKind[]) => kinds.reduce((sum, kind) => sum + outcome.of(kind).length, 0);
  const files = `${pluralize(count("updated", "restored", "moved", "conflict"), "file")} changed, ${count("removed")} removed`;
  const sent = `${pluralize(count("uploaded", "merged", "added"), "snippet")} changed, ${count("created")} created, ${count("trashed")} deleted`;
  status(`${done} ${pluralize(snippetCount, "snippet")} with ${root}: ${files}; ${sent}.`);
}
