// What the tests of members and of invitations read of a workspace.
import { expect } from "bun:test";
import type { StartedConsole } from "./console.ts";

export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const audited = ({ rows, workspace }: StartedConsole) =>
  rows<{ action: string; actor_name: string; target_name: string; before: string | null; after: string | null }>(
    "select action, actor_name, target_name, before, after from audit_log where workspace_id = ? order by id",
    workspace.id,
  );

export const roles = async ({ rows, workspace }: StartedConsole) => {
  const found = await rows<{ name: string; role: string }>(
    "select p.name, m.role from memberships m join people p on p.id = m.person_id where m.workspace_id = ? order by p.name",
    workspace.id,
  );
  return Object.fromEntries(found.map(({ name, role }) => [name, role]));
};

export const tokenOf = (link: string): string => link.slice(link.indexOf("#") + 1);
