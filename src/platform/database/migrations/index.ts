// The list of migrations, oldest first. Once a version is released, none of its migrations is edited, renamed, or folded into another: a
// database that ran it is never migrated again. A change of the schema is a new migration at the end. `npm run keep-release` writes what
// each released version has to test/fixtures/released, and test/platform/upgrades.test.ts fails if any of it changes.
import type { Migration } from "../migration.ts";
import { first } from "./0001-first.ts";

export const migrations: readonly Migration[] = [first];
