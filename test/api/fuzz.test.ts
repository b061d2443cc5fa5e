// Every request gets a response of the interface's form, and balances and data stay consistent: random calls, valid, invalid and
// partly valid, with IDs that exist and IDs that do not. FUZZ_SEED repeats a run, FUZZ_CALLS makes a longer one.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { errorBody } from "../../src/contract/envelope.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { anyCharacter } from "../support/any-character.ts";
import { cases } from "../support/cases.ts";
import { engine } from "../support/engine.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { startService, text } from "../support/service.ts";
import { makeManyTargets, type Targets } from "../support/targets.ts";

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
const calls = Number(process.env.FUZZ_CALLS ?? (engine.name === "sqlite" ? 4_000 : 1_000));
const atOnce = 32;
const sentMax = 10;

test(`${calls} random calls, seed ${seed}: no failure of ours, and everything stays whole`, async () => {
  const started = await startService({});
  await started.admin((transaction) =>
    changeWorkspace(transaction, started.workspace.id, { monthly_requests: 1_000_000_000 }),
  );
  // Many, so that some survive the random deletes.
  const teamIds = Array.from({ length: 50 }, (_, index) => (index % 3 === 0 ? started.otherTeam : started.team).id);
  const targets = await makeManyTargets(started, teamIds, true);
  const keys = [started.key.secret, started.limitedKey.secret, started.emptyKey.secret];
  const arbitrary = callArbitrary(
    targets.flatMap((target) => Object.values(target)),
    targets,
    keys,
  );

  const statuses = new Map<number, number>();
  const sample = fc.sample(arbitrary, { seed, numRuns: calls });
  while (sample.length > 0)
    await Promise.all(
      sample.splice(0, atOnce).map(async ({ name, key, query, body }) => {
        const { method, path }: Operation = operations[name];
        const send = () => started.call(method, path, { key, query, ...(body !== undefined && { body }) });
        let answer = await send();
        // A busy machine may keep so many waiting for one lock too long. Nothing was done then.
        for (let sent = 1; answer.status === 503 && sent < sentMax; sent += 1) answer = await send();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const isRight = answer.status === 200 ? answer.body.success === true : errorBody.safeParse(answer.body).success;
        if (answer.status >= 500 || !isRight)
          throw new Error(`${answer.status} ${name} ?${query} ${body?.slice(0, 500)}: ${answer.text.slice(0, 500)}`);
      }),
    );

  expect([...statuses.keys()].sort()).toEqual([200, 400, 403, 404]);
  await expectConsistentBalances(started.rows, started.workspace.id);
  expect(await engine.findings(started.dataDirectory)).toEqual([]);
  expect(
    await started.rows(
      `select id from snippets s where variation_count < 1
         or variation_count <> 1 + (select count(*) from variations v where v.snippet_id = s.id)`,
    ),
  ).toEqual([]);
}, 600_000);

/** A call of any operation: its example with other IDs, and with fields and parameters removed, added and corrupted. */
function callArbitrary(ids: readonly string[], targets: readonly Targets[], keys: readonly string[]) {
  const id = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ids) }, fc.uuid());
  const junk = fc.oneof(
    id,
    fc.json().map((json) => JSON.parse(json) as unknown),
    fc.string({ unit: anyCharacter }),
  );
  const idsOfOneTarget = fc.constantFrom(...targets).chain((target) => fc.subarray(Object.values(target)));
  const fields = {
    title: fc.string(),
    teamId: id,
    content: fc.constantFrom(text("random"), text("", "code")),
    note: fc.option(fc.string()),
    folderId: fc.option(id),
    tagIds: fc.oneof(fc.array(id, { maxLength: 3 }), idsOfOneTarget),
    isArchived: fc.boolean(),
    variationName: fc.string(),
    variationIds: fc.oneof(fc.array(id, { maxLength: 3 }), idsOfOneTarget),
    parentFolderId: fc.option(id),
    parentTagId: fc.option(id),
    id,
    unknown: junk,
  };
  const someFields = fc
    .record(fields)
    .chain((all) =>
      fc
        .subarray(Object.entries(all), { minLength: 1, maxLength: 2 })
        .map((chosen): Record<string, unknown> => Object.fromEntries(chosen)),
    );
  return fc
    .record({
      name: fc.constantFrom(...operationNames),
      key: fc.constantFrom(...keys),
      target: fc.constantFrom(...targets),
      extra: fc.option(someFields, { freq: 2 }),
      spoilt: fc.option(fc.tuple(fc.nat(), junk), { freq: 1 }),
      parameter: fc.option(
        fc.tuple(
          fc.constantFrom(
            "id",
            "ids",
            "limit",
            "offset",
            "cursor",
            "fromDate",
            "variationId",
            "folderIds",
            "teamId",
            "snippetId",
            "shortcut",
            "variation",
            "waitSeconds",
            "format",
            "fileName",
            "columns",
            "onDuplicate",
            "allOrNothing",
            "dryRun",
            "maxItems",
            "importId",
          ),
          junk,
        ),
        { freq: 1 },
      ),
    })
    .map(({ name, key, target, extra, spoilt, parameter }) => {
      const example = cases[name].request(target);
      const query = new URLSearchParams(example.query);
      if (parameter)
        query.append(parameter[0], typeof parameter[1] === "string" ? parameter[1] : JSON.stringify(parameter[1]));
      const { body }: Operation = operations[name];
      const changes = Object.fromEntries(Object.entries(extra ?? {}).filter(([field]) => knownFields(body).has(field)));
      const alter = (whole: object) => {
        const altered = { ...whole, ...changes };
        const fields = Object.keys(altered);
        const spoiltField = spoilt === null ? undefined : fields[spoilt[0] % fields.length];
        return spoilt === null || spoiltField === undefined ? altered : { ...altered, [spoiltField]: spoilt[1] };
      };
      return { name, key, query: query.toString(), body: body && JSON.stringify(inBody(body, example.body, alter)) };
    });
}

/** Applies the change to the body, in a batch to its first item. */
function inBody(body: NonNullable<Operation["body"]>, example: unknown, alter: (whole: object) => object): unknown {
  if (body.kind === "file") return alter(JSON.parse(String(example)));
  const whole = z.record(z.string(), z.unknown()).parse(example ?? {});
  if (body.kind !== "batch") return alter(whole);
  const [first, ...others] = z.array(z.record(z.string(), z.unknown())).parse(whole[body.field]);
  return { [body.field]: [alter(first ?? {}), ...others] };
}

/** The fields of a body or of its items, and an unknown one. */
function knownFields(body: Operation["body"]): Set<string> {
  const schema = body && body.kind !== "file" && (body.kind === "batch" ? body.item : body.schema);
  return new Set([...(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []), "unknown"]);
}
