// The latest imports into a team, each with a way back.
import { useConsoleQuery } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Badge } from "../../components/layout.tsx";
import { Time } from "../../components/time.tsx";
import { initialNameOfAuthor } from "../names.ts";
import { formatNames } from "./names.ts";
import { useUndoImport } from "./use-undo.ts";

const shownMax = 5;
const statuses = { finished: undefined, unfinished: "Unfinished", undone: "Undone" } as const;

export function PastImports({ teamId }: { teamId: string }) {
  const imports = useConsoleQuery("getLibraryImports", { query: { teamId }, isEnabled: teamId !== "" });
  const undo = useUndoImport();
  const rows = imports.data?.data.slice(0, shownMax) ?? [];
  if (rows.length === 0) return null;
  return (
    <section className="grid min-w-0 gap-1.5" aria-label="Recent imports">
      <h3 className="font-medium">Recent imports</h3>
      <ul className="border-line min-w-0 rounded-md border">
        {rows.map(({ id, file_name, format, created_at, created_by, status }) => (
          <li key={id} className="border-line flex min-w-0 items-center gap-3 border-b px-3 py-2 last:border-b-0">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{file_name}</span>
              <span className="text-quiet block text-xs">
                {formatNames[format] ?? format} · {initialNameOfAuthor(created_by)} · <Time at={created_at} />
                {status === "unfinished" && " · To continue, choose the same file again"}
              </span>
            </span>
            {statuses[status] && <Badge tone={status === "unfinished" ? "warn" : "neutral"}>{statuses[status]}</Badge>}
            {status !== "undone" && (
              <Button size="small" onClick={() => void undo(id)}>
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
