// A workspace with a person in every role and resources for their calls, for the tests of roles.
import { hashOfToken, newToken } from "../../src/accounts/people/token-secret.ts";
import { type ConsoleOperationName, consoleOperations } from "../../src/contract/console/operations.ts";
import { tokenAreas } from "../../src/contract/console/scopes.ts";
import { createKey, deactivateKey } from "../../src/metering/keys/keys.ts";
import { sql } from "../../src/platform/database/sql.ts";
import type { ConsoleCallOptions, StartedConsole } from "./console.ts";
import type { RawAnswer } from "./service.ts";

const month = "2026-02";

/** The callers, in the order of the columns below. Team admin, editor and viewer are plain members of the workspace. */
export const callers = [
  "operator",
  "owner",
  "admin",
  "member",
  "team admin",
  "team editor",
  "team viewer",
  "stranger of another workspace",
  "signed-in nobody",
  "signed out",
  "an owner's read token",
  "an owner's write token",
] as const;
export type Caller = (typeof callers)[number];

export interface World extends Pick<StartedConsole, "workspace" | "team" | "otherTeam" | "admin" | "person"> {
  readonly started: StartedConsole;
  readonly other: { readonly id: string };
  readonly owner: Person;
  readonly callers: ReadonlyMap<Caller, { readonly person: Person | undefined; readonly call: Call }>;
  /** Values that must never be logged. */
  readonly secrets: string[];
}
export type Person = Awaited<ReturnType<StartedConsole["person"]>>;
export type Call = (name: ConsoleOperationName, call?: ConsoleCallOptions) => Promise<RawAnswer>;

/** Creates a workspace with one person for each column. */
export async function makeWorld(started: StartedConsole, secrets: string[]): Promise<World> {
  const { admin, person: anyPerson, stranger, bearer } = started;
  const { createTeam, createWorkspace } = await import("../../src/accounts/workspaces/workspaces.ts");
  const made = await admin(async (transaction) => {
    const workspace = await createWorkspace(transaction, "World", 1_000_000);
    const other = await createWorkspace(transaction, "Elsewhere", 1_000_000);
    transaction.insert("quota_months", [{ workspace_id: workspace.id, month, balance: 0 }]);
    transaction.insert("quota_grants", [
      {
        workspace_id: workspace.id,
        id: transaction.newId(),
        month,
        kind: "monthly",
        units: 1_000,
        reference: null,
        created_at: "2026-02-01T00:00:00.000Z",
      },
    ]);
    const team = await createTeam(transaction, workspace.id, "Own team");
    const otherTeam = await createTeam(transaction, workspace.id, "Other team");
    return { workspace, other, team, otherTeam };
  });
  const { workspace, other, team } = made;
  const person: StartedConsole["person"] = (options) => anyPerson({ workspaceId: workspace.id, ...options });
  const within =
    (call: Call): Call =>
    (name, { query, ...rest } = {}) =>
      call(name, {
        ...rest,
        query: { ...("workspaceId" in consoleOperations[name].query && { workspaceId: workspace.id }), ...query },
      });
  const signedInAs = async (options: Parameters<typeof person>[0]) => {
    const made = await person(options);
    secrets.push(decodeURIComponent(made.cookie.split("=")[1] ?? "").split(".")[0] ?? "");
    return { ...made, call: within(made.call) };
  };
  const owner = await signedInAs({ role: "owner", name: "Owner" });
  const world = { ...made, started, admin, person: signedInAs, owner, secrets, callers: new Map() } satisfies World;
  const tokens = { read: await newTokenOf(world, owner, false), write: await newTokenOf(world, owner, true) };
  const people: Partial<Record<Caller, Person>> = {
    operator: await signedInAs({ isOperator: true }),
    owner: await signedInAs({ role: "owner" }),
    admin: await signedInAs({ role: "admin" }),
    member: await signedInAs({ role: "member" }),
    "team admin": await signedInAs({ role: "member", teams: { [team.id]: "admin" } }),
    "team editor": await signedInAs({ role: "member", teams: { [team.id]: "editor" } }),
    "team viewer": await signedInAs({ role: "member", teams: { [team.id]: "viewer" } }),
    "stranger of another workspace": await signedInAs({ role: "owner", workspaceId: other.id }),
    "signed-in nobody": await signedInAs({}),
  };
  const programs: Partial<Record<Caller, Call>> = {
    "signed out": within(stranger),
    "an owner's read token": within((name, call) => bearer(tokens.read.secret, name, call)),
    "an owner's write token": within((name, call) => bearer(tokens.write.secret, name, call)),
  };
  const all: [Caller, { person: Person | undefined; call: Call }][] = callers.map((caller) => {
    const call = people[caller]?.call ?? programs[caller];
    if (!call) throw new Error(`nobody calls as ${caller}`);
    return [caller, { person: people[caller], call }];
  });
  return { ...world, callers: new Map(all) };
}

export const ofKey = (keyId: string) => ({ query: { keyId } });

export async function keyIn(
  { admin, workspace, team, secrets }: World,
  isActive = true,
  teams: "all" | string[] = [team.id],
) {
  const key = await admin(async (transaction) => {
    const made = await createKey(transaction, workspace.id, "A key", teams);
    if (!isActive) await deactivateKey(transaction, made.id);
    return made;
  });
  secrets.push(key.secret);
  return key.id;
}

/** Creates a key that also reaches the other team. */
export const otherKeyIn = (world: World, isActive = true) =>
  keyIn(world, isActive, [world.team.id, world.otherTeam.id]);

/** Creates an invitation to a new workspace, of which no caller is a member. */
export async function inviteTo({ started: { admin }, person, secrets }: World, email: string) {
  const { createWorkspace } = await import("../../src/accounts/workspaces/workspaces.ts");
  const joined = await admin((transaction) => createWorkspace(transaction, "To be joined", 1));
  const inviter = await person({ role: "owner", workspaceId: joined.id });
  const { body } = await inviter.call("postInvitation", {
    query: { workspaceId: joined.id },
    body: { email, role: "member" },
  });
  const token: string = body.data.link.split("#")[1];
  secrets.push(token);
  return { token };
}

export async function sessionOf({ callers: all }: World, caller: Caller): Promise<string> {
  return all.get(caller)?.person?.sessionId ?? crypto.randomUUID();
}

/** Makes the caller's address unverified. @returns the token of the link that verifies it */
export async function verificationOf({ admin, callers: all, secrets }: World, caller: Caller): Promise<string> {
  const { makeLinkToken } = await import("../../src/accounts/people/password-links.ts");
  const { id } = all.get(caller)?.person ?? { id: crypto.randomUUID() };
  const token = await admin(async (transaction) => {
    await transaction.run(sql`update people set email_verified = ${false} where id = ${id}`);
    return makeLinkToken(transaction, "verify-email", id, 60);
  });
  secrets.push(token);
  return token;
}

/** @returns the token of a link that signs in the caller, or the owner if the caller is nobody */
export async function signInLinkOf({ admin, callers: all, secrets }: World, caller: Caller): Promise<string> {
  const { makeSignInToken } = await import("../../src/accounts/people/sign-in-links.ts");
  const person = all.get(caller)?.person ?? all.get("owner")?.person;
  const token = await admin(async (transaction) => makeSignInToken(transaction, person?.id ?? ""));
  secrets.push(token);
  return token;
}

export async function newTokenOf(
  { admin, workspace, secrets }: Pick<World, "admin" | "workspace" | "secrets">,
  { id: person_id }: Person,
  may_write: boolean,
) {
  const secret = newToken();
  secrets.push(secret);
  const id = await admin(async (transaction) => {
    const made = transaction.newId();
    transaction.insert("access_tokens", [
      {
        id: made,
        workspace_id: workspace.id,
        person_id,
        name: "A token",
        secret_hash: hashOfToken(secret),
        secret_start: secret.slice(0, 8),
        scopes: JSON.stringify(Object.fromEntries(tokenAreas.map((area) => [area, may_write ? "write" : "read"]))),
        created_at: transaction.now,
        last_used_at: null,
        expires_at: "2027-01-01T00:00:00.000Z",
      },
    ]);
    return made;
  });
  return { id, secret };
}

/** Creates an access token for the caller; callers who are not members cannot have one and get an unknown ID. */
export async function tokenOf(world: World, person: Person | undefined): Promise<string> {
  const [membership] = await world.started.rows(
    "select 1 from memberships where workspace_id = ? and person_id = ?",
    world.workspace.id,
    person?.id ?? null,
  );
  return membership && person ? (await newTokenOf(world, person, false)).id : crypto.randomUUID();
}
