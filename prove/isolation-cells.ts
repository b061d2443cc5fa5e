// The cells of P2: every place that carries an ID × whose ID it is × what the key reaches (decisions, Access). The places
// come from the cases of the operations, the expectations from the specification.
import { expect } from "bun:test";
import { deleteTeam } from "../src/accounts/workspaces/team-deletion.ts";
import { createTeam } from "../src/accounts/workspaces/workspaces.ts";
import type { Operation } from "../src/contract/operation.ts";
import { type OperationName, operationNames, operations } from "../src/contract/operations.ts";
import { emptyTrash } from "../src/library/empty-trash.ts";
import { sql } from "../src/platform/database/sql.ts";
import { allPlaces, needsImport, type Place, type Request } from "../test/support/case.ts";
import { cases } from "../test/support/cases.ts";
import { expectRefusal, withoutRequestId } from "../test/support/expect.ts";
import { type RawAnswer, type Started, startService } from "../test/support/service.ts";
import { makeManyTargets, makeTargets, neverExisted, type Targets } from "../test/support/targets.ts";

/** Every place of every operation, with its operation and its name. */
export const placesOfAll = operationNames.flatMap((name) =>
  allPlaces(cases[name]).map((place) => [name, place.at, place] as const),
);

const states = ["own team", "other team", "other workspace", "deleted", "deleted team", "never existed"] as const;
const reaches = ["all teams", "one team", "no team"] as const;
export type State = (typeof states)[number];
type Reach = (typeof reaches)[number];
export const cellsOfPlace = states.length * reaches.length;
const suppliedAtOnce = 4;

/** Another workspace with something in it. */
export interface Stranger {
  readonly stranger: Started;
  readonly theirs: Targets;
}

export async function makeStranger(): Promise<Stranger> {
  const stranger = await startService();
  return { stranger, theirs: await makeTargets(stranger, stranger.team.id, true) };
}

/** The targets of each state: another workspace's are the same for all tests, the others are in the test's own workspace. */
export async function makeCells(started: Started, { theirs }: Stranger, hasImport = false) {
  const { team, otherTeam, workspace, client } = started;
  const gone = await makeTargets(started, team.id, hasImport);
  await started.admin((transaction) => emptyTrash(transaction, workspace.id, {}));
  await client.deleteSnippet({ id: gone.snippetId });
  await started.admin((transaction) =>
    transaction.run(sql`delete from imports where workspace_id = ${workspace.id} and id = ${gone.importId}`),
  );
  await Promise.all([client.deleteFolder({ folderId: gone.folderId }), client.deleteTag({ tagId: gone.tagId })]);
  const goneTeam = await started.admin(async (transaction) => {
    const team = await createTeam(transaction, workspace.id, "Gone");
    await transaction.run(sql`delete from teams where workspace_id = ${workspace.id} and id = ${team.id}`);
    return team.id;
  });
  const none = neverExisted();
  // A team that can still be restored, to which the keys with selected teams have access.
  const deletedTeam = await started.admin(async (transaction) => {
    const team = await createTeam(transaction, workspace.id, "Deleted");
    const keys = [started.limitedKey, started.emptyKey];
    transaction.insert(
      "api_key_teams",
      keys.map(({ id }) => ({ workspace_id: workspace.id, key_id: id, team_id: team.id })),
    );
    return team;
  });
  const [own = none, ownTeam = none, ofOtherTeam = none, ofDeletedTeam = none] = await makeManyTargets(
    started,
    [team.id, team.id, otherTeam.id, deletedTeam.id],
    hasImport,
  );
  await started.admin((transaction) => deleteTeam(transaction, workspace.id, deletedTeam.id));
  const cells: Record<State, Targets> = {
    "own team": ownTeam,
    "other team": ofOtherTeam,
    "other workspace": theirs,
    deleted: { ...gone, teamId: goneTeam },
    "deleted team": ofDeletedTeam,
    "never existed": none,
  };
  return { own, cells };
}

/** Targets of a team, one after another, made several at a time. */
function supplyOf(started: Started, teamId: string, hasImport: boolean): () => Promise<Targets> {
  const ready: Targets[] = [];
  return async () => {
    if (ready.length === 0)
      ready.push(...(await makeManyTargets(started, Array(suppliedAtOnce).fill(teamId), hasImport)));
    return ready.pop() ?? neverExisted();
  };
}

const keys = ({ key, limitedKey, emptyKey }: Started): Record<Reach, string> => ({
  "all teams": key.secret,
  "one team": limitedKey.secret,
  "no team": emptyKey.secret,
});

export const send = (started: Started, name: OperationName, key: string, request: Request) => {
  const { method, path }: Operation = operations[name];
  return started.call(method, path, { key, ...request });
};

type Outcome =
  | { refused: readonly [status: number, message: string] }
  | { foundCount: number; accessibleCount: number }
  | "done";

export const forbidden = [403, "API key does not have access to this team"] as const;
const sameTeam: Readonly<Record<string, string>> = {
  folderId: "a folder",
  parentFolderId: "a folder",
  parentTagId: "a tag",
  tagIds: "tags",
};

/** The expected outcome of a call. */
function expected({ role, noun, at, rule }: Place, state: State, reach: Reach): Outcome {
  const exists = state === "own team" || state === "other team";
  const isReached = reach === "all teams" ? exists : reach === "one team" && state === "own team";
  if (role === "list") return { foundCount: exists ? 1 : 0, accessibleCount: isReached ? 1 : 0 };
  if (role === "target") return isReached ? "done" : { refused: exists ? forbidden : [404, `${noun} not found`] };
  // Snippet and variation belong together only where both are the caller's own.
  if (role === "pair" && state !== "own team") return { refused: [404, "Variation not found"] };
  // The target is of the caller's own team: without reach, that is what is refused.
  if (reach === "no team") return { refused: forbidden };
  if (state === "own team") return "done";
  if (role === "part") return { refused: [404, `${noun} not found`] };
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

/**
 * Makes the call of each cell of a place, and fails unless the response, the charge, and the rows are as specified.
 * @param spell writes a request in another way that means the same
 */
export async function proveCells(
  started: Started,
  strangers: Stranger,
  name: OperationName,
  place: Place,
  spell: (request: Request) => Request = (request) => request,
): Promise<void> {
  const hasImport = needsImport(cases[name]);
  const { cells, ...made } = await makeCells(started, strangers, hasImport);
  const theirContent = await strangers.stranger.content();
  const ofTeam = supplyOf(started, started.team.id, hasImport);
  const ofOtherTeam = supplyOf(started, started.otherTeam.id, hasImport);
  let { own } = made;
  let before = await started.balance();
  let unchanged = await started.content();
  for (const reach of reaches) {
    const answers = new Map<State, RawAnswer>();
    for (const state of states) {
      // A reference in its own team is another folder or tag than the target, so that no cycle is in question.
      // Parts of the target itself cannot be another's.
      const isOfTarget = place.role === "pair" || place.role === "part" || place.rule !== undefined;
      const on = state === "own team" && isOfTarget ? own : cells[state];
      const outcome = expected(place, state, reach);

      const answer = await send(started, name, keys(started)[reach], spell(place.request(own, on)));

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
      if (!isDone || operations[name].method === "GET" || place.changesNothing) {
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
    expect(await strangers.stranger.content()).toEqual(theirContent);

    // IDs of other workspaces, of what was deleted, itself or with its team, and ones that never existed are indistinguishable; in a
    // reference, other teams' too.
    const never = shown(answers.get("never existed"));
    expect(never.headers.length).toBeGreaterThan(5);
    const alike: State[] = ["other workspace", "deleted", "deleted team"];
    for (const state of place.role === "reference" ? [...alike, "other team" as const] : alike)
      expect(shown(answers.get(state))).toEqual(never);
  }
}
