// What an account leaves behind, each with how it shows that it still works; and the acts after which it may not.
import { connect } from "node:http2";
import { type TOTP, URI } from "otpauth";
import { recordAuditEntry } from "../../src/accounts/audit/audit.ts";
import { insertInvitation } from "../../src/accounts/invitations/invitations.store.ts";
import { hashOfInvitationToken, newInvitationToken } from "../../src/accounts/invitations/invitations.ts";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { createTeam, createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { listReachableRecipients } from "../../src/metering/alerts/settings.store.ts";
import { type StartedConsole, startConsole, testPassword } from "./console.ts";
import { tokenOf } from "./members.ts";
import { addPasskey, isPresent, isVerified } from "./passkey-device.ts";
import type { RawAnswer } from "./service.ts";

export const acts = [
  "disabled",
  "signed out",
  "operator rights revoked",
  "removed",
  "role lowered",
  "deleted",
] as const;
export type Act = (typeof acts)[number];

type Person = Awaited<ReturnType<StartedConsole["person"]>>;

/** A person who owns two workspaces, and is an operator where that is what they lose. */
export interface World {
  readonly started: StartedConsole;
  readonly person: Person;
  /** Another owner of both workspaces. */
  readonly owner: Person;
  readonly operator: Person;
  /** The workspace in which the person loses rights. To an operator, it is one that they are no member of. */
  readonly lost: string;
  /** The workspace that they keep. */
  readonly kept: { readonly id: string; readonly teamId: string };
}

export async function makeWorld(act: Act): Promise<World> {
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const started = await startConsole({ config: { mail }, wait: still });
  const { workspace, admin } = started;
  const person = await started.person({ role: "owner", name: "Paula", isOperator: act === "operator rights revoked" });
  const owner = await started.person({ role: "owner", name: "Olga" });
  const operator = await started.person({ name: "Olive", isOperator: true });
  const [kept, foreign] = await admin(async (transaction) => {
    const created = await createWorkspace(transaction, "Kept", 1_000);
    for (const { id } of [person, owner])
      transaction.insert("memberships", [
        { workspace_id: created.id, person_id: id, role: "owner", created_at: transaction.now },
      ]);
    const team = await createTeam(transaction, created.id, "Team");
    return [{ id: created.id, teamId: team.id }, await createWorkspace(transaction, "Foreign", 1_000)] as const;
  });
  const lost = act === "operator rights revoked" ? foreign.id : workspace.id;
  return { started, person, owner, operator, lost, kept };
}

/** No background job runs: queued mail stays where the test finds it. */
const still = (_: unknown, signal: AbortSignal) =>
  new Promise<void>((end) => signal.addEventListener("abort", () => end()));

/** @param self a browser in which the person is signed in */
export function carryOut(
  act: Act,
  { person, owner, operator }: World,
  self: Pick<Person, "call"> = person,
): Promise<RawAnswer> {
  const query = { personId: person.id };
  switch (act) {
    case "disabled":
      return operator.call("postInstancePersonDeactivation", { query });
    case "signed out":
      return operator.call("deleteInstancePersonAccess", { query });
    case "operator rights revoked":
      return operator.call("deleteInstancePersonOperator", { query });
    case "removed":
      return owner.call("deleteMember", { query });
    case "role lowered":
      return owner.call("putMember", { query, body: { role: "member" } });
    case "deleted":
      return self.call("deletePerson", { body: { email: person.email } });
  }
}

/** Whether it still works. */
export interface Probe {
  readonly works: () => Promise<boolean>;
  /** Whether it also works for what only the rights allow that are lost; undefined where rights play no part. */
  readonly worksBeyond?: () => Promise<boolean>;
  /** A browser in which the person is signed in, where their first session has ended. */
  readonly browser?: Pick<Person, "call">;
  /** Whether those who remain learn of it. */
  readonly isListed?: (answer: RawAnswer) => Promise<boolean>;
}

const isOk = async (answer: Promise<{ readonly status: number }>): Promise<boolean> => (await answer).status === 200;

/** What is left behind, by the names that the documentation gives it. */
export const leftBehind: Readonly<Record<string, (world: World, act: Act) => Promise<Probe>>> = {
  Sessions: async ({ person, lost }, act) => ({
    works: () => isOk(person.call("getSession")),
    worksBeyond: () =>
      isOk(
        act === "operator rights revoked"
          ? person.call("getInstancePeople")
          : person.call("getAuditLog", { query: { workspaceId: lost } }),
      ),
  }),

  "Live updates of open pages": async ({ started, person, owner, kept }, _act) => {
    const { workspace, team } = started;
    const streams = {
      kept: await openStream(started, person, kept.id),
      lost: await openStream(started, person, workspace.id),
    };
    const create = (workspaceId: string, teamId: string) =>
      owner.call("postLibrarySnippet", {
        query: { workspaceId },
        body: { title: "New", content: { type: "plaintext", content: "x" }, teamId },
      });
    return {
      works: async () => {
        await create(kept.id, kept.teamId);
        return streams.kept.tells(kept.teamId);
      },
      worksBeyond: async () => {
        await create(workspace.id, team.id);
        return streams.lost.tells(team.id);
      },
    };
  },

  "Downloads in progress": async ({ started, person, kept, lost }) => {
    for (const workspaceId of [kept.id, lost]) await fillAuditLog(started, workspaceId);
    const exports = {
      kept: await openExport(started, person, kept.id),
      lost: await openExport(started, person, lost),
    };
    return { works: () => exports.kept.isComplete(), worksBeyond: () => exports.lost.isComplete() };
  },

  "Access tokens": async ({ started, person, kept }) => {
    const { workspace, bearer } = started;
    const make = async (workspaceId: string) =>
      (
        await person.call("postToken", {
          body: { workspaceId, name: "T", scopes: { audit: "read" }, expiresAt: "2026-04-01T00:00:00Z" },
        })
      ).body.data.secret;
    const [ofKept, ofLost] = [await make(kept.id), await make(workspace.id)];
    const reads = (secret: string, workspaceId: string) =>
      isOk(bearer(secret, "getAuditLog", { query: { workspaceId } }));
    return { works: () => reads(ofKept, kept.id), worksBeyond: () => reads(ofLost, workspace.id) };
  },

  "Invitations that they sent": async ({ started, person, kept, lost }) => {
    const send = async (workspaceId: string) => {
      const email = `${crypto.randomUUID()}@example.com`;
      await person.call("postInvitation", { query: { workspaceId }, body: { email, role: "admin" } });
      return mailedToken(started, email);
    };
    const [ofKept, ofLost] = [await send(kept.id), await send(lost)];
    const isOpen = (token: string) => isOk(started.stranger("postInvitationPreview", { body: { token } }));
    return { works: () => isOpen(ofKept), worksBeyond: () => isOpen(ofLost) };
  },

  "Invitations that they received": async ({ started, person, owner }, act) => {
    // A member cannot be invited, but an invitation may be older than the membership.
    const elsewhere = await started.admin((transaction) => createWorkspace(transaction, "Elsewhere", 1_000));
    const invite = async (workspaceId: string) => {
      const token = newInvitationToken();
      await started.admin(async (transaction) =>
        insertInvitation(transaction, {
          id: transaction.newId(),
          workspace_id: workspaceId,
          email: person.email,
          role: "admin",
          teams: "[]",
          token_hash: hashOfInvitationToken(token),
          invited_by: workspaceId === elsewhere.id ? null : owner.id,
          is_mailed: true,
          created_at: transaction.now,
          expires_at: "2026-12-01T00:00:00.000Z",
        }),
      );
      return token;
    };
    const [toElsewhere, toLost] = [await invite(elsewhere.id), await invite(started.workspace.id)];
    const isOpen = async (token: string) =>
      (await isOk(started.stranger("postInvitationPreview", { body: { token } }))) &&
      // Only who signs in with the account can accept it.
      (act === "deleted" || (await canSignIn(started, person)));
    return { works: () => isOpen(toElsewhere), worksBeyond: () => isOpen(toLost) };
  },

  "API keys that they created or rotated": async ({ started, person, owner }, act) => {
    const made = await person.call("postKey", { body: { name: "Help desk", teams: "all" } });
    const { id, secret, secret_start } = made.body.data;
    return {
      works: async () => (await started.call("GET", "/me", { key: secret })).status === 200,
      isListed: async ({ body }) =>
        act === "deleted"
          ? (await mailsTo(started, owner.email)).some((text) => text.includes(`Help desk (${secret_start}…)`))
          : (body.data.keys ?? []).some((key: { id: string }) => key.id === id),
    };
  },

  "Webhooks that they set": async ({ person, owner }) => {
    await person.call("putAlerts", { body: { webhookUrl: "https://hooks.example.com/x" } });
    return { works: async () => (await owner.call("getAlerts")).body.data.webhook !== null };
  },

  "Alerts that are emailed to them": async ({ started, person, owner, kept }) => {
    for (const workspaceId of [kept.id, started.workspace.id])
      await owner.call("putAlerts", { query: { workspaceId }, body: { emails: [person.email, "ops@example.com"] } });
    const receives = (workspaceId: string) =>
      started.admin(async (transaction) =>
        (await listReachableRecipients(transaction, workspaceId)).includes(person.email),
      );
    return { works: () => receives(kept.id), worksBeyond: () => receives(started.workspace.id) };
  },

  "Links to set a password": async ({ started, person }) => {
    const token = await started.admin(async (transaction) => makePasswordToken(transaction, person.id, 60));
    return {
      works: () => isOk(started.visitor().auth("/reset-password", { token, newPassword: "quite another passphrase" })),
    };
  },

  Password: async ({ started, person }) => ({ works: () => canSignIn(started, person) }),

  "Authenticator app and recovery codes": async ({ started, person }) => {
    const browser = started.visitor(person.cookie);
    const { body } = await browser.auth("/two-factor/enable", { password: testPassword });
    await browser.auth("/two-factor/verify-totp", { code: (URI.parse(body.totpURI) as TOTP).generate() });
    const codes: string[] = [...body.backupCodes];
    return {
      browser,
      works: async () => {
        const other = started.visitor();
        const first = await other.auth("/sign-in/email", { email: person.email, password: testPassword });
        if (first.status !== 200) return false;
        return isOk(other.auth("/two-factor/verify-backup-code", { code: codes.pop() }));
      },
    };
  },

  Passkeys: async ({ started, person }) => {
    const { signIn } = await addPasskey(started, person.id);
    return { works: async () => (await signIn(isPresent | isVerified)).answer.status === 200 };
  },
};

const canSignIn = ({ visitor }: StartedConsole, { email }: Person): Promise<boolean> =>
  isOk(visitor().auth("/sign-in/email", { email, password: testPassword }));

const mailsTo = async ({ rows }: StartedConsole, recipient: string): Promise<string[]> =>
  (await rows<{ body: string }>("select body from mails where recipient = ? order by id", recipient)).map(
    ({ body }) => body,
  );

async function mailedToken(started: StartedConsole, email: string): Promise<string> {
  const [text = ""] = await mailsTo(started, email);
  return tokenOf(/https:\S+\/console\/invitation#[\w-]{43}/.exec(text)?.[0] ?? "");
}

/** An open page of the library. `tells` waits for a hint about a team, or for the end of the stream. */
async function openStream({ origin, fetch }: StartedConsole, { cookie }: Person, workspaceId: string) {
  const response = await fetch(`${origin}/console/api/library/events?workspaceId=${workspaceId}`, {
    headers: { Cookie: cookie, Accept: "text/event-stream" },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  const tells = async (teamId: string): Promise<boolean> => {
    while (!text.includes(teamId)) {
      const { done, value } = await reader.read();
      if (done) return false;
      text += new TextDecoder().decode(value);
    }
    text = "";
    return true;
  };
  return { tells };
}

const largeEntries = { count: 200, characters: 20_000 };

/** Makes the export so long that it waits for its reader. */
const fillAuditLog = ({ admin }: StartedConsole, workspaceId: string): Promise<void> =>
  admin(async (transaction) => {
    for (let index = 0; index < largeEntries.count; index += 1)
      recordAuditEntry(
        transaction,
        workspaceId,
        { kind: "service", id: null, name: "Test", clientAddress: null },
        {
          action: "test.fill",
          target: { kind: "test", id: null, name: null },
          after: { text: "x".repeat(largeEntries.characters) },
        },
      );
  });

/** An export that waits for its reader. `isComplete` reads the rest. */
async function openExport({ origin, ca }: StartedConsole, { cookie }: Person, workspaceId: string) {
  const session = connect(origin, { ca });
  const path = `/console/api/audit-log/export?workspaceId=${workspaceId}`;
  const request = session.request({ ":path": path, cookie, "accept-encoding": "identity" });
  const status = await new Promise((resolve) =>
    request.once("response", (headers) => {
      request.pause();
      resolve(headers[":status"]);
    }),
  );
  if (status !== 200) throw new Error(`the export was refused with ${status}`);
  let outcome: Promise<boolean> | undefined;
  const readRest = () =>
    new Promise<boolean>((resolve) => {
      request.on("end", () => resolve(true));
      request.on("error", () => resolve(false));
      request.on("aborted", () => resolve(false));
      request.on("data", () => undefined);
      request.resume();
    }).finally(() => session.close());
  return {
    isComplete: () => {
      outcome ??= readRest();
      return outcome;
    },
  };
}
