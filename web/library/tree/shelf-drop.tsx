// The archive and the trash as targets: dropped snippets are archived, or deleted.
import type { ReactNode } from "react";
import { classNames } from "../../components/class-names.ts";
import { toastError } from "../../components/toast.tsx";
import { useLibrary } from "../library-context.tsx";
import { useActs } from "../selection/use-acts.ts";
import { useDrop } from "./use-drop.ts";

export function ShelfDrop({ shelf, children }: { shelf: "archived" | "trash"; children: ReactNode }) {
  const { mayWrite } = useLibrary();
  const acts = useActs();
  const { isOver, handlers } = useDrop((what) => {
    if (what.kind !== "snippets" || !what.snippets.every(({ team_id }) => mayWrite(team_id))) return undefined;
    const { snippets } = what;
    const archive = () =>
      acts.change(snippets, { isArchived: true }, (subject) => `Archived ${subject}`, "Archiving snippets");
    return () => void (shelf === "trash" ? acts.remove(snippets) : archive()).catch(toastError);
  });
  return (
    <li {...handlers} className={classNames("rounded-md", isOver && "ring-accent bg-accent-soft ring-2 ring-inset")}>
      {children}
    </li>
  );
}
