// Commands wait for a moment when all connections of the database server are in use.
import { isServerFull } from "../platform/database/postgres-failures.ts";
import { OperatorError } from "../platform/operator-error.ts";

const waitSeconds = 10;
const pauseMilliseconds = 250;

/** Repeats what only connects or reads, until a connection is free. @throws OperatorError after ten seconds */
export async function whenConnectionIsFree<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isServerFull(error)) throw error;
      if (performance.now() - startedAt > waitSeconds * 1_000)
        throw new OperatorError(
          `all connections to PostgreSQL are in use, and none became free within ${waitSeconds} s: raise max_connections, or lower COMMONPLACE_DATABASE_CONNECTIONS on the nodes`,
          { cause: error },
        );
      if (tries === 0)
        process.stderr.write(`All connections to PostgreSQL are in use. Trying again for ${waitSeconds} s\n`);
      await Bun.sleep(pauseMilliseconds);
    }
  }
}
