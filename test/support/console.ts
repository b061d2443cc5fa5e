// Shared by the console tests: signed-in people of a workspace, and calls like those of the console's pages.
import { createHash } from "node:crypto";
import { hashSessionToken } from "../../src/accounts/sign-in/session-token.ts";
import { sessionCookie, writeSessionCookie } from "../../src/console/sign-in/cookie.ts";
import type { TeamRole, WorkspaceRole } from "../../src/contract/console/actions.ts";
import { type ConsoleOperationName, consoleOperations } from "../../src/contract/console/operations.ts";
import { testInstanceKey } from "./instance-key.ts";
import { type Options, type RawAnswer, startService } from "./service.ts";

/** The password of every person created here; it is hashed once. */
export const testPassword = "correct horse battery staple";
let hashing: Promise<string> | undefined;
const testPasswordHash = () => {
  hashing ??= Bun.password.hash(testPassword);
  return hashing;
};

export interface PersonOptions {
  readonly role?: WorkspaceRole;
  readonly teams?: Readonly<Record<string, TeamRole>>;
  readonly isOperator?: boolean;
  readonly name?: string;
  readonly email?: string;
  /** How many minutes ago the password was last entered; default 0, so that no call asks for it again. */
  readonly confirmedMinutesAgo?: number;
  /** The workspace of the membership; default: the test's. */
  readonly workspaceId?: string;
}

export interface ConsoleCallOptions {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a service with a new workspace and functions that create people. */
export async function startConsole(options?: Options) {
  const started = await startService(options);
  const { admin, service, fetch, workspace } = started;
  const origin = new URL(service.baseUrl).origin;
  const secret = testInstanceKey;

  /** Makes one call of an operation, with the headers that identify the caller. */
  const ask = async (
    name: ConsoleOperationName,
    { query, body, headers }: ConsoleCallOptions,
    identity: Readonly<Record<string, string>>,
  ): Promise<RawAnswer> => {
    const { method, path, body: shape } = consoleOperations[name];
    const isFile = shape?.kind === "file";
    const needsWorkspace = "workspaceId" in consoleOperations[name].query;
    const search = new URLSearchParams({
      ...(needsWorkspace && { workspaceId: workspace.id }),
      ...Object.fromEntries(Object.entries(query ?? {}).map(([key, value]) => [key, String(value)])),
    });
    const response = await fetch(`${origin}/console/api${path}?${search}`, {
      method,
      headers: {
        ...identity,
        ...(method === "GET" ? {} : { Origin: origin }),
        ...(body === undefined ? {} : { "Content-Type": isFile ? "application/octet-stream" : "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isFile ? String(body) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : undefined,
    };
  };

  /** A browser: stores cookies and sends them with each call. */
  const visitor = (cookie = "") => {
    const jar = new Map(cookie === "" ? [] : [cookie.split(/=(.*)/s).slice(0, 2) as [string, string]]);
    const identity = (): Record<string, string> =>
      jar.size === 0 ? {} : { Cookie: [...jar].map((pair) => pair.join("=")).join("; ") };
    const storeCookies = (answer: RawAnswer): RawAnswer => {
      for (const line of answer.headers.getSetCookie()) {
        const [pair = "", ...attributes] = line.split("; ");
        const [name = "", value = ""] = pair.split(/=(.*)/s);
        if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) jar.delete(name);
        else jar.set(name, value);
      }
      return answer;
    };
    return {
      jar,
      call: async (operation: ConsoleOperationName, call: ConsoleCallOptions = {}) =>
        storeCookies(await ask(operation, call, identity())),
      /** A call to Better Auth's own routes. */
      auth: async (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
        const response = await fetch(`${origin}/console/auth${path}`, {
          method: body === undefined ? "GET" : "POST",
          redirect: "manual",
          headers: {
            ...identity(),
            ...(body === undefined ? {} : { Origin: origin, "Content-Type": "application/json" }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const isJson = text.startsWith("{") || text.startsWith("[");
        return storeCookies({
          status: response.status,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        });
      },
    };
  };

  /** Creates a signed-in person. */
  const person = async ({
    role,
    teams = {},
    isOperator = false,
    name = "Ada Lovelace",
    // Digits only, so that it never contains a name that a test looks for.
    email = `${crypto.getRandomValues(new Uint32Array(3)).join("")}@example.com`,
    confirmedMinutesAgo = 0,
    workspaceId = workspace.id,
  }: PersonOptions = {}) => {
    const token = createHash("sha256").update(crypto.randomUUID()).digest("base64url");
    const password = await testPasswordHash();
    const made = await admin(async (transaction) => {
      const { now } = transaction;
      const [id, sessionId] = [transaction.newId(), transaction.newId()];
      const before = new Date(Date.parse(now) - confirmedMinutesAgo * 60_000).toISOString();
      const times = { created_at: now, updated_at: now };
      transaction.insert("people", [
        {
          id,
          name,
          email,
          email_verified: true,
          image: null,
          two_factor_enabled: false,
          is_operator: isOperator,
          ...times,
        },
      ]);
      transaction.insert("person_credentials", [
        {
          id: transaction.newId(),
          person_id: id,
          provider_id: "credential",
          account_id: id,
          password,
          ...times,
        },
      ]);
      if (role !== undefined)
        transaction.insert("memberships", [{ workspace_id: workspaceId, person_id: id, role, created_at: now }]);
      for (const [teamId, teamRole] of Object.entries(teams))
        transaction.insert("team_memberships", [
          { workspace_id: workspaceId, team_id: teamId, person_id: id, role: teamRole, created_at: now },
        ]);
      transaction.insert("person_sessions", [
        {
          id: sessionId,
          person_id: id,
          token: hashSessionToken(token),
          ip_address: null,
          user_agent: null,
          confirmed_at: before,
          expires_at: new Date(Date.parse(now) + 14 * 86_400_000).toISOString(),
          created_at: before,
          updated_at: now,
        },
      ]);
      return { id, sessionId };
    });
    const cookie = writeSessionCookie(token, secret).split(";")[0] ?? "";
    return {
      ...made,
      name,
      email,
      /** A complete Cookie header. */
      cookie,
      call: (operation: ConsoleOperationName, call: ConsoleCallOptions = {}) =>
        ask(operation, call, { Cookie: cookie }),
    };
  };

  return {
    ...started,
    origin,
    sessionCookie,
    visitor,
    person,
    /** A call without credentials. */
    stranger: (operation: ConsoleOperationName, call: ConsoleCallOptions = {}) => ask(operation, call, {}),
    /** A call with an access token or any other text after `Bearer`. */
    bearer: (secretOfToken: string, operation: ConsoleOperationName, call: ConsoleCallOptions = {}) =>
      ask(operation, call, { Authorization: `Bearer ${secretOfToken}` }),
  };
}

export type StartedConsole = Awaited<ReturnType<typeof startConsole>>;
