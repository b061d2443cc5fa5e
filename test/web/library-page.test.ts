// The library page in a real browser: find, read and copy with the mouse, by keyboard and on a phone.
import "../support/every-time.ts";
import { describe, expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import {
  axe,
  browserMilliseconds,
  eventually,
  findPageProblems,
  goTo,
  type VisitOptions,
  visit,
  waitForFocus,
} from "../support/browser.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";
import { allowSlowSearches } from "../support/slow-searches.ts";

setDefaultTimeout(browserMilliseconds);
allowSlowSearches();

interface Text {
  readonly title: string;
  readonly text: string;
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** A workspace with these snippets; the last one is the newest. */
async function library(texts: readonly Text[]) {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Grace Hopper" });
  const teamId = started.team.id;
  const ids: string[] = [];
  for (let start = 0; start < texts.length; start += 100) {
    const snippets = texts.slice(start, start + 100).map(({ title, text, type = "plaintext", ...rest }) => ({
      title,
      teamId,
      content: { type, content: text },
      ...rest,
    }));
    const { body } = await owner.call("postLibrarySnippets", { body: { snippets } });
    for (const { snippetId } of body.data.createdSnippets) ids.push(snippetId);
  }
  return { ...started, owner, ids };
}

const open = async (started: StartedConsole, cookie: string, wishes: Partial<VisitOptions> = {}) =>
  visit({ origin: started.origin, path: `/console/w/${started.workspace.id}/library`, cookie, ...wishes });

const rows = (page: Page) => page.getByRole("listbox", { name: "Snippets" }).getByRole("option");
const row = (page: Page, title: string) => rows(page).filter({ hasText: title });
const opened = (page: Page, title: string) => page.getByRole("article", { name: title }).waitFor();
const field = (page: Page) => page.getByRole("combobox", { name: "Find snippets" });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const toast = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true }).waitFor();

const replies: readonly Text[] = [
  { title: "Late parcel", text: "Hello {{name}}, order {{order}} is late.", shortcut: "late" },
  { title: "Opening hours", text: "We are here from nine to five." },
  {
    title: "Refund approved",
    text: "Hello {{name}},\nyou get back {{ amount }}. Bye, {{name}}.",
    additionalVariations: [{ variationName: "Short", content: { type: "plaintext", content: "Refunded." } }],
  },
];

test("the settings of a tool at the end of a note are not shown as a note, neither in the snippet nor in what a search found", async () => {
  const settings = "```vscode\nhasTabStops: true\n```";
  const started = await library([
    { title: "Log", text: "console.log($1)", note: `For debugging\n\n${settings}` },
    { title: "Warn", text: "console.warn($1)", note: settings },
  ]);
  const { page, complaints, leave } = await open(started, started.owner.cookie);
  await row(page, "Log").click();
  const note = page.getByRole("complementary", { name: "Note" });
  expect(await note.textContent()).toBe("For debugging");
  await page.getByRole("article").getByText("The note also contains settings for VS Code.").waitFor();
  await field(page).fill("tabstop");
  await row(page, "Warn").getByText("console.warn").waitFor();
  expect(await rows(page).allTextContents()).not.toContainEqual(expect.stringContaining("hasTabStops"));
  await row(page, "Warn").click();
  await opened(page, "Warn");
  expect(await note.count()).toBe(0);
  expect(await findPageProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

test("a viewer begins here, finds a reply by a word of its text, fills it in and copies it; the next one suggests the name and does not fill it in", async () => {
  const started = await library(replies);
  const { cookie } = await started.person({ role: "member", teams: { [started.team.id]: "viewer" } });
  const { page, complaints, leave } = await visit({ origin: started.origin, path: "/console", cookie });
  await page.waitForURL(`${started.origin}/console/w/${started.workspace.id}/library`);
  await rows(page).nth(2).waitFor();
  expect(await page.getByRole("button", { name: "New snippet" }).count()).toBe(0);

  await page.keyboard.press("/");
  await page.keyboard.type("back");
  await page.getByRole("status").getByText("1 match", { exact: true }).waitFor();
  await eventually(() => rows(page).locator("mark").allInnerTexts(), ["back"]);
  await page.keyboard.press("Enter");
  await opened(page, "Refund approved");

  await page.keyboard.press("c");
  const form = page.getByRole("dialog", { name: "Fill in placeholders" });
  await waitForFocus(form.getByLabel("name"));
  await page.keyboard.type("Ada");
  await form.getByText("Hello Ada").waitFor();
  await form.getByLabel("amount").fill("$7 & $1");
  await page.keyboard.press("Enter");
  await toast(page, "Copied “Refund approved”");
  expect(await clipboard(page)).toBe("Hello Ada,\nyou get back $7 & $1. Bye, Ada.");

  await page.getByRole("button", { name: "Clear" }).click();
  await row(page, "Late parcel").click();
  await opened(page, "Late parcel");
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  // For somebody else perhaps: what was typed before is offered, and what stays empty is said.
  await waitForFocus(form.getByLabel("name"));
  expect(await form.getByLabel("name").inputValue()).toBe("");
  expect(
    await form.locator("datalist option").evaluateAll((options) => options.map((one) => one.getAttribute("value"))),
  ).toEqual(["Ada"]);
  await page.keyboard.type("Bob");
  await form.locator("mark[data-focused]").getByText("Bob").waitFor();
  expect(await findPageProblems(page, [1280, 390])).toEqual([]);
  // Enter goes to the next empty field, says what is missing, and copies when it is pressed again.
  await page.keyboard.press("Enter");
  await waitForFocus(form.getByLabel("order"));
  await form.getByText("1 placeholder is still empty: {{order}}. Press Enter again to copy anyway.").waitFor();
  await page.keyboard.press("Enter");
  await toast(page, "Copied “Late parcel”. 1 placeholder is still empty: {{order}}.");
  expect(await clipboard(page)).toBe("Hello Bob, order {{order}} is late.");
  await page.keyboard.press("c");
  await form.getByRole("button", { name: "Copy as is" }).click();
  await toast(page, "Copied as is: “Late parcel”");
  expect(await clipboard(page)).toBe("Hello {{name}}, order {{order}} is late.");

  await page.getByRole("button", { name: "Activity" }).click();
  await page.getByRole("listitem").getByText("Grace Hopper created the snippet").waitFor();
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.getByRole("list", { name: "Versions" }).getByText("Grace Hopper").waitFor();
  await page.keyboard.press("Escape");
  await opened(page, "Late parcel");

  const menu = page.getByRole("button", { name: "More actions for Late parcel" });
  for (const [item, said, text] of [
    [
      "Copy as Markdown",
      "Copied as Markdown: “Late parcel”",
      "# Late parcel\n\nHello {{name}}, order {{order}} is late.\n",
    ],
    ["Copy link", "Copied link to “Late parcel”", `${page.url()}`],
    ["Copy ID", "Copied ID of “Late parcel”", started.ids[0] ?? ""],
  ] as const) {
    await menu.click();
    await page.getByRole("menuitem", { name: item }).click();
    await toast(page, said);
    expect(await clipboard(page)).toBe(text);
  }
  expect(complaints).toEqual([]);
  await leave();
});

test("everything works by keyboard alone, and no key acts while one types", async () => {
  const started = await library(replies);
  const { page, complaints, leave } = await open(started, started.owner.cookie);
  await rows(page).nth(2).waitFor();
  await page.keyboard.press("j");
  await opened(page, "Refund approved");
  const hint = page.getByText("When you copy this text, you can fill in the highlighted placeholders.");
  await hint.waitFor();
  await page.keyboard.press("]");
  await page.getByRole("tab", { name: "Short", selected: true }).waitFor();
  await eventually(() => hint.count(), 0);
  await page.keyboard.press("c");
  await toast(page, "Copied “Refund approved”");
  expect(await clipboard(page)).toBe("Refunded.");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("j");
  await opened(page, "Late parcel");
  await page.keyboard.press("k");
  await opened(page, "Opening hours");
  await page.keyboard.press("c");
  await toast(page, "Copied “Opening hours”");

  // Each letter is also a key of the page.
  await page.keyboard.press("/");
  await page.keyboard.type("clerk?");
  expect(await field(page).inputValue()).toBe("clerk?");
  await page.getByText("No matching snippets").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.keyboard.press("Escape");
  await rows(page).nth(2).waitFor();
  await page.keyboard.type("late");
  await eventually(() => rows(page).count(), 1);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: "Fill in placeholders" }).waitFor();
  await page.keyboard.press("Escape");
  await waitForFocus(field(page));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await waitForFocus(page.getByRole("listbox", { name: "Snippets" }));
  await page.keyboard.press("End");
  await opened(page, "Late parcel");

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByText("Copy as is").waitFor();
  expect(await axe(page)).toEqual([]);
  await keys.getByRole("checkbox", { name: "Use single-key shortcuts" }).press("Space");
  await page.keyboard.press("Escape");
  await waitForFocus(page.getByRole("listbox", { name: "Snippets" }));
  await page.keyboard.press("Home");
  await opened(page, "Refund approved");
  await page.keyboard.press("?");
  expect(await keys.count()).toBe(0);
  expect(complaints).toEqual([]);
  await leave();
});

test("the address opens the same for a colleague, and the back button goes back", async () => {
  const started = await library([...replies, { title: "Refund declined", text: "No.", type: "markdown" }]);
  const { cookie } = await started.person({ role: "member", teams: { [started.team.id]: "viewer" } });
  const { page, complaints, leave } = await open(started, started.owner.cookie);
  await rows(page).nth(3).waitFor();
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByLabel("Content type").selectOption("Plain text");
  await page.getByRole("button", { name: "Show snippets" }).click();
  await eventually(() => rows(page).count(), 3);
  await page.getByLabel("Sort by").selectOption("Title");
  await field(page).fill("refund");
  await row(page, "Refund approved").click();
  await page.getByRole("tab", { name: "Short" }).click();
  await page.waitForURL(/q=refund.*variation=/);
  const address = page.url();

  const colleague = await visit({ origin: started.origin, path: address.slice(started.origin.length), cookie });
  await opened(colleague.page, "Refund approved");
  await colleague.page.getByRole("tab", { name: "Short", selected: true }).waitFor();
  await colleague.page.getByRole("button", { name: "Remove filter: Type: plaintext" }).waitFor();
  expect(await field(colleague.page).inputValue()).toBe("refund");
  expect(await colleague.page.getByLabel("Sort by").inputValue()).toBe("title");
  await eventually(() => rows(colleague.page).count(), 1);
  // An open snippet that the search does not find is the one that the keys act on.
  await goTo(colleague.page, `${page.url().split("?")[0]}?q=parcel&snippet=${started.ids[1]}`);
  await opened(colleague.page, "Opening hours");
  await row(colleague.page, "Late parcel").waitFor();
  await colleague.page.keyboard.press("c");
  await toast(colleague.page, "Copied “Opening hours”");
  expect(colleague.complaints).toEqual([]);
  await colleague.leave();

  await page.goBack();
  const invitation = page.getByText("Select a snippet to read it.");
  await invitation.waitFor();
  await page.goBack();
  await page.goBack();
  await eventually(() => rows(page).count(), 4);
  // Where the search finds nothing, there is nothing to select; the page says what is searched, and what helps.
  await field(page).fill("money back");
  await page.getByText(/in titles, text, notes, tags, and shortcuts\..* Tip: add tags for other words/).waitFor();
  await eventually(() => invitation.count(), 0);
  expect(complaints).toEqual([]);
  await leave();
});

test("every match is marked: in the rows, in the open snippet under its colors, and in the palette", async () => {
  const started = await library([
    {
      title: "Refunds and late refunds",
      text: "A prefund is none.\nRéfund by day 5: a refund {{refund}}.",
      type: "code",
    },
  ]);
  const { owner, team, ids } = started;
  const tag = await owner.call("postLibraryTag", {
    body: { tagName: "refund day", tagColor: "#298c4a", teamId: team.id },
  });
  await owner.call("putLibrarySnippet", { query: { id: ids[0] ?? "" }, body: { tagIds: [tag.body.data.tag.id] } });
  const { page, complaints, leave } = await open(started, owner.cookie);
  await row(page, "Refunds and late refunds").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("refund day");
  const marks = () => rows(page).locator("mark").allInnerTexts();
  await eventually(marks, ["Refund", "refund", "Réfund", "day", "refund", "refund", "refund", "day"]);
  await page.keyboard.press("Enter");
  await opened(page, "Refunds and late refunds");
  /** What the browser paints over the text. */
  const painted = () =>
    page.evaluate(() => [...(CSS.highlights.get("match") ?? [])].map((range) => (range as Range).toString()));
  const found = ["Refund", "refund", "refund", "day", "Réfund", "day", "refund", "refund"];
  await eventually(painted, found);
  await page.getByRole("button", { name: "Clear" }).click();
  await eventually(painted, []);

  await page.keyboard.press("Control+k");
  await waitForFocus(page.getByRole("combobox", { name: "Find anything" }));
  await page.keyboard.type("refund by");
  const choice = page.getByRole("dialog").getByRole("option", { name: /Refunds and late/ });
  await eventually(
    () => choice.locator("mark").allInnerTexts(),
    ["Refund", "refund", "Réfund", "by", "refund", "refund"],
  );
  expect(complaints).toEqual([]);
  await leave();
});

test("the preview of a long text shows the place that is typed in", async () => {
  const started = await library([
    { title: "Long", text: `Hello {{name}},\n${"A line.\n".repeat(60)}Yours, {{agent}}` },
  ]);
  const { page, complaints, leave } = await open(started, started.owner.cookie);
  await row(page, "Long").click();
  await opened(page, "Long");
  await page.keyboard.press("c");
  const form = page.getByRole("dialog", { name: "Fill in placeholders" });
  const mark = (text: string) => form.locator("mark").getByText(text);
  /** Seen within what scrolls, not only within the window. */
  const isShown = (text: string) =>
    mark(text).evaluate((element) => {
      const box = element.closest("figure")?.getBoundingClientRect();
      const { top, bottom } = element.getBoundingClientRect();
      return box !== undefined && top >= box.top && bottom <= box.bottom;
    });
  await waitForFocus(form.getByLabel("name"));
  expect([await isShown("{{name}}"), await isShown("{{agent}}")]).toEqual([true, false]);
  await form.getByLabel("agent").focus();
  await eventually(async () => [await isShown("{{name}}"), await isShown("{{agent}}")], [false, true]);
  expect(complaints).toEqual([]);
  await leave();
});

describe("on a phone", () => {
  test("a form stays above the on-screen keyboard", async () => {
    const started = await library(replies);
    const { page, complaints, leave } = await open(started, started.owner.cookie, { width: 390 });
    await row(page, "Late parcel").click();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    const form = page.getByRole("dialog", { name: "Fill in placeholders" });
    await waitForFocus(form.getByLabel("name"));
    const bottom = () => form.evaluate((dialog) => Math.round(dialog.getBoundingClientRect().bottom));
    await eventually(bottom, 900);
    // As a keyboard does that takes 380 pixels.
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, "height", { get: () => 520 });
      visualViewport?.dispatchEvent(new Event("resize"));
    });
    await eventually(bottom, 520);
    expect(await form.evaluate((dialog) => dialog.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  test("one pane is shown at a time, with a way back, and the focus goes along", async () => {
    const started = await library(replies);
    const { page, complaints, leave } = await open(started, started.owner.cookie, { width: 390 });
    await rows(page).nth(2).waitFor();
    expect(await findPageProblems(page, [390, 320])).toEqual([]);
    await row(page, "Refund approved").click();
    await opened(page, "Refund approved");
    await waitForFocus(page.getByRole("region", { name: "Snippet", exact: true }));
    expect(await rows(page).count()).toBe(0);
    expect(await findPageProblems(page, [390, 320])).toEqual([]);
    await page.getByRole("button", { name: "Back to the list" }).click();
    await rows(page).nth(2).waitFor();
    await page.goForward();
    await page.goBack();
    await row(page, "Late parcel").click();
    await opened(page, "Late parcel");
    await page.goBack();
    await page.getByRole("button", { name: "Folders and tags" }).click();
    await page.getByRole("tree", { name: "Folders and tags" }).waitFor();
    expect(await findPageProblems(page, [390, 320])).toEqual([]);
    await page.goBack();
    await rows(page).nth(2).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});

const hostile = '<img src=x onerror="alert(1)"><style>*{display:none}</style>';

test("texts of every kind are only text: hostile, without a space, the longest, with the most variations", async () => {
  const longest = `${"word ".repeat(199_999)}{{end}}`.slice(0, 1_000_000);
  const started = await library([
    { title: "The longest", text: longest },
    { title: "W".repeat(200), text: "x".repeat(5_000), shortcut: "s".repeat(100), note: "n".repeat(5_000) },
    {
      title: `\u202e${hostile}`,
      text: `javascript:alert(1) ${hostile} {{${hostile.slice(0, 28)}}}`,
      type: "text/html",
      note: hostile,
      shortcut: hostile,
      additionalVariations: Array.from({ length: 100 }, (_, index) => ({
        variationName: `${hostile} ${index}`,
        content: { type: "plaintext", content: `Text ${index}` },
      })),
    },
  ]);
  const { owner, team, ids } = started;
  const folder = await owner.call("postLibraryFolder", {
    body: { folderName: hostile, folderColor: "red;background:url(//evil.example)", teamId: team.id },
  });
  const tag = await owner.call("postLibraryTag", {
    body: { tagName: hostile.repeat(8), tagColor: "expression(alert(1))", teamId: team.id },
  });
  await owner.call("putLibrarySnippet", {
    query: { id: ids[2] ?? "" },
    body: { folderId: folder.body.data.folder.id, tagIds: [tag.body.data.tag.id] },
  });
  const { page, complaints, leave } = await open(started, owner.cookie);
  const look = async (what: string, widths?: number[]) =>
    expect([what, await findPageProblems(page, widths)]).toEqual([what, []]);
  await rows(page).first().click();
  await page.getByRole("article").getByText("javascript:alert(1)").waitFor();
  await look("hostile", [1280, 1000, 390, 320]);
  expect(await page.locator("main img, main style").count()).toBe(0);

  await page.getByLabel("All 101 variations").selectOption({ index: 100 });
  await page.getByRole("tabpanel").getByText("Text 99", { exact: true }).waitFor();
  await page.getByRole("tab", { selected: true }).press("Home");
  await page.getByRole("article").getByText("javascript:alert(1)").waitFor();

  await goTo(page, `${page.url().split("?")[0]}?q=${encodeURIComponent("onerror=")}&snippet=${ids[2]}`);
  await rows(page).first().locator("mark").first().waitFor();
  await look("found");

  await goTo(page, `${page.url().split("?")[0]}?snippet=${ids[1]}`);
  await opened(page, "W".repeat(200));
  await look("without a space", [1280, 390]);

  await goTo(page, `${page.url().split("?")[0]}?snippet=${ids[0]}`);
  await opened(page, "The longest");
  await page.getByText("Showing the first 20,000 of 1,000,000 characters.").waitFor();
  const shown = await page.getByRole("article").locator("pre").innerText();
  expect(shown.length).toBeLessThan(20_001);
  await page.keyboard.press("C");
  await toast(page, "Copied as is: “The longest”");
  expect((await clipboard(page)) === longest).toBe(true);
  expect(complaints).toEqual([]);
  await leave();
});

test("of hundreds of snippets only the visible ones are in the page; the rest comes as one scrolls, and screen readers hear the number", async () => {
  const started = await library(
    Array.from({ length: 230 }, (_, index) => ({ title: `Number ${index + 1}`, text: `Text ${index + 1}` })),
  );
  const { page, complaints, leave } = await open(started, started.owner.cookie);
  await page.getByRole("status").getByText("230 snippets").waitFor();
  await row(page, "Number 230").waitFor();
  expect(await rows(page).first().getAttribute("aria-setsize")).toBe("230");
  const list = page.getByRole("listbox", { name: "Snippets" });
  await list.focus();
  for (let shown = 0; shown < 230; shown = Number(await rows(page).last().getAttribute("aria-posinset"))) {
    expect(await rows(page).count()).toBeLessThan(40);
    await page.keyboard.press("End");
  }
  await opened(page, "Number 1");
  await eventually(() => list.getAttribute("aria-activedescendant"), `snippet-${started.ids[0]}`);
  await page.keyboard.press("Home");
  await row(page, "Number 230").waitFor();
  await opened(page, "Number 230");
  expect(complaints).toEqual([]);
  await leave();
});

test("panes are resized by mouse and keyboard, and stay so", async () => {
  const started = await library(replies);
  const { page, complaints, leave } = await open(started, started.owner.cookie);
  await rows(page).nth(2).waitFor();
  const pane = page.getByRole("region", { name: "List", exact: true });
  const widthOf = async () => Math.round((await pane.boundingBox())?.width ?? 0);
  const before = await widthOf();
  const line = page.getByRole("separator", { name: "Width of list" });
  await line.focus();
  await page.keyboard.press("ArrowRight");
  await eventually(widthOf, before + 24);
  const box = (await line.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(box.x, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x - 50, box.y + 300);
  await page.mouse.up();
  await eventually(widthOf, before - 26);
  expect(await axe(page)).toEqual([]);
  await page.reload();
  await rows(page).nth(2).waitFor();
  await eventually(widthOf, before - 26);
  await line.dblclick();
  await eventually(widthOf, before);
  expect(complaints).toEqual([]);
  await leave();
});
