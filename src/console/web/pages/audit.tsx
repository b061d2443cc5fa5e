// The audit log: who did what, to whom, when and from where, newest first.
import { useState } from "react";
import { useConsole, useConsolePages } from "../api.ts";
import {
  Button,
  Card,
  EmptyState,
  ErrorState,
  Icon,
  Loading,
  PageHeader,
  Pager,
  SelectField,
  Skeleton,
  TextField,
  Time,
} from "../parts/index.ts";
import { Details } from "./audit/details.tsx";
import { type Act, kinds, sentenceOf, wayOf } from "./audit/words.ts";

const nothing = { actorId: "", action: "", from: "", to: "" };

export default function AuditLog() {
  const [filters, setFilters] = useState(nothing);
  const isFiltered = Object.values(filters).some((text) => text !== "");
  const acts = useConsolePages("getAuditLog", {
    query: {
      actorId: filters.actorId || undefined,
      action: filters.action || undefined,
      from: filters.from || undefined,
      to: filters.to || undefined,
    },
  });
  const clear = <Button onClick={() => setFilters(nothing)}>Show everything</Button>;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Every administrative act. Nothing here can be changed or removed. All times are UTC."
      />
      <Card isFlush>
        <Filters value={filters} onChange={setFilters} />
        {acts.rows === undefined ? (
          acts.error ? (
            <ErrorState error={acts.error} onRetry={() => void acts.refetch()} />
          ) : (
            <div className="p-5">
              <Loading label="Audit log: loading">
                <Skeleton lines={6} />
              </Loading>
            </div>
          )
        ) : acts.rows.length === 0 ? (
          <EmptyState
            icon="audit"
            title={isFiltered ? "No act matches" : "Nothing was done yet"}
            action={isFiltered && clear}
          >
            {!isFiltered && "Keys, members, teams and payments: whatever is changed will stand here."}
          </EmptyState>
        ) : (
          <ol
            aria-label="Acts, newest first"
            aria-busy={acts.isPlaceholderData || undefined}
            className={`divide-line divide-y ${acts.isPlaceholderData ? "opacity-60" : ""}`}
          >
            {acts.rows.map((act) => (
              <li key={act.id}>
                <Entry act={act} />
              </li>
            ))}
          </ol>
        )}
        <Pager pages={acts} noun="act" />
      </Card>
    </>
  );
}

function Entry({ act }: { act: Act }) {
  const { verb, target, rest, place } = sentenceOf(act);
  const way = wayOf(act);
  return (
    <details className="group">
      <summary className="hover:bg-hover/50 flex min-h-11 list-none items-start gap-2.5 px-4 py-2.5 sm:px-5 [&::-webkit-details-marker]:hidden">
        <Icon
          name="chevron"
          className="text-quiet mt-0.5 size-4 -rotate-90 transition-transform duration-100 group-open:rotate-0"
        />
        <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-6 gap-y-0.5 sm:flex-nowrap">
          <span className="min-w-0 break-words">
            <bdi className="font-medium">{shortened(act.actor_name)}</bdi> {verb} <Quoted text={target} /> {rest}{" "}
            <Quoted text={place} />
            {way && <span className="text-quiet">({way})</span>}
          </span>
          <Time at={act.at} className="text-quiet text-[0.8125rem]" />
        </span>
      </summary>
      <div className="px-4 pt-1 pb-4 sm:pr-5 sm:pl-11.5">
        <Details act={act} />
      </div>
    </details>
  );
}

/** The quotes stand outside: whichever way the text is written, they stay where they are. */
const Quoted = ({ text }: { text: string | null }) =>
  text !== null && (
    <span className="font-medium">
      “<bdi>{shortened(text)}</bdi>”
    </span>
  );

const shownLengthMax = 80;

/** In a sentence; the whole stands in the details. */
const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length > shownLengthMax ? `${characters.slice(0, shownLengthMax - 1).join("")}…` : text;
};

interface FiltersProps {
  readonly value: typeof nothing;
  readonly onChange: (value: typeof nothing) => void;
}

function Filters({ value, onChange }: FiltersProps) {
  const members = useConsole("getMembers", { query: { limit: 100 } }).data?.data ?? [];
  const set = (name: keyof typeof nothing) => (event: { target: { value: string } }) =>
    onChange({ ...value, [name]: event.target.value });
  return (
    <form
      aria-label="Filters"
      className="border-line grid grid-cols-2 gap-3 border-b p-4 sm:px-5 lg:grid-cols-[1fr_1fr_10rem_10rem]"
      onSubmit={(event) => event.preventDefault()}
    >
      <SelectField label="Who" className="col-span-2 sm:col-span-1" value={value.actorId} onChange={set("actorId")}>
        <option value="">Everybody</option>
        {members.map(({ person_id, name, email }) => (
          <option key={person_id} value={person_id}>
            {name} ({email})
          </option>
        ))}
      </SelectField>
      <SelectField label="What" className="col-span-2 sm:col-span-1" value={value.action} onChange={set("action")}>
        <option value="">Everything</option>
        {kinds.map((kind) => (
          <option key={kind.value} value={kind.value}>
            {kind.label}
          </option>
        ))}
      </SelectField>
      <TextField label="From (UTC)" type="date" max={value.to || undefined} value={value.from} onChange={set("from")} />
      <TextField label="To (UTC)" type="date" min={value.from || undefined} value={value.to} onChange={set("to")} />
    </form>
  );
}
