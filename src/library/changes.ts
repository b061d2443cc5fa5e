// Tells those who watch a library that something in it was changed, after the commit, in this process.

export interface LibraryChange {
  readonly workspaceId: string;
  /** Undefined where it may have been any team. */
  readonly teamIds: readonly string[] | undefined;
  /** The rows that recorded it, by which another look at the database recognizes it. */
  readonly ids: readonly string[];
}

export class LibraryChanges {
  readonly #listeners = new Set<(change: LibraryChange) => void>();

  notice(change: LibraryChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** @returns the function that ends it */
  listen(listener: (change: LibraryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
