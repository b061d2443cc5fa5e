// The page of API access, in a real browser: from the first key to the last call with it.
import { expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { createTeam, createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { sql } from "../../src/platform/database/sql.ts";
import {
  axe,
  browserMilliseconds,
  copiedBy,
  findPageProblems,
  type VisitOptions,
  visit,
  waitForFocus,
  widths,
} from "../support/browser.ts";
import { type PersonOptions, type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

const never = "00000000-0000-7000-8000-000000000000";
const statusOf = async (started: Pick<StartedConsole, "call">, key: string): Promise<number> =>
  (await started.call("GET", "/tags", { key, query: { ids: never } })).status;

/** Opens the page in a new workspace. The browser has the service's time. */
async function open(
  started: StartedConsole,
  { role = "owner", ...person }: PersonOptions = {},
  wishes: Pick<VisitOptions, "width"> = {},
) {
  const { cookie } = await started.person({ role, ...person });
  const path = `/console/w/${started.workspace.id}/keys`;
  const { origin } = started;
  return visit({ origin, path, cookie, ...wishes });
}

const dialogOf = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
async function choose(page: Page, key: string, item: string): Promise<void> {
  await button(page, `Actions for ${key}`).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}
const copyButton = (page: Page, figure: string) =>
  dialogOf(page).getByRole("figure").filter({ hasText: figure }).getByRole("button");

/** Copies the secret as a user does, with its button. */
async function takeSecret(page: Page): Promise<string> {
  const secret = await copiedBy(copyButton(page, "Secret"));
  expect(secret).toMatch(/^cpl_[0-9A-Za-z]{38}$/);
  return secret;
}
async function makeKey(page: Page, name: string): Promise<string> {
  await button(page, "Create API key").click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await button(page, "Create key").click();
  const secret = await takeSecret(page);
  await button(page, "I’ve saved my key").click();
  return secret;
}

test("make a key, call with what was copied, deactivate, activate, rotate: each acts on the next call", async () => {
  const started = await startConsole();
  const { page, complaints, leave } = await open(started);
  const secret = await makeKey(page, "Build server");
  expect(await statusOf(started, secret)).toBe(200);

  await choose(page, "Build server", "Deactivate");
  await button(page, "Deactivate key").click();
  await rowOf(page, "Build server").getByText("Inactive").waitFor();
  expect(await statusOf(started, secret)).toBe(401);

  await choose(page, "Build server", "Activate");
  await rowOf(page, "Build server").getByText("Active", { exact: true }).waitFor();
  expect(await statusOf(started, secret)).toBe(200);

  await choose(page, "Build server", "Rotate secret");
  await page.getByRole("radio", { name: "Stops working now" }).check();
  await button(page, "Rotate secret").click();
  const rotated = await takeSecret(page);
  await dialogOf(page).getByText("The old secret no longer works.").waitFor();
  expect([await statusOf(started, secret), await statusOf(started, rotated)]).toEqual([401, 200]);
  await button(page, "I’ve saved my secret").click();

  await choose(page, "Build server", "Rotate secret");
  await button(page, "Rotate secret").click();
  const last = await takeSecret(page);
  expect([await statusOf(started, rotated), await statusOf(started, last)]).toEqual([200, 200]);
  await button(page, "I’ve saved my secret").click();
  await rowOf(page, "Build server").getByText("Old secret works until Mar 16, 2026, 12:00 UTC").waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test("the secret is shown once: Escape and a click beside it only ask, and afterwards it is nowhere", async () => {
  const started = await startConsole();
  const { page, complaints, leave } = await open(started);
  await button(page, "Create API key").click();
  await page.getByLabel("Name", { exact: true }).fill("Once");
  await button(page, "Create key").click();
  const secret = await takeSecret(page);
  const curl = await copiedBy(copyButton(page, "Sample request"));
  const pasted = Bun.spawn(["sh", "-c", `${curl} -s`], { stdout: "pipe", stderr: "ignore" });
  expect(await new Response(pasted.stdout).json()).toMatchObject({ success: true });

  await page.keyboard.press("Escape");
  await page.getByRole("alert").getByText("Have you saved the secret?").waitFor();
  await page.mouse.click(5, 5);
  await dialogOf(page).getByText(secret, { exact: true }).waitFor();
  await button(page, "I’ve saved my key").click();
  await dialogOf(page).waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(secret.slice(8));
  await page.reload();
  await rowOf(page, "Once").waitFor();
  expect(await page.content()).not.toContain(secret.slice(8));
  expect(complaints).toEqual([]);
  await leave();
});

test("in a workspace without teams, the sample request says that it creates nothing and costs nothing", async () => {
  const started = await startConsole();
  const empty = await started.admin((transaction) => createWorkspace(transaction, "Empty", 1_000));
  const { cookie } = await started.person({ role: "owner", workspaceId: empty.id });
  const { page, leave } = await visit({ origin: started.origin, path: `/console/w/${empty.id}/keys`, cookie });
  await button(page, "Create API key").click();
  await page.getByLabel("Name", { exact: true }).fill("First");
  await button(page, "Create key").click();
  await dialogOf(page).getByText("It costs no units.").waitFor();
  const pasted = Bun.spawn(["sh", "-c", `${await copiedBy(copyButton(page, "Sample request"))} -si`], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const response = await new Response(pasted.stdout).text();
  expect(response).toMatch(/^HTTP\/\S+ 200/);
  expect(response.toLowerCase()).toContain("\nx-request-cost: 0\r");
  await button(page, "I’ve saved my key").click();
  await leave();
});

test("a key for chosen teams: what is missing is said, and the teams can be searched and changed", async () => {
  const started = await startConsole();
  for (const name of ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta"])
    await started.admin((transaction) => createTeam(transaction, started.workspace.id, name));
  const { page, complaints, leave } = await open(started);
  await button(page, "Create API key").click();
  await button(page, "Create key").click();
  await dialogOf(page).getByText("Enter a name.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Limited");
  await page.getByRole("radio", { name: "Selected teams" }).check();
  await button(page, "Create key").click();
  await page.getByRole("alert").getByText("Select at least one team.").waitFor();
  await page.getByLabel("Search teams").fill("own");
  await page.getByRole("checkbox", { name: "Own team" }).check();
  await dialogOf(page).getByText("1 team selected").waitFor();
  await button(page, "Create key").click();
  await takeSecret(page);
  await button(page, "I’ve saved my key").click();
  await rowOf(page, "Limited").getByText("Own team").waitFor();

  await choose(page, "Limited", "Edit key");
  await page.getByLabel("Name", { exact: true }).fill("Wider");
  for (const name of ["Alpha", "Beta"]) await page.getByRole("checkbox", { name }).check();
  await button(page, "Save").click();
  await rowOf(page, "Wider").getByText("and 1 more").waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test("limits: set for a new key, shown in the list, changed and removed one by one; a new name alone asks for nothing", async () => {
  const started = await startConsole();
  const { page, complaints, leave } = await open(started);
  await page.clock.setFixedTime(new Date(started.clock.now));
  const field = (label: string) => dialogOf(page).getByLabel(label, { exact: true });
  await button(page, "Create API key").click();
  await page.getByLabel("Name", { exact: true }).fill("CI");
  await page.getByRole("radio", { name: "Read only" }).check();
  await dialogOf(page).getByText("Expiration and limits").click();
  await field("Last day").fill("2026-03-20");
  await field("Networks").fill("127.0.0.1 nowhere\n");
  await field("Monthly budget (units)").fill("many");
  await field("Requests per minute").fill("7");
  await button(page, "Create key").click();
  await dialogOf(page).getByText("Enter a whole number up to 1,000,000,000,000.").waitFor();
  await field("Monthly budget (units)").fill("1,500");
  await button(page, "Create key").click();
  await dialogOf(page)
    .getByText("Line 2 under Networks isn’t an IP address or a network, such as 203.0.113.0/24 or 2001:db8::/32.")
    .waitFor();
  await field("Networks").fill("127.0.0.1 2001:DB8::/32\n");
  await button(page, "Create key").click();
  await dialogOf(page).getByText("It looks for a tag that doesn’t exist, so it costs no units.").waitFor();
  const secret = await takeSecret(page);
  await button(page, "I’ve saved my key").click();
  const row = rowOf(page, "CI");
  for (const text of [
    "Expires in 5 days",
    "Read only",
    "127.0.0.1/32",
    "2001:db8::/32",
    "0 of 1,500 units this month",
    "7 requests per minute",
  ])
    await row.getByText(text, { exact: true }).waitFor();
  const answer = await started.call("GET", "/tags", { key: secret, query: { ids: never } });
  expect([answer.status, answer.headers.get("x-key-expires-at")]).toEqual([200, "2026-03-21T00:00:00.000Z"]);

  const sent: unknown[] = [];
  page.on("request", (request) => request.method() === "PUT" && sent.push(request.postDataJSON()));
  await choose(page, "CI", "Edit key");
  expect(await field("Last day").inputValue()).toBe("2026-03-20");
  await field("Last day").fill("");
  await field("Networks").fill("");
  await field("Requests per minute").fill("");
  await page.getByRole("radio", { name: "Read and write" }).check();
  await button(page, "Save").click();
  await row.getByText("Read only").waitFor({ state: "detached" });
  await choose(page, "CI", "Edit key");
  await page.getByLabel("Name", { exact: true }).fill("CI, west");
  await button(page, "Save").click();
  await rowOf(page, "CI, west").getByText("0 of 1,500 units this month").waitFor();
  expect(sent).toEqual([
    { scope: "read_write", expiresAt: null, networks: [], requestsPerMinute: null },
    { name: "CI, west" },
  ]);
  expect(complaints).toEqual([expect.stringContaining("status of 400")]);
  await leave();
});

test("an active key can not be deleted; an inactive one can, with the advice to wait for a day", async () => {
  const started = await startConsole();
  const { page, complaints, context } = await open(started);
  await page.clock.setFixedTime(new Date(started.clock.now + 60_000));
  await button(page, "Actions for One team").click();
  const item = page.getByRole("menuitem", { name: "Delete (deactivate first)" });
  expect(await item.getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
  await choose(page, "One team", "Deactivate");
  await button(page, "Deactivate key").click();
  await rowOf(page, "One team").getByText("Inactive").waitFor();
  await choose(page, "One team", "Delete");
  await dialogOf(page).getByText("Deactivated 1 minute ago").waitFor();
  await dialogOf(page).getByText("We recommend waiting 24 hours").waitFor();
  await page.keyboard.press("Escape");

  await page.clock.setFixedTime(new Date(started.clock.now + 25 * 3_600_000));
  await choose(page, "One team", "Delete");
  await dialogOf(page).getByText("Deactivated yesterday").waitFor();
  await button(page, "Delete key").click();
  await rowOf(page, "One team").waitFor({ state: "detached" });
  expect(await statusOf(started, started.limitedKey.secret)).toBe(401);
  expect(complaints).toEqual([]);
  await context.close();
});

test("where the password was given too long ago it is asked for, and the key is made after it", async () => {
  const started = await startConsole();
  const { page, leave } = await open(started, { confirmedMinutesAgo: 60 });
  await button(page, "Create API key").click();
  await page.getByLabel("Name", { exact: true }).fill("Asked");
  await button(page, "Create key").click();
  await page.getByLabel("Your password", { exact: true }).fill(testPassword);
  await page.keyboard.press("Enter");
  expect(await statusOf(started, await takeSecret(page))).toBe(200);
  await leave();
});

test("all of it by keyboard, and the focus comes back to where it was", async () => {
  const started = await startConsole();
  const { page, complaints, leave } = await open(started);
  const walkDown = async (...items: string[]) => {
    for (const item of items) {
      await waitForFocus(page.getByRole("menuitem", { name: item, exact: true }));
      await page.keyboard.press(item === items.at(-1) ? "Enter" : "ArrowDown");
    }
  };
  await button(page, "Actions for All teams").focus();
  await page.keyboard.press("Enter");
  await walkDown("Edit key", "Rotate secret");
  await page.getByRole("radio", { name: "Works for 24 more hours" }).waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });
  await waitForFocus(button(page, "Actions for All teams"));

  await page.keyboard.press("Enter");
  await walkDown("Edit key", "Rotate secret", "Deactivate");
  // The first focused button cancels; the destructive one comes after it.
  await waitForFocus(button(page, "Cancel"));
  await page.keyboard.press("Tab");
  await waitForFocus(button(page, "Deactivate key"));
  await page.keyboard.press("Enter");
  await rowOf(page, "All teams").getByText("Inactive").waitFor();
  expect(await statusOf(started, started.key.secret)).toBe(401);
  expect(complaints).toEqual([]);
  await leave();
});

test("searched by name and by the start of a secret, of which no more than the start is sent", async () => {
  const started = await startConsole();
  const { page, complaints, leave } = await open(started);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.getByLabel("Search keys").fill("one");
  await rowOf(page, "All teams").waitFor({ state: "detached" });
  await rowOf(page, "One team").waitFor();
  await page.getByLabel("Search keys").fill(started.key.secret);
  await rowOf(page, "All teams").waitFor();
  expect(sent.join()).not.toContain(started.key.secret.slice(0, 9));
  await page.getByLabel("Search keys").fill("nothing like it");
  await page.getByText("No matching keys").waitFor();
  await button(page, "Show all keys").click();
  await rowOf(page, "No team").waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test("more than a page: the rest is loaded on demand", async () => {
  const started = await startConsole();
  await started.admin(async (transaction) => {
    for (let number = 1; number <= 60; number += 1)
      await createKey(transaction, started.workspace.id, `Key ${number}`, "all");
  });
  const { page, complaints, leave } = await open(started);
  await page.getByText("50 keys shown").waitFor();
  await button(page, "Load more").click();
  await page.getByText("63 keys", { exact: true }).waitFor();
  await rowOf(page, "One team").waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test("an editor sees the keys of their team and no way to change them; without any, there is nothing to make", async () => {
  const started = await startConsole();
  const editor = { role: "member", teams: { [started.team.id]: "editor" } } as const;
  const { page, complaints, leave } = await open(started, editor);
  await rowOf(page, "One team").waitFor();
  expect(await page.getByRole("rowheader").count()).toBe(1);
  expect(await page.getByRole("button", { name: /Actions for|Create API key/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();

  const other = await open(started, { role: "member", teams: { [started.otherTeam.id]: "editor" } });
  await other.page.getByText("No API keys yet").waitFor();
  expect(await other.page.getByRole("button", { name: "Create API key" }).count()).toBe(0);
  await other.leave();
});

const everyLimit = {
  scope: "read",
  expiresAt: "2026-03-20T00:00:00Z",
  networks: ["203.0.113.0/24", "2001:db8:1234:5678:9abc:def0:1234:5678"],
  monthlyBudget: 1_000_000_000,
  requestsPerMinute: 12,
} as const;

const hostile = [
  `"><img src=x onerror=alert(1)>`,
  "\u202egnihton yeK",
  "x".repeat(100),
  "{{constructor.constructor('alert(1)')()}}",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
];

test.each(widths)(
  "%i pixels wide, hostile names are text, nothing is cut off, and axe finds nothing in the list, its menu and its windows",
  async (width) => {
    const started = await startConsole();
    await started.admin(async (transaction) => {
      for (const name of hostile)
        await createKey(transaction, started.workspace.id, name, [started.team.id], name, everyLimit);
    });
    const { page, complaints, leave } = await open(started, {}, { width });
    for (const name of hostile) await page.getByTitle(name, { exact: true }).first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    const look = async (what: string) => expect([what, await findPageProblems(page)]).toEqual([what, []]);
    await look("list");
    for (const [item, window] of [
      ["Edit key", "Save"],
      ["Rotate secret", "Rotate secret"],
      ["Deactivate", "Deactivate key"],
    ] as const) {
      await choose(page, hostile[0] ?? "", item);
      await button(page, window).waitFor();
      await look(item);
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "detached" });
    }
    await button(page, "Create API key").click();
    await dialogOf(page).getByText("Expiration and limits").click();
    await page.getByRole("radio", { name: "Selected teams" }).check();
    await page.getByLabel("Name", { exact: true }).fill(hostile[2] ?? "");
    await look("make");
    await page.getByRole("checkbox", { name: "Own team" }).check();
    await button(page, "Create key").click();
    await button(page, "I’ve saved my key").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("alert").getByText("Have you saved the secret?").waitFor();
    await look("secret");
    await button(page, "I’ve saved my key").click();
    await page.getByLabel("Search keys").fill("nothing like it");
    await page.getByText("No matching keys").waitFor();
    await look("no match");
    expect(complaints).toEqual([]);
    await leave();
  },
);

test("a workspace without keys invites to make the first", async () => {
  const started = await startConsole();
  await started.admin((transaction) =>
    transaction.run(
      sql`update api_keys set deleted_at = ${transaction.now} where workspace_id = ${started.workspace.id}`,
    ),
  );
  const { page, complaints, leave } = await open(started);
  await page.getByText("Create your first API key").waitFor();
  expect(await page.getByLabel("Search keys").count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  const secret = await makeKey(page, "First");
  expect(await statusOf(started, secret)).toBe(200);
  await rowOf(page, "First").waitFor();
  expect(complaints).toEqual([]);
  await leave();
});
