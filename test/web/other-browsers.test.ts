// The main flows of the console in the other browsers that people have: Firefox, and WebKit, the engine of Safari.
import "../support/all-only.ts";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { join } from "node:path";
import { lackOf } from "../support/browsers/driver.ts";
import { firefox } from "../support/browsers/firefox.ts";
import { type OtherPage, pageOf } from "../support/browsers/page.ts";
import { webkit } from "../support/browsers/webkit.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";
import { allowSlowSearches } from "../support/slow-searches.ts";

setDefaultTimeout(120_000);
allowSlowSearches();

type Person = Awaited<ReturnType<StartedConsole["person"]>>;

for (const browser of [firefox, webkit]) {
  const lack = lackOf(browser);
  if (lack !== undefined) {
    test.skip(`${browser.name} (${lack})`, () => undefined);
    continue;
  }
  describe(browser.name, () => {
    let started: StartedConsole;
    let owner: Person;
    let page: OtherPage;
    let close: () => Promise<void>;
    const library = (search = "") => `${started.origin}/console/w/${started.workspace.id}/library${search}`;
    const create = async (title: string, content: string, type = "plaintext") => {
      const made = await owner.call("postLibrarySnippet", {
        body: { title, teamId: started.team.id, content: { type, content } },
      });
      return String(made.body.data.snippetId);
    };
    const stored = async (id: string) =>
      (await owner.call("getLibrarySnippet", { query: { id } })).body.data.variations[0].content as string;
    const expectNoProblems = async () => expect(await page.problems()).toEqual([]);

    beforeAll(async () => {
      started = await startConsole({});
      owner = await started.person({ role: "owner", isOperator: true, name: "Grace Hopper" });
      const driver = await browser.start();
      ({ close } = driver);
      page = pageOf(driver);
    });
    afterAll(() => close?.());

    test("sign in", async () => {
      await create("Opening hours", "We are here from nine to five.");
      await page.open(`${started.origin}/console`);
      await page.enter("Email address");
      await page.type(owner.email);
      await page.enter("Password");
      await page.type(testPassword);
      await page.press("Enter");
      await page.see("heading", "Library");
      await expectNoProblems();
    });

    test("find and copy, also what is not loaded yet", async () => {
      await create("Return address", "Pier 4, Portland");
      await create("Late parcel", "Your parcel is late.");
      await page.open(library());
      await page.see("text", "Late parcel");
      await page.press("/");
      await page.type("portland");
      await page.see("status", "1 match");
      // The text of this snippet has not been read.
      await page.press("Control+Enter");
      await page.see("status", "Copied “Return address”");
      expect((await page.pasted()).text).toBe("Pier 4, Portland");

      await page.open(library());
      await page.see("text", "Opening hours");
      // Faster than any text can be read.
      await page.press("j", "j", "j", "c");
      await page.see("status", "Copied “Opening hours”");
      expect((await page.pasted()).text).toBe("We are here from nine to five.");
      await expectNoProblems();
    });

    test("every way of copying, right after the page was opened", async () => {
      const id = await create("Thanks", "**Thank you** for your order.", "markdown");
      const expected: Readonly<Record<string, readonly [said: string, text: string]>> = {
        "Copy as is": ["Copied as is: “Thanks”", "**Thank you** for your order."],
        "Copy as Markdown": ["Copied as Markdown: “Thanks”", "# Thanks\n\n**Thank you** for your order."],
        "Copy link": ["Copied link to “Thanks”", library(`?snippet=${id}`)],
        "Copy curl command": [
          "Copied curl command for “Thanks”",
          `curl --cacert ${join(started.dataDirectory, "tls/ca.crt")} -H "Authorization: Bearer $CPL_KEY" '${started.origin}/api/text?id=${id}'`,
        ],
        "Copy ID": ["Copied ID of “Thanks”", id],
      };
      for (const [item, [said, text]] of Object.entries(expected)) {
        await page.open(library(`?snippet=${id}`));
        await page.click("button", "More actions for Thanks");
        await page.click("item", item);
        await page.see("status", said);
        const { text: arrived, html } = await page.pasted();
        // An editor takes the formatted form where there is one.
        if (item === "Copy as is") expect(html).toContain("<strong>Thank you</strong> for your order.");
        else expect({ item, text: arrived.trim() }).toEqual({ item, text });
      }
      await page.click("button", "Copy");
      await page.see("status", "Copied “Thanks”");
      expect((await page.pasted()).html).toContain("<strong>Thank you</strong>");
      await expectNoProblems();
    });

    test("fill in placeholders", async () => {
      const id = await create("Refund", "Hello {{name}}, order {{order}} is paid back.");
      await page.open(library(`?snippet=${id}`));
      await page.see("heading", "Refund");
      await page.press("c");
      await page.see("dialog", "Fill in placeholders");
      await page.type("Ada");
      await page.press("Enter");
      await page.type("1207");
      await page.press("Enter");
      await page.see("status", "Copied “Refund”");
      expect((await page.pasted()).text).toBe("Hello Ada, order 1207 is paid back.");
      await expectNoProblems();
    });

    test("write, save, and write on", async () => {
      await page.open(library());
      await page.see("text", "Refund");
      await page.press("n");
      await page.see("field", "Title");
      await page.type("Written here");
      await page.enter("Text");
      await page.type("first line\nsecond");
      await page.press("Control+s");
      await page.see("status", "Snippet created");
      // The caret is where it was.
      await page.see("button", "Done");
      await page.type(" line");
      await page.press("Control+Enter");
      await page.see("status", "Saved");
      await page.see("button", "Edit");
      const id = await page.run(() => new URLSearchParams(location.search).get("snippet"));
      expect(await stored(String(id))).toBe("first line\nsecond line");
      await expectNoProblems();
    });

    test("import a file", async () => {
      await page.open(library());
      await page.see("text", "Refund");
      await page.click("button", "Import or export");
      await page.click("item", "Import");
      await page.see("text", "Choose files");
      await page.run(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["title,text\nImported,From a table\n"], "replies.csv", { type: "text/csv" }));
        const input = document.querySelector("input[type=file]");
        Object.assign(input ?? {}, { files: transfer.files });
        input?.dispatchEvent(new Event("change", { bubbles: true }));
      });
      await page.click("button", "Import 1 snippet");
      await page.click("button", "Done");
      await page.see("text", "Imported");
      await expectNoProblems();
    });

    test("live: what a colleague changes appears by itself", async () => {
      await page.open(library());
      await page.see("text", "Refund");
      await create("From a colleague", "Just written");
      await page.see("text", "From a colleague");
      await expectNoProblems();
    });

    test("administration: create a key and copy its secret; members, usage, audit log, and account open", async () => {
      const at = (path: string) => `${started.origin}/console/w/${started.workspace.id}/${path}`;
      await page.open(at("keys"));
      await page.click("button", "Create API key");
      await page.see("dialog", "Create API key");
      await page.enter("Name");
      await page.type("Help desk");
      await page.press("Enter");
      await page.see("text", "Secret");
      await page.click("button", "Copy");
      await page.see("text", "Copied");
      expect((await page.pasted()).text).toMatch(/^cpl_/);
      await page.click("button", "I’ve saved my key");
      for (const [path, heading] of [
        ["overview", "Overview"],
        ["members", "Members"],
        ["usage", "Usage"],
        ["audit", "Audit log"],
      ] as const) {
        await page.open(at(path));
        await page.see("heading", heading);
        await expectNoProblems();
      }
      await page.open(`${started.origin}/console/account`);
      await page.see("heading", "Account");
      await expectNoProblems();
    });

    test("nothing scrolls that should not, with the scrollbars that people have", async () => {
      for (let index = 0; index < 40; index++) await create(`Reply ${index}`, "Hello");
      await page.open(library("?in=activity"));
      await page.see("link", "“Reply 39”");
      const sizes = await page.run(() => {
        const { scrollHeight, scrollWidth } = document.documentElement;
        const menu = document.querySelector("header nav")?.parentElement;
        return {
          page: [scrollWidth - innerWidth, scrollHeight - innerHeight],
          menu: menu ? menu.scrollWidth - menu.clientWidth : "missing",
        };
      });
      expect(sizes).toEqual({ page: [0, 0], menu: 0 });
      await expectNoProblems();
    });
  });
}
