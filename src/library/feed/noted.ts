// A change as a rule notes it for the feed.
import type { ChangeRecord } from "../../contract/changes.ts";

export interface NotedChange extends Pick<ChangeRecord, "kind" | "action" | "id"> {
  readonly teamId: string;
  /** Of a variation. */
  readonly snippetId?: string;
}

export type NoteChanges = (changes: readonly NotedChange[]) => void;

/** What a call that only reads needs no more of. */
export const writesNothing = {
  storeBytes: async (): Promise<void> => undefined,
  noteChanges: (): void => undefined,
  recordActs: (): void => undefined,
};
