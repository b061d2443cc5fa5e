// Remembered windows match the ledger, whoever sent requests, and whatever was rolled back or forgotten in between.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { RememberedWindows } from "../../src/metering/admission/remembered-windows.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import type { Transaction } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { openNode } from "../support/engine.ts";
import { at } from "../support/rate-limit.ts";
import { temporaryDirectory } from "../support/service.ts";
import { insertLedgerCalls } from "../support/usage.ts";

const step = fc.record({
  afterMilliseconds: fc.constantFrom(0, 0, 1, 900, 20_000, 59_999, 60_000, 70_000),
  key: fc.nat(3),
  /** A call by this process, one by another, one that this process rolls back, or none. */
  call: fc.constantFrom("here", "here", "elsewhere", "rolled back", "none"),
});

interface KeyRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly call_count: number;
  readonly last_used_at: string | null;
}

const readKey = async (transaction: Transaction, id: string): Promise<KeyRow> => {
  const row = await transaction.first<KeyRow>(
    sql`select workspace_id, id, call_count, last_used_at from api_keys where id = ${id}`,
  );
  if (!row) throw new Error("the key was deleted");
  return row;
};

test("a remembered window is the one that the ledger has", async () => {
  let now = Date.parse(at);
  const database = await openNode(temporaryDirectory(), () => now);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), async (steps) => {
      const { workspaceId, keyIds } = await database.transaction(async (transaction) => {
        const { id } = await createWorkspace(transaction, "Windows", 1_000_000);
        const ids: string[] = [];
        for (const name of ["One", "Two", "Three", "Four"])
          ids.push((await createKey(transaction, id, name, "all")).id);
        return { workspaceId: id, keyIds: ids };
      });
      const windows = new RememberedWindows(2, 3);
      for (const { afterMilliseconds, key, call } of steps) {
        now += afterMilliseconds;
        const keyId = keyIds[key] ?? "";
        const time = new Date(now).toISOString();
        const book = (transaction: Transaction) => insertLedgerCalls(transaction, workspaceId, [{ at: time, keyId }]);
        if (call === "elsewhere") await database.transaction(book);
        const attempt = database.transaction(async (transaction) => {
          const calls = await windows.find(transaction, await readKey(transaction, keyId));
          const known = calls.window(100, now);
          const from = new Date(now - 60_000).toISOString();
          const found = await transaction.all<{ at: string }>(
            sql`select admitted_at as at from ledger where workspace_id = ${workspaceId} and key_id = ${keyId}
                and admitted_at > ${from} order by admitted_at`,
          );
          expect(known).toEqual({ limit: 100, used: found.length, oldestAt: found[0] && Date.parse(found[0].at) });
          if (call !== "here" && call !== "rolled back") return;
          calls.add(now);
          await book(transaction);
          if (call === "rolled back") throw new Error("planted");
        });
        if (call === "rolled back") {
          // `rejects` waits for the next event of the process, if only that of an idle service: a second for each.
          expect(String(await attempt.catch((error: unknown) => error))).toBe("Error: planted");
          windows.clear();
        } else await attempt;
      }
    }),
    { numRuns: 60 },
  );
  await database.close();
}, 60_000);
