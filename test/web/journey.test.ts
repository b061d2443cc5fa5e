// A person who has only the printed link: makes a key, calls the interface, sees the call in usage, buys a package, invites a colleague,
// and reads the invoice. With keyboard and mouse, by the texts on the pages.
import "../support/every-time.ts";
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { makeFirstLink } from "../../src/accounts/people/first-administrator.ts";
import { axe, browserMilliseconds, copiedBy, findPageProblems, goTo, visit } from "../support/browser.ts";
import "../support/once.ts";
import { startService } from "../support/service.ts";

const daySeconds = 24 * 60 * 60;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const go = async (page: Page, name: string) => {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
};

/** The text behind the copy button of a window. */
const copied = (page: Page, label: string): Promise<string> =>
  copiedBy(page.getByRole("dialog").getByRole("figure").filter({ hasText: label }).getByRole("button"));

test(
  "from the printed link to a call, its usage, a package, an invoice and a colleague",
  async () => {
    const { service, admin, call, clock, team } = await startService({ at: "2026-03-28T12:00:00.000Z", config: {} });
    const origin = new URL(service.baseUrl).origin;
    const token = await admin(makeFirstLink);
    const path = `/console/invitation#${token}`;
    const { page, context, complaints } = await visit({ origin, path, at: clock.now });
    expect(await axe(page)).toEqual([]);

    // Creates the account.
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("Password", { exact: true }).fill("a long sentence that nobody guesses");
    await button(page, "Create account").click();
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    expect(page.url()).not.toContain(String(token));

    // Creates a key, and makes a call with what the page shows.
    await go(page, "API access");
    await button(page, "Create API key").click();
    await page.getByLabel("Name", { exact: true }).fill("Editor plugin");
    await button(page, "Create key").click();
    const secret = await copied(page, "Secret");
    await button(page, "I’ve saved my key").click();
    const made = await call("POST", "/snippet", {
      key: secret,
      body: { title: "Hello", teamId: team.id, content: { type: "plaintext", content: "Hello, world" } },
    });
    expect(made.status).toBe(200);

    // Sees the call in usage, and in the log with its cost and the reason.
    await go(page, "Usage");
    await page.getByRole("table").getByText("POST /snippet", { exact: true }).first().waitFor();
    await go(page, "Request log");
    await page
      .getByRole("button", { name: /^Details of/ })
      .first()
      .click();
    await page.getByText(String(made.headers.get("x-request-id"))).waitFor();

    // Buys a package.
    await go(page, "Billing");
    await button(page, "Buy 100K").click();
    await button(page, "Buy for $10.00").click();
    await page.getByRole("dialog").getByText("199,999 units left").waitFor();
    await button(page, "Done").click();

    // Invites a colleague, who joins with the link.
    await go(page, "Members");
    await button(page, "Invite member").click();
    await page.getByRole("dialog").getByLabel("Email address").fill("grace@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Create invitation" }).click();
    const link = await copied(page, "Invitation link");
    expect(link).toStartWith(`${origin}/console/invitation#`);
    await button(page, "Done").click();
    const colleague = await visit({ origin, path: link.slice(origin.length) });
    await colleague.page.getByLabel("Your name").fill("Grace Hopper");
    await colleague.page.getByLabel("Password", { exact: true }).fill("another sentence, and a longer one");
    await button(colleague.page, "Accept and join").click();
    await colleague.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(await colleague.page.getByRole("link", { name: "API access" }).count()).toBe(0);
    expect(colleague.complaints).toEqual([]);
    await colleague.context.close();

    // Reads the invoice, on the 1st.
    clock.advance(5 * daySeconds);
    await page.clock.setFixedTime(clock.now);
    await goTo(page, `${origin}/console`);
    await go(page, "Billing");
    await page.getByRole("link", { name: "March 2026", exact: true }).click();
    const paper = page.getByRole("article");
    await paper.getByText("100K add-on package").waitFor();
    expect(await findPageProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
    await service.stop();
  },
  2 * browserMilliseconds,
);
