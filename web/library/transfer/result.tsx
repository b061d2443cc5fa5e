// What an import has done, with a way back.
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FormError } from "../../components/field.tsx";
import { pluralize } from "../../components/format.ts";
import { Notice } from "../../components/layout.tsx";
import { noFilters } from "../address.ts";
import { useLibrary } from "../library-context.tsx";
import type { ImportResult } from "./import-run.ts";
import { AllNotes } from "./notes.tsx";
import { useUndoImport } from "./use-undo.ts";

interface ResultProps {
  readonly result: ImportResult;
  readonly onContinue: () => Promise<void>;
  readonly onClose: () => void;
}

export function ImportResultDialog({ result, onContinue, onClose }: ResultProps) {
  const {
    file,
    target,
    firstSnippetId,
    importId,
    created,
    replaced,
    folders,
    tags,
    skipped,
    problems,
    warnings,
    remaining,
    error,
  } = result;
  const undo = useUndoImport();
  const { change } = useLibrary();
  const [isContinuing, setIsContinuing] = useState(false);
  const isWhole = remaining === 0 && error === undefined;
  const isBegun = isWhole || importId !== undefined;
  const made = new Intl.ListFormat("en").format([
    pluralize(created, "snippet"),
    ...(folders > 0 ? [pluralize(folders, "folder")] : []),
    ...(tags > 0 ? [pluralize(tags, "tag")] : []),
  ]);
  /** What was created is first in its list; a single snippet is open. */
  const show = () => {
    onClose();
    change({
      ...noFilters,
      ...{ shelf: "current", query: "", mode: "read", isBrowsing: false, variationId: undefined },
      ...{ teamId: target.teamId, folderId: target.folderId, sort: created > 0 ? "created" : "updated" },
      snippetId: created === 1 ? firstSnippetId : undefined,
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isWhole ? "Import complete" : isBegun ? "Import interrupted" : "Nothing imported"}
    >
      {isBegun && (
        <div className="grid gap-2" role="status">
          <p>Created {made}.</p>
          {replaced > 0 && <p>{pluralize(replaced, "snippet")} got a new version.</p>}
          {skipped > 0 && <p>{pluralize(skipped, "duplicate")} skipped.</p>}
        </div>
      )}
      <FormError error={error} />
      {isBegun && !isWhole && (
        <Notice tone="warn">
          <p>
            {pluralize(remaining, "item")} not imported yet. Continue now, import the same file again later, or undo the
            import. Nothing is imported twice.
          </p>
        </Notice>
      )}
      <AllNotes
        notes={{ problems: [...file.problems, ...problems], warnings, leftOut: file.leftOut }}
        problemCount={result.problemCount + file.problems.length}
        warningCount={result.warningCount}
        isDone
        fileName={file.name}
      />
      <DialogActions>
        {importId !== undefined && created + replaced + folders + tags > 0 && (
          <Button
            onClick={() => {
              onClose();
              void undo(importId);
            }}
          >
            Undo import
          </Button>
        )}
        {created + replaced > 0 && (
          <Button onClick={show}>{created + replaced === 1 ? "Show snippet" : "Show snippets"}</Button>
        )}
        {!isWhole && (
          <Button
            isBusy={isContinuing}
            onClick={() => {
              setIsContinuing(true);
              void onContinue().finally(() => setIsContinuing(false));
            }}
          >
            {isBegun ? "Continue import" : "Try again"}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
