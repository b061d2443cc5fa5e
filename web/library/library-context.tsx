// What all parts of the library page share: what the address says, and the names of teams, folders and tags.
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useConsoleQuery } from "../api.ts";
import type { Folder, Tag, Team, Tree } from "./data.ts";
import { useView, type ViewControl } from "./use-view.ts";

export interface Library extends ViewControl {
  /** Undefined while it loads. */
  readonly tree: Tree | undefined;
  readonly teams: ReadonlyMap<string, Team>;
  readonly folders: ReadonlyMap<string, Folder>;
  readonly tags: ReadonlyMap<string, Tag>;
  /** There is no trash: what is deleted cannot be restored. */
  readonly isDeletingFinal: boolean;
  /** Whether the person may change the snippets of this team; without a team, of any. */
  readonly mayWrite: (teamId?: string) => boolean;
}

const Context = createContext<Library | undefined>(undefined);

const byId = <Row extends { readonly id: string }>(rows: readonly Row[] = []): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

export function LibraryProvider({ children }: { children: ReactNode }) {
  const control = useView();
  const { data: tree, metadata } = useConsoleQuery("getLibraryTree").data ?? {};
  const isDeletingFinal = metadata?.trashDays === 0;
  const names = useMemo(() => {
    const teams = byId(tree?.teams);
    return {
      tree,
      teams,
      folders: byId(tree?.folders),
      tags: byId(tree?.tags),
      mayWrite: (teamId?: string) =>
        teamId === undefined
          ? [...teams.values()].some((team) => team.may_write)
          : teams.get(teamId)?.may_write === true,
    };
  }, [tree]);
  const library = useMemo(() => ({ ...control, ...names, isDeletingFinal }), [control, names, isDeletingFinal]);
  return <Context value={library}>{children}</Context>;
}

export function useLibrary(): Library {
  const library = useContext(Context);
  if (!library) throw new Error("this component is outside the library page");
  return library;
}
