// The database of the baselines on PostgreSQL: workspaces, keys and snippets whose ids follow from their numbers.
import { SQL } from "bun";
import { bareTables, postgresTypes } from "./bare-tables.ts";
import { sampleSnippet } from "./sample.ts";

export interface BareSize {
  readonly workspaces: number;
  /** All keys; a key belongs to the workspace that has its number modulo the workspaces. So do the snippets. */
  readonly keys: number;
  readonly snippets: number;
}

/** What the first digits of an id say it is of. */
export const kinds = { workspace: "01", team: "02", key: "03", snippet: "04", variation: "05", version: "06" } as const;
export const bareMonth = "2026-01";

/** The id of the thing with a number, as SQL. */
export const idOf = (kind: keyof typeof kinds, number: string): string =>
  `('${kinds[kind]}8f0000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** The hash of the secret of a key, as SQL: as long as a real one. */
export const hashOf = (number: string): string => `lpad(to_hex(${number}), 64, '0')`;

export async function fillBareDatabase(url: string, { workspaces, keys, snippets }: BareSize): Promise<void> {
  const connection = new SQL(url, { max: 1 });
  const workspaceOf = (number: string) => idOf("workspace", `${number} % ${workspaces}`);
  const teamOf = (number: string) => idOf("team", `${number} % ${workspaces}`);
  const of = (count: number) => `from generate_series(0, ${count - 1}) as n`;
  const { title, content, note, shortcut } = sampleSnippet(0, "");
  for (const statement of [
    ...bareTables(postgresTypes),
    `insert into workspaces select ${workspaceOf("n")}, 'active' ${of(workspaces)}`,
    `insert into teams select ${workspaceOf("n")}, ${teamOf("n")} ${of(workspaces)}`,
    `insert into api_keys select ${workspaceOf("n")}, ${idOf("key", "n")}, ${hashOf("n")}, true, true, 0, null ${of(keys)}`,
    `insert into quota_months select ${workspaceOf("n")}, '${bareMonth}', 1000000000000 ${of(workspaces)}`,
    `insert into snippets select ${workspaceOf("n")}, ${idOf("snippet", "n")}, ${teamOf("n")}, null, '${title}', '${note}',
      '${shortcut}', false, ${idOf("key", "0")}, now(), now() ${of(snippets)}`,
    `insert into variations select ${workspaceOf("n")}, ${idOf("variation", "n")}, ${idOf("snippet", "n")}, 'Default', 0,
      ${idOf("version", "n")}, now(), now() ${of(snippets)}`,
    `insert into variation_versions select ${workspaceOf("n")}, ${idOf("version", "n")}, ${idOf("variation", "n")}, 'plaintext',
      '${content.content}', now() ${of(snippets)}`,
    "vacuum analyze",
  ])
    await connection.unsafe(statement);
  await connection.close();
}
