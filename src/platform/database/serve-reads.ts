// The thread that `ReadingThread` starts: it opens the database for reading, and does one read after the other.
import { parentPort } from "node:worker_threads";
import { smallResponseBytesMax } from "../http/downloads.ts";
import { jsonBytes } from "../json-bytes.ts";
import { yieldToRequests } from "../thread-priority.ts";
import { type Database, DatabaseTooSlow, Overloaded } from "./database.ts";
import type { LongRead, LongResult } from "./long-read.ts";
import { openForReading } from "./open.ts";
import type { FromThread, Task, ToThread } from "./reading-thread.ts";

/** A larger result is read by the thread that sends it, which reserves room for it and makes its JSON in pieces. */
const dataBytesMax = 1024 * 1024;

// biome-ignore lint/suspicious/noExplicitAny: the input of each comes from the code that asks for it by its name.
type AnyLongRead = LongRead<any, LongResult>;

/** Serves these reads to the thread that started this one. */
export function serveReads(reads: readonly AnyLongRead[]): void {
  const byName = new Map(reads.map((each) => [each.name, each.read]));
  let database: Database | undefined;
  let now = 0;
  const answer = async (id: number, { name, input, milliseconds, owner }: Task): Promise<FromThread> => {
    try {
      const read = byName.get(name);
      if (!read || !database) throw new Error(`there is no read ${name}`);
      const found = await database.aside((transaction) => read(transaction, input, requireSmall), milliseconds, owner);
      const { data, ...others } = found;
      requireSmall(jsonBytes(data, smallResponseBytesMax, dataBytesMax));
      const text: string | undefined = JSON.stringify(data);
      return { id, data: text, bytes: Buffer.byteLength(text ?? ""), others: JSON.stringify(others) };
    } catch (error) {
      // Whatever else it is, the other thread finds it again, and reports it.
      return { id, isTooSlow: error instanceof DatabaseTooSlow || error instanceof Overloaded };
    }
  };
  const send = (message: FromThread): void => parentPort?.postMessage(message);
  parentPort?.on("message", async (message: ToThread) => {
    if ("task" in message) {
      now = message.task.now ?? now;
      send(await answer(message.id, message.task));
    } else if ("settings" in message) {
      yieldToRequests();
      database = await openForReading(message.settings, () => now);
      send({ isReady: true });
    } else {
      await database?.close();
      process.exit();
    }
  });
}

function requireSmall(bytes: number): void {
  if (bytes > dataBytesMax) throw new Error("the result is too large for another thread");
}
