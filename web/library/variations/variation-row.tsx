// A variation in the list where one changes them: its handle, its name, and what can be done with it.
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { callConsole } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { quote } from "../../components/format.ts";
import { Icon } from "../../components/icons.tsx";
import { toastError } from "../../components/toast.tsx";
import { textLimits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { Variation } from "../data.ts";
import { ChangedSince, offerUndo } from "../selection/undo.ts";
import { placeAt } from "./order.ts";
import { refresh } from "./refresh.ts";

interface RowProps {
  readonly variation: Variation;
  readonly index: number;
  readonly isOnly: boolean;
  readonly label: string;
  readonly list: { readonly current: HTMLOListElement | null };
  readonly onMove: (to: number) => void;
  readonly onDelete: () => void;
}

export function VariationRow({ variation, index, isOnly, label, list, onMove, onDelete }: RowProps) {
  const [name, setName] = useState<string>();
  const [isDragged, setIsDragged] = useState(false);
  const { id: workspaceId } = useWorkspace();

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
      .then(() =>
        offerUndo(`Renamed variation ${quote(variation.name)} to ${quote(next)}`, workspaceId, async () => {
          const query = { variationId: variation.id };
          const { data } = await callConsole("getLibrarySnippetVariation", { query, workspaceId });
          if (data.name !== next) throw new ChangedSince();
          await put(variation.name);
        }),
      )
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
            label={isOnly ? "You can’t delete the only variation" : `Delete ${variation.name}`}
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
