// What a command is, and what it receives when it runs.
import type { Connection } from "./connection.ts";
import type { Settings } from "./settings.ts";

export interface Command {
  /** Its words on the command line: `get`, or in a group, `folder list`. */
  readonly name: string;
  readonly group?: Group;
  readonly summary: string;
  readonly arguments: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** Lines shown below the options in the command's help. */
  readonly notes?: readonly string[];
  /** What was fetched before is good enough if the service cannot be reached. Never for a command that changes something. */
  readonly isOfflineAllowed?: true;
  /** What it prints is for a program already, so there is no --json. */
  readonly isForPrograms?: true;
  readonly run: (context: Context) => Promise<void>;
}

/** Commands whose names begin with the same word, which can be a command by itself. */
export interface Group {
  readonly name: string;
  readonly summary: string;
}

export interface Argument {
  /** What the help shows, such as `SHORTCUT|ID`. */
  readonly value: string;
  readonly meaning: string;
  readonly isOptional?: boolean;
  readonly isRepeatable?: boolean;
  /** All values that there are, for completion. */
  readonly choices?: readonly string[];
}

export interface Option {
  /** What the help shows in place of the value; an option without it is a switch. */
  readonly value?: string;
  readonly meaning: string;
  readonly isRepeatable?: boolean;
  /** All values that there are, for completion. */
  readonly choices?: readonly string[];
}

export interface Context {
  /** The arguments of the command, as many as its row requires. */
  readonly words: readonly string[];
  readonly options: ParsedOptions;
  /** Print JSON on standard output and nothing else. */
  readonly isJson: boolean;
  readonly settings: Settings;
  /** The service that the settings name. @throws Failure without an address or a key */
  readonly connect: () => Promise<Connection>;
}

export interface ParsedOptions {
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly isSet: (name: string) => boolean;
  /** @throws UsageError unless the value is a whole number from 1 to `max` */
  readonly count: (name: string, max: number) => number | undefined;
}
