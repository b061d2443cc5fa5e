// The audit log: who did what, to whom, when and from where, newest first.
import { useState } from "react";
import { useConsole, useConsolePages } from "../api.ts";
import { Card, PageHeader, SelectField } from "../components/index.ts";
import { asked, FilterForm, isFiltered, noFilters } from "./audit/filters.tsx";
import { ActList } from "./audit/list.tsx";
import { kinds } from "./audit/words.ts";

export default function AuditLog() {
  const [filters, setFilters] = useState(noFilters);
  const acts = useConsolePages("getAuditLog", { query: { actorId: filters.who || undefined, ...asked(filters) } });
  const members = useConsole("getMembers", { query: { limit: 100 } }).data?.data ?? [];
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Every administrative act. Nothing here can be changed or removed. All times are UTC."
      />
      <Card isFlush>
        <FilterForm value={filters} onChange={setFilters} kinds={kinds}>
          <SelectField
            label="Who"
            className="col-span-2 sm:col-span-1"
            value={filters.who}
            onChange={(event) => setFilters({ ...filters, who: event.target.value })}
          >
            <option value="">Everybody</option>
            {members.map(({ person_id, name, email }) => (
              <option key={person_id} value={person_id}>
                {name} ({email})
              </option>
            ))}
          </SelectField>
        </FilterForm>
        <ActList acts={acts} onClear={isFiltered(filters) ? () => setFilters(noFilters) : undefined}>
          Keys, members, teams and payments: whatever is changed will stand here.
        </ActList>
      </Card>
    </>
  );
}
