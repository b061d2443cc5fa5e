// Long reads beside other transactions: they see what was committed before, hold nobody up, and end when their time is over.
import { expect, test } from "bun:test";
import { DatabaseTooSlow } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { toRefusal } from "../../src/platform/http/failure.ts";
import { startService } from "../support/service.ts";

const countTags = sql`select count(*) as total from tags`;

test("a long read sees one state, and other transactions commit meanwhile", async () => {
  const { service, given } = await startService({});
  const before = await given.tag();
  const seen = await service.database.aside(async (transaction) => {
    const first = await transaction.first<{ total: number }>(countTags);
    await given.tag({ parentTagId: before.id });
    return [first?.total, (await transaction.first<{ total: number }>(countTags))?.total];
  }, 0);
  expect(seen).toEqual([1, 1]);
  expect(await service.database.read((transaction) => transaction.first(countTags))).toEqual({ total: 2 });
});

test("a read that takes too long ends with 503 that costs nothing, and the next one works", async () => {
  const { service, given } = await startService({});
  let tags = 0;
  const endless = service.database.aside(async (transaction) => {
    for (;;) {
      await transaction.first(countTags);
      // Another request, as long as the read goes on.
      if (tags < 3) tags += (await given.tag()) ? 1 : 0;
      else await Bun.sleep(5);
    }
  }, 2_000);
  const error = await endless.catch((cause) => cause);
  expect(error).toBeInstanceOf(DatabaseTooSlow);
  const { status, code, details } = toRefusal(error, "", () => undefined);
  expect({ status, code, details }).toEqual({ status: 503, code: "busy", details: { retryAfterSeconds: 1 } });
  expect(tags).toBe(3);
  expect(await service.database.aside((transaction) => transaction.first(countTags), 1_000)).toEqual({ total: 3 });
});
