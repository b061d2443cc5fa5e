// The request log as a stream of CSV. Each page is a read of its own, so that a long export does not block calls. The next page is read
// when the client takes it; a client that leaves ends the export.
import type { Database } from "../../platform/database/database.ts";
import { csvLine } from "./csv.ts";
import type { LogFilter } from "./log.store.ts";
import { type LogEntry, type LogPosition, readLog } from "./log.ts";

/** Spreadsheets do not open more rows. An export of fewer days is smaller. */
export const exportedRowsMax = 1_000_000;
const rowsAtOnce = 1_000;
/** How many calls one read searches: enough for a full page. */
const stepsOfRead: readonly number[] = [rowsAtOnce + 1, 20_000];

type Column = readonly [string, (entry: LogEntry) => string | number | null];

const columns: readonly Column[] = [
  ["Time (UTC)", (entry) => entry.at],
  ["Request ID", (entry) => entry.id],
  ["Method", (entry) => entry.method],
  ["Path", (entry) => entry.path],
  ["Operation", (entry) => entry.operation],
  ["Status", (entry) => entry.status],
  ["Units", (entry) => entry.units],
  ["Balance after", (entry) => entry.balance_after],
  ["Explanation", (entry) => entry.explanation],
  ["Key ID", (entry) => entry.key_id],
  ["Key", (entry) => entry.key_name],
  ["Team ID", (entry) => entry.team_id],
  ["Team", (entry) => entry.team_name],
  ["Error code", (entry) => entry.error_code],
  ["Error message", (entry) => entry.error_message],
  ["Duration (microseconds)", (entry) => entry.duration_microseconds],
  ["IP address", (entry) => entry.client_address],
  ["Requests", (entry) => entry.requests],
];

/**
 * @param onFailure receives a failed read. The stream breaks off then, so that no one takes it for complete
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
  let after: LogPosition | undefined;
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
      text += csvLine([`Truncated after ${rowsMax.toLocaleString("en-US")} rows. Export fewer days to get every row`]);
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
