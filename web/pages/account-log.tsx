// The operator's log of changes to accounts, which belong to no workspace.
import { useDeferredValue, useState } from "react";
import { useConsolePages } from "../api.ts";
import { Card, PageHeader, TextField } from "../components/index.ts";
import { FilterForm, isFiltered, noFilters, toQuery } from "./audit/filters.tsx";
import { AuditList } from "./audit/list.tsx";
import { accountActionKinds } from "./audit/sentences.ts";

export default function AccountLog() {
  const [filters, setFilters] = useState(noFilters);
  const account = useDeferredValue(filters.who).trim() || undefined;
  const entries = useConsolePages("getInstanceAuditLog", { query: { account, ...toQuery(filters) } });
  return (
    <>
      <PageHeader
        title="Account log"
        description="What was done to people’s accounts. What was done in a workspace stands in its own audit log. Nothing here can be changed or removed. All times are UTC."
      />
      <Card isFlush>
        <FilterForm value={filters} onChange={setFilters} kinds={accountActionKinds}>
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
        <AuditList entries={entries} onClear={isFiltered(filters) ? () => setFilters(noFilters) : undefined}>
          How accounts were made, their passwords, second steps, passkeys, tokens and sessions: whatever is changed will
          stand here.
        </AuditList>
      </Card>
    </>
  );
}
