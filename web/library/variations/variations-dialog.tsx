// The variations of a snippet: add, rename, reorder, delete. Each act takes effect at once.
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { callConsole, queryClient, useConsoleMutation } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { FormError, SelectField, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { toast, toastError } from "../../components/toast.tsx";
import { textLimits } from "../../limits.ts";
import { useWorkspaceId } from "../../workspace.tsx";
import { type Snippet, useReadText, type Variation } from "../data.ts";
import { useLibrary } from "../library-context.tsx";
import { offerUndo } from "../selection/undo.ts";
import { moved, placeAt } from "./order.ts";

export interface VariationsDialogProps {
  readonly snippet: Snippet;
  readonly onClose: () => void;
}

/** Keys pressed in a row become one change. */
const settleMilliseconds = 600;
const refreshed = ["getLibrarySnippet", "getLibrarySearch"] as const;
const refresh = () => Promise.all(refreshed.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));

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
      description="The first one is the text of the snippet. Drag to reorder, or use the arrow keys on a handle."
    >
      <ol ref={list} aria-label="Variations" className="border-line divide-line divide-y rounded-md border">
        {rows.map((variation, index) => (
          <Row
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
      <Add snippet={snippet} onAdded={onClose} />
      {deleted && (
        <Delete variation={deleted} isFirst={deleted.id === variations[0]?.id} onClose={() => setDeleted(undefined)} />
      )}
    </Dialog>
  );
}

/** The rows in the order that the person has made, which is saved when they pause. */
function useOrder({ id, variations }: Snippet) {
  const workspaceId = useWorkspaceId();
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
      .then(() => offerUndo("Variations reordered", () => void put(stored).catch(toastError)))
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

interface RowProps {
  readonly variation: Variation;
  readonly index: number;
  readonly isOnly: boolean;
  readonly label: string;
  readonly list: { readonly current: HTMLOListElement | null };
  readonly onMove: (to: number) => void;
  readonly onDelete: () => void;
}

function Row({ variation, index, isOnly, label, list, onMove, onDelete }: RowProps) {
  const [name, setName] = useState<string>();
  const [isDragged, setIsDragged] = useState(false);
  const workspaceId = useWorkspaceId();

  const press = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: Number.MAX_SAFE_INTEGER }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0) onMove(to);
  };
  const drag = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !list.current) return;
    const middles = [...list.current.children].map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return top + height / 2;
    });
    const to = placeAt(event.clientY, index, middles);
    if (to !== index) onMove(to);
  };
  const save = () => {
    const next = name?.trim() ?? "";
    setName(undefined);
    if (next === "" || next === variation.name) return;
    put(next)
      .then(() => offerUndo(`Renamed to ${quote(next)}`, () => void put(variation.name).catch(toastError)))
      .catch(toastError);
  };
  const put = async (newName: string) => {
    await callConsole("putLibrarySnippetVariation", {
      query: { variationId: variation.id },
      body: { name: newName },
      workspaceId,
    });
    await refresh();
  };
  return (
    <li className={classNames("flex min-w-0 items-center gap-1 px-1.5 py-1", isDragged && "bg-accent-soft")}>
      <button
        type="button"
        aria-label={`Reorder ${label}`}
        disabled={isOnly}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setIsDragged(true);
        }}
        onPointerMove={drag}
        onLostPointerCapture={() => setIsDragged(false)}
        className="text-quiet hover:text-text grid size-11 shrink-0 cursor-grab touch-none place-items-center rounded-md disabled:invisible sm:size-8"
      >
        <Icon name="sort" className="size-4" />
      </button>
      {name === undefined ? (
        <>
          <span className="min-w-0 flex-1 wrap-anywhere">
            <bdi>{variation.name}</bdi>
          </span>
          <Button variant="quiet" size="small" onClick={() => setName(variation.name)}>
            Rename<span className="sr-only"> {variation.name}</span>
          </Button>
          <IconButton
            label={isOnly ? "The last variation can’t be deleted" : `Delete ${variation.name}`}
            disabled={isOnly}
            onClick={onDelete}
            className="disabled:opacity-40"
          >
            <Icon name="trash" className="size-4" />
          </IconButton>
        </>
      ) : (
        <Form isBusy={false} onSubmit={save} className="flex-1">
          <TextField
            label="Name"
            isLabelHidden
            autoFocus
            autoComplete="off"
            maxLength={textLimits.variationNameLengthMax}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onBlur={save}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              // Only this field closes.
              event.stopPropagation();
              setName(undefined);
            }}
          />
        </Form>
      )}
    </li>
  );
}

const emptyStart = "";

function Add({ snippet, onAdded }: { snippet: Snippet; onAdded: () => void }) {
  const { view, change } = useLibrary();
  const readText = useReadText();
  const { variations } = snippet;
  const [name, setName] = useState("");
  const [startId, setStartId] = useState(view.variationId ?? variations[0]?.id ?? emptyStart);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const add = useConsoleMutation("postLibrarySnippetVariations", {
    invalidates: refreshed,
    onSuccess: ({ variations: [added] }) => {
      toast("Variation added");
      if (added) change({ mode: "edit", variationId: added.id }, "replace");
      onAdded();
    },
  });
  const isFull = variations.length >= textLimits.variationsPerSnippetMax;
  const submit = async () => {
    const variationName = name.trim();
    if (variationName === "") {
      setError("Enter a name.");
      return;
    }
    setIsBusy(true);
    setError(undefined);
    try {
      const start = variations.find(({ id }) => id === startId);
      const content = start
        ? { type: start.content_type, content: await readText(start) }
        : { type: variations[0]?.content_type ?? "plaintext", content: "" };
      add.mutate(
        { query: { snippetId: snippet.id }, body: { variations: [{ variationName, content }] } },
        { onError: setError },
      );
    } catch (cause) {
      setError(cause);
    } finally {
      setIsBusy(false);
    }
  };
  if (isFull) return <p className="text-quiet">This snippet has as many variations as it can have.</p>;
  return (
    <Form isBusy={isBusy || add.isPending} onSubmit={() => void submit()} className="gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          label="New variation"
          placeholder="Name"
          autoComplete="off"
          maxLength={textLimits.variationNameLengthMax}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField label="Begin with" value={startId} onChange={({ target }) => setStartId(target.value)}>
          <option value={emptyStart}>Nothing</option>
          {variations.map((variation) => (
            <option key={variation.id} value={variation.id}>
              The text of {variation.name}
            </option>
          ))}
        </SelectField>
      </div>
      <FormError error={error} />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" isBusy={isBusy || add.isPending}>
          Add variation
        </Button>
      </div>
    </Form>
  );
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
        Its text and its history are deleted. {isFirst && "The next variation becomes the text of the snippet. "}This
        cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
