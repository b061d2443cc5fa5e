// The pages of billing, in a real browser: buy a package and see the balance, read the invoice, record its payment.
import { describe, expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { deliver, giveCredit, reportBody, startStripe, stripeSecrets } from "../support/billing.ts";
import {
  axe,
  browserMilliseconds,
  eventually,
  findPageProblems,
  goTo,
  overflow,
  type VisitOptions,
  visit,
  widths,
} from "../support/browser.ts";
import { useUnits } from "../support/charges.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { beforePages, pageTest as test } from "../support/pages.ts";
import { readPdf } from "../support/pdf.ts";

setDefaultTimeout(browserMilliseconds);

/** No background job runs, so that only calls issue invoices. */
const never: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

const hostile = `<img src=x onerror="alert(1)">{{7*7}}'--`.padEnd(100, "W");

const pathOf = ({ workspace }: StartedConsole, page: string) => `/console/w/${workspace.id}/${page}`;
const buy = (person: Awaited<ReturnType<StartedConsole["person"]>>, name: string) =>
  person.call("postPurchase", { body: { package: name, purchaseId: crypto.randomUUID() } });
const open = (
  started: StartedConsole,
  { cookie }: { cookie: string },
  page: string,
  wishes: Pick<VisitOptions, "width" | "theme"> = {},
) => visit({ origin: started.origin, cookie, path: pathOf(started, page), ...wishes });
const isGone = (page: Page) => page.getByRole("dialog").waitFor({ state: "detached" });

test("while billing is off, no page mentions a price or a package, and the operator learns how to raise the allowance", async () => {
  const started = await startConsole({ config: { billedFrom: undefined } });
  await useUnits(started, 100_000);
  const operator = await started.person({ role: "owner", isOperator: true });
  const { page, leave, complaints } = await open(started, operator, "overview");
  await page.getByText("No units left.").waitFor();
  const main = page.getByRole("main");
  for (const name of ["billing", "usage", "settings", "overview"]) {
    await goTo(page, started.origin + pathOf(started, name));
    await main.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.locator("body").innerText()).not.toMatch(
      name === "billing" ? /\$\d|package/i : /\$\d|billing|package|invoice/i,
    );
  }
  await main.getByRole("link", { name: "Raise the monthly allowance" }).click();
  await main.getByRole("button", { name: "Change subscription" }).waitFor();
  expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
  await leave();
  const member = await started.person({ role: "member" });
  const theirs = await open(started, member, "overview");
  await theirs.page.getByText("The operator of this service can raise the monthly allowance.").waitFor();
  await theirs.leave();
});

test("buy a package and see the balance; the month after, read the invoice, and the operator records its payment", async () => {
  const started = await startConsole({ at: "2026-03-31T12:00:00.000Z" });
  await useUnits(started, 12_345);
  await giveCredit(started, 1_500);
  const owner = await started.person({ role: "owner", confirmedMinutesAgo: 20 });
  const { page, leave, complaints } = await open(started, owner, "billing");
  const main = page.getByRole("main");
  await main.getByText("$15.00 of $15.00 credit left.").waitFor();
  expect(await main.getByRole("button", { name: "Buy 500K" }).isDisabled()).toBe(true);
  await main.getByRole("link", { name: "Preview invoice" }).click();
  await main.getByRole("article").getByText("Units from the monthly allowance").waitFor();
  expect(await main.getByRole("article").innerText()).toContain("$1.23");
  expect(await findPageProblems(page)).toEqual([]);
  await main.getByRole("link", { name: "All invoices and payments" }).click();
  await main.getByText("12,345 × $0.0001 = $1.2345, rounded to the cent").waitFor();
  await eventually(() => main.getByRole("meter").getAttribute("aria-valuetext"), "12,345 of 100,000 units");
  await eventually(() => main.getByText("87,655", { exact: true }).count(), 1);

  await main.getByRole("button", { name: "Buy 100K" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Buy the 100K package for $10.00?").waitFor();
  await dialog.getByText("100,000 × $0.0001 = $10.00").waitFor();
  await dialog.getByText("Apr 1, 2026, 00:00 UTC. Unused units don’t roll over.").waitFor();
  await dialog.getByText("87,655 + 100,000 = 187,655 units").waitFor();
  expect(await started.balance()).toBe(87_655);
  await dialog.getByRole("button", { name: "Buy for $10.00" }).click();
  // The password was given too long ago.
  await page.getByLabel("Your password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Confirm" }).click();
  await dialog.getByText("187,655 units left").waitFor();
  expect(await started.balance()).toBe(187_655);
  await dialog.getByRole("button", { name: "Done" }).click();
  await isGone(page);
  await main.getByText("$10.00 outstanding.").waitFor();
  // As on the preview of the invoice.
  await main.getByText("$11.23", { exact: true }).waitFor();
  await main.getByText("rounded to the cent, plus $10.00 for packages").waitFor();
  await main.getByText("$5.00 of $15.00 credit left.").waitFor();
  expect(await main.getByRole("button", { name: "Buy 100K" }).isDisabled()).toBe(true);
  await eventually(() => main.getByRole("table", { name: "List of payments" }).getByRole("row").count(), 2);
  expect(complaints.filter((complaint) => !complaint.includes("403"))).toEqual([]);
  await leave();

  started.clock.advance(86_400);
  const later = await started.person({ role: "owner", isOperator: true, name: "Olive Operator" });
  const next = await open(started, later, "billing");
  await next.page.getByRole("link", { name: "March 2026", exact: true }).click();
  const paper = next.page.getByRole("article");
  await paper.getByText("Units from the monthly allowance").waitFor();
  const seen = (await paper.innerText()).split(/\s*[\n\t]\s*/);
  for (const piece of [
    ...["Draft invoice", "None (draft)", "Test workspace", new URL(started.origin).host, "Mar 1–31, 2026 (UTC)"],
    ...["12,345", "$0.0001", "$1.2345", "100,000", "$10.00", "$11.23"],
    ...["Only the total is rounded, to the nearest cent (half up)."],
  ])
    expect(seen).toContain(piece);
  const downloading = next.page.waitForEvent("download");
  await next.page.getByRole("link", { name: "Download PDF" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("draft-2026-03.pdf");
  expect(readPdf(await Bun.file(await download.path()).bytes()).text).toContain("$11.23 due");

  await next.page.getByRole("link", { name: "All invoices and payments" }).click();
  await next.page.getByRole("button", { name: "Record payment for the March 2026 invoice" }).click();
  await next.page.getByLabel("Reference").fill("transfer 7");
  await next.page.getByRole("button", { name: "Record $11.23 as paid" }).click();
  await isGone(next.page);
  const invoices = next.page.getByRole("table", { name: "List of invoices" });
  await invoices.getByText("Paid", { exact: true }).waitFor();
  await eventually(() => next.page.getByText("outstanding").count(), 0);
  await next.page.getByRole("table", { name: "List of payments" }).getByText("transfer 7").first().waitFor();
  expect(next.complaints).toEqual([]);
  await next.leave();
});

test("say whom invoices are made out to, and find it on the next one, beside the seller", async () => {
  const seller = { name: "Analytical Engines Ltd", address: ["London"], tax_id: "GB 1", bank: ["IBAN GB33 BUKB"] };
  const tax = { name: "VAT", basis_points: 1_900 };
  const started = await startConsole({ at: "2026-03-31T12:00:00.000Z", wait: never, config: { seller, tax } });
  await useUnits(started, 5);
  started.clock.advance(86_400);
  const owner = await started.person({ role: "owner" });
  const { page, leave, complaints } = await open(started, owner, "billing");
  const details = page.getByRole("region", { name: "Billing details" });
  await details.getByText("Test workspace").waitFor();
  await details.getByRole("button", { name: "Edit billing details" }).click();
  await page.getByLabel("Name").fill(hostile);
  await page.getByLabel("Address").fill("Invalidenstraße 1\n\n  10115 Berlin\n");
  await page.getByLabel("Tax ID").fill("DE 999999999");
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await isGone(page);
  const said = [hostile, "Invalidenstraße 1", "10115 Berlin", "Tax ID DE 999999999"];
  for (const line of said) await details.getByText(line, { exact: true }).waitFor();
  expect(await findPageProblems(page)).toEqual([]);

  await page.getByRole("link", { name: "March 2026", exact: true }).click();
  const paper = page.getByRole("article");
  const sides = [["Bill to", ...said].join("\n"), "Analytical Engines Ltd\nLondon\nTax ID GB 1"];
  await paper.getByText("Workspace").waitFor();
  const seen = (await paper.innerText()).replaceAll(/\n+/g, "\n");
  const payTo = "Pay to (payment reference: INV-000001)\nIBAN GB33 BUKB";
  for (const side of [...sides, payTo, "VAT 19%"]) expect(seen).toContain(side);
  expect(await findPageProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
});

describe("the pages", () => {
  let filled: Awaited<ReturnType<typeof fill>>;
  beforePages(async () => {
    filled = await fill();
  });
  /** Everything that the pages can show, under a hostile name. */
  const fill = async () => {
    const started = await startConsole({ at: "2026-02-28T12:00:00.000Z" });
    await started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { name: hostile }));
    const before = await started.person({ role: "owner", isOperator: true, name: hostile });
    await useUnits(started, 61_205);
    await buy(before, "500K");
    started.clock.advance(2 * 86_400);
    const owner = await started.person({ role: "owner", isOperator: true, name: hostile });
    const { id } = (await buy(owner, "100K")).body.data.payment;
    await owner.call("postPayment", { body: { purpose: "package", subject: id, reference: hostile.repeat(2) } });
    await buy(owner, "1M");
    await useUnits(started, 1_100_000);
    return { started, owner };
  };

  test.each(widths)(
    "%i pixels wide, in both themes, with hostile names: nothing for axe, nothing cut off, nothing against the policy",
    async (width) => {
      const { started, owner } = filled;
      const { page, leave, complaints } = await open(started, owner, "billing", { width });
      await page
        .getByText("No units left this month", { exact: false })
        .or(page.getByText("of this month’s units used.", { exact: false }))
        .first()
        .waitFor();
      await page.getByText("3 payments", { exact: true }).waitFor();
      const look = async (what: string) => expect([what, await findPageProblems(page)]).toEqual([what, []]);
      await look("billing");
      for (const window of ["Buy 1M", "Record payment for the 1M package"]) {
        await page.getByRole("button", { name: window }).click();
        await page.getByRole("dialog").waitFor();
        await look(window);
        await page.keyboard.press("Escape");
        await isGone(page);
      }
      await goTo(page, started.origin + pathOf(started, "invoices/2026-02"));
      await page.getByRole("article").getByText(hostile).waitFor();
      await look("invoice");
      // The sums are in view on a phone, too.
      const due = await page.getByText("$56.12").last().boundingBox();
      expect((due?.x ?? 0) + (due?.width ?? 0)).toBeLessThanOrEqual(width);
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  test.each([...widths, 320])(
    "%i pixels wide, the buttons of an invoice are in one line, and its month too",
    async (width) => {
      const { started, owner } = filled;
      const { page, leave } = await open(started, owner, "billing", { width });
      const record = await page
        .getByRole("button", { name: "Record payment for the February 2026 invoice" })
        .boundingBox();
      const pdf = await page.getByRole("link", { name: "PDF of the February 2026 invoice" }).boundingBox();
      const month = await page.getByRole("link", { name: "February 2026", exact: true }).boundingBox();
      expect(pdf?.y).toBe(record?.y ?? -1);
      expect(pdf?.x).toBeGreaterThan((record?.x ?? 0) + (record?.width ?? 0));
      expect(month?.height).toBeLessThan(24);
      expect(await overflow(page)).toBe(0);
      await leave();
    },
  );

  test("an invoice is printed without what is around it, dark on white", async () => {
    const { started, owner } = filled;
    const { page, leave } = await open(started, owner, "invoices/2026-02", { theme: "dark" });
    await page.getByRole("article").waitFor();
    await page.emulateMedia({ media: "print" });
    await page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Download PDF" }).waitFor({ state: "hidden" });
    const paper = page.getByRole("article");
    await paper.waitFor();
    const colours = () =>
      paper.evaluate((article) => {
        const { color, backgroundColor } = getComputedStyle(article);
        return { color, backgroundColor };
      });
    await eventually(colours, { color: "rgb(29, 28, 26)", backgroundColor: "rgb(255, 255, 255)" });
    await leave();
  });

  test("a member sees no billing; an operator who is no member sees it and can not buy", async () => {
    const { started } = filled;
    const member = await started.person({ role: "member" });
    const asMember = await open(started, member, "overview");
    await asMember.page.getByRole("link", { name: "Usage" }).first().waitFor();
    expect(await asMember.page.getByRole("link", { name: "Billing" }).count()).toBe(0);
    await asMember.leave();
    const operator = await started.person({ isOperator: true });
    const asOperator = await open(started, operator, "billing");
    await asOperator.page.getByText("3 payments", { exact: true }).waitFor();
    expect(await asOperator.page.getByRole("button", { name: /^Buy/ }).count()).toBe(0);
    expect(await asOperator.page.getByRole("button", { name: "Record payment for the 1M package" }).count()).toBe(1);
    await asOperator.leave();
  });

  test("of a month without an invoice, or what is no month, says so", async () => {
    const { started, owner } = filled;
    const { page, leave } = await open(started, owner, "invoices/2026-11");
    for (const of of ["2026-11", "garbage", "2026-99"]) {
      await goTo(page, started.origin + pathOf(started, `invoices/${of}`));
      await page.getByText("Invoice not found").waitFor();
    }
    await leave();
  });

  test("before anything was used or bought, they say what will be there", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const { page, leave, complaints } = await open(started, owner, "billing");
    await page.getByText("No invoices yet").waitFor();
    await page.getByText("No payments yet").waitFor();
    await page.getByText("0 × $0.0001 = $0.00").waitFor();
    expect([await axe(page), complaints]).toEqual([[], []]);
    await leave();
  });
});

test("with Stripe, one pays there and comes back to a page that shows the package once it is reported", async () => {
  const stripe = startStripe();
  const started = await startConsole({ config: { stripe: { ...stripeSecrets, apiUrl: stripe.apiUrl } } });
  const owner = await started.person({ role: "owner" });
  const { page, context } = await open(started, owner, "billing");
  await page.route("https://checkout.stripe.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Checkout</h1>" }),
  );
  await page.getByRole("button", { name: "Buy 100K" }).click();
  await page.getByRole("button", { name: "Continue to checkout" }).click();
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
  const session = page.url().split("/").at(-1) ?? "";
  expect(await started.balance()).toBe(100_000);
  const form = stripe.requests[0]?.form;
  await page.goto(form?.get("success_url") ?? "");
  await page.getByText("Your units will be credited once Stripe confirms the payment").waitFor();
  await eventually(() => page.getByText("Pending", { exact: true }).count(), 1);
  const paymentId = form?.get("client_reference_id") ?? "";
  await deliver(started, reportBody(started.workspace.id, { paymentId, sessionId: session }));
  // The page refreshes by itself.
  await page.getByText("We received your payment and credited the 100K package.").waitFor();
  await page.getByText("200,000", { exact: true }).waitFor();
  await page.getByRole("cell", { name: "Paid", exact: true }).waitFor();
  await page.goto(form?.get("cancel_url") ?? "");
  await page.getByText("You weren’t charged, and no units were credited").waitFor();
  await context.close();
});
