// Opens the palette: by ⌘K or Ctrl K on every page, or by its button. Its script is loaded when it is first needed.
import { useEffect } from "react";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icons.tsx";
import { lazyPart } from "../../script.tsx";
import { createStore, useStore } from "../../store.ts";
import { KeyCap } from "../key-cap.tsx";

const isPaletteOpen = createStore(false);
const openPalette = (): void => isPaletteOpen.set(true);

const LoadedPalette = lazyPart<{ onClose: () => void }>(() => import("./palette.tsx"), null);

/** Once on every page with a signed-in person. */
export function Palette() {
  const isOpen = useStore(isPaletteOpen);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isKey =
        (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
      if (!isKey || event.defaultPrevented) return;
      // The browser would go to its own search.
      event.preventDefault();
      if (!document.querySelector("[role=dialog], [role=alertdialog]")) openPalette();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return isOpen && <LoadedPalette onClose={() => isPaletteOpen.set(false)} />;
}

export const PaletteButton = () => (
  <button
    type="button"
    aria-keyshortcuts="Meta+K Control+K"
    title="Find anything"
    onClick={openPalette}
    className="border-line bg-surface hover:bg-hover text-quiet shadow-low flex min-h-9 w-full items-center gap-2.5 rounded-md border px-2.5 text-left rail:justify-center rail:px-0"
  >
    <Icon name="search" className="size-4.5" />
    <span className="min-w-0 flex-1 truncate rail:sr-only">Find anything</span>
    <KeyCap of="Mod+k" className="rail:hidden" />
  </button>
);

/** For the narrow head of a phone. */
export const CompactPaletteButton = () => (
  <IconButton label="Find anything" onClick={openPalette}>
    <Icon name="search" />
  </IconButton>
);
