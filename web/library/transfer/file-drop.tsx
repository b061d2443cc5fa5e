// Files that are dragged onto the library are imported.
import { type DragEvent, useState } from "react";
import { toast } from "../../components/toast.tsx";
import { useLibrary } from "../library-context.tsx";
import { type Given, openTransfer } from "./open-transfer.ts";

const refusal = "You can’t import files. Only editors and admins of a team can.";

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** What is dropped, folders too. The browser forgets it after the event. */
const givenIn = ({ items }: DataTransfer): Given[] =>
  [...items].flatMap((item) => (item.kind === "file" ? (item.webkitGetAsEntry() ?? item.getAsFile() ?? []) : []));

/** Handlers for the element that takes the files. Those who may not import are told so. */
export function useFileDrop() {
  const { tree, view, folders, mayWrite } = useLibrary();
  const [isOver, setIsOver] = useState(false);
  // Until it is known who may import, the browser would open the file.
  const mayImport = tree === undefined || mayWrite();
  const folder = view.folderId === undefined ? undefined : folders.get(view.folderId);
  return {
    isOver,
    mayImport,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setIsOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        // Also fired on the way to an element inside.
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
          setIsOver(false);
      },
      onDrop: (event: DragEvent) => {
        setIsOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (!mayImport) toast(refusal, "danger");
        if (!tree || !mayImport) return;
        const given = givenIn(event.dataTransfer);
        openTransfer({ act: "import", given, teamId: folder?.team_id ?? view.teamId, folderId: folder?.id });
      },
    },
  };
}

/** Says what happens to the files that are held over the page. */
export const DropHint = ({ mayImport }: { mayImport: boolean }) => (
  <div className="bg-veil pointer-events-none absolute inset-0 z-30 grid place-items-center p-6">
    <p className="bg-surface border-line shadow-high rounded-lg border px-5 py-4 font-medium">
      {mayImport ? "Drop files or folders to import them" : refusal}
    </p>
  </div>
);
