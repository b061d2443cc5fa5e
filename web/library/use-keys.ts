// Listens for the keys of the table. Silent while somebody types, and while a dialog or a menu is open.
import { useEffect, useRef } from "react";
import { readStored, writeStored } from "../storage.ts";
import { createStore } from "../store.ts";
import { actOf, isCharacter, type KeyAct } from "./keys.ts";

export type KeyHandlers = { readonly [Act in KeyAct]?: (() => void) | undefined };

const storageKey = "commonplace-single-keys";
/** Keys without ⌘ or Ctrl can be turned off: programs for speech input press them by accident. */
export const areSingleKeysOn = createStore(readStored(storageKey) !== "off");
export function setSingleKeys(isOn: boolean): void {
  areSingleKeysOn.set(isOn);
  writeStored(storageKey, isOn ? null : "off");
}

/** The handlers of all mounted components; the last one that knows an act gets it. */
const layers: { readonly current: KeyHandlers }[] = [];

/** Handles keys of the table as long as the component is mounted. */
export function useKeys(handlers: KeyHandlers): void {
  const layer = useRef(handlers);
  layer.current = handlers;
  useEffect(() => {
    if (layers.length === 0) document.addEventListener("keydown", handleKey);
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      if (layers.length === 0) document.removeEventListener("keydown", handleKey);
    };
  }, []);
}

function handleKey(event: KeyboardEvent): void {
  const isModified = event.metaKey || event.ctrlKey;
  if (event.defaultPrevented || event.altKey || event.isComposing || !isForPage(event, isModified)) return;
  const act = actOf({ key: event.key, isModified, isShift: event.shiftKey });
  const handler = act && layers.findLast(({ current }) => current[act])?.current[act];
  if (!handler) return;
  event.preventDefault();
  handler();
}

const fields = "input, textarea, select, [contenteditable]";
const layersAbove = "[role=dialog], [role=alertdialog], [role=menu]";
/** Elements that use the arrows, Enter and Escape themselves. */
const controls = "button, a, summary, [role=tree], [role=tab], [role=separator], [tabindex='0']:not([role=listbox])";

function isForPage({ key, target }: KeyboardEvent, isModified: boolean): boolean {
  if (document.querySelector(layersAbove)) return false;
  // In a field they act on its text: ⌘A selects it, ⌘Z takes back what was typed.
  if (!(target instanceof Element) || target.closest(fields)) return false;
  if (isModified) return true;
  if (isCharacter(key)) return areSingleKeysOn.get();
  // The tree deletes its own rows.
  if (key === "Delete") return !target.closest("[role=tree]");
  return key === "Escape" || !target.closest(controls);
}
