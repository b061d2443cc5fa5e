// `cpl quota`: how many units are left, until when, and what the key can do.
import type { Command } from "../command.ts";
import { formatCount, lastDayOf, pluralize, print, printJson } from "../terminal/print.ts";
import { bold, oneLine } from "../terminal/style.ts";

export const quota: Command = {
  name: "quota",
  summary: "Show how many units are left, and when they expire",
  arguments: [],
  options: {},
  isOfflineAllowed: true,
  run: async ({ isJson, connect }) => {
    const { client, url } = await connect();
    const { data, usage: left, response } = await client.getMe();
    const endsAt = nextMonth(new Date());
    if (isJson)
      return printJson({
        ...data,
        url,
        remaining_requests: left.remainingRequests,
        ends_at: endsAt,
        rate_limit: response?.rateLimit ?? null,
      });
    const { rateLimit } = response ?? {};
    const rows: readonly (readonly [string, string])[] = [
      [
        "Units left",
        `${formatCount(left.remainingRequests)} until ${endsAt.slice(0, 10)}; ${formatCount(data.monthly_requests)} per month`,
      ],
      [
        "Rate limit",
        `${pluralize(data.requests_per_minute, "request")} per minute${rateLimit ? `, ${formatCount(rateLimit.remaining)} left` : ""}`,
      ],
      ["Key", `${data.key.name}, ${data.key.scopes?.includes("write") === false ? "read-only" : "read and write"}`],
      ["Expires", data.key.expires_at === null ? "never" : `at the end of ${lastDayOf(data.key.expires_at)} (UTC)`],
      ["Teams", data.teams.map(({ name }) => name).join(", ") || "none"],
      ["Workspace", data.workspace.name],
      ["Service", url],
    ];
    const width = Math.max(...rows.map(([name]) => name.length));
    for (const [name, value] of rows) print(`${bold(name.padEnd(width))}  ${oneLine(value)}\n`);
  },
};

/** Units end with the calendar month in UTC. */
const nextMonth = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
