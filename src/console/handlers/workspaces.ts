// The console's operations about workspaces and their subscription.
import { type Act, recordAct } from "../../accounts/audit/audit.ts";
import { addMember, containing } from "../../accounts/members/members.store.ts";
import { insertTeam } from "../../accounts/workspaces/teams.store.ts";
import {
  findWorkspace,
  listWorkspacePage,
  lockForWorkspaceChange,
  updateWorkspace,
  type Workspace,
} from "../../accounts/workspaces/workspaces.store.ts";
import { changeWorkspace, createWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { auditActorOf, type ConsoleCall } from "../call.ts";
import { pageOf } from "../cursor.ts";
import type { ConsoleHandlers } from "../handlers.ts";
import { placeByName } from "../page-position.ts";

type Names = "getWorkspaces" | "postWorkspace" | "getWorkspace" | "putWorkspace" | "putSubscription";

export const workspaceHandlers: Pick<ConsoleHandlers, Names> = {
  getWorkspaces: async ({ transaction }, { query: { search, cursor, limit } }) => {
    const rows = await listWorkspacePage(transaction, {
      pattern: search === undefined ? undefined : containing(search),
      after: placeByName(cursor),
      limit,
    });
    const { page, nextCursor } = pageOf(rows, limit, ({ name, id }) => [name, id]);
    return { data: page, nextCursor };
  },

  // Whoever makes it owns it: else nobody could invite anybody, or make its first key. An owner may go once there is another.
  postWorkspace: async ({ transaction, instance, actor }, { body: { name, teamName } }) => {
    const workspace = await createWorkspace(transaction, name, instance.config.monthlyRequests);
    const team = insertTeam(transaction, workspace.id, teamName);
    await addMember(transaction, workspace.id, actor.personId, "owner");
    const record = (act: Act) => recordAct(transaction, workspace.id, auditActorOf(actor), act);
    record({
      action: "workspace.create",
      target: { kind: "workspace", id: workspace.id, name },
      after: { name, owner: actor.email, monthly_requests: workspace.monthly_requests },
    });
    record({ action: "team.create", target: { kind: "team", id: team.id, name: teamName }, after: { name: teamName } });
    return { data: workspace };
  },

  getWorkspace: async (call) => ({ data: await requireWorkspace(call) }),

  putWorkspace: async (call, { body: { name } }) => {
    const { transaction, workspaceId, actor } = call;
    lockForWorkspaceChange(transaction, workspaceId);
    const before = await requireWorkspace(call);
    updateWorkspace(transaction, workspaceId, { name });
    recordAct(transaction, workspaceId, auditActorOf(actor), {
      action: "workspace.change",
      target: { kind: "workspace", id: workspaceId, name },
      before: { name: before.name },
      after: { name },
    });
    return { data: await requireWorkspace(call) };
  },

  putSubscription: async (call, { body: { subscription, monthlyRequests } }) => {
    const { transaction, workspaceId, actor } = call;
    lockForWorkspaceChange(transaction, workspaceId);
    const before = await requireWorkspace(call);
    const after = await changeWorkspace(transaction, workspaceId, {
      ...(subscription !== undefined && { subscription }),
      ...(monthlyRequests !== undefined && { monthly_requests: monthlyRequests }),
    });
    recordAct(transaction, workspaceId, auditActorOf(actor), {
      action: "subscription.change",
      target: { kind: "workspace", id: workspaceId, name: after.name },
      before: subscriptionOf(before),
      after: subscriptionOf(after),
    });
    return { data: after };
  },
};

async function requireWorkspace({ transaction, workspaceId }: ConsoleCall): Promise<Workspace> {
  const workspace = await findWorkspace(transaction, workspaceId);
  if (!workspace) throw consoleErrors.notFound("workspace");
  return workspace;
}

const subscriptionOf = ({ subscription, monthly_requests }: Workspace) => ({ subscription, monthly_requests });
