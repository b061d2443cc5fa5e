// Handlers of workspaces and their subscription.

import { type AuditEntry, recordAccountEntry, recordAuditEntry } from "../../accounts/audit/audit.ts";
import { addMember, containing, countMembersBySignIn } from "../../accounts/members/members.store.ts";
import { deleteWorkspaceToken, listWorkspaceTokens } from "../../accounts/people/tokens.ts";
import { changeSignInPolicy, policyEntry } from "../../accounts/sign-in/policy.ts";
import { deleteWorkspace, mailDeletion, recordDeletion, restoreWorkspace } from "../../accounts/workspaces/deletion.ts";
import { insertTeam } from "../../accounts/workspaces/teams.store.ts";
import { listWorkspacePage, type Workspace } from "../../accounts/workspaces/workspaces.store.ts";
import { createWorkspace, requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { workspaceOperations } from "../../contract/console/operations/workspaces.ts";
import { bytesPerMebibyte } from "../../contract/limits.ts";
import { exportWorkspace, streamLines } from "../../library/workspace/export.ts";
import { changeWorkspace } from "../../metering/quota/allowance.ts";
import { changeStorageLimit, mebibytesOf, readStorage, toStorageRecord } from "../../metering/storage/storage.ts";
import { auditActorOf } from "../actor.ts";
import type { HandlersOf } from "../handler.ts";
import { pageOf, parseNameCursor } from "../paging.ts";

export const workspaceHandlers: HandlersOf<typeof workspaceOperations> = {
  getWorkspaces: async ({ transaction }, { query: { search, cursor, limit } }) => {
    const rows = await listWorkspacePage(transaction, {
      pattern: search === undefined ? undefined : containing(search),
      after: parseNameCursor(cursor),
      limit,
    });
    const { page, nextCursor } = pageOf(rows, limit, ({ name, id }) => [name, id]);
    return { data: page, nextCursor };
  },

  // The creator becomes the owner: otherwise nobody could invite members or create the first key. An owner may leave once there is another.
  postWorkspace: async ({ transaction, context, actor }, { body: { name, teamName } }) => {
    const workspace = await createWorkspace(transaction, name, context.config.monthlyRequests);
    const team = insertTeam(transaction, workspace.id, teamName);
    await addMember(transaction, workspace.id, actor.personId, "owner");
    const record = (act: AuditEntry) => recordAuditEntry(transaction, workspace.id, auditActorOf(actor), act);
    record({
      action: "workspace.create",
      target: { kind: "workspace", id: workspace.id, name },
      after: { name, owner: actor.email, monthly_requests: workspace.monthly_requests },
    });
    record({ action: "team.create", target: { kind: "team", id: team.id, name: teamName }, after: { name: teamName } });
    return { data: workspace };
  },

  getWorkspace: async ({ transaction, workspaceId }) => ({ data: await requireWorkspace(transaction, workspaceId) }),

  putWorkspace: async (call, { body: { name } }) => {
    const { transaction, workspaceId, actor } = call;
    const { before, after } = await changeWorkspace(transaction, workspaceId, { name });
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "workspace.change",
      target: { kind: "workspace", id: workspaceId, name },
      before: { name: before.name },
      after: { name },
    });
    return { data: after };
  },

  deleteWorkspace: async ({ transaction, workspaceId, actor, context }, { body: { name } }) => {
    const { before, after } = await deleteWorkspace(transaction, workspaceId);
    if (before.name !== name) throw consoleErrors.wrongName("workspace");
    recordDeletion(transaction, auditActorOf(actor), "workspace.delete", after);
    if (context.config.mail) await mailDeletion(transaction, after, actor.name, context.origin);
    return { data: after };
  },

  postWorkspaceRestoration: async ({ transaction, workspaceId, actor }) => {
    const { after } = await restoreWorkspace(transaction, workspaceId);
    recordDeletion(transaction, auditActorOf(actor), "workspace.restore", after);
    return { data: after };
  },

  getWorkspaceExport: async ({ context, actor, workspaceId, requestId }) => {
    const { database } = context;
    await database.transaction(async (transaction) => {
      const workspace = await requireWorkspace(transaction, workspaceId);
      if (actor) recordDeletion(transaction, auditActorOf(actor), "workspace.export", workspace);
    });
    const body = streamLines(exportWorkspace(database.read.bind(database), workspaceId), (cause) =>
      context.report(requestId, cause),
    );
    return { body, fileName: `workspace-${workspaceId}.jsonl` };
  },

  getSignInPolicy: async ({ transaction, workspaceId }) => {
    const { sign_in_policy: policy } = await requireWorkspace(transaction, workspaceId);
    return { data: { policy, ...(await countMembersBySignIn(transaction, workspaceId)) } };
  },

  putSignInPolicy: async (call, { body: { policy } }) => {
    const { transaction, workspaceId, actor, context } = call;
    const { before, after } = await changeSignInPolicy(transaction, workspaceId, policy, {
      provider: context.config.openId?.name,
      shown: actor.signIn,
    });
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), policyEntry(before, after));
    return { data: after };
  },

  getWorkspaceTokens: async ({ transaction, workspaceId }) => ({
    data: await listWorkspaceTokens(transaction, workspaceId),
  }),

  deleteWorkspaceToken: async ({ transaction, workspaceId, actor }, { query }) => {
    const ended = await deleteWorkspaceToken(transaction, workspaceId, query.tokenId);
    const { id, name, secret_start, scopes, expires_at, person_id, person_email } = ended;
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "token.delete",
      target: { kind: "token", id, name },
      before: { name, owner: person_email, secret_start, scopes, expires_at },
    });
    const account = { id: person_id, email: person_email };
    recordAccountEntry(transaction, auditActorOf(actor), account, {
      action: "token.delete",
      before: { name, workspace: ended.workspace_name, scopes, expires_at },
    });
    return { data: { message: "Access token revoked" } };
  },

  putSubscription: async (call, { body: { subscription, monthlyRequests } }) => {
    const { transaction, workspaceId, actor } = call;
    const { before, after } = await changeWorkspace(transaction, workspaceId, {
      subscription,
      monthly_requests: monthlyRequests,
    });
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "subscription.change",
      target: { kind: "workspace", id: workspaceId, name: after.name },
      before: subscriptionOf(before),
      after: subscriptionOf(after),
    });
    return { data: after };
  },

  getStorage: async ({ transaction, workspaceId, context }) => ({
    data: toStorageRecord(await readStorage(transaction, workspaceId, context.config.storageBytesMax)),
  }),

  putStorage: async (call, { body: { mebibytes } }) => {
    const { transaction, workspaceId, actor, context } = call;
    const bytesMax = mebibytes === null ? null : mebibytes * bytesPerMebibyte;
    const { storageBytesMax } = context.config;
    const { before, after } = await changeStorageLimit(transaction, workspaceId, bytesMax, storageBytesMax);
    const { name } = await requireWorkspace(transaction, workspaceId);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "storage.change",
      target: { kind: "workspace", id: workspaceId, name },
      before: { storage_mib: mebibytesOf(before) },
      after: { storage_mib: mebibytesOf(after) },
    });
    return { data: toStorageRecord(after) };
  },
};

const subscriptionOf = ({ subscription, monthly_requests }: Workspace) => ({ subscription, monthly_requests });
