// The variations of a snippet: add, rename, reorder, delete. Each act takes effect at once.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { callConsole, useConsoleMutation } from "../../api.ts";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { quote } from "../../components/format.ts";
import { toast, toastError } from "../../components/toast.tsx";
import { useWorkspace } from "../../workspace.tsx";
import type { Snippet, Variation } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { ChangedSince, offerUndo } from "../selection/undo.ts";
import { AddVariation } from "./add-variation.tsx";
import { moved } from "./order.ts";
import { refresh, refreshed } from "./refresh.ts";
import { VariationRow } from "./variation-row.tsx";

export interface VariationsDialogProps {
  readonly snippet: Snippet;
  readonly onClose: () => void;
}

/** Keys pressed in a row become one change. */
const settleMilliseconds = 600;

export default function VariationsDialog({ snippet, onClose }: VariationsDialogProps) {
  const { variations } = snippet;
  const { rows, move, say, spoken } = useOrder(snippet);
  const [deleted, setDeleted] = useState<Variation>();
  const list = useRef<HTMLOListElement>(null);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Variations"
      description="The first variation is the snippet’s default text. Drag to reorder, or use the arrow keys on a handle."
    >
      <ol ref={list} aria-label="Variations" className="border-line divide-line divide-y rounded-md border">
        {rows.map((variation, index) => (
          <VariationRow
            key={variation.id}
            variation={variation}
            isOnly={rows.length === 1}
            label={`${variation.name}, ${index + 1} of ${rows.length}`}
            onMove={(to) => {
              move(index, to);
              say(`${variation.name}, ${Math.max(1, Math.min(to + 1, rows.length))} of ${rows.length}`);
            }}
            index={index}
            list={list}
            onDelete={() => setDeleted(variation)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      <AddVariation snippet={snippet} onAdded={onClose} />
      {deleted && (
        <Delete variation={deleted} isFirst={deleted.id === variations[0]?.id} onClose={() => setDeleted(undefined)} />
      )}
    </Dialog>
  );
}

/** The rows in the order that the person has made, which is saved when they pause. */
function useOrder({ id, title, variations }: Snippet) {
  const { id: workspaceId } = useWorkspace();
  const [wanted, setWanted] = useState<readonly string[]>();
  const [spoken, say] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stored = variations.map((variation) => variation.id);
  const rows = wanted
    ? variations.toSorted((left, right) => wanted.indexOf(left.id) - wanted.indexOf(right.id))
    : variations;

  const put = async (ids: readonly string[]) => {
    await callConsole("putLibrarySnippetVariationsOrder", {
      query: { snippetId: id },
      body: { variationIds: [...ids] },
      workspaceId,
    });
    await refresh();
  };
  const settle = useEffectEvent(() => {
    timer.current = undefined;
    if (!wanted || wanted.join() === stored.join()) return;
    put(wanted)
      .then(() =>
        offerUndo(`Reordered the variations of ${quote(title)}`, workspaceId, async () => {
          const { data } = await callConsole("getLibrarySnippet", { query: { id }, workspaceId });
          if (data.variations.map((variation) => variation.id).join() !== wanted.join()) throw new ChangedSince();
          await put(stored);
        }),
      )
      .catch(toastError)
      .finally(() => setWanted(undefined));
  });
  useEffect(
    () => () => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      settle();
    },
    [],
  );
  useEffect(() => {
    if (!wanted) return;
    timer.current = setTimeout(() => settle(), settleMilliseconds);
    return () => clearTimeout(timer.current);
  }, [wanted]);

  const move = (from: number, to: number) =>
    setWanted(
      moved(
        rows.map((row) => row.id),
        from,
        to,
      ),
    );
  return { rows, move, say, spoken };
}

function Delete({
  variation: { id, name },
  isFirst,
  onClose,
}: {
  variation: Variation;
  isFirst: boolean;
  onClose: () => void;
}) {
  const { view, change } = useLibrary();
  const remove = useConsoleMutation("deleteLibrarySnippetVariation", {
    invalidates: refreshed,
    onSuccess: () => {
      if (view.variationId === id) change({ variationId: undefined }, "replace");
      toast(`${quote(name)} deleted`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete the variation ${quote(name)}?`}
      confirmLabel="Delete variation"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ query: { variationId: id } })}
    >
      <p>
        Its text and history will be deleted. {isFirst && "The next variation will become the snippet’s default text. "}
        You can’t undo this.
      </p>
    </ConfirmDialog>
  );
}
