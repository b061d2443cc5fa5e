// The audit log of a workspace, newest first.
import { useState } from "react";
import { downloadPath, useConsolePages, useConsoleQuery } from "../api.ts";
import { buttonClass, Card, Icon, PageHeader, SelectField } from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { commandLine, FilterForm, isFiltered, noFilters, toQuery } from "./audit/filters.tsx";
import { AuditList } from "./audit/list.tsx";
import { actionKinds } from "./audit/sentences.ts";

const whoOf = (who: string) =>
  who === commandLine ? { actorKind: commandLine } : { actorId: who === "" ? undefined : who };

export default function AuditLog() {
  const [filters, setFilters] = useState(noFilters);
  const workspace = useWorkspace();
  const query = { ...whoOf(filters.who), ...toQuery(filters) };
  const entries = useConsolePages("getAuditLog", { query });
  const people = useConsoleQuery("getAuditActors").data?.data ?? [];
  const [members, others] = [
    people.filter(({ email }) => email !== null),
    people.filter(({ email }) => email === null),
  ];
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
        topic="audit"
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
            <option value={commandLine}>Command line</option>
            {members.length > 0 && (
              <optgroup label="Members">
                {members.map(({ person_id, name, email }) => (
                  <option key={person_id} value={person_id}>
                    {name} ({email})
                  </option>
                ))}
              </optgroup>
            )}
            {others.length > 0 && (
              <optgroup label="Former members and operators">
                {others.map(({ person_id, name }) => (
                  <option key={person_id} value={person_id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            )}
          </SelectField>
        </FilterForm>
        <AuditList entries={entries} onClear={isFiltered(filters) ? () => setFilters(noFilters) : undefined}>
          Changes to API keys, members, teams, and payments will appear here.
        </AuditList>
      </Card>
    </>
  );
}
