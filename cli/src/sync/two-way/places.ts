// Where files are: the names that are taken, and those of new files and of versions that are kept in a conflict.
import { fileName } from "../../../../src/library/formats/file-names.ts";
import { type Document, folderOf, keyOfPath, nameOf, sameFolder, stemOf } from "./document.ts";
import { isNamedAfter } from "./match.ts";

const conflictName = / \(conflict \d{4}-\d\d-\d\d \d\d\.\d\d(?: \d+)?\)\.md$/i;

/** A version that was kept in a conflict belongs to the person: it is not uploaded. */
export const isConflictFile = (path: string): boolean => conflictName.test(path);

const inFolder = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
const two = (number: number): string => String(number).padStart(2, "0");

export class Places {
  /** Names that differ only in case, or in how accents are written, are the same on some systems. */
  readonly #taken: Set<string>;

  constructor(paths: readonly string[]) {
    this.#taken = new Set(paths.map(keyOfPath));
  }

  take(path: string): string {
    this.#taken.add(keyOfPath(path));
    return path;
  }

  /** For a snippet without a file. */
  forNew({ fields }: Document): string {
    const stem = fileName(String(fields.title));
    return this.#different(String(fields.folder), (number) => `${stem}${number === 1 ? "" : ` (${number})`}.md`);
  }

  /** For a variation without a file: beside that of its snippet. */
  forFurther(snippetPath: string): string {
    const stem = stemOf(snippetPath);
    return this.#different(folderOf(snippetPath), (number) => `${stem}.${number + 1}.md`);
  }

  /** For what was in a file at this time. */
  forConflict(path: string, at: Date): string {
    const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    const time = `${two(at.getHours())}.${two(at.getMinutes())}`;
    const mark = (number: number) => `(conflict ${day} ${time}${number === 1 ? "" : ` ${number}`})`;
    return this.#different(folderOf(path), (number) => `${stemOf(path)} ${mark(number)}.md`);
  }

  /**
   * Where a file goes that says this. It keeps its name unless that is its former title.
   * @param written what the file said before
   */
  forChanged(path: string, written: Document, document: Document): string {
    const [before, title] = [String(written.fields.title ?? ""), String(document.fields.title ?? "")];
    const stem = stemOf(path);
    const isNewTitle = before !== title && isNamedAfter(stem, before) && !isNamedAfter(stem, title);
    const folder = String(document.fields.folder);
    if (!isNewTitle && sameFolder(folder, folderOf(path))) return path;
    this.#taken.delete(keyOfPath(path));
    if (isNewTitle) return this.forNew(document);
    const isFree = !this.#taken.has(keyOfPath(inFolder(folder, nameOf(path))));
    return isFree
      ? this.take(inFolder(folder, nameOf(path)))
      : this.#different(folder, (number) => `${stem} (${number + 1}).md`);
  }

  #different(folder: string, nameFor: (number: number) => string): string {
    let number = 1;
    while (this.#taken.has(keyOfPath(inFolder(folder, nameFor(number))))) number += 1;
    return this.take(inFolder(folder, nameFor(number)));
  }
}
