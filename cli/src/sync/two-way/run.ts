// `cpl sync markdown --two-way`, once or until the person presses Ctrl+C.
import type { Commonplace } from "../../../../sdk/src/index.ts";
import { exitStatus } from "../../../../src/contract/exit-status.ts";
import { notice, status } from "../../terminal/print.ts";
import type { planSync } from "../directory.ts";
import type { TeamContents } from "../team-contents.ts";
import type { Outcome } from "./outcome.ts";
import { reportChanges, reportSummary } from "./report.ts";
import { Session } from "./session.ts";
import { lockDirectory } from "./store.ts";
import { Holds, watchBoth } from "./watch.ts";

export interface TwoWayRun {
  readonly client: Commonplace;
  readonly teamId: string;
  readonly directory: string;
  /** The folder of the team in the directory. */
  readonly root: string;
  readonly isDry: boolean;
  /** Also more deletions at once than are usual. */
  readonly isDeleting: boolean;
  readonly isJson: boolean;
  /** Present to watch. */
  readonly signal: AbortSignal | undefined;
  /** What a one-way sync would write. */
  readonly oneWayFiles: (contents: TeamContents) => Parameters<typeof planSync>[2];
}

export async function runTwoWay(run: TwoWayRun): Promise<void> {
  const { client, directory, isDry, signal } = run;
  const { scopes } = (await client.getMe()).data.key;
  const canWrite = scopes === null || scopes.includes("write");
  if (!canWrite) notice("This key can only read, so changes to your files are not uploaded.");
  const unlock = isDry ? () => undefined : lockDirectory(directory);
  try {
    const holds = new Holds();
    const session = new Session({ ...run, canWrite, ...(signal && { holds }) });
    await (signal ? keepSame(run, session, holds, signal) : makeSame(run, session));
  } finally {
    unlock();
  }
}

async function makeSame({ isDry, isJson }: TwoWayRun, session: Session): Promise<void> {
  const options = { root: session.root, isJson, isDry };
  await session.readAll();
  const outcome = await session.compare();
  if (isDry && !isJson) status("Dry run: no changes made.");
  reportChanges(outcome, options);
  reportSummary(outcome, session.contents.size, options);
  if (outcome.needsAttention) process.exitCode = exitStatus.attention;
  if (outcome.failure !== undefined) throw outcome.failure;
}

async function keepSame({ client, teamId, isJson }: TwoWayRun, session: Session, holds: Holds, signal: AbortSignal) {
  const options = { root: session.root, isJson, isDry: false };
  let before: Outcome | undefined;
  const report = (outcome: Outcome): void => {
    reportChanges(outcome, options, before);
    if (!before) {
      reportSummary(outcome, session.contents.size, options);
      if (outcome.failure === undefined) status("Watching for changes. Press Ctrl+C to stop.");
    }
    before = outcome;
  };
  try {
    await watchBoth({ client, teamId, session, signal, holds, report });
  } catch (error) {
    if (!signal.aborted) throw error;
    status("Stopped.");
  }
}
