// The table of the operator's commands. Help, option parsing and dispatch are made from it; each noun has a file of its own.
import type { Config } from "../../config.ts";
import { serve } from "../../serve.ts";
import { backupCommands } from "./backup.ts";
import { databaseCommands } from "./database.ts";
import { doctor } from "./doctor.ts";
import { health } from "./health.ts";
import { invoiceCommands } from "./invoice.ts";
import { keyCommands } from "./key.ts";
import { memberCommands } from "./member.ts";
import { quotaCommands } from "./quota.ts";
import { teamCommands } from "./team.ts";
import { usage } from "./usage.ts";
import { workspaceCommands } from "./workspace.ts";

export interface Option {
  /** What stands for the value in the help; without it the option is a switch. */
  readonly value?: string;
  readonly meaning: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** The options of one invocation, after the table's own checks. */
export interface Given {
  readonly text: (name: string) => string | undefined;
  /** The value of an option that the table requires. */
  readonly required: (name: string) => string;
  readonly texts: (name: string) => readonly string[];
  readonly isSet: (name: string) => boolean;
  /** Ends the command: what was given can not be understood. */
  readonly refuse: (message: string) => never;
}

export interface Run {
  /** The defaults, where the command examines the settings itself. */
  readonly config: Config;
  /** The settings as they were given. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly given: Given;
  /** One JSON value on standard output and nothing else. */
  readonly isJson: boolean;
}

export interface Command {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Lines shown below the options in the command's help. */
  readonly more?: readonly string[];
  /** Wrong settings are what it tells of, and no reason not to run it. */
  readonly examinesSettings?: boolean;
  readonly run: (run: Run) => Promise<void>;
}

export const commands: readonly Command[] = [
  serve,
  health,
  doctor,
  ...workspaceCommands,
  ...teamCommands,
  ...memberCommands,
  ...keyCommands,
  ...quotaCommands,
  usage,
  ...invoiceCommands,
  ...databaseCommands,
  ...backupCommands,
];
