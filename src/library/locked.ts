// What a rule may change: what it has locked.
import type { Locked } from "../platform/database/database.ts";

/**
 * Those of the rows whose snippet is locked. A snippet that moved into the trash, or back, after the lock was requested is read without
 * being locked: this request does not find it yet.
 */
async function onlyLocked<Row>(
  locked: Locked,
  rows: Promise<readonly Row[]>,
  snippetIdOf: (row: Row) => string,
): Promise<readonly Row[]> {
  const [found, ids] = await Promise.all([rows, locked]);
  return ids ? found.filter((row) => ids.has(snippetIdOf(row))) : found;
}

/** The same for rows of snippets. */
export const onlyLockedSnippets = <Row extends { readonly id: string }>(
  locked: Locked,
  rows: Promise<readonly Row[]>,
): Promise<readonly Row[]> => onlyLocked(locked, rows, ({ id }) => id);

/** The same for variations. */
export const onlyOfLockedSnippets = <Row extends { readonly snippet_id: string }>(
  locked: Locked,
  rows: Promise<readonly Row[]>,
): Promise<readonly Row[]> => onlyLocked(locked, rows, ({ snippet_id }) => snippet_id);
