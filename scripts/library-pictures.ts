// The states of the library in the pictures of scripts/screenshots.ts, and how a page gets there.
import type { Page } from "playwright-core";
import type { Demo } from "./demo.ts";

/** What a picture needs of the demo besides the page. */
export interface Backstage {
  readonly theme: string;
  readonly changeAsColleague: Demo["changeAsColleague"];
}

export interface LibraryPicture {
  readonly name: string;
  readonly prepare: (page: Page, backstage: Backstage) => Promise<void>;
  /** Takes back what it changed. */
  readonly restore?: (page: Page) => Promise<void>;
  /** It needs the width. */
  readonly isWide?: true;
  /** It changes a snippet, and comes after all others. */
  readonly isLast?: true;
}

const open = async (page: Page, title: string): Promise<void> => {
  await page.locator("[role=option]").filter({ hasText: title }).click();
  await page.getByRole("article", { name: title }).waitFor();
};

const reply = "Refund approved";
const editor = (page: Page) => page.locator(".cm-content").first();

/** A colleague saves another text meanwhile. */
async function changeMeanwhile(page: Page, { theme, changeAsColleague }: Backstage): Promise<void> {
  const when = theme === "dark" ? "on Friday" : "tomorrow";
  const snippetId = new URL(page.url()).searchParams.get("snippet") ?? "";
  const text = `Hello {{name}},\n\nYour refund of {{amount}} will arrive ${when}.\n\nBest regards,\n{{agent}}`;
  await changeAsColleague(snippetId, text);
}

export const libraryPictures: readonly LibraryPicture[] = [
  { name: "library", prepare: (page) => open(page, reply) },
  { name: "library-list", prepare: async (page) => page.locator("[role=option]").first().waitFor() },
  {
    name: "library-search",
    prepare: async (page) => {
      await page.getByRole("combobox", { name: "Find snippets" }).fill("refund");
      await page.locator("[role=option] mark").first().waitFor();
      await page.keyboard.press("ArrowDown");
    },
  },
  {
    name: "library-copy",
    prepare: async (page) => {
      await open(page, reply);
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByLabel("name", { exact: true }).fill("Ms. Ito");
      await page.getByLabel("order", { exact: true }).fill("HW-20417");
    },
  },
  {
    name: "library-edit",
    prepare: async (page) => {
      await open(page, "getOAuthToken");
      await page.keyboard.press("e");
      await editor(page).waitFor();
    },
  },
  {
    name: "library-diff",
    isWide: true,
    prepare: async (page) => {
      await open(page, reply);
      await page.keyboard.press("h");
      await page.getByRole("region", { name: "Comparison" }).waitFor();
    },
  },
  {
    name: "library-conflict",
    isWide: true,
    isLast: true,
    prepare: async (page, backstage) => {
      await open(page, reply);
      await page.keyboard.press("e");
      await editor(page).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(", Harbor Works");
      await changeMeanwhile(page, backstage);
      await page.keyboard.press("Control+s");
      await page.locator("#conflict-title").waitFor();
    },
  },
];
