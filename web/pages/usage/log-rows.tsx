// The rows of the request log. Each opens to show its cost and the reason for it.
import { type ReactNode, useId, useState } from "react";
import {
  Badge,
  CopyButton,
  classNames,
  DescriptionList,
  formatCount,
  Icon,
  pluralize,
  Time,
  type Tone,
  useIsPhone,
} from "../../components/index.ts";
import { type LogEntry, statusText } from "./log-filter.ts";

const toneOf = (status: number): Tone => (status < 400 ? "good" : status < 500 ? "warn" : "danger");

export const StatusBadge = ({ status }: { status: number }) => (
  <Badge tone={toneOf(status)}>{statusText(status)}</Badge>
);

/** `GET /snippet` */
export const RequestName = ({ entry: { method, path, operation } }: { entry: LogEntry }) => (
  <span className="font-mono text-[0.8125rem]">
    {method === "" ? (
      operation
    ) : (
      <>
        <span className="text-quiet">{method}</span> {path}
      </>
    )}
  </span>
);

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
  ["Call", ""],
  ["Key", ""],
  ["Status", ""],
  ["Units", "text-right"],
  ["Balance after", "text-right"],
];

const Rows = ({ entries }: { entries: readonly LogEntry[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section aria-label="Calls" tabIndex={0} className="overflow-x-auto">
    <table className="w-full border-separate border-spacing-0 text-left tabular-nums">
      <caption className="sr-only">Calls, newest first</caption>
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
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  </section>
);

const cellClass = "border-line border-b px-3 py-2";

function Row({ entry }: { entry: LogEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <>
      <tr className={classNames(isOpen ? "bg-hover/50" : "hover:bg-hover/50")}>
        <td className={classNames(cellClass, "w-0 pr-0 pl-3", isOpen && "border-b-transparent")}>
          <DetailsToggle isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id} entry={entry} />
        </td>
        <th scope="row" className={classNames(cellClass, "font-normal", isOpen && "border-b-transparent")}>
          <Time at={entry.at} />
        </th>
        <td className={classNames(cellClass, "whitespace-nowrap", isOpen && "border-b-transparent")}>
          <RequestName entry={entry} />
        </td>
        <td
          className={classNames(cellClass, "w-full max-w-0 truncate", isOpen && "border-b-transparent")}
          title={entry.key_name}
        >
          {entry.key_name}
        </td>
        <td className={classNames(cellClass, isOpen && "border-b-transparent")}>
          <StatusBadge status={entry.status} />
        </td>
        <td className={classNames(cellClass, "text-right", isOpen && "border-b-transparent")}>
          {formatCount(entry.units)}
        </td>
        <td className={classNames(cellClass, "pr-5 text-right", isOpen && "border-b-transparent")}>
          {formatCount(entry.balance_after)}
        </td>
      </tr>
      {isOpen && (
        <tr id={id} className="bg-hover/50">
          <td className="border-line border-b" />
          <td colSpan={6} className="border-line border-b px-3 pb-4">
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

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
    aria-label={`Details of ${entry.method} ${entry.path}, ${entry.at}`}
    onClick={onToggle}
    className="text-quiet hover:bg-hover hover:text-text grid size-11 place-items-center rounded-md sm:size-7"
  >
    <Icon
      name="chevron"
      className={classNames("size-4 transition-transform duration-100", isOpen ? "rotate-0" : "-rotate-90")}
    />
  </button>
);

/** The cost of a call with its reason, and the ids to look it up with. */
function Details({ entry }: { entry: LogEntry }) {
  const items: (readonly [string, ReactNode])[] = [
    ["Cost", entry.explanation],
    [
      "Request id",
      <span key="id" className="flex flex-wrap items-center gap-2">
        <code className="font-mono text-[0.8125rem] break-all">{entry.id}</code>
        <CopyButton text={entry.id} label="Copy request id" />
      </span>,
    ],
    ["Time", <code key="at" className="font-mono text-[0.8125rem]">{`${entry.at} (UTC)`}</code>],
    [
      "Key",
      <span key="key" className="break-words">
        {entry.key_name} <code className="text-quiet font-mono text-[0.8125rem] break-all">{entry.key_id}</code>
      </span>,
    ],
    ["Team", entry.team_name ?? "None or several"],
    [
      "Operation",
      <code key="operation" className="font-mono text-[0.8125rem]">
        {entry.operation}
      </code>,
    ],
  ];
  return <DescriptionList items={items} />;
}

const Cards = ({ entries }: { entries: readonly LogEntry[] }) => (
  <ul aria-label="Calls, newest first" className="divide-line divide-y">
    {entries.map((entry) => (
      <PhoneCard key={entry.id} entry={entry} />
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
            <Time at={entry.at} />
            <span>{pluralize(entry.units, "unit")}</span>
          </div>
          <p className="text-quiet truncate text-[0.8125rem]" title={entry.key_name}>
            {entry.key_name}
          </p>
        </div>
      </div>
      {isOpen && (
        <div id={id} className="pt-2 pb-2 pl-12">
          <Details entry={entry} />
          <p className="text-quiet mt-3 text-[0.8125rem]">Balance after it: {formatCount(entry.balance_after)}</p>
        </div>
      )}
    </li>
  );
}
