// A migration: statements that both engines understand.

/** The types and clauses in which the engines differ. */
export interface ColumnTypes {
  readonly uuid: string;
  readonly timestamp: string;
  readonly boolean: string;
  readonly bigint: string;
  /** Text that is compared and indexed by code point. */
  readonly orderedText: string;
  /** After a table's closing parenthesis. */
  readonly tableEnd: string;
  /** The same for a table of small rows that is stored in the order of its primary key, where the engine can. */
  readonly clusteredTableEnd: string;
  /** Several processes may serve the database: each reads what the others wrote, where a single one remembers what it wrote itself. */
  readonly isShared: boolean;
  /** A statement after which the engine takes every value of the column for a frequent one; undefined when it needs none. */
  readonly expectFrequent?: (table: string, column: string) => string;
}

/** What a migration needs to know of the engine. */
export interface Dialect extends ColumnTypes {
  /** Keeps nodes that start together from migrating at once; undefined when a transaction does that already. */
  readonly migrationLock?: string;
}

export interface Migration {
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly string[];
}
