// The filters of an audit log: actor, action and dates.
import type { ReactNode } from "react";
import { SelectField, TextField } from "../../components/index.ts";
import { isDay } from "../../time.ts";

export const noFilters = { who: "", actorKind: "", action: "", from: "", to: "" };
export type AuditFilters = typeof noFilters;

/** Stands for everything that was done on the command line. */
export const commandLine = "command" as const;

/** The query parameters of the filters; empty filters are left out. */
export const toQuery = ({ action, from, to }: AuditFilters) => ({
  action: action || undefined,
  from: isDay(from) ? from : undefined,
  to: isDay(to) ? to : undefined,
});

export const isFiltered = (filters: AuditFilters): boolean => Object.values(filters).some((text) => text !== "");

interface FilterFormProps {
  readonly value: AuditFilters;
  readonly onChange: (value: AuditFilters) => void;
  /** The kinds of actions to choose from. */
  readonly kinds: readonly { readonly value: string; readonly label: string }[];
  /** The field that filters by actor or account. */
  readonly children: ReactNode;
}

export function FilterForm({ value, onChange, kinds, children }: FilterFormProps) {
  const set = (name: keyof AuditFilters) => (event: { target: { value: string } }) =>
    onChange({ ...value, [name]: event.target.value });
  return (
    <form
      aria-label="Filters"
      className="border-line grid grid-cols-2 gap-3 border-b p-4 sm:px-5 lg:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]"
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
      <SelectField label="Event" className="col-span-2 sm:col-span-1" value={value.action} onChange={set("action")}>
        <option value="">All events</option>
        {kinds.map((kind) => (
          <option key={kind.value} value={kind.value}>
            {kind.label}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Start date (UTC)"
        className="col-span-2 sm:col-span-1"
        type="date"
        max={value.to || undefined}
        value={value.from}
        onChange={set("from")}
      />
      <TextField
        label="End date (UTC)"
        className="col-span-2 sm:col-span-1"
        type="date"
        min={value.from || undefined}
        value={value.to}
        onChange={set("to")}
      />
    </form>
  );
}
