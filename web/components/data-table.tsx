// Shows rows as a table, or as cards on a phone.
import { type ReactNode, useSyncExternalStore } from "react";
import { classNames } from "./class-names.ts";
import { ErrorState, Loading, Skeleton } from "./states.tsx";

export interface Column<Row> {
  readonly id: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the end. */
  readonly align?: "start" | "end";
  /** The name of the row: its header cell, and the title of its card on a phone. One column per table. */
  readonly isTitle?: boolean;
  /** The column with the buttons. Only screen readers get its header; on a phone the buttons are in the corner of the card. */
  readonly isActions?: boolean;
  /** Not shown on a phone. */
  readonly isHiddenOnPhone?: boolean;
  /** Classes of the cell, such as its width. */
  readonly className?: string;
}

interface DataTableProps<Row> {
  /** What the rows are; the accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Shown when there are no rows: an `<EmptyState>`. */
  readonly empty: ReactNode;
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  /** The rows belong to an older query while the new ones load. */
  readonly isStale?: boolean;
}

const phoneQuery = matchMedia("(max-width: 639px)");
const subscribe = (listener: () => void) => {
  phoneQuery.addEventListener("change", listener);
  return () => phoneQuery.removeEventListener("change", listener);
};
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phoneQuery.matches);

/** Shows rows, or why there are none. Belongs in a `<Card isFlush>`. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isPhone = useIsPhone();
  const { label, rows, empty, error, onRetry, isStale = false } = props;
  if (rows === undefined && error) return <ErrorState error={error} {...(onRetry && { onRetry })} />;
  if (rows === undefined)
    return (
      <div className="p-5">
        <Loading label={`${label}: loading`}>
          <Skeleton lines={6} />
        </Loading>
      </div>
    );
  if (rows.length === 0) return empty;
  return (
    <div
      aria-busy={isStale || undefined}
      className={classNames("transition-opacity duration-100", isStale && "opacity-60")}
    >
      {isPhone ? <Cards {...props} rows={rows} /> : <Rows {...props} rows={rows} />}
    </div>
  );
}

type LoadedProps<Row> = DataTableProps<Row> & { readonly rows: readonly Row[] };

const Rows = <Row,>({ label, columns, rows, rowKey }: LoadedProps<Row>) => (
  // A region that takes the focus, so that the keyboard can scroll a table wider than the page.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section aria-label={label} tabIndex={0} className="max-h-[75dvh] overflow-auto rounded-b-lg">
    <table className="w-full border-separate border-spacing-0 text-left tabular-nums">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {columns.map(({ id, head, align, isActions = false }) => (
            <th
              key={id}
              scope="col"
              className={classNames(
                "bg-surface text-quiet border-line sticky top-0 z-10 border-b px-3 py-2 text-xs font-medium whitespace-nowrap first:pl-5 last:pr-5",
                align === "end" && "text-right",
              )}
            >
              <span className={isActions ? "sr-only" : undefined}>{head}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className="group hover:bg-hover/50">
            {columns.map(({ id, cell, align, isTitle = false, isActions = false, className }) => {
              const names = classNames(
                "border-line border-b px-3 py-2.5 align-middle group-last:border-b-0 first:pl-5 last:pr-5",
                align === "end" && "text-right",
                isActions && "w-0 text-right whitespace-nowrap",
                className,
              );
              return isTitle ? (
                <th key={id} scope="row" className={classNames(names, "max-w-72 font-medium")}>
                  {cell(row)}
                </th>
              ) : (
                <td key={id} className={names}>
                  {cell(row)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const Cards = <Row,>({ label, columns, rows, rowKey }: LoadedProps<Row>) => {
  const title = columns.find(({ isTitle }) => isTitle);
  const actions = columns.find(({ isActions }) => isActions);
  const rest = columns.filter((column) => column !== title && column !== actions && !column.isHiddenOnPhone);
  return (
    <ul aria-label={label} className="divide-line divide-y">
      {rows.map((row) => (
        <li key={rowKey(row)} className="px-4 py-3">
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-2">
            <div className="min-w-0 flex-1 basis-36 font-medium break-words">{title?.cell(row)}</div>
            {actions?.cell(row)}
          </div>
          <dl className="mt-2 grid grid-cols-[fit-content(9rem)_1fr] gap-x-4 gap-y-1.5">
            {rest.map(({ id, head, cell }) => (
              <div key={id} className="contents">
                <dt className="text-quiet min-w-24">{head}</dt>
                <dd className="min-w-0 break-words tabular-nums [&_time]:whitespace-normal">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
};
