// The write-ahead log of SQLite stays small while long reads overlap, so that the start after a crash stays short.
import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import "../support/once.ts";
import { temporaryDirectory } from "../support/service.ts";

const megabyte = 1_000_000;

test("a log that long reads keep from being emptied is emptied in a pause between them", async () => {
  const path = join(temporaryDirectory(), "commonplace.db");
  const database = await openSqlite(path, Date.now);
  const own = new Connection(path);
  own.run("create table filler (id integer primary key, content text) strict");
  own.close();
  const sizeOf = () => statSync(`${path}-wal`).size;
  let [largest, written, emptied] = [0, 0, 0];
  let isOver = false;

  // Two reads of twenty writes each: one begins in the middle of the other, so that there is none at no moment.
  const writesOf = 20;
  const hasWritten = async (until: number) => {
    while (written < until && !isOver) await Bun.sleep(0);
  };
  const readAgainAndAgain = async (first: number) => {
    await hasWritten(first);
    while (!isOver)
      await database.aside(async (transaction) => {
        await transaction.first(sql`select count(*) from filler`);
        await hasWritten(written + writesOf);
      }, 180_000);
  };
  const reading = Promise.all([readAgainAndAgain(0), readAgainAndAgain(writesOf / 2)]);

  // Without the pause, the log would contain everything that is written here.
  for (; emptied < 2 && written < 400; written += 1) {
    const before = sizeOf();
    // SQLite does not write pages again that do not change.
    const content = String(written % 10).repeat(megabyte);
    await database.transaction((transaction) =>
      transaction.run(sql`insert into filler (id, content) values (${written % 3}, ${content})
        on conflict (id) do update set content = excluded.content`),
    );
    largest = Math.max(largest, sizeOf());
    if (sizeOf() < before) emptied += 1;
  }
  isOver = true;
  await reading;
  expect(emptied).toBe(2);
  expect(largest / megabyte).toBeLessThan(written);
  await database.close();
});
