// Placeholders for missing data: loading, empty, failed.
import type { ReactNode } from "react";
import { ApiError } from "../call.ts";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icons.tsx";

export const EmptyState = ({
  icon,
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  /** One or two sentences: what will appear here, and how to get there. */
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="grid justify-items-center gap-1 px-4 py-8 text-center">
    {icon && (
      <span className="bg-sunken text-quiet mb-2 grid size-10 place-items-center rounded-full">
        <Icon name={icon} />
      </span>
    )}
    <p className="font-medium break-words">{title}</p>
    {children && <div className="text-quiet max-w-md text-pretty break-words">{children}</div>}
    {action && <div className="mt-3">{action}</div>}
  </div>
);

export const ErrorState = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <div role="alert" className="grid justify-items-center gap-1 px-4 py-8 text-center">
    <span className="bg-danger-soft text-danger mb-2 grid size-10 place-items-center rounded-full">
      <Icon name="warning" />
    </span>
    <p className="font-medium">Couldn’t load this</p>
    <p className="text-quiet max-w-md break-words">
      {error instanceof Error ? error.message : "Something went wrong."}
    </p>
    {error instanceof ApiError && error.requestId !== null && error.status >= 500 && (
      <p className="text-quiet font-mono text-xs break-all">Request {error.requestId}</p>
    )}
    {onRetry && (
      <Button className="mt-3" onClick={onRetry}>
        Try again
      </Button>
    )}
  </div>
);

const barClass = "bg-sunken animate-pulse rounded motion-reduce:animate-none";

/** Placeholder lines with the height of text. */
export const Skeleton = ({ lines = 3, className }: { lines?: number; className?: string }) => (
  <div className={classNames("grid gap-3", className)} aria-hidden="true">
    {Array.from({ length: lines }, (_, line) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        key={line}
        className={classNames(barClass, "block h-4", line % 3 === 2 ? "w-2/3" : line % 3 === 1 ? "w-5/6" : "w-full")}
      />
    ))}
  </div>
);

/** Announces to screen readers that something loads; the skeleton is visual only. */
export const Loading = ({ label = "Loading", children }: { label?: string; children?: ReactNode }) => (
  <div>
    <p role="status" className="sr-only">
      {label}
    </p>
    {children ?? <Skeleton />}
  </div>
);

/**
 * Renders a query: loading, failed, or its data. `<Loaded of={quota}>{({ data }) => …}</Loaded>` Data that was read
 * stays when a later read fails.
 */
export function Loaded<Data>({
  query,
  skeleton,
  children,
}: {
  query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading>{skeleton}</Loading>;
}
