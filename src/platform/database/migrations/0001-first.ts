// The schema of 0.1.0, by subject. Every key begins with the workspace, so that the data can be partitioned by workspace. Columns have the
// names of the API's fields, so that a selected row is nearly the record. Kinds, scopes, and methods, of which there will be more, have no
// CHECK: to widen one, SQLite has to rebuild the table. What may be stored there is in the types of the code.
import type { ColumnTypes } from "../migration.ts";
import { accounts } from "./first/accounts.ts";
import { alerts } from "./first/alerts.ts";
import { billing } from "./first/billing.ts";
import { imports } from "./first/imports.ts";
import { library } from "./first/library.ts";
import { libraryActivity } from "./first/library-activity.ts";
import { metering } from "./first/metering.ts";
import { operations } from "./first/operations.ts";
import { people } from "./first/people.ts";
import { search } from "./first/search.ts";
import { statistics } from "./first/statistics.ts";

export const first = {
  name: "first",
  // A table comes after all that it refers to.
  statements: (types: ColumnTypes) => [
    ...people(types),
    ...accounts(types),
    ...metering(types),
    ...alerts(types),
    ...billing(types),
    ...library(types),
    ...libraryActivity(types),
    ...imports(types),
    ...search(types),
    ...operations(types),
    ...statistics(types),
  ],
};
