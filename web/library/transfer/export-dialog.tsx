// Exports a team as a file. The archive, which can be large and has no warnings, goes from the service to the disk. Any other file goes through the
// page, which shows its warnings, and asks before it saves a file with code that the other tool would run.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { downloadPath, type QueryOf, type ReceivedExport, receiveExport } from "../../call.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { downloadBlob } from "../../components/copy.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FormError, SelectField } from "../../components/field.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { exportFormats, formatNames } from "./names.ts";
import { Notes } from "./notes.tsx";

export function ExportDialog({ teamId: givenId, onClose }: { teamId: string | undefined; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const { tree } = useLibrary();
  const teams = tree?.teams ?? [];
  const largest = teams.toSorted((one, other) => other.snippet_count - one.snippet_count)[0];
  const [teamId, setTeamId] = useState((teams.find(({ id }) => id === givenId) ?? largest)?.id ?? "");
  const [format, setFormat] = useState<NonNullable<QueryOf<"getLibraryExport">["format"]>>("commonplace");
  const query = { teamId, format };
  const [ending] = useState(() => new AbortController());
  const cancel = () => {
    ending.abort();
    onClose();
  };
  const exporting = useMutation({
    mutationFn: () => receiveExport(workspaceId, query, ending.signal),
    onSuccess: ({ name, content, warnings, hasCode }) => {
      if (!hasCode) downloadBlob(name, content);
      if (warnings.length === 0) onClose();
    },
  });
  const { data } = exporting;
  if (data && data.warnings.length > 0) return <ExportWarnings exported={data} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={cancel} size="small" title="Export">
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
      <FormError error={exporting.error} />
      <DialogActions>
        <Button onClick={cancel}>Cancel</Button>
        {format === "commonplace" ? (
          <a
            href={downloadPath("getLibraryExport", workspaceId, query)}
            download
            className={buttonClass("primary")}
            onClick={() => setTimeout(onClose)}
          >
            Export team
          </a>
        ) : (
          <Button variant="primary" isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
            Export team
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

interface ExportWarningsProps {
  readonly exported: ReceivedExport;
  readonly onClose: () => void;
}

/** What the person should know about a file. One with code is saved only if they want it. */
function ExportWarnings({ exported: { name, content, warnings, hasCode }, onClose }: ExportWarningsProps) {
  const save = () => {
    downloadBlob(name, content);
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} size="small" title={hasCode ? "This file contains code" : "Export complete"}>
      {hasCode && (
        <p>The other tool runs code from this file on your computer. Save the file only if you trust the code.</p>
      )}
      <Notes
        tone="warn"
        title="Warnings"
        notes={warnings.map((message) => ({ file: null, line: null, message }))}
        isOpen
      />
      <DialogActions>
        {hasCode ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" onClick={save}>
              Save file
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
