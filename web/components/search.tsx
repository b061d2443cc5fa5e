// Searching while one types: the field, and a list in pages of which the service finds the rows.
import { type ReactNode, useDeferredValue, useState } from "react";
import { Button } from "./button.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { TextField } from "./field.tsx";
import { Card } from "./layout.tsx";
import { Pager, type Pages } from "./pager.tsx";
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
    // Enter would send the form that this may stand in.
    onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
  />
);

/** The same field above the rows of a card. */
export const SearchBar = (props: SearchFieldProps) => (
  <div className="border-line border-b p-4 sm:px-5 sm:py-3">
    <SearchField {...props} isLabelHidden className="max-w-md" />
  </div>
);

export interface Search {
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  /** What the service is asked for; undefined for everything. */
  readonly words: string | undefined;
}

/** @param toWords what is sent of what was typed */
export function useSearch(toWords = (typed: string): string => typed): Search {
  const [typed, setTyped] = useState("");
  return { typed, setTyped, words: toWords(useDeferredValue(typed).trim()) || undefined };
}

interface SearchedPages<Row> extends Pages {
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  /** The rows belong to an older search while the new ones load. */
  readonly isPlaceholderData: boolean;
}

/** Whether there is nothing at all, searched or not. */
export const hasNothing = (pages: SearchedPages<unknown>, { words }: Search): boolean =>
  pages.rows?.length === 0 && words === undefined && !pages.isPlaceholderData;

interface SearchedListProps<Row> {
  /** What a row is: "key". */
  readonly noun: string;
  readonly placeholder: string;
  readonly search: Search;
  /** What `useConsolePages` gave for the words of the search. */
  readonly pages: SearchedPages<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Shown where there is nothing: an `<EmptyState>`. */
  readonly empty: ReactNode;
  /** How it is searched: helps where nothing was found. */
  readonly hint?: string;
}

export function SearchedList<Row>({ noun, placeholder, search, pages, empty, hint, ...table }: SearchedListProps<Row>) {
  const isWithout = hasNothing(pages, search);
  return (
    <Card isFlush>
      {!isWithout && (
        <SearchBar
          label={`Search ${noun}s`}
          placeholder={placeholder}
          value={search.typed}
          onChange={search.setTyped}
        />
      )}
      <DataTable
        {...table}
        label={`List of ${noun}s`}
        rows={pages.rows}
        error={pages.error}
        onRetry={() => void pages.refetch()}
        isStale={pages.isPlaceholderData}
        empty={
          isWithout ? (
            empty
          ) : (
            <EmptyState
              icon="search"
              title={`No ${noun} matches`}
              action={<Button onClick={() => search.setTyped("")}>Show all {noun}s</Button>}
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
