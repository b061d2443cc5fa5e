// The table of commands: `serve`, which starts the service, and the operator's. Parsing, dispatch and help are derived from it.
import type { Command } from "./operations/commands/command.ts";
import { operatorCommands } from "./operations/commands/commands.ts";
import { serve } from "./serve.ts";

export const commands: readonly Command[] = [serve, ...operatorCommands];
