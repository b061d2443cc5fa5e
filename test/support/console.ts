// What the tests of the console share: people of a workspace, signed in, and calls that look like those of the console's own pages.
import { createHash } from "node:crypto";
import { findOrCreateCookieSecret } from "../../src/accounts/sign-in/cookie-secret.ts";
import { hashSessionToken } from "../../src/accounts/sign-in/session-token.ts";
import { sessionCookie, writeSessionCookie } from "../../src/console/sign-in/cookie.ts";
import type { TeamRole, WorkspaceRole } from "../../src/contract/console/actions.ts";
import { type ConsoleOperationName, consoleOperations } from "../../src/contract/console/operations.ts";
import { type Options, type RawAnswer, startService } from "./service.ts";

/** Of every person that is made here; its hash is made once. */
export const testPassword = "correct horse battery staple";
let hashing: Promise<string> | undefined;
const testPasswordHash = () => {
  hashing ??= Bun.password.hash(testPassword, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 });
  return hashing;
};

export interface PersonOptions {
  readonly role?: WorkspaceRole;
  readonly teams?: Readonly<Record<string, TeamRole>>;
  readonly isOperator?: boolean;
  readonly name?: string;
  readonly email?: string;
  /** Minutes ago that the password was given last; default 0, so that nothing asks for it again. */
  readonly confirmedMinutesAgo?: number;
  /** A member of another workspace than the test's. */
  readonly workspaceId?: string;
}

export interface ConsoleCallOptions {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service with a workspace of the test's own, and people. */
export async function startConsole(options?: Options) {
  const started = await startService(options);
  const { admin, service, fetch, workspace } = started;
  const origin = new URL(service.baseUrl).origin;
  const secret = await admin(findOrCreateCookieSecret);

  /** One call of an operation, as it stands. `cookie` is a whole Cookie header. */
  const ask = async (
    name: ConsoleOperationName,
    { query, body, headers }: ConsoleCallOptions,
    identity: Readonly<Record<string, string>>,
  ): Promise<RawAnswer> => {
    const { method, path } = consoleOperations[name];
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
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith("{") ? JSON.parse(text) : undefined,
    };
  };

  /** A browser: it keeps its cookies, and shows them with each call. */
  const visitor = (cookie = "") => {
    const jar = new Map(cookie === "" ? [] : [cookie.split(/=(.*)/s).slice(0, 2) as [string, string]]);
    const identity = (): Record<string, string> =>
      jar.size === 0 ? {} : { Cookie: [...jar].map((pair) => pair.join("=")).join("; ") };
    const keep = (answer: RawAnswer): RawAnswer => {
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
        keep(await ask(operation, call, identity())),
      /** A call of Better Auth's. */
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
        return keep({
          ...{ status: response.status, headers: response.headers, text },
          body: isJson ? JSON.parse(text) : undefined,
        });
      },
    };
  };

  /** A person, signed in. */
  const person = async ({
    role,
    teams = {},
    isOperator = false,
    name = "Ada Lovelace",
    // Digits alone: no name that a test looks for is ever in it by chance.
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
          ...{ id, name, email, email_verified: true, image: null, two_factor_enabled: false, is_operator: isOperator },
          ...times,
        },
      ]);
      transaction.insert("person_credentials", [
        {
          ...{ id: transaction.newId(), person_id: id, provider_id: "credential", account_id: id, password },
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
          ...{ id: sessionId, person_id: id, token: hashSessionToken(token), ip_address: null, user_agent: null },
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
      /** A whole Cookie header. */
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
    /** A call of nobody. */
    stranger: (operation: ConsoleOperationName, call: ConsoleCallOptions = {}) => ask(operation, call, {}),
    /** A call with an access token, or whatever stands behind `Bearer`. */
    bearer: (secretOfToken: string, operation: ConsoleOperationName, call: ConsoleCallOptions = {}) =>
      ask(operation, call, { Authorization: `Bearer ${secretOfToken}` }),
  };
}

export type StartedConsole = Awaited<ReturnType<typeof startConsole>>;
