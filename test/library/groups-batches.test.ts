// The sentences that batches of folders and batches of tags have in common (decisions, Bodies).
import { describe, expect, test } from "bun:test";
import { moment, newId } from "../support/expect.ts";
import { groups } from "../support/groups.ts";
import { refusalOf, startService } from "../support/service.ts";

const forbidden = { status: 403, code: "team_forbidden", message: "API key does not have access to this team" };
const noTeam = { status: 404, code: "team_not_found", message: "Team not found" };
const invalid = (message: string) => ({ status: 400, code: "invalid_request", message });

describe.each(groups)("of $nouns", (group) => {
  const { noun, nouns, Noun, names } = group;
  const notFound = { status: 404, code: `${noun}_not_found`, message: `${Noun} not found` };
  const cycle = invalid(`parent${Noun}Id must not be the ${noun} itself or a ${noun} inside it`);
  const oneFieldOf = `at least one of these fields is required: ${noun}Name, ${noun}Color, parent${Noun}Id`;

  describe(`POST /${nouns}`, () => {
    test("creates in order and answers full records; malformed, forbidden and unknown items become errors", async () => {
      const { call, limitedKey, given, team, otherTeam, workspace, clock, client, balance } = await startService();
      const [parent, other] = [await group.make(given), await group.make(given, { teamId: otherTeam.id })];
      const bare = (name: string) => group.fields({ name, color: "c", teamId: team.id });
      const before = await balance();

      const answer = await call("POST", `/${nouns}`, {
        key: limitedKey.secret,
        body: {
          [nouns]: [
            bare("First"),
            bare(""),
            { ...bare("Nested"), [names.parentId]: parent.id },
            { ...bare("Other team"), teamId: otherTeam.id },
            { ...bare("No team"), teamId: Bun.randomUUIDv7() },
            { ...bare("Other parent"), [names.parentId]: other.id },
            null,
            { ...bare("Colored"), color: "red" },
            [],
            { ...bare("Colored"), [`${noun}_color`]: "red" },
            { ...bare("Last"), [names.parentId]: null },
          ],
        },
      });

      const record = (name: string, parentId: string | null) => ({
        id: newId,
        ...group.record({ name, color: "c", parentId }),
        team_id: team.id,
        workspace_id: workspace.id,
        created_at: moment(clock),
        updated_at: moment(clock),
      });
      expect(answer.body).toEqual({
        success: true,
        data: {
          [`created${Noun}s`]: [record("First", null), record("Nested", parent.id), record("Last", null)],
          errors: [
            { index: 1, message: `${noun}Name must be 1 to 1000 characters`, error: "invalid_request" },
            { index: 3, message: "API key does not have access to this team", error: "team_forbidden" },
            { index: 4, message: "Team not found", error: "team_not_found" },
            { index: 5, message: `parent${Noun}Id must be a ${noun} of the same team`, error: "invalid_request" },
            { index: 6, message: "The item must be an object", error: "invalid_request" },
            { index: 7, message: "color is not a known field", error: "invalid_request" },
            { index: 8, message: "The item must be an object", error: "invalid_request" },
            {
              index: 9,
              message: `${noun}_color is not a known field. Did you mean ${noun}Color?`,
              error: "invalid_request",
            },
          ],
        },
        usage: { remainingRequests: before - 3, usageDeducted: 3 },
        metadata: { requestedCount: 11, createdCount: 3, failedCount: 8 },
      });
      for (const made of answer.body.data[`created${Noun}s`]) expect(await group.read(client, made.id)).toEqual(made);
    });

    test("when no item goes through, fails with the first item's error; the array is checked first", async () => {
      const { call, key, limitedClient, team, otherTeam, content, balance } = await startService();
      const bare = { name: "N", color: "c", teamId: team.id };
      const [before, unchanged] = [await balance(), await content()];
      const unreached = { ...bare, teamId: otherTeam.id };
      const unknown = { ...bare, teamId: Bun.randomUUIDv7() };
      const malformed = { ...bare, color: "" };
      const colorRule = invalid(`${noun}Color must be 1 to 100 characters`);
      const post = (...items: readonly (typeof bare)[]) => refusalOf(group.postMany(limitedClient, items));
      expect(await post(unreached, unknown, malformed)).toEqual(forbidden);
      expect(await post(unknown, malformed, unreached)).toEqual(noTeam);
      expect(await post(malformed, unreached, unknown)).toEqual(colorRule);
      for (const [body, message] of [
        [{}, `${nouns} is required`],
        [{ [nouns]: {} }, `${nouns} must be an array`],
        [{ [nouns]: [] }, `${nouns} must have 1 to 100 items`],
        [{ [nouns]: Array(101).fill(group.fields(bare)) }, `${nouns} must have 1 to 100 items`],
      ] as const) {
        const answer = await call("POST", `/${nouns}`, { key: key.secret, body });
        expect([answer.status, answer.body.message]).toEqual([400, message]);
      }
      expect(await content()).toEqual(unchanged);
      expect(await balance()).toBe(before - 7);
    });
  });

  describe(`PUT /${nouns}`, () => {
    test("changes in order and answers full records; each item is taken by itself", async () => {
      const [started, stranger] = [await startService(), await startService()];
      const { call, client, limitedKey, given, otherTeam, balance } = started;
      const [one, two, three] = [await group.make(given), await group.make(given), await group.make(given)];
      const other = await group.make(given, { teamId: otherTeam.id });
      const foreign = await group.make(stranger.given);
      const never = Bun.randomUUIDv7();
      const before = await balance();

      const answer = await call("PUT", `/${nouns}`, {
        key: limitedKey.secret,
        body: {
          [nouns]: [
            { id: two.id, [names.name]: "Two" },
            { id: other.id, [names.name]: "Other" },
            { id: foreign.id, [names.name]: "Foreign" },
            { id: never, [names.name]: "Never" },
            { id: one.id, [names.color]: "green", [names.parentId]: two.id },
            { id: two.id.toUpperCase(), [names.name]: "Two again" },
            { id: "no id", [names.name]: "x" },
            { [names.name]: "x" },
            { id: three.id },
            { id: Bun.randomUUIDv7(), [names.name]: "x", teamId: otherTeam.id },
            { id: 5, [names.name]: "x" },
          ],
        },
      });

      const changedTwo = { ...two, ...group.record({ name: "Two" }) };
      const changedOne = { ...one, ...group.record({ color: "green", parentId: two.id }) };
      expect(answer.body).toEqual({
        success: true,
        data: {
          [`updated${Noun}s`]: [changedTwo, changedOne],
          errors: [
            { index: 1, id: other.id, message: "API key does not have access to this team", error: "team_forbidden" },
            { index: 2, id: foreign.id, message: `${Noun} not found`, error: `${noun}_not_found` },
            { index: 3, id: never, message: `${Noun} not found`, error: `${noun}_not_found` },
            {
              index: 5,
              id: two.id.toUpperCase(),
              message: "id must not appear twice in one request",
              error: "invalid_request",
            },
            { index: 6, id: "no id", message: "id must be a UUID", error: "invalid_request" },
            { index: 7, message: "id is required", error: "invalid_request" },
            { index: 8, id: three.id, message: oneFieldOf, error: "invalid_request" },
            { index: 9, id: expect.any(String), message: "teamId is not a known field", error: "invalid_request" },
            { index: 10, message: "id must be a UUID", error: "invalid_request" },
          ],
        },
        usage: { remainingRequests: before - 2, usageDeducted: 2 },
        metadata: { requestedCount: 11, updatedCount: 2, failedCount: 9 },
      });
      for (const made of [changedOne, changedTwo, three, other])
        expect(await group.read(client, made.id)).toEqual(made);
      expect(await group.read(stranger.client, foreign.id)).toEqual(foreign);
    });

    test("sees the parents that earlier items of the same batch have set: no cycle gets through", async () => {
      const { client, given } = await startService();
      const [a, b, c] = [await group.make(given), await group.make(given), await group.make(given)];
      const answer = await group.putMany(client, [
        { id: a.id, parentId: b.id },
        { id: b.id, parentId: c.id },
        { id: c.id, parentId: a.id },
      ]);
      expect(answer.data[`updated${Noun}s`].map(({ id }: { id: string }) => id)).toEqual([a.id, b.id]);
      expect(answer.data.errors).toEqual([{ index: 2, id: c.id, message: cycle.message, error: cycle.code }]);
      expect(answer.usage.usageDeducted).toBe(2);

      // And the other way round: a later item may build anew what an earlier one took apart.
      const turned = await group.putMany(client, [
        { id: a.id, parentId: null },
        { id: c.id, parentId: a.id },
      ]);
      expect(turned.data[`updated${Noun}s`].map(group.parentOf)).toEqual([null, a.id]);
      expect(turned.data.errors).toEqual([]);
      expect(await refusalOf(group.putMany(client, [{ id: a.id, parentId: a.id }]))).toEqual(cycle);
    });

    test("when no item goes through, fails with the first item's error; the array is checked first", async () => {
      const { call, key, limitedClient, given, otherTeam, content, balance } = await startService();
      const [own, other] = [await group.make(given), await group.make(given, { teamId: otherTeam.id })];
      const [before, unchanged] = [await balance(), await content()];
      const unreached = { id: other.id, name: "New" };
      const unknown = { id: Bun.randomUUIDv7(), name: "New" };
      const malformed = { id: own.id, name: "" };
      const nameRule = invalid(`${noun}Name must be 1 to 1000 characters`);
      const put = (...items: readonly (typeof unknown)[]) => refusalOf(group.putMany(limitedClient, items));
      expect(await put(unreached, unknown, malformed)).toEqual(forbidden);
      expect(await put(unknown, malformed, unreached)).toEqual(notFound);
      expect(await put(malformed, unreached, unknown)).toEqual(nameRule);
      for (const [body, message] of [
        [{}, `${nouns} is required`],
        [{ [nouns]: "x" }, `${nouns} must be an array`],
        [{ [nouns]: [] }, `${nouns} must have 1 to 100 items`],
        [{ [nouns]: Array(101).fill({ id: own.id, [names.name]: "New" }) }, `${nouns} must have 1 to 100 items`],
      ] as const) {
        const answer = await call("PUT", `/${nouns}`, { key: key.secret, body });
        expect([answer.status, answer.body.message]).toEqual([400, message]);
      }
      expect(await content()).toEqual(unchanged);
      expect(await balance()).toBe(before - 7);
    });

    test("takes 100 items, each with a parent of its own", async () => {
      const { client, team } = await startService();
      const bare = { name: "N", color: "c", teamId: team.id };
      const make = async (): Promise<string[]> =>
        (await group.postMany(client, Array(100).fill(bare))).data[`created${Noun}s`].map(
          ({ id }: { id: string }) => id,
        );
      const [ids, parents] = [await make(), await make()];
      const answer = await group.putMany(
        client,
        ids.map((id, index) => ({ id, parentId: parents[index] ?? null })),
      );
      expect(
        answer.data[`updated${Noun}s`].map((changed: { id: string }) => [changed.id, group.parentOf(changed)]),
      ).toEqual(ids.map((id, index) => [id, parents[index] ?? null]));
      expect(answer.usage.usageDeducted).toBe(100);
    });
  });

  describe(`DELETE /${nouns}`, () => {
    test("with nothing accessible: 200 with the counts, cost 0", async () => {
      const { limitedClient, given, otherTeam, balance, content } = await startService();
      const other = await group.make(given, { teamId: otherTeam.id });
      const [before, unchanged] = [await balance(), await content()];
      expect(await group.deleteMany(limitedClient, [other.id, Bun.randomUUIDv7()])).toEqual({
        success: true,
        data: { message: expect.any(String) },
        usage: { remainingRequests: before, usageDeducted: 0 },
        metadata: { requestedCount: 2, deletedCount: 0, inaccessibleCount: 2, accessibleCount: 0 },
      });
      expect(await content()).toEqual(unchanged);
    });
  });
});
