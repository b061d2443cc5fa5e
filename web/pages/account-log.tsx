// The operator's page of what was done to accounts, which belong to no workspace.
import { useDeferredValue, useState } from "react";
import { useConsolePages } from "../api.ts";
import { Card, PageHeader, TextField } from "../components/index.ts";
import { asked, FilterForm, isFiltered, noFilters } from "./audit/filters.tsx";
import { ActList } from "./audit/list.tsx";
import { accountKinds } from "./audit/words.ts";

export default function AccountLog() {
  const [filters, setFilters] = useState(noFilters);
  const account = useDeferredValue(filters.who).trim() || undefined;
  const acts = useConsolePages("getInstanceAuditLog", { query: { account, ...asked(filters) } });
  return (
    <>
      <PageHeader
        title="Account log"
        description="What was done to people’s accounts. What was done in a workspace stands in its own audit log. Nothing here can be changed or removed. All times are UTC."
      />
      <Card isFlush>
        <FilterForm value={filters} onChange={setFilters} kinds={accountKinds}>
          <TextField
            label="Whose account"
            className="col-span-2 sm:col-span-1"
            type="search"
            placeholder="The whole e-mail address"
            autoComplete="off"
            value={filters.who}
            onChange={(event) => setFilters({ ...filters, who: event.target.value })}
          />
        </FilterForm>
        <ActList acts={acts} onClear={isFiltered(filters) ? () => setFilters(noFilters) : undefined}>
          How accounts were made, their passwords, second steps, passkeys, tokens and sessions: whatever is changed will
          stand here.
        </ActList>
      </Card>
    </>
  );
}
