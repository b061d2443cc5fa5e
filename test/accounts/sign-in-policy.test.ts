// The sign-in policy of a workspace: who reaches it, what the others are told, and who may set it.
import { expect, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import { sql } from "../../src/platform/database/sql.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";

type Browser = ReturnType<StartedConsole["visitor"]>;
type Call = Browser["call"];

/** Turns on two-factor authentication. The browser's session is a new one then. */
async function enroll(browser: Browser): Promise<void> {
  const enabled = await browser.auth("/two-factor/enable", { password: testPassword });
  const totp = URI.parse(enabled.body.totpURI) as TOTP;
  expect((await browser.auth("/two-factor/verify-totp", { code: totp.generate() })).status).toBe(200);
}

const refusalOf = async (call: Call, query = {}) => {
  const { status, body } = await call("getWorkspace", { query });
  return status === 200 ? "open" : [status, body.error, body.message];
};
const noFactor = [
  403,
  "second_factor_required",
  "This workspace requires two-factor authentication or a passkey. Set one up on your account page",
];
const notShown = [
  403,
  "second_factor_sign_in_required",
  "This workspace requires a sign-in with two-factor authentication or a passkey. Sign out, then sign in again with your second factor",
];

const putPolicy = (call: Call, policy: string) => call("putSignInPolicy", { body: { policy } });

test("a workspace that requires a second factor refuses every session and token without one", async () => {
  const started = await startConsole();
  const { person, visitor, bearer, rows, workspace } = started;
  const [owner, member] = [await person({ role: "owner" }), await person({ role: "member" })];
  const token = async (call: Call): Promise<string> =>
    (
      await call("postToken", {
        body: {
          workspaceId: workspace.id,
          name: "Script",
          scopes: { workspace: "read" },
          expiresAt: "2026-04-01T00:00:00Z",
        },
      })
    ).body.data.secret;
  const [ownerToken, memberToken] = [await token(owner.call), await token(member.call)];

  // Who lacks it cannot set it.
  const own = await putPolicy(owner.call, "second_factor");
  expect([own.status, own.body.error, own.body.message]).toEqual([
    409,
    "own_sign_in",
    "You would lock yourself out: your account has no second factor. Set one up on your account page, then try again",
  ]);
  const [ownerBrowser, memberBrowser] = [visitor(owner.cookie), visitor(member.cookie)];
  const memberElsewhere = visitor();
  await memberElsewhere.auth("/sign-in/email", { email: member.email, password: testPassword });
  await enroll(ownerBrowser);
  expect((await ownerBrowser.call("getSignInPolicy")).body.data).toEqual({
    policy: "any",
    members: 2,
    members_without_second_factor: 1,
    members_without_single_sign_on: 2,
    members_without_either: 1,
  });
  expect((await putPolicy(ownerBrowser.call, "second_factor")).body.data.sign_in_policy).toBe("second_factor");
  const [entry] = await rows<{ before: unknown; after: unknown }>(
    "select before, after from audit_log where workspace_id = ? and action = 'policy.change'",
    workspace.id,
  );
  expect([entry?.before, entry?.after].map((json) => (typeof json === "string" ? JSON.parse(json) : json))).toEqual([
    { sign_in: "any" },
    { sign_in: "second_factor" },
  ]);

  expect(await refusalOf(ownerBrowser.call)).toBe("open");
  expect(await refusalOf(memberBrowser.call)).toEqual(noFactor);
  const listed = (await memberBrowser.call("getSession")).body.data.memberships[0];
  expect([listed.workspace_name, listed.sign_in_lacks, listed.actions]).toEqual([workspace.name, "second_factor", []]);
  const ofWorkspace = { query: { workspaceId: workspace.id } };
  const refused = await bearer(memberToken, "getWorkspace", ofWorkspace);
  expect([refused.status, refused.body.error, refused.body.message]).toEqual([
    403,
    "second_factor_required",
    "This workspace requires two-factor authentication or a passkey. The owner of this access token does not meet this requirement",
  ]);
  expect((await bearer(ownerToken, "getWorkspace", ofWorkspace)).status).toBe(200);
  const newToken = await memberBrowser.call("postToken", {
    body: {
      workspaceId: workspace.id,
      name: "New",
      scopes: { workspace: "read" },
      expiresAt: "2026-04-01T00:00:00Z",
    },
  });
  expect([newToken.status, newToken.body.error]).toEqual([403, "second_factor_required"]);

  const unmet = (await ownerBrowser.call("getMembers")).body.data.map(
    ({ person_id, meets_sign_in_policy }: { person_id: string; meets_sign_in_policy: boolean }) => [
      person_id,
      meets_sign_in_policy,
    ],
  );
  expect(Object.fromEntries(unmet)).toEqual({ [owner.id]: true, [member.id]: false });

  await enroll(memberBrowser);
  expect(await refusalOf(memberBrowser.call)).toBe("open");
  expect((await memberBrowser.call("getMembers")).body.data[0].meets_sign_in_policy).toBeNull();
  expect((await bearer(memberToken, "getWorkspace", ofWorkspace)).status).toBe(200);
  expect(await refusalOf(memberElsewhere.call)).toEqual(notShown);
  // A session that replaces another one keeps what was shown; it counts no longer than the factor exists.
  const changed = { currentPassword: testPassword, newPassword: "twelve violins on a hill" };
  expect((await memberBrowser.auth("/change-password", changed)).status).toBe(200);
  expect(await refusalOf(memberBrowser.call)).toBe("open");
  const password = changed.newPassword;
  expect((await memberBrowser.auth("/two-factor/disable", { password })).status).toBe(200);
  expect(await refusalOf(memberBrowser.call)).toEqual(noFactor);
}, 60_000);

test("the policy applies to operators too, a passkey counts as a second factor, and single sign-on needs a provider", async () => {
  const { person, admin, workspace } = await startConsole();
  const owner = await person({ role: "owner" });
  const operator = await person({ isOperator: true });
  await admin(async (transaction) => {
    transaction.insert("person_passkeys", [
      {
        id: transaction.newId(),
        person_id: owner.id,
        name: "Device",
        public_key: "",
        credential_id: crypto.randomUUID(),
        counter: 0,
        device_type: "singleDevice",
        backed_up: false,
        transports: "",
        aaguid: "",
        created_at: transaction.now,
      },
    ]);
  });
  expect((await putPolicy(owner.call, "second_factor")).body.message).toStartWith(
    "You would lock yourself out: you signed in without your second factor.",
  );
  await admin((transaction) =>
    transaction.run(
      sql`update person_sessions set sign_in_method = 'passkey', has_second_factor = ${true} where id = ${owner.sessionId}`,
    ),
  );
  expect((await putPolicy(owner.call, "second_factor")).status).toBe(200);
  expect(await refusalOf(owner.call)).toBe("open");
  expect(await refusalOf(operator.call, { workspaceId: workspace.id })).toEqual(noFactor);
  const sso = await putPolicy(owner.call, "single_sign_on");
  expect([sso.status, sso.body.error, sso.body.message]).toEqual([
    409,
    "no_single_sign_on",
    "Single sign-on is not set up on this service",
  ]);
});
