// What is left this month, and how long it lasts at the pace of late.
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { DataOf } from "../../api.ts";
import { classNames, count, day, month, percent, plural } from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";

type Quota = DataOf<"getQuota">;

const dayMilliseconds = 24 * 60 * 60 * 1000;
/** Of the quota: below it the bar says that it becomes little. */
const littleShare = 0.2;

export function QuotaCard({ quota }: { quota: Quota }) {
  const { granted, used, remaining, resets_at } = quota;
  const share = granted === 0 ? 1 : used / granted;
  return (
    <div className="grid gap-4">
      <div>
        <p className="text-quiet text-[0.8125rem]">Left in {month(quota.month)}</p>
        <p className="mt-0.5 text-4xl font-semibold tracking-tight break-words tabular-nums">
          {count(remaining)} <span className="text-quiet text-base font-normal tracking-normal">units</span>
        </p>
      </div>
      <div className="grid gap-2">
        <div
          role="img"
          aria-label={`${percent(share)} of this month’s quota is used`}
          className="bg-sunken h-2 overflow-hidden rounded-full"
        >
          <div
            className={classNames(
              "h-full rounded-full",
              share >= 1 ? "bg-danger" : 1 - share <= littleShare ? "bg-warn" : "bg-accent",
            )}
            style={{ width: percent(Math.min(1, share)) }}
          />
        </div>
        <p className="text-quiet flex flex-wrap justify-between gap-x-4 text-[0.8125rem] tabular-nums">
          <span>
            {count(used)} of {plural(granted, "unit")} used
          </span>
          <span>New quota on {day(resets_at)} UTC</span>
        </p>
      </div>
      <Outlook quota={quota} />
    </div>
  );
}

/** The forecast in words. */
function Outlook({ quota: { forecast, remaining, resets_at } }: { quota: Quota }) {
  const { units_per_day, ends_at } = forecast;
  if (remaining === 0)
    return (
      <Told isWarning>
        The quota is used up: calls are refused until {day(resets_at)} UTC. <Buy />
      </Told>
    );
  if (units_per_day === null) return <Told>Nothing was used in the last 7 days, so there is no forecast yet.</Told>;
  const pace = `${count(Math.round(units_per_day))} ${Math.round(units_per_day) === 1 ? "unit" : "units"} a day of late`;
  if (ends_at === null)
    return (
      <Told>
        At this pace it <strong className="font-semibold">lasts until the month’s end</strong> ({pace}).
      </Told>
    );
  const early = Math.floor((Date.parse(resets_at) - Date.parse(ends_at)) / dayMilliseconds);
  return (
    <Told isWarning>
      At this pace it{" "}
      <strong className="font-semibold">
        ends about {day(ends_at)} UTC, {early < 1 ? "less than a day" : plural(early, "day")} early
      </strong>{" "}
      ({pace}). <Buy />
    </Told>
  );
}

const Told = ({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) => (
  <p className={classNames("break-words", isWarning && "bg-warn-soft text-warn rounded-md px-3 py-2")}>{children}</p>
);

function Buy() {
  const workspace = useWorkspace();
  if (!workspace.may("billing.buy"))
    return workspace.may("billing.read") ? null : <>An owner or admin can buy a package.</>;
  return (
    <Link href={workspace.to("billing")} className="rounded-sm font-semibold underline underline-offset-3">
      Buy a package
    </Link>
  );
}
