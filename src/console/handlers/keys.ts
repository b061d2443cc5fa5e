// Handlers of API keys.
import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import { listTeams } from "../../accounts/workspaces/teams.store.ts";
import { isWithin, type Reach, reachOf } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { keyOperations } from "../../contract/console/operations/keys.ts";
import { isUuid } from "../../contract/uuid.ts";
import { firstCall } from "../../metering/keys/first-call.ts";
import { type KeyChange, type KeyVerb, keyAuditEntry } from "../../metering/keys/key-audit.ts";
import {
  activateKey,
  changeKey,
  createKey,
  deactivateKey,
  deleteKey,
  findWorkspaceKey,
  type Key,
  type KeyTeams,
  lockForKeyChange,
  rotateKey,
  searchKeys,
} from "../../metering/keys/keys.ts";
import { requireRateLimit } from "../../metering/keys/limit-settings.ts";
import { countRecentCalls } from "../../metering/keys/recent-calls.ts";
import { auditActorOf } from "../actor.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { cursorInvalid, pageOf, parseCursor } from "../paging.ts";
import { rolesOf } from "../roles.ts";

export const keyHandlers: HandlersOf<typeof keyOperations> = {
  getKeys: async (call, { query }) => {
    const [beforeId] = parseCursor(query.cursor, 1) ?? [];
    if (beforeId !== undefined && !isUuid(beforeId)) throw cursorInvalid();
    const found = await searchKeys(call.transaction, call.workspaceId, {
      text: query.search,
      within: call.reach === "all" ? undefined : [...call.reach],
      beforeId,
      limit: query.limit + 1,
    });
    const { page, nextCursor } = pageOf(found, query.limit, (key) => [key.id]);
    return { data: await toRecords(call, page, await reachOfManaging(call)), nextCursor };
  },

  getKey: async (call, { query }) => {
    const key = await findWorkspaceKey(call.transaction, call.workspaceId, query.keyId);
    return { data: await toRecord(call, requireWithin(call.reach, key), await reachOfManaging(call)) };
  },

  postKey: async (call, { body }) => {
    requireWithinTeams(call.reach, body.teams);
    const { transaction, workspaceId, actor, context } = call;
    const { name, teams, ...limits } = body;
    requireRateLimit(limits.requestsPerMinute, context.config.requestsPerMinute);
    const { secret, ...key } = await createKey(transaction, workspaceId, name, teams, actor.name, limits);
    await record(call, "create", { after: key });
    return { data: await withSecret(call, key, secret) };
  },

  putKey: async (call, { query, body }) => {
    const before = await requireForChange(call, query.keyId);
    if (body.teams !== undefined) requireWithinTeams(call.reach, body.teams);
    requireRateLimit(body.requestsPerMinute, call.context.config.requestsPerMinute);
    const after = await changeKey(call.transaction, before.id, body);
    await record(call, "change", { before, after });
    return { data: await toRecord(call, after) };
  },

  deleteKey: async (call, { query }) => {
    const before = await requireForChange(call, query.keyId);
    const data = await toRecord(call, before);
    await deleteKey(call.transaction, before.id);
    await record(call, "delete", { before });
    return { data };
  },

  postKeyRotation: async (call, { query, body }) => {
    const before = await requireForChange(call, query.keyId);
    const { secret, ...after } = await rotateKey(call.transaction, before.id, body.overlap);
    await record(call, "rotate", { before, after, overlap: body.overlap });
    return { data: await withSecret(call, after, secret) };
  },

  postKeyDeactivation: (call, { query }) => changeStatus(call, query.keyId, "deactivate", deactivateKey),
  postKeyActivation: (call, { query }) => changeStatus(call, query.keyId, "activate", activateKey),
};

async function changeStatus(call: ConsoleCall, keyId: string, verb: KeyVerb, work: typeof deactivateKey) {
  const before = await requireForChange(call, keyId);
  const after = await work(call.transaction, before.id);
  await record(call, verb, { before, after });
  return { data: await toRecord(call, after) };
}

/** Locks a key for a change, after its calls in flight have ended. @throws Refusal `not_found` */
const requireForChange = async (call: ConsoleCall, keyId: string): Promise<Key> =>
  requireWithin(call.reach, await lockForKeyChange(call.transaction, call.workspaceId, keyId));

/** @throws Refusal `not_found` without a key, and for a key beyond the reach */
function requireWithin(reach: Reach, key: Key | undefined): Key {
  if (!key || !includesKey(reach, key)) throw consoleErrors.notFound("key");
  return key;
}

/** A reach of some teams includes the keys that are limited to these teams. */
const includesKey = (reach: Reach, key: Key): boolean =>
  reach === "all" ||
  (!key.is_all_teams && key.team_permissions.length > 0 && key.team_permissions.every((id) => isWithin(reach, id)));

/** @throws Refusal `forbidden`, `not_found` where the actor may not give a key access to these teams. The rule refuses unknown teams. */
function requireWithinTeams(reach: Reach, teams: KeyTeams): void {
  if (teams === "all") {
    if (reach !== "all") throw consoleErrors.forbidden();
  } else if (!teams.every((id) => isWithin(reach, id))) throw consoleErrors.notFound("team");
}

/** The actor's reach for changes of keys, in a call that only reads them; undefined without any. */
const reachOfManaging = async (call: ConsoleCall): Promise<Reach | undefined> =>
  reachOf(await rolesOf(call), "keys.manage");

/** Keys as the console shows them, without deleted teams. */
async function toRecords(call: ConsoleCall, keys: readonly Key[], managing: Reach | undefined) {
  const ids = keys.map((key) => key.id);
  const calls = await countRecentCalls(call.transaction, call.workspaceId, ids);
  return keys.map((key) => ({
    ...key,
    team_permissions: key.team_permissions.filter((id) => !call.deletedTeamIds.has(id)),
    networks: [...key.networks],
    calls_30_days: calls.get(key.id) ?? 0,
    is_managed: managing !== undefined && includesKey(managing, key),
  }));
}

/** @param managing the reach of the call itself where it changes keys */
async function toRecord(call: ConsoleCall, key: Key, managing: Reach | undefined = call.reach) {
  const [only] = await toRecords(call, [key], managing);
  if (!only) throw new Error("one key has one record");
  return only;
}

/** The only response with the secret, and a first call to try it with. */
async function withSecret(call: ConsoleCall, key: Key, secret: string) {
  const teamId =
    key.scope === "read"
      ? undefined
      : key.is_all_teams
        ? (await listTeams(call.transaction, call.workspaceId))[0]?.id
        : key.team_permissions[0];
  return { ...(await toRecord(call, key)), secret, curl: firstCall(call.context, secret, teamId) };
}

async function record(call: ConsoleCall, verb: KeyVerb, change: KeyChange): Promise<void> {
  const entry = await keyAuditEntry(call.transaction, verb, change);
  recordAuditEntry(call.transaction, call.workspaceId, auditActorOf(call.actor), entry);
}
