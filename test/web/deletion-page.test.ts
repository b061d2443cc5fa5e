// What ends access, in a real browser: the sign-in policy, and deleting a workspace or an account. A verified address comes before both.
import { expect, setDefaultTimeout } from "bun:test";
import { sql } from "../../src/platform/database/sql.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { axe, browserMilliseconds, unexpected, visit } from "../support/browser.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };

/** No background job runs: queued mail stays where the test finds it. */
const still: Wait = (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end()));

test("a policy that shuts out its author is refused; a workspace is deleted and restored, an address verified, and an account deleted", async () => {
  const { origin, person, admin, rows, workspace } = await startConsole({ config: { mail }, wait: still });
  const owner = await person({ role: "owner", confirmedMinutesAgo: 30 });
  await person({ role: "owner" });
  await admin((transaction) =>
    transaction.run(sql`update people set email_verified = ${false} where id = ${owner.id}`),
  );
  const path = `/console/w/${workspace.id}/settings`;
  const { page, leave, complaints } = await visit({ origin, path, cookie: owner.cookie });
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  await button("Change policy").click();
  const policy = page.getByRole("dialog", { name: "Change sign-in policy" });
  await policy.getByRole("radio", { name: /^Two-factor authentication (?!or )/ }).check();
  expect(await axe(page)).toEqual([]);
  await button("Save policy").click();
  await page
    .getByRole("dialog", { name: "Confirm it’s you" })
    .getByLabel("Your password", { exact: true })
    .fill(testPassword);
  await page.keyboard.press("Enter");
  await policy.getByRole("alert").getByText("You would lock yourself out").waitFor();
  await button("Cancel").click();

  await button("Delete workspace").click();
  const deletion = page.getByRole("dialog", { name: "Delete “Test workspace”?" });
  const name = deletion.getByRole("textbox");
  await name.fill("Another");
  await deletion.getByRole("button", { name: "Delete workspace" }).click();
  await deletion.getByText("Enter “Test workspace”.").waitFor();
  expect(await axe(page)).toEqual([]);
  await name.fill("Test workspace");
  await page.keyboard.press("Enter");
  await page.getByText("This workspace was deleted").waitFor();
  expect(await axe(page)).toEqual([]);
  await button("Restore workspace").click();
  await button("Change policy").waitFor();

  await page.goto(`${origin}/console/account`);
  await button("Send verification email").click();
  await page.getByText("We’ve emailed a link to").waitFor();
  expect(await axe(page)).toEqual([]);
  const [sent] = await rows<{ body: string }>(
    "select body from mails where recipient = ? order by id desc",
    owner.email,
  );
  await page.goto(/https:\/\/\S+verify#\S+/.exec(sent?.body ?? "")?.[0] ?? "");
  await button("Verify email address").click();
  await page.getByText("is verified.").waitFor();
  expect([await axe(page), new URL(page.url()).hash]).toEqual([[], ""]);
  await page.getByRole("link", { name: "Go to your account" }).click();

  await button("Delete account").click();
  const leaving = page.getByRole("dialog", { name: "Delete your account?" });
  expect(await button("Send verification email").count()).toBe(0);
  await leaving.getByRole("textbox").fill("another@example.com");
  await leaving.getByRole("button", { name: "Delete account" }).click();
  await leaving.getByText(`Enter ${owner.email}.`).waitFor();
  expect(await axe(page)).toEqual([]);
  await leaving.getByRole("textbox").fill(owner.email);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}/console/sign-in`);
  expect((await owner.call("getSession")).status).toBe(401);
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});
