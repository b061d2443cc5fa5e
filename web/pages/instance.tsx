// The operator's page about the program: its version, its upgrades, and whether there is a way back from the last one.
import { type DataOf, useConsoleQuery } from "../api.ts";
import {
  Card,
  type Column,
  DataTable,
  DescriptionList,
  Loaded,
  Notice,
  PageHeader,
  Time,
} from "../components/index.ts";

type Instance = DataOf<"getInstance">;

export default function InstancePage() {
  const instance = useConsoleQuery("getInstance");
  return (
    <>
      <PageHeader
        title="Instance"
        topic="instance"
        description="The version of Commonplace that you run, and its backups."
      />
      <Loaded query={instance}>
        {({ data }) => (
          <div className="grid gap-5">
            <ProgramCard instance={data} />
            <BackupsCard instance={data} />
            <VersionsCard versions={data.versions} />
          </div>
        )}
      </Loaded>
    </>
  );
}

const ProgramCard = ({ instance: { version, commit, schema_version, engine } }: { instance: Instance }) => (
  <Card title="Current version">
    <DescriptionList
      items={[
        ["Version", version],
        ["Commit", <Commit key="commit" commit={commit} />],
        ["Schema version", schema_version],
        ["Database", engine === "sqlite" ? "SQLite" : "PostgreSQL"],
      ]}
    />
  </Card>
);

const Commit = ({ commit }: { commit: string | null }) =>
  commit === null ? "Unknown" : <code className="text-[0.8125rem]">{commit}</code>;

function BackupsCard({ instance }: { instance: Instance }) {
  const { backups, engine, upgraded_at, is_schema_changed } = instance;
  if (backups === null)
    return (
      <Card title="Backups">
        <p className="text-quiet max-w-prose">
          {engine === "postgres"
            ? "Commonplace does not create backups of PostgreSQL. Back it up with pg_dump or continuous archiving, also before each upgrade."
            : "No backups are scheduled. To schedule them, set COMMONPLACE_BACKUP_DIRECTORY."}
        </p>
      </Card>
    );
  const { newest_at, before_upgrade_at } = backups;
  return (
    <Card title="Backups" description="Backups that Commonplace creates in COMMONPLACE_BACKUP_DIRECTORY.">
      <div className="grid gap-4">
        <DescriptionList
          items={[
            ["Newest backup", momentOr(newest_at, "None yet")],
            ["Last upgrade", momentOr(upgraded_at, "None yet")],
            ...(upgraded_at === null
              ? []
              : [["Newest backup from before the upgrade", momentOr(before_upgrade_at, "None")] as const]),
          ]}
        />
        {is_schema_changed && before_upgrade_at === null && (
          <Notice tone="warn">
            The last upgrade changed the schema. To go back to the earlier version, you need a backup from before it.
          </Notice>
        )}
      </div>
    </Card>
  );
}

const momentOr = (at: string | null, otherwise: string) => (at === null ? otherwise : <Time at={at} />);

const VersionsCard = ({ versions }: { versions: Instance["versions"] }) => (
  <Card title="Versions" description="The versions that have served this database, newest first." isFlush>
    <DataTable
      label="Versions"
      columns={columns}
      rows={versions}
      empty={null}
      rowKey={({ version, commit }) => `${version} ${commit}`}
    />
  </Card>
);

const columns: readonly Column<Instance["versions"][number]>[] = [
  { id: "version", head: "Version", isTitle: true, cell: ({ version }) => version },
  { id: "commit", head: "Commit", cell: ({ commit }) => <Commit commit={commit} /> },
  { id: "schema", head: "Schema version", cell: ({ schema_version }) => schema_version },
  { id: "started", head: "First started", cell: ({ first_started_at }) => <Time at={first_started_at} /> },
];
