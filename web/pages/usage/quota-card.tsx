// The balance of the month, and how long it lasts at the recent pace.
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { DataOf } from "../../api.ts";
import { classNames, formatCount, formatDay, formatMonth, pluralize, ShareBar } from "../../components/index.ts";
import { dayMilliseconds } from "../../time.ts";
import { useSession, useWorkspace } from "../../workspace.tsx";

type Quota = DataOf<"getQuota">;

export function QuotaCard({ quota }: { quota: Quota }) {
  const { granted, used, remaining, resets_at } = quota;
  const share = granted === 0 ? 1 : used / granted;
  return (
    <div className="grid gap-4">
      <div>
        <p className="text-quiet text-[0.8125rem]">Balance for {formatMonth(quota.month)}</p>
        <p className="mt-0.5 text-4xl font-semibold tracking-tight break-words tabular-nums">
          {formatCount(remaining)}{" "}
          <span className="text-quiet text-base font-normal tracking-normal">
            {remaining === 1 ? "unit left" : "units left"}
          </span>
        </p>
      </div>
      <div className="grid gap-2">
        <ShareBar share={share} what="of this month’s units used" />
        <p className="text-quiet flex flex-wrap justify-between gap-x-4 text-[0.8125rem] tabular-nums">
          <span>
            {formatCount(used)} of {pluralize(granted, "unit")} used
          </span>
          <span>Resets {formatDay(resets_at)} (UTC)</span>
        </p>
      </div>
      <Forecast quota={quota} />
    </div>
  );
}

/** To two digits, because a forecast is not more exact. */
const rounded = (units: number): number => Number(Math.round(units).toPrecision(2));

/** The forecast as a sentence. */
function Forecast({ quota: { forecast, remaining, resets_at } }: { quota: Quota }) {
  const { units_per_day, ends_at } = forecast;
  if (remaining === 0)
    return (
      <ForecastText isWarning>
        No units left. Requests are refused until {formatDay(resets_at)} (UTC). <MoreUnits />
      </ForecastText>
    );
  if (units_per_day === null)
    return <ForecastText>No units used in the last 7 days, so there’s no forecast yet.</ForecastText>;
  const pace =
    units_per_day < 0.5 ? "less than 1 unit a day" : `about ${pluralize(rounded(units_per_day), "unit")} a day`;
  if (ends_at === null)
    return (
      <ForecastText>
        At this pace, your balance <strong className="font-semibold">will last until the end of the month</strong> (
        {pace}).
      </ForecastText>
    );
  const daysEarly = Math.floor((Date.parse(resets_at) - Date.parse(ends_at)) / dayMilliseconds);
  return (
    <ForecastText isWarning>
      At this pace, your balance{" "}
      <strong className="font-semibold">
        will run out around {formatDay(ends_at)} (UTC),{" "}
        {daysEarly < 1 ? "less than a day" : pluralize(daysEarly, "day")} before it resets
      </strong>{" "}
      ({pace}). <MoreUnits />
    </ForecastText>
  );
}

const ForecastText = ({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) => (
  <p className={classNames("break-words", isWarning && "bg-warn-soft text-warn rounded-md px-3 py-2")}>{children}</p>
);

const linkClass = "rounded-sm font-semibold underline underline-offset-3";

/** How to get more units: by buying a package, or from the operator where nothing is sold. */
function MoreUnits() {
  const workspace = useWorkspace();
  const { is_billing_on } = useSession();
  if (!is_billing_on)
    return workspace.may("subscription.change") ? (
      <Link href={workspace.to("settings")} className={linkClass}>
        Raise the monthly allowance
      </Link>
    ) : (
      <>The operator of this service can raise the monthly allowance.</>
    );
  if (!workspace.may("billing.buy"))
    return workspace.may("billing.read") ? null : <>An owner or admin can buy a package.</>;
  return (
    <Link href={workspace.to("billing")} className={linkClass}>
      Buy a package
    </Link>
  );
}
