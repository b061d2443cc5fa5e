// The first page of a workspace: the balance, recent usage, recent requests.
import { Link } from "wouter";
import { useConsoleQuery } from "../api.ts";
import { Card, EmptyState, Loaded, Notice, PageHeader, pluralize, Stat, Time } from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { FirstSteps } from "./usage/first-steps.tsx";
import { keyOf } from "./usage/log-filter.ts";
import { RequestName, StatusBadge } from "./usage/log-rows.tsx";
import { QuotaCard } from "./usage/quota-card.tsx";
import { Sparkline } from "./usage/sparkline.tsx";

/** A new request appears within this time. */
const refetchSeconds = 30;
const recentRequestsMax = 6;

export default function Overview() {
  const workspace = useWorkspace();
  const quota = useConsoleQuery("getQuota", {
    refetchSeconds: refetchSeconds,
    isEnabled: workspace.may("usage.read"),
  });
  const usage = useConsoleQuery("getUsage", {
    refetchSeconds: refetchSeconds,
    isEnabled: workspace.may("usage.read"),
  });
  return (
    <>
      <PageHeader title="Overview" topic="overview" description={workspace.name} />
      <div className="grid gap-4">
        {workspace.role === "member" && !workspace.may("library.read") && (
          <Notice>
            You’re not in a team yet, so you can’t see any snippets. Ask an owner or admin of this workspace to add you
            to a team.
          </Notice>
        )}
        <FirstSteps hasCalled={usage.data === undefined ? undefined : usage.data.data.calls > 0} />
        <div className="grid gap-4 lg:grid-cols-2">
          <Card className="min-w-0">
            <Loaded query={quota}>{({ data }) => <QuotaCard quota={data} />}</Loaded>
          </Card>
          <Card className="min-w-0">
            <Loaded query={usage}>
              {({ data }) => (
                <div className="grid h-full content-between gap-4">
                  <div className="flex items-start justify-between gap-4">
                    <Stat
                      label="Used in the last 30 days"
                      value={pluralize(data.units, "unit")}
                      note={`${pluralize(data.calls, "request")}. Dates are in UTC.`}
                    />
                    <Link href={workspace.to("usage")} className="link py-1 whitespace-nowrap sm:py-0">
                      View usage
                    </Link>
                  </div>
                  <Sparkline days={data.days} />
                </div>
              )}
            </Loaded>
          </Card>
        </div>
        {workspace.may("log.read") && <RecentRequests />}
      </div>
    </>
  );
}

function RecentRequests() {
  const workspace = useWorkspace();
  const log = useConsoleQuery("getLog", { query: { limit: recentRequestsMax }, refetchSeconds: refetchSeconds });
  return (
    <Card
      title="Recent requests"
      isFlush
      actions={
        <Link href={workspace.to("log")} className="link py-1 sm:py-0">
          View all requests
        </Link>
      }
    >
      <div className="px-4 pb-2 sm:px-5">
        <Loaded query={log}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon="log" title="No requests yet">
                Requests made with this workspace’s API keys will appear here.
              </EmptyState>
            ) : (
              <ul className="divide-line divide-y">
                {data.map((entry) => (
                  <li
                    key={keyOf(entry)}
                    className="grid grid-cols-1 gap-y-1 py-2.5 tabular-nums lg:flex lg:items-center lg:gap-x-4"
                  >
                    <div className="flex items-center justify-between gap-x-4 lg:contents">
                      <span className="min-w-0 break-all lg:basis-64">
                        <RequestName entry={entry} />
                      </span>
                      <span className="lg:w-32">
                        <StatusBadge status={entry.status} />
                      </span>
                    </div>
                    <div className="flex flex-wrap gap-x-3 gap-y-1 lg:contents">
                      <span className="text-quiet min-w-0 flex-1 basis-28 truncate" title={entry.key_name}>
                        {entry.key_name}
                      </span>
                      <span className="text-quiet flex gap-x-3">
                        <span className="lg:w-20 lg:text-right" title={entry.explanation}>
                          {pluralize(entry.units, "unit")}
                        </span>
                        <Time
                          at={entry.at}
                          part="relative"
                          className="inline-block first-letter:uppercase lg:w-28 lg:text-right"
                        />
                      </span>
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}
