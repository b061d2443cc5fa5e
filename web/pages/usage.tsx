// Units by operation, key or team, and by day.
import { useSearchParams } from "wouter";
import { useConsoleQuery } from "../api.ts";
import {
  Card,
  type Column,
  classNames,
  DataTable,
  EmptyState,
  ErrorState,
  formatCount,
  formatDay,
  formatMean,
  formatPercent,
  Loading,
  PageHeader,
  pluralize,
  SegmentedControl,
  Skeleton,
  Stat,
  TextField,
} from "../components/index.ts";
import { isoDay } from "../time.ts";
import { UsageChart } from "./usage/chart.tsx";
import { useMarkUsageSeen } from "./usage/first-steps.tsx";
import {
  type GroupBy,
  isReversed,
  type Range,
  readSelection,
  selectedDays,
  type UsageSelection,
} from "./usage/range.ts";
import { type UsageData as Data, markOf, stackUsage } from "./usage/series.ts";

const rangeOptions: readonly { readonly value: Range; readonly label: string }[] = [
  { value: "month", label: "This month" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "custom", label: "Custom" },
];
const groupings: readonly { readonly value: GroupBy; readonly label: string }[] = [
  { value: "operation", label: "Operation" },
  { value: "key", label: "API key" },
  { value: "team", label: "Team" },
];
const refetchSeconds = 60;

export default function Usage() {
  const [search, setSearch] = useSearchParams();
  const selection = readSelection(search);
  const days = selectedDays(selection, Date.now());
  const usage = useConsoleQuery("getUsage", {
    query: { ...days, by: selection.by },
    isEnabled: days !== undefined,
    keepsPreviousData: true,
    refetchSeconds: refetchSeconds,
  });
  useMarkUsageSeen((usage.data?.data.calls ?? 0) > 0);
  const select = (changes: Partial<UsageSelection>) => {
    const next = { ...selection, ...changes };
    const initialDays = next.range === "custom" && selection.range !== "custom" ? days : undefined;
    setSearch(
      {
        range: next.range,
        by: next.by,
        ...(next.range === "custom" && { from: initialDays?.from ?? next.from, to: initialDays?.to ?? next.to }),
      },
      { replace: true },
    );
  };
  return (
    <>
      <PageHeader
        title="Usage"
        description="Units and requests per day. Days start and end at midnight UTC."
        topic="usage"
      />
      <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <SegmentedControl
          label="Period"
          value={selection.range}
          onChange={(range) => select({ range })}
          options={rangeOptions}
        />
        <SegmentedControl
          label="Group by"
          value={selection.by}
          onChange={(by) => select({ by })}
          options={groupings.map(({ value }) => ({ value, label: partsTitles[value] }))}
        />
        {selection.range === "custom" && <CustomDays selection={selection} select={select} />}
      </div>
      {usage.data ? (
        <UsageReport data={usage.data.data} isStale={usage.isPlaceholderData} failure={usage.error} />
      ) : usage.error ? (
        <Card>
          <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
        </Card>
      ) : (
        <Card>
          {days ? (
            <Loading label="Loading usage">
              <Skeleton lines={9} />
            </Loading>
          ) : (
            <EmptyState icon="usage" title="No usage to show">
              Select a start date and an end date.
            </EmptyState>
          )}
        </Card>
      )}
    </>
  );
}

const CustomDays = ({
  selection,
  select,
}: {
  selection: UsageSelection;
  select: (changes: Partial<UsageSelection>) => void;
}) => (
  <div className="flex flex-wrap items-start gap-3">
    <TextField
      label="Start date (UTC)"
      type="date"
      required
      value={selection.from}
      onChange={(event) => select({ from: event.target.value })}
      error={isReversed(selection) ? "Must be on or before the end date." : undefined}
    />
    <TextField
      label="End date (UTC)"
      type="date"
      required
      value={selection.to}
      onChange={(event) => select({ to: event.target.value })}
    />
  </div>
);

function UsageReport({ data, isStale, failure }: { data: Data; isStale: boolean; failure: Error | null }) {
  const stacked = stackUsage(data);
  const busiest = data.days.reduce((found, one) => (one.units > found.units ? one : found), {
    day: "",
    units: 0,
  });
  return (
    <div className="grid gap-4">
      {failure && <ErrorState error={failure} />}
      <Card>
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Stat label="Units" value={formatCount(data.units)} />
          <Stat label="Requests" value={formatCount(data.calls)} />
          <AveragePerDay data={data} />
          <Stat
            label="Busiest day"
            value={formatCount(busiest.units)}
            note={
              busiest.units > 0
                ? `${busiest.units === 1 ? "unit" : "units"} on ${formatDay(busiest.day)} (UTC)`
                : undefined
            }
          />
        </div>
      </Card>
      <Card title="Units per day" description={`${formatDay(data.from)} – ${formatDay(data.to)} (UTC)`}>
        {data.units === 0 ? (
          <EmptyState icon="usage" title="No units used in this period">
            {data.to >= isoDay(Date.now())
              ? "Usage will appear here moments after each request."
              : "Choose another period to see usage."}
          </EmptyState>
        ) : (
          <UsageChart stacked={stacked} isStale={isStale} />
        )}
      </Card>
      <PartsCard data={data} isStale={isStale} mark={(index) => markOf(stacked, index)} />
      <DaysTable data={data} />
    </div>
  );
}

/** The average over the days that the workspace has existed: earlier and later days have no usage. */
function AveragePerDay({ data }: { data: Data }) {
  const workspace = useConsoleQuery("getWorkspace");
  const firstUsed = data.days.find(({ calls }) => calls > 0)?.day ?? data.to;
  const created = workspace.data?.data.created_at.slice(0, 10) ?? data.from;
  const first = firstUsed < created ? firstUsed : created;
  const today = isoDay(Date.now());
  const count = Math.max(1, data.days.filter(({ day }) => day >= first && day <= today).length);
  return (
    <Stat
      label="Average units per day"
      value={formatMean(data.units / count)}
      note={count < data.days.length ? `over ${pluralize(count, "day")}` : undefined}
    />
  );
}

type Part = Data["parts"][number];
const partsLabels: Readonly<Record<GroupBy, string>> = {
  operation: "by operation",
  key: "by API key",
  team: "by team",
};
const partsTitles: Readonly<Record<GroupBy, string>> = {
  operation: "By operation",
  key: "By API key",
  team: "By team",
};

function PartsCard({ data, isStale, mark }: { data: Data; isStale: boolean; mark: (index: number) => string }) {
  const indexes = new Map(data.parts.map((part, index) => [part.id, index]));
  const share = (part: Part) => (data.units === 0 ? 0 : part.units / data.units);
  const shareText = (part: Part) => (part.units > 0 && share(part) < 0.001 ? "< 0.1%" : formatPercent(share(part)));
  const columns: readonly Column<Part>[] = [
    {
      id: "name",
      head: groupings.find(({ value }) => value === data.by)?.label ?? "Part",
      isTitle: true,
      cell: (part) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <span
            className={classNames("size-2.5 shrink-0 rounded-xs", mark(indexes.get(part.id) ?? 0))}
            aria-hidden="true"
          />
          <span className="min-w-0 truncate" title={part.name}>
            {part.name}
          </span>
        </span>
      ),
    },
    { id: "calls", head: "Requests", align: "end", cell: (part) => formatCount(part.calls) },
    { id: "units", head: "Units", align: "end", cell: (part) => formatCount(part.units) },
    {
      id: "share",
      head: "Share of units",
      align: "end",
      className: "sm:w-56",
      cell: (part) => (
        <span className="flex items-center gap-3 sm:justify-end">
          <span className="bg-sunken hidden h-1.5 w-28 overflow-hidden rounded-full sm:block" aria-hidden="true">
            <span className="bg-accent block h-full" style={{ width: formatPercent(share(part)) }} />
          </span>
          <span className="sm:w-14">{shareText(part)}</span>
        </span>
      ),
    },
  ];
  return (
    <Card title={partsTitles[data.by]} isFlush>
      <DataTable
        label={`Usage ${partsLabels[data.by]}`}
        columns={columns}
        rows={data.parts}
        rowKey={(part) => part.id}
        isStale={isStale}
        empty={<EmptyState title="No requests in this period" />}
      />
    </Card>
  );
}

type Day = Data["days"][number];
const dayColumns: readonly Column<Day>[] = [
  { id: "day", head: "Day (UTC)", isTitle: true, cell: (one) => formatDay(one.day) },
  { id: "calls", head: "Requests", align: "end", cell: (one) => formatCount(one.calls) },
  { id: "units", head: "Units", align: "end", cell: (one) => formatCount(one.units) },
];

/** The numbers of the chart. */
const DaysTable = ({ data }: { data: Data }) => (
  <details className="bg-surface border-line shadow-low min-w-0 rounded-lg border">
    <summary className="min-h-11 px-4 py-3 font-semibold sm:px-5">
      Usage by day <span className="text-quiet font-normal">({pluralize(data.days.length, "day")})</span>
    </summary>
    <DataTable
      label="Usage by day"
      columns={dayColumns}
      rows={data.days.toReversed()}
      rowKey={(one) => one.day}
      empty={null}
    />
  </details>
);
