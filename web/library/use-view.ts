// Reads what the address says, and changes it.
import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { formatView, parseView, type View } from "./address.ts";

export interface ViewControl {
  readonly view: View;
  /** Changes the address. `replace` leaves no step for the back button. */
  readonly change: (changes: Partial<View>, how?: "push" | "replace") => void;
  /** Goes back if that is what the changes come to, so that opening and closing does not add up; otherwise changes the address. */
  readonly goBack: (changes: Partial<View>) => void;
  /** The address with these changes, for links. */
  readonly hrefOf: (changes: Partial<View>) => string;
}

/** What the browser keeps with each address of its history. */
interface EntryState {
  /** The address that it was opened from. */
  readonly from?: string;
}

export function useView(): ViewControl {
  const search = useSearch();
  const [path, navigate] = useLocation();
  return useMemo(() => {
    // The address itself is read at each change: several may come before the next render.
    const formatChanged = (changes: Partial<View>) => path + formatView({ ...parseView(location.search), ...changes });
    return {
      view: parseView(search),
      change: (changes, how = "push") =>
        how === "push"
          ? navigate(formatChanged(changes), { state: { from: path + location.search } satisfies EntryState })
          : navigate(formatChanged(changes), { replace: true, state: history.state }),
      goBack: (changes) => {
        const target = formatChanged(changes);
        // Only this page writes into it.
        const { from } = (history.state ?? {}) as EntryState;
        if (target === from) history.back();
        else navigate(target, { replace: true });
      },
      hrefOf: (changes) => path + formatView({ ...parseView(search), ...changes }),
    };
  }, [search, path, navigate]);
}
