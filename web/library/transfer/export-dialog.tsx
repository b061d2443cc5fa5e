// Exports a team as a file.
import { useState } from "react";
import { downloadPath, type QueryOf } from "../../call.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { SelectField } from "../../components/field.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { exportFormats, formatNames } from "./names.ts";

export function ExportDialog({ teamId: givenId, onClose }: { teamId: string | undefined; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const { tree } = useLibrary();
  const teams = tree?.teams ?? [];
  const largest = teams.toSorted((one, other) => other.snippet_count - one.snippet_count)[0];
  const [teamId, setTeamId] = useState((teams.find(({ id }) => id === givenId) ?? largest)?.id ?? "");
  const [format, setFormat] = useState<NonNullable<QueryOf<"getLibraryExport">["format"]>>("commonplace");
  return (
    <Dialog open onOpenChange={onClose} size="small" title="Export">
      <SelectField label="Team" value={teamId} onChange={({ target }) => setTeamId(target.value)}>
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Format"
        value={format}
        hint={
          format === "commonplace"
            ? "A zip file with all snippets, variations, versions, folders, and tags. You can import it without losing anything."
            : "Leaves out earlier versions and anything this format can’t store."
        }
        // The options are formats.
        onChange={({ target }) => setFormat(target.value as typeof format)}
      >
        {exportFormats.map((id) => (
          <option key={id} value={id}>
            {formatNames[id]}
          </option>
        ))}
      </SelectField>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <a
          href={downloadPath("getLibraryExport", workspaceId, { teamId, format })}
          download
          className={buttonClass("primary")}
          onClick={() => setTimeout(onClose)}
        >
          Export team
        </a>
      </DialogActions>
    </Dialog>
  );
}
