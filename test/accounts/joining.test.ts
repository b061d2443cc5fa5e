// An invitation as the invited person uses it: with an account or without one.
import { describe, expect, test } from "bun:test";
import { startConsole, testPassword } from "../support/console.ts";

describe("an invitation", () => {
  const inviting = async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner", name: "Olga" });
    const invite = async (email: string, more = {}) => {
      const { status, body } = await owner.call("postInvitation", { body: { email, role: "admin", ...more } });
      expect(status).toBe(200);
      return new URL(body.data.link).hash.slice(1);
    };
    return { ...started, owner, invite };
  };
  const newcomer = { name: "New", password: "quite a long password" };

  test("makes an account that is a member, and signed in", async () => {
    const { invite, visitor, workspace, team, rows } = await inviting();
    const email = `${crypto.randomUUID()}@example.com`;
    const token = await invite(email, { teams: [{ teamId: team.id, role: "editor" }] });
    const browser = visitor();
    const { body: shown } = await browser.call("postInvitationPreview", { body: { token } });
    expect(shown.data).toMatchObject({
      kind: "member",
      workspace_name: "Test workspace",
      email,
      role: "admin",
      teams: [{ id: team.id, name: "Own team", role: "editor" }],
      invited_by: "Olga",
      has_account: false,
    });
    const made = await browser.call("postInvitationAcceptance", { body: { token, ...newcomer } });
    expect(made.status).toBe(200);
    const { body } = await browser.call("getSession");
    expect(body.data.person).toMatchObject({ name: "New", email, is_operator: false });
    // The inviter saw the link, so it proves nothing about the address.
    const [stored] = await rows<{ email_verified: unknown }>(
      "select email_verified from people where email = ?",
      email,
    );
    expect(Boolean(stored?.email_verified)).toBe(false);
    expect(body.data.memberships).toEqual([expect.objectContaining({ workspace_id: workspace.id, role: "admin" })]);
    expect(await rows("select role from team_memberships where person_id = ?", body.data.person.id)).toEqual([
      { role: "editor" },
    ]);
    const acts = await rows<{ actor_id: string; after: string }>(
      "select actor_id, after from audit_log where workspace_id = ? and action = 'member.join'",
      workspace.id,
    );
    expect(acts.map(({ actor_id, after }) => [actor_id, JSON.parse(after)])).toEqual([
      [body.data.person.id, { email, role: "admin", teams: [{ id: team.id, name: "Own team", role: "editor" }] }],
    ]);
    const again = await visitor().call("postInvitationAcceptance", { body: { token, ...newcomer } });
    expect([again.status, again.body.error]).toEqual([404, "invitation_not_found"]);
  });

  test("for an address that has an account is accepted by who is signed in with it, and by nobody else", async () => {
    const { invite, visitor, person, stranger, workspace } = await inviting();
    const known = await person();
    const other = await person();
    const token = await invite(known.email);
    const { body: shown } = await stranger("postInvitationPreview", { body: { token } });
    expect(shown.data.has_account).toBe(true);
    const unsigned = await stranger("postInvitationAcceptance", { body: { token, ...newcomer } });
    expect([unsigned.status, unsigned.body.error]).toEqual([409, "account_exists"]);
    const foreign = await other.call("postInvitationAcceptance", { body: { token } });
    expect([foreign.status, foreign.body.error]).toEqual([409, "other_account"]);
    const browser = visitor(known.cookie);
    expect((await browser.call("postInvitationAcceptance", { body: { token } })).status).toBe(200);
    expect((await browser.call("getSession")).body.data.memberships).toEqual([
      expect.objectContaining({ workspace_id: workspace.id, role: "admin" }),
    ]);
    // The password is unchanged.
    expect((await visitor().auth("/sign-in/email", { email: known.email, password: testPassword })).status).toBe(200);
  });

  test("accepted twice at the same moment makes one member", async () => {
    const { invite, visitor } = await inviting();
    const token = await invite(`${crypto.randomUUID()}@example.com`);
    const answers = await Promise.all(
      [1, 2, 3].map(() => visitor().call("postInvitationAcceptance", { body: { token, ...newcomer } })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => status === 404 || status === 409)).toBe(true);
  });
});
