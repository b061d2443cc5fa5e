// The statements of one GET /snippet on PostgreSQL in a transaction of their own, as pgbench runs them: the baseline of that call. They
// stay as they are when the service sends others.
import { type BareSize, bareMonth, hashOf, idOf } from "./bare-postgres.ts";

export interface Statement {
  /** With variables as `:name`. */
  readonly text: string;
  /** Whether the columns of its row become variables. */
  readonly sets?: boolean;
}

/** A variable with a random number from 0 to below a number. */
export interface RandomNumber {
  readonly name: string;
  readonly below: number;
}

export const randomNumbers = ({ workspaces, keys, snippets }: BareSize): RandomNumber[] => [
  { name: "key", below: keys },
  { name: "snippet", below: Math.floor(snippets / workspaces) },
];

const moment = (seconds: number) =>
  `(date_trunc('milliseconds', statement_timestamp()) + interval '${seconds} seconds')`;
const window = `from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id
  and l.admitted_at > ${moment(-60)} and l.admitted_at <= ${moment(60)} order by l.admitted_at, l.key_call limit 1`;
const key = `k.secret_hash = ${hashOf(":key::bigint")} and k.is_active`;
const version = `(select v.version_id from variations v
  where v.workspace_id = s.workspace_id and v.snippet_id = s.id order by v.variant_order_index limit 1)`;
const content = (column: string) =>
  `(select c.${column} from variation_versions c where c.workspace_id = s.workspace_id and c.id = ${version})`;

export const statementsOf = ({ workspaces }: BareSize): Statement[] => [
  { text: "begin isolation level read committed" },
  {
    text: `select set_config('statement_timeout', '5000', true), set_config('lock_timeout', '3000', true),
      set_config('idle_in_transaction_session_timeout', '5000', true), set_config('enable_seqscan', 'off', true),
      set_config('jit', 'off', true)`,
  },
  { text: `select k.id from api_keys k where ${key} for no key update` },
  {
    text: `select ${moment(0)}::text as at, k.id::text as key_id, k.workspace_id::text as workspace_id, k.call_count + 1 as number,
        case when k.is_all_teams then null else (select json_agg(t.team_id order by t.team_id) from api_key_teams t
          where t.workspace_id = k.workspace_id and t.key_id = k.id) end as team_ids,
        (select w.subscription from workspaces w where w.id = k.workspace_id) as subscription,
        (select m.month from quota_months m where m.workspace_id = k.workspace_id order by m.month desc limit 1) as month,
        (select l.key_call ${window}) as oldest_call, (select l.admitted_at ${window}) as oldest_at
      from api_keys k where ${key}`,
    sets: true,
  },
  {
    text: `update api_keys set call_count = call_count + 1, last_used_at = :at::timestamptz
      where workspace_id = :workspace_id::uuid and id = :key_id::uuid`,
  },
  { text: "savepoint level_0" },
  {
    text: `select s.id, s.title, ${content("content_type")} as content_type, ${content("content")} as content, s.snippet_note, s.shortcut,
        s.folder_id, s.team_id, s.workspace_id, s.is_archived, s.created_at, s.updated_at, s.created_by,
        (select json_agg(t.tag_id order by t.tag_id) from snippet_tags t
          where t.workspace_id = s.workspace_id and t.snippet_id = s.id) as tag_ids,
        (select json_agg(json_build_object('id', o.id, 'name', o.name, 'variant_order_index', o.variant_order_index)
            order by o.variant_order_index)
          from variations o where o.workspace_id = s.workspace_id and o.snippet_id = s.id) as variations
      from snippets s where s.workspace_id = :workspace_id::uuid
        and s.id = ${idOf("snippet", `:snippet::bigint * ${workspaces} + :key::bigint % ${workspaces}`)}`,
  },
  {
    text: `update quota_months set balance = balance - 1
      where workspace_id = :workspace_id::uuid and month = '${bareMonth}' and balance >= 1 returning balance`,
    sets: true,
  },
  {
    text: `insert into ledger (workspace_id, id, key_id, key_call, operation, status, units, balance_after, team_id, admitted_at)
      values (:workspace_id::uuid, uuidv7(), :key_id::uuid, :number::bigint, 'getSnippet', 200, 1, :balance::bigint, null,
        :at::timestamptz)`,
  },
  { text: "release level_0" },
  { text: "commit" },
];
