// Who may do what (interface, Authentication; decisions, section 5; promise P2): every place that carries an id × whose id it is ×
// what the key reaches.
import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { type OperationName, operationNames, operations } from "../../src/contract/operations.ts";
import { emptyTrash } from "../../src/library/empty-trash.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { sql } from "../../src/platform/database/sql.ts";
import type { Place, Request } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { expectRefusal, inGroups, withoutRequestId } from "../support/expect.ts";
import { type RawAnswer, refusalOf, type Started, startService } from "../support/service.ts";
import { makeManyTargets, makeTargets, neverExisted, type Targets } from "../support/targets.ts";

const rows = operationNames.flatMap((name) => cases[name].places.map((each) => [name, each.at, each] as const));

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

test("every place that carries an id has its cells", () => {
  for (const name of operationNames) {
    const { query, body }: Operation = operations[name];
    const inQuery = Object.entries(query)
      .filter(([parameter]) => !cases[name].otherParameters?.includes(parameter))
      .map(([parameter]) => `query ${parameter}`);
    const root = body?.kind === "batch" ? `body ${body.field}` : "body";
    const shape = body?.kind === "batch" ? body.item : body?.schema;
    const inBody = shape ? idPaths(z.toJSONSchema(shape, { io: "input" }), root) : [];
    const covered = cases[name].places.map((each) => each.at).filter((at) => at !== "query snippetId and variationId");
    expect([name, covered.sort()]).toEqual([name, [...inQuery, ...inBody].sort()]);
  }
});

const states = ["own team", "other team", "other workspace", "deleted", "never existed"] as const;
const reaches = ["all teams", "one team", "no team"] as const;
type State = (typeof states)[number];
const suppliedAtOnce = 4;

const strangers = Promise.withResolvers<{ readonly stranger: Started; readonly theirs: Targets }>();

beforeAll(async () => {
  const stranger = await startService();
  strangers.resolve({ stranger, theirs: await makeTargets(stranger, stranger.team.id) });
});

/** The targets of each state: another workspace's are the same for all tests, the others are in the test's own workspace. */
async function makeCells(started: Started) {
  const { team, otherTeam, workspace, client } = started;
  const gone = await makeTargets(started, team.id);
  await started.admin((transaction) => emptyTrash(transaction, workspace.id, {}));
  await client.deleteSnippet({ id: gone.snippetId });
  await Promise.all([client.deleteFolder({ folderId: gone.folderId }), client.deleteTag({ tagId: gone.tagId })]);
  const goneTeam = await started.admin(async (transaction) => {
    const team = await createTeam(transaction, workspace.id, "Gone");
    await transaction.run(sql`delete from teams where workspace_id = ${workspace.id} and id = ${team.id}`);
    return team.id;
  });
  const { stranger, theirs } = await strangers.promise;
  const none = neverExisted();
  const [own = none, ownTeam = none, ofOtherTeam = none] = await makeManyTargets(started, [
    team.id,
    team.id,
    otherTeam.id,
  ]);
  const cells: Record<State, Targets> = {
    "own team": ownTeam,
    "other team": ofOtherTeam,
    "other workspace": theirs,
    deleted: { ...gone, teamId: goneTeam },
    "never existed": none,
  };
  return { stranger, own, cells };
}

/** Targets of a team, one after another, made several at a time. */
function supplyOf(started: Started, teamId: string): () => Promise<Targets> {
  const ready: Targets[] = [];
  return async () => {
    if (ready.length === 0) ready.push(...(await makeManyTargets(started, Array(suppliedAtOnce).fill(teamId))));
    return ready.pop() ?? neverExisted();
  };
}

const keys = ({ key, limitedKey, emptyKey }: Started) => ({
  "all teams": key.secret,
  "one team": limitedKey.secret,
  "no team": emptyKey.secret,
});

const send = (started: Started, name: OperationName, key: string, request: Request) => {
  const { method, path }: Operation = operations[name];
  return started.call(method, path, { key, ...request });
};

type Outcome =
  | { refused: readonly [status: number, message: string] }
  | { foundCount: number; accessibleCount: number }
  | "done";

const forbidden = [403, "API key does not have access to this team"] as const;
const sameTeam: Readonly<Record<string, string>> = {
  folderId: "a folder",
  parentFolderId: "a folder",
  parentTagId: "a tag",
  tagIds: "tags",
};

/** The expected outcome of a call. */
function expected({ role, noun, at, rule }: Place, state: State, reach: (typeof reaches)[number]): Outcome {
  const exists = state === "own team" || state === "other team";
  const isReached = reach === "all teams" ? exists : reach === "one team" && state === "own team";
  if (role === "list") return { foundCount: exists ? 1 : 0, accessibleCount: isReached ? 1 : 0 };
  if (role === "target") return isReached ? "done" : { refused: exists ? forbidden : [404, `${noun} not found`] };
  // Snippet and variation belong together only where both are the caller's own.
  if (role === "pair" && state !== "own team") return { refused: [404, "Variation not found"] };
  // The target is of the caller's own team: without reach, that is what is refused.
  if (reach === "no team") return { refused: forbidden };
  if (state === "own team") return "done";
  if (rule) return { refused: [400, rule] };
  const field = at.split(" ").at(-1) ?? "";
  return { refused: [400, `${field} must be ${sameTeam[field]} of the same team`] };
}

const countsOf = (
  name: OperationName,
  { foundCount, accessibleCount }: { foundCount: number; accessibleCount: number },
) =>
  operations[name].method === "DELETE"
    ? { requestedCount: 1, deletedCount: accessibleCount, inaccessibleCount: 1 - accessibleCount, accessibleCount }
    : {
        requestedCount: 1,
        foundCount,
        accessibleCount,
        inaccessibleCount: foundCount - accessibleCount,
        missingCount: 1 - foundCount,
      };

/** What a caller sees of a response, without what differs in every call. */
const shown = (answer: RawAnswer | undefined) => ({
  ...(answer && withoutRequestId(answer)),
  headers: [...(answer?.headers ?? [])].filter(([header]) => !/^(x-request-id|date|(x-)?ratelimit.*)$/.test(header)),
});

describe.each(rows)("%s, %s", (name, _, each) => {
  test("own team, other team, other workspace, deleted, never existed × a key to all teams, one, none", async () => {
    const started = await startService();
    const { stranger, cells, ...made } = await makeCells(started);
    const theirContent = await stranger.content();
    const ofTeam = supplyOf(started, started.team.id);
    const ofOtherTeam = supplyOf(started, started.otherTeam.id);
    let { own } = made;
    let before = await started.balance();
    let unchanged = await started.content();
    for (const reach of reaches) {
      const answers = new Map<State, RawAnswer>();
      for (const state of states) {
        // A reference in its own team is another folder or tag than the target, so that no cycle is in question.
        // Parts of the target itself cannot be another's.
        const isOfTarget = each.role === "pair" || each.rule !== undefined;
        const on = state === "own team" && isOfTarget ? own : cells[state];
        const outcome = expected(each, state, reach);

        const answer = await send(started, name, keys(started)[reach], each.request(own, on));

        answers.set(state, answer);
        const after = await started.content();
        const charged = Number(answer.headers.get("x-request-cost"));
        const balance = await started.balance();
        expect(balance).toBe(before - charged);
        before = balance;
        if (outcome !== "done" && "refused" in outcome) {
          expectRefusal(answer, ...outcome.refused, 1);
          expect(after).toEqual(unchanged);
          continue;
        }
        expect([state, reach, answer.status, answer.body?.message]).toEqual([state, reach, 200, undefined]);
        if (outcome !== "done") expect(answer.body.metadata).toEqual(countsOf(name, outcome));
        const isDone = outcome === "done" || outcome.accessibleCount > 0;
        expect(charged > 0).toBe(isDone);
        if (!isDone || operations[name].method === "GET") {
          expect(after).toEqual(unchanged);
          continue;
        }
        expect(Bun.deepEquals(after, unchanged)).toBeFalse();
        own = await ofTeam();
        if (state === "own team") cells["own team"] = await ofTeam();
        if (state === "other team") cells["other team"] = await ofOtherTeam();
        before = await started.balance();
        unchanged = await started.content();
      }
      expect(await stranger.content()).toEqual(theirContent);

      // IDs of other workspaces, deleted ones and ones that never existed are indistinguishable; in a reference, other teams' too.
      const never = shown(answers.get("never existed"));
      expect(never.headers.length).toBeGreaterThan(5);
      const alike: State[] = ["other workspace", "deleted"];
      for (const state of each.role === "reference" ? [...alike, "other team" as const] : alike)
        expect(shown(answers.get(state))).toEqual(never);
    }
  });
});

describe("the target is refused before the references", () => {
  const referring = rows.filter(([, , each]) => each.role === "reference");
  test.each(referring)("%s, %s", async (name, _, each) => {
    const started = await startService();
    const { cells } = await makeCells(started);
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
