// What the library lists in a real browser: archived snippets and deleted ones; and the dates of filters on a phone.
import { expect, setDefaultTimeout } from "bun:test";
import {
  browserMilliseconds,
  copiedBy,
  eventually,
  findPageProblems,
  goTo,
  visit,
  widths,
} from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

test("the library shows archived snippets beside the others, marks them, and goes back with one click", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const create = async (title: string): Promise<string> => {
    const body = { title, teamId: started.team.id, content: { type: "plaintext", content: title } };
    return (await ada.call("postLibrarySnippet", { body })).body.data.snippetId;
  };
  await create("Refund sent");
  const archived = await create("Refund denied");
  await ada.call("putLibrarySnippet", { query: { id: archived }, body: { isArchived: true } });
  const path = `/console/w/${started.workspace.id}/library`;
  const { page, complaints, leave } = await visit({ origin: started.origin, path, cookie: ada.cookie });
  const rows = page.getByRole("listbox", { name: "Snippets" }).getByRole("option");
  const listed = async () => (await rows.allInnerTexts()).map((text) => /Refund \w+/.exec(text)?.[0]).toSorted();
  await eventually(listed, ["Refund sent"]);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Archive", { exact: true }).selectOption("Include archived snippets");
  await page.getByRole("button", { name: "Show snippets" }).click();
  await eventually(listed, ["Refund denied", "Refund sent"]);
  await page.getByText("2 snippets", { exact: true }).waitFor();
  expect(await rows.getByText("Archived", { exact: true }).count()).toBe(1);
  await rows.filter({ hasText: "Refund denied" }).getByText("Archived", { exact: true }).waitFor({ state: "attached" });
  expect(await findPageProblems(page, widths)).toEqual([]);
  // Found by searching too, also after the page is loaded again.
  await page.reload();
  await page.getByRole("combobox", { name: "Find snippets" }).fill("denied");
  await eventually(listed, ["Refund denied"]);
  await page.getByRole("combobox", { name: "Find snippets" }).fill("");
  await eventually(listed, ["Refund denied", "Refund sent"]);
  await page.getByRole("button", { name: "Remove filter: With archived snippets" }).click();
  await eventually(listed, ["Refund sent"]);
  expect(complaints).toEqual([]);
  await leave();
});

test("a deleted snippet is copied as it is: no line says that placeholders can be filled in", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const content = { type: "plaintext", content: "Hello {{name}}" };
  const { body } = await ada.call("postLibrarySnippet", {
    body: { title: "Greeting", teamId: started.team.id, content },
  });
  const { snippetId } = body.data;
  const path = `/console/w/${started.workspace.id}/library?snippet=${snippetId}`;
  const { page, complaints, leave } = await visit({ origin: started.origin, path, cookie: ada.cookie });
  const hint = page.getByText("you can fill in the highlighted placeholders");
  await hint.waitFor();
  await ada.call("deleteLibrarySnippet", { query: { id: snippetId } });
  await goTo(page, `${started.origin}/console/w/${started.workspace.id}/library?in=trash&snippet=${snippetId}`);
  await page.getByRole("article", { name: "Greeting" }).getByText("Hello {{name}}").waitFor();
  expect(await hint.count()).toBe(0);
  expect(await copiedBy(page.getByRole("article").getByRole("button").last())).toBe("Hello {{name}}");
  expect(complaints).toEqual([]);
  await leave();
});

test("on a phone, each date of a filter has a line of its own: Firefox writes dates wider than others", async () => {
  const started = await startConsole();
  const { cookie } = await started.person({ role: "owner" });
  const at = (page: string) => `/console/w/${started.workspace.id}/${page}`;
  const { page, leave } = await visit({ origin: started.origin, path: at("audit"), cookie, width: 390 });
  const dateWidths = () =>
    page.evaluate(() => [...document.querySelectorAll<HTMLElement>("input[type=date]")].map((one) => one.offsetWidth));
  const neededPixels = 180;
  for (const name of ["audit", "log"]) {
    await goTo(page, started.origin + at(name));
    if (name === "log") await page.locator("summary").filter({ hasText: "Filters" }).click();
    const found = await dateWidths();
    expect({ name, count: found.length, isWide: found.every((width) => width >= neededPixels) }).toEqual({
      name,
      count: 2,
      isWide: true,
    });
  }
  await leave();
});
