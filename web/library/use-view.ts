// Reads what the address says, and changes it.
import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { formatView, parseView, type View } from "./address.ts";

export interface ViewControl {
  readonly view: View;
  /** Changes the address. `replace` leaves no step for the back button. */
  readonly change: (changes: Partial<View>, how?: "push" | "replace") => void;
  /** The address with these changes, for links. */
  readonly hrefOf: (changes: Partial<View>) => string;
}

export function useView(): ViewControl {
  const search = useSearch();
  const [path, navigate] = useLocation();
  return useMemo(() => {
    // The address itself is read at each change: several may come before the next render.
    const formatChanged = (changes: Partial<View>) => path + formatView({ ...parseView(location.search), ...changes });
    return {
      view: parseView(search),
      change: (changes, how = "push") => navigate(formatChanged(changes), { replace: how === "replace" }),
      hrefOf: (changes) => path + formatView({ ...parseView(search), ...changes }),
    };
  }, [search, path, navigate]);
}
