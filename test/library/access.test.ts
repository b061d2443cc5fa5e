// Who may do what (decisions, Access; promise P2): every place that carries an id × whose id it is ×
// what the key reaches.
import "../support/every-time.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import {
  forbidden,
  makeCells,
  makeStranger,
  placesOfAll,
  proveCells,
  type State,
  type Stranger,
  send,
} from "../../prove/isolation-cells.ts";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { allPlaces, type Request } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { someOnPostgres } from "../support/engine.ts";
import { expectRefusal, inGroups } from "../support/expect.ts";
import { refusalOf, startService } from "../support/service.ts";

/** The paths of the IDs in a body, from its JSON Schema. */
function idPaths(schema: z.core.JSONSchema.BaseSchema, path: string, definitions = schema.$defs ?? {}): string[] {
  const named = schema.$ref === undefined ? schema : (definitions[schema.$ref.replace("#/$defs/", "")] ?? {});
  if (named.format === "uuid") return [path];
  const inside = (part: unknown, at: string) =>
    typeof part === "object" && part ? idPaths({ ...part }, at, definitions) : [];
  return [
    ...(named.anyOf ?? []).flatMap((part) => inside(part, path)),
    ...inside(named.items, path),
    ...Object.entries(named.properties ?? {}).flatMap(([name, part]) => inside(part, `${path} ${name}`)),
  ];
}

/** A filter by the creator finds nothing where the ID is unknown, and nothing out of reach where it is not. */
const withoutCells: readonly string[] = ["getSearch query createdBy"];

const carriesId = ({ schema, description }: { schema: Record<string, unknown>; description: string }) =>
  schema.format === "uuid" || /\bIDs?\b/.test(description);

test("every place that carries an id has its cells", () => {
  for (const name of operationNames) {
    const { query, body }: Operation = operations[name];
    const inQuery = Object.entries(query)
      .filter(([, parameter]) => carriesId(parameter))
      .map(([parameter]) => `query ${parameter}`)
      .filter((at) => !withoutCells.includes(`${name} ${at}`));
    const root = body?.kind === "batch" ? `body ${body.field}` : "body";
    const shape = body?.kind === "batch" ? body.item : body?.kind === "file" ? undefined : body?.schema;
    const inBody = shape ? idPaths(z.toJSONSchema(shape, { io: "input" }), root) : [];
    const covered = allPlaces(cases[name])
      .map((each) => each.at)
      .filter((at) => at !== "query snippetId and variationId");
    expect([name, covered.sort()]).toEqual([name, [...inQuery, ...inBody].sort()]);
  }
});

const strangers = Promise.withResolvers<Stranger>();
beforeAll(async () => strangers.resolve(await makeStranger()));

describe.each(someOnPostgres(placesOfAll))("%s, %s", (name, _, place) => {
  test("IDs in the key's team, in another team, and in another workspace, and deleted and unknown IDs, with keys for all teams, one team, and none", async () =>
    proveCells(await startService(), await strangers.promise, name, place));
});

describe("the target is refused before the references", () => {
  const referring = placesOfAll.filter(([, , each]) => each.role === "reference");
  test.each(someOnPostgres(referring))("%s, %s", async (name, _, each) => {
    const started = await startService();
    const { cells } = await makeCells(started, await strangers.promise);
    const unchanged = await started.content();
    const { request, targetNoun } = each;
    const { key, limitedKey, emptyKey } = started;
    type Refused = readonly [key: string, request: Request, status: number, message: string | RegExp];
    const calls = (["other team", "other workspace", "deleted", "never existed"] as const).flatMap((bad): Refused[] => {
      const from = (target: State) => request(cells[target], cells[bad]);
      const rule = each.rule ?? / must be (a folder|a tag|tags) of the same team$/;
      return [
        ...(["other workspace", "deleted", "never existed"] as const).flatMap((target) =>
          [key, limitedKey, emptyKey].map(
            ({ secret }): Refused => [secret, from(target), 404, `${targetNoun} not found`],
          ),
        ),
        [limitedKey.secret, from("other team"), ...forbidden],
        [emptyKey.secret, from("own team"), ...forbidden],
        ...(bad === "other team" ? [] : [[key.secret, from("other team"), 400, rule] as const]),
      ];
    });
    await inGroups(calls, async ([secret, asked, status, message]) =>
      expectRefusal(await send(started, name, secret, asked), status, message),
    );
    expect(await started.content()).toEqual(unchanged);
  });
});

describe("a key", () => {
  test("to all teams reaches teams created later", async () => {
    const { admin, workspace, client } = await startService();
    const later = await admin((transaction) => createTeam(transaction, workspace.id, "Later"));
    const created = await client.postFolder({ folderName: "N", folderColor: "c", teamId: later.id });
    expect(created.data.folder.team_id).toBe(later.id);
  });

  test("to listed teams reaches each of them and no team created later", async () => {
    const { admin, workspace, team, otherTeam, clientFor } = await startService();
    const key = await admin((transaction) => createKey(transaction, workspace.id, "Two", [team.id, otherTeam.id]));
    const later = await admin((transaction) => createTeam(transaction, workspace.id, "Later"));
    const client = clientFor(key.secret);
    const create = (teamId: string) => client.postFolder({ folderName: "N", folderColor: "c", teamId });
    expect((await create(team.id)).data.folder.team_id).toBe(team.id);
    expect((await create(otherTeam.id)).data.folder.team_id).toBe(otherTeam.id);
    expect(await refusalOf(create(later.id))).toMatchObject({ status: 403, code: "team_forbidden" });
  });

  test("whose only team was deleted reaches nothing: it does not turn into a key to all teams", async () => {
    const started = await startService();
    const { admin, workspace, clientFor, given } = started;
    const team = await admin((transaction) => createTeam(transaction, workspace.id, "Gone"));
    const key = await admin((transaction) => createKey(transaction, workspace.id, "One", [team.id]));
    const client = clientFor(key.secret);
    await client.postFolder({ folderName: "N", folderColor: "c", teamId: team.id });
    const other = await given.snippet();
    await admin(async (transaction) => {
      await transaction.run(sql`delete from folders where workspace_id = ${workspace.id} and team_id = ${team.id}`);
      await transaction.run(sql`delete from teams where workspace_id = ${workspace.id} and id = ${team.id}`);
    });
    expect(await refusalOf(client.getSnippet({ id: other.id }))).toMatchObject({ status: 403, code: "team_forbidden" });
    expect((await client.getSnippets({ ids: [other.id] })).metadata).toEqual({
      requestedCount: 1,
      foundCount: 1,
      accessibleCount: 0,
      inaccessibleCount: 1,
      missingCount: 0,
    });
    expect(
      await refusalOf(client.postFolder({ folderName: "N", folderColor: "c", teamId: started.team.id })),
    ).toMatchObject({ status: 403, code: "team_forbidden" });
    expect(await refusalOf(client.postFolder({ folderName: "N", folderColor: "c", teamId: team.id }))).toMatchObject({
      status: 404,
      code: "team_not_found",
    });
  });
});
