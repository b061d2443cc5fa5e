// Daily totals of calls whose rows have left the ledger. The day precedes the key, because queries ask for a span of days of a workspace.
import type { ColumnTypes } from "../migration.ts";

export const usageDays = {
  name: "usage-days",
  statements: ({ uuid, bigint, clusteredTableEnd }: ColumnTypes) => [
    // A day is text, YYYY-MM-DD in UTC, because the engines' own dates differ. A key's row always stays, so its total keeps a name.
    `create table usage_days (
      workspace_id ${uuid} not null,
      day text not null,
      key_id ${uuid} not null,
      operation text not null,
      status integer not null,
      calls ${bigint} not null check (calls > 0),
      units ${bigint} not null check (units >= 0),
      primary key (workspace_id, day, key_id, operation, status)
    ) ${clusteredTableEnd}`,
  ],
};
