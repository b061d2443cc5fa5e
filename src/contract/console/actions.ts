// Who may do what in the console: one table of role × action. Every console call is checked against it, on the server.

/** Roles in a workspace. */
export const workspaceRoles = ["owner", "admin", "member"] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** Roles in a team. */
export const teamRoles = ["admin", "editor", "viewer"] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Who an action is open to: the operator of the instance, roles in the workspace, and roles in a team for what is that team's alone. */
interface Permission {
  readonly operator: boolean;
  readonly workspace: readonly WorkspaceRole[];
  readonly team: readonly TeamRole[];
}

const everyone: readonly WorkspaceRole[] = ["owner", "admin", "member"];
const administrators: readonly WorkspaceRole[] = ["owner", "admin"];

export const actions = {
  "instance.manage": { operator: true, workspace: [], team: [] },
  "workspace.read": { operator: true, workspace: everyone, team: [] },
  "workspace.change": { operator: true, workspace: administrators, team: [] },
  "subscription.change": { operator: true, workspace: [], team: [] },
  "payment.record": { operator: true, workspace: [], team: [] },
  "keys.read": { operator: true, workspace: administrators, team: ["admin", "editor"] },
  "keys.manage": { operator: false, workspace: administrators, team: ["admin"] },
  "usage.read": { operator: true, workspace: everyone, team: [] },
  "log.read": { operator: true, workspace: administrators, team: [] },
  "billing.read": { operator: true, workspace: administrators, team: [] },
  "billing.buy": { operator: false, workspace: administrators, team: [] },
  "members.read": { operator: true, workspace: everyone, team: [] },
  "members.manage": { operator: true, workspace: administrators, team: [] },
  "owners.manage": { operator: true, workspace: ["owner"], team: [] },
  "teams.read": { operator: true, workspace: administrators, team: ["admin", "editor", "viewer"] },
  "teams.create": { operator: false, workspace: administrators, team: [] },
  "teams.manage": { operator: false, workspace: administrators, team: ["admin"] },
  "audit.read": { operator: true, workspace: administrators, team: [] },
} as const satisfies Record<string, Permission>;

export type Action = keyof typeof actions;

/** How a person stands to a workspace. */
export interface Standing {
  readonly isOperator: boolean;
  /** Undefined for one who is no member. */
  readonly role: WorkspaceRole | undefined;
  /** By team id. */
  readonly teams: ReadonlyMap<string, TeamRole>;
}

/** How far an action reaches for somebody: the whole workspace, or only these teams; undefined where it is not theirs at all. */
export type Reach = "all" | ReadonlySet<string>;

/** What the table says. */
export function reachOf(standing: Standing, action: Action): Reach | undefined {
  const { operator, workspace, team }: Permission = actions[action];
  if (operator && standing.isOperator) return "all";
  if (standing.role === undefined) return undefined;
  if (workspace.includes(standing.role)) return "all";
  const teams = [...standing.teams].filter(([, role]) => team.includes(role)).map(([id]) => id);
  return teams.length > 0 ? new Set(teams) : undefined;
}

export const isWithin = (reach: Reach, teamId: string): boolean => reach === "all" || reach.has(teamId);
