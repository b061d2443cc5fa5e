// Tells those who follow the change feed that something was committed in this process, so that they read it at once. What other processes
// commit, they find by reading it again and again.

type Listener = (workspaceId: string) => void;

export class LibraryChanges {
  readonly #listeners = new Set<Listener>();

  /** After the commit of something that may have changed the library. */
  notice(workspaceId: string): void {
    for (const listener of this.#listeners) listener(workspaceId);
  }

  /** @returns the function that ends it */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
