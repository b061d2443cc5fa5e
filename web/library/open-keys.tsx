// Opens the list of keyboard shortcuts: by ? on every page, or from the account menu and the palette.
import { lazyPart } from "../script.tsx";
import { createStore, useStore } from "../store.ts";
import { useKeys } from "./use-keys.ts";

const areKeysShown = createStore(false);
export const showKeys = (): void => areKeysShown.set(true);

const LoadedKeysDialog = lazyPart<{ onClose: () => void }>(() => import("./keys-dialog.tsx"), null);

/** Once on every page with a signed-in person. */
export function Keys() {
  const isOpen = useStore(areKeysShown);
  useKeys({ help: showKeys });
  return isOpen && <LoadedKeysDialog onClose={() => areKeysShown.set(false)} />;
}
