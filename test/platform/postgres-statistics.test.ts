// PostgreSQL's statistics underestimate a workspace that grew since the last ANALYZE. No call may read all of it because of that: every
// statement must have only one sensible way to its rows.
import { describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { cases } from "../support/cases.ts";
import { isOnPostgres, makeWorkspace, type Node, onPostgres, startNode, type Workspace } from "../support/nodes.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { text } from "../support/service.ts";
import { importedFile } from "../support/targets.ts";

/** Other workspaces, each with one of everything, so that PostgreSQL expects one row for a workspace that it has no statistics of. */
const others = 300;
const [folders, snippetsPerFolder] = [100, 200];
/** The most index entries that all calls below may read together. A single call that reads the entire workspace for each row reads more. */
const entriesReadMax = 1_000_000;

/** Folders with a tag each and snippets with variations, for every row (workspace_id, team_id) of the table `place`. */
async function fill(sql: SQL, foldersPerPlace: number, snippets: number, variations: number): Promise<void> {
  const run = (statement: string) => sql.unsafe(statement);
  // Without checking the foreign keys, which are valid, row by row.
  await run("set session_replication_role = replica");
  await run(`create temp table grouped as select workspace_id, team_id, gen_random_uuid() as folder_id, gen_random_uuid() as tag_id
    from place, generate_series(1, ${foldersPerPlace})`);
  for (const [table, name, color, id] of [
    ["folders", "folder_name", "folder_color", "folder_id"],
    ["tags", "tag_name", "tag_color", "tag_id"],
  ])
    await run(`insert into ${table} (workspace_id, id, team_id, ${name}, ${color}, created_at, updated_at)
      select workspace_id, ${id}, team_id, 'A', '#fff', now(), now() from grouped`);
  await run(
    `create temp table made as select *, gen_random_uuid() as snippet_id from grouped, generate_series(1, ${snippets})`,
  );
  await run(`insert into snippets (workspace_id, id, team_id, folder_id, title, is_archived, created_by, created_at, updated_at, has_tags,
      variation_count, variation_id, variation_name, variant_order_index, version_id, changed_at, content_type, content)
    select workspace_id, snippet_id, team_id, folder_id, 'A', false, team_id, now(), now(), true, ${variations}, gen_random_uuid(), 'A', 0,
      gen_random_uuid(), now(), 'plaintext', 'Its text' from made`);
  await run(`insert into snippet_tags (workspace_id, snippet_id, tag_id, snippet_created_at)
    select workspace_id, snippet_id, tag_id, now() from made`);
  await run(`insert into variations (workspace_id, id, snippet_id, name, variant_order_index, updated_at, version_id, changed_at,
      content_type, content)
    select workspace_id, gen_random_uuid(), snippet_id, 'A', place, now(), gen_random_uuid(), now(), 'plaintext', 'Its text'
    from made, generate_series(1, ${variations} - 1) place`);
  await run(`insert into former_versions (workspace_id, snippet_id, variation_number, changed_at, id, content_type, content)
    select workspace_id, snippet_id, place, now() - interval '1 day', gen_random_uuid(), 'plaintext', 'Its text'
    from made, generate_series(0, ${variations} - 1) place`);
  // As many in the trash.
  await run(`insert into trashed_snippets select now() - interval '1 day', created_by, * from snippets where title = 'A'
    on conflict do nothing`);
  for (const table of ["variations", "former_versions", "snippet_tags"])
    await run(`insert into trashed_${table} select * from ${table} on conflict do nothing`);
  await run("drop table grouped, made");
}

/** After five executions PostgreSQL may switch to a generic plan. */
const times = 7;

/** A snippet in a folder, under a tag, and another one in the trash. */
async function makeTargets(node: Node, { key, teamId }: Workspace) {
  const make = async (path: string, body: object) => (await node.call(key, "POST", path, { body })).body.data;
  const folderId = (await make("/folder", { folderName: "A", folderColor: "#fff", teamId })).folder.id;
  const tagId = (await make("/tag", { tagName: "A", tagColor: "#fff", teamId })).tag.id;
  const additionalVariations = [{ variationName: "B", content: text("B") }];
  const content = text("A");
  const more = { folderId, tagIds: [tagId], shortcut: tagId, additionalVariations };
  const snippetId = (await make("/snippet", { title: "A", content, teamId, ...more })).snippetId;
  const { variations } = (await node.call(key, "GET", "/snippet", { query: { id: snippetId } })).body.data;
  const [variationId, secondVariationId] = variations.map(({ id }: { id: string }) => id);
  const trashedSnippetId = (await make("/snippet", { title: "B", content, teamId, ...more })).snippetId;
  await node.call(key, "DELETE", "/snippet", { query: { id: trashedSnippetId } });
  return {
    teamId,
    folderId,
    tagId,
    snippetId,
    trashedSnippetId,
    variationId,
    secondVariationId,
    shortcut: tagId,
  };
}

describe.skipIf(!isOnPostgres)(onPostgres("a workspace whose size PostgreSQL does not know yet"), () => {
  test("no operation reads all of it, also when it has been planned for good", async () => {
    const server = await startPrivatePostgres({ settings: { autovacuum: "off" } });
    const database = await server.createDatabase();
    const node = await startNode(server.urlOf(database));
    const sql = server.connect(database);
    const rare = await sql`select relname as table from pg_attribute join pg_class on pg_class.oid = attrelid
      where relkind = 'r' and attname = 'workspace_id' and attoptions is distinct from '{n_distinct=1}'`;
    expect([...rare]).toEqual([]);
    await sql`create temp table place as select gen_random_uuid() as workspace_id, gen_random_uuid() as team_id
      from generate_series(1, ${others}::int)`;
    await sql`insert into workspaces (id, name, monthly_requests, subscription, created_at, updated_at)
      select workspace_id, 'A', 0, 'active', now(), now() from place`;
    await sql`insert into teams (workspace_id, id, name, created_at)
      select workspace_id, team_id, 'A', now() from place`;
    await fill(sql, 1, 1, 2);
    await sql`vacuum analyze`;
    const workspace = await makeWorkspace(node.database, { allowance: 1_000_000_000 });
    // An import reads what the team has, so these are made while it has nothing.
    const imports: string[] = [];
    for (let time = 1; time <= times; time += 1) {
      const query = { teamId: workspace.teamId, onDuplicate: "create" };
      const { body } = await node.call(workspace.key, "POST", "/import", { query, body: importedFile });
      imports.push(body.data.importId);
    }
    await sql`truncate place`;
    await sql`insert into place values (${workspace.id}, ${workspace.teamId})`;
    await fill(sql, folders, snippetsPerFolder, 2);

    const failed: string[] = [];
    const call = async (name: (typeof operationNames)[number], request: { query?: object; body?: unknown }) => {
      const { method, path } = operations[name];
      const query = request.query as Record<string, string> | undefined;
      const { status } = await node.call(workspace.key, method, path, { query, body: request.body });
      if (status !== 200) failed.push(`${name}: ${status}`);
    };
    const idsOf = async (table: string, most: number): Promise<string> => {
      const rows: { id: string }[] = await sql.unsafe(
        `select id from ${table} where workspace_id = $1 order by id limit ${most}`,
        [workspace.id],
      );
      return rows.map(({ id }) => id).join();
    };
    const [folderIds, tagIds, ids] = [
      await idsOf("folders", 20),
      await idsOf("tags", 100),
      await idsOf("snippets", 100),
    ];
    const limit = "100";
    const entriesRead = async (): Promise<number> => {
      const [row] = await sql`select sum(idx_tup_read)::int as entries from pg_stat_user_indexes`;
      return row.entries;
    };
    await sql`select pg_stat_force_next_flush()`;
    const before = await entriesRead();
    for (let time = 1; time <= times; time += 1) {
      // These read or count what a team has, along an index.
      const read = await makeTargets(node, workspace);
      const ofTeam = ["getTeams", "getTree", "getExport", "postImport"];
      for (const name of operationNames.filter((each) => !ofTeam.includes(each)))
        await call(
          name,
          cases[name].request({
            ...(operations[name].method === "GET" ? read : await makeTargets(node, workspace)),
            importId: imports[time - 1] ?? "",
          }),
        );
      // It reads all of a team, in a session of its own.
      if (time === 1) await call("getExport", { query: { teamId: workspace.teamId } });
      await call("getFolder", { query: { folderId: folderIds.split(",")[0], limit } });
      await call("getTag", { query: { tagId: tagIds.split(",")[0], limit } });
      await call("getFolders", { query: { folderIds } });
      await call("getTags", { query: { tagIds } });
      await call("getSnippets", { query: { ids } });
    }
    expect(failed).toEqual([]);
    // A session reports its counts when it ends, at the latest.
    await node.stop();
    const sessions = () => sql`select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    while ((await sessions()).length > 0) await Bun.sleep(5);
    expect((await entriesRead()) - before).toBeLessThan(entriesReadMax);
    await sql.close();
    await server.stop("immediate");
  });
});
