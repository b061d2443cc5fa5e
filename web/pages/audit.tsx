// The audit log of a workspace, newest first.
import { useState } from "react";
import { downloadPath, useConsolePages, useConsoleQuery } from "../api.ts";
import { buttonClass, Card, Icon, PageHeader, SelectField } from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { FilterForm, isFiltered, noFilters, toQuery } from "./audit/filters.tsx";
import { AuditList } from "./audit/list.tsx";
import { actionKinds } from "./audit/sentences.ts";

export default function AuditLog() {
  const [filters, setFilters] = useState(noFilters);
  const workspace = useWorkspace();
  const query = { actorId: filters.who || undefined, ...toQuery(filters) };
  const entries = useConsolePages("getAuditLog", { query });
  const members = useConsoleQuery("getMembers", { query: { limit: 100 } }).data?.data ?? [];
  return (
    <>
      <PageHeader
        actions={
          <a href={downloadPath("getAuditLogExport", workspace.id, query)} download className={buttonClass()}>
            <Icon name="download" className="size-4" />
            Download JSON Lines
          </a>
        }
        title="Audit log"
        description="Every administrative change in this workspace. Nobody can edit or delete individual events. All times are in UTC."
      />
      <Card isFlush>
        <FilterForm value={filters} onChange={setFilters} kinds={actionKinds}>
          <SelectField
            label="Actor"
            className="col-span-2 sm:col-span-1"
            value={filters.who}
            onChange={(event) => setFilters({ ...filters, who: event.target.value })}
          >
            <option value="">Everyone</option>
            {members.map(({ person_id, name, email }) => (
              <option key={person_id} value={person_id}>
                {name} ({email})
              </option>
            ))}
          </SelectField>
        </FilterForm>
        <AuditList entries={entries} onClear={isFiltered(filters) ? () => setFilters(noFilters) : undefined}>
          Changes to API keys, members, teams, and payments will appear here.
        </AuditList>
      </Card>
    </>
  );
}
