// The footer of a paged list.
import { Button } from "./button.tsx";
import { pluralize } from "./format.ts";

export interface PagedRows {
  readonly rows: readonly unknown[] | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Shows how many rows are loaded, and a button to load more. `pages` is the result of `useConsolePages`. */
export function Pager({ pages, noun, nouns }: { pages: PagedRows; noun: string; nouns?: string }) {
  const { rows, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  if (!rows || rows.length === 0) return null;
  return (
    <div className="border-line flex min-h-12 flex-wrap items-center justify-between gap-3 border-t px-4 py-2 sm:px-5">
      <p role="status" className="text-quiet text-[0.8125rem]">
        {pluralize(rows.length, noun, nouns)}
        {hasNextPage && " shown"}
        {isFetchNextPageError && ". Couldn’t load the next page."}
      </p>
      {hasNextPage && (
        <Button size="small" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </div>
  );
}
