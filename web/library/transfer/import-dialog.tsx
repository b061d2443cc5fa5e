// Imports files: what they would bring, where it goes, and what becomes of duplicates, before anything is written.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FormError } from "../../components/field.tsx";
import { pluralize, quote } from "../../components/format.ts";
import { Loading } from "../../components/states.tsx";
import { useWorkspace } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { useRefresh } from "../selection/use-acts.ts";
import { ChooseFirst, ChooseOthers } from "./choose-files.tsx";
import { type ColumnFields, columnsOf, type Table } from "./columns.ts";
import { ColumnsField } from "./columns-field.tsx";
import {
  type ImportFile,
  type ImportQuery,
  type ImportResult,
  type ImportTarget,
  isQuick,
  previewImport,
  runImport,
} from "./import-run.ts";
import type { Given } from "./open-transfer.ts";
import { PastImports } from "./past-imports.tsx";
import { countProblems, ImportPreview } from "./preview.tsx";
import { ImportResultDialog } from "./result.tsx";
import { TargetFields } from "./target-fields.tsx";
import { useImportFile } from "./use-import-file.ts";

interface ImportDialogProps {
  readonly given: readonly Given[];
  readonly teamId: string | undefined;
  readonly folderId: string | undefined;
  readonly onClose: () => void;
}

/** The table of a file, and what somebody chose for its columns. */
interface ChosenColumns {
  readonly turn: number;
  readonly table: Table;
  readonly fields?: ColumnFields;
}

export function ImportDialog({ given, teamId, folderId, onClose }: ImportDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const { tree } = useLibrary();
  const refresh = useRefresh();
  const teams = tree?.teams.filter(({ may_write }) => may_write) ?? [];
  const largest = teams.toSorted((one, other) => other.snippet_count - one.snippet_count)[0];
  const [target, setTarget] = useState<ImportTarget>({
    teamId: (teams.find(({ id }) => id === teamId) ?? largest)?.id ?? "",
    folderId,
    onDuplicate: "skip",
    allOrNothing: false,
  });
  const { turn, file, error, isReading, choose } = useImportFile(given);
  const [chosen, setChosen] = useState<ChosenColumns>();
  const columns = chosen?.turn === turn && chosen.fields ? columnsOf(chosen.table, chosen.fields) : undefined;
  const query: ImportQuery = { ...target, columns };
  const [done, setDone] = useState<{ readonly turn: number; readonly result: ImportResult }>();
  const [isRunning, setIsRunning] = useState(false);
  const result = done?.result;
  const preview = useQuery({
    queryKey: ["importPreview", workspaceId, query, turn],
    queryFn: () => (file ? previewImport(query, file, workspaceId) : undefined),
    enabled: file !== undefined && result === undefined && !isRunning && (!columns || columns.content !== undefined),
    // The file can be large.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  // Once the columns are chosen, the service says no more what they were read as.
  const table = preview.data?.data.table;
  if (table && chosen?.turn !== turn) setChosen({ turn, table });
  const counts = preview.data?.metadata;
  const isRefused =
    target.allOrNothing && file !== undefined && preview.data !== undefined && countProblems(preview.data, file) > 0;
  const total = counts ? counts.createdCount + counts.replacedCount + counts.folderCount + counts.tagCount : 0;
  const run = async (whole: ImportFile) => {
    setIsRunning(true);
    setDone({ turn, result: await runImport(query, whole, workspaceId, total) });
    setIsRunning(false);
    await refresh();
  };
  // Its progress is shown in the corner, so that one can go on working.
  if (isRunning && !isQuick(total)) return null;
  if (done && result) {
    // What was dropped meanwhile is next.
    const close = done.turn === turn ? onClose : () => setDone(undefined);
    return <ImportResultDialog result={result} onContinue={() => run(result.file)} onClose={close} />;
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      isPersistent={isRunning}
      size="wide"
      title={file ? `Import ${file.isNamed ? quote(file.name) : file.name}` : "Import"}
      {...(!file && {
        description:
          "Bring in snippets from VS Code, Espanso, Raycast, TextExpander, and 12 other formats, or from a Commonplace archive. The format is recognized automatically.",
      })}
    >
      {!file && !isReading && <ChooseFirst onChoose={choose} />}
      <TargetFields target={target} onChange={(changes) => setTarget({ ...target, ...changes })} />
      {chosen?.turn === turn && (
        <ColumnsField
          table={chosen.table}
          value={chosen.fields}
          onChange={(fields) => setChosen({ ...chosen, fields })}
        />
      )}
      {(isReading || preview.isFetching) && <Loading />}
      {file && preview.data && !preview.isFetching && (
        <ImportPreview preview={preview.data} file={file} isRefused={isRefused} />
      )}
      <FormError error={error ?? (preview.isFetching ? undefined : preview.error)} />
      {!file && !isReading && <PastImports teamId={target.teamId} />}
      <DialogActions>
        {!isRunning && <Button onClick={onClose}>Cancel</Button>}
        {file && (
          <>
            {!isRunning && <ChooseOthers onChoose={choose} />}
            <Button
              variant="primary"
              isBusy={isRunning}
              disabled={total === 0 || isRefused || preview.isFetching}
              onClick={() => void run(file)}
            >
              {counts && total > 0
                ? `Import ${pluralize(counts.createdCount + counts.replacedCount, "snippet")}`
                : "Import"}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
