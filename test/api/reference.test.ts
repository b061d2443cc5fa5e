// The reference page in a real browser, under the policy that the service sends with it.
import { expect, setDefaultTimeout } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { costInWords } from "../../src/contract/openapi-introduction.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import {
  browserMilliseconds,
  eventually,
  findPageProblems,
  overflow,
  type Visit,
  type VisitOptions,
  visit,
  waitForFocus,
} from "../support/browser.ts";
import { afterThisFile } from "../support/cleanup.ts";
import { pageTest as test } from "../support/pages.ts";
import { type Started, startService, text } from "../support/service.ts";
import { someCases } from "../support/some-cases.ts";

setDefaultTimeout(browserMilliseconds);

/** What Scalar prints to the console: its version, and a request that the page did not send. */
const printed = /^console (info: @scalar\/api-reference@[\d.]+$|error: Error: Replace \w+_ID with an ID)/;

type Look = (page: Page, started: Started) => Promise<void>;

/** Opens the page. */
async function open(options: Pick<VisitOptions, "hasScript"> = {}): Promise<Visit> {
  const { origin, pathname } = new URL(`${(await startService()).baseUrl}/reference`);
  return visit({ origin, path: pathname, ...options });
}

/** Runs `look`, and fails on any complaint: a violation of the content security policy or a request to another origin. */
async function check({ page, complaints }: Visit, look: Look): Promise<void> {
  await look(page, await startService());
  expect(complaints.filter((complaint) => !printed.test(complaint))).toEqual([]);
}

let shared: Visit | undefined;

interface ReadOptions extends Pick<VisitOptions, "width"> {
  /** Where the page leads first, such as `#tag/tags/getTag`. */
  readonly hash?: string;
}

/**
 * Looks at the page that all tests share, because it takes seconds to load. The page renders its parts once they come into view, so the
 * tests of what it first shows come first, and the one that shows all operations, which slows the page, last.
 */
async function read(look: Look, { hash = "", width = 1280 }: ReadOptions = {}): Promise<void> {
  if (!shared || shared.page.isClosed()) {
    shared = await open();
    afterThisFile(shared.leave);
  }
  const visited = shared;
  const { page } = visited;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  if (hash) {
    await page.locator(`a[href$="${hash}"]:visible`).first().click();
    await page
      .locator(`section[id$="${hash.slice(1)}"]`)
      .getByText('"success"')
      .first()
      .waitFor();
  }
  await check(visited, look);
}

const hashOf = (name: keyof typeof operations): string =>
  `#tag/${operations[name].resource.name.toLowerCase()}/${name}`;
const section = (page: Page, name: string): Locator => page.locator(`section[id$="/${name}"]`);
const hash = (page: Page) => async () => new URL(page.url()).hash;

/** Opens the form for a request of the operation, with the key. */
async function openRequest(page: Page, name: keyof typeof operations, key: string): Promise<Locator> {
  const { method, path } = operations[name];
  await page.getByPlaceholder("Token").first().fill(key);
  await page.getByRole("button", { name: `Test Request (${method.toLowerCase()} ${path})` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  return dialog;
}

const textBefore = (locator: Locator): Promise<string> =>
  locator.evaluate((element) => getComputedStyle(element, "::before").content);

/** Closes the form; the page can be used again. */
async function close(dialog: Locator): Promise<void> {
  await dialog.page().keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await dialog.page().getByPlaceholder("Token").first().click();
}

/** Sends the request. @returns the response as shown, once it has the status */
async function send(dialog: Locator, status: string): Promise<string> {
  await dialog.getByRole("button", { name: /^Send \w+ request/ }).click();
  await dialog.getByText(status, { exact: true }).waitFor();
  return (await dialog.locator(".cm-content").last().innerText()).replaceAll("\u00a0", " ");
}

test("Tab leads to the content, visibly", () =>
  read(async (page) => {
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await waitForFocus(skip);
    expect((await skip.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await waitForFocus(page.locator("main#content"));
    await page.keyboard.press("Tab");
    await page.locator("main :focus").waitFor();
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe("solid");
  }));

test("introduces the service: costs, rate limit, paging, batches and every error code", () =>
  read(async (page) => {
    const main = page.getByRole("main");
    for (const title of ["Authentication", "Units and costs", "Rate limit", "Responses", "Paging", "Batches", "Errors"])
      expect(await main.getByRole("heading", { name: title, exact: true }).count()).toBe(1);
    const words = (await main.innerText()).replace(/\s+/g, " ");
    for (const part of [
      "20 requests in any 60-second window",
      "1 per snippet",
      "quota_exceeded",
      "rate_limit_exceeded",
      "method_not_allowed",
    ])
      expect(words).toContain(part);
  }));

test("is accessible in both themes, wide and on a phone", () =>
  read(async (page) => {
    expect(await findPageProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await findPageProblems(page)).toEqual([]);
  }));

test("without the script it says so and leads to the description", async () => {
  const visited = await open({ hasScript: false });
  await check(visited, async (page) => {
    expect(await page.getByRole("main").innerText()).toContain("This reference needs JavaScript.");
    await page.getByRole("link", { name: "OpenAPI description" }).click();
    expect(new URL(page.url()).pathname).toEndWith("/openapi.json");
  });
  await visited.leave();
});

test("sends a GET with the key that was typed and shows its response", () =>
  read(
    async (page, { given, key }) => {
      const { id, title } = await given.snippet({ title: "Read from the reference" });
      const dialog = await openRequest(page, "getSnippet", key.secret);
      await dialog.getByRole("combobox").filter({ hasText: "SNIPPET_ID" }).fill(id);
      const response = await send(dialog, "200 OK");
      expect(JSON.parse(response)).toMatchObject({ success: true, data: { id, title } });
      expect(await findPageProblems(page)).toEqual([]);
      await close(dialog);
    },
    { hash: hashOf("getSnippet") },
  ));

test("sends a POST with a body and shows its response", () =>
  read(
    async (page, { client, team, key }) => {
      const dialog = await openRequest(page, "postSnippet", key.secret);
      const body = { title: "Sent from the reference", content: text("Hello"), teamId: team.id };
      await dialog.locator(".cm-content").first().press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText(JSON.stringify(body));
      const { data } = JSON.parse(await send(dialog, "200 OK")) as { data: { snippetId: string } };
      expect((await client.getSnippet({ id: data.snippetId })).data.title).toBe(body.title);
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await findPageProblems(page)).toEqual([]);
      await close(dialog);
    },
    { hash: hashOf("postSnippet") },
  ));

test("a click does not send a request that still has a word in place of an ID", () =>
  read(
    async (page, { client, team, key }) => {
      const sent: string[] = [];
      page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
      const dialog = await openRequest(page, "deleteSnippet", key.secret);
      await dialog.getByText("API key", { exact: true }).first().waitFor();
      expect(await textBefore(dialog.locator(".ascii-art"))).toBe('"Send the request to see the response"');
      expect(await dialog.locator(".ascii-art > *").first().isVisible()).toBe(false);
      await dialog.getByRole("button", { name: /^Send \w+ request/ }).click();
      await page.getByText("Replace SNIPPET_ID with an ID, then send the request.").first().waitFor();
      expect(sent).toEqual([]);

      const { snippetId } = (await client.postSnippet({ title: "Gone", content: text("Hello"), teamId: team.id })).data;
      await dialog.getByRole("combobox").filter({ hasText: "SNIPPET_ID" }).fill(snippetId);
      await send(dialog, "200 OK");
      expect(sent).toEqual(["DELETE /api/snippet"]);
      await close(dialog);
    },
    { hash: hashOf("deleteSnippet") },
  ));

test("offers samples for the TypeScript client and Python, and a word in place of the key", () =>
  read(
    async (page, { baseUrl }) => {
      const example = section(page, "getTags");
      await page.getByPlaceholder("Token").first().fill("");
      await example.getByText("YOUR_KEY").first().waitFor();
      await example.getByRole("button", { name: "Shell Curl" }).click();
      await page.getByRole("option", { name: "TypeScript client" }).click();
      await eventually(
        async () => (await example.textContent())?.includes('client.getTags({ tagIds: ["TAG_ID", "TAG_ID_2"] })'),
        true,
      );
      expect(await example.textContent()).toContain(`baseUrl: "${baseUrl}"`);
      await example.getByRole("button", { name: "TypeScript client" }).click();
      // Scalar has a sample for requests, too, which cannot name the certificate.
      expect(await page.getByRole("option", { name: "Requests", exact: true }).count()).toBe(0);
      await page.getByRole("option", { name: "Python requests" }).click();
      await eventually(
        async () => (await example.textContent())?.includes('params={"tagIds": "TAG_ID,TAG_ID_2"}'),
        true,
      );
      await example.getByRole("button", { name: "Python requests" }).click();
      await page.getByRole("option", { name: "Curl", exact: true }).first().click();
    },
    { hash: hashOf("getTags") },
  ));

test("names no other product, and links to the published document", () =>
  read(async (page) => {
    expect(
      await page
        .getByText(/powered by/i)
        .locator("visible=true")
        .count(),
    ).toBe(0);
    const link = page.getByRole("main").getByRole("link", { name: "OpenAPI document" });
    expect(await link.getAttribute("href")).toEndWith("/api/openapi.json");
  }));

test("the search finds operations: the arrow and Enter lead to the first match, Escape closes it", () =>
  read(async (page) => {
    await page.keyboard.press("Control+k");
    const field = page.getByRole("dialog").getByRole("combobox");
    await waitForFocus(field);
    await field.fill("Delete a folder");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await eventually(hash(page), hashOf("deleteFolder"));
    await page.keyboard.press("Control+k");
    await field.fill("zzzz");
    await page
      .getByText(/no results/i)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "hidden" });
  }));

test("the copy button copies the example as it is shown, with the address of this service", () =>
  read(
    async (page, { baseUrl, key }) => {
      await page.getByPlaceholder("Token").first().fill(key.secret);
      const example = section(page, "putSnippet");
      await example.locator(".code-copy, .scalar-code-copy, [class*=copy-button]").first().click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toStartWith(`curl --cacert data/tls/ca.crt '${baseUrl}/snippet?id=SNIPPET_ID'`);
      expect(copied).toContain(`--header 'Authorization: Bearer ${key.secret}'`);
      const body = /--data '(.*)'$/s.exec(copied)?.[1] ?? "";
      expect(Object.keys(JSON.parse(body) as object)).toEqual(["title", "note", "tagIds"]);
    },
    { hash: hashOf("putSnippet") },
  ));

test("the navigation leads to an operation and marks it", () =>
  read(async (page) => {
    const entry = page.locator('aside a[href$="/getTag"], nav a[href$="/getTag"]');
    await entry.click();
    await eventually(hash(page), hashOf("getTag"));
    await eventually(() => entry.getAttribute("aria-current").then((value) => value !== null), true);
  }));

test("light and dark follow the system", () =>
  read(async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await eventually(background, "rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    await eventually(background, "rgb(19, 20, 22)");
  }));

test("the key that was typed is gone with the page", () =>
  read(
    async (page, { key }) => {
      await page.getByPlaceholder("Token").first().fill(key.secret);
      await page.waitForTimeout(1_000);
      await page.reload();
      expect(await page.getByPlaceholder("Token").first().inputValue()).toBe("");
      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      expect(stored).not.toContain(key.secret);
    },
    { width: 390 },
  ));

test("on a phone nothing is cut off and the navigation is a drawer", () =>
  read(
    async (page) => {
      expect(await overflow(page)).toBe(0);
      const entry = page.locator('a[href$="/postTags"]:visible');
      expect(await entry.count()).toBe(0);
      await page
        .getByRole("button", { name: /menu|sidebar/i })
        .first()
        .press("Enter");
      await entry.click();
      await eventually(() => entry.count(), 0);
      await eventually(hash(page), hashOf("postTags"));
      expect(await overflow(page)).toBe(0);
    },
    { width: 390 },
  ));

test(
  "lists every operation; leads to each, and shows its method, path and cost, an example call and its response",
  () =>
    read(async (page, { baseUrl }) => {
      const entryOf = (name: string) => page.locator(`a[href$="/${name}"]:visible`);
      for (const name of operationNames) expect(await entryOf(name).count()).toBe(1);
      for (const name of someCases(operationNames, 4)) {
        const { method, path, summary, cost, isText, isFile, example }: Operation = operations[name];
        // Parts outside of the view are not rendered yet.
        await entryOf(name).click();
        const shown = section(page, name);
        // A file has no example.
        await shown
          .getByText(isText ? String(example.result.data).slice(0, 12) : isFile ? path : '"success"')
          .first()
          .waitFor();
        const words = (await shown.textContent()) ?? "";
        const price = `Cost: ${costInWords(cost.words)}`;
        for (const part of [method.toLowerCase(), path, summary, price, `${baseUrl}${path}`])
          expect(words.toLowerCase()).toContain(part.toLowerCase());
      }
    }),
  4 * browserMilliseconds,
);
