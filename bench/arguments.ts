// The options of a measuring command: `--help` prints how to use it, and so does an option that it does not have.
import { type ParseArgsConfig, parseArgs } from "node:util";

const exitMisused = 2;

/** The values of the options. Ends the process where there is nothing to run. @param usage printed as it is */
export function readOptions<Options extends NonNullable<ParseArgsConfig["options"]>>(options: Options, usage: string) {
  if (process.argv.includes("--help")) {
    console.log(usage);
    process.exit();
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return misused(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

/** Ends the process. */
export function misused(message: string): never {
  console.error(message);
  process.exit(exitMisused);
}
