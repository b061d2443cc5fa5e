// Every page of the console, as people have it: with the scripts of all pages loaded.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, visit } from "./browser.ts";
import { startConsole } from "./console.ts";

/** The pages of an owner who is also the operator, by their heading. */
export const pages = {
  Library: "w/:id/library",
  Overview: "w/:id/overview",
  "API access": "w/:id/keys",
  Usage: "w/:id/usage",
  "Request log": "w/:id/log",
  Billing: "w/:id/billing",
  Members: "w/:id/members",
  Teams: "w/:id/teams",
  "Audit log": "w/:id/audit",
  Settings: "w/:id/settings",
  Account: "account",
  Workspaces: "workspaces",
  People: "people",
  "Account log": "account-log",
  Instance: "instance",
} as const;

/** A workspace with one of each thing, as its owner sees it in a browser that has loaded the scripts of all pages. */
export async function everything() {
  const started = await startConsole();
  const { person, workspace, team, origin } = started;
  const owner = await person({ role: "owner", isOperator: true, name: "Ada Lovelace" });
  const colleague = await person({ role: "member", teams: { [team.id]: "editor" }, name: "Grace Hopper" });
  const teamId = team.id;
  const made = await owner.call("postLibrarySnippet", {
    body: { title: "Apology", teamId, content: { type: "markdown", content: "Hello **{{name}}**" } },
  });
  await owner.call("postLibraryFolder", { body: { folderName: "Quotes", folderColor: "#298c4a", teamId } });
  await owner.call("postLibraryTag", { body: { tagName: "refund", tagColor: "tomato", teamId } });
  await owner.call("postInvitation", { body: { email: "new@example.com", role: "member" } });
  const { page, context, complaints } = await visit({ origin, path: "/console/account", cookie: owner.cookie });
  page.setDefaultTimeout(6000);
  await page.addInitScript(() => {
    const connection = Object.getPrototypeOf(Reflect.get(navigator, "connection"));
    Object.defineProperty(connection, "saveData", { get: () => false });
  });
  const address = (path: string) => `${origin}/console/${path.replace(":id", workspace.id)}`;
  return { page, context, complaints, address, colleague, snippetId: String(made.body.data.snippetId) };
}

/** Follows a page's requests. @returns a function that waits until none is under way, except the stream of changes, and the page is drawn */
export function follow(page: Page): () => Promise<void> {
  const open = new Set<unknown>();
  page.on("request", (request) => request.url().includes("/events") || open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return async () => {
    do {
      await eventually(async () => open.size, 0);
      await draw(page);
    } while (open.size > 0);
  };
}

export const draw = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** The page has its heading, within the window, and nothing says that it could not be loaded. */
export async function expectIntact(page: Page, where: string): Promise<void> {
  const heading = await page.locator("h1").evaluateAll((headings) =>
    headings.map((one) => {
      const { top } = one.getBoundingClientRect();
      return top + scrollY > -10 && top + scrollY < innerHeight;
    }),
  );
  const failures = await page.getByText("Couldn’t load this page").count();
  expect({ where, heading, failures }).toEqual({ where, heading: [true], failures: 0 });
}
