// ./commonplace doctor: every kind of data damage is found by its own check.
import { beforeAll, describe, expect, test } from "bun:test";
import { invariantChecks } from "../../src/operations/doctor/invariants.ts";
import { change, closeFiles, complaints, examine, findingOf, isSqlite } from "../support/doctor.ts";
import { type Connection, engine } from "../support/engine.ts";
import { type Filled, fillInstance } from "../support/filled.ts";
import { temporaryDirectory } from "../support/service.ts";

/** The tables' constraints would prevent the damage. */
async function withoutRules(directory: string): Promise<Connection> {
  const connection = await engine.connect(directory);
  const statements = isSqlite
    ? [
        "pragma foreign_keys = off",
        "pragma ignore_check_constraints = on",
        // What makes the variation order unique belongs to the table.
        "create table loose as select * from variations",
        "drop table variations",
        "alter table loose rename to variations",
      ]
    : [
        "set session_replication_role = replica",
        "alter table quota_months drop constraint quota_months_balance_check",
        "alter table variations drop constraint variations_workspace_id_snippet_id_variant_order_index_key",
      ];
  for (const statement of statements) await connection.run(statement);
  return connection;
}

interface Damage {
  readonly check: string;
  readonly plant: (filled: Filled) => string;
  /** The name in the finding. */
  readonly names: (filled: Filled) => string;
  /** Another check that also finds it. */
  readonly also?: string;
  /** True if the next damage belongs to the same check. */
  readonly undo?: (filled: Filled) => string;
}

const nowhere = "00000000-0000-4000-8000-000000000000";
const last = "ffffffff-ffff-4fff-bfff-ffffffffffff";

const keyNamed = (name: string, { workspace }: Filled) =>
  `(select id from api_keys where name = '${name}' and workspace_id = '${workspace.id}')`;

const damages: readonly Damage[] = [
  {
    check: "balances",
    plant: () => "update quota_months set balance = balance + 1 where month = '2026-01'",
    names: ({ workspace }) => `2026-01 in workspace ${workspace.id}`,
    undo: () => "update quota_months set balance = balance - 1 where month = '2026-01'",
  },
  {
    check: "balances",
    plant: () => "update usage_days set units = units + 1 where operation = 'getSnippet'",
    names: () => "2026-01",
    also: "usage totals",
    undo: () => "update usage_days set units = units - 1 where operation = 'getSnippet'",
  },
  {
    check: "balances",
    plant: () =>
      "update ledger set units = units + 1 where operation = 'postSnippet' and admitted_at > '2026-04-01T00:00:00.000Z'",
    names: () => "2026-04",
    also: "usage totals",
    undo: () =>
      "update ledger set units = units - 1 where operation = 'postSnippet' and admitted_at > '2026-04-01T00:00:00.000Z'",
  },
  {
    check: "balances",
    plant: () => "update quota_months set balance = balance + 1 where month = '2026-01'",
    names: () => "2026-01",
  },
  {
    check: "negative balances",
    plant: () => "update quota_months set balance = -1 where month = '2026-02'",
    names: () => "2026-02",
  },
  {
    check: "monthly grants",
    plant: () => "update quota_grants set kind = '100K' where kind = 'monthly' and month = '2026-02'",
    names: () => "2026-02",
  },
  {
    check: "requests",
    plant: (on) => `update api_keys set call_count = call_count + 1 where id = ${keyNamed("All teams", on)}`,
    names: ({ key }) => key.id,
    undo: (on) => `update api_keys set call_count = call_count - 1 where id = ${keyNamed("All teams", on)}`,
  },
  {
    check: "requests",
    plant: () => "update ledger set key_call = key_call - 1 where key_call = (select max(key_call) from ledger)",
    names: ({ key }) => key.id,
  },
  {
    check: "request keys",
    plant: () => `update usage_days set key_id = '${nowhere}' where operation = 'getSnippet'`,
    names: () => nowhere,
    also: "usage totals",
    undo: ({ key }) => `update usage_days set key_id = '${key.id}' where key_id = '${nowhere}'`,
  },
  {
    check: "request keys",
    plant: () => `update refused_requests set key_id = '${nowhere}' where reason = 'rate_limit'`,
    names: () => nowhere,
  },
  {
    check: "usage totals",
    plant: () => "update usage_totals set calls = calls + 1 where day = '2026-01-15' and operation = 'getSnippet'",
    names: ({ key }) => `2026-01 of key ${key.id}`,
    undo: () => "update usage_totals set calls = calls - 1 where day = '2026-01-15' and operation = 'getSnippet'",
  },
  {
    check: "usage totals",
    plant: () => "update usage_totals set units = units + 1 where day = '2026-01-15' and operation = 'putSnippet'",
    names: ({ key }) => `2026-01 of key ${key.id}`,
    undo: () => "update usage_totals set units = units - 1 where day = '2026-01-15' and operation = 'putSnippet'",
  },
  {
    check: "usage totals",
    plant: () => "delete from usage_totals where day like '2026-04-%'",
    names: ({ key }) => `2026-04 of key ${key.id}`,
  },
  {
    check: "key budgets",
    plant: ({ key }) =>
      `update api_keys set monthly_budget = 5, budget_month = '2001-01', budget_used = 1 where id = '${key.id}'`,
    names: ({ key }) => `key ${key.id}`,
    undo: ({ key }) =>
      `update api_keys set monthly_budget = null, budget_month = null, budget_used = null where id = '${key.id}'`,
  },
  {
    check: "purchased packages",
    plant: () => "update payments set status = 'failed' where reference = 'stripe paid'",
    names: () => "1 violation: payment:",
    undo: () => "update payments set status = 'paid' where reference = 'stripe paid'",
  },
  {
    check: "purchased packages",
    plant: () => "update payments set status = 'paid' where reference = 'stripe open'",
    names: () => "1 violation: payment:",
    undo: () => "update payments set status = 'open' where reference = 'stripe open'",
  },
  {
    check: "purchased packages",
    plant: () => "update payments set subject = '500K' where reference = 'manual open'",
    names: () => "2 violations: payment:",
    undo: () => "update payments set subject = '100K' where reference = 'manual open'",
  },
  {
    check: "purchased packages",
    plant: () => "update quota_grants set units = units * 2 where reference like 'payment:%'",
    names: () => "2 violations: payment:",
  },
  {
    check: "storage",
    plant: ({ workspace }) => `update workspace_storage set bytes = bytes + 7 where workspace_id = '${workspace.id}'`,
    names: ({ workspace }) => `off by 7 bytes in workspace ${workspace.id}`,
  },
  {
    check: "variations",
    plant: ({ plain }) => `update snippets set variation_count = 2 where id = '${plain.id}'`,
    names: ({ plain }) => plain.id,
    undo: ({ plain }) => `update snippets set variation_count = 1 where id = '${plain.id}'`,
  },
  {
    check: "variations",
    plant: ({ varied }) => `delete from variations where id = '${varied.variations[2]?.id}'`,
    names: ({ varied }) => varied.id,
  },
  {
    check: "earlier versions",
    plant: ({ snippet }) =>
      `update snippets set version_id = null, changed_at = null where id = '${snippet.id}' and variant_order_index = 0`,
    names: ({ snippet }) => snippet.id,
    undo: ({ snippet }) =>
      `update snippets set version_id = '${last}', changed_at = updated_at where id = '${snippet.id}'`,
  },
  {
    check: "earlier versions",
    plant: ({ snippet }) => `update former_versions set variation_number = 7 where snippet_id = '${snippet.id}'`,
    names: ({ snippet }) => snippet.id,
    undo: ({ snippet }) => `update former_versions set variation_number = 0 where snippet_id = '${snippet.id}'`,
  },
  {
    check: "earlier versions",
    plant: ({ snippet }) => `update snippets set version_id = '${nowhere}' where id = '${snippet.id}'`,
    names: ({ snippet }) => snippet.id,
    undo: ({ snippet }) => `update snippets set version_id = '${last}' where id = '${snippet.id}'`,
  },
  {
    check: "earlier versions",
    plant: ({ snippet }) =>
      `update former_versions set changed_at = '2030-01-01T00:00:00.000Z' where snippet_id = '${snippet.id}'`,
    names: ({ snippet }) => snippet.id,
  },
  {
    check: "variation order",
    plant: ({ replaced }) => `update variations set variant_order_index = 1 where snippet_id = '${replaced.id}'`,
    names: ({ replaced }) => replaced.id,
    undo: ({ replaced }) => `update variations set variant_order_index = 2 where snippet_id = '${replaced.id}'`,
  },
  {
    check: "variation order",
    plant: ({ replaced }) =>
      `insert into variations (workspace_id, id, snippet_id, name, variant_order_index, updated_at, version_id, changed_at, content_type,
         content)
       select workspace_id, '${nowhere}', snippet_id, name, variant_order_index, updated_at, version_id, changed_at, content_type, content
       from variations where snippet_id = '${replaced.id}'`,
    names: ({ replaced }) => replaced.id,
    also: "variations",
  },
  {
    check: "tag flags",
    plant: ({ snippet }) => `update snippets set has_tags = false where id = '${snippet.id}'`,
    names: ({ snippet }) => snippet.id,
  },
  {
    check: "tag timestamps",
    plant: ({ innerTag }) =>
      `update snippet_tags set snippet_created_at = '2026-01-15T10:00:00.001Z' where tag_id = '${innerTag.id}'`,
    names: ({ snippet }) => snippet.id,
  },
  {
    check: "trash",
    plant: ({ trashed }) => `update trashed_snippets set variation_count = 2 where id = '${trashed.id}'`,
    names: ({ trashed }) => trashed.id,
    undo: ({ trashed }) => `update trashed_snippets set variation_count = 3 where id = '${trashed.id}'`,
  },
  {
    check: "trash",
    plant: ({ trashed }) =>
      `update trashed_former_versions set changed_at = '2030-01-01T00:00:00.000Z' where snippet_id = '${trashed.id}'`,
    names: ({ trashed }) => trashed.id,
    undo: ({ trashed }) =>
      `update trashed_former_versions set changed_at = '2026-01-01T00:00:00.000Z' where snippet_id = '${trashed.id}'`,
  },
  {
    check: "trash",
    plant: ({ trashed }) =>
      `update trashed_variations set variant_order_index = 0 where name = 'Second' and snippet_id = '${trashed.id}'`,
    names: ({ trashed }) => trashed.id,
    undo: ({ trashed }) =>
      `update trashed_variations set variant_order_index = 1 where name = 'Second' and snippet_id = '${trashed.id}'`,
  },
  {
    check: "trash",
    plant: ({ trashed }) => `update trashed_snippets set has_tags = false where id = '${trashed.id}'`,
    names: ({ trashed }) => trashed.id,
    undo: ({ trashed }) => `update trashed_snippets set has_tags = true where id = '${trashed.id}'`,
  },
  {
    check: "trash",
    plant: ({ trashed }) =>
      `update trashed_snippet_tags set snippet_created_at = '2026-01-15T10:00:00.001Z' where snippet_id = '${trashed.id}'`,
    names: ({ trashed }) => trashed.id,
    undo: ({ trashed }) =>
      `update trashed_snippet_tags set snippet_created_at = (select created_at from trashed_snippets) where snippet_id = '${trashed.id}'`,
  },
  {
    check: "trash",
    plant: ({ trashed, plain }) => `update trashed_snippets set id = '${plain.id}' where id = '${trashed.id}'`,
    names: ({ plain }) => plain.id,
  },
  {
    check: "folder teams",
    plant: ({ elsewhere, late }) =>
      `update folders set parent_folder_id = '${late.id}' where id = '${elsewhere.folder.id}'`,
    names: ({ elsewhere }) => elsewhere.folder.id,
  },
  {
    check: "folder nesting",
    plant: ({ late, inner }) => `update folders set parent_folder_id = '${inner.id}' where id = '${late.id}'`,
    names: ({ late }) => late.id,
  },
  {
    check: "tag teams",
    plant: ({ elsewhere, tag }) => `update tags set parent_tag_id = '${tag.id}' where id = '${elsewhere.tag.id}'`,
    names: ({ elsewhere }) => elsewhere.tag.id,
  },
  {
    check: "tag nesting",
    plant: ({ innerTag }) => `update tags set parent_tag_id = id where id = '${innerTag.id}'`,
    names: ({ innerTag }) => innerTag.id,
  },
  {
    check: "snippet teams",
    plant: ({ elsewhere, varied }) =>
      `update snippets set folder_id = '${elsewhere.folder.id}' where id = '${varied.id}'`,
    names: ({ varied }) => varied.id,
    undo: ({ varied }) => `update snippets set folder_id = null where id = '${varied.id}'`,
  },
  {
    check: "snippet teams",
    plant: ({ elsewhere, tag }) => `update snippet_tags set tag_id = '${elsewhere.tag.id}' where tag_id = '${tag.id}'`,
    names: ({ snippet }) => snippet.id,
  },
];

describe("damage of the data", () => {
  const directory = temporaryDirectory();
  const broken = new Set<string>();
  let on: Filled;
  let connection: Connection;
  beforeAll(async () => {
    on = await fillInstance(directory);
    connection = await withoutRules(directory);
    return () => connection.close();
  });

  test("is told for every invariant", () => {
    expect(new Set(damages.map(({ check }) => check))).toEqual(new Set(invariantChecks.map(({ name }) => name)));
  });

  /** Earlier damage remains: each damage adds the finding of its own check and no other. */
  test.each(damages.map((damage) => [damage.check, damage] as const))("%s", async (check, damage) => {
    expect(await connection.run(damage.plant(on))).toBeGreaterThan(0);
    const seeing = [check, ...(damage.also ? [damage.also] : [])];
    for (const name of seeing) broken.add(name);
    const findings = await examine(directory);
    const invariants = findings.filter((finding) => invariantChecks.some(({ name }) => name === finding.check));
    const found = invariants.filter(({ severity }) => severity === "problem");
    expect(found.map((finding) => finding.check).sort()).toEqual([...broken].sort());
    const finding = findingOf(found, check);
    expect(finding?.message).toMatch(/^\d+ violations?: /);
    expect(finding?.message).toContain(damage.names(on));
    expect(finding?.remedy).toMatch(/find out what else writes to the database\.$/);
    if (!damage.undo) return;
    await connection.run(damage.undo(on));
    for (const name of seeing) broken.delete(name);
  });

  test("of the totals of usage is mended as the doctor says", async () => {
    const mended = temporaryDirectory();
    const { key } = await fillInstance(mended);
    closeFiles(mended);
    await change(mended, "update usage_totals set calls = calls + 1, units = units + 1");
    const message = expect.stringContaining(key.id);
    expect(complaints(await examine(mended))).toEqual([["usage totals", "problem", message]]);
    const day = isSqlite ? "substr(admitted_at, 1, 10)" : "to_char(admitted_at at time zone 'UTC', 'YYYY-MM-DD')";
    await change(
      mended,
      `delete from usage_totals where key_id = '${key.id}'`,
      `insert into usage_totals (workspace_id, day, key_id, operation, status, team_id, calls, units)
       select workspace_id, ${day}, key_id, operation, status, coalesce(cast(team_id as text), ''), count(*), sum(units)
       from ledger where key_id = '${key.id}' group by 1, 2, 3, 4, 5, 6`,
      `insert into usage_totals (workspace_id, day, key_id, operation, status, team_id, calls, units)
       select workspace_id, day, key_id, operation, status, '', calls, units from usage_days where key_id = '${key.id}'`,
    );
    expect(complaints(await examine(mended))).toEqual([]);
  });

  test("names three of many", async () => {
    await connection.run("update snippet_tags set snippet_created_at = '2020-01-01T00:00:00.000Z'");
    for (let copy = 0; copy < 5; copy += 1)
      await connection.run(
        `insert into snippet_tags select workspace_id, snippet_id, '0190aaaa-0000-7000-8000-00000000000${copy}',
         snippet_created_at from snippet_tags where tag_id = '${on.innerTag.id}'`,
      );
    const message = findingOf(await examine(directory), "tag timestamps")?.message ?? "";
    expect(message).toStartWith("7 violations: ");
    expect(message.split(on.snippet.id)).toHaveLength(4);
    expect(message).toEndWith(" and 4 more");
  });
});
