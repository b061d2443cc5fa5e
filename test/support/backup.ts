// Shared by the backup tests: a database large enough that a copy takes a while, and the oracle for a restored one.
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Commonplace } from "../../sdk/src/index.ts";
import { engine } from "./engine.ts";
import { makeWorkspace } from "./program.ts";
import { expectConsistentBalances } from "./quota-totals.ts";
import { temporaryDirectory, text } from "./service.ts";

/** A snippet whose creation was answered. */
export interface Acknowledged {
  readonly id: string;
  readonly title: string;
}

export interface Load {
  /** In the order of the answers. */
  readonly acknowledged: readonly Acknowledged[];
  readonly failures: readonly unknown[];
  readonly end: () => Promise<void>;
}

/** Starts clients that each create one snippet after another until `end` is called. */
export function startWriting(client: Commonplace, teamId: string, writers: number): Load {
  const acknowledged: Acknowledged[] = [];
  const failures: unknown[] = [];
  let isEnding = false;
  const write = async (writer: number) => {
    for (let number = 0; !isEnding; number += 1) {
      const title = `Writer ${writer}, ${number}`;
      const content = text(`${title} `.repeat(200));
      try {
        acknowledged.push({ id: (await client.postSnippet({ title, content, teamId })).data.snippetId, title });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const writing = Array.from({ length: writers }, (_, writer) => write(writer));
  return {
    acknowledged,
    failures,
    end: async () => {
      isEnding = true;
      await Promise.all(writing);
    },
  };
}

/** Fails unless the restored database is intact, its balances are consistent, and it has every listed snippet. */
export async function expectRestored(dataDirectory: string, workspaceId: string, snippets: readonly Acknowledged[]) {
  const rows = engine.rowsOf(dataDirectory);
  expect(await rows("pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(await rows("pragma foreign_key_check")).toEqual([]);
  await expectConsistentBalances(rows, workspaceId);
  const stored = await rows<Acknowledged>("select id, title from snippets");
  const titles = new Map(stored.map(({ id, title }) => [id, title]));
  expect(snippets.filter(({ id, title }) => titles.get(id) !== title)).toEqual([]);
  // Work and charge are atomic, also in a copy: there are as many snippets as calls that created them.
  expect(await rows("select count(*) as calls from ledger where status = 200")).toEqual([{ calls: stored.length }]);
}

/** A data directory with a database of this many megabytes, not in use yet. */
export async function makeLargeDatabase(megabytes: number) {
  const dataDirectory = temporaryDirectory();
  const made = await makeWorkspace({ COMMONPLACE_DATA_DIRECTORY: dataDirectory });
  const connection = new Database(join(dataDirectory, "commonplace.db"));
  connection.run(
    `insert into workspaces (id, name, monthly_requests, subscription, created_at, updated_at)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
     select printf('%08x-0000-7000-8000-000000000000', n), hex(zeroblob(50000)), 0, 'active', created_at, created_at
     from numbers, workspaces where id = ?`,
    [megabytes * 10, made.workspace],
  );
  connection.close();
  return { dataDirectory, ...made };
}

/** A file system of this many megabytes; undefined if this process may not mount one. */
export function mountSmallDisk(megabytes: number) {
  const path = join(temporaryDirectory(), "small");
  mkdirSync(path);
  const mount = ["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "none", path];
  if (Bun.which("mount") === null || Bun.spawnSync(mount, { stderr: "ignore" }).exitCode !== 0) return undefined;
  return { path, unmount: () => void Bun.spawnSync(["umount", path]) };
}

/** The file names in a directory, sorted. */
export const namesIn = (directory: string): string[] => readdirSync(directory).sort();

export const sha256Of = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
