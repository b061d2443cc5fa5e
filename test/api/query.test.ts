// Query parameters: names, aliases, IDs, lists, numbers and times (decisions, Parameters).
import { describe, expect, test } from "bun:test";
import type { Operation } from "../../src/contract/operation.ts";
import { type OperationName, operationNames, operations } from "../../src/contract/operations.ts";
import { isInQuery, needsImport, type QueryPlace } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { someOnPostgres } from "../support/engine.ts";
import { expectRefusal, inGroups } from "../support/expect.ts";
import { refuseAll, send } from "../support/send-query.ts";
import { type RawAnswer, type Started, startService } from "../support/service.ts";
import { makeManyTargets, makeTargets, type Targets } from "../support/targets.ts";

const limits = operationNames.filter((name) => cases[name].otherParameters?.includes("limit"));

const isList = (place: QueryPlace): boolean => place.role === "list";
const queryPlaces = (name: OperationName): QueryPlace[] => cases[name].places.filter(isInQuery);

/** The whole query of the operation but for the parameter at `place`. */
const others = (name: OperationName, place: QueryPlace | undefined, targets: Targets): [string, string][] => [
  ...queryPlaces(name)
    .filter((other) => other !== place)
    .map((other): [string, string] => [other.names[0] ?? "", targets[other.target]]),
  ...Object.entries(cases[name].request(targets).query ?? {}).filter(
    ([parameter]) => parameter !== "limit" && cases[name].otherParameters?.includes(parameter),
  ),
];

const rows = operationNames.flatMap((name) =>
  queryPlaces(name).map((place) => [name, place.names.join("/"), place] as const),
);

const makePair = async (started: Started, name: OperationName): Promise<[Targets, Targets]> => {
  const [one, two] = await makeManyTargets(started, [started.team.id, started.team.id], needsImport(cases[name]));
  if (!one || !two) throw new Error("no targets");
  return [one, two];
};

test("every query parameter of the table is tried here, under exactly its names", () => {
  for (const name of operationNames) {
    const { query }: Operation = operations[name];
    expect(
      Object.entries(query)
        .map(([parameter, { aliases }]) => [parameter, ...aliases].join("/"))
        .sort(),
    ).toEqual(
      [...queryPlaces(name).map((place) => place.names.join("/")), ...(cases[name].otherParameters ?? [])].sort(),
    );
  }
});

describe.each(someOnPostgres(rows))("%s, %s", (name, _, place) => {
  const isSuccess = (answer: RawAnswer) => expect(answer.body).toMatchObject({ success: true });
  const [documented = "", alias] = place.names;
  const must = isList(place)
    ? (used: string) => `each ID in ${used} must be a UUID`
    : (used: string) => `${used} must be a UUID`;

  test("is taken under each of its names, in either case, beside unknown parameters", async () => {
    const expected = cases[name].units;
    const ways = place.names.flatMap((used) =>
      [(id: string) => id, (id: string) => id.toUpperCase()].map((spelt) => ({ used, spelt })),
    );
    await inGroups(ways, async ({ used, spelt }) => {
      const started = await startService();
      const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
      const answer = await send(started, name, targets, [
        ["unknown", ""],
        ...others(name, place, targets),
        [used, spelt(targets[place.target])],
        ["Id", "x"],
      ]);
      isSuccess(answer);
      expect(answer.headers.get("x-request-cost")).toBe(String(expected));
    });
  });

  // Most have one name.
  if (alias !== undefined)
    test("under two names: the same value is one value, two values are refused", async () => {
      const started = await startService();
      const [targets, second] = await makePair(started, name);
      const unchanged = await started.content();
      const id = targets[place.target];
      const both = (one: string, two: string) =>
        send(started, name, targets, [
          [documented, one],
          [alias, two],
        ]);

      const message = `${documented} and ${alias} must be the same`;
      const wrong = [
        [id, second[place.target], message],
        [second[place.target], id, message],
        [id, "x", must(alias)],
        ["", id, must(documented)],
      ] as const;
      await inGroups(wrong, async ([one, two, refusal]) => expectRefusal(await both(one, two), 400, refusal));
      expect(await started.content()).toEqual(unchanged);
      isSuccess(await both(id, id.toUpperCase()));
    });

  test("given twice is refused, even with one value", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
    const unchanged = await started.content();
    const id = targets[place.target];
    const twice = place.names.flatMap((used) => [id, Bun.randomUUIDv7(), ""].map((second) => ({ used, second })));
    await inGroups(twice, async ({ used, second }) => {
      const query: [string, string][] = [...others(name, place, targets), [used, id], [used, second]];
      expectRefusal(await send(started, name, targets, query), 400, `${used} must be sent only once`);
    });
    expect(await started.content()).toEqual(unchanged);
  });

  test("missing, empty or no UUID is refused with its name", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
    const unchanged = await started.content();
    const rest = others(name, place, targets);
    const required = isList(place) ? `${place.noun} IDs are required` : `${place.noun} ID is required`;
    if (!place.isOptional) expectRefusal(await send(started, name, targets, rest), 400, required);
    const id = targets[place.target];
    const wrong = [
      "",
      " ",
      "x",
      "null",
      "undefined",
      "0",
      id.slice(1),
      `${id}0`,
      id.replaceAll("-", ""),
      `{${id}}`,
      `urn:uuid:${id}`,
      id.replace(/.$/, "g"),
      `${id}\n`,
      `${id}\0`,
      "'; drop table snippets; --",
      "<b>",
      "💥".repeat(9),
    ];
    // Spaces around an ID are allowed in a list.
    const values = isList(place) ? wrong.filter((text) => text.trim() !== id) : wrong;
    for (const used of place.names)
      await refuseAll(
        started,
        name,
        targets,
        values.map((value) => [...rest, [used, value]]),
        must(used),
      );
    expect(await started.content()).toEqual(unchanged);
  });

  test("nil and other versions of UUID are ids like any other", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
    const unusual = [
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
      "c232ab00-9414-11ec-b3c8-9f6bdeced846",
      crypto.randomUUID(),
    ];
    await inGroups(unusual, async (id) => {
      const answer = await send(started, name, targets, [...others(name, place, targets), [documented, id]]);
      if (isList(place)) isSuccess(answer);
      else expectRefusal(answer, 404, place.role === "pair" ? "Variation not found" : `${place.noun} not found`);
    });
  });
});

const lists = rows.filter(([, , place]) => isList(place));

describe.each(someOnPostgres(lists))("the id list of %s, %s", (name, _, place) => {
  const [documented = ""] = place.names;
  const requested = (answer: RawAnswer) => answer.body.metadata?.requestedCount ?? answer.body;

  test("may be comma-separated or a JSON array, with spaces round the ids; duplicates count once", async () => {
    const started = await startService();
    const forms: ((a: string, b: string) => string)[] = [
      (a, b) => `${a},${b}`,
      (a, b) => JSON.stringify([a, b]),
      (a, b) => ` ${a} , ${b} `,
      (a, b) => `${a},\t${b}`,
      (a, b) => ` [ "${a}" , " ${b} " ] `,
      (a, b) => `${a},${b},${a}`,
      (a, b) => `${a},${b},${a.toUpperCase()},${b.toUpperCase()}`,
      (a, b) => JSON.stringify([a, b, b, a.toUpperCase()]),
    ];
    for (const form of forms) {
      const [one, two] = await makePair(started, name);
      const answer = await send(started, name, one, [[documented, form(one[place.target], two[place.target])]]);
      expect(requested(answer)).toBe(2);
      expect(answer.body.metadata.accessibleCount).toBe(2);
    }
  });

  test("has 1 to 100 different ids", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
    const ids = [targets[place.target], ...Array.from({ length: 100 }, () => Bun.randomUUIDv7())];
    const [most, tooMany] = [ids.slice(0, 100), ids];
    const unchanged = await started.content();
    const ask = (value: string) => send(started, name, targets, [[documented, value]]);
    for (const value of [tooMany.join(","), JSON.stringify(tooMany), "[]", " [ ] "])
      expectRefusal(await ask(value), 400, `${documented} must contain 1 to 100 unique IDs`);
    expect(await started.content()).toEqual(unchanged);
    expect(requested(await ask(most.slice(1).join(",")))).toBe(99);
    expect(requested(await ask([...most, ...most].join(",")))).toBe(100);
    expect(requested(await ask(JSON.stringify([...most.slice(1), ids[100], ids[100]?.toUpperCase()])))).toBe(100);
    expect(requested(await ask(JSON.stringify(targets[place.target].split(","))))).toBe(1);
  });

  test("that is neither form is refused", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
    const id = targets[place.target];
    const unchanged = await started.content();
    const noIds = [
      ",",
      `${id},`,
      `,${id}`,
      `${id},,${id}`,
      `${id} ${id}`,
      `${id};${id}`,
      `["${id}", ""]`,
      `["${id},${id}"]`,
      `{"0":"${id}"}`,
      `"${id}"`,
    ];
    const refuse = (values: readonly string[], message: string) =>
      refuseAll(
        started,
        name,
        targets,
        values.map((value) => [[documented, value]]),
        message,
      );
    await refuse(noIds, `each ID in ${documented} must be a UUID`);
    const form = `${documented} must be a comma-separated list or a JSON array of IDs`;
    const noLists = [
      "[",
      `["${id}"`,
      `['${id}']`,
      `[${id}]`,
      `["${id}",]`,
      `["${id}"] x`,
      `[["${id}"]]`,
      "[null]",
      "[1]",
      "[{}]",
      `["${id}", 5]`,
      "[".repeat(4_000),
    ];
    await refuse(noLists, form);
    expect(await started.content()).toEqual(unchanged);
  });
});

describe.each(someOnPostgres(limits))("paging of %s", (name) => {
  const hasOffset = cases[name].otherParameters?.includes("offset");
  const ask = async (started: Started, targets: Targets, ...more: [string, string][]) =>
    send(started, name, targets, [...others(name, undefined, targets), ...more]);

  test("limit is an integer from 1 to 100, given once", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
    for (const limit of ["1", "2", "99", "100"]) {
      const answer = await ask(started, targets, ["limit", limit]);
      expect(answer.body).toMatchObject({ success: true });
      if (hasOffset) expect(answer.body.pagination.limit).toBe(Number(limit));
    }
    const wrong = [
      "",
      " ",
      "0",
      "-1",
      "101",
      "1.5",
      "1e1",
      "0x10",
      " 5",
      "5 ",
      "+5",
      "abc",
      "NaN",
      "Infinity",
      "null",
      "१",
      "99999999999999999999",
      "[5]",
      "5,6",
    ];
    await inGroups(wrong, async (limit) =>
      expectRefusal(await ask(started, targets, ["limit", limit]), 400, "limit must be an integer from 1 to 100"),
    );
    expectRefusal(await ask(started, targets, ["limit", "5"], ["limit", "5"]), 400, "limit must be sent only once");
  });

  if (hasOffset)
    test("offset is an integer of at least 0, given once", async () => {
      const started = await startService();
      const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
      for (const offset of ["0", "1", "1000000", "2147483648", "9007199254740991"]) {
        const answer = await ask(started, targets, ["offset", offset]);
        expect(answer.body).toMatchObject({ success: true });
        expect(answer.body.pagination.offset).toBe(Number(offset));
        const [page = answer.body.data] = answer.body.data.folders ?? [];
        expect(page.snippets).toHaveLength(offset === "0" ? 1 : 0);
      }
      const wrong = [
        "",
        " ",
        "-1",
        "-0",
        "1.5",
        "1e1",
        "0x1",
        "abc",
        "9007199254740992",
        "99999999999999999999",
        "1".repeat(500),
      ];
      await inGroups(wrong, async (offset) =>
        expectRefusal(await ask(started, targets, ["offset", offset]), 400, "offset must be an integer of at least 0"),
      );
      expectRefusal(
        await ask(started, targets, ["offset", "0"], ["offset", "0"]),
        400,
        "offset must be sent only once",
      );
    });
});

test.each(operationNames.filter((name) => cases[name].otherParameters?.includes("cursor")))(
  "the cursor of %s is one that the service gave, sent once",
  async (name) => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
    const field = name === "getChanges" ? "cursor" : "nextCursor";
    const rule = `cursor must be the ${field} of a response to the same request`;
    const wrong = ["", " ", "x", "null", "W10", "WyJhIl0", "0", "'; drop table snippets; --", "\0", "💥".repeat(99)];
    await inGroups(wrong, async (cursor) =>
      expectRefusal(await send(started, name, targets, [["cursor", cursor]]), 400, rule),
    );
    const twice: [string, string][] = [
      ["cursor", "x"],
      ["cursor", "x"],
    ];
    expectRefusal(await send(started, name, targets, twice), 400, "cursor must be sent only once");
  },
);

describe.each(["fromDate", "toDate"])("%s", (parameter) => {
  const ask = (started: Started, variationId: string, query: string) =>
    started.call("GET", "/snippet/variation/history", {
      key: started.key.secret,
      query: `variationId=${variationId}&${query}`,
    });

  test("takes ISO 8601 timestamps with any UTC offset, a plus sign that was not escaped too", async () => {
    const started = await startService({ at: "2026-03-10T12:00:00.000Z" });
    const { variationId } = await makeTargets(started, started.team.id);
    const moments = [
      "2026-03-10T12:00:00Z",
      "2026-03-10T12:00:00.0Z",
      "2026-03-10T12:00:00.000000Z",
      "2026-03-10T14:00:00+02:00",
      "2026-03-11T02:00:00+14:00",
      "2026-03-10T00:00:00-12:00",
      "2026-03-10T17:45:00+05:45",
      "2026-03-10T12:00:00-00:00",
    ];
    const spelt = moments.flatMap((moment) => [encodeURIComponent(moment), moment]);
    await inGroups(spelt, async (text) => {
      const answer = await ask(started, variationId, `${parameter}=${text}`);
      // The only record has exactly this time, and both bounds are inclusive.
      expect([text, answer.body.metadata]).toEqual([text, { hasMore: false, totalRecords: 1 }]);
    });
  });

  test("refuses everything else with its name", async () => {
    const started = await startService();
    const { variationId } = await makeTargets(started, started.team.id);
    const rule = `${parameter} must be an ISO 8601 timestamp with a UTC offset, such as 2026-01-31T09:30:00Z`;
    const wrong = [
      "",
      " ",
      "now",
      "0",
      "1767225600",
      "1767225600000",
      "2026-03-10",
      "12:00:00Z",
      "2026-03-10T12:00:00",
      "2026-13-10T12:00:00Z",
      "2026-02-30T12:00:00Z",
      "2025-02-29T12:00:00Z",
      "2026-03-10T24:00:00Z",
      "2026-03-10T12:60:00Z",
      "2026-03-10T12:00:61Z",
      "2026-03-10T12:00:00+24:00",
      "2026-03-10T12:00:00 UTC",
      "Tue, 10 Mar 2026 12:00:00 GMT",
      "+012026-03-10T12:00:00Z",
      "-000001-03-10T12:00:00Z",
      "2026-W11-2T12:00:00Z",
      "' or 1=1 --",
    ];
    await inGroups(wrong, async (text) =>
      expectRefusal(await ask(started, variationId, `${parameter}=${encodeURIComponent(text)}`), 400, rule),
    );
    const twice = `${parameter}=2026-03-10T12:00:00Z`;
    expectRefusal(await ask(started, variationId, `${twice}&${twice}`), 400, `${parameter} must be sent only once`);
  });
});
