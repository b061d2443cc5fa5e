// The documentation in the console: the way to it, what it shows, and that each of its links works without another host.
import { expect, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { forConsole, listDocuments, slugOf } from "../../web/pages/documentation/documents.ts";
import { browserMilliseconds, findPageProblems, goTo, unexpected, visit, widths } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

const files = join(import.meta.dir, "../../docs");
const textOf = (name: string): Promise<string> => Bun.file(join(files, `${name}.md`)).text();

test("the account menu leads to the administrator's guide, and its links to further documents", async () => {
  const { origin, person, workspace } = await startConsole();
  const { cookie } = await person({ role: "admin" });
  const { page, context, complaints } = await visit({ origin, path: `/console/w/${workspace.id}/overview`, cookie });
  await page.getByRole("button", { name: /Account menu/ }).click();
  const opened = context.waitForEvent("page");
  await page.getByRole("menuitem", { name: "Documentation" }).click();
  const guide = await opened;
  await guide.getByRole("heading", { name: "Administration" }).waitFor();
  await guide.getByRole("heading", { name: "Remove people" }).waitFor();
  await guide.getByRole("navigation").getByRole("link", { name: "Import and export" }).click();
  await guide.getByRole("heading", { name: "Import and export", exact: true }).waitFor();
  await guide.goBack();

  const linked = context.waitForEvent("page");
  await guide.getByRole("link", { name: "disable the account" }).click();
  const further = await linked;
  const heading = further.getByRole("heading", { name: "Disable an account" });
  await heading.waitFor();
  await further.waitForFunction(() => scrollY > 0);
  expect((await heading.boundingBox())?.y).toBeLessThan(900);
  expect(unexpected(complaints)).toEqual([]);
  await context.close();
});

test("every document is shown without a session, in both themes, wide and on a phone", async () => {
  const { origin } = await startConsole();
  const { page, leave, complaints } = await visit({ origin, path: "/console/docs/administration" });
  for (const [name, title] of listDocuments()) {
    await goTo(page, `${origin}/console/docs/${name}`);
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    await page.locator("main :is(h3, table)").first().waitFor();
    expect([name, await page.locator("main").innerText()]).toEqual([name, expect.not.stringContaining("<!--")]);
  }
  expect(await findPageProblems(page, widths)).toEqual([]);
  await goTo(page, `${origin}/console/docs/unknown`);
  await page.getByText("This page doesn’t exist").waitFor();
  expect(unexpected(complaints)).toEqual([]);
  await leave();
});

test("each link between documents leads to a document and a heading that exist", async () => {
  const origin = "https://localhost";
  for (const [name] of listDocuments()) {
    expect([name, existsSync(join(files, `${name}.md`))]).toEqual([name, true]);
    const links = forConsole(name, await textOf(name), origin).matchAll(
      /\]\(https:\/\/localhost\/console\/docs\/([^)#]+)#?([^)]*)\)/g,
    );
    for (const [, target = "", slug] of links) {
      const headings = [...(await textOf(target)).matchAll(/^##+ (.*)$/gm)].map(([, heading = ""]) => slugOf(heading));
      if (slug) expect([name, target, headings]).toEqual([name, target, expect.arrayContaining([slug])]);
    }
  }
  const linked = forConsole("administration", await textOf("administration"), origin);
  expect(linked).toContain("[hosting](https://localhost/console/docs/hosting/README)");
  expect(
    forConsole("hosting/install", "[a](../security.md#b) [c](#d) [e](proxy.md) [f](https://g.example)", origin),
  ).toBe(
    "[a](https://localhost/console/docs/security#b) [c](https://localhost/console/docs/hosting/install#d) [e](proxy.md) [f](https://g.example)",
  );
});
