// The dialogs that import and export. Loaded with the first one.
import { useEffect } from "react";
import { useStore } from "../../store.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { closeTransfer, transferDialog } from "./open-transfer.ts";

export default function TransferDialogs() {
  const dialog = useStore(transferDialog);
  // One that is open when the page is left does not open again on the next visit.
  useEffect(() => closeTransfer, []);
  if (!dialog) return null;
  if (dialog.act === "export") return <ExportDialog teamId={dialog.teamId} onClose={closeTransfer} />;
  const { given, teamId, folderId } = dialog;
  return <ImportDialog given={given} teamId={teamId} folderId={folderId} onClose={closeTransfer} />;
}
