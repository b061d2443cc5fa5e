// Copying in a real browser, and texts written from right to left: what arrives where it is pasted, and how it is drawn.
import { expect, setDefaultTimeout } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserMilliseconds, eventually, findPageProblems, visit } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";
import { allowSlowSearches } from "../support/slow-searches.ts";

setDefaultTimeout(browserMilliseconds);
allowSlowSearches();

/** Opens the library at a snippet that the person can edit. */
async function reading(title: string, type: string, content: string) {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Grace Hopper" });
  const made = await owner.call("postLibrarySnippet", {
    body: { title, teamId: started.team.id, content: { type, content } },
  });
  const id = String(made.body.data.snippetId);
  const path = `/console/w/${started.workspace.id}/library?snippet=${id}`;
  const visited = await visit({ origin: started.origin, path, cookie: owner.cookie });
  await visited.page.getByRole("article", { name: title }).waitFor();
  return { ...visited, ...started, owner, id };
}

const toast = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true }).waitFor();

/** Pastes into an editor as mail programs and help desks have it, with the keys. @returns its HTML */
async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => {
    const editor = document.createElement("div");
    editor.contentEditable = "true";
    editor.id = "pasted";
    document.body.append(editor);
    editor.focus();
  });
  await page.keyboard.press("Control+v");
  const editor = page.locator("#pasted");
  await editor.filter({ hasText: /./ }).waitFor();
  const html = await editor.evaluate((element) => {
    // What the browser adds is of no interest.
    for (const child of element.querySelectorAll("*")) child.removeAttribute("style");
    element.remove();
    return element.innerHTML;
  });
  return html;
}
const clipboardText = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const clipboardTypes = (page: Page) =>
  page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types));

const reply = `## Dear {{name}}

**Thank you** for [writing](https://example.com/?a=1&b=2):

- one
- two & *three*

Kind regards,
Bea`;

test("Markdown arrives formatted where it is pasted, and as it is written where only text is taken", async () => {
  const { page, complaints, leave } = await reading("Thanks", "markdown", reply);
  await page.keyboard.press("c");
  const form = page.getByRole("dialog", { name: "Fill in placeholders" });
  await form.getByLabel("name").fill("Ada <i>");
  await page.keyboard.press("Enter");
  await toast(page, "Copied “Thanks”");
  expect(await clipboardText(page)).toBe(reply.replace("{{name}}", "Ada <i>"));
  expect(await pasted(page)).toBe(
    [
      '<h2 dir="auto">Dear Ada &lt;i&gt;</h2>',
      '<p dir="auto"><strong>Thank you</strong> for <a href="https://example.com/?a=1&amp;b=2">writing</a>:</p>',
      '<ul dir="ltr"><li dir="ltr">one</li><li dir="ltr">two &amp; <em>three</em></li></ul>',
      '<p dir="auto">Kind regards,<br>\nBea</p>',
    ].join(""),
  );
  await page.keyboard.press("Shift+C");
  await toast(page, "Copied as is: “Thanks”");
  expect(await clipboardText(page)).toBe(reply);
  expect(await clipboardTypes(page)).toEqual(["text/plain", "text/html"]);
  expect(complaints).toEqual([]);
  await leave();
});

test("the browser is asked to copy before the text is read: others than this one allow it only right after the key", async () => {
  const { page, leave } = await reading("Greeting", "plaintext", "Hello");
  await page.goto(page.url().replace(/\?.*/, ""));
  await page.getByRole("option").getByText("Greeting").waitFor();
  await page.evaluate(() => {
    const { clipboard } = navigator;
    const write = clipboard.write.bind(clipboard);
    clipboard.write = (items) => {
      document.documentElement.dataset.asked = "yes";
      return write(items);
    };
  });
  const { promise: isAsked, resolve } = Promise.withResolvers<void>();
  await page.route(/\/library\/snippet\b/, async (route) => {
    await isAsked;
    await route.continue();
  });
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await page.locator("html[data-asked]").waitFor();
  resolve();
  await toast(page, "Copied “Greeting”");
  expect(await clipboardText(page)).toBe("Hello");
  await leave();
});

test("plain text and code are copied as text alone", async () => {
  const { page, leave } = await reading("Code", "javascript", "if (a < b) {\n  run();\n}");
  await page.keyboard.press("c");
  await toast(page, "Copied “Code”");
  expect(await clipboardTypes(page)).toEqual(["text/plain"]);
  await leave();
});

test("hostile Markdown on the clipboard is only text: no element, attribute, or address that it names", async () => {
  const hostile = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "[link](javascript:alert(1)) [data](data:text/html;base64,PHNjcmlwdD4=)",
    "[program](ms-msdt:/id) [file](file:///etc/passwd) [page](/console/account) ![data](data:image/png;base64,AAAA)",
    '[quoted](https://example.com/"onmouseover="alert(1) "title\\" onfocus=alert(1)")',
    "![pixel](https://example.com/pixel.png)",
    "`<b>code</b>`",
    "```\n</pre><script>alert(1)</script>\n```",
    "|a|b|\n|:-:|-|\n|<svg/onload=alert(1)>|x|",
  ].join("\n\n");
  const { page, leave } = await reading("Hostile", "markdown", hostile);
  await page.keyboard.press("c");
  await toast(page, "Copied “Hostile”");
  // As it is on the clipboard, before a browser cleans what is pasted.
  const found = await page.evaluate(async () => {
    const read: (options: object) => Promise<ClipboardItems> = navigator.clipboard.read.bind(navigator.clipboard);
    const [item] = await read({ unsanitized: ["text/html"] });
    const html = (await (await item?.getType("text/html"))?.text()) ?? "";
    const body = new DOMParser().parseFromString(html, "text/html");
    const all = [...body.body.querySelectorAll("*")];
    return {
      elements: [...new Set(all.map(({ localName }) => localName))].sort(),
      attributes: [...new Set(all.flatMap((one) => one.getAttributeNames()))].sort(),
      links: [...body.querySelectorAll("a")].map((link) => link.getAttribute("href")),
    };
  });
  expect(found).toEqual({
    elements: ["a", "code", "p", "pre", "table", "tbody", "td", "th", "thead", "tr"],
    attributes: ["dir", "href", "style"],
    links: ["https://example.com/%22onmouseover=%22alert(1)", "https://example.com/pixel.png"],
  });
  await leave();
});

const mixed = "{{name}} שלום, תודה!\nThank you, {{name}}.\nمرحبا {{name}}، شكرا.";

test("each paragraph has the direction of its own text, and a placeholder does not decide it: list, reader, form, editor, and comparison", async () => {
  const { page, complaints, leave, owner, id } = await reading("שלום", "plaintext", mixed);
  /** Of the first letter of each line: right of the placeholder after it where the text runs to the left. */
  const directions = (root: Locator, words: readonly string[]): Promise<string[]> =>
    root.evaluate(
      (element, wanted) =>
        wanted.map((word) => {
          const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = (node.textContent ?? "").indexOf(word);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            const { left, right } = range.getBoundingClientRect();
            const box = element.getBoundingClientRect();
            return left - box.left < box.right - right ? "left" : "right";
          }
          return "missing";
        }),
      words,
    );
  // In a line that begins on the right, the word beside its beginning is in the right half.
  const words = ["שלום", "Thank", "مرحبا"];
  const expected = ["right", "left", "right"];
  expect(await directions(page.getByRole("article").locator("pre"), words)).toEqual(expected);
  const preview = page.getByRole("option").getByText("שלום, תודה");
  expect(await preview.getAttribute("dir")).toBe("rtl");

  await page.keyboard.press("c");
  const form = page.getByRole("dialog", { name: "Fill in placeholders" });
  expect(await directions(form.locator("figure p"), words)).toEqual(expected);
  await form.getByLabel("name").fill("Bea");
  await page.keyboard.press("Enter");
  await toast(page, "Copied “שלום”");
  // Nothing invisible gets into the text.
  expect(await clipboardText(page)).toBe(mixed.replaceAll("{{name}}", "Bea"));

  await page.keyboard.press("e");
  const editor = page.locator(".cm-content");
  await editor.waitFor();
  expect(await directions(editor, words)).toEqual(expected);
  expect(
    await editor.locator(".cm-line").evaluateAll((all) => all.map((one) => getComputedStyle(one).direction)),
  ).toEqual(["rtl", "ltr", "rtl"]);
  // The left arrow goes to the left, also in a placeholder that runs from left to right in a line from right to left.
  await editor.locator(".cm-line").first().click();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("x");
  await eventually(() => editor.locator(".cm-line").first().innerText(), "{{namex}} שלום, תודה!");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("article").waitFor();

  const variation = (await owner.call("getLibrarySnippet", { query: { id } })).body.data.variations[0];
  await owner.call("putLibrarySnippetVariation", {
    query: { variationId: variation.id },
    body: { content: { type: "plaintext", content: mixed.replace("תודה", "ברוך") } },
  });
  await page.keyboard.press("h");
  for (const layout of ["Side by side", "Inline"]) {
    await page.getByRole("button", { name: layout }).click();
    if (layout === "Inline") {
      const deleted = page.locator(".cm-deletedLine[dir=rtl]").first();
      await deleted.waitFor();
      expect(await directions(deleted, ["שלום"])).toEqual(["right"]);
    }
    const text = page.locator(".cm-content").last();
    expect({ layout, found: await directions(text, words) }).toEqual({ layout, found: expected });
  }
  expect(await findPageProblems(page, [1280, 390])).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

test("Markdown from right to left: paragraphs, lists, quotes, and tables begin on the right, also where they are pasted", async () => {
  const text = "{{name}} שלום\n\n- אחת\n- two\n\n> ציטוט\n\nHello";
  const { page, complaints, leave } = await reading("עברית", "markdown", text);
  await page.getByRole("button", { name: "Formatted" }).click();
  const article = page.getByRole("article");
  await article.locator("mark").getByText("{{name}}").waitFor();
  expect(
    await article
      .locator(":is(p, ul, li, blockquote)[dir]")
      .evaluateAll((all) => all.map((one) => `${one.localName} ${getComputedStyle(one).direction}`)),
  ).toEqual(["p rtl", "ul rtl", "li rtl", "li ltr", "blockquote rtl", "p rtl", "p ltr"]);
  await page.keyboard.press("Shift+C");
  await toast(page, "Copied as is: “עברית”");
  expect(await pasted(page)).toBe(
    '<p dir="auto">{{name}} שלום</p><ul dir="rtl"><li dir="rtl">אחת</li><li dir="ltr">two</li></ul>' +
      '<blockquote dir="rtl"><p dir="auto">ציטוט</p></blockquote><p dir="auto">Hello</p>',
  );
  expect(complaints).toEqual([]);
  await leave();
});
