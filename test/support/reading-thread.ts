// A thread for long reads, one of which does what the test tells it.
import type { LongRead, LongResult } from "../../src/platform/database/long-read.ts";
import { serveReads } from "../../src/platform/database/serve-reads.ts";
import { sql } from "../../src/platform/database/sql.ts";

/** `ends` and `fails` end the thread, `is large` does not fit into a message. */
export type Behavior = "reads" | "goes on" | "is large" | "ends" | "fails";

export const toldRead: LongRead<Behavior, LongResult & { readonly isMainThread: boolean }> = {
  name: "told",
  read: async (transaction, behavior, reserve) => {
    const { isMainThread } = Bun;
    if (!isMainThread && behavior === "ends") process.exit(1);
    if (!isMainThread && behavior === "fails")
      await new Promise(() => {
        setTimeout(() => {
          throw new Error("nobody catches this");
        });
      });
    if (behavior === "is large") reserve(2 * 1024 * 1024);
    do await transaction.first(sql`select count(*) as total from tags`);
    while (behavior === "goes on");
    return { data: { now: transaction.now, text: "\u2028 ß 🦜 \u0001" }, isMainThread };
  },
};

if (!Bun.isMainThread) serveReads([toldRead]);
