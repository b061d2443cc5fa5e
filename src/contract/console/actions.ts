// Who may do what in the console: one table of roles and actions. The server checks every console call against it.

/** Roles in a workspace. */
export const workspaceRoles = ["owner", "admin", "member"] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** Roles in a team. */
export const teamRoles = ["admin", "editor", "viewer"] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Who is allowed an action: the instance's operator, workspace roles, and team roles for what belongs to their team. */
interface Permission {
  readonly operator: boolean;
  readonly workspace: readonly WorkspaceRole[];
  readonly team: readonly TeamRole[];
}

const allMembers: readonly WorkspaceRole[] = ["owner", "admin", "member"];
const administrators: readonly WorkspaceRole[] = ["owner", "admin"];

export const actions = {
  "instance.manage": { operator: true, workspace: [], team: [] },
  "workspace.read": { operator: true, workspace: allMembers, team: [] },
  "workspace.change": { operator: true, workspace: administrators, team: [] },
  "subscription.change": { operator: true, workspace: [], team: [] },
  "payment.record": { operator: true, workspace: [], team: [] },
  "keys.read": { operator: true, workspace: administrators, team: ["admin", "editor"] },
  "keys.manage": { operator: false, workspace: administrators, team: ["admin"] },
  "usage.read": { operator: true, workspace: allMembers, team: [] },
  "log.read": { operator: true, workspace: administrators, team: [] },
  "billing.read": { operator: true, workspace: administrators, team: [] },
  "billing.buy": { operator: false, workspace: administrators, team: [] },
  "members.read": { operator: true, workspace: allMembers, team: [] },
  "members.manage": { operator: true, workspace: administrators, team: [] },
  "invitations.manage": { operator: true, workspace: administrators, team: [] },
  "owners.manage": { operator: true, workspace: ["owner"], team: [] },
  "teams.read": { operator: true, workspace: administrators, team: ["admin", "editor", "viewer"] },
  "teams.create": { operator: false, workspace: administrators, team: [] },
  "teams.manage": { operator: false, workspace: administrators, team: ["admin"] },
  "teams.delete": { operator: false, workspace: administrators, team: [] },
  "library.read": { operator: false, workspace: administrators, team: ["admin", "editor", "viewer"] },
  "library.write": { operator: false, workspace: administrators, team: ["admin", "editor"] },
  "library.manage": { operator: false, workspace: administrators, team: ["admin"] },
  "deletion.manage": { operator: false, workspace: ["owner"], team: [] },
  "restoration.manage": { operator: true, workspace: ["owner"], team: [] },
  "policy.manage": { operator: false, workspace: ["owner"], team: [] },
  "tokens.manage": { operator: true, workspace: ["owner"], team: [] },
  "audit.read": { operator: true, workspace: administrators, team: [] },
} as const satisfies Record<string, Permission>;

export type Action = keyof typeof actions;

/** The actions that exist only where workspaces are billed. */
export const billingActions: ReadonlySet<Action> = new Set(["billing.read", "billing.buy", "payment.record"]);

/** The roles of a person in a workspace and its teams. */
export interface Roles {
  readonly isOperator: boolean;
  /** Undefined for a person who is no member. */
  readonly role: WorkspaceRole | undefined;
  /** By team id. */
  readonly teams: ReadonlyMap<string, TeamRole>;
}

/** Where a person is allowed an action: in the whole workspace, or only in these teams. */
export type Reach = "all" | ReadonlySet<string>;

/** Where these roles allow the action; undefined where they do not allow it at all. */
export function reachOf(roles: Roles, action: Action): Reach | undefined {
  const { operator, workspace, team }: Permission = actions[action];
  if (operator && roles.isOperator) return "all";
  if (roles.role === undefined) return undefined;
  if (workspace.includes(roles.role)) return "all";
  const teams = [...roles.teams].filter(([, role]) => team.includes(role)).map(([id]) => id);
  return teams.length > 0 ? new Set(teams) : undefined;
}

export const isWithin = (reach: Reach, teamId: string): boolean => reach === "all" || reach.has(teamId);
