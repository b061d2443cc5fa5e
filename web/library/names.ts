// Names of what ids stand for: folders with the folders around them, and authors.
import type { Author, Folder } from "./data.ts";

/** Folders nest to this depth, and a row that arrived later than its parent must not lead in circles. */
const nestingMax = 100;

/** A folder after the folders that it is in, outermost first. */
export function pathOfFolder(folders: ReadonlyMap<string, Folder>, id: string): readonly Folder[] {
  const path: Folder[] = [];
  for (
    let folder = folders.get(id);
    folder && path.length < nestingMax;
    folder = folder.parent_folder_id === null ? undefined : folders.get(folder.parent_folder_id)
  )
    path.unshift(folder);
  return path;
}

/** The name of who wrote something, within a sentence; keys and people may be gone. */
export const nameOfAuthor = ({ kind, name }: Author): string =>
  name ?? (kind === "key" ? "a deleted API key" : "a former member");

/** The same at the beginning of a sentence, or alone. A name stays as it is written. */
export const initialNameOfAuthor = ({ kind, name }: Author): string =>
  name ?? (kind === "key" ? "A deleted API key" : "A former member");

/** A key whose name needs a word beside it, so that nobody takes it for a person. */
export const isNamedKey = ({ kind, name }: Author): boolean => kind === "key" && name !== null;

/** A color that is safe to draw; others, which the API accepts too, are shown without one. */
export const drawableColor = (color: string): string | undefined =>
  /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) ? color : undefined;
