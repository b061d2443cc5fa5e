// Which actions ask a session for the password again. Written by hand, never taken from the table.
import { expect, test } from "bun:test";
import type { ConsoleOperation } from "../../src/contract/console/operation.ts";
import {
  type ConsoleOperationName,
  consoleOperationNames,
  consoleOperations,
} from "../../src/contract/console/operations.ts";
import { type ConsoleCallOptions, startConsole } from "../support/console.ts";

const always: readonly ConsoleOperationName[] = [
  ...([
    "postToken",
    "postWorkspace",
    "putStorage",
    "putCreditLimit",
    "putSubscription",
    "putSignInPolicy",
    "putAlerts",
    "postAlertsSecret",
    "deleteWorkspace",
    "deleteSession",
    "deleteSessions",
    "deletePerson",
    "getPersonExport",
    "postWorkspaceRestoration",
    "getWorkspaceExport",
    "putBillingDetails",
    "postPurchase",
    "postPayment",
  ] as const),
  ...(["postKey", "deleteKey", "postKeyRotation", "postKeyActivation"] as const),
  ...(["postInstancePersonDeactivation", "postInstancePersonActivation", "deleteInstancePersonAccess"] as const),
  ...(["deleteInstancePersonFactors", "deleteInstancePersonOperator"] as const),
  ...(["putMember", "deleteMember", "postInvitation", "putTeamMember", "deleteTeamMember"] as const),
  ...(["deleteTeam", "postTeamRestoration", "getTeamExport", "deleteLibraryTrash"] as const),
];
const byBody: readonly ConsoleOperationName[] = ["putKey"];

test("every action declares whether it asks for the password again", () => {
  const { confirmation: _, ...row } = consoleOperations.postTeam;
  // @ts-expect-error: the row does not say it.
  const incomplete: ConsoleOperation = row;
  expect(incomplete.confirmation).toBeUndefined();
  const found = consoleOperationNames.filter((name) => consoleOperations[name].confirmation === "always");
  expect(found.sort()).toEqual([...always].sort());
  const asking = consoleOperationNames.filter((name) => typeof consoleOperations[name].confirmation === "function");
  expect(asking.sort()).toEqual([...byBody].sort());
});

test("actions that give access or concern money ask again if the last confirmation is too old, and change nothing until then", async () => {
  const { person, team, otherTeam, key, rows, workspace } = await startConsole();
  const owner = await person({ role: "owner", isOperator: true, confirmedMinutesAgo: 20 });
  const member = await person({ role: "member" });
  const ofKey = { query: { keyId: key.id } };
  const ofMember = { query: { teamId: team.id, personId: member.id } };
  const asked: readonly (readonly [ConsoleOperationName, ConsoleCallOptions])[] = [
    ["putKey", { ...ofKey, body: { teams: "all" } }],
    ["putKey", { ...ofKey, body: { name: "Renamed", teams: [team.id, otherTeam.id] } }],
    ["putKey", { ...ofKey, body: { scope: "read_write" } }],
    ["putKey", { ...ofKey, body: { expiresAt: null } }],
    ["putKey", { ...ofKey, body: { networks: [] } }],
    ["putKey", { ...ofKey, body: { monthlyBudget: 5 } }],
    ["putKey", { ...ofKey, body: { requestsPerMinute: null } }],
    ["postKeyActivation", ofKey],
    ["putTeamMember", { ...ofMember, body: { role: "admin" } }],
    ["putTeamMember", { ...ofMember, body: { role: "viewer" } }],
    ["deleteTeamMember", ofMember],
    ["putBillingDetails", { body: { name: "Elsewhere Ltd", address: [], taxId: null } }],
    ["postWorkspace", { body: { name: "Another", teamName: "First" } }],
    ["deleteMember", { query: { personId: member.id } }],
    ["deleteSession", { query: { id: member.sessionId } }],
    ["deleteSessions", {}],
    ["deleteLibraryTrash", { query: { teamId: team.id } }],
    ["deleteKey", { query: { keyId: crypto.randomUUID() } }],
    ["putSignInPolicy", { body: { policy: "any" } }],
    ["putAlerts", { body: { webhookUrl: "https://hooks.invalid" } }],
  ];
  const auditedBefore = await rows("select id from audit_log where workspace_id = ?", workspace.id);
  for (const [name, call] of asked) {
    const { status, body } = await owner.call(name, call);
    expect([name, status, body.error]).toEqual([name, 403, "confirmation_required"]);
  }
  expect(await rows("select id from audit_log where workspace_id = ?", workspace.id)).toEqual(auditedBefore);
  const free: readonly (readonly [ConsoleOperationName, ConsoleCallOptions])[] = [
    ["putKey", { ...ofKey, body: { name: "Renamed" } }],
    ["postKeyDeactivation", ofKey],
  ];
  for (const [name, call] of free) expect([name, (await owner.call(name, call)).status]).toEqual([name, 200]);
});
