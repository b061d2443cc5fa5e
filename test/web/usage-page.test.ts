// The pages about usage in a real browser: overview, usage and request log, for eyes, keyboards, fingers and screen readers.
import { describe, expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { createKey } from "../../src/metering/keys/keys.ts";
import { addRefused } from "../../src/metering/keys/refused-requests.store.ts";
import {
  axe,
  browserMilliseconds,
  copiedBy,
  eventually,
  findPageProblems,
  goTo,
  type VisitOptions,
  visit,
  waitForFocus,
  widths,
} from "../support/browser.ts";
import { drawUnits } from "../support/charges.ts";
import { type PersonOptions, type StartedConsole, startConsole } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";
import { insertLedgerCalls } from "../support/usage.ts";

setDefaultTimeout(browserMilliseconds);

const dayMilliseconds = 24 * 60 * 60 * 1_000;
const hostile = `=1+1"><img src=x onerror=alert(1)><script>alert(1)</script> ${"very long ".repeat(8)}`;

const daysAgo = (started: StartedConsole, days: number): string =>
  new Date(started.clock.now - days * dayMilliseconds).toISOString();
const dayAgo = (started: StartedConsole, days: number): string => daysAgo(started, days).slice(0, 10);

/** A month of calls by three keys, one of whose names is meant to do harm. */
async function fill(started: StartedConsole, count = 120) {
  const { admin, workspace, key, limitedKey, team, otherTeam } = started;
  return admin(async (transaction) => {
    const third = await createKey(transaction, workspace.id, hostile, "all");
    const calls = Array.from({ length: count }, (_, index) => ({
      at: daysAgo(started, 29 * (1 - index / count)),
      keyId: [key.id, limitedKey.id, third.id][index % 3] ?? key.id,
      operation:
        ["getSnippet", "postSnippets", "getFolders", "getTag", "putSnippet", "deleteSnippet", "getTags"][index % 7] ??
        "",
      status: index % 10 === 0 ? 404 : index % 61 === 0 ? 500 : 200,
      units: 1 + (index % 5),
      teamId: [team.id, otherTeam.id, null][index % 4] ?? null,
      ...(index % 20 === 0 && { errorMessage: `${"x".repeat(270)} is not a known field` }),
    }));
    const ids = await insertLedgerCalls(transaction, workspace.id, calls);
    return { calls, ids };
  });
}

const pathOf = ({ workspace }: StartedConsole, name: string): string => `/console/w/${workspace.id}/${name}`;

/** The browser has the service's time: the page requests days up to today. */
async function open(
  started: StartedConsole,
  name: string,
  { role = "owner", ...person }: PersonOptions = {},
  wishes: Pick<VisitOptions, "width"> = {},
) {
  const { cookie } = await started.person({ role, ...person });
  const { origin, clock } = started;
  return visit({ origin, path: pathOf(started, name), cookie, at: clock.now, ...wishes });
}

const rowsOf = (page: Page, label: string) =>
  page
    .getByRole("table", { name: label })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader") });

const shown = (page: Page) => page.getByRole("button", { name: /^Details of/ });

describe("the pages of usage", () => {
  test.each(widths)(
    "%d pixels wide, in both themes: nothing to complain of, nothing cut off, whatever names there are",
    async (width) => {
      const started = await startConsole();
      const { admin, key, limitedKey, workspace } = started;
      await fill(started);
      const { page, leave, complaints } = await open(started, "overview", {}, { width });
      const look = async (what: string) =>
        expect([what, await findPageProblems(page), complaints]).toEqual([what, [], []]);
      await page.getByText("Get started").waitFor();
      await look("overview");
      await goTo(page, started.origin + pathOf(started, "usage?by=key"));
      await page.getByText("(30 days)").click();
      await page.getByRole("slider").focus();
      await page.keyboard.press("ArrowLeft");
      await look("usage");
      await goTo(page, started.origin + pathOf(started, "log"));
      await shown(page).first().click();
      await page.getByRole("button", { name: "Copy request ID" }).waitFor();
      await look("log");
      await admin((transaction) => {
        const minute = `${daysAgo(started, 0).slice(0, 16)}:00.000Z`;
        const row = { workspace_id: workspace.id, minute, requests: 1_234_567 };
        const client_address = "2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff";
        addRefused(transaction, { ...row, key_id: key.id, reason: "rate_limit", client_address });
        addRefused(transaction, { ...row, key_id: limitedKey.id, reason: "secret_expired", client_address: null });
        return Promise.resolve();
      });
      await page.getByRole("button", { name: "Refresh" }).click();
      await page
        .getByRole("button", { name: /^Details of 1,234,567 requests/ })
        .first()
        .click();
      await page.getByText("1,234,567 refused in this minute").waitFor();
      const requestId = Bun.randomUUIDv7("hex", started.clock.now);
      await goTo(page, `${started.origin}${pathOf(started, "log")}?requestId=${requestId}`);
      await page.getByText("Refusals are grouped by minute, so they can’t be found by request ID.").waitFor();
      await shown(page).first().click();
      await page.getByText("1,234,567 refused in this minute").waitFor();
      await look("log with the ID of a refused request");
      await goTo(page, `${started.origin}${pathOf(started, "log")}?requestId=${crypto.randomUUID()}`);
      await page.getByText("No request with this ID").waitFor();
      await look("log with an unknown ID");
      await page.getByRole("button", { name: "Clear filters" }).first().click();
      await page
        .getByRole("button", { name: /^Details of 1,234,567 requests/ })
        .first()
        .click();
      await page.getByText("Rate limit exceeded").or(page.getByText("Invalid or inactive API key")).first().waitFor();
      await look("log with refused requests");
      await leave();
    },
  );

  test("of a workspace in which nothing happened yet they say what will be there", async () => {
    const started = await startConsole();
    const { page, leave, complaints } = await open(started, "overview");
    for (const [name, said] of [
      ["overview", "No requests yet"],
      ["usage", "No units used in this period"],
      ["log", "No requests yet"],
    ] as const) {
      await goTo(page, started.origin + pathOf(started, name));
      await page.getByText(said).waitFor();
      expect([name, await axe(page), complaints]).toEqual([name, [], []]);
    }
    await leave();
  });
});

test("the average of a new workspace is over the days that it has existed", async () => {
  const started = await startConsole();
  const { admin, workspace, key } = started;
  await admin((transaction) =>
    insertLedgerCalls(transaction, workspace.id, [
      { at: daysAgo(started, 1), keyId: key.id, operation: "getSnippets", units: 34 },
    ]),
  );
  const { page, leave } = await open(started, "usage");
  await page.getByText("over 2 days").waitFor();
  expect(await page.getByRole("main").innerText()).toMatch(/Average units per day\s+17\s+over 2 days/);
  await leave();
});

describe("overview", () => {
  test("says what is left, how long it lasts, and where to get more", async () => {
    const started = await startConsole();
    const { admin, workspace, key, clock } = started;
    await admin(async (transaction) => {
      await drawUnits(transaction, workspace.id, 100_000);
      await insertLedgerCalls(transaction, workspace.id, [
        { at: new Date(clock.now).toISOString(), keyId: key.id, units: 100_000 },
      ]);
    });
    const { page, leave } = await open(started, "overview");
    await page.getByText("100,000 of 100,000 units used").waitFor();
    await page.getByText("No units left. Requests are refused until").waitFor();
    await page.getByRole("link", { name: "Buy a package" }).click();
    await page.waitForURL(/\/billing$/);
    await leave();
  });

  test("leads a newcomer from step to step, and the steps go when all is done", async () => {
    const started = await startConsole();
    const { page, leave } = await open(started, "overview");
    const steps = page.getByRole("list").filter({ hasText: "Create an API key" });
    await page.getByText("1 of 4 done").waitFor();
    await eventually(() => steps.getByRole("link").count(), 4);
    await started.given.tag();
    await page.reload();
    await page.getByText("2 of 4 done").waitFor();
    await page.getByText("POST /tag").waitFor();
    await steps.getByRole("link", { name: /Check your usage/ }).click();
    await page.getByRole("heading", { name: "Units per day" }).waitFor();
    await started.person({ role: "member" });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Recent requests" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Recent requests" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("Get started").count()).toBe(0);
    await leave();
  });

  test("shows a member what is theirs to see: no log, no step that they can not take", async () => {
    const started = await startConsole();
    await fill(started);
    const { page, leave, complaints } = await open(started, "overview", { role: "member" });
    await page.getByText("Used in the last 30 days").waitFor();
    await page.waitForLoadState("networkidle");
    await page.getByText("You’re not in a team yet, so you can’t see any snippets.").waitFor();
    expect(await page.getByText("Recent requests").count()).toBe(0);
    expect(await page.getByText("Get started").count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe("usage", () => {
  test.each([390, 320])("%d pixels wide: every period and every grouping is in view", async (width) => {
    const started = await startConsole();
    const { page, leave } = await open(started, "usage", {}, { width });
    for (const name of [
      "This month",
      "7 days",
      "30 days",
      "90 days",
      "Custom",
      "By operation",
      "By API key",
      "By team",
    ]) {
      const button = page.getByRole("button", { name, exact: true });
      const right = await button.evaluate((element) => {
        const group = element.closest("fieldset")?.getBoundingClientRect();
        return element.getBoundingClientRect().right - (group?.right ?? 0);
      });
      expect([name, right <= 0]).toEqual([name, true]);
    }
    await leave();
  });

  test("of a custom period without dates asks for them, and complains only of dates in the wrong order", async () => {
    const started = await startConsole();
    const { page, leave, complaints } = await open(started, "usage?range=custom");
    await page.getByText("Select a start date and an end date.").waitFor();
    expect(await page.getByText("Must be on or before the end date.").count()).toBe(0);
    await page.getByLabel("Start date (UTC)").fill(dayAgo(started, 1));
    await page.getByLabel("End date (UTC)").fill(dayAgo(started, 2));
    await page.getByText("Must be on or before the end date.").waitFor();
    expect([await axe(page), complaints]).toEqual([[], []]);
    await leave();
  });

  test("shows the same sums as the ledger, split by what is chosen, over the days that are chosen", async () => {
    const started = await startConsole();
    const { calls } = await fill(started);
    const { page, leave } = await open(started, "usage");
    const units = calls.reduce((sum, call) => sum + call.units, 0);
    await page.getByText("GET /snippet").first().waitFor();
    const partUnits = async (label: string) => {
      const cells = await rowsOf(page, label).locator("td:nth-child(3)").allTextContents();
      return cells.map((text) => Number(text.replaceAll(",", "")));
    };
    const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
    const totalOf = async (label: string) => total(await partUnits(label));
    await eventually(() => totalOf("Usage by operation"), units);
    await page.getByRole("button", { name: "By team", exact: true }).click();
    await page.getByText("No team or several teams").first().waitFor();
    await eventually(() => totalOf("Usage by team"), units);
    await page.getByRole("button", { name: "Custom" }).click();
    await page.getByLabel("Start date (UTC)").fill(dayAgo(started, 4));
    await page.getByLabel("End date (UTC)").fill(dayAgo(started, 2));
    await page.getByText("(3 days)").waitFor();
    const [from, to] = [dayAgo(started, 4), dayAgo(started, 2)];
    const within = calls.filter(({ at }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to);
    await eventually(() => totalOf("Usage by team"), total(within.map((call) => call.units)));
    await eventually(async () => new URL(page.url()).searchParams.get("from"), from);
    await page.getByLabel("Start date (UTC)").fill(dayAgo(started, 1));
    await page.getByText("Must be on or before the end date.").waitFor();
    await leave();
  });

  test("tells each day to the keyboard as to the eye", async () => {
    const started = await startConsole();
    await started.given.tag();
    await started.given.tag();
    const { page, leave } = await open(started, "usage");
    const chart = page.getByRole("slider");
    await chart.focus();
    await waitForFocus(chart);
    await eventually(() => chart.getAttribute("aria-valuetext"), expect.stringMatching(/UTC: 2 units/));
    await page.keyboard.press("ArrowLeft");
    await eventually(() => chart.getAttribute("aria-valuetext"), expect.stringMatching(/UTC: 0 units/));
    await page.keyboard.press("Home");
    await eventually(() => chart.getAttribute("aria-valuenow"), "0");
    await page.keyboard.press("End");
    await eventually(() => chart.getAttribute("aria-valuenow"), "29");
    await leave();
  });
});

describe("the request log", () => {
  test("loads more, narrows down, and each row says what it cost and why", async () => {
    const started = await startConsole();
    const { calls, ids } = await fill(started);
    const { page, leave } = await open(started, "log");
    await page.getByText("50 entries shown").waitFor();
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText("100 entries shown").waitFor();
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText("120 entries", { exact: true }).waitFor();
    await eventually(() => shown(page).count(), 120);
    await page.getByLabel("Status").selectOption("404");
    await page.getByLabel("Operation").selectOption("getSnippet");
    const fitting = calls.flatMap((call, index) =>
      call.status === 404 && call.operation === "getSnippet" ? [ids[index] ?? ""] : [],
    );
    await page.getByText(`${fitting.length} entries`, { exact: true }).waitFor();
    await shown(page).first().click();
    await page.getByText("failed requests cost 1 unit").waitFor();
    const copy = page.getByRole("button", { name: /^(Copy request ID|Copied)$/ });
    expect(await copiedBy(copy)).toBe(fitting.at(-1) ?? "");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Request ID").fill("no id");
    await page.getByText("Enter the full request ID").waitFor();
    await page.getByLabel("Request ID").fill(crypto.randomUUID());
    await page.getByText("No request with this ID").waitFor();
    await leave();
  });

  test("waits for the whole year while a date is typed", async () => {
    const started = await startConsole();
    await fill(started);
    for (const name of ["log", "audit"]) {
      const { page, leave, complaints } = await open(started, name);
      const asked: string[] = [];
      page.on("request", (request) => {
        const from = new URL(request.url()).searchParams.get("from");
        if (request.url().includes("/console/api/") && from !== null) asked.push(from);
      });
      await page.getByLabel("Start date (UTC)").pressSequentially("03142026");
      await eventually(async () => asked.includes("2026-03-14"), true);
      expect({ name, asked: [...new Set(asked)], complaints }).toEqual({ name, asked: ["2026-03-14"], complaints: [] });
      await leave();
    }
  });

  test("is downloaded as CSV with the filters that are set", async () => {
    const started = await startConsole();
    const { calls } = await fill(started);
    const { page, leave } = await open(started, "log?status=404");
    await shown(page).first().waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("request-log.csv");
    const text = await Bun.file(await download.path()).text();
    expect(text.trimEnd().split("\r\n")).toHaveLength(1 + calls.filter(({ status }) => status === 404).length);
    expect(text).toContain(`"'=1+1""><img`);
    await leave();
  });
});
