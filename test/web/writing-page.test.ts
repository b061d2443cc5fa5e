// Writing in the library, in a real browser: create, edit, drafts, two people at once, variations, history.
import "../support/every-time.ts";
import { describe, expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import {
  browserMilliseconds,
  eventually,
  findPageProblems,
  goTo,
  unexpected,
  type VisitOptions,
  visit,
  waitForFocus,
  widths,
} from "../support/browser.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

type Person = Awaited<ReturnType<StartedConsole["person"]>>;

const pathOf = ({ workspace }: StartedConsole, query = "") => `/console/w/${workspace.id}/library${query}`;
const open = (started: StartedConsole, { cookie }: Person, query: string, wishes: Partial<VisitOptions> = {}) =>
  visit({ origin: started.origin, path: pathOf(started, query), cookie, ...wishes });

/** A snippet of this person. */
async function write({ team }: StartedConsole, person: Person, fields: Record<string, unknown>): Promise<string> {
  const { body } = await person.call("postLibrarySnippet", { body: { title: "Refund", teamId: team.id, ...fields } });
  return body.data.snippetId;
}
const prose = (text: string) => ({ content: { type: "plaintext", content: text } });
const read = async (person: Person, id: string) =>
  (await person.call("getLibrarySnippet", { query: { id } })).body.data;
const textOf = async (person: Person, id: string): Promise<string> => (await read(person, id)).variations[0].content;

const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
const editor = (page: Page) => page.getByRole("textbox", { name: /^Text/ });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const toast = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true }).waitFor();
const save = (page: Page) => page.keyboard.press("ControlOrMeta+s");

test("create by keyboard alone: title, a new tag, a language, the text; what is saved is what was typed, and in the list", async () => {
  const started = await startConsole();
  const ada = await started.person({ teams: { [started.team.id]: "editor" }, role: "member" });
  const { page, complaints, leave } = await open(started, ada, "?q=nothing");
  await page.getByText("No matching snippets").waitFor();
  await page.locator("body").press("n");
  await page.getByText(`New snippet in ${started.team.name}`).waitFor();
  await waitForFocus(title(page));
  await page.getByText("Write or paste the text.").waitFor();
  await page.keyboard.type("Sum of a list");
  for (let step = 0; step < 2; step += 1) await page.keyboard.press("Tab");
  await page.keyboard.type("python");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove tag python" }).waitFor();
  await page.getByLabel("Language").focus();
  await page.keyboard.type("Code (det");
  await editor(page).focus();
  await page.keyboard.type("def total(items):");
  await page.keyboard.press("Enter");
  await page.keyboard.type("return sum(items)");
  await page.getByRole("option", { name: "Code (Python)" }).waitFor({ state: "attached" });
  await page.locator(".tok-keyword").getByText("def").waitFor();
  expect(await findPageProblems(page, widths)).toEqual([]);
  await page.keyboard.press("ControlOrMeta+Enter");
  await toast(page, "Snippet created");
  // The search that does not find it is over.
  await page.getByRole("listbox", { name: "Snippets" }).getByRole("option").getByText("Sum of a list").waitFor();
  await page.getByRole("article", { name: "Sum of a list" }).locator(".tok-keyword").getByText("return").waitFor();
  const id = new URL(page.url()).searchParams.get("snippet") ?? "";
  const { variations, tag_ids } = await read(ada, id);
  expect([variations[0].content_type, variations[0].content, tag_ids.length]).toEqual([
    "code",
    "def total(items):\n    return sum(items)".replace("    ", variations[0].content.match(/\n( *)/)[1]),
    1,
  ]);
  expect(complaints).toEqual([]);
  await leave();
});

test("the button saves and goes back to reading; after saving by key it only closes", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const id = await write(started, ada, prose("Hello"));
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
  await button(page, "Done").waitFor();
  await editor(page).fill("Hello there");
  await save(page);
  await toast(page, "Saved");
  await button(page, "Done").click();
  await page.getByRole("article", { name: "Refund" }).getByText("Hello there").waitFor();
  await page.keyboard.press("e");
  await title(page).fill("Refund sent");
  await button(page, "Save").click();
  await page.getByRole("article", { name: "Refund sent" }).waitFor();
  // What was typed in the last moment is saved too.
  await page.keyboard.press("e");
  await waitForFocus(editor(page));
  await editor(page).fill("Bye");
  await page.locator("button[type=submit]").click();
  await page.getByRole("article", { name: "Refund sent" }).getByText("Bye").waitFor();
  expect(await textOf(ada, id)).toBe("Bye");
  expect(complaints).toEqual([]);
  await leave();
});

describe("two people at once", () => {
  test("both versions are shown, joined and saved; the history has all, and an old version comes back", async () => {
    const started = await startConsole();
    const ada = await started.person({ role: "owner", name: "Ada Lovelace" });
    const grace = await started.person({ role: "owner", name: "Grace Hopper" });
    const id = await write(started, ada, prose("Hello,\n\nthank you.\nWe are sorry.\n\nIt takes 5 days.\n\nBye"));
    const first = await open(started, ada, `?snippet=${id}&do=edit`);
    const second = await open(started, grace, `?snippet=${id}&do=edit`);
    const { page } = first;
    await editor(page).fill("Dear customer,\n\nthank you.\nWe are sorry.\n\nIt takes 5 days.\n\nBye");
    await title(page).fill("Refund!");
    await editor(second.page).fill("Hello,\n\nthank you.\nWe are sorry.\n\nIt takes 3 days.\n\nBye");
    await title(second.page).fill("Refund sent");
    await second.page.getByLabel("Shortcut").fill("sent");
    await save(second.page);
    await toast(second.page, "Saved");
    // Ada's page knows by now; her text is untouched.
    await page.getByRole("option", { name: /Refund sent/ }).waitFor();
    await save(page);
    await page.getByRole("heading", { name: "Resolve conflict" }).waitFor();
    await page.getByText("Grace Hopper saved changes").waitFor();
    expect(await textOf(ada, id)).toBe("Hello,\n\nthank you.\nWe are sorry.\n\nIt takes 3 days.\n\nBye");
    expect(await findPageProblems(page, widths)).toEqual([]);
    await page.getByRole("radio", { name: "Theirs Refund sent" }).check();
    await page.getByRole("button", { name: "Use this part of their version" }).last().click();
    await button(page, "Save result").click();
    await toast(page, "Saved");
    const joined = "Dear customer,\n\nthank you.\nWe are sorry.\n\nIt takes 3 days.\n\nBye";
    const saved = await read(ada, id);
    // Ada did not touch the shortcut: Grace's stays.
    expect([await textOf(ada, id), saved.title, saved.shortcut]).toEqual([joined, "Refund sent", "sent"]);

    await page.locator("body").press("h");
    const versions = page.getByRole("list", { name: "Versions" }).getByRole("button");
    await eventually(
      async () => (await versions.allInnerTexts()).map((text) => /Ada|Grace/.exec(text)?.[0]),
      ["Ada", "Grace", "Ada"],
    );
    await versions.nth(0).focus();
    await page.keyboard.press("ArrowDown");
    // Each side says which version it is, by a time in which two versions differ.
    const times = await versions.locator("time").allInnerTexts();
    expect(times[1]).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, \d\d:\d\d:\d\d UTC$/);
    const comparison = page.getByRole("region", { name: "Comparison" });
    const headings = () => comparison.getByText(/Version from|Current version/).allInnerTexts();
    // Who thinks of restoring it wants to know how it differs from the current one.
    await eventually(headings, [`− Version from ${times[1]}`, "+ Current version"]);
    await button(page, "Previous").click();
    await eventually(headings, [`− Version from ${times[2]}`, `+ Version from ${times[1]}`]);
    await page.locator(".cm-merge-b .cm-changedText").getByText("3").waitFor();
    expect(await findPageProblems(page, widths)).toEqual([]);
    await button(page, "Inline").click();
    await page.locator(".cm-deletedChunk").getByText("It takes 5 days.").waitFor();
    await button(page, "Restore this version").click();
    await toast(page, "Version restored");
    expect(await textOf(ada, id)).toBe("Hello,\n\nthank you.\nWe are sorry.\n\nIt takes 3 days.\n\nBye");
    await eventually(() => versions.count(), 4);
    expect([...unexpected(first.complaints), ...second.complaints]).toEqual([]);
    await first.leave();
    await second.leave();
  });

  test("changes of different fields are both kept, without a question", async () => {
    const started = await startConsole();
    const ada = await started.person({ role: "owner" });
    const id = await write(started, ada, prose("Hello"));
    const { page, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
    await editor(page).fill("Hello there");
    await ada.call("putLibrarySnippet", { query: { id }, body: { title: "Renamed", note: "By the API" } });
    await page.getByLabel("Shortcut").fill("refund");
    await save(page);
    await page
      .getByRole("status")
      .getByText(/^Saved/)
      .waitFor();
    const { title: newTitle, snippet_note, shortcut, variations } = await read(ada, id);
    expect([newTitle, snippet_note, shortcut, variations[0].content]).toEqual([
      "Renamed",
      "By the API",
      "refund",
      "Hello there",
    ]);
    await leave();
  });
});

test("what somebody has deleted comes back with what was written meanwhile: the snippet, and a variation", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const formal = { variationName: "Formal", ...prose("Dear customer") };
  const id = await write(started, ada, { ...prose("Hello"), additionalVariations: [formal] });
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
  await page.getByRole("tab", { name: "Formal" }).click();
  await editor(page).fill("Dear friend");
  const [, { id: variationId }] = (await read(ada, id)).variations;
  await ada.call("deleteLibrarySnippetVariation", {
    query: { variationId },
    headers: { "Content-Type": "application/json" },
  });
  await save(page);
  await page.getByText("Someone deleted the variation “Formal”").waitFor();
  await button(page, "Add it back").click();
  await page.getByRole("tab", { name: "Formal", selected: true }).waitFor();
  await title(page).fill("Refund sent");
  await ada.call("deleteLibrarySnippet", { query: { id } });
  await save(page);
  await button(page, "Restore it and save").click();
  await toast(page, "Saved");
  const { title: newTitle, variations } = await read(ada, id);
  expect([newTitle, variations.map(({ content }: { content: string }) => content)]).toEqual([
    "Refund sent",
    ["Hello", "Dear friend"],
  ]);
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});

describe("an unsaved text", () => {
  test("survives a closed tab, is offered, is kept from others, and goes with sign-out", async () => {
    const started = await startConsole();
    const ada = await started.person({ role: "owner", name: "Ada Lovelace" });
    const grace = await started.person({ role: "owner", name: "Grace Hopper" });
    const id = await write(started, ada, prose("Hello"));
    const { page, context, complaints } = await open(started, ada, `?snippet=${id}&do=edit`);
    await editor(page).fill("Hello, half a sent");
    // At once: the pause after which it would be kept has not passed.
    await page.close();
    const next = await context.newPage();
    await goTo(next, started.origin + pathOf(started, `?snippet=${id}`));
    await next.getByText("You have unsaved changes").waitFor();
    expect(await findPageProblems(next)).toEqual([]);
    await button(next, "Continue editing").click();
    await eventually(() => editor(next).innerText(), "Hello, half a sent");
    expect(await textOf(ada, id)).toBe("Hello");

    // Another person in the same browser, without a sign-out in between.
    const cookie = (person: Person) => {
      const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
      return context.addCookies([{ name, value, url: started.origin, secure: true, httpOnly: true }]);
    };
    await cookie(grace);
    await goTo(next, started.origin + pathOf(started, `?snippet=${id}&do=edit`));
    await eventually(() => editor(next).innerText(), "Hello");

    await cookie(ada);
    await goTo(next, started.origin + pathOf(started, `?snippet=${id}`));
    await button(next, "Discard changes").waitFor();
    await next.getByRole("button", { name: /Account menu/ }).click();
    await next.getByRole("menuitem", { name: "Sign out" }).click();
    await next.getByRole("dialog", { name: "Sign out and discard unsaved changes?" }).waitFor();
    await button(next, "Sign out").click();
    await next.getByLabel("Email address").waitFor();
    expect(await next.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft")))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("can be discarded, and is gone once it is saved", async () => {
    const started = await startConsole();
    const ada = await started.person({ role: "owner" });
    const id = await write(started, ada, prose("Hello"));
    const { page, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
    const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft")).length);
    await editor(page).fill("Never mind");
    await button(page, "Go back").click();
    await button(page, "Discard changes").click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard changes" }).click();
    await eventually(drafts, 0);
    await button(page, "Edit").click();
    await eventually(() => editor(page).innerText(), "Hello");
    await editor(page).fill("Not this either");
    await eventually(drafts, 1);
    await page.reload();
    await eventually(() => editor(page).innerText(), "Not this either");
    await button(page, "Discard changes").click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard changes" }).click();
    await eventually(() => editor(page).innerText(), "Hello");
    expect(await drafts()).toBe(0);
    await editor(page).fill("Hello again");
    await eventually(drafts, 1);
    await save(page);
    await toast(page, "Saved");
    await eventually(drafts, 0);
    expect(await textOf(ada, id)).toBe("Hello again");
    await leave();
  });
});

test("variations are added, renamed, reordered by key and pointer, and deleted, but never the last", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const id = await write(started, ada, prose("Hello"));
  const names = async () => (await read(ada, id)).variations.map(({ name }: { name: string }) => name);
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
  const manage = page.getByRole("button", { name: /^(Variations|Add variation)$/ });
  for (const name of ["Formal", "Short"]) {
    await manage.click();
    const dialog = page.getByRole("dialog", { name: "Variations" });
    await dialog.waitFor();
    expect(await page.getByRole("button", { name: "You can’t delete the only variation" }).count()).toBe(
      name === "Formal" ? 1 : 0,
    );
    await dialog.getByLabel("New variation").fill(name);
    await dialog.getByRole("button", { name: "Add variation" }).click();
    await page.getByRole("tab", { name, selected: true }).waitFor();
  }
  await manage.click();
  expect(await findPageProblems(page, widths)).toEqual([]);
  await page.getByRole("button", { name: "Reorder Default, 1 of 3" }).press("ArrowDown");
  await eventually(names, ["Formal", "Default", "Short"]);
  const handle = page.getByRole("button", { name: "Reorder Short, 3 of 3" });
  const [from, to] = [
    await handle.boundingBox(),
    await page.getByRole("button", { name: /Reorder Formal/ }).boundingBox(),
  ];
  await page.mouse.move((from?.x ?? 0) + 9, (from?.y ?? 0) + 9);
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 9, (to?.y ?? 0) - 4, { steps: 8 });
  await page.mouse.up();
  await eventually(names, ["Short", "Formal", "Default"]);
  await button(page, "Rename Formal").click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true }).fill("Polite");
  await page.keyboard.press("Enter");
  await eventually(names, ["Short", "Polite", "Default"]);
  await button(page, "Delete Short").click();
  await button(page, "Delete variation").click();
  await eventually(names, ["Polite", "Default"]);
  expect(complaints).toEqual([]);
  await leave();
});

test("a viewer who follows a link to the editor learns who can help; in tabs of variations the arrows keep the focus", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const viewer = await started.person({ role: "member", teams: { [started.team.id]: "viewer" } });
  const formal = { variationName: "Formal", ...prose("Dear customer") };
  const id = await write(started, ada, { ...prose("Hello"), additionalVariations: [formal] });
  const first = await open(started, viewer, `?snippet=${id}&do=edit`);
  await first.page.getByText("You don’t have edit access").waitFor();
  expect(await findPageProblems(first.page)).toEqual([]);
  await first.leave();
  const { page, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
  await waitForFocus(editor(page));
  await page.getByRole("tab", { name: "Default" }).press("ArrowRight");
  await eventually(() => editor(page).innerText(), "Dear customer");
  await waitForFocus(page.getByRole("tab", { name: "Formal" }));
  await leave();
});

test("hostile Markdown becomes plain elements: nothing runs, nothing is loaded, and links lead to addresses only", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const hostile = [
    "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "![pixel](https://evil.example/pixel.png)",
    "[click](javascript:alert(1)) [data](data:text/html,x) [ok](https://example.com) <https://example.org>",
    "| a |\n|--:|\n| b |",
    "```html\n<script>alert(2)</script>\n```",
    "x".repeat(5_000),
    "\u202Etxt.exe",
  ].join("\n\n");
  const id = await write(started, ada, { content: { type: "markdown", content: hostile } });
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
  await button(page, "Preview").click();
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText("alert(1)").first().waitFor();
  expect(await preview.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
    "https://evil.example/pixel.png",
    "https://example.com",
    "https://example.org",
  ]);
  expect(await preview.locator("img, script, iframe, style").count()).toBe(0);
  expect(await findPageProblems(page, widths)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

test("a text of the greatest length is opened, changed and kept without a freeze, with the line ends it had", async () => {
  const started = await startConsole();
  const ada = await started.person({ role: "owner" });
  const line = 'const value = compute("a text");\r\n';
  const text = line.repeat(29_000).slice(0, 990_000);
  const id = await write(started, ada, { content: { type: "code", content: text } });
  const { page, complaints, leave } = await open(started, ada, `?snippet=${id}&do=edit`);
  await editor(page).press("ControlOrMeta+Home");
  await page.evaluate(() => {
    const longest = { milliseconds: 0 };
    Object.assign(window, { longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.milliseconds = Math.max(longest.milliseconds, duration);
    }).observe({ type: "longtask" });
  });
  await page.keyboard.type("// Twenty characters.");
  await page.keyboard.press("Enter");
  await page.getByText("Unsaved").waitFor();
  const longest = await page.evaluate(() => Reflect.get(window, "longest").milliseconds);
  expect(longest).toBeLessThan(1_000);
  await save(page);
  await toast(page, "Saved");
  expect((await textOf(ada, id)) === `// Twenty characters.\r\n${text}`).toBe(true);
  expect(complaints).toEqual([]);
  await leave();
});
