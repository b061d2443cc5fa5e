// What a migration is: statements in words that both engines understand.

/** How an engine spells what the engines spell differently. */
export interface ColumnTypes {
  readonly uuid: string;
  readonly timestamp: string;
  readonly boolean: string;
  readonly bigint: string;
  /** After a table's closing parenthesis. */
  readonly tableEnd: string;
  /** The same for a table of small rows that is stored in the order of its primary key, where the engine can. */
  readonly clusteredTableEnd: string;
  /** Keeps the engine from planning by how often each value of the column occurs; undefined where it does not. */
  readonly withoutStatistics?: (table: string, column: string) => string;
}

/** What a migration needs to know of the engine. */
export interface Dialect extends ColumnTypes {
  /** Keeps nodes that start together from migrating at once; undefined where a transaction does that by itself. */
  readonly migrationLock?: string;
}

export interface Migration {
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly string[];
}
