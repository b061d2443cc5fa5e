// What the editor does beside the text, in a real browser: Tab, new tags, and notifications that stay out of the way.
import { expect, setDefaultTimeout } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserMilliseconds, eventually, findPageProblems, visit, waitForFocus, widths } from "../support/browser.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

type Person = Awaited<ReturnType<StartedConsole["person"]>>;

const open = ({ origin, workspace }: StartedConsole, { cookie }: Person, query: string, width = 1280) =>
  visit({ origin, path: `/console/w/${workspace.id}/library${query}`, cookie, width });
const create = async ({ team }: StartedConsole, person: Person, type: string, content: string): Promise<string> => {
  const body = { title: "Total", teamId: team.id, content: { type, content } };
  return (await person.call("postLibrarySnippet", { body })).body.data.snippetId;
};
const tagsOf = async (person: Person): Promise<string[]> =>
  (await person.call("getLibraryTree")).body.data.tags.map((tag: { tag_name: string }) => tag.tag_name);

const text = (page: Page) => page.getByRole("textbox", { name: /^Text/ });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const notifications = (page: Page) =>
  page.locator("[role=status] > div", { has: page.locator("[aria-label=Dismiss]") });

test("in code, Esc lets Tab leave until the next key, and says so; Tab goes on to the button that saves", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const id = await create(started, ada, "python", "total = 1");
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
  await waitForFocus(text(page));
  await page.keyboard.type("# ");
  await page.keyboard.press("ControlOrMeta+s");
  await notifications(page).waitFor();
  await page.keyboard.press("Tab");
  await eventually(() => text(page).innerText(), "  # total = 1");

  await page.keyboard.press("Escape");
  const leaves = page.locator("p").getByText("Tab now moves to the next field.");
  await leaves.waitFor();
  await page.locator("[aria-live]", { hasText: "Tab now moves to the next field." }).waitFor({ state: "attached" });
  // After typing, Tab indents again.
  await page.keyboard.press("End");
  await leaves.waitFor({ state: "detached" });
  await page.getByText("Tab indents. Press Esc, then Tab, to leave the editor.").waitFor();
  await page.keyboard.press("Tab");
  await eventually(() => text(page).innerText(), "    # total = 1");

  await page.keyboard.press("Escape");
  await leaves.waitFor();
  await page.keyboard.press("Tab");
  await waitForFocus(page.locator("button[type=submit]"));
  await leaves.waitFor({ state: "detached" });
  await page.keyboard.press("Shift+Tab");
  await waitForFocus(text(page));
  await page.keyboard.press("Tab");
  await eventually(() => text(page).innerText(), "      # total = 1");
  await page.keyboard.press("Escape");
  await leaves.waitFor();
  expect(await findPageProblems(page)).toEqual([]);
  await page.keyboard.press("Shift+Tab");
  await waitForFocus(button(page, "Add variation"));
  expect(await findPageProblems(page, widths)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

test("a new tag is created with the snippet: a discarded draft leaves none behind", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const { page, complaints, leave } = await open(started, ada, "?do=new");
  const addTag = async (name: string) => {
    await page.getByRole("combobox", { name: "Tags" }).fill(name);
    await page.getByRole("option", { name: `Create tag “${name}”` }).click();
    await button(page, `Remove tag ${name}`).waitFor();
  };
  await page.getByRole("textbox", { name: "Title" }).fill("Reply");
  await addTag("urgent");
  // It is chosen, and offered no more.
  await page.getByRole("combobox", { name: "Tags" }).fill("Urgent");
  expect(await page.getByRole("option", { name: "Create tag" }).count()).toBe(0);
  await page.getByText("Unsaved").waitFor();
  await page.reload();
  await button(page, "Remove tag urgent").waitFor();
  await button(page, "Discard changes").click();
  await page
    .getByRole("alertdialog")
    .or(page.getByRole("dialog"))
    .getByRole("button", { name: "Discard changes" })
    .click();
  await button(page, "Remove tag urgent").waitFor({ state: "detached" });
  expect(await tagsOf(ada)).toEqual([]);

  await page.getByRole("textbox", { name: "Title" }).fill("Reply");
  await addTag("billing");
  expect(await tagsOf(ada)).toEqual([]);
  await page.keyboard.press("ControlOrMeta+s");
  await page.getByRole("status").getByText("Snippet created").waitFor();
  expect(await tagsOf(ada)).toEqual(["billing"]);
  // The same of a snippet that exists, beside a tag that a colleague has created meanwhile.
  await button(page, "Done").waitFor();
  await addTag("later");
  await addTag("shared");
  const id = new URL(page.url()).searchParams.get("snippet") ?? "";
  const { data } = (await ada.call("getLibrarySnippet", { query: { id } })).body;
  await ada.call("postLibraryTag", { body: { tagName: "Shared", tagColor: "#336699", teamId: data.team_id } });
  await page.getByRole("treeitem", { name: /Shared/ }).waitFor();
  await page.keyboard.press("ControlOrMeta+s");
  await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
  for (const name of ["billing", "later", "Shared"]) await button(page, `Remove tag ${name}`).waitFor();
  expect((await tagsOf(ada)).toSorted()).toEqual(["Shared", "billing", "later"]);
  expect(complaints).toEqual([]);
  await leave();
});

test("notifications stay above the buttons at the bottom of the window, and the same one is there once", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const id = await create(started, ada, "plaintext", "Hello");
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=edit`, 390);
  for (const word of ["a", "b", "c"]) {
    await text(page).press("End");
    await page.keyboard.type(word);
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    await page.getByText("Unsaved").waitFor({ state: "detached" });
  }
  await eventually(() => notifications(page).count(), 1);
  await page.goto(`${started.origin}/console/w/${started.workspace.id}/library`);
  await page.getByRole("option", { name: "Total" }).waitFor();
  await page.locator("body").press("j");
  await page.keyboard.press("l");
  await notifications(page).waitFor();
  // It stays as long as the pointer is on it.
  await notifications(page).hover();
  await button(page, "Filter").press("Enter");
  const submit = button(page, "Show snippets");
  await submit.waitFor();
  await eventually(async () => (await bottomOf(notifications(page))) < (await topOf(submit)), true);
  expect(complaints).toEqual([]);
  await leave();
});

const topOf = async (target: Locator): Promise<number> => (await target.boundingBox())?.y ?? 0;
const bottomOf = async (target: Locator): Promise<number> => {
  const { y, height } = (await target.boundingBox()) ?? { y: 0, height: 0 };
  return y + height;
};
