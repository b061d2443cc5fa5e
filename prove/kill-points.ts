// Lines of the service's source at which a proof kills it.
import type { Fault } from "./planted-fault.ts";
import type { EngineName } from "./proof.ts";

interface KillPoint {
  readonly file: string;
  /** The kill is right before this line. */
  readonly find: string;
  /** How often the kill takes place when the line is reached. */
  readonly share: number;
  readonly engine?: EngineName;
}

/** Lines between which something is done by half. */
export const killPoints: readonly KillPoint[] = [
  { file: "src/platform/database/sqlite.ts", find: "this.#transaction.refreshNow();", share: 0.02, engine: "sqlite" },
  { file: "src/platform/database/sqlite.ts", find: "this.#commit(group);", share: 0.02, engine: "sqlite" },
  {
    file: "src/platform/database/sqlite.ts",
    find: "for (const answer of answers) answer();",
    share: 0.02,
    engine: "sqlite",
  },
  {
    file: "src/platform/database/postgres-transaction.ts",
    find: 'const result = await this.#start(textOf("commit"), [])',
    share: 0.01,
    engine: "postgres",
  },
  {
    file: "src/platform/database/postgres.ts",
    find: "if (isCommitted && isTimedOut)",
    share: 0.01,
    engine: "postgres",
  },
  { file: "src/api/handle-call.ts", find: "// Serialized after the transaction", share: 0.01 },
  {
    file: "src/library/search/indexing.ts",
    find: "const { changes, documents, postings } = await readPostings(indexing, waiting);",
    share: 1,
  },
  { file: "src/library/search/indexing.ts", find: "const isPublished = await segment.publish(", share: 1 },
  { file: "src/serve.ts", find: "record(service, context.config);", share: 1 },
];

export const killAt = ({ file, find, share }: KillPoint): Fault => ({
  file,
  find,
  replace: `if (Math.random() < ${share}) process.kill(process.pid, "SIGKILL");\n${find}`,
});
