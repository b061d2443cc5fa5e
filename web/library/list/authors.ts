// The people and keys that may have written a snippet.
import { useConsolePages } from "../../api.ts";
import { useSession, useWorkspace } from "../../workspace.tsx";

export interface AuthorChoice {
  readonly id: string;
  readonly name: string;
  readonly kind: "person" | "key";
}

/** As far as one may see them; the person who asks comes first. @param isEnabled false: not read yet */
export function useAuthors(isEnabled: boolean): readonly AuthorChoice[] {
  const workspace = useWorkspace();
  const { person } = useSession();
  const members = useConsolePages("getMembers", { isEnabled: isEnabled && workspace.may("members.read") }).rows ?? [];
  const keys = useConsolePages("getKeys", { isEnabled: isEnabled && workspace.may("keys.read") }).rows ?? [];
  const others = members.filter(({ person_id }) => person_id !== person.id);
  return [
    { id: person.id, name: "You", kind: "person" },
    ...others.map(({ person_id, name }) => ({ id: person_id, name, kind: "person" as const })),
    ...keys.map(({ id, name }) => ({ id, name, kind: "key" as const })),
  ];
}

/** Undefined for one that is unknown, or not known yet. */
export const useAuthorName = (id: string | undefined): string | undefined =>
  useAuthors(id !== undefined).find((author) => author.id === id)?.name;
