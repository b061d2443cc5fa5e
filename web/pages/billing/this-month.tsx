import type { DataOf } from "../../api.ts";
import { Card, count, Figure, month, Notice, percent, Time, usd } from "../../components/index.ts";
import { exactUsd, isRounded } from "./money.ts";

type Data = DataOf<"getBilling">;

const warnedFrom = 0.8;

/** What was used, what is left, and the arithmetic of what it costs. */
export function ThisMonth({ billing }: { billing: Data }) {
  const { this_month: now, unit_price } = billing;
  const share = now.granted === 0 ? 0 : now.used / now.granted;
  return (
    <Card title={`${month(now.month)} so far`} description={<>The price is {unit_price}, with no minimum.</>}>
      <div className="grid gap-5">
        {share >= warnedFrom && <NearlyUsed share={share} endsAt={now.ends_at} />}
        <div className="grid gap-5 sm:grid-cols-3">
          <Figure
            label="Left this month"
            value={count(now.remaining)}
            note={
              <>
                of {count(now.granted)} units, until <Time at={now.ends_at} part="day" />
              </>
            }
          />
          <Figure label="Used" value={count(now.used)} note={`${percent(share)} of this month’s units`} />
          <Figure label="Cost of the allowance so far" value={usd(now.amount_cents)} note={<Arithmetic now={now} />} />
        </div>
        <Bar used={now.used} granted={now.granted} share={share} />
        <Grants grants={now.grants} />
      </div>
    </Card>
  );
}

const NearlyUsed = ({ share, endsAt }: { share: number; endsAt: string }) => (
  <Notice tone={share >= 1 ? "danger" : "warn"}>
    <p>
      {share >= 1
        ? "This month’s units are used up: calls are refused with 403."
        : `${percent(share)} of this month’s units are used. When they are used up, calls are refused with 403.`}{" "}
      The next allowance begins on <Time at={endsAt} />. A package adds units at once.
    </p>
  </Notice>
);

const Arithmetic = ({ now }: { now: Data["this_month"] }) => (
  <>
    {count(now.used_of_allowance)} × {exactUsd(now.unit_price_microdollars)} = {exactUsd(now.amount_microdollars)}
    {isRounded(now.amount_microdollars) && ", rounded to cents"}
  </>
);

function Bar({ used, granted, share }: { used: number; granted: number; share: number }) {
  const colour = share >= 1 ? "bg-danger" : share >= warnedFrom ? "bg-warn" : "bg-accent";
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw their own meter each in another way
    <div
      role="meter"
      aria-label="Units used this month"
      aria-valuemin={0}
      aria-valuemax={granted}
      aria-valuenow={used}
      aria-valuetext={`${count(used)} of ${count(granted)} units`}
      className="bg-sunken h-2.5 overflow-hidden rounded-full"
    >
      <div className={`h-full rounded-full ${colour}`} style={{ width: `${Math.min(1, share) * 100}%` }} />
    </div>
  );
}

/** In the order in which they are drawn. */
const Grants = ({ grants }: { grants: Data["this_month"]["grants"] }) => (
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
            {count(grant.remaining)} <span className="text-quiet">of {count(grant.units)} left</span>
          </span>
        </li>
      ))}
    </ul>
  </div>
);
