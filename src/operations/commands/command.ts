// What an operator's command is, and what it receives when it runs.
import type { Config } from "../../config.ts";

export interface Command {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  /** A value without an option's name, if the command takes one. */
  readonly argument?: { readonly value: string; readonly meaning: string; readonly isRequired?: boolean };
  readonly options: Readonly<Record<string, Option>>;
  /** Lines shown below the options in the command's help. */
  readonly notes?: readonly string[];
  /** It reports invalid settings itself, so they do not prevent it from running. */
  readonly examinesSettings?: boolean;
  readonly run: (context: CommandContext) => Promise<void>;
}

export interface Option {
  /** What the help shows in place of the value; an option without it is a switch. */
  readonly value?: string;
  readonly meaning: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

export interface CommandContext {
  /** The defaults where the command examines the settings itself. */
  readonly config: Config;
  /** The settings as they were options. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options: ParsedOptions;
  /** Print one JSON value on standard output and nothing else. */
  readonly isJson: boolean;
}

/** The options of one command line, after the checks that the table of commands asks for. */
export interface ParsedOptions {
  readonly argument: string | undefined;
  readonly text: (name: string) => string | undefined;
  /** The value of an option that the table requires. */
  readonly required: (name: string) => string;
  readonly texts: (name: string) => readonly string[];
  readonly isSet: (name: string) => boolean;
  /** Ends the command because its options make no sense. @throws UsageError */
  readonly refuse: (message: string) => never;
}
