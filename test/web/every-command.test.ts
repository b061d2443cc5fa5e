// Every command of the palette, on every page of the console.
import "../support/all-only.ts";
import { expect, setDefaultTimeout } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { commands } from "../../web/library/palette/commands.ts";
import { browserMilliseconds, waitForFocus } from "../support/browser.ts";
import { everything, expectIntact, follow, pages } from "../support/every-page.ts";
import { pageTest as test } from "../support/pages.ts";
import { allowSlowSearches } from "../support/slow-searches.ts";

setDefaultTimeout(12 * browserMilliseconds);
allowSlowSearches();

const openPalette = async (page: Page): Promise<Locator> => {
  await page.keyboard.press("Control+k");
  await waitForFocus(page.getByRole("combobox", { name: "Find anything" }));
  return page.getByRole("group", { name: "Pages and actions" }).getByRole("option");
};
const labelsOf = (choices: Locator): Promise<string[]> =>
  choices.evaluateAll((all) => all.map((choice) => choice.querySelector("bdi")?.textContent ?? ""));

/** That of the page with this path, as commands have it. */
const headingOf = (page: Page, path: string): Locator => {
  const [name] = Object.entries(pages).find(([, address]) => `/${address}`.endsWith(`/${path.replace("/", "")}`)) ?? [];
  return page.getByRole("heading", { name: name ?? path, level: 1, exact: true });
};

/** What each command of the palette leads to. Those that are not here lead to the page of their name. */
const outcomes: Readonly<Record<string, (page: Page) => Locator>> = {
  "New snippet": (page) => page.getByLabel("Title", { exact: true }),
  "New tag": (page) => page.getByRole("dialog", { name: "New tag" }),
  "New folder": (page) => page.getByRole("dialog", { name: "New folder" }),
  Archive: (page) => page.getByText("No archived snippets"),
  Trash: (page) => page.getByText("The trash is empty"),
  Activity: (page) => page.getByRole("link", { name: "Apology" }),
  "Undo changes": (page) => page.getByRole("dialog"),
  ...Object.fromEntries(
    commands.map(({ label, path, opensDialog }) => [
      label,
      (page: Page) => (opensDialog ? page.getByRole("dialog") : headingOf(page, path)),
    ]),
  ),
  "Keyboard shortcuts": (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" }),
  "Light theme": (page) => page.locator("html[data-theme=light]"),
  "Dark theme": (page) => page.locator("html[data-theme=dark]"),
  "System theme": (page) => page.locator("html[data-theme]"),
};

test("on every page, each command of the palette does what it says", async () => {
  const { page, context, complaints, address } = await everything();
  const isSettled = follow(page);
  const dialog = page.getByRole("dialog");
  const names = Object.keys(pages);
  /** Those that are listed before anything is typed. */
  const listedCommands = async () => {
    const choices = await openPalette(page);
    await choices.first().waitFor();
    const labels = await labelsOf(choices);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    return labels;
  };
  const typedCommands = [...commands.map(({ label }) => label), "Undo changes"];
  /** The commands that are still to be tried on each page. */
  const left = new Map<string, string[]>();
  await page.goto(address(pages.Library));
  for (let name = "Library"; ; ) {
    await page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
    await isSettled();
    if (!left.has(name)) {
      const labels = new Set([...(await listedCommands()), ...typedCommands]);
      expect([...labels]).toEqual(expect.arrayContaining([...names, ...Object.keys(outcomes)]));
      left.set(name, [...labels]);
    }
    const [next = names.find((other) => left.get(other)?.length !== 0)] = left.get(name) ?? [];
    if (next === undefined) break;
    left.set(
      name,
      (left.get(name) ?? []).filter((label) => label !== next),
    );
    await openPalette(page);
    await page.keyboard.type(next);
    await page
      .getByRole("option")
      .filter({ has: page.getByText(next, { exact: true }) })
      .first()
      .click();
    const outcome = outcomes[next]?.(page) ?? page.getByRole("heading", { name: next, level: 1, exact: true });
    await outcome.first().waitFor();
    if ((await dialog.count()) > 0) await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectIntact(page, `${name}: ${next}`);
    expect({ name, next, complaints }).toEqual({ name, next, complaints: [] });
    name = await page.locator("h1").innerText();
  }
  expect([...left.keys()].sort()).toEqual([...names].sort());
  await context.close();
});
