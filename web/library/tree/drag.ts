// What is being dragged. The browser shows the data of a drag only once it is dropped, but targets have to react before.
import type { DragEvent } from "react";
import { createStore } from "../../store.ts";
import type { Dragged } from "./drop.ts";

export const dragged = createStore<Dragged | undefined>(undefined);

/** Starts a drag. @param label shown at the pointer, and inserted where somebody drops it into another program */
export function startDrag(event: DragEvent, what: Dragged, label: string): void {
  event.stopPropagation();
  dragged.set(what);
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", label);
  const image = document.createElement("div");
  image.className =
    "fixed -top-24 left-0 max-w-64 truncate rounded-md bg-accent text-on-accent px-3 py-1.5 text-sm font-medium";
  image.textContent = label;
  document.body.append(image);
  event.dataTransfer.setDragImage(image, -8, -8);
  // The browser has taken its picture by then.
  setTimeout(() => image.remove());
}

export const endDrag = (): void => dragged.set(undefined);
