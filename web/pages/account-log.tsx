// The operator's log of changes to accounts, which belong to no workspace.
import { useDeferredValue, useState } from "react";
import { downloadPath, useConsolePages } from "../api.ts";
import { buttonClass, Card, Icon, PageHeader, SelectField, TextField } from "../components/index.ts";
import { commandLine, FilterForm, isFiltered, noFilters, toQuery } from "./audit/filters.tsx";
import { AuditList } from "./audit/list.tsx";
import { accountActionKinds } from "./audit/sentences.ts";

export default function AccountLog() {
  const [filters, setFilters] = useState(noFilters);
  const account = useDeferredValue(filters.who).trim() || undefined;
  const actorKind = filters.actorKind === commandLine ? commandLine : undefined;
  const query = { account, actorKind, ...toQuery(filters) };
  const entries = useConsolePages("getInstanceAuditLog", { query });
  return (
    <>
      <PageHeader
        actions={
          <a href={downloadPath("getInstanceAuditLogExport", "", query)} download className={buttonClass()}>
            <Icon name="download" className="size-4" />
            Download JSON Lines
          </a>
        }
        title="Account log"
        topic="accountLog"
        description="Sign-ins, refused attempts, and changes to accounts across this instance. Each workspace has its own audit log. Nobody can edit or delete individual events. All times are in UTC."
      />
      <Card isFlush>
        <FilterForm value={filters} onChange={setFilters} kinds={accountActionKinds}>
          <TextField
            label="Account"
            className="col-span-2 sm:col-span-1"
            type="search"
            placeholder="Full email address"
            autoComplete="off"
            value={filters.who}
            onChange={(event) => setFilters({ ...filters, who: event.target.value })}
          />
          <SelectField
            label="Actor"
            className="col-span-2 sm:col-span-1"
            value={filters.actorKind}
            onChange={(event) => setFilters({ ...filters, actorKind: event.target.value })}
          >
            <option value="">Everyone</option>
            <option value={commandLine}>Command line</option>
          </SelectField>
        </FilterForm>
        <AuditList entries={entries} onClear={isFiltered(filters) ? () => setFilters(noFilters) : undefined}>
          New accounts, sign-ins, refused attempts, and changes to passwords, two-factor authentication, passkeys, and
          tokens will appear here.
        </AuditList>
      </Card>
    </>
  );
}
