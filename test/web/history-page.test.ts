// The history of a snippet in a real browser: its keys, and what a comparison says of the last line.
import { expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { browserMilliseconds, eventually, findPageProblems, visit, widths } from "../support/browser.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

type Person = Awaited<ReturnType<StartedConsole["person"]>>;

/** A snippet with these versions, and another one below it. */
async function writeVersions({ team }: StartedConsole, person: Person, texts: readonly string[]): Promise<string> {
  const create = async (title: string, content: string) => {
    const body = { title, teamId: team.id, content: { type: "plaintext", content } };
    return (await person.call("postLibrarySnippet", { body })).body.data.snippetId as string;
  };
  await create("Another", "Text");
  const id = await create("Refund", texts[0] ?? "");
  for (const content of texts.slice(1)) {
    const { variations } = (await person.call("getLibrarySnippet", { query: { id } })).body.data;
    const query = { variationId: variations[0].id, ifState: variations[0].state };
    await person.call("putLibrarySnippetVariation", { query, body: { content: { type: "plaintext", content } } });
  }
  return id;
}

const open = ({ origin, workspace }: StartedConsole, { cookie }: Person, query: string) =>
  visit({ origin, path: `/console/w/${workspace.id}/library${query}`, cookie });
const versions = (page: Page) => page.getByRole("list", { name: "Versions" }).getByRole("button");
const comparison = (page: Page) => page.getByRole("region", { name: "Comparison" });
const changedLines = (page: Page) => page.locator(".cm-changedLine, .cm-deletedLine").allInnerTexts();

test("the arrows move through the versions, from the list as well, and never leave a history that loads", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const id = await writeVersions(started, ada, ["one", "two", "three"]);
  const { page, complaints, leave } = await open(started, ada, "");
  await page.getByRole("option", { name: /Refund/ }).click();
  await page.getByRole("article", { name: "Refund" }).waitFor();
  await page.getByRole("listbox", { name: "Snippets" }).focus();
  await page.keyboard.press("h");
  await page.keyboard.press("ArrowDown");
  await versions(page).first().waitFor();
  expect(new URL(page.url()).searchParams.get("snippet")).toBe(id);
  for (const index of [1, 2]) {
    await page.keyboard.press("ArrowDown");
    await versions(page).nth(index).and(page.locator("[aria-current]")).waitFor();
  }
  await page.keyboard.press("ArrowUp");
  await versions(page).nth(1).and(page.locator("[aria-current]")).waitFor();
  expect(new URL(page.url()).searchParams.get("do")).toBe("history");
  expect(complaints).toEqual([]);
  await leave();
});

test("a line that follows the last one does not change it; a missing newline is said in words; after restoring, no hint says how", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const id = await writeVersions(started, ada, ["one\ntwo", "one\ntwo\nthree", "one\ntwo\nthree\n"]);
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=history`);
  await page.getByText("Select an earlier version to restore it.").waitFor();
  // The current one against the one before it.
  await comparison(page).getByText("No newline at the end: Version from").waitFor();
  expect(await changedLines(page)).toEqual([]);
  expect(await page.getByText("Both versions are the same.").count()).toBe(0);
  for (const layout of ["Side by side", "Inline"]) {
    await page.getByRole("button", { name: layout }).click();
    await versions(page).nth(1).click();
    await page.getByRole("button", { name: "Previous", exact: true }).click();
    await eventually(() => changedLines(page), ["three"]);
    expect(await comparison(page).getByText("No newline").count()).toBe(0);
    // Nothing follows the last line.
    expect((await comparison(page).locator(".cm-content").last().innerText()).trimEnd().split("\n").at(-1)).toBe(
      "three",
    );
    expect(await findPageProblems(page, widths)).toEqual([]);
    await versions(page).nth(0).click();
  }
  await versions(page).nth(2).click();
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page.getByRole("status").getByText("Version restored").waitFor();
  await eventually(() => versions(page).count(), 4);
  await versions(page).nth(0).and(page.locator("[aria-current]")).waitFor();
  expect(await page.getByText("Select an earlier version").count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
});
