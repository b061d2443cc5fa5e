// The sentences that folders and tags have in common (decisions, Records; decisions, Bodies).
import { describe, expect, test } from "bun:test";
import { moment, newId } from "../support/expect.ts";
import { countdown, createSnippets, groups, titles } from "../support/groups.ts";
import { refusalOf, startService, text } from "../support/service.ts";

const invalid = (message: string) => ({ status: 400, code: "invalid_request", message });

describe.each(groups)("of a $noun", (group) => {
  const { noun, Noun, names } = group;
  const otherTeamsParent = invalid(`parent${Noun}Id must be a ${noun} of the same team`);
  const cycle = invalid(`parent${Noun}Id must not be the ${noun} itself or a ${noun} inside it`);
  const oneFieldOf = `at least one of these fields is required: ${noun}Name, ${noun}Color, parent${Noun}Id`;
  const otherNoun = noun === "folder" ? "tag" : "folder";

  describe(`POST /${noun}`, () => {
    test("answers the record with all its fields, and what else is said of a new one", async () => {
      const { client, team, workspace, clock, balance } = await startService();

      const answer = await group.post(client, { name: "Name", color: "#336699", teamId: team.id });

      const record = {
        id: answer.data[noun].id,
        ...group.record({ name: "Name", color: "#336699", parentId: null }),
        team_id: team.id,
        workspace_id: workspace.id,
        created_at: moment(clock),
        updated_at: moment(clock),
      };
      expect(answer).toEqual({
        success: true,
        data: { [noun]: record },
        usage: { remainingRequests: 99_999 },
        ...group.createdMetadata({ id: record.id, name: "Name", createdAt: moment(clock) }),
      });
      expect(record.id).toEqual(newId);
      expect((await group.get(client, record.id)).data).toEqual({ [noun]: record, snippets: [] });
      expect(await balance()).toBe(99_998);
    });

    test("needs a name, a color and a team, nothing else", async () => {
      const { call, key, team, content } = await startService();
      const whole = group.fields({ name: "Name", color: "red", teamId: team.id });
      const unchanged = await content();
      for (const name of [names.name, names.color, "teamId"]) {
        const answer = await call("POST", `/${noun}`, { key: key.secret, body: { ...whole, [name]: undefined } });
        expect([answer.status, answer.body.message]).toEqual([400, `${name} is required`]);
      }
      expect(await content()).toEqual(unchanged);
    });

    test("a parent makes it nested; null is the same as none", async () => {
      const { client, given, team } = await startService();
      const parent = await group.make(given);
      const bare = { name: "Name", color: "red", teamId: team.id };
      const child = (await group.post(client, { ...bare, parentId: parent.id.toUpperCase() })).data[noun];
      expect(group.parentOf(child)).toBe(parent.id);
      expect(group.parentOf((await group.post(client, { ...bare, parentId: null })).data[noun])).toBeNull();
    });

    test("names need not be unique", async () => {
      const { given } = await startService();
      const [one, two] = [await group.make(given, { name: "Same" }), await group.make(given, { name: "Same" })];
      expect([one[`${noun}_name`], two[`${noun}_name`], one.id === two.id]).toEqual(["Same", "Same", false]);
    });

    test("a parent must be of the same noun and team: 400 naming the field", async () => {
      const [started, stranger] = [await startService(), await startService()];
      const { client, given, team, otherTeam, content } = started;
      const parents = [
        (await group.make(given, { teamId: otherTeam.id })).id,
        (await group.make(stranger.given)).id,
        (await given[otherNoun]()).id,
        Bun.randomUUIDv7(),
      ];
      const unchanged = await content();
      for (const parentId of parents)
        expect(await refusalOf(group.post(client, { name: "N", color: "c", teamId: team.id, parentId }))).toEqual(
          otherTeamsParent,
        );
      expect(await content()).toEqual(unchanged);
    });
  });

  describe(`PUT /${noun}`, () => {
    test("changes what it carries, leaves what is absent, and answers the record as it is now", async () => {
      const { client, given, clock, balance } = await startService({});
      const [parent, before] = [await group.make(given), await group.make(given)];
      let expected = before;
      for (const change of [
        { name: "New name" },
        { color: "green" },
        { parentId: parent.id },
        { name: "Again" },
        { parentId: null },
        { name: "All", color: "blue", parentId: parent.id },
      ]) {
        clock.advance(1);
        const remaining = await balance();
        expected = { ...expected, ...group.record(change), updated_at: moment(clock) };
        expect(await group.put(client, before.id, change)).toEqual({
          success: true,
          data: { [noun]: expected },
          usage: { remainingRequests: remaining - 1 },
          metadata: {
            fieldsUpdated: Object.fromEntries(Object.keys(group.fields(change)).map((name) => [name, true])),
          },
        });
        expect(await group.read(client, before.id)).toEqual(expected);
      }
    });

    test("null where it cannot clear, a team, an unknown field or no field at all: 400 and nothing changed", async () => {
      const { call, given, key, otherTeam, content } = await startService();
      const made = await group.make(given);
      const unchanged = await content();
      const bodies = [
        [{ [names.name]: null }, `${names.name} must be a string`],
        [{ [names.color]: null }, `${names.color} must be a string`],
        [{ [names.name]: "New", teamId: otherTeam.id }, "teamId is not a known field"],
        [{ [names.name]: "New", id: made.id }, "id is not a known field"],
        [
          { [names.name]: "New", [`parent_${noun}_id`]: null },
          `parent_${noun}_id is not a known field. Did you mean parent${Noun}Id?`,
        ],
        [{}, oneFieldOf],
      ] as const;
      for (const [body, message] of bodies) {
        const answer = await call("PUT", `/${noun}`, { key: key.secret, query: group.id(made.id), body });
        expect([answer.status, answer.body.message]).toEqual([400, message]);
      }
      expect(await content()).toEqual(unchanged);
    });

    test("a parent that would close a cycle, of any length: 400", async () => {
      const { client, given, content } = await startService();
      const chain = [await group.make(given)];
      for (let depth = 1; depth < 12; depth += 1) chain.push(await group.make(given, { parentId: chain.at(-1).id }));
      const aside = await group.make(given, { parentId: chain[3].id });
      const unchanged = await content();
      for (const parent of [...chain, aside])
        expect(await refusalOf(group.put(client, chain[0].id, { parentId: parent.id }))).toEqual(cycle);
      expect(await refusalOf(group.put(client, chain[5].id, { parentId: chain[6].id }))).toEqual(cycle);
      expect(await content()).toEqual(unchanged);

      // Only what lies below is refused: a place beside its own line closes no cycle.
      const moved = await group.put(client, chain[5].id, { parentId: aside.id });
      expect(group.parentOf(moved.data[noun])).toBe(aside.id);
    });

    test("a parent of another team of the workspace: 400, also for a key that reaches both", async () => {
      const { client, given, otherTeam } = await startService();
      const [made, other] = [await group.make(given), await group.make(given, { teamId: otherTeam.id })];
      expect(await refusalOf(group.put(client, made.id, { parentId: other.id }))).toEqual(otherTeamsParent);
    });
  });

  describe(`GET /${noun}`, () => {
    test("answers the record and its snippets as lists show them, archived ones too, at 1 + 1 per snippet", async () => {
      const { client, given, balance } = await startService();
      const [made, other] = [await group.make(given), await group.make(given)];
      await given.snippet();
      await given.snippet(group.inside(other.id));
      const { created_by: _, tag_ids: __, variations: ___, ...snippet } = await given.snippet(group.inside(made.id));
      await client.putSnippet({ id: snippet.id, isArchived: true });
      const before = await balance();

      expect(await group.get(client, made.id)).toEqual({
        success: true,
        data: { [noun]: made, snippets: [{ ...snippet, is_archived: true }] },
        usage: { remainingRequests: before - 2, usageDeducted: 2 },
        pagination: { limit: 50, offset: 0, totalSnippets: 1, hasMore: false, currentPage: 1, totalPages: 1 },
      });
    });

    test("without a snippet: cost 1, no page", async () => {
      const { client, given } = await startService();
      const answer = await group.get(client, (await group.make(given)).id);
      expect(answer.usage).toEqual({ remainingRequests: 99_998, usageDeducted: 1 });
      expect(answer.pagination).toEqual({
        limit: 50,
        offset: 0,
        totalSnippets: 0,
        hasMore: false,
        currentPage: 1,
        totalPages: 0,
      });
    });

    test("lists the newest first by creation, however late a snippet came in; those of one moment by their ids", async () => {
      const { client, given, clock, team } = await startService({});
      const made = await group.make(given);
      const late = await given.snippet({ title: "0" });
      clock.advance(1);
      await given.snippet({ title: "1", ...group.inside(made.id) });
      clock.advance(1);
      const tied = ["2", "3", "4"].map((title) => ({ title, content: text("x"), teamId: team.id }));
      await client.postSnippets({ snippets: tied.map((snippet) => ({ ...snippet, ...group.inside(made.id) })) });
      clock.advance(1);
      const later = await given.snippet({ title: "5" });
      clock.advance(1);
      await given.snippet({ title: "6", ...group.inside(made.id) });
      clock.advance(1);
      await client.putSnippet({ id: late.id, ...group.inside(made.id) });
      await client.putSnippet({ id: later.id, ...group.inside(made.id) });

      const { data } = await group.get(client, made.id);
      expect(titles(data.snippets)).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
      const pages = [];
      for (let offset = 0; offset < 8; offset += 2)
        pages.push(...titles((await group.get(client, made.id, { limit: 2, offset })).data.snippets));
      expect(pages).toEqual(titles(data.snippets));
    });

    test("pages by limit and offset: the figures are right on every edge, default limit 50", async () => {
      const started = await startService();
      const { client, given, balance } = started;
      const made = await group.make(given);
      await createSnippets(started, group.inside(made.id), 51);
      const pages = [
        [{}, 50, { limit: 50, offset: 0, hasMore: true, currentPage: 1, totalPages: 2 }],
        [{ offset: 50 }, 1, { limit: 50, offset: 50, hasMore: false, currentPage: 2, totalPages: 2 }],
        [{ limit: 51 }, 51, { limit: 51, offset: 0, hasMore: false, currentPage: 1, totalPages: 1 }],
        [{ limit: 100 }, 51, { limit: 100, offset: 0, hasMore: false, currentPage: 1, totalPages: 1 }],
        [{ limit: 17, offset: 17 }, 17, { limit: 17, offset: 17, hasMore: true, currentPage: 2, totalPages: 3 }],
        [{ limit: 17, offset: 34 }, 17, { limit: 17, offset: 34, hasMore: false, currentPage: 3, totalPages: 3 }],
        [{ limit: 10, offset: 5 }, 10, { limit: 10, offset: 5, hasMore: true, currentPage: 1, totalPages: 6 }],
        [{ limit: 10, offset: 39 }, 10, { limit: 10, offset: 39, hasMore: true, currentPage: 4, totalPages: 6 }],
        [{ limit: 1, offset: 50 }, 1, { limit: 1, offset: 50, hasMore: false, currentPage: 51, totalPages: 51 }],
        [{ limit: 10, offset: 51 }, 0, { limit: 10, offset: 51, hasMore: false, currentPage: 6, totalPages: 6 }],
        [{ limit: 100, offset: 51 }, 0, { limit: 100, offset: 51, hasMore: false, currentPage: 1, totalPages: 1 }],
        [
          { limit: 10, offset: 1_000 },
          0,
          { limit: 10, offset: 1_000, hasMore: false, currentPage: 101, totalPages: 6 },
        ],
      ] as const;
      for (const [page, count, figures] of pages) {
        const before = await balance();
        const answer = await group.get(client, made.id, page);
        expect(answer.pagination).toEqual({ totalSnippets: 51, ...figures });
        expect(titles(answer.data.snippets)).toEqual(countdown(50 - figures.offset, count));
        expect(answer.usage).toEqual({ remainingRequests: before - 1 - count, usageDeducted: 1 + count });
      }
    });
  });
});
