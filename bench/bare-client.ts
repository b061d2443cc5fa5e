// Runs the statements of GET /snippet one after the other on each connection, for machines without pgbench.
// Arguments: URL, size of the database, connections, seconds.
import { SQL } from "bun";
import type { BareSize } from "./bare-postgres.ts";
import { randomNumbers, statementsOf } from "./bare-statements.ts";

const [, , url = "", sizeText = "", connections, seconds] = process.argv;
const size = JSON.parse(sizeText) as BareSize;
const numbers = randomNumbers(size);
/** Variables become parameters in the order in which they first appear. */
const statements = statementsOf(size).map(({ text, sets }) => {
  const names: string[] = [];
  const prepared = text.replaceAll(/(?<!:):([a-z_]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: prepared, names, sets };
});

const pool = new SQL(url, { max: Number(connections) });
let calls = 0;
const startedAt = performance.now();
const until = startedAt + Number(seconds) * 1_000;

async function work(): Promise<void> {
  const connection = await pool.reserve();
  while (performance.now() < until) {
    const variables: Record<string, unknown> = {};
    for (const { name, below } of numbers) variables[name] = Math.floor(Math.random() * below);
    for (const { text, names, sets } of statements) {
      const [row] = await connection.unsafe(
        text,
        names.map((name) => variables[name]),
      );
      if (sets) Object.assign(variables, row);
    }
    calls += 1;
  }
}

await Promise.all(Array.from({ length: Number(connections) }, work));
console.log(JSON.stringify({ perSecond: (calls / (performance.now() - startedAt)) * 1_000 }));
process.exit(0);
