// The pages of members, teams, audit log, settings and workspaces, in a real browser.
import { expect, setDefaultTimeout } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { recordAuditEntry } from "../../src/accounts/audit/audit.ts";
import { sql } from "../../src/platform/database/sql.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import {
  axe,
  browserMilliseconds,
  copiedBy,
  eventually,
  findPageProblems,
  goTo,
  visit,
  widths,
} from "../support/browser.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

type PageName = "members" | "teams" | "audit" | "settings" | "workspaces" | "people";
type Person = Awaited<ReturnType<StartedConsole["person"]>>;

const pathOf = ({ workspace }: StartedConsole, name: PageName): string =>
  name === "workspaces" || name === "people" ? `/console/${name}` : `/console/w/${workspace.id}/${name}`;

const open = (started: StartedConsole, person: Person, name: PageName) =>
  visit({ origin: started.origin, path: pathOf(started, name), cookie: person.cookie });

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
async function choose(page: Page, about: string, item: string): Promise<void> {
  await button(page, `Actions for ${about}`).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}

test("invite a colleague in the page, copy the link, open it as the colleague: they are a member", async () => {
  const started = await startConsole({ at: new Date().toISOString() });
  const owner = await started.person({ role: "owner", name: "Ada" });
  const mine = await open(started, owner, "members");
  await button(mine.page, "Invite member").click();
  await mine.page.getByLabel("Email address").fill("Grace@Example.com");
  const described = async (role: Locator) =>
    (await role.getAttribute("aria-describedby"))
      ?.split(" ")
      .map((id) => mine.page.locator(`[id="${id}"]`).innerText());
  const textsOf = async (role: Locator) => Promise.all((await described(role)) ?? []);
  const roles = mine.page.getByRole("group", { name: "Workspace role" });
  expect(await textsOf(roles.getByRole("radio", { name: /^Owner/ }))).toEqual([
    "Can manage everything, including owners, the sign-in policy, access tokens, and the deletion of the workspace.",
  ]);
  expect(await textsOf(roles.getByRole("radio", { name: /^Admin/ }))).toEqual([
    "In all teams, can read, copy, create, edit, and delete snippets, and manage folders, tags, members, and API keys. In the workspace, can manage members, teams, API keys, settings, and billing if it is on, and view the request log and audit log.",
  ]);
  expect(await textsOf(roles.getByRole("radio", { name: /^Member/ }))).toEqual([
    "Can view usage, members, and internal teams. To read snippets, members need a role in a team.",
  ]);
  expect(await textsOf(mine.page.getByRole("combobox", { name: "Own team" }))).toEqual([
    "Viewer: Can read and copy snippets.\nEditor: Can read, copy, create, edit, and delete snippets.\n" +
      "Admin: Can read, copy, create, edit, and delete snippets, and manage folders, tags, members, and API keys.",
  ]);
  await mine.page.getByRole("radio", { name: /^Admin/ }).check();
  await mine.page.getByRole("combobox", { name: "Own team" }).selectOption("editor");
  await button(mine.page, "Create invitation").click();
  const link = mine.page.getByRole("dialog").getByRole("figure").filter({ hasText: "Invitation link" });
  const copied = await copiedBy(link.getByRole("button"));
  expect(copied).toStartWith(`${started.origin}/console/invitation#`);
  await button(mine.page, "Done").click();
  await mine.page.getByRole("rowheader", { name: "grace@example.com" }).waitFor();

  const theirs = await visit({ origin: started.origin, path: copied.slice(started.origin.length) });
  await theirs.page.getByRole("heading", { name: "Join Test workspace" }).waitFor();
  await theirs.page.getByText("Ada invited you to Commonplace,").waitFor();
  expect(await theirs.page.getByRole("listitem").allInnerTexts()).toEqual([
    "All teams\nRead, copy, create, edit, and delete snippets, and manage folders, tags, members, and API keys",
    "Workspace\nManage members, teams, API keys, settings, and billing if it is on, and view the request log and audit log",
    "Own team\nRead, copy, create, edit, and delete snippets",
  ]);
  await theirs.page.getByLabel("Your name").fill("Grace");
  await theirs.page.locator('input[autocomplete="new-password"]').first().fill(testPassword);
  await button(theirs.page, "Accept and join").click();
  await theirs.page.getByRole("link", { name: "Members" }).click();
  await rowOf(theirs.page, "Grace").getByText("You").waitFor();
  await rowOf(theirs.page, "Grace").getByText("Own team (editor)").waitFor();

  const invitations = mine.page.waitForResponse((response) => response.url().includes("/invitations?"));
  await mine.page.reload();
  await rowOf(mine.page, "Grace").getByText("Admin").waitFor();
  expect(await (await invitations).json()).toMatchObject({ data: [] });
  await eventually(() => mine.page.getByRole("heading", { name: "Pending invitations" }).count(), 0);
  // The browser itself reports that a signed-out page was refused the session.
  expect(theirs.complaints.filter((line) => !line.includes("401"))).toEqual([]);
  expect(mine.complaints).toEqual([]);
  await theirs.leave();
  await mine.leave();
});

test("invite several addresses at once: wrong ones are named before, refused ones after, and each has its own link", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Ada", confirmedMinutesAgo: 20 });
  await started.person({ role: "member", email: "member@example.com" });
  const { page, leave } = await open(started, owner, "members");
  await button(page, "Invite member").click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("Email addresses");
  await field.fill("ben@example.com, cleo; dan@\nBEN@example.com");
  await dialog.getByRole("button", { name: "Create 3 invitations" }).click();
  await dialog.getByText("“cleo”, “dan@” aren’t email addresses.").waitFor();
  await field.fill(Array.from({ length: 51 }, (_, index) => `p${index}@example.com`).join("\n"));
  await dialog.getByText("Enter at most 50 addresses at a time.").waitFor();
  await field.fill("ben@example.com, member@example.com\ncleo@example.com");
  await dialog.getByRole("button", { name: "Create 3 invitations" }).click();
  // The password is asked for once.
  await page.getByLabel("Your password", { exact: true }).fill(testPassword);
  await button(page, "Confirm").click();
  await dialog.getByText("Share these 2 links").waitFor();
  await dialog.getByText("1 address could not be invited").waitFor();
  await dialog.getByText("member@example.com: A member with this email address already exists").waitFor();
  const copied = await copiedBy(dialog.getByRole("figure").getByRole("button"));
  const link = `${started.origin}/console/invitation#`;
  expect(copied.split("\n").map((line) => (line.startsWith(link) ? "link" : line))).toEqual([
    ...["ben@example.com", "link", "", "cleo@example.com", "link"],
  ]);
  expect(new Set(copied.split("\n").filter((line) => line.startsWith(link))).size).toBe(2);
  expect(await findPageProblems(page)).toEqual([]);
  await button(page, "Done").click();
  await page.getByRole("rowheader", { name: "cleo@example.com" }).waitFor();
  expect(
    await started.rows("select email from invitations where workspace_id = ? order by email", started.workspace.id),
  ).toEqual([{ email: "ben@example.com" }, { email: "cleo@example.com" }]);
  await leave();
});

test("change a role and remove a member: both hold for their next call", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Ada" });
  const bob = await started.person({ role: "member", name: "Bob" });
  const { page, complaints, leave } = await open(started, owner, "members");
  await choose(page, "Bob", "Change role");
  await page.getByRole("radio", { name: /^Admin/ }).check();
  await button(page, "Save role").click();
  await rowOf(page, "Bob").getByText("Admin").waitFor();
  expect((await bob.call("getAuditLog")).status).toBe(200);
  await bob.call("postKey", { body: { name: "Made by Bob", teams: "all" } });
  await choose(page, "Bob", "Remove");
  await button(page, "Remove member").click();
  await page.getByText("Member removed").waitFor();
  await rowOf(page, "Bob").waitFor({ state: "detached" });
  await page.getByRole("dialog", { name: "Member removed" }).getByText("Made by Bob").waitFor();
  await page.getByRole("link", { name: "Go to API access" }).click();
  await page.getByRole("heading", { name: "API access" }).waitFor();
  expect((await bob.call("getWorkspace")).status).toBe(404);
  expect(complaints).toEqual([]);
  await leave();
});

test("the operator disables an account in the page and enables it again, and can not do it to their own", async () => {
  const started = await startConsole({});
  const operator = await started.person({ isOperator: true, name: "Olive" });
  const bob = await started.person({ role: "admin", name: "Bob" });
  const { page, complaints, leave } = await open(started, operator, "people");
  await rowOf(page, "Olive").getByText("You").waitFor();
  expect(await button(page, "Actions for Olive").count()).toBe(0);
  await bob.call("postKey", { body: { name: "Made by Bob", teams: "all" } });
  await bob.call("postInvitation", { body: { email: "eve@example.com", role: "admin" } });
  await choose(page, "Bob", "Disable account");
  await button(page, "Disable account").click();
  const stopped = page.getByRole("dialog", { name: "Account disabled" });
  await stopped.getByText("1 session ended, 1 invitation revoked.").waitFor();
  await stopped.getByText("Ask the owners of the workspace to rotate this API key.").waitFor();
  await stopped.getByText("Made by Bob").waitFor();
  expect(await axe(page)).toEqual([]);
  await button(page, "Close").click();
  await rowOf(page, "Bob").getByText("Disabled").waitFor();
  expect((await bob.call("getSession")).status).toBe(401);
  await choose(page, "Bob", "Enable account");
  await button(page, "Enable account").click();
  await rowOf(page, "Bob").getByText("Active").waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test("the last owner is told why they can not leave", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Ada" });
  const { page, leave } = await open(started, owner, "members");
  await choose(page, "Ada", "Leave workspace");
  await button(page, "Leave workspace").click();
  await page.getByRole("alert").getByText("needs at least one owner").waitFor();
  await leave();
});

test("an invitation is withdrawn in the page, and its link is dead", async () => {
  const started = await startConsole({ at: new Date().toISOString() });
  const owner = await started.person({ role: "owner", name: "Ada" });
  const { body } = await owner.call("postInvitation", { body: { email: "bob@example.com", role: "member" } });
  const { page, leave } = await open(started, owner, "members");
  await choose(page, "bob@example.com", "Revoke");
  await button(page, "Revoke invitation").click();
  await page.getByText("Invitation revoked").waitFor();
  const token = body.data.link.split("#")[1];
  expect((await started.stranger("postInvitationPreview", { body: { token } })).status).toBe(404);
  await leave();
});

test("make a team, hide it, take somebody in with a role and out again, delete it, and restore it", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Ada" });
  const bob = await started.person({ role: "member", name: "Bob" });
  const { page, complaints, leave } = await open(started, owner, "teams");
  await button(page, "Create team").click();
  await button(page, "Create team").click();
  await page.getByText("Enter a name.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Support");
  await button(page, "Create team").click();
  await rowOf(page, "Support").getByText("Internal").waitFor();
  await choose(page, "Support", "Edit team");
  await page.getByRole("radio", { name: /^Private/ }).check();
  await button(page, "Save team").click();
  await rowOf(page, "Support").getByText("Private").waitFor();

  const seenByBob = async () =>
    (await bob.call("getTeams")).body.data.map(({ name, own_role }: { name: string; own_role: string }) =>
      own_role ? `${name} (${own_role})` : name,
    );
  expect(await seenByBob()).toEqual(["Other team", "Own team"]);
  await choose(page, "Support", "Manage members");
  await page.getByRole("combobox", { name: "Team role" }).selectOption("viewer");
  await button(page, "Add Bob").click();
  const role = page.getByRole("combobox", { name: "Team role for Bob" });
  await role.waitFor();
  expect(await seenByBob()).toEqual(["Other team", "Own team", "Support (viewer)"]);
  await role.selectOption("admin");
  await page.getByText("Team role changed").waitFor();
  expect(await seenByBob()).toEqual(["Other team", "Own team", "Support (admin)"]);
  await button(page, "Remove Bob from team").click();
  await page.getByText("No members yet.").waitFor();
  expect(await seenByBob()).toEqual(["Other team", "Own team"]);
  await page.keyboard.press("Escape");

  await choose(page, "Own team", "Delete team");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("On Mar 22, 2026, everything in the team will be permanently removed:").waitFor();
  await dialog.getByText("The team has 0 members and 1 team key.").waitFor();
  await button(page, "Delete team").click();
  await dialog.getByText("Enter “Own team”.").waitFor();
  await dialog.getByLabel("Enter the name of the team to confirm").fill("Own team");
  const download = page.waitForEvent("download");
  await button(page, "Delete team").click();
  expect((await download).suggestedFilename()).toBe(`team-${started.team.id}.jsonl`);
  expect(await seenByBob()).toEqual(["Other team"]);
  await button(page, "Restore Own team").click();
  await page.getByText("Team restored").waitFor();
  expect(await seenByBob()).toEqual(["Other team", "Own team"]);
  expect(complaints).toEqual([]);
  await leave();
});

test("the audit log can be filtered by someone who left, and by the command line", async () => {
  const started = await startConsole();
  const { person, admin, workspace } = started;
  const owner = await person({ role: "owner", name: "Ada" });
  const leaver = await person({ role: "admin", name: "Leon" });
  await leaver.call("putWorkspace", { body: { name: "By Leon" } });
  await owner.call("deleteMember", { query: { personId: leaver.id } });
  const target = { kind: "workspace", id: workspace.id, name: "By a command" };
  await admin(async (transaction) => {
    for (const name of ["alice", "Someone on the command line"]) {
      const actor = { kind: "command", id: null, name, clientAddress: null } as const;
      recordAuditEntry(transaction, workspace.id, actor, { action: "workspace.change", target });
    }
  });
  const { page, complaints, leave } = await open(started, owner, "audit");
  const acts = page.getByRole("list", { name: "Events, newest first" }).getByRole("listitem");
  const sentences = async () =>
    (await acts.allInnerTexts()).map((text) =>
      text
        .replaceAll(/\s+/g, " ")
        .replace(/ Mar 15.*/, "")
        .trim(),
    );
  const actor = page.getByLabel("Actor");
  await page.locator("optgroup[label='Former members and operators'] option").waitFor({ state: "attached" });
  await actor.selectOption({ label: "Leon" });
  await eventually(sentences, ["Leon changed the workspace “By Leon”"]);
  await actor.selectOption({ label: "Command line" });
  await eventually(sentences, [
    "Someone on the command line changed the workspace “By a command”",
    "alice changed the workspace “By a command” (from the command line)",
  ]);
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

test("the audit log tells in words, shows before and after, and is filtered", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Ada" });
  await owner.call("postKey", { body: { name: "Editor", teams: "all", scope: "read" } });
  await owner.call("postInvitation", {
    body: { email: "grace@example.com", role: "member", teams: [{ teamId: started.team.id, role: "editor" }] },
  });
  await owner.call("putAlerts", { body: { isQuotaOn: false, isExpiryOn: true, isRefusalsOn: true, emails: null } });
  await owner.call("putWorkspace", { body: { name: "Acme" } });
  const { page, complaints, leave } = await open(started, owner, "audit");
  const acts = page.getByRole("list", { name: "Events, newest first" }).getByRole("listitem");
  const sentences = async () => (await acts.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  await eventually(sentences, [
    "Ada changed the workspace “Acme” Mar 15, 2026, 12:00 UTC",
    "Ada changed the alerts for “Test workspace” Mar 15, 2026, 12:00 UTC",
    "Ada invited “grace@example.com” Mar 15, 2026, 12:00 UTC",
    "Ada created the API key “Editor” Mar 15, 2026, 12:00 UTC",
  ]);
  const detailsOf = async (index: number) => {
    await acts.nth(index).locator("summary").click();
    await acts.nth(index).getByText("127.0.0.1").waitFor();
    const rows = await acts.nth(index).getByRole("row").allInnerTexts();
    await acts.nth(index).locator("summary").click();
    return rows.map((text) => text.split(/\s*\t\s*/));
  };
  expect(await detailsOf(0)).toEqual([
    ["Field", "Before", "After"],
    ["Name", "Test workspace", "Acme"],
  ]);
  expect(await detailsOf(1)).toContainEqual(["Units alert", "on", "off"]);
  expect(await detailsOf(2)).toContainEqual(["Teams", "–", "Own team (editor)"]);
  expect(await detailsOf(3)).toContainEqual(["Permissions", "–", "read only"]);
  await page.getByLabel("Event", { exact: true }).selectOption({ label: "API keys" });
  await page.getByText("1 event", { exact: true }).waitFor();
  await eventually(sentences, ["Ada created the API key “Editor” Mar 15, 2026, 12:00 UTC"]);
  await page.getByLabel("End date (UTC)").fill("2026-03-14");
  await page.getByText("No matching events").waitFor();
  await button(page, "Clear filters").click();
  await page.getByText("4 events", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test("an administrator renames the workspace in its settings; the subscription is not theirs to change", async () => {
  const started = await startConsole();
  const admin = await started.person({ role: "admin" });
  const { page, complaints, leave } = await open(started, admin, "settings");
  await page.getByLabel("Workspace name").fill("Acme");
  await button(page, "Save name").click();
  await page.getByText("Workspace renamed").waitFor();
  expect((await admin.call("getWorkspace")).body.data.name).toBe("Acme");
  await page.getByText(started.team.id).waitFor();
  expect(await button(page, "Change subscription").count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
});

/** No background job runs: what is queued stays where the test finds it. */
const still: Wait = (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end()));

test("the operator makes a workspace, limits its storage, adds a webhook, and deactivates the subscription of one they are no member of", async () => {
  const started = await startConsole({ wait: still });
  const operator = await started.person({ isOperator: true, name: "Operator" });
  const { page, complaints, leave } = await open(started, operator, "workspaces");
  await choose(page, "Test workspace", "Change subscription");
  await page.getByRole("radio", { name: /^Inactive/ }).check();
  await page.getByLabel("Monthly allowance (units)").fill("250,000");
  await button(page, "Save subscription").click();
  await rowOf(page, "Test workspace").getByText("Inactive").waitFor();
  await rowOf(page, "Test workspace").getByText("250,000").waitFor();
  await button(page, "Create workspace").click();
  await page.getByLabel("Name", { exact: true }).fill("Acme");
  await page.getByLabel("First team").fill("Support");
  await button(page, "Create workspace").click();
  await page.waitForURL(/\/w\/[0-9a-f-]{36}\/overview$/);
  await page.getByRole("link", { name: "Members" }).click();
  await rowOf(page, "Operator").getByText("Owner").waitFor();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByText("0 MiB of 1,024 MiB used").waitFor();
  await button(page, "Change storage limit").click();
  await page.getByRole("radio", { name: /^Custom limit/ }).check();
  await page.getByLabel("Limit (MiB)").fill("2,048");
  await button(page, "Save limit").click();
  await page.getByText("0 MiB of 2,048 MiB used").waitFor();

  await button(page, "Add webhook").click();
  await page.getByLabel("Address", { exact: true }).fill("http://hooks.example.com/commonplace");
  await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
  await page.getByText("Enter an address that starts with https://.").waitFor();
  await page.getByLabel("Address", { exact: true }).fill("https://hooks.example.com/commonplace");
  await page.getByRole("dialog", { name: "Add webhook" }).getByRole("button", { name: "Add webhook" }).click();
  await button(page, "I’ve saved my secret").click();
  await button(page, "Send test alert").click();
  await rowOf(page, "Test").getByText("Waiting").waitFor();
  expect(await button(page, "Send again").count()).toBe(0);
  await started.admin((transaction) =>
    transaction.run(sql`update webhook_deliveries set state = 'failed', tries = 1, last_status = 500`),
  );
  await page.reload();
  await rowOf(page, "Test").getByText("Status 500").waitFor();
  await button(page, "Send again").click();
  await page.getByText("Alert queued").waitFor();
  await rowOf(page, "Test").getByText("Waiting").waitFor();
  expect(await started.rows("select state, tries from webhook_deliveries")).toEqual([{ state: "waiting", tries: 0 }]);
  // The address without https:// was refused.
  expect(complaints.filter((complaint) => !complaint.includes("400"))).toEqual([]);
  await leave();
});

test("what a role does not allow is not shown, and refused by the service all the same", async () => {
  const started = await startConsole();
  await started.person({ role: "owner", name: "Ada" });
  const member = await started.person({ role: "member", name: "Bob" });
  const admin = await started.person({ role: "admin", name: "Grace" });
  const asMember = await open(started, member, "members");
  await rowOf(asMember.page, "Ada").waitFor();
  expect(await asMember.page.getByRole("link").allInnerTexts()).not.toContain("Audit log");
  expect(await button(asMember.page, "Invite member").count()).toBe(0);
  expect(await asMember.page.getByRole("button", { name: /^Actions for/ }).count()).toBe(0);
  await goTo(asMember.page, started.origin + pathOf(started, "teams"));
  await asMember.page.getByRole("rowheader", { name: "Own team" }).waitFor();
  expect(await button(asMember.page, "Create team").count()).toBe(0);
  await goTo(asMember.page, started.origin + pathOf(started, "audit"));
  await asMember.page.getByRole("heading", { name: "Access denied" }).waitFor();
  expect(await asMember.page.getByLabel("Event", { exact: true }).count()).toBe(0);
  expect((await member.call("getAuditLog")).status).toBe(403);

  const asAdmin = await open(started, admin, "members");
  await rowOf(asAdmin.page, "Ada").waitFor();
  expect(await button(asAdmin.page, "Actions for Ada").count()).toBe(0);
  await choose(asAdmin.page, "Bob", "Change role");
  await asAdmin.page.getByRole("radio").first().waitFor();
  expect(await asAdmin.page.getByRole("radio").count()).toBe(2);
  await asMember.leave();
  await asAdmin.leave();
});

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>"'\`{{7*7}}end`;
/** The console refuses such a name; one that came in another way is shown all the same. */
const unprintable = `${hostile}\u202e\u0007`;

/** A workspace in which every name is hostile, or as long as it may be. */
async function makeHostile() {
  const started = await startConsole({});
  const { person, team, otherTeam } = started;
  const owner = await person({ role: "owner", isOperator: true, name: unprintable, teams: { [team.id]: "admin" } });
  await person({ role: "member", name: "x".repeat(100), teams: { [team.id]: "viewer", [otherTeam.id]: "editor" } });
  const made = await owner.call("postTeam", { body: { name: hostile, visibility: "private" } });
  await owner.call("putTeamMember", {
    query: { teamId: made.body.data.id, personId: owner.id },
    body: { role: "editor" },
  });
  await owner.call("postTeam", { body: { name: "x".repeat(100), visibility: "internal" } });
  await owner.call("putWorkspace", { body: { name: hostile } });
  const long = `${"x".repeat(64)}@${"y".repeat(60)}.example.com`;
  await owner.call("postInvitation", {
    body: { email: long, role: "member", teams: [{ teamId: team.id, role: "viewer" }] },
  });
  await owner.call("postWorkspace", { body: { name: "x".repeat(100), teamName: hostile } });
  return { started, owner };
}

test("hostile and long text in every name and window, in both themes and on a phone: no script, nothing cut off, no complaint", async () => {
  const { started, owner } = await makeHostile();
  const long = "x".repeat(100);
  const windows: Record<PageName, Readonly<Record<string, (page: Page) => Promise<unknown>>>> = {
    members: {
      invite: (page) => button(page, "Invite member").click(),
      role: (page) => choose(page, long, "Change role"),
      remove: (page) => choose(page, long, "Remove"),
    },
    teams: {
      make: (page) => button(page, "Create team").click(),
      people: async (page) => {
        await choose(page, "Own team", "Manage members");
        await page.getByRole("combobox", { name: `Team role for ${long}` }).waitFor();
      },
    },
    audit: {},
    settings: {
      storage: (page) => button(page, "Change storage limit").click(),
      alerts: (page) => button(page, "Change alerts").click(),
      webhook: (page) => button(page, "Add webhook").click(),
    },
    workspaces: {
      make: (page) => button(page, "Create workspace").click(),
      subscription: (page) => choose(page, long, "Change subscription"),
    },
    people: { disable: (page) => choose(page, long, "Disable account") },
  };
  const { page, complaints, leave } = await open(started, owner, "members");
  const expectSound = async (what: string) =>
    expect([what, await findPageProblems(page, widths), complaints]).toEqual([what, [], []]);
  for (const name of ["members", "teams", "audit", "settings", "workspaces", "people"] as const) {
    await goTo(page, started.origin + pathOf(started, name));
    await eventually(() => page.getByRole("main").innerText(), expect.stringContaining("<script>alert(1)</script>"));
    for (const act of await page.locator("summary").all()) await act.click();
    await expectSound(name);
    for (const [what, act] of Object.entries(windows[name])) {
      await act(page);
      await page.getByRole("dialog").waitFor();
      await expectSound(`${name}: ${what}`);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  }
  await leave();
}, 240_000);
