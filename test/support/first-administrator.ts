// Creates an instance's first administrator in a browser, with the link that the first start prints.
import type { Page } from "playwright-core";

const person = { name: "Ada Lovelace", email: "ada@harbor.example", password: "a picture needs no password" };

/** Follows the link and is signed in, on the overview of the first workspace, when it returns. */
export async function becomeAdministrator(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(person.name);
  await page.getByLabel("Email address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/console\/w\//);
}
