// The static page of the cookbook, and its search in a browser.
import { expect, setDefaultTimeout } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browserMilliseconds, visit } from "../support/browser.ts";
import { openRecipe, startServer } from "../support/cookbook.ts";
import { pageTest as test } from "../support/pages.ts";
import { startService, text } from "../support/service.ts";

setDefaultTimeout(browserMilliseconds);

test("has what has the tag, as text, and finds it without the service", async () => {
  const started = await startService();
  const tag = await started.given.tag({ tagName: "public" });
  const tagIds = [tag.id];
  await started.given.snippet({
    title: "Refund & more",
    shortcut: "/refund",
    content: text("\nYour refund <b>comes</b>"),
    tagIds,
  });
  await started.given.snippet({ title: "Delivery", content: text("</pre><script>alert(1)</script>"), tagIds });
  await started.given.snippet({ title: "Internal", content: text("Secret") });
  const { run, directory } = await openRecipe(started, process.execPath, "static-page.ts");
  expect(await run(["site/index.html"])).toEqual({ status: 0, stdout: "", stderr: "" });
  const html = readFileSync(join(directory, "site/index.html"), "utf8");
  expect(html).not.toMatch(/Secret|Internal|cpl_/);
  const server = startServer(() => new Response(html, { headers: { "Content-Type": "text/html" } }));
  const { page, leave, complaints } = await visit({ origin: server.url, path: "/" });
  expect(await page.getByRole("article").locator("pre").allTextContents()).toEqual([
    "</pre><script>alert(1)</script>",
    "\nYour refund <b>comes</b>",
  ]);
  await page.getByLabel("Search").fill("REFUND comes");
  await page.getByText("1 found").waitFor();
  expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual(["Refund & more /refund"]);
  await page.getByLabel("Search").fill("");
  await page.getByText("2 found").waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

test("stays as it is if the service refuses, or the tag is missing", async () => {
  const started = await startService();
  const tag = await started.given.tag({ tagName: "public" });
  const { run, directory } = await openRecipe(started, process.execPath, "static-page.ts");
  expect((await run(["index.html"])).status).toBe(0);
  const before = readFileSync(join(directory, "index.html"), "utf8");
  await started.client.deleteTag({ tagId: tag.id });
  expect(await run(["index.html"])).toEqual({ status: 1, stdout: "", stderr: 'The team has no tag "public"\n' });
  const refused = await run(["index.html"], { environment: { CPL_KEY: started.emptyKey.secret } });
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("(team_forbidden)")]);
  expect(readFileSync(join(directory, "index.html"), "utf8")).toBe(before);
  expect(existsSync(join(directory, "index.html.new"))).toBe(false);
});
