// Which rows of the tree are open. Remembered per workspace in the browser.
import { useCallback, useMemo, useState } from "react";
import { readStored, writeStored } from "../../storage.ts";
import { isRowOpen } from "./build-tree.ts";

/** Those toggled longest ago are forgotten. */
const rememberedMax = 2_000;

export interface Expansion {
  /** The rows that are not as they are at first. */
  readonly toggled: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  /** Opens rows. */
  readonly open: (keys: readonly string[]) => void;
}

const parseKeys = (stored: string | null): ReadonlySet<string> => new Set(stored?.split(" ").filter(Boolean));

export function useExpansion(workspaceId: string): Expansion {
  const storageKey = `commonplace-tree-${workspaceId}`;
  const [toggled, setToggled] = useState(() => parseKeys(readStored(storageKey)));
  const update = useCallback(
    (choose: (before: ReadonlySet<string>) => readonly string[]) =>
      setToggled((before) => {
        const after = new Set(before);
        for (const key of choose(before)) if (!after.delete(key)) after.add(key);
        writeStored(storageKey, [...after].slice(-rememberedMax).join(" ") || null);
        return after;
      }),
    [storageKey],
  );
  const toggle = useCallback((key: string) => update(() => [key]), [update]);
  const open = useCallback(
    (keys: readonly string[]) => update((before) => keys.filter((key) => !isRowOpen(key, before))),
    [update],
  );
  return useMemo(() => ({ toggled, toggle, open }), [toggled, toggle, open]);
}
