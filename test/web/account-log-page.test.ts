// The security logs in a real browser: a person's own log, and the operator's log of all accounts.
import { expect, setDefaultTimeout } from "bun:test";
import { browserMilliseconds, findPageProblems, visit, widths } from "../support/browser.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";
import { runJson } from "../support/program.ts";

setDefaultTimeout(browserMilliseconds);

const hostile = `<img src=x onerror="alert(1)">{{7*7}}'--`.padEnd(100, "W");

/** An operator, and a person with entries in their security log. */
const start = async () => {
  const started = await startConsole({});
  const operator = await started.person({ isOperator: true, name: "Olive Operator" });
  const ada = await started.person({ role: "owner", name: "Ada", email: "ada@example.com" });
  const token = {
    workspaceId: started.workspace.id,
    name: hostile,
    scopes: { workspace: "write" },
    expiresAt: "2026-04-01T00:00:00Z",
  };
  await ada.call("postToken", { body: token });
  await started
    .visitor(ada.cookie)
    .auth("/change-password", { currentPassword: testPassword, newPassword: `${testPassword}!`, keepsTokens: true });
  await operator.call("putPerson", { body: { name: hostile } });
  return { ...started, operator };
};

test("one's own account tells what was done to it, in words and with what changed", async () => {
  const { origin, operator } = await start();
  const { page, leave, complaints } = await visit({
    origin,
    cookie: operator.cookie,
    path: "/console/account",
  });
  const log = page.getByRole("region", { name: "Security log" });
  const act = log.getByText("renamed the account");
  await act.click();
  await log.getByRole("row", { name: `Name Olive Operator ${hostile}` }).waitFor();
  await log.getByText("127.0.0.1").waitFor();
  await log.getByText("1 event", { exact: true }).waitFor();
  expect(await findPageProblems(page, widths)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

test("the operator reads of all accounts, and finds one by its address", async () => {
  const { origin, operator, dataDirectory } = await start();
  const { page, leave, complaints } = await visit({
    origin,
    cookie: operator.cookie,
    path: "/console/workspaces",
  });
  await page.getByRole("link", { name: "Account log" }).click();
  const acts = page.getByRole("list", { name: "Events, newest first" }).locator("summary");
  await page.getByText("3 events", { exact: true }).waitFor();
  expect(await findPageProblems(page, widths)).toEqual([]);
  const texts = async () => (await acts.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  expect((await texts()).filter((text) => text.includes("Ada changed the password of “ada@example.com”"))).toHaveLength(
    1,
  );
  await page.getByLabel("Account", { exact: true }).fill("Ada@example.com ");
  await page.getByText("2 events", { exact: true }).waitFor();
  await page.getByLabel("Event", { exact: true }).selectOption("Access tokens");
  await page.getByText("1 event", { exact: true }).waitFor();
  expect((await texts())[0]).toStartWith(
    `Ada created the access token “${hostile.slice(0, 79)}…” for “ada@example.com”`,
  );
  await page.getByLabel("Account", { exact: true }).fill("nobody@example.com");
  await page.getByText("No matching events").waitFor();
  expect(await findPageProblems(page, widths)).toEqual([]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("3 events", { exact: true }).waitFor();
  await runJson(["person", "create", "--email", "ada@example.com"], { COMMONPLACE_DATA_DIRECTORY: dataDirectory });
  await page.getByLabel("Actor", { exact: true }).selectOption("Command line");
  await page.getByText("1 event", { exact: true }).waitFor();
  expect((await texts())[0]).toStartWith("Someone on the command line created a password reset link for “Ada”");
  expect(await findPageProblems(page, widths)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

test("nobody else comes to the operator's page", async () => {
  const { origin, person } = await startConsole();
  const owner = await person({ role: "owner" });
  const { page, leave } = await visit({ origin, cookie: owner.cookie, path: "/console/account-log" });
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(1);
  expect(await page.getByRole("link", { name: "Account log" }).count()).toBe(0);
  await leave();
});
