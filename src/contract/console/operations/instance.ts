// The program that serves the instance, and its upgrades, for operators.
import { z } from "zod";
import { count, timestamp } from "../../fields.ts";
import { optionalTimestamp } from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf } from "./defaults.ts";

const program = z.strictObject({
  version: z.string(),
  commit: z.string().nullable().meta({ description: "Null if the program was built without Git." }),
  schema_version: count(),
  first_started_at: timestamp().meta({ description: "When it first served this database." }),
});

const instance = z
  .strictObject({
    version: z.string(),
    commit: program.shape.commit,
    schema_version: count().meta({ description: "The version of the database's schema." }),
    engine: z.enum(["sqlite", "postgres"]),
    versions: z
      .array(program)
      .meta({ description: "The versions that served this database, newest first: at most 20." }),
    upgraded_at: optionalTimestamp().meta({ description: "Null if no other version served this database before." }),
    is_schema_changed: z.boolean().meta({ description: "The upgrade changed the schema." }),
    backups: z
      .strictObject({
        newest_at: optionalTimestamp(),
        before_upgrade_at: optionalTimestamp().meta({ description: "The newest one from before the upgrade." }),
      })
      .nullable()
      .meta({ description: "Null if the service does not create backups." }),
  })
  .meta({ id: "Instance" });

const { read } = defaultsOf("Instance");

export const instanceOperations = {
  getInstance: {
    ...read,
    path: "/instance",
    summary: "Get the version of the service, its upgrades, and its backups",
    access: "instance.manage",
    isForTokens: false,
    data: instance,
  },
} as const satisfies Record<string, ConsoleOperation>;
