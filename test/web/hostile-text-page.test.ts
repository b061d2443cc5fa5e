// Texts of a colleague that nest, in a real browser: the page shows them, and answers.
import { expect, setDefaultTimeout } from "bun:test";
import { browserMilliseconds, goTo, visit } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(4 * browserMilliseconds);

const length = 90_000;
const filled = (unit: string) => unit.repeat(length / unit.length);
const row = `${"|a".repeat(300)}|\n`;

const markdown: Record<string, string> = {
  "emphasis in emphasis": "*a ".repeat(length / 6) + " b*".repeat(length / 6),
  "quotes in quotes": filled("> "),
  "lists in lists": filled("- "),
  images: filled("![a"),
  "a wide table": row + row.replaceAll("a", "-") + row.repeat(length / row.length),
  "many blocks of code": filled("~~~js\n(\n~~~\n"),
  "code that nests": `~~~json\n${filled("[")}\n~~~\n`,
};
const code: Record<string, string> = { json: "[1,", html: "<a>", yaml: "{", javascript: "(" };

test("a text that nests is shown, whether it is formatted or highlighted, and the page answers", async () => {
  const started = await startConsole();
  const { cookie } = await started.person({ role: "member", teams: { [started.team.id]: "viewer" } });
  const all = [
    ...Object.entries(markdown).map(([name, content]) => ({ name, type: "markdown", content })),
    ...Object.entries(code).map(([type, unit]) => ({ name: `${type} of ${unit}`, type, content: filled(unit) })),
  ];
  const ids: string[] = [];
  for (const { name, type, content } of all) {
    const snippet = { teamId: started.team.id, title: `Snippet ${name}`, content: { type, content } };
    ids.push((await started.client.postSnippet(snippet)).data.snippetId);
  }
  const path = `/console/w/${started.workspace.id}/library`;
  const { page, complaints, leave } = await visit({ origin: started.origin, path, cookie });
  for (const [index, { name, type }] of all.entries()) {
    await goTo(page, `${started.origin}${path}?snippet=${ids[index]}`);
    await page.getByRole("article", { name: `Snippet ${name}` }).waitFor();
    if (type === "markdown") await page.getByRole("button", { name: "Formatted" }).click();
    // The page is done with it.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))));
    await page.getByRole("combobox", { name: "Find snippets" }).fill("x");
  }
  expect(complaints).toEqual([]);
  await leave();
});
