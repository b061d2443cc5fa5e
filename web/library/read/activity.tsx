// Who did what to a snippet, read when somebody asks for it, and the way to the versions of its texts.
import { useState } from "react";
import { Link } from "wouter";
import { useConsolePages } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icons.tsx";
import { ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import type { Author } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { initialNameOfAuthor, isNamedKey } from "../names.ts";
import { verbOf } from "./act-verbs.ts";

interface ActivityProps {
  readonly snippetId: string;
  readonly created: { readonly at: string; readonly by: Author };
}

export function Activity({ snippetId, created }: ActivityProps) {
  const { hrefOf } = useLibrary();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section aria-label="Activity">
      <div className="flex flex-wrap items-center gap-x-4">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="text-quiet hover:text-text -ml-1 inline-flex min-h-11 items-center gap-1 rounded px-1 font-medium md:min-h-7"
        >
          <Icon name="chevron" className={isOpen ? "size-4" : "size-4 -rotate-90"} />
          Activity
        </button>
        <Link
          href={hrefOf({ mode: "history" })}
          className="text-quiet hover:text-text inline-flex min-h-11 items-center gap-1.5 rounded font-medium md:min-h-7"
        >
          <Icon name="history" className="size-4" />
          History
        </Link>
      </div>
      {isOpen && <Acts snippetId={snippetId} created={created} />}
    </section>
  );
}

function Acts({ snippetId, created }: ActivityProps) {
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    "getLibraryActivity",
    { query: { snippetId, limit: 20 }, keepsPreviousData: false },
  );
  if (rows === undefined)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading label="Loading activity">
        <Skeleton lines={2} />
      </Loading>
    );
  // An import or a batch is recorded as a whole, and acts are kept for a year: who created a snippet is always known.
  const isWhole = !hasNextPage && !rows.some(({ action }) => action === "snippet.create");
  return (
    <>
      <ol className="grid gap-1.5 pt-1">
        {rows.map((act) => (
          <Line key={act.id} at={act.at} author={act.author} text={verbOf(act)} />
        ))}
        {isWhole && <Line at={created.at} author={created.by} text="created the snippet" />}
      </ol>
      {hasNextPage && (
        <Button className="mt-2" size="small" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

const Line = ({ at, author, text }: { at: string; author: Author; text: string }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-4">
    <span className="min-w-0 wrap-anywhere">
      <bdi className="text-text">{initialNameOfAuthor(author)}</bdi>
      {isNamedKey(author) && " (API key)"} {text}
    </span>
    <Time at={at} part="relative" className="text-xs" />
  </li>
);
