// Runs the statements of GET /snippet against the baselines' database: with pgbench where it is installed, otherwise with a small client.
import { writeFileSync } from "node:fs";
import type { BareSize } from "./bare-postgres.ts";
import { randomNumbers, statementsOf } from "./bare-statements.ts";
import type { Round } from "./load.ts";
import { runScript, runText } from "./processes.ts";

const pgbench = Bun.which("pgbench");

/** The name of what runs the statements, for the report. */
export const transactionRunner = pgbench ? "pgbench" : "a client";

/** A script of pgbench. */
const scriptOf = (size: BareSize): string =>
  [
    ...randomNumbers(size).map(({ name, below }) => `\\set ${name} random(0, ${below - 1})`),
    ...statementsOf(size).map(({ text, sets }) => `${text.replaceAll(/\s+/g, " ")}${sets ? " \\gset" : ";"}`),
  ].join("\n");

export interface Transactions {
  readonly url: string;
  readonly size: BareSize;
  readonly connections: number;
  readonly seconds: number;
}

/** @param scriptPath is written */
export async function runTransactions(
  scriptPath: string,
  { url, size, connections, seconds }: Transactions,
): Promise<Pick<Round, "perSecond">> {
  if (!pgbench) return runScript("bare-client.ts", url, JSON.stringify(size), connections, seconds);
  writeFileSync(scriptPath, scriptOf(size));
  const text = await runText([
    pgbench,
    ...["--no-vacuum", "--protocol=prepared", "--jobs=1", `--client=${connections}`, `--time=${seconds}`],
    ...["--file", scriptPath, url],
  ]);
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(text)?.[1]);
  if (!(perSecond > 0) || !/failed transactions: 0 /.test(text)) throw new Error(`pgbench failed: ${text}`);
  return { perSecond };
}
