// The current month: units used and left, and their cost.
import type { DataOf } from "../../api.ts";
import {
  ButtonLink,
  Card,
  formatCount,
  formatMonth,
  formatPercent,
  formatUsd,
  Notice,
  Stat,
  Time,
} from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { formatExactUsd, isRounded } from "./money.ts";

type Billing = DataOf<"getBilling">;

const warningShare = 0.8;

/** Shows how the cost is calculated. */
export function ThisMonth({ billing }: { billing: Billing }) {
  const { to } = useWorkspace();
  const { this_month: month, unit_price } = billing;
  const packagesCents = packagesCentsOf(billing);
  const share = month.granted === 0 ? 0 : month.used / month.granted;
  return (
    <Card
      title={`${formatMonth(month.month)} so far`}
      description={
        <>
          You pay for the allowance units you use: {unit_price}, with no minimum, billed on the 1st of next month.
          Packages are charged when you buy them.
        </>
      }
      actions={
        <ButtonLink size="small" href={to("invoices/preview")}>
          Preview invoice
        </ButtonLink>
      }
    >
      <div className="grid gap-5">
        {share >= warningShare && <QuotaWarning share={share} endsAt={month.ends_at} />}
        <div className="grid gap-5 sm:grid-cols-3">
          <Stat
            label="Units left"
            value={formatCount(month.remaining)}
            note={
              <>
                of {formatCount(month.granted)}, expiring <Time at={month.ends_at} part="day" />
              </>
            }
          />
          <Stat
            label="Units used"
            value={formatCount(month.used)}
            note={`${formatPercent(share)} of this month’s units`}
          />
          <Stat
            label="Cost so far"
            value={formatUsd(month.amount_cents + packagesCents)}
            note={<Arithmetic month={month} packagesCents={packagesCents} />}
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
        ? "No units left this month. Requests are refused with status 403."
        : `${formatPercent(share)} of this month’s units used. When none are left, requests are refused with status 403.`}{" "}
      The next allowance is credited on <Time at={endsAt} />. To add units now, buy a package.
    </p>
  </Notice>
);

/** What was bought this month. */
const packagesCentsOf = ({ packages, this_month: { grants } }: Billing): number =>
  grants.reduce((sum, { kind }) => sum + (packages.find(({ name }) => name === kind)?.price_cents ?? 0), 0);

const Arithmetic = ({ month, packagesCents }: { month: Billing["this_month"]; packagesCents: number }) => (
  <>
    {formatCount(month.used_of_allowance)} × {formatExactUsd(month.unit_price_microdollars)} ={" "}
    {formatExactUsd(month.amount_microdollars)}
    {isRounded(month.amount_microdollars) && ", rounded to the cent"}
    {packagesCents > 0 && `, plus ${formatUsd(packagesCents)} for packages`}
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

/** The grants in the order in which requests draw from them. */
const Grants = ({ grants }: { grants: Billing["this_month"]["grants"] }) => (
  <div>
    <h3 className="font-medium">Where your units come from</h3>
    <p className="text-quiet mt-0.5">
      Requests draw from the allowance first, then from packages in the order you bought them. Unused units expire at
      the end of the month.
    </p>
    <ul className="divide-line mt-2 divide-y">
      {grants.map((grant) => (
        <li
          key={`${grant.kind} ${grant.created_at} ${grant.reference}`}
          className="flex flex-wrap items-baseline justify-between gap-x-4 py-2"
        >
          <span className="min-w-0 break-words">
            {grant.kind === "monthly" ? "Monthly allowance" : `${grant.kind} package`}
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
