// When a new snippet is saved, its editor takes the place of the one for new snippets: the text goes on with its caret and its undo history.
import type { EditorState } from "@codemirror/state";

interface Handover {
  readonly snippetId: string;
  readonly state: EditorState;
  /** The focus is in the text, and not in a field above it. */
  readonly isWriting: boolean;
}

let current: Handover | undefined;

export const isWriting = (): boolean => Boolean(document.activeElement?.closest(".cm-editor"));

/** @param state what was saved as the text of the new snippet */
export function handOver(snippetId: string, state: EditorState): void {
  current = { snippetId, state, isWriting: isWriting() };
}

/** What is handed over to the editor of this snippet, until it ends. */
export const handedOver = (snippetId: string): Handover | undefined =>
  current?.snippetId === snippetId ? current : undefined;

export function endHandover(): void {
  current = undefined;
}
