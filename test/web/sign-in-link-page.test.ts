// The page of the link that a trial instance prints.
import { expect } from "bun:test";
import { makeSignInToken } from "../../src/accounts/people/sign-in-links.ts";
import { axe, browserMilliseconds, visit } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest } from "../support/pages.ts";

pageTest(
  "the link signs in without a question, once, and the address no longer has its token",
  async () => {
    const { origin, admin, person } = await startConsole({});
    const { id } = await person({ role: "owner" });
    const token = await admin(async (transaction) => makeSignInToken(transaction, id));
    const path = `/console/enter#${token}`;
    const { page, complaints, leave } = await visit({ origin, path });
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    expect(page.url()).not.toContain(token);
    expect(complaints).toEqual([]);
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain(token);
    await leave();

    const second = await visit({ origin, path });
    await second.page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
    expect(await axe(second.page)).toEqual([]);
    await second.page.getByRole("link", { name: "Go to the library" }).waitFor();
    second.complaints.length = 0;
    await second.leave();
  },
  browserMilliseconds,
);

pageTest(
  "a link without its token is incomplete",
  async () => {
    const { origin } = await startConsole({});
    const { page, leave } = await visit({ origin, path: "/console/enter" });
    await page.getByRole("heading", { name: "This link is incomplete" }).waitFor();
    await leave();
  },
  browserMilliseconds,
);
