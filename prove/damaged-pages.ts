// Pages of an SQLite database that a disk has damaged: the start refuses, or `doctor` names a problem, or every row is still what was written.
import { Database } from "bun:sqlite";
import { closeSync, cpSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { engine } from "../test/support/engine.ts";
import { spawnService } from "../test/support/process.ts";
import { run as runProgram } from "../test/support/program.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import type { Clients } from "./clients.ts";
import type { Run } from "./proof.ts";
import type { Random } from "./random.ts";

const settings = { COMMONPLACE_CONSOLE: "off" };

/**
 * Damages one page at a time of a copy.
 * @param dataDirectory of a service that is stopped
 * @returns what found the damage, one line each
 */
export async function damagePages(
  dataDirectory: string,
  clients: Clients,
  random: Random,
  pages: number,
  run: Run,
): Promise<string[]> {
  const [counts, directory] = [new Map<string, number>(), temporaryDirectory()];
  const used = usedPages(join(dataDirectory, "commonplace.db"));
  const usual = pages > 0 ? await problemsOf(dataDirectory) : "";
  for (let number = 1; number <= pages && !run.isOver(); number += 1) {
    rmSync(directory, { recursive: true, force: true });
    cpSync(dataDirectory, directory, { recursive: true });
    const { page, name, type } = random.pick(used);
    const source = random.isTrue() ? random.pick(used.filter((other) => other.page !== page)).page : undefined;
    damage(join(directory, "commonplace.db"), page, source);
    const isRefused = await spawnService(directory, settings).then(
      async (service) => {
        service.kill("SIGTERM");
        await service.ended;
        return false;
      },
      (error) => /"service ended".*(damaged|malformed|cannot use the database)/s.test(String(error)),
    );
    const found = isRefused
      ? "found by the start"
      : (await problemsOf(directory)) !== usual
        ? "found by doctor"
        : "harmless: every row is as it was written";
    if (found.startsWith("harmless"))
      await clients.compare(engine.rowsOf(directory)).catch((error) => {
        const content = source === undefined ? "random bytes" : `page ${source}`;
        throw new Error(`unnoticed: page ${page} (${type} of ${name}) has become ${content}`, { cause: error });
      });
    counts.set(found, (counts.get(found) ?? 0) + 1);
    run.made.runs += 1;
    run.show(`${number} of ${pages} damaged pages`, number / pages);
  }
  return [...counts].map(([name, times]) => `${times} damaged pages: ${name}`);
}

interface Page {
  readonly page: number;
  readonly name: string;
  readonly type: string;
}

function usedPages(path: string): Page[] {
  const connection = new Database(path, { readonly: true });
  const pages = connection.query<Page, []>("select pageno as page, name, pagetype as type from dbstat").all();
  connection.close(true);
  return pages;
}

/** Overwrites a page with another one, as by a write to the wrong place, or with random bytes. */
function damage(path: string, page: number, source: number | undefined): void {
  const file = openSync(path, "r+");
  const bytes = new Uint8Array(4_096);
  readSync(file, bytes, 0, 2, 16);
  // The size of a page is in the file's header.
  const size = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const content = new Uint8Array(size);
  if (source === undefined) crypto.getRandomValues(content);
  else readSync(file, content, 0, size, (source - 1) * size);
  writeSync(file, content, 0, size, (page - 1) * size);
  closeSync(file);
}

/** What `doctor` calls a problem. */
async function problemsOf(dataDirectory: string): Promise<string> {
  const { stdout } = await runProgram(["doctor", "--json"], { COMMONPLACE_DATA_DIRECTORY: dataDirectory, ...settings });
  const { findings } = JSON.parse(stdout || '{"findings":[{"severity":"problem","check":"doctor could not run"}]}');
  return findings
    .filter(({ severity }: { severity: string }) => severity === "problem")
    .map(({ check }: { check: string }) => check)
    .join();
}
