// The IDs that a snippet is created with: its own, that of its first variation, and that of this variation's first version. The last two
// differ from the first in one bit each, so they need neither a column nor an index.

const lastDigitsFlipped = (id: string, bit: number): string =>
  id.slice(0, -1) + (Number.parseInt(id.slice(-1), 16) ^ bit).toString(16);

/** The ID of the variation that a snippet was created with. The other way round, the snippet that may have been created with a variation. */
export const twinId = (id: string): string => lastDigitsFlipped(id, 1);

/** The ID of the version that a snippet was created with. */
export const firstVersionId = (snippetId: string): string => lastDigitsFlipped(snippetId, 2);
