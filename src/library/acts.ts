// What was done in the library, for its activity: a rule records it together with the change.
import type { SnippetMove } from "../contract/console/operations/library-moves.ts";
import type { SnippetUpdate } from "../contract/snippets.ts";
import type { Transaction } from "../platform/database/database.ts";
import { type Act, type AuthoredAct, insertActs } from "./activity.store.ts";
import type { Caller } from "./call.ts";

export type RecordActs = (acts: readonly Act[]) => void;

type Author = Pick<Caller, "id" | "workspaceId">;

export const authored = ({ id: authorId, workspaceId }: Author, acts: readonly Act[]): AuthoredAct[] =>
  acts.map((act) => ({ ...act, workspaceId, authorId }));

/** Records acts in a transaction that is not shared. */
export const recordActsIn =
  (transaction: Transaction, author: Author): RecordActs =>
  (acts) =>
    insertActs(transaction, authored(author, acts));

/** For what is a part of something else, which is recorded as a whole. */
export const recordsNothing: RecordActs = () => undefined;

/** What one request did many times in a team is recorded once, with its count: programs work in large batches. */
export function foldActs(acts: readonly Act[]): readonly Act[] {
  if (acts.length < 2) return acts;
  return [...Map.groupBy(acts, ({ action, teamId }) => `${action} ${teamId}`).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first || alike.length === 1) return alike;
    return [{ action: first.action, teamId: first.teamId, details: { count: alike.length } }];
  });
}

interface Owned {
  readonly id: string;
  readonly team_id: string;
}

export const actOn = (action: string, { id, team_id }: Owned, details?: Act["details"]): Act => ({
  ...{ action, teamId: team_id, snippetId: id },
  ...(details && { details }),
});

/** The names of two folders; null for none. */
interface FolderMove {
  readonly from: string | null;
  readonly to: string | null;
}

/** An update is called by its field where it has one that people know by a verb. @param folders undefined where the folder stays the same */
export function actsOfUpdate(snippet: Owned, body: SnippetUpdate, folders: FolderMove | undefined): Act[] {
  const fields = Object.keys(body).filter((field) => field !== "folderId" || folders);
  const [field, ...more] = fields;
  if (field === undefined) return [];
  const details = { fields, ...folders };
  if (more.length > 0) return [actOn("snippet.change", snippet, details)];
  if (field === "folderId") return [actOn("snippet.move", snippet, { ...folders })];
  if (field === "tagIds") return [actOn("snippet.tag", snippet)];
  if (field === "isArchived") return [actOn(body.isArchived ? "snippet.archive" : "snippet.unarchive", snippet)];
  return [actOn("snippet.change", snippet, details)];
}

/** The acts of one item of a bulk change, derived from its undo. They name teams by ID, because not every reader may know the name. */
export function actsOfMove(snippet: Owned, teamId: string, undo: SnippetMove, folders: FolderMove): Act[] {
  const { id, team_id } = snippet;
  if (teamId !== team_id)
    return [
      actOn("snippet.leave", snippet, { toTeamId: teamId }),
      actOn("snippet.arrive", { id, team_id: teamId }, { fromTeamId: team_id }),
    ];
  const acts: Act[] = [];
  if (undo.folderId !== undefined) acts.push(actOn("snippet.move", snippet, { ...folders }));
  if (undo.isArchived !== undefined)
    acts.push(actOn(undo.isArchived ? "snippet.unarchive" : "snippet.archive", snippet));
  if (undo.addTagIds || undo.removeTagIds) acts.push(actOn("snippet.tag", snippet));
  return acts;
}
