// The library of the demo: what a support desk and the teams around it keep.
import type { SnippetInput } from "../src/contract/snippets.ts";
import { recordActsIn } from "../src/library/acts.ts";
import type { Caller } from "../src/library/call.ts";
import { noteChangesIn } from "../src/library/feed/write.ts";
import { handlers } from "../src/library/handlers.ts";
import { indexSnippets } from "../src/library/search/index-snippets.ts";
import { storeBytesIn } from "../src/metering/storage/storage.ts";
import type { Transaction } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";
import { demoSnippets } from "./demo-texts.ts";

/** Names of teams, by which folders, tags and snippets name theirs. */
export const demoTeams = ["Support desk", "Voice agents", "Platform", "Legal"] as const;
export type DemoTeam = (typeof demoTeams)[number];

export interface DemoSnippet {
  readonly team: DemoTeam;
  /** Undefined for none; `Orders/Refunds` is a folder in a folder. */
  readonly folder?: string;
  readonly title: string;
  readonly shortcut?: string;
  readonly tags?: readonly string[];
  readonly note?: string;
  readonly type?: string;
  readonly text: string;
  /** What it said at first, written by the next author. */
  readonly textBefore?: string;
  /** By name. */
  readonly variations?: Readonly<Record<string, string>>;
  /** The index of who wrote it. */
  readonly by: number;
  readonly changedHoursAgo: number;
  readonly isArchived?: true;
}

const folders: readonly (readonly [DemoTeam, string, string])[] = [
  ["Support desk", "Orders", "#2f7d5d"],
  ["Support desk", "Orders/Refunds", "#c2812b"],
  ["Support desk", "Orders/Shipping", "#3d74b8"],
  ["Support desk", "Accounts", "#9a4a78"],
  ["Support desk", "Greetings and closings", "#6f7d2c"],
  ["Support desk", "Outages", "#b3423a"],
  ["Voice agents", "Phone line", "#3d74b8"],
  ["Voice agents", "Evaluation", "#8a6d5a"],
  ["Platform", "Runbooks", "#b3423a"],
  ["Platform", "SQL", "#3d74b8"],
  ["Platform", "TypeScript", "#2f7d5d"],
  ["Legal", "Clauses", "#8a6d5a"],
];

const tags: readonly (readonly [DemoTeam, string, string])[] = [
  ["Support desk", "refund", "#c2812b"],
  ["Support desk", "shipping", "#3d74b8"],
  ["Support desk", "angry customer", "#b3423a"],
  ["Support desk", "needs review", "#9a4a78"],
  ["Support desk", "chat", "#2f7d5d"],
  ["Voice agents", "production", "#2f7d5d"],
  ["Voice agents", "experiment", "#c2812b"],
  ["Platform", "on-call", "#b3423a"],
  ["Platform", "postgres", "#3d74b8"],
  ["Legal", "approved", "#2f7d5d"],
];

const hourMilliseconds = 3_600_000;

/** Nothing is older than the workspace. */
const oldestHours = 1_840;

/** A call of a person or a key. */
export function demoCall(transaction: Transaction, workspaceId: string, id: string) {
  const caller: Caller = { id, workspaceId, isAllTeams: true, teamIds: new Set(), deletedTeamIds: new Set() };
  const storeBytes = storeBytesIn(transaction, workspaceId, Number.MAX_SAFE_INTEGER);
  const noteChanges = noteChangesIn(transaction, workspaceId);
  const recordActs = recordActsIn(transaction, caller);
  return { transaction, caller, trashDays: 30, storeBytes, noteChanges, recordActs };
}

/** The teams in which the author with this index has written. */
export const teamsOfAuthor = (author: number, authors: number): ReadonlySet<DemoTeam> =>
  new Set(
    demoSnippets
      .filter(({ by, textBefore }) => by === author || (textBefore !== undefined && (by + 1) % authors === author))
      .map(({ team }) => team),
  );

/**
 * Adds folders, tags and snippets.
 * @param teamIds by name
 * @param authors ids of people and keys
 */
export async function fillLibrary(
  transaction: Transaction,
  workspaceId: string,
  teamIds: ReadonlyMap<string, string>,
  authors: readonly string[],
): Promise<void> {
  const callOf = (id: string) => demoCall(transaction, workspaceId, id);
  const [first = ""] = authors;
  const teamOf = (team: string) => teamIds.get(team) ?? "";
  const folderIds = new Map<string, string>();
  for (const [team, path, folderColor] of folders) {
    const [folderName = "", parent] = path.split("/").reverse();
    const parentFolderId = parent === undefined ? null : (folderIds.get(`${team} ${parent}`) ?? null);
    const { data } = await handlers.postFolder(callOf(first), {
      query: {},
      body: { folderName, folderColor, teamId: teamOf(team), parentFolderId },
    });
    folderIds.set(`${team} ${path}`, data.folder.id);
  }
  const tagIds = new Map<string, string>();
  for (const [team, tagName, tagColor] of tags) {
    const { data } = await handlers.postTag(callOf(first), {
      query: {},
      body: { tagName, tagColor, teamId: teamOf(team) },
    });
    tagIds.set(`${team} ${tagName}`, data.tag.id);
  }
  const ids: string[] = [];
  for (const snippet of demoSnippets) {
    const { team, folder, title, shortcut, note, type = "plaintext", text, textBefore, variations = {} } = snippet;
    const authorOf = (index: number) => authors[index % authors.length] ?? first;
    const contentOf = (content: string) => ({ type, content });
    const body: SnippetInput = {
      title,
      content: contentOf(textBefore ?? text),
      teamId: teamOf(team),
      note: note ?? null,
      shortcut: shortcut ?? null,
      folderId: folder === undefined ? null : (folderIds.get(`${team} ${folder}`) ?? null),
      tagIds: (snippet.tags ?? []).flatMap((tag) => tagIds.get(`${team} ${tag}`) ?? []),
      additionalVariations: Object.entries(variations).map(([variationName, content]) => ({
        variationName,
        content: contentOf(content),
      })),
    };
    const writer = authorOf(textBefore === undefined ? snippet.by : snippet.by + 1);
    const { data } = await handlers.postSnippet(callOf(writer), { query: {}, body });
    if (textBefore !== undefined)
      await handlers.putSnippet(callOf(authorOf(snippet.by)), {
        query: { id: data.snippetId },
        body: { content: contentOf(text) },
      });
    ids.push(data.snippetId);
    const at = (hours: number) => new Date(Date.parse(transaction.now) - hours * hourMilliseconds).toISOString();
    const [changedAt, createdAt] = [
      at(snippet.changedHoursAgo),
      at(Math.min(snippet.changedHoursAgo * 3 + 200, oldestHours)),
    ];
    transaction.send(
      sql`update snippets set created_at = ${createdAt}, updated_at = ${changedAt}, changed_at = ${changedAt},
            is_archived = ${snippet.isArchived ?? false}
          where workspace_id = ${workspaceId} and id = ${data.snippetId}`,
    );
    transaction.send(
      sql`update library_activity set at = case when action = 'snippet.create' then ${createdAt} else ${changedAt} end
          where workspace_id = ${workspaceId} and snippet_id = ${data.snippetId}`,
    );
    transaction.send(
      sql`update former_versions set changed_at = ${createdAt} where workspace_id = ${workspaceId} and snippet_id = ${data.snippetId}`,
    );
    transaction.send(
      sql`update snippet_tags set snippet_created_at = ${createdAt}
          where workspace_id = ${workspaceId} and snippet_id = ${data.snippetId}`,
    );
  }
  await indexSnippets(transaction, workspaceId, ids);
}
