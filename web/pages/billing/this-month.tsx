// The current month: units used and left, and their cost.
import type { DataOf } from "../../api.ts";
import {
  Card,
  formatCount,
  formatMonth,
  formatPercent,
  formatUsd,
  Notice,
  Stat,
  Time,
} from "../../components/index.ts";
import { formatExactUsd, isRounded } from "./money.ts";

type Billing = DataOf<"getBilling">;

const warningShare = 0.8;

/** Shows how the cost is calculated. */
export function ThisMonth({ billing }: { billing: Billing }) {
  const { this_month: month, unit_price } = billing;
  const share = month.granted === 0 ? 0 : month.used / month.granted;
  return (
    <Card title={`${formatMonth(month.month)} so far`} description={<>The price is {unit_price}, with no minimum.</>}>
      <div className="grid gap-5">
        {share >= warningShare && <QuotaWarning share={share} endsAt={month.ends_at} />}
        <div className="grid gap-5 sm:grid-cols-3">
          <Stat
            label="Left this month"
            value={formatCount(month.remaining)}
            note={
              <>
                of {formatCount(month.granted)} units, until <Time at={month.ends_at} part="day" />
              </>
            }
          />
          <Stat label="Used" value={formatCount(month.used)} note={`${formatPercent(share)} of this month’s units`} />
          <Stat
            label="Cost of the allowance so far"
            value={formatUsd(month.amount_cents)}
            note={<Arithmetic month={month} />}
          />
        </div>
        <QuotaBar used={month.used} granted={month.granted} share={share} />
        <Grants grants={month.grants} />
      </div>
    </Card>
  );
}

const QuotaWarning = ({ share, endsAt }: { share: number; endsAt: string }) => (
  <Notice tone={share >= 1 ? "danger" : "warn"}>
    <p>
      {share >= 1
        ? "This month’s units are used up: calls are refused with 403."
        : `${formatPercent(share)} of this month’s units are used. When they are used up, calls are refused with 403.`}{" "}
      The next allowance begins on <Time at={endsAt} />. A package adds units at once.
    </p>
  </Notice>
);

const Arithmetic = ({ month }: { month: Billing["this_month"] }) => (
  <>
    {formatCount(month.used_of_allowance)} × {formatExactUsd(month.unit_price_microdollars)} ={" "}
    {formatExactUsd(month.amount_microdollars)}
    {isRounded(month.amount_microdollars) && ", rounded to cents"}
  </>
);

function QuotaBar({ used, granted, share }: { used: number; granted: number; share: number }) {
  const color = share >= 1 ? "bg-danger" : share >= warningShare ? "bg-warn" : "bg-accent";
  return (
    // biome-ignore lint/a11y/useSemanticElements: each browser draws its own meter
    <div
      role="meter"
      aria-label="Units used this month"
      aria-valuemin={0}
      aria-valuemax={granted}
      aria-valuenow={used}
      aria-valuetext={`${formatCount(used)} of ${formatCount(granted)} units`}
      className="bg-sunken h-2.5 overflow-hidden rounded-full"
    >
      <div className={`h-full rounded-full ${color}`} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </div>
  );
}

/** The grants in the order in which calls use them. */
const Grants = ({ grants }: { grants: Billing["this_month"]["grants"] }) => (
  <div>
    <h3 className="font-medium">Where the units come from</h3>
    <p className="text-quiet mt-0.5">Drawn from top to bottom. What is left at the month’s end is not carried over.</p>
    <ul className="divide-line mt-2 divide-y">
      {grants.map((grant) => (
        <li
          key={`${grant.kind} ${grant.created_at} ${grant.reference}`}
          className="flex flex-wrap items-baseline justify-between gap-x-4 py-2"
        >
          <span className="min-w-0 break-words">
            {grant.kind === "monthly" ? "Monthly allowance" : `Package ${grant.kind}`}
            <span className="text-quiet">
              {grant.kind !== "monthly" && (
                <>
                  , credited <Time at={grant.created_at} part="day" />
                </>
              )}
            </span>
          </span>
          <span className="tabular-nums">
            {formatCount(grant.remaining)} <span className="text-quiet">of {formatCount(grant.units)} left</span>
          </span>
        </li>
      ))}
    </ul>
  </div>
);
