// The request log: every admitted request with its result and its cost, and counts of those that were not admitted.
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { downloadPath, useConsolePages, useConsoleQuery } from "../api.ts";
import {
  Button,
  ButtonLink,
  buttonClass,
  Card,
  EmptyState,
  ErrorState,
  formatDay,
  Icon,
  Loading,
  Notice,
  PageHeader,
  Pager,
  SelectField,
  Skeleton,
  TextField,
  useIsPhone,
} from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import {
  isCounting,
  isFiltered,
  type LogFilter,
  noFilter,
  operations,
  readFilter,
  statuses,
  statusText,
  toQuery,
  toSearch,
} from "./usage/log-filter.ts";
import { LogRows } from "./usage/log-rows.tsx";

const keysMax = 100;

export default function Log() {
  const workspace = useWorkspace();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const { query, errors } = toQuery(filter);
  const pages = useConsolePages("getLog", { query });
  const quota = useConsoleQuery("getQuota");
  const updateFilter = (changes: Partial<LogFilter>) =>
    setSearch(toSearch({ ...filter, ...changes }), { replace: true });
  const { requestId: _, ...exportQuery } = query;
  const keptFrom = quota.data?.data.log_kept_from;
  return (
    <>
      <PageHeader
        title="Request log"
        topic="log"
        description={
          <>
            Requests made with this workspace’s API keys, newest first. Requests refused because of a rate limit, the
            sender’s network, or an inactive or expired key are grouped by minute. All times are in UTC.
            {keptFrom !== undefined && (
              <> Requests before {formatDay(keptFrom)} are no longer listed, but still count toward usage.</>
            )}
          </>
        }
        actions={
          <>
            <Button isBusy={pages.isRefetching} onClick={() => void pages.refetch()}>
              Refresh
            </Button>
            <a href={downloadPath("getLogExport", workspace.id, exportQuery)} download className={buttonClass()}>
              <Icon name="download" className="size-4" />
              Download CSV
            </a>
          </>
        }
      />
      <Card isFlush>
        <CollapsibleFilters isFiltered={isFiltered(filter)}>
          <Filters filter={filter} errors={errors} updateFilter={updateFilter} />
        </CollapsibleFilters>
        <Requests pages={pages} filter={filter} onClear={() => updateFilter(noFilter)} />
        <Pager pages={pages} noun="entry" nouns="entries" />
      </Card>
    </>
  );
}

function Requests({
  pages,
  filter,
  onClear,
}: {
  pages: ReturnType<typeof useConsolePages<"getLog">>;
  filter: LogFilter;
  onClear: () => void;
}) {
  const workspace = useWorkspace();
  const { rows, error, hasNextPage, isFetchingNextPage } = pages;
  if (rows === undefined && error) return <ErrorState error={error} onRetry={() => void pages.refetch()} />;
  if (rows === undefined)
    return (
      <div className="p-5">
        <Loading label="Loading requests">
          <Skeleton lines={8} />
        </Loading>
      </div>
    );
  const isById = toQuery(filter).query.requestId !== undefined;
  if (rows.length > 0)
    return (
      <>
        {isById && rows.every(isCounting) && (
          <div className="p-4 pb-0 sm:px-5">
            <Notice>
              Refusals are grouped by minute, so they can’t be found by request ID. These requests were refused in the
              minute of this ID.
            </Notice>
          </div>
        )}
        <LogRows entries={rows} isStale={pages.isPlaceholderData} />
      </>
    );
  if (hasNextPage)
    return (
      <EmptyState
        icon="search"
        title="No matches in recent requests"
        action={
          <Button isBusy={isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Search older requests
          </Button>
        }
      >
        Older requests haven’t been searched yet.
      </EmptyState>
    );
  if (isById)
    return (
      <EmptyState
        icon="search"
        title="No request with this ID"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Requests appear here a few seconds after they were made. Refusals because of a rate limit, the sender’s network,
        or an inactive or expired key are grouped by minute, and none match this ID and the other filters.
      </EmptyState>
    );
  if (isFiltered(filter))
    return (
      <EmptyState icon="search" title="No matching requests" action={<Button onClick={onClear}>Clear filters</Button>}>
        Change or clear a filter to see more requests.
      </EmptyState>
    );
  return (
    <EmptyState
      icon="log"
      title="No requests yet"
      action={
        workspace.may("keys.read") ? <ButtonLink href={workspace.to("keys")}>Go to API access</ButtonLink> : undefined
      }
    >
      Requests made with this workspace’s API keys will appear here.
    </EmptyState>
  );
}

/** On a phone the requests come first. The filters are collapsed until one is set. */
function CollapsibleFilters({ isFiltered, children }: { isFiltered: boolean; children: ReactNode }) {
  if (!useIsPhone()) return children;
  return (
    <details open={isFiltered || undefined} className="border-line border-b">
      <summary className="min-h-11 px-4 py-3 font-medium">Filters</summary>
      {children}
    </details>
  );
}

function Filters({
  filter,
  errors,
  updateFilter,
}: {
  filter: LogFilter;
  errors: ReturnType<typeof toQuery>["errors"];
  updateFilter: (changes: Partial<LogFilter>) => void;
}) {
  const workspace = useWorkspace();
  const keys = useConsoleQuery("getKeys", { query: { limit: keysMax }, isEnabled: workspace.may("keys.read") });
  const listedKeys = keys.data?.data ?? [];
  // A key from the address that is deleted or not in the list.
  const isUnlistedKey = filter.keyId !== "" && !listedKeys.some(({ id }) => id === filter.keyId);
  return (
    <form
      aria-label="Filter requests"
      onSubmit={(event) => event.preventDefault()}
      className="border-line grid grid-cols-1 gap-3 p-4 sm:grid-cols-2 sm:border-b sm:px-5 lg:grid-cols-3 2xl:grid-cols-6"
    >
      <SelectField
        label="API key"
        value={filter.keyId}
        onChange={(event) => updateFilter({ keyId: event.target.value })}
      >
        <option value="">All keys</option>
        {isUnlistedKey && <option value={filter.keyId}>Key {filter.keyId.slice(0, 8)}…</option>}
        {listedKeys.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Operation"
        value={filter.operation}
        onChange={(event) => updateFilter({ operation: event.target.value })}
      >
        <option value="">All operations</option>
        {operations.map(({ name, method, path }) => (
          <option key={name} value={name}>
            {method} {path}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Status"
        value={filter.status}
        onChange={(event) => updateFilter({ status: event.target.value })}
      >
        <option value="">All</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusText(status)}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Start date (UTC)"
        type="date"
        value={filter.from}
        onChange={(event) => updateFilter({ from: event.target.value })}
      />
      <TextField
        label="End date (UTC)"
        type="date"
        value={filter.to}
        error={errors.to}
        onChange={(event) => updateFilter({ to: event.target.value })}
      />
      <TextField
        label="Request ID"
        value={filter.requestId}
        error={errors.requestId}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        onChange={(event) => updateFilter({ requestId: event.target.value })}
      />
      {isFiltered(filter) && (
        <div className="sm:col-span-2 lg:col-span-3 2xl:col-span-6">
          <Button size="small" onClick={() => updateFilter(noFilter)}>
            Clear filters
          </Button>
        </div>
      )}
    </form>
  );
}
