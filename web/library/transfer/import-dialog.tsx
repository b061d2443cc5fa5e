// Imports files: what they would bring, where it goes, and what becomes of duplicates, before anything is written.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FormError, SelectField } from "../../components/field.tsx";
import { pluralize, quote } from "../../components/format.ts";
import { Loading } from "../../components/states.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { useRefresh } from "../selection/use-acts.ts";
import { type Group, groupsOf, pathNames } from "../tree/group.ts";
import {
  type ImportFile,
  type ImportQuery,
  type ImportResult,
  previewImport,
  runImport,
  toImportFile,
} from "./import-run.ts";
import { PastImports } from "./past-imports.tsx";
import { ImportPreview } from "./preview.tsx";
import { ImportResultDialog } from "./result.tsx";

interface ImportDialogProps {
  readonly files: readonly File[];
  readonly teamId: string | undefined;
  readonly folderId: string | undefined;
  readonly onClose: () => void;
}

export function ImportDialog({ files, teamId: givenTeamId, folderId: givenFolderId, onClose }: ImportDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const { tree } = useLibrary();
  const refresh = useRefresh();
  const teams = tree?.teams.filter(({ may_manage }) => may_manage) ?? [];
  const largest = teams.toSorted((one, other) => other.snippet_count - one.snippet_count)[0];
  const given = teams.find(({ id }) => id === givenTeamId) ?? largest;
  const [teamId, setTeamId] = useState(given?.id ?? "");
  const [folderId, setFolderId] = useState(givenFolderId ?? "");
  const [onDuplicate, setOnDuplicate] = useState<ImportQuery["onDuplicate"]>("skip");
  const [file, setFile] = useState<ImportFile>();
  const [readError, setReadError] = useState<Error>();
  const [result, setResult] = useState<ImportResult>();
  const [isRunning, setIsRunning] = useState(false);
  const choose = (chosen: readonly File[]) => {
    toImportFile(chosen).then(setFile, () =>
      setReadError(new Error("Couldn’t read these files. To import a folder, zip it first.")),
    );
  };
  const chooseGiven = useRef(choose);
  useEffect(() => chooseGiven.current(files), [files]);

  const query: ImportQuery = { teamId, folderId: folderId || undefined, onDuplicate };
  const preview = useQuery({
    queryKey: ["importPreview", workspaceId, query, file],
    queryFn: () => (file ? previewImport(query, file, workspaceId) : undefined),
    enabled: file !== undefined && result === undefined && !isRunning,
    // The file can be large.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const counts = preview.data?.metadata;
  const total = counts ? counts.createdCount + counts.replacedCount + counts.folderCount + counts.tagCount : 0;
  const run = async () => {
    if (!file) return;
    setIsRunning(true);
    setResult(await runImport(query, file, workspaceId, total));
    setIsRunning(false);
    await refresh();
  };
  if (isRunning) return null;
  if (result)
    return <ImportResultDialog result={result} fileName={file?.name ?? ""} onContinue={run} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="wide"
      title={file ? `Import ${quote(file.name)}` : "Import"}
      description="Bring in snippets from VS Code, Espanso, Raycast, TextExpander, and 12 other formats, or from a Commonplace archive. The format is recognized automatically."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Team"
          value={teamId}
          onChange={({ target }) => {
            setTeamId(target.value);
            setFolderId("");
          }}
        >
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <FolderField teamId={teamId} value={folderId} onChange={setFolderId} />
        <SelectField
          label="Duplicates"
          hint="Snippets with the same text, or the same shortcut and content type, as one that the team already has."
          value={onDuplicate}
          // The options are the choices.
          onChange={({ target }) => setOnDuplicate(target.value as typeof onDuplicate)}
          className="sm:col-span-2"
        >
          <option value="skip">Skip</option>
          <option value="replace">Replace the text (adds a new version)</option>
          <option value="keep">Keep both</option>
        </SelectField>
      </div>
      {preview.isFetching && <Loading />}
      {preview.data && !preview.isFetching && <ImportPreview preview={preview.data} />}
      <FormError error={readError ?? (preview.isFetching ? undefined : preview.error)} />
      {!file && <PastImports teamId={teamId} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <ChooseFiles label={file ? "Choose other files" : "Choose files"} isPrimary={!file} onChoose={choose} />
        {file && (
          <Button variant="primary" disabled={total === 0 || preview.isFetching} onClick={() => void run()}>
            {counts && total > 0
              ? `Import ${pluralize(counts.createdCount + counts.replacedCount, "snippet")}`
              : "Import"}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function FolderField({ teamId, value, onChange }: { teamId: string; value: string; onChange: (id: string) => void }) {
  const { tree } = useLibrary();
  const groups = tree ? groupsOf(tree, "folder").filter((group) => group.teamId === teamId) : [];
  const byId = new Map(groups.map((group) => [group.id, group]));
  const pathOf = ({ name, parentId }: Group) => [pathNames(byId, parentId), name].filter(Boolean).join(" / ");
  return (
    <SelectField label="Folder" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">No folder</option>
      {groups.map((group) => (
        <option key={group.id} value={group.id}>
          {pathOf(group)}
        </option>
      ))}
    </SelectField>
  );
}

interface ChooseFilesProps {
  readonly label: string;
  readonly isPrimary: boolean;
  readonly onChoose: (files: readonly File[]) => void;
}

const ChooseFiles = ({ label, isPrimary, onChoose }: ChooseFilesProps) => (
  <label
    className={`${buttonClass(isPrimary ? "primary" : "plain")} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2`}
  >
    {label}
    <input
      type="file"
      multiple
      className="sr-only"
      onChange={({ target }) => {
        if (target.files && target.files.length > 0) onChoose([...target.files]);
      }}
    />
  </label>
);
