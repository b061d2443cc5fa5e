// The file that a dump is written to.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { OperatorError } from "../../platform/operator-error.ts";

/**
 * Writes all of a dump. Only the file's owner may read it, and nothing is overwritten.
 * @param name of what is dumped. @throws OperatorError
 */
export async function writeDumpFile(path: string, name: string, portions: AsyncGenerator<string>): Promise<void> {
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  try {
    await once(file, "open");
    for await (const lines of portions) if (!file.write(lines)) await once(file, "drain");
    file.end();
    await once(file, "finish");
  } catch (error) {
    throw new OperatorError(`the dump of ${name} cannot be written to ${path}: ${error}`);
  }
}
