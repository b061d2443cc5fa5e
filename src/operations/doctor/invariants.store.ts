// What holds for the stored data at all times, each as the rows that would violate it. The database does the work.
import { rowBytes } from "../../library/stored-bytes.ts";
import { packages } from "../../metering/quota/quota.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { DatabaseLocation } from "../../platform/database/location.ts";
import { join, name, type Sql, sql } from "../../platform/database/sql.ts";

type Engine = DatabaseLocation["engine"];

export interface Invariant {
  readonly name: string;
  readonly question: string;
  /** The verdict's message if it holds. */
  readonly confirmation: string;
  readonly remedy: string;
  /** Selects the rows that violate it, as `workspace_id` and `what`. */
  readonly violations: (engine: Engine) => Sql;
}

export interface Violations {
  readonly total: number;
  /** The first of them. */
  readonly examples: readonly { readonly workspace_id: string; readonly what: string }[];
}

/** The rows that violate an invariant. One statement sees one state of the data, also while the service writes. */
export async function findViolations(
  transaction: Transaction,
  engine: Engine,
  { violations }: Invariant,
  examplesMax: number,
): Promise<Violations> {
  const examples = await transaction.all<{ workspace_id: string; what: string; total: number }>(
    sql`select workspace_id, what, count(*) over () as total from (${violations(engine)}) violations
        order by workspace_id, what limit ${examplesMax}`,
  );
  return { total: examples[0]?.total ?? 0, examples };
}

/** The end of each remedy: the service itself never writes such rows. */
const foreignWrites = "The service never writes such data: find out what else writes to the database";

/** The calendar month in UTC of a timestamp column, whose type differs between the engines. */
const monthOf = (engine: Engine, column: string): Sql =>
  name(engine === "postgres" ? `to_char(${column} at time zone 'UTC', 'YYYY-MM')` : `substr(${column}, 1, 7)`);

const unitsOfPackages = name(
  Object.entries(packages)
    .map(([kind, units]) => `when '${kind}' then ${units}`)
    .join(" "),
);

const bookkeeping: readonly Invariant[] = [
  {
    name: "balances",
    question: "Does every month's balance equal its grants minus its usage?",
    confirmation: "grants - usage = balance, in every month",
    remedy: `Set quota_months.balance to the grants minus the units in ledger and usage_days. ${foreignWrites}.`,
    violations: (engine) => sql`
      select workspace_id, month as what from (
        select workspace_id, month, -balance as units from quota_months
        union all select workspace_id, month, units from quota_grants
        union all select workspace_id, ${monthOf(engine, "admitted_at")} as month, -sum(units) as units from ledger
          group by workspace_id, ${monthOf(engine, "admitted_at")}
        union all select workspace_id, substr(day, 1, 7) as month, -sum(units) as units from usage_days
          group by workspace_id, substr(day, 1, 7)
      ) booked group by workspace_id, month having sum(units) <> 0`,
  },
  {
    name: "negative balances",
    question: "Is every balance zero or more?",
    confirmation: "no balance is below zero",
    remedy: `Grant the missing units, or correct the balance. ${foreignWrites}.`,
    violations: () => sql`select workspace_id, month as what from quota_months where balance < 0`,
  },
  {
    name: "monthly grants",
    question: "Does every month have exactly one monthly grant?",
    confirmation: "every month in use has one monthly grant",
    remedy: `Keep one row of kind 'monthly' in quota_grants for the month, then correct its balance. ${foreignWrites}.`,
    violations: () => sql`
      select m.workspace_id, m.month as what from quota_months m
      where 1 <> (select count(*) from quota_grants g
        where g.workspace_id = m.workspace_id and g.month = m.month and g.kind = 'monthly')`,
  },
  {
    name: "requests",
    question: "Is every request of a key counted exactly once, in the ledger or in a daily total?",
    confirmation: "every request is counted once",
    remedy: `Set api_keys.call_count to the number of the key's rows in ledger plus its calls in usage_days. ${foreignWrites}.`,
    violations: () => sql`
      select k.workspace_id, k.id as what from api_keys k
      left join (select workspace_id, key_id, count(*) as calls, count(distinct key_call) as numbers,
          min(key_call) as first, max(key_call) as last
        from ledger group by workspace_id, key_id) l on l.workspace_id = k.workspace_id and l.key_id = k.id
      left join (select workspace_id, key_id, sum(calls) as calls
        from usage_days group by workspace_id, key_id) d on d.workspace_id = k.workspace_id and d.key_id = k.id
      where coalesce(l.calls, 0) + coalesce(d.calls, 0) <> k.call_count
        or l.numbers <> l.calls or l.first < 1 or l.last > k.call_count`,
  },
  {
    name: "request keys",
    question: "Does the key of every recorded request exist?",
    confirmation: "every recorded request has a key that exists",
    remedy: `Restore the key's row in api_keys from a backup. ${foreignWrites}.`,
    violations: () => sql`
      select u.workspace_id, u.key_id as what from (
        select distinct workspace_id, key_id from ledger union select distinct workspace_id, key_id from usage_days
        union select distinct workspace_id, key_id from refused_requests) u
      where not exists (select 1 from api_keys k where k.workspace_id = u.workspace_id and k.id = u.key_id)`,
  },
  {
    name: "key budgets",
    question: "Does the budget that each key has used match its usage totals?",
    confirmation: "budget used = usage totals, for every key with a budget",
    remedy: `Remove the budget of the key and set it again: ./commonplace key change. ${foreignWrites}.`,
    violations: () => sql`
      select workspace_id, 'key ' || id as what from api_keys k
      where budget_month is not null and budget_used <> coalesce((
        select sum(units) from usage_totals t
        where t.workspace_id = k.workspace_id and t.key_id = k.id
          and t.day >= k.budget_month || '-01' and t.day <= k.budget_month || '-31'), 0)`,
  },
  {
    name: "usage totals",
    question: "Do the usage totals of each key match its requests in the ledger and its folded days?",
    confirmation: "ledger + folded days = usage totals, for every key and month",
    remedy: `Stop the service, delete the key's rows in usage_totals, and replace them with sums computed from the key's rows in ledger and usage_days; use team_id '' for those from usage_days. ${foreignWrites}.`,
    violations: (engine) => sql`
      select workspace_id, month || ' of key ' || key_id as what from (
        select substr(day, 1, 7) as month, workspace_id, key_id, calls, units from usage_totals
        union all select substr(day, 1, 7) as month, workspace_id, key_id, -calls, -units from usage_days
        union all select ${monthOf(engine, "admitted_at")} as month, workspace_id, key_id, -count(*), -sum(units)
          from ledger group by ${monthOf(engine, "admitted_at")}, workspace_id, key_id
      ) counted group by month, workspace_id, key_id having sum(calls) <> 0 or sum(units) <> 0`,
  },
  {
    name: "purchased packages",
    question: "Was every package that was paid for, or is due, credited exactly once?",
    confirmation: "purchased packages = credited packages",
    remedy: `Paid but not credited: run ./commonplace quota grant with the reference shown here. Credited but not paid: record the payment, or restore its row in payments from a backup. Otherwise correct the units of the grant, then the balance. ${foreignWrites}.`,
    violations: () => sql`
      select workspace_id, reference as what from (
        select workspace_id, 'payment:' || id as reference, subject as kind, case subject ${unitsOfPackages} end as units
          from payments
          where purpose = 'package' and (status = 'paid' or (status = 'open' and provider = 'manual'))
        union all
        select workspace_id, reference, kind, -units from quota_grants
          where reference like 'payment:________-____-____-____-____________'
      ) bought group by workspace_id, reference, kind having sum(units) <> 0`,
  },
];

/** The bytes of all rows with texts: in the library and in the trash, and those of folders and tags. */
const storedTexts: readonly { readonly table: string; readonly texts: readonly string[] }[] = [
  ...["", "trashed_"].flatMap((prefix) => [
    {
      table: `${prefix}snippets`,
      texts: ["title", "snippet_note", "shortcut", "variation_name", "content_type", "content"],
    },
    { table: `${prefix}variations`, texts: ["name", "content_type", "content"] },
    { table: `${prefix}former_versions`, texts: ["content_type", "content"] },
  ]),
  { table: "folders", texts: ["folder_name", "folder_color"] },
  { table: "tags", texts: ["tag_name", "tag_color"] },
];

const storage: Invariant = {
  name: "storage",
  question: "Does the stored-bytes count of every workspace equal the size of its library?",
  confirmation: "stored bytes = snippets + variations + versions + folders + tags, in every workspace",
  remedy: `Stop the service, and set workspace_storage.bytes to the number of bytes that the workspace's rows take up. ${foreignWrites}.`,
  violations: () => sql`
    select workspace_id, 'off by ' || sum(bytes) || ' bytes' as what from (
      select workspace_id, bytes from workspace_storage
      ${join(
        storedTexts.map(({ table, texts }) => {
          const lengths = texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(" + ");
          return name(
            `union all select workspace_id, -sum(${rowBytes} + ${lengths}) from ${table} group by workspace_id`,
          );
        }),
        " ",
      )}
    ) stored group by workspace_id having sum(bytes) <> 0`,
};

/** What would be wrong with the parts of snippets, in the library or, with a prefix to the names of its tables, in the trash. */
const wrongParts = {
  variations: (prefix: Prefix) => sql`
      select s.workspace_id, s.id as what from ${name(prefix)}snippets s
      left join (select workspace_id, snippet_id, count(*) as further from ${name(prefix)}variations
        group by workspace_id, snippet_id) v
        on v.workspace_id = s.workspace_id and v.snippet_id = s.id
      where s.variation_count <> 1 + coalesce(v.further, 0)`,
  formerVersions: (prefix: Prefix) => sql`
      select f.workspace_id, f.snippet_id as what from ${name(prefix)}former_versions f
      left join ${name(prefix)}snippets s on s.workspace_id = f.workspace_id and s.id = f.snippet_id
        and coalesce(s.variation_number, s.variant_order_index) = f.variation_number
      left join ${name(prefix)}variations v on v.workspace_id = f.workspace_id and v.snippet_id = f.snippet_id
        and coalesce(v.variation_number, v.variant_order_index) = f.variation_number
      where coalesce(s.changed_at, v.changed_at) is null or f.changed_at > coalesce(s.changed_at, v.changed_at)
        or (f.changed_at = coalesce(s.changed_at, v.changed_at) and f.id >= coalesce(s.version_id, v.version_id))`,
  variationOrder: (prefix: Prefix) => sql`
      select workspace_id, snippet_id as what from ${name(prefix)}variations
      group by workspace_id, snippet_id, variant_order_index having count(*) > 1
      union
      select v.workspace_id, v.snippet_id as what from ${name(prefix)}variations v
      join ${name(prefix)}snippets s on s.workspace_id = v.workspace_id and s.id = v.snippet_id
      where v.variant_order_index <= s.variant_order_index`,
  tagFlags: (prefix: Prefix) => sql`
      select distinct t.workspace_id, t.snippet_id as what from ${name(prefix)}snippet_tags t
      join ${name(prefix)}snippets s on s.workspace_id = t.workspace_id and s.id = t.snippet_id
      where not s.has_tags`,
  tagTimestamps: (prefix: Prefix) => sql`
      select t.workspace_id, t.snippet_id as what from ${name(prefix)}snippet_tags t
      join ${name(prefix)}snippets s on s.workspace_id = t.workspace_id and s.id = t.snippet_id
      where s.created_at <> t.snippet_created_at`,
};

type Prefix = "" | "trashed_";

const snippets: readonly Invariant[] = [
  {
    name: "variations",
    question: "Is the number of variations of every snippet correct?",
    confirmation: "variation_count is correct everywhere",
    remedy: `Set snippets.variation_count to 1 plus the number of the snippet's rows in variations. ${foreignWrites}.`,
    violations: () => wrongParts.variations(""),
  },
  {
    name: "earlier versions",
    question: "Does every earlier version belong to a variation, and is it older than the current version?",
    confirmation: "every earlier version is older than the current version of its variation",
    remedy: `Delete the rows of former_versions that belong to no variation or are newer than its current version. ${foreignWrites}.`,
    violations: () => wrongParts.formerVersions(""),
  },
  {
    name: "variation order",
    question: "Does each variation of a snippet have its own order index, with the lowest in the snippet's row?",
    confirmation: "no two variations of a snippet share an order index",
    remedy: `Give each variation of the snippet a different variant_order_index, with the lowest in the snippet's row. ${foreignWrites}.`,
    violations: () => wrongParts.variationOrder(""),
  },
  {
    name: "tag flags",
    question: "Is has_tags true for every snippet with a tag?",
    confirmation: "has_tags is true for every snippet with a tag",
    remedy: `Set snippets.has_tags to true. ${foreignWrites}.`,
    violations: () => wrongParts.tagFlags(""),
  },
  {
    name: "tag timestamps",
    question: "Does every tag on a snippet have the snippet's creation time?",
    confirmation: "snippet_created_at is correct everywhere",
    remedy: `Set snippet_tags.snippet_created_at to snippets.created_at. ${foreignWrites}.`,
    violations: () => wrongParts.tagTimestamps(""),
  },
  {
    name: "trash",
    question: "Is every snippet in the trash complete, and only in the trash?",
    confirmation: "every snippet in the trash is complete, and only in the trash",
    remedy: `Correct its rows in the trashed_ tables as you would in the tables without this prefix, or delete its row in trashed_snippets. ${foreignWrites}.`,
    violations: () => sql`
      ${join(
        Object.values(wrongParts).map(
          (violations) => sql`select workspace_id, what from (${violations("trashed_")}) parts`,
        ),
        " union ",
      )}
      union
      select s.workspace_id, s.id as what from snippets s
      join trashed_snippets t on t.workspace_id = s.workspace_id and t.id = s.id`,
  },
];

/** Folders and tags differ only in names. */
const foldersAndTags = [
  { table: "folders", parent: "parent_folder_id", one: "folder", field: "parentFolderId" },
  { table: "tags", parent: "parent_tag_id", one: "tag", field: "parentTagId" },
].flatMap(({ table, parent, one, field }): Invariant[] => [
  {
    name: `${one} nesting`,
    question: `Is the nesting of ${one}s free of cycles?`,
    confirmation: `no ${one} contains itself`,
    remedy: `Set ${parent} of one of them to null (PUT /${one} with ${field} null). ${foreignWrites}.`,
    violations: () => sql`
      select workspace_id, id as what from (
        select workspace_id, id from ${name(table)} except select workspace_id, id from (
          with recursive reached (workspace_id, id) as (
            select workspace_id, id from ${name(table)} where ${name(parent)} is null
            union all
            select c.workspace_id, c.id from reached r
            join ${name(table)} c on c.workspace_id = r.workspace_id and c.${name(parent)} = r.id)
          select workspace_id, id from reached) hanging) circling`,
  },
  {
    name: `${one} teams`,
    question: `Does every ${one} belong to the same team as its parent?`,
    confirmation: `every ${one} belongs to its parent's team`,
    remedy: `Set ${parent} to null, or give the ${one} and its parent the same team_id. ${foreignWrites}.`,
    violations: () => sql`
      select c.workspace_id, c.id as what from ${name(table)} c
      join ${name(table)} p on p.workspace_id = c.workspace_id and p.id = c.${name(parent)}
      where p.team_id <> c.team_id`,
  },
]);

const teams: readonly Invariant[] = [
  {
    name: "snippet teams",
    question: "Does every snippet belong to the same team as its folder and tags?",
    confirmation: "every snippet belongs to the team of its folder and tags",
    remedy: `Remove the snippet from the folder, remove the tag, or give both the same team_id. ${foreignWrites}.`,
    violations: () => sql`
      select s.workspace_id, s.id as what from snippets s
      join folders f on f.workspace_id = s.workspace_id and f.id = s.folder_id
      where f.team_id <> s.team_id
      union
      select s.workspace_id, s.id as what from snippet_tags t
      join snippets s on s.workspace_id = t.workspace_id and s.id = t.snippet_id
      join tags g on g.workspace_id = t.workspace_id and g.id = t.tag_id
      where g.team_id <> s.team_id`,
  },
];

export const invariants: readonly Invariant[] = [...bookkeeping, storage, ...snippets, ...foldersAndTags, ...teams];
