// Usage: how many units went where, day by day.
import { useSearchParams } from "wouter";
import { useConsole } from "../api.ts";
import {
  Card,
  type Column,
  classNames,
  count,
  DataTable,
  day,
  EmptyState,
  ErrorState,
  Figure,
  mean,
  PageHeader,
  percent,
  plural,
  Segments,
  Skeleton,
  TextField,
} from "../components/index.ts";
import { UsageChart } from "./usage/chart.tsx";
import { useUsageSeen } from "./usage/first-steps.tsx";
import { type By, type Choice, choiceOf, daysOf, type Range } from "./usage/range.ts";
import { type Usage as Data, markOf, stackOf } from "./usage/series.ts";

const rangeNames: readonly { readonly value: Range; readonly label: string }[] = [
  { value: "month", label: "This month" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "custom", label: "Custom" },
];
const partNames: readonly { readonly value: By; readonly label: string }[] = [
  { value: "operation", label: "Operation" },
  { value: "key", label: "Key" },
  { value: "team", label: "Team" },
];
const readEverySeconds = 60;

export default function Usage() {
  const [search, setSearch] = useSearchParams();
  const choice = choiceOf(search);
  const days = daysOf(choice, Date.now());
  const usage = useConsole("getUsage", {
    query: { ...days, by: choice.by },
    isEnabled: days !== undefined,
    keepsPrevious: true,
    everySeconds: readEverySeconds,
  });
  useUsageSeen((usage.data?.data.calls ?? 0) > 0);
  const choose = (changes: Partial<Choice>) => {
    const next = { ...choice, ...changes };
    const begin = next.range === "custom" && choice.range !== "custom" ? days : undefined;
    setSearch(
      {
        range: next.range,
        by: next.by,
        ...(next.range === "custom" && { from: begin?.from ?? next.from, to: begin?.to ?? next.to }),
      },
      { replace: true },
    );
  };
  return (
    <>
      <PageHeader title="Usage" description="Units and calls per day. Days begin and end at midnight UTC." />
      <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <Segments label="Days" value={choice.range} onChange={(range) => choose({ range })} options={rangeNames} />
        <Segments label="Split by" value={choice.by} onChange={(by) => choose({ by })} options={partNames} />
        {choice.range === "custom" && <CustomDays choice={choice} choose={choose} isWrong={days === undefined} />}
      </div>
      {usage.data ? (
        <Shown data={usage.data.data} isStale={usage.isPlaceholderData} failure={usage.error} />
      ) : usage.error ? (
        <Card>
          <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
        </Card>
      ) : (
        <Card>
          <p role="status" className="sr-only">
            {days ? "Usage is loading" : "Choose the first and the last day"}
          </p>
          <Skeleton lines={9} />
        </Card>
      )}
    </>
  );
}

const CustomDays = ({
  choice,
  choose,
  isWrong,
}: {
  choice: Choice;
  choose: (changes: Partial<Choice>) => void;
  isWrong: boolean;
}) => (
  <div className="flex flex-wrap items-start gap-3">
    <TextField
      label="First day (UTC)"
      type="date"
      required
      value={choice.from}
      onChange={(event) => choose({ from: event.target.value })}
      error={isWrong ? "Must not be after the last day" : undefined}
    />
    <TextField
      label="Last day (UTC)"
      type="date"
      required
      value={choice.to}
      onChange={(event) => choose({ to: event.target.value })}
    />
  </div>
);

function Shown({ data, isStale, failure }: { data: Data; isStale: boolean; failure: Error | null }) {
  const stacked = stackOf(data);
  const busiest = data.days.reduce((found, one) => (one.units > found.units ? one : found), {
    day: "",
    units: 0,
  });
  return (
    <div className="grid gap-4">
      {failure && <ErrorState error={failure} />}
      <Card>
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure label="Units" value={count(data.units)} />
          <Figure label="Calls" value={count(data.calls)} />
          <Figure label="Units per day" value={mean(data.units / data.days.length)} />
          <Figure
            label="Most on one day"
            value={count(busiest.units)}
            note={busiest.units > 0 ? `${day(busiest.day)} UTC` : undefined}
          />
        </div>
      </Card>
      <Card title="Units per day" description={`${day(data.from)} to ${day(data.to)}, UTC`}>
        {data.units === 0 ? (
          <EmptyState icon="usage" title="No units were used in these days">
            A call shows up here a moment after it was answered.
          </EmptyState>
        ) : (
          <UsageChart stacked={stacked} isStale={isStale} />
        )}
      </Card>
      <Parts data={data} isStale={isStale} mark={(index) => markOf(stacked, index)} />
      <Days data={data} />
    </div>
  );
}

type Part = Data["parts"][number];
const titles: Readonly<Record<By, string>> = { operation: "By operation", key: "By key", team: "By team" };

function Parts({ data, isStale, mark }: { data: Data; isStale: boolean; mark: (index: number) => string }) {
  const places = new Map(data.parts.map((part, index) => [part.id, index]));
  const share = (part: Part) => (data.units === 0 ? 0 : part.units / data.units);
  const shareText = (part: Part) => (part.units > 0 && share(part) < 0.001 ? "< 0.1%" : percent(share(part)));
  const columns: readonly Column<Part>[] = [
    {
      id: "name",
      head: partNames.find(({ value }) => value === data.by)?.label ?? "Part",
      isTitle: true,
      cell: (part) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <span
            className={classNames("size-2.5 shrink-0 rounded-xs", mark(places.get(part.id) ?? 0))}
            aria-hidden="true"
          />
          <span className="min-w-0 truncate" title={part.name}>
            {part.name}
          </span>
        </span>
      ),
    },
    { id: "calls", head: "Calls", align: "end", cell: (part) => count(part.calls) },
    { id: "units", head: "Units", align: "end", cell: (part) => count(part.units) },
    {
      id: "share",
      head: "Share of units",
      align: "end",
      className: "sm:w-56",
      cell: (part) => (
        <span className="flex items-center gap-3 sm:justify-end">
          <span className="bg-sunken hidden h-1.5 w-28 overflow-hidden rounded-full sm:block" aria-hidden="true">
            <span className="bg-accent block h-full" style={{ width: percent(share(part)) }} />
          </span>
          <span className="sm:w-14">{shareText(part)}</span>
        </span>
      ),
    },
  ];
  return (
    <Card title={titles[data.by]} isFlush>
      <DataTable
        label={`Usage ${titles[data.by].toLowerCase()}`}
        columns={columns}
        rows={data.parts}
        rowKey={(part) => part.id}
        isStale={isStale}
        empty={<EmptyState title="Nothing was called in these days" />}
      />
    </Card>
  );
}

type Day = Data["days"][number];
const dayColumns: readonly Column<Day>[] = [
  { id: "day", head: "Day (UTC)", isTitle: true, cell: (one) => day(one.day) },
  { id: "calls", head: "Calls", align: "end", cell: (one) => count(one.calls) },
  { id: "units", head: "Units", align: "end", cell: (one) => count(one.units) },
];

/** The chart as numbers. */
const Days = ({ data }: { data: Data }) => (
  <details className="bg-surface border-line shadow-low min-w-0 rounded-lg border">
    <summary className="min-h-11 px-4 py-3 font-semibold sm:px-5">
      Day by day <span className="text-quiet font-normal">({plural(data.days.length, "day")} as a table)</span>
    </summary>
    <DataTable
      label="Usage day by day"
      columns={dayColumns}
      rows={data.days.toReversed()}
      rowKey={(one) => one.day}
      empty={null}
    />
  </details>
);
