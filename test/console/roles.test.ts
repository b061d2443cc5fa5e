// Every cell of role × operation of the console. The expectations are written by hand, never taken from the code under test.
import { beforeAll, expect, test } from "bun:test";
import { deleteTeam } from "../../src/accounts/workspaces/team-deletion.ts";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import {
  type ConsoleOperationName,
  consoleOperationNames,
  consoleOperations,
} from "../../src/contract/console/operations.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { giveCredit } from "../support/billing.ts";
import { type ConsoleCallOptions, type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { someOnPostgres } from "../support/engine.ts";
import { type Case, libraryBeyondOwnTeam, libraryCases } from "../support/library-cases.ts";
import {
  callers,
  inviteTo,
  keyIn,
  makeWorld,
  newTokenOf,
  ofKey,
  otherKeyIn,
  sessionOf,
  signInLinkOf,
  tokenOf,
  verificationOf,
  type World,
} from "../support/roles.ts";
import type { RawAnswer } from "../support/service.ts";

// Shared by many rows.
//                    operator owner admin member t.admin t.editor t.viewer stranger nobody out read write
const everybody = "        200   200   200   200     200      200      200      200    200 200  200   200";
const signedIn = "         200   200   200   200     200      200      200      200    200 401  403   403";
const membersRead = "      200   200   200   200     200      200      200      404    404 401  200   200";
const adminsRead = "       200   200   200   403     403      403      403      404    404 401  200   200";
const adminsChange = "     200   200   200   403     403      403      403      404    404 401  403   200";
const ownAdminsOnly = "    403   200   200   403     403      403      403      404    404 401  403   200";
const teamAdmins = "       403   200   200   403     200      403      403      404    404 401  403   200";
const keyReaders = "       200   200   200   403     200      200      403      404    404 401  200   200";
const operatorAndAdmins = "200   200   200   403     403      403      403      404    404 401  403   403";
const operatorOfOne = "    200   403   403   403     403      403      403      404    404 401  403   403";
const operatorOfAll = "    200   403   403   403     403      403      403      403    403 401  403   403";
const buyers = "           403   200   200   403     403      403      403      404    404 401  403   403";
const ownersOnly = "       200   200   403   403     403      403      403      404    404 401  403   403";
const realOwnersOnly = "   403   200   403   403     403      403      403      404    404 401  403   403";
const realAdminsOnly = "   403   200   200   403     403      403      403      404    404 401  403   403";
const ownTokens = "        404   200   200   200     200      200      200      404    404 401  403   403";

const month = "2026-02";

const newWebhook = () => `https://hooks.invalid/${crypto.randomUUID()}`;

const newTeamIn = async ({ admin, workspace }: World): Promise<string> =>
  (await admin((transaction) => createTeam(transaction, workspace.id, "No longer needed"))).id;

const setDeleted = ({ admin, workspace }: World, at: string | null) =>
  admin((transaction) => transaction.run(sql`update workspaces set deleted_at = ${at} where id = ${workspace.id}`));

const ofAnyPerson: Case = {
  expected: operatorOfAll,
  input: async ({ person }) => ({ query: { personId: (await person()).id } }),
};

const cases: { readonly [Name in ConsoleOperationName]: Case } = {
  getSignIn: { expected: everybody },
  postPasswordReset: { expected: everybody, input: () => ({ body: { email: `${crypto.randomUUID()}@example.com` } }) },
  postSignInLink: {
    expected: everybody,
    input: async (world, caller) => ({ body: { token: await signInLinkOf(world, caller) } }),
  },
  postInvitationPreview: {
    expected: everybody,
    input: async (world) => ({ body: { token: (await inviteTo(world, "new@example.com")).token } }),
  },
  postInvitationAcceptance: {
    expected: everybody,
    input: async (world, caller) => {
      const person = world.callers.get(caller)?.person;
      const email = person?.email ?? `${crypto.randomUUID()}@example.com`;
      const { token } = await inviteTo(world, email);
      return { body: { token, ...(!person && { name: "New", password: testPassword }) } };
    },
  },
  getSession: { expected: "200 200 200 200 200 200 200 200 200 401 200 200" },
  postSessionConfirmation: { expected: signedIn, input: () => ({ body: { password: testPassword } }) },
  // Their addresses are verified, and this service sends no email.
  postEmailVerification: { expected: "409 409 409 409 409 409 409 409 409 401 403 403" },
  putEmailVerification: {
    expected: signedIn,
    input: async (world, caller) => ({ body: { token: await verificationOf(world, caller) } }),
  },
  putPerson: { expected: signedIn, input: () => ({ body: { name: "Renamed" } }) },
  deletePerson: {
    // The stranger is the only owner of their workspace.
    expected: "  200   200   200   200     200      200      200      409    200 401  403   403",
    input: (world, caller) => ({ body: { email: world.callers.get(caller)?.person?.email ?? "none" } }),
  },
  getPersonExport: { expected: signedIn },
  getSessions: { expected: signedIn },
  deleteSession: {
    expected: signedIn,
    input: async (world, caller) => ({ query: { id: await sessionOf(world, caller) } }),
  },
  deleteSessions: { expected: signedIn },
  getTokens: { expected: signedIn },
  postToken: {
    expected: ownTokens,
    input: ({ workspace }) => ({
      body: { workspaceId: workspace.id, name: "T", scopes: { workspace: "read" }, expiresAt: "2026-04-01T00:00:00Z" },
    }),
  },
  deleteToken: {
    expected: ownTokens,
    input: async (world, caller) => ({ query: { id: await tokenOf(world, world.callers.get(caller)?.person) } }),
  },
  getSecurityLog: { expected: signedIn },

  getWorkspaces: { expected: operatorOfAll },
  postWorkspace: { expected: operatorOfAll, input: () => ({ body: { name: "New", teamName: "First" } }) },
  getWorkspace: { expected: membersRead },
  putWorkspace: { expected: adminsChange, input: () => ({ body: { name: "Renamed" } }) },
  deleteWorkspace: {
    expected: "403 200 403 403 403 403 403 404 404 401 403 403",
    // Restored for the callers that follow.
    input: async (world) => {
      await setDeleted(world, null);
      return { body: { name: "World" } };
    },
  },
  postWorkspaceRestoration: {
    expected: ownersOnly,
    input: async (world) => {
      await setDeleted(world, "2026-03-15T12:00:00.000Z");
      return {};
    },
  },
  getWorkspaceExport: { expected: realOwnersOnly },
  getSignInPolicy: { expected: realOwnersOnly },
  putSignInPolicy: { expected: realOwnersOnly, input: () => ({ body: { policy: "any" } }) },
  getWorkspaceTokens: { expected: ownersOnly },
  deleteWorkspaceToken: {
    expected: ownersOnly,
    input: async (world) => ({ query: { tokenId: await tokenOf(world, await world.person({ role: "admin" })) } }),
  },
  putSubscription: { expected: operatorOfOne, input: () => ({ body: { subscription: "active" } }) },
  getStorage: { expected: membersRead },
  putStorage: { expected: operatorOfOne, input: () => ({ body: { mebibytes: 5 } }) },

  getAlerts: { expected: operatorAndAdmins },
  putAlerts: { expected: operatorAndAdmins, input: () => ({ body: { webhookUrl: newWebhook() } }) },
  postAlertsSecret: {
    expected: operatorAndAdmins,
    input: async ({ owner }) => {
      await owner.call("putAlerts", { body: { webhookUrl: newWebhook() } });
      return {};
    },
  },
  postAlertsTest: {
    expected: operatorAndAdmins,
    input: async ({ owner }) => {
      await owner.call("putAlerts", { body: { webhookUrl: newWebhook() } });
      return {};
    },
  },
  postAlertsDelivery: {
    expected: operatorAndAdmins,
    input: async ({ owner }) => {
      await owner.call("putAlerts", { body: { webhookUrl: newWebhook() } });
      const { deliveries } = (await owner.call("postAlertsTest")).body.data;
      // Ends the delivery.
      await owner.call("putAlerts", { body: { webhookUrl: newWebhook() } });
      return { query: { deliveryId: deliveries[0].id } };
    },
  },

  getKeys: { expected: keyReaders },
  getKey: { expected: keyReaders, input: async (world) => ofKey(await keyIn(world)) },
  postKey: { expected: teamAdmins, input: ({ team }) => ({ body: { name: "New", teams: [team.id] } }) },
  putKey: {
    expected: teamAdmins,
    input: async (world) => ({ ...ofKey(await keyIn(world)), body: { name: "Renamed" } }),
  },
  deleteKey: { expected: teamAdmins, input: async (world) => ofKey(await keyIn(world, false)) },
  postKeyRotation: {
    expected: teamAdmins,
    input: async (world) => ({ ...ofKey(await keyIn(world)), body: { overlap: "1h" } }),
  },
  postKeyDeactivation: { expected: teamAdmins, input: async (world) => ofKey(await keyIn(world)) },
  postKeyActivation: { expected: teamAdmins, input: async (world) => ofKey(await keyIn(world, false)) },

  getQuota: { expected: membersRead },
  getUsage: { expected: membersRead },
  getLog: { expected: adminsRead },
  getLogExport: { expected: adminsRead },

  getBilling: { expected: adminsRead },
  putBillingDetails: {
    expected: adminsChange,
    input: () => ({ body: { name: "Babbage & Söhne GmbH", address: ["Berlin"], taxId: null } }),
  },
  postPurchase: {
    expected: buyers,
    input: async (world) => {
      await giveCredit(world);
      return { body: { package: "100K", purchaseId: crypto.randomUUID() } };
    },
  },
  putCreditLimit: { expected: operatorOfOne, input: () => ({ body: { limitCents: 5_000 } }) },
  getInvoices: { expected: adminsRead },
  getInvoice: { expected: adminsRead, input: () => ({ query: { month } }) },
  getInvoicePreview: { expected: adminsRead },
  getInvoicePdf: { expected: adminsRead, input: () => ({ query: { month } }) },
  getPayments: { expected: adminsRead },
  postPayment: {
    expected: operatorOfOne,
    input: async (world) => {
      await giveCredit(world);
      const bought = await world.owner.call("postPurchase", {
        body: { package: "100K", purchaseId: crypto.randomUUID() },
      });
      return { body: { purpose: "package", subject: bought.body.data.payment.id, reference: crypto.randomUUID() } };
    },
  },

  getMembers: { expected: membersRead },
  putMember: {
    expected: adminsChange,
    input: async ({ person }) => ({
      query: { personId: (await person({ role: "member" })).id },
      body: { role: "admin" },
    }),
  },
  deleteMember: {
    expected: adminsChange,
    input: async ({ person }) => ({ query: { personId: (await person({ role: "member" })).id } }),
  },
  getInvitations: { expected: adminsRead },
  postInvitation: {
    expected: adminsChange,
    input: () => ({ body: { email: `${crypto.randomUUID()}@example.com`, role: "admin" } }),
  },
  deleteInvitation: {
    expected: adminsChange,
    input: async ({ owner }) => {
      const email = `${crypto.randomUUID()}@example.com`;
      const { body } = await owner.call("postInvitation", { body: { email, role: "member" } });
      return { query: { invitationId: body.data.id } };
    },
  },

  getTeams: { expected: membersRead },
  postTeam: { expected: ownAdminsOnly, input: () => ({ body: { name: "New", visibility: "private" } }) },
  putTeam: { expected: teamAdmins, input: ({ team }) => ({ query: { teamId: team.id }, body: { name: "Renamed" } }) },
  getTeamContents: { expected: realAdminsOnly, input: ({ team }) => ({ query: { teamId: team.id } }) },
  deleteTeam: {
    expected: realAdminsOnly,
    input: async (world) => ({ query: { teamId: await newTeamIn(world) }, body: { name: "No longer needed" } }),
  },
  getDeletedTeams: { expected: realAdminsOnly },
  postTeamRestoration: {
    expected: realAdminsOnly,
    input: async (world) => {
      const teamId = await newTeamIn(world);
      await world.admin((transaction) => deleteTeam(transaction, world.workspace.id, teamId));
      return { query: { teamId } };
    },
  },
  getTeamExport: { expected: realAdminsOnly, input: ({ team }) => ({ query: { teamId: team.id } }) },
  putTeamMember: {
    expected: teamAdmins,
    input: async ({ person, team }) => ({
      query: { teamId: team.id, personId: (await person({ role: "member" })).id },
      body: { role: "viewer" },
    }),
  },
  deleteTeamMember: {
    expected: teamAdmins,
    input: async ({ person, team }) => {
      const { id } = await person({ role: "member", teams: { [team.id]: "viewer" } });
      return { query: { teamId: team.id, personId: id } };
    },
  },

  getInstance: { expected: operatorOfAll },
  getInstancePeople: { expected: operatorOfAll },
  postInstancePersonDeactivation: ofAnyPerson,
  postInstancePersonActivation: ofAnyPerson,
  deleteInstancePersonAccess: ofAnyPerson,
  deleteInstancePersonFactors: ofAnyPerson,
  deleteInstancePersonOperator: ofAnyPerson,

  ...libraryCases,

  getAuditLog: { expected: adminsRead },
  getAuditActors: { expected: adminsRead },
  getAuditLogExport: { expected: adminsRead },
  getInstanceAuditLog: { expected: operatorOfAll },
  getInstanceAuditLogExport: { expected: operatorOfAll },
};

/** Resources of other teams, for callers limited to their team: not found or not allowed. */
const beyondOwnTeam: readonly (readonly [ConsoleOperationName, (world: World) => Promise<ConsoleCallOptions>])[] = [
  ["putKey", async (world) => ({ ...ofKey(await otherKeyIn(world)), body: { name: "X" } })],
  ["deleteKey", async (world) => ofKey(await otherKeyIn(world, false))],
  ["postKeyRotation", async (world) => ({ ...ofKey(await otherKeyIn(world)), body: { overlap: "now" } })],
  ["postKeyDeactivation", async (world) => ofKey(await otherKeyIn(world))],
  ["postKeyActivation", async (world) => ofKey(await otherKeyIn(world, false))],
  ["postKey", async ({ otherTeam }) => ({ body: { name: "X", teams: [otherTeam.id] } })],
  ["postKey", async ({ team, otherTeam }) => ({ body: { name: "X", teams: [team.id, otherTeam.id] } })],
  ["postKey", async () => ({ body: { name: "X", teams: "all" } })],
  ["putKey", async (world) => ({ ...ofKey(await keyIn(world)), body: { teams: "all" } })],
  ["putKey", async (world) => ({ ...ofKey(await keyIn(world)), body: { teams: [world.otherTeam.id] } })],
  ["putTeam", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id }, body: { name: "X" } })],
  [
    "putTeamMember",
    async ({ otherTeam, owner }) => ({ query: { teamId: otherTeam.id, personId: owner.id }, body: { role: "admin" } }),
  ],
  ["deleteTeamMember", async ({ otherTeam, owner }) => ({ query: { teamId: otherTeam.id, personId: owner.id } })],
];

let started: StartedConsole;
const secrets: string[] = [];

beforeAll(async () => {
  started = await startConsole({});
});

/** How many entries the audit log has, without the first use of a token, which is audited whatever it does; and the library's own log. */
const countEntries = async (): Promise<{ audited: number; acts: number }> => {
  const [row] = await started.rows<{ audited: number; acts: number }>(
    `select (select count(*) from audit_log where action <> 'token.use') as audited,
       (select count(*) from library_activity) as acts`,
  );
  return { audited: Number(row?.audited), acts: Number(row?.acts) };
};

/** Acts in the library are in a log of their own, but for those that had nothing to do. */
const isAct = (name: ConsoleOperationName): boolean =>
  name in libraryCases && consoleOperations[name].method !== "GET" && name !== "deleteLibraryTrash";

/** Fields that a response shows only once. */
function keepSecrets({ text }: RawAnswer): void {
  secrets.push(...(text.match(/(?:cp[lt]|whsec)_[0-9A-Za-z]{20,}/g) ?? []));
  secrets.push(...[...text.matchAll(/invitation#([\w-]{20,})/g)].map(([, token]) => token ?? ""));
}

const tried = someOnPostgres(consoleOperationNames);
const triesAll = tried.length === consoleOperationNames.length;

for (const name of tried) {
  const { expected, input = () => ({}) } = cases[name];
  const statuses = expected.trim().split(/\s+/).map(Number);

  test(`${name}: only the permitted roles can do it, and the audit entry is correct`, async () => {
    const world = await makeWorld(started, secrets);
    expect(statuses).toHaveLength(callers.length);
    const found: Record<string, number> = {};
    const written: Record<string, boolean> = {};
    const acted: Record<string, boolean> = {};
    for (const caller of callers) {
      const call = await input(world, caller);
      const before = await countEntries();
      const answer = await world.callers.get(caller)?.call(name, call);
      if (!answer) throw new Error(`nobody calls as ${caller}`);
      keepSecrets(answer);
      found[caller] = answer.status;
      const after = await countEntries();
      written[caller] = after.audited > before.audited;
      acted[caller] = after.acts > before.acts;
    }
    expect(found).toEqual(Object.fromEntries(callers.map((caller, index) => [caller, statuses[index] ?? 0])));
    expect(written).toEqual(
      Object.fromEntries(
        callers.map((caller, index) => [caller, consoleOperations[name].isAudited && statuses[index] === 200]),
      ),
    );
    expect(acted).toEqual(
      Object.fromEntries(callers.map((caller, index) => [caller, isAct(name) && statuses[index] === 200])),
    );
  }, 60_000);
}

test("who administers a team reaches nothing beyond it", async () => {
  const world = await makeWorld(started, secrets);
  for (const [name, input] of [...beyondOwnTeam, ...libraryBeyondOwnTeam]) {
    const call = await input(world);
    const before = await countEntries();
    for (const caller of ["team admin", "team editor", "team viewer", "member"] as const) {
      const answer = await world.callers.get(caller)?.call(name, call);
      expect([name, caller, [403, 404].includes(answer?.status ?? 0)]).toEqual([name, caller, true]);
    }
    expect([name, await countEntries()]).toEqual([name, before]);
  }
}, 60_000);

test("if the caller does not meet the sign-in policy, every operation of the workspace is refused and nothing is changed", async () => {
  const world = await makeWorld(started, secrets);
  const setPolicy = (policy: string) =>
    started.admin((transaction) =>
      transaction.run(sql`update workspaces set sign_in_policy = ${policy} where id = ${world.workspace.id}`),
    );
  const names = consoleOperationNames.filter((name) => "workspaceId" in consoleOperations[name].query);
  expect(names.length).toBeGreaterThan(60);
  for (const name of names) {
    const call = await cases[name].input?.(world, "owner");
    const before = await countEntries();
    await setPolicy("second_factor");
    for (const caller of ["owner", "operator", "an owner's write token"] as const) {
      const answer = await world.callers.get(caller)?.call(name, call);
      // Most refuse the token anyway.
      const codes = ["second_factor_required", ...(caller.endsWith("token") ? ["token_not_allowed"] : [])];
      expect([name, caller, answer?.status, codes.includes(answer?.body.error)]).toEqual([name, caller, 403, true]);
    }
    await setPolicy("any");
    await setDeleted(world, null);
    expect([name, await countEntries()]).toEqual([name, before]);
  }
}, 60_000);

test("no library operation of one workspace reaches into another", async () => {
  const world = await makeWorld(started, secrets);
  const stranger = world.callers.get("stranger of another workspace");
  const theirs = await started.person({ role: "owner", workspaceId: world.other.id });
  for (const name of Object.keys(libraryCases) as (keyof typeof libraryCases)[]) {
    const { query, ...call } = (await libraryCases[name].input?.(world, "owner")) ?? {};
    const { acts: before } = await countEntries();
    for (const { call: ask } of [stranger, theirs].filter((caller) => caller !== undefined)) {
      const answer = await ask(name, { ...call, query: { ...query, workspaceId: world.other.id } });
      // Only lists respond without a resource; they contain nothing of the other workspace.
      expect([name, answer.text.includes(world.team.id), answer.status < 500]).toEqual([name, false, true]);
    }
    expect([name, (await countEntries()).acts]).toEqual([name, before]);
  }
}, 60_000);

test("a role that is taken away is gone for the very next call, of a session and of a token", async () => {
  const world = await makeWorld(started, secrets);
  const admin = await world.person({ role: "admin" });
  const token = await newTokenOf(world, admin, true);
  const query = { workspaceId: world.workspace.id };
  const asks = async () => [
    (await admin.call("getAuditLog")).status,
    (await started.bearer(token.secret, "getAuditLog", { query })).status,
  ];
  expect(await asks()).toEqual([200, 200]);
  await world.owner.call("putMember", { query: { personId: admin.id }, body: { role: "member" } });
  expect(await asks()).toEqual([403, 403]);
});

test("neither the audit log nor the log ever held a secret", async () => {
  expect(secrets.length).toBeGreaterThan(triesAll ? 500 : 100);
  const acts = JSON.stringify(await started.rows("select * from audit_log"));
  const lines = started.lines.join("\n");
  expect(acts).toContain(triesAll ? "key.create" : '"action":"');
  for (const place of [acts, lines]) {
    expect(place).not.toMatch(/(?:cp[lt]|whsec)_[0-9A-Za-z]{5,}/);
    expect(place).not.toContain(testPassword);
    expect(secrets.filter((secret) => secret !== "" && place.includes(secret))).toEqual([]);
  }
});
