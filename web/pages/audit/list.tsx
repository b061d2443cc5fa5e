// A list of acts, newest first: each a sentence, with what it changed below.
import type { ReactNode } from "react";
import { Button, EmptyState, ErrorState, Icon, Loading, Pager, Skeleton, Time } from "../../components/index.ts";
import type { Pages } from "../../components/pager.tsx";
import { Details } from "./details.tsx";
import { type Act, sentenceOf, wayOf } from "./words.ts";

interface Acts extends Pages {
  readonly rows: readonly Act[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly isPlaceholderData: boolean;
}

interface ActListProps {
  /** What `useConsolePages` gave. */
  readonly acts: Acts;
  /** Shows everything again; undefined where everything is shown. */
  readonly onClear?: (() => void) | undefined;
  /** What will stand here, where nothing does. */
  readonly children: ReactNode;
}

export const ActList = ({ acts, onClear, children }: ActListProps) => (
  <>
    {acts.rows === undefined ? (
      acts.error ? (
        <ErrorState error={acts.error} onRetry={() => void acts.refetch()} />
      ) : (
        <div className="p-5">
          <Loading label="Acts: loading">
            <Skeleton lines={6} />
          </Loading>
        </div>
      )
    ) : acts.rows.length === 0 ? (
      <EmptyState
        icon="audit"
        title={onClear ? "No act matches" : "Nothing was done yet"}
        action={onClear && <Button onClick={onClear}>Show everything</Button>}
      >
        {!onClear && children}
      </EmptyState>
    ) : (
      <ol
        aria-label="Acts, newest first"
        aria-busy={acts.isPlaceholderData || undefined}
        className={`divide-line divide-y ${acts.isPlaceholderData ? "opacity-60" : ""}`}
      >
        {acts.rows.map((act) => (
          <li key={act.id}>
            <Entry act={act} />
          </li>
        ))}
      </ol>
    )}
    <Pager pages={acts} noun="act" />
  </>
);

function Entry({ act }: { act: Act }) {
  const { verb, target, rest, place } = sentenceOf(act);
  const way = wayOf(act);
  return (
    <details className="group">
      <summary className="hover:bg-hover/50 flex min-h-11 list-none items-start gap-2.5 px-4 py-2.5 sm:px-5 [&::-webkit-details-marker]:hidden">
        <Icon
          name="chevron"
          className="text-quiet mt-0.5 size-4 -rotate-90 transition-transform duration-100 group-open:rotate-0"
        />
        <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-6 gap-y-0.5 sm:flex-nowrap">
          <span className="min-w-0 break-words">
            <bdi className="font-medium">{shortened(act.actor_name)}</bdi> {verb} <Quoted text={target} /> {rest}{" "}
            <Quoted text={place} />
            {way && <span className="text-quiet">({way})</span>}
          </span>
          <Time at={act.at} className="text-quiet text-[0.8125rem]" />
        </span>
      </summary>
      <div className="px-4 pt-1 pb-4 sm:pr-5 sm:pl-11.5">
        <Details act={act} />
      </div>
    </details>
  );
}

/** The quotes stand outside: whichever way the text is written, they stay where they are. */
const Quoted = ({ text }: { text: string | null }) =>
  text !== null && (
    <span className="font-medium">
      “<bdi>{shortened(text)}</bdi>”
    </span>
  );

const shownLengthMax = 80;

/** In a sentence; the whole stands in the details. */
const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length > shownLengthMax ? `${characters.slice(0, shownLengthMax - 1).join("")}…` : text;
};
