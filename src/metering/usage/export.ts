// The request log as a stream of CSV. Each page is a read of its own, so that a long export holds up nobody, and the next is only read when
// somebody takes it: who goes away ends it.
import type { Database } from "../../platform/database/database.ts";
import { csvLine } from "./csv.ts";
import type { LogFilter, LogPlace } from "./log.store.ts";
import { type LogEntry, readLog } from "./log.ts";

/** More is not read in one go by what opens such files; fewer days make a smaller file. */
export const exportedRowsMax = 1_000_000;
const rowsAtOnce = 1_000;
/** Looked through in one read, so that a page that is full ends within it. */
const stepsOfRead: readonly number[] = [rowsAtOnce + 1, 20_000];

type Column = readonly [string, (entry: LogEntry) => string | number | null];

const columns: readonly Column[] = [
  ["Time (UTC)", (entry) => entry.at],
  ["Request id", (entry) => entry.id],
  ["Method", (entry) => entry.method],
  ["Path", (entry) => entry.path],
  ["Operation", (entry) => entry.operation],
  ["Status", (entry) => entry.status],
  ["Units", (entry) => entry.units],
  ["Balance after", (entry) => entry.balance_after],
  ["Explanation", (entry) => entry.explanation],
  ["Key id", (entry) => entry.key_id],
  ["Key", (entry) => entry.key_name],
  ["Team id", (entry) => entry.team_id],
  ["Team", (entry) => entry.team_name],
];

/**
 * @param onFailure told when a read fails in the middle: the stream breaks off then, so that nobody takes it for whole
 */
export function exportLog(
  database: Database,
  workspaceId: string,
  filter: LogFilter,
  onFailure: (cause: unknown) => void,
  rowsMax = exportedRowsMax,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let text = csvLine(columns.map(([title]) => title));
  let after: LogPlace | undefined;
  let rows = 0;
  let isAtEnd = false;
  const readOn = async (): Promise<void> => {
    const limit = Math.min(rowsAtOnce, rowsMax - rows);
    const { entries, next } = await database.read((transaction) =>
      readLog(transaction, workspaceId, filter, { after, limit }, stepsOfRead),
    );
    text += entries.map((entry) => csvLine(columns.map(([, cell]) => cell(entry)))).join("");
    rows += entries.length;
    isAtEnd = next === null || rows >= rowsMax;
    if (next !== null && isAtEnd)
      text += csvLine([`Cut after ${rowsMax.toLocaleString("en-US")} rows: export fewer days`]);
    after = next ?? undefined;
  };
  let isWanted = true;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          do await readOn();
          while (text === "" && !isAtEnd && isWanted);
          if (text !== "") controller.enqueue(encoder.encode(text));
          text = "";
          if (isAtEnd) controller.close();
        } catch (cause) {
          if (!isWanted) return;
          onFailure(cause);
          controller.error(cause);
        }
      },
      cancel: () => {
        isWanted = false;
      },
    },
    { highWaterMark: 0 },
  );
}
