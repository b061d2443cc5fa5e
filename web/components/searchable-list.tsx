// A paged list with a search field. The service does the search.
import { type ReactNode, useDeferredValue, useState } from "react";
import { Button } from "./button.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { TextField } from "./field.tsx";
import { Card } from "./layout.tsx";
import { type PagedRows, Pager } from "./pager.tsx";
import { EmptyState } from "./states.tsx";

interface SearchFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly placeholder: string;
  readonly className?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const SearchField = ({ onChange, ...rest }: SearchFieldProps) => (
  <TextField
    {...rest}
    type="search"
    autoComplete="off"
    spellCheck={false}
    maxLength={100}
    onChange={(event) => onChange(event.target.value)}
    // Enter would submit the form around this field.
    onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
  />
);

/** A search field above the rows of a card. */
export const SearchBar = (props: SearchFieldProps) => (
  <div className="border-line border-b p-4 sm:px-5 sm:py-3">
    <SearchField {...props} isLabelHidden className="max-w-md" />
  </div>
);

export interface Search {
  readonly text: string;
  readonly setText: (typed: string) => void;
  /** The search term that is sent; undefined without one. */
  readonly term: string | undefined;
}

/** The state of a search field. @param toTerm what is sent of the typed text */
export function useSearch(toTerm = (typed: string): string => typed): Search {
  const [text, setText] = useState("");
  return { text, setText, term: toTerm(useDeferredValue(text).trim()) || undefined };
}

interface SearchablePages<Row> extends PagedRows {
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  /** The rows belong to an older search while the new ones load. */
  readonly isPlaceholderData: boolean;
}

/** True when the list is empty without any search. */
export const hasNoRows = (pages: SearchablePages<unknown>, { term }: Search): boolean =>
  pages.rows?.length === 0 && term === undefined && !pages.isPlaceholderData;

interface SearchableListProps<Row> {
  /** What a row is, such as "key". */
  readonly noun: string;
  readonly placeholder: string;
  readonly search: Search;
  /** The result of `useConsolePages` for the search term. */
  readonly pages: SearchablePages<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Shown when the list is empty: an `<EmptyState>`. */
  readonly empty: ReactNode;
  /** Shown when nothing matches: how the search works. */
  readonly hint?: string;
}

export function SearchableList<Row>({
  noun,
  placeholder,
  search,
  pages,
  empty,
  hint,
  ...table
}: SearchableListProps<Row>) {
  const isEmpty = hasNoRows(pages, search);
  return (
    <Card isFlush>
      {!isEmpty && (
        <SearchBar label={`Search ${noun}s`} placeholder={placeholder} value={search.text} onChange={search.setText} />
      )}
      <DataTable
        {...table}
        label={`List of ${noun}s`}
        rows={pages.rows}
        error={pages.error}
        onRetry={() => void pages.refetch()}
        isStale={pages.isPlaceholderData}
        empty={
          isEmpty ? (
            empty
          ) : (
            <EmptyState
              icon="search"
              title={`No matching ${noun}s`}
              action={<Button onClick={() => search.setText("")}>Show all {noun}s</Button>}
            >
              {hint}
            </EmptyState>
          )
        }
      />
      <Pager pages={pages} noun={noun} />
    </Card>
  );
}
