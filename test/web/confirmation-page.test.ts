// Confirming the identity of a person without a password before a sensitive action, in a real browser.
import { setDefaultTimeout } from "bun:test";
import { sql } from "../../src/platform/database/sql.ts";
import { giveCredit } from "../support/billing.ts";
import { browserMilliseconds, eventually, visit } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

test("leads to the sign-in page, from which the OpenID provider is told to ask, although it may know", async () => {
  const openId = { issuer: "https://id.example.com", clientId: "a", clientSecret: "b", name: "Example" };
  const started = await startConsole({ config: { openId } });
  const { origin, person, admin, workspace } = started;
  await giveCredit(started);
  const ada = await person({ role: "owner", confirmedMinutesAgo: 20 });
  await admin((transaction) => transaction.run(sql`delete from person_credentials where person_id = ${ada.id}`));
  const path = `/console/w/${workspace.id}/billing`;
  const { page, context } = await visit({ origin, cookie: ada.cookie, path });
  const asked: unknown[] = [];
  // It ends here: test/accounts/openid.test.ts covers the requests to the provider.
  await page.route("**/sign-in/social", (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({ json: { url: `${origin}/console/sign-in` } });
  });
  await page.getByRole("button", { name: "Buy 100K" }).click();
  await page.getByRole("button", { name: "Buy for $10.00" }).click();
  await page.getByText("Your account has no password.").waitFor();
  await page.getByRole("button", { name: "Sign in again" }).click();
  await page.getByRole("button", { name: "Sign in with Example" }).click();
  await page.waitForURL(`${origin}/console/sign-in`);
  // Without a new sign-in, the provider answers from its own session.
  await page.getByRole("button", { name: "Sign in with Example" }).click();
  await eventually(async () => asked, [{ again: true }, { again: false }]);
  await context.close();
});
