// A list of audit entries, newest first. Each is a sentence that opens to show the change.
import type { ReactNode } from "react";
import { Button, EmptyState, ErrorState, Icon, Loading, Pager, Skeleton, Time } from "../../components/index.ts";
import type { PagedRows } from "../../components/pager.tsx";
import { Details } from "./details.tsx";
import { type AuditEntry, actorPhrase, sentenceOf } from "./sentences.ts";

interface AuditPages extends PagedRows {
  readonly rows: readonly AuditEntry[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly isPlaceholderData: boolean;
}

interface AuditListProps {
  /** The result of `useConsolePages`. */
  readonly entries: AuditPages;
  /** Clears the filters; undefined without filters. */
  readonly onClear?: (() => void) | undefined;
  /** Shown when the list is empty without filters: what will appear here. */
  readonly children: ReactNode;
}

export const AuditList = ({ entries, onClear, children }: AuditListProps) => (
  <>
    {entries.rows === undefined ? (
      entries.error ? (
        <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />
      ) : (
        <div className="p-5">
          <Loading label="Loading events">
            <Skeleton lines={6} />
          </Loading>
        </div>
      )
    ) : entries.rows.length === 0 ? (
      <EmptyState
        icon="audit"
        title={onClear ? "No matching events" : "No events yet"}
        action={onClear && <Button onClick={onClear}>Clear filters</Button>}
      >
        {!onClear && children}
      </EmptyState>
    ) : (
      <ol
        aria-label="Events, newest first"
        aria-busy={entries.isPlaceholderData || undefined}
        className={`divide-line divide-y ${entries.isPlaceholderData ? "opacity-60" : ""}`}
      >
        {entries.rows.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
    )}
    <Pager pages={entries} noun="event" />
  </>
);

function Entry({ entry }: { entry: AuditEntry }) {
  const { verb, target, preposition, context, ending } = sentenceOf(entry);
  const via = actorPhrase(entry);
  return (
    <details className="group">
      <summary className="hover:bg-hover/50 flex min-h-11 list-none items-start gap-2.5 px-4 py-2.5 sm:px-5 [&::-webkit-details-marker]:hidden">
        <Icon
          name="chevron"
          className="text-quiet mt-0.5 size-4 -rotate-90 transition-transform duration-100 group-open:rotate-0"
        />
        <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-6 gap-y-0.5 sm:flex-nowrap">
          <span className="min-w-0 break-words">
            <bdi className="font-medium">{truncate(entry.actor_name)}</bdi> {verb} <Quoted text={target} />{" "}
            {preposition} <Quoted text={context} /> {ending} {via && <span className="text-quiet">({via})</span>}
          </span>
          <Time at={entry.at} className="text-quiet text-[0.8125rem]" />
        </span>
      </summary>
      <div className="px-4 pt-1 pb-4 sm:pr-5 sm:pl-11.5">
        <Details entry={entry} />
      </div>
    </details>
  );
}

/** The quotes are outside of `bdi`, so that they stay in place around right-to-left text. */
const Quoted = ({ text }: { text: string | null }) =>
  text !== null && (
    <span className="font-medium">
      “<bdi>{truncate(text)}</bdi>”
    </span>
  );

const quoteLengthMax = 80;

/** Shortens text for a sentence; the details show all of it. */
const truncate = (text: string): string => {
  const characters = [...text];
  return characters.length > quoteLengthMax ? `${characters.slice(0, quoteLengthMax - 1).join("")}…` : text;
};
