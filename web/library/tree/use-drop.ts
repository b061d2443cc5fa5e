// Makes a row of the left pane a target for what is dragged.
import { type DragEvent, useState } from "react";
import { dragged, endDrag } from "./drag.ts";
import type { Dragged } from "./drop.ts";

/** @param accept what a drop does here; undefined where it does nothing */
export function useDrop(accept: (what: Dragged) => (() => void) | undefined) {
  const [isOver, setIsOver] = useState(false);
  const find = () => {
    const what = dragged.get();
    return what && accept(what);
  };
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!find()) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "move";
        setIsOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        // Also fired on the way to an element inside.
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
          setIsOver(false);
      },
      onDrop: (event: DragEvent) => {
        const drop = find();
        setIsOver(false);
        endDrag();
        if (!drop) return;
        event.preventDefault();
        drop();
      },
    },
  };
}
