// The rows of the request log. Each opens to show its cost and the reason for it.
import { Fragment, type ReactNode, useId, useState } from "react";
import {
  Badge,
  CopyButton,
  classNames,
  DescriptionList,
  formatCount,
  Icon,
  pluralize,
  type Tone,
  useIsPhone,
} from "../../components/index.ts";
import { isoDay } from "../../time.ts";
import { isCounting, keyOf, type LogEntry, statusText } from "./log-filter.ts";

const toneOf = (status: number): Tone => (status < 400 ? "good" : status < 500 ? "warn" : "danger");

export const StatusBadge = ({ status }: { status: number }) => (
  <Badge tone={toneOf(status)}>{statusText(status)}</Badge>
);

/** `GET /snippet`, or `12 requests` that were not admitted */
export const RequestName = ({ entry }: { entry: LogEntry }) =>
  isCounting(entry) ? (
    <span>{pluralize(entry.requests, "request")}</span>
  ) : (
    <span className="font-mono text-[0.8125rem]">
      {entry.method === "" ? (
        entry.operation
      ) : (
        <>
          <span className="text-quiet">{entry.method}</span>{" "}
          {entry.path.split(/(?=\/)/).map((part) => (
            <Fragment key={part}>
              <wbr />
              {part}
            </Fragment>
          ))}
        </>
      )}
    </span>
  );

const parts: Intl.DateTimeFormatOptions = {
  ...{ day: "numeric", month: "short", timeZone: "UTC" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
};
const formatter = new Intl.DateTimeFormat("en-US", parts);
const formatterWithYear = new Intl.DateTimeFormat("en-US", { ...parts, year: "numeric" });

/** `Nov 21, 14:05:09`, with the year if it is another one; for a counting row, the start of its minute. */
const Moment = ({ entry: { at } }: { entry: LogEntry }) => (
  <time dateTime={at} title={`${at} (UTC)`} className="whitespace-nowrap tabular-nums">
    {(at.startsWith(thisYear()) ? formatter : formatterWithYear).format(new Date(at))}
  </time>
);

/** `2026-` */
const thisYear = (): string => isoDay(Date.now()).slice(0, 5);

const millisecondFormatter = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const secondFormatter = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** 1450 → `1.5 ms`; 2_500_000 → `2.5 s` */
const formatDuration = (microseconds: number): string =>
  microseconds < 1_000_000
    ? `${millisecondFormatter.format(microseconds / 1_000)} ms`
    : `${secondFormatter.format(microseconds / 1_000_000)} s`;

const none = "–";
const durationOf = ({ duration_microseconds: microseconds }: LogEntry): string =>
  microseconds === null ? none : formatDuration(microseconds);
const clientOf = (entry: LogEntry): string => entry.client_address ?? (isCounting(entry) ? "Multiple" : none);

export function LogRows({ entries, isStale }: { entries: readonly LogEntry[]; isStale: boolean }) {
  const isPhone = useIsPhone();
  return (
    <div
      aria-busy={isStale || undefined}
      className={classNames("transition-opacity duration-100", isStale && "opacity-60")}
    >
      {isPhone ? <Cards entries={entries} /> : <Rows entries={entries} />}
    </div>
  );
}

const headers: readonly (readonly [string, string])[] = [
  ["Time", ""],
  ["Request", ""],
  ["Status", ""],
  ["API key", ""],
  ["IP address", ""],
  ["Duration", "text-right"],
  ["Units", "text-right"],
];

const Rows = ({ entries }: { entries: readonly LogEntry[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section aria-label="Requests" tabIndex={0} className="overflow-x-auto">
    <table className="w-full border-separate border-spacing-0 text-left tabular-nums">
      <caption className="sr-only">Requests, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="border-line w-0 border-b">
            <span className="sr-only">Details</span>
          </th>
          {headers.map(([head, align]) => (
            <th
              key={head}
              scope="col"
              className={classNames(
                "text-quiet border-line border-b px-3 py-2 text-xs font-medium whitespace-nowrap last:pr-5",
                align,
              )}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={keyOf(entry)} entry={entry} />
        ))}
      </tbody>
    </table>
  </section>
);

const cellClass = "border-line border-b px-3 py-2";

function Row({ entry }: { entry: LogEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const cell = (className?: string) => classNames(cellClass, className, isOpen && "border-b-transparent");
  return (
    <>
      <tr className={classNames("align-top", isOpen ? "bg-hover/50" : "hover:bg-hover/50")}>
        <td className={cell("w-0 pr-0 pl-3")}>
          <DetailsToggle isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id} entry={entry} />
        </td>
        <th scope="row" className={cell("font-normal")}>
          <Moment entry={entry} />
        </th>
        <td className={cell("min-w-36 wrap-anywhere")}>
          <RequestName entry={entry} />
          <ErrorMessage entry={entry} className="max-w-40 2xl:max-w-80" />
        </td>
        <td className={cell()}>
          <StatusBadge status={entry.status} />
          <ErrorCode entry={entry} />
        </td>
        <td className={cell("w-full min-w-24")} title={entry.key_name}>
          <bdi className="line-clamp-2 wrap-anywhere">{entry.key_name}</bdi>
        </td>
        <td className={cell("max-w-28 truncate whitespace-nowrap")} title={clientOf(entry)}>
          {clientOf(entry)}
        </td>
        <td className={cell("text-right whitespace-nowrap")}>{durationOf(entry)}</td>
        <td className={cell("pr-5 text-right")}>{formatCount(entry.units)}</td>
      </tr>
      {isOpen && (
        <tr id={id} className="bg-hover/50">
          <td className="border-line border-b" />
          <td colSpan={headers.length} className="border-line border-b px-3 pb-4">
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

const ErrorMessage = ({ entry: { error_message: message }, className }: { entry: LogEntry; className?: string }) =>
  message !== null && (
    <p className={classNames("text-quiet truncate text-[0.8125rem]", className)} title={message}>
      {message}
    </p>
  );

const ErrorCode = ({ entry: { error_code: code } }: { entry: LogEntry }) =>
  code !== null && (
    <p className="text-quiet mt-0.5 max-w-40 truncate font-mono text-xs" title={code}>
      {code}
    </p>
  );

const DetailsToggle = ({
  isOpen,
  onToggle,
  controls,
  entry,
}: {
  isOpen: boolean;
  onToggle: () => void;
  controls: string;
  entry: LogEntry;
}) => (
  <button
    type="button"
    aria-expanded={isOpen}
    aria-controls={isOpen ? controls : undefined}
    aria-label={`Details of ${isCounting(entry) ? pluralize(entry.requests, "request") : `${entry.method} ${entry.path}`}, ${entry.at}`}
    onClick={onToggle}
    className="text-quiet hover:bg-hover hover:text-text grid size-11 place-items-center rounded-md sm:size-7"
  >
    <Icon
      name="chevron"
      className={classNames("size-4 transition-transform duration-100", isOpen ? "rotate-0" : "-rotate-90")}
    />
  </button>
);

const code = (text: string, className?: string) => (
  <code className={classNames("font-mono text-[0.8125rem]", className)}>{text}</code>
);

/** The cost of a request with its reason, its error, and the IDs to look it up with. */
function Details({ entry }: { entry: LogEntry }) {
  const { id, at, error_code, error_message } = entry;
  const items: (readonly [string, ReactNode])[] = [
    ["Cost", entry.explanation],
    ...(error_code === null
      ? []
      : [
          [
            "Error",
            <span key="error" className="break-words">
              {error_message} {code(error_code, "text-quiet")}
            </span>,
          ] as const,
        ]),
    ...(id === null
      ? [
          ["Requests", `${formatCount(entry.requests)} refused in this minute`] as const,
          ["Minute", code(`${at} (UTC)`)] as const,
        ]
      : [
          [
            "Request ID",
            <span key="id" className="flex flex-wrap items-center gap-2">
              {code(id, "break-all")}
              <CopyButton text={id} label="Copy request ID" />
            </span>,
          ] as const,
          ["Time", code(`${at} (UTC)`)] as const,
          ["Duration", durationOf(entry)] as const,
          ["Balance after", entry.balance_after === null ? none : pluralize(entry.balance_after, "unit")] as const,
        ]),
    [
      "IP address",
      <span key="address">{entry.client_address === null ? clientOf(entry) : code(entry.client_address)}</span>,
    ],
    [
      "API key",
      <span key="key" className="break-words">
        {entry.key_name} {code(entry.key_id, "text-quiet break-all")}
      </span>,
    ],
    ...(id === null
      ? []
      : [
          ["Team", entry.team_name ?? "No team or several teams"] as const,
          ["Operation", code(entry.operation)] as const,
        ]),
  ];
  return <DescriptionList items={items} />;
}

const Cards = ({ entries }: { entries: readonly LogEntry[] }) => (
  <ul aria-label="Requests, newest first" className="divide-line divide-y">
    {entries.map((entry) => (
      <PhoneCard key={keyOf(entry)} entry={entry} />
    ))}
  </ul>
);

function PhoneCard({ entry }: { entry: LogEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <li className="py-2 pr-4 pl-1">
      <div className="flex items-start gap-1">
        <DetailsToggle isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id} entry={entry} />
        <div className="grid min-w-0 flex-1 gap-1 py-1.5">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 break-all">
              <RequestName entry={entry} />
            </span>
            <StatusBadge status={entry.status} />
          </div>
          <div className="text-quiet flex flex-wrap justify-between gap-x-3 text-[0.8125rem] tabular-nums">
            <Moment entry={entry} />
            <span>{pluralize(entry.units, "unit")}</span>
          </div>
          <ErrorMessage entry={entry} />
          <div className="text-quiet flex min-w-0 justify-between gap-x-3 text-[0.8125rem] tabular-nums">
            <span className="min-w-0 truncate" title={entry.key_name}>
              {entry.key_name}
            </span>
            {!isCounting(entry) && <span className="shrink-0">{durationOf(entry)}</span>}
          </div>
        </div>
      </div>
      {isOpen && (
        <div id={id} className="pt-2 pb-2 pl-12">
          <Details entry={entry} />
        </div>
      )}
    </li>
  );
}
