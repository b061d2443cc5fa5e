// Every button and dialog on every page of the console.
import { expect, setDefaultTimeout } from "bun:test";
import { browserMilliseconds, unexpected } from "../support/browser.ts";
import { draw, everything, expectIntact, follow, pages } from "../support/every-page.ts";
import { pageTest as test } from "../support/pages.ts";
import { allowSlowSearches } from "../support/slow-searches.ts";

setDefaultTimeout(4 * browserMilliseconds);
allowSlowSearches();

test("on every page, ? lists the keys that work there", async () => {
  const { page, context, complaints, address } = await everything();
  const isSettled = follow(page);
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(address(path));
    await page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
    await isSettled();
    await page.keyboard.press("?");
    await keys.getByText("Show keyboard shortcuts").waitFor();
    await expectIntact(page, `${name}: ?`);
    expect({ name, complaints }).toEqual({ name, complaints: [] });
  }
  await context.close();
});

/** Dialogs that a button of a page, or an entry of its menus, opens. There may be more. */
const dialogsByPage: Readonly<Record<string, readonly string[]>> = {
  Library: [
    ...["New folder", "New tag", "Import", "Export", "Filter snippets", "Fill in placeholders", "Variations"],
    ...["Move to folder or team", "Add or remove a tag"],
  ],
};

test("on every page, each button, and each entry of a menu, opens a dialog or does its work, and the page stays", async () => {
  const { page, context, complaints, address, snippetId } = await everything();
  // Nothing is changed, so that each button is there when its turn comes.
  await page.route(/\/console\/(api|auth)\//, (route) =>
    route.request().method() === "GET"
      ? route.continue()
      : route.fulfill({ status: 409, json: { error: "test", message: "Refused by the test" } }),
  );
  const isSettled = follow(page);
  const main = page.locator("main");
  const dialog = page.locator("[role=dialog], [role=alertdialog]");
  const menu = page.getByRole("menu");
  const buttons = main.locator("button:enabled");
  for (const [name, path] of Object.entries(pages)) {
    const url = address(path) + (name === "Library" ? `?snippet=${snippetId}` : "");
    const opened = new Set<string>();
    const start = async () => {
      await page.goto(url);
      await page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
      await isSettled();
    };
    /** What has been opened is noted and closed. */
    const look = async (where: string) => {
      await isSettled();
      const isOpen = (await dialog.count()) > 0;
      if (isOpen) opened.add(await dialog.getByRole("heading").first().innerText());
      await expectIntact(page, where);
      if (isOpen) await page.keyboard.press("Escape");
      if (isOpen) await draw(page);
      if (page.url() !== url || (await dialog.count()) > 0) await start();
    };
    await start();
    const names = await buttons.evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? (one.textContent ?? "").trim()),
    );
    for (const [index, label] of names.entries()) {
      const where = `${name}: ${label}`;
      const button = buttons.nth(index);
      if (!(await button.isVisible())) continue;
      await button.click();
      await isSettled();
      const items = menu.locator("[role^=menuitem]:not([aria-disabled=true])");
      const count = await items.count();
      if (count === 0) await look(where);
      for (let item = 0; item < count; item++) {
        // Some are visible only under the pointer.
        if (!(await button.isVisible())) break;
        if ((await menu.count()) === 0) await button.click();
        const target = items.nth(item);
        const itemWhere = `${where}: ${await target.innerText()}`;
        await target.click();
        await look(itemWhere);
      }
    }
    expect([...opened]).toEqual(expect.arrayContaining([...(dialogsByPage[name] ?? [])]));
    expect({ name, complaints: unexpected(complaints) }).toEqual({ name, complaints: [] });
  }
  await context.close();
});
