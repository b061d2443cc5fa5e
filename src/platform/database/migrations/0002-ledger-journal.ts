// The journal of the ledger on SQLite. A migration that changes the ledger's columns changes the journal's as well.
import type { ColumnTypes } from "../migration.ts";

export const ledgerJournal = {
  name: "ledger-journal",
  statements: ({ journal }: ColumnTypes) => (journal ? [journal("ledger")] : []),
};
