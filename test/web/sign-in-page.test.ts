// The pages that need no sign-in, in a real browser: signing in, a forgotten password, invitations and links.
import { describe, expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { SMTPServer } from "smtp-server";
import { makeFirstLink } from "../../src/accounts/people/first-administrator.ts";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import {
  axe,
  browserMilliseconds,
  copiedBy,
  eventually,
  findPageProblems,
  goTo,
  signIn,
  unexpected,
  visit,
  waitForFocus,
  widths,
} from "../support/browser.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { pageTest as test } from "../support/pages.ts";

setDefaultTimeout(browserMilliseconds);

const pagesOf = (page: Page) => page.getByRole("navigation", { name: "Pages" });

/** Makes the page collect how far its parts move, and delays what it reads until its heading has been painted. */
async function watchShifts(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) shifts.push(Number(entry.value));
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.route("**/console/api/**", async (route) => {
    await page.locator("h1").waitFor();
    await painted(page);
    await route.continue();
  });
  return async () => {
    await painted(page);
    return page.evaluate((): number[] => Reflect.get(globalThis, "shifts"));
  };
}

/** Resolves after two frames: the first paints what is there, the second follows it. */
const painted = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

describe("signing in", () => {
  test.each(widths)("nothing moves while the page loads, %p pixels wide", async (width) => {
    const openId = {
      issuer: "https://id.example.com",
      clientId: "commonplace",
      clientSecret: "between us",
      name: "Example",
    };
    const started = await startConsole({ config: { openId } });
    await started.person({ role: "owner" });
    const { page, context } = await visit({ origin: started.origin, path: "/console/sign-in", width });
    const readShifts = await watchShifts(page);
    for (const [path, last] of [
      ["sign-in", "Forgot your password?"],
      ["sign-in?ended", "Forgot your password?"],
      ["sign-in?error=account_not_linked", "Forgot your password?"],
      ["invitation#token=gone", "Go to sign-in"],
    ] as const) {
      // A page of its own: an address that differs only in its hash would not load again.
      await page.goto(`${started.origin}/healthz`);
      await page.goto(`${started.origin}/console/${path}`);
      await page.getByText(last).waitFor();
      expect([path, await readShifts()]).toEqual([path, []]);
    }
    await context.close();
  });

  test("leads to where one wanted to go; a wrong password says so and nothing more", async () => {
    const { origin, person, workspace } = await startConsole();
    const one = await person({ role: "owner" });
    const path = `/console/w/${workspace.id}/members?search=ada`;
    const { page, leave, complaints } = await visit({ origin, path });
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, one.email, "not the password");
    await page.getByRole("alert").getByText("Incorrect email address or password").waitFor();
    await signIn(page, one.email, testPassword);
    await pagesOf(page).waitFor();
    await eventually(async () => page.url(), origin + path);
    expect(unexpected(complaints)).toEqual([]);
    await leave();
  });

  test("never leads out of the console, whatever the address asks for", async () => {
    const { origin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const { page, context, leave, complaints } = await visit({ origin, path: "/console/sign-in" });
    for (const next of [
      ...["//example.com/", "/\\example.com", "https://example.com", "/../docs", "/sign-in", "javascript:alert(1)"],
    ]) {
      await context.clearCookies();
      await goTo(page, `${origin}/console/sign-in?${new URLSearchParams({ next })}`);
      await signIn(page, one.email, testPassword);
      await pagesOf(page).waitFor();
      expect([next, page.url().startsWith(`${origin}/console/`)]).toEqual([next, true]);
      expect([next, unexpected(complaints)]).toEqual([next, []]);
    }
    await leave();
  });

  test("a session that was ended elsewhere leads back to the page after signing in again", async () => {
    const { origin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const { page, leave } = await visit({ origin, path: "/console/account", cookie: one.cookie });
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await one.call("deleteSession", { query: { id: one.sessionId } });
    await page.getByLabel("Your name").fill("Somebody else");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByText("Your session has ended").waitFor();
    await signIn(page, one.email, testPassword);
    await page.getByRole("heading", { name: "Account" }).waitFor();
    await eventually(async () => new URL(page.url()).pathname, "/console/account");
    await eventually(() => page.getByLabel("Your name").inputValue(), one.name);
    await leave();
  });

  test("signing out leaves nothing behind, also with the way back of the browser", async () => {
    const { origin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const { page, leave } = await visit({ origin, path: "/console/account", cookie: one.cookie });
    await page.getByRole("button", { name: /Account menu/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${origin}/console/sign-in`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goBack();
    // The way back leads to the account, which leads here again.
    await page.waitForURL(`${origin}/console/sign-in?next=%2Faccount`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByText(one.email).count()).toBe(0);
    await leave();
  });

  test("after too many failures says how long to wait, and goes on then", async () => {
    const { origin, person, clock, visitor } = await startConsole({ pause: async () => {} });
    const one = await person({ role: "owner" });
    const { page, leave, complaints } = await visit({ origin, path: "/console/sign-in" });
    const guess = (_: unknown, index: number) =>
      visitor().auth("/sign-in/email", { email: `guessed-${index}@example.com`, password: "wrong" });
    const guessed = await Promise.all(Array.from({ length: 30 }, guess));
    expect(new Set(guessed.map(({ status }) => status))).toEqual(new Set([401]));
    const said = page.getByRole("alert").getByText("Too many attempts. Try again in 60 seconds");
    await signIn(page, one.email, testPassword);
    await said.waitFor();
    expect(await findPageProblems(page, widths)).toEqual([]);
    clock.advance(60);
    await signIn(page, one.email, testPassword);
    await pagesOf(page).waitFor();
    expect(unexpected(complaints).filter((complaint) => !complaint.includes("status of 429"))).toEqual([]);
    await leave();
  });
});

describe("a forgotten password", () => {
  /** A mail server, and a service whose background jobs run when the test looks for mail. */
  const startWithMail = async () => {
    const received: { to: string[]; text: string }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onData: (stream, { envelope }, done) => {
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => {
          const text = Buffer.concat(parts).toString().replaceAll("=\r\n", "").replaceAll("=3D", "=");
          received.push({ to: envelope.rcptTo.map(({ address }) => address), text });
          done();
        });
      },
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const wakes = new Set<() => void>();
    const started = await startConsole({
      config: { mail: { url: `smtp://127.0.0.1:${port}`, from: "Commonplace <snippets@example.com>" } },
      wait: (_, signal) =>
        new Promise((end) => {
          if (signal.aborted) return end();
          wakes.add(end);
          signal.addEventListener("abort", () => end());
        }),
      pause: async () => {},
    });
    const mails = async () => {
      for (const wake of wakes) wake();
      wakes.clear();
      return received;
    };
    return { ...started, mails, stopMail: () => new Promise<void>((closed) => server.close(closed)) };
  };

  test("is asked for on the page, whose words do not tell who has an account; the mail's link sets a new one", async () => {
    const { origin, person, mails, stopMail } = await startWithMail();
    const one = await person({ role: "owner" });
    const { page, leave, complaints } = await visit({ origin, path: "/console/sign-in" });
    const address = page.getByLabel("Email address");
    for (const email of ["nobody@example.com", one.email]) {
      await page.getByRole("button", { name: "Forgot your password?" }).click();
      await page.getByRole("heading", { name: "Reset your password" }).waitFor();
      await waitForFocus(address);
      if (email === one.email) expect(await findPageProblems(page, widths)).toEqual([]);
      await address.fill(email);
      await page.keyboard.press("Enter");
      const said = page.getByRole("status").getByText("The link works once and expires in");
      await eventually(
        () => said.innerText(),
        `If there’s an account for ${email}, we’ve emailed a link to that address. The link works once and expires in 60 minutes.`,
      );
      if (email === one.email) expect(await findPageProblems(page, widths)).toEqual([]);
      else await page.getByRole("button", { name: "Back to sign-in" }).click();
    }
    await eventually(mails, [{ to: [one.email], text: expect.stringContaining(`${origin}/console/password#`) }]);
    const [mail] = await mails();
    const [link = ""] = /https:\S+\/console\/password#\S+/.exec(mail?.text ?? "") ?? [];

    await goTo(page, link);
    await page.getByLabel("New password", { exact: true }).fill("a quite different sentence");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "Password set" }).waitFor();
    expect(await findPageProblems(page, widths)).toEqual([]);
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, one.email, "a quite different sentence");
    await pagesOf(page).waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await leave();
    await stopMail();
  });

  test("without mail is what the operator is asked for", async () => {
    const { origin, person } = await startConsole();
    await person();
    const { page, leave } = await visit({ origin, path: "/console/sign-in" });
    await page.getByText("Ask the operator of this service for a reset link.").waitFor();
    expect(await page.getByRole("button", { name: /Forgot/ }).count()).toBe(0);
    await leave();
  });

  test("a link to a new one works once", async () => {
    const { origin, admin, person } = await startConsole();
    const one = await person({ role: "owner" });
    const token = await admin(async (transaction) => makePasswordToken(transaction, one.id, 60));
    const path = `/console/password#${token}`;
    const { page, context, leave } = await visit({ origin, path });
    await eventually(async () => page.url(), `${origin}/console/password`);
    await page.getByLabel("New password", { exact: true }).fill("a quite different sentence");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Password set" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, one.email, "a quite different sentence");
    await pagesOf(page).waitFor();
    expect((await one.call("getSession")).status).toBe(401);

    await context.clearCookies();
    await goTo(page, origin + path);
    await page.getByLabel("New password", { exact: true }).fill("yet another sentence");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This link has already been used or has expired").waitFor();
    await leave();
  });
});

describe("before setup", () => {
  test("the page names the link and the command that create an administrator; afterwards it is for signing in", async () => {
    const { origin, person } = await startConsole({});
    const { page, leave, complaints } = await visit({ origin, path: "/console" });
    await page.getByRole("heading", { name: "Finish setup" }).waitFor();
    await page.getByText("Open the setup link to create the operator account.").waitFor();
    await page.getByText("The service printed the link in the terminal").waitFor();
    const command = "./commonplace person create --email ADDRESS --operator";
    await page.getByText(command, { exact: true }).waitFor();
    expect(await copiedBy(page.getByRole("figure").getByRole("button"))).toBe(command);
    expect(await page.getByRole("textbox").count()).toBe(0);
    expect(await findPageProblems(page, widths)).toEqual([]);

    const administrator = await person({ role: "owner", isOperator: true });
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page, administrator.email, testPassword);
    await pagesOf(page).waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await leave();
  });
});

describe("an invitation", () => {
  test("makes an account and leads into the workspace; its token leaves the address bar", async () => {
    const { origin, person, workspace } = await startConsole();
    const owner = await person({ role: "owner" });
    const email = `${crypto.randomUUID()}@example.com`;
    const { body } = await owner.call("postInvitation", { body: { email, role: "member" } });
    const { pathname, hash } = new URL(body.data.link);
    const { page, context, leave, complaints } = await visit({ origin, path: pathname + hash });
    await page.getByRole("heading", { name: /^Join / }).waitFor();
    await eventually(async () => page.url(), origin + pathname);
    await eventually(() => page.getByLabel("Email address").inputValue(), email);
    await page.getByLabel("Your name").fill("Grace Hopper");
    await page.getByLabel("Password", { exact: true }).fill("a ship in port is safe");
    await page.getByRole("button", { name: "Accept and join" }).click();
    await page.waitForURL(`${origin}/console/w/${workspace.id}/overview`);
    await page.getByRole("button", { name: /Account menu: Grace Hopper/ }).waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await context.clearCookies();
    await goTo(page, body.data.link);
    await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
    await leave();
  });

  test("for somebody with an account is accepted after signing in", async () => {
    const { origin, person, workspace } = await startConsole();
    const owner = await person({ role: "owner" });
    const known = await person({ name: "Grace Hopper" });
    const { body } = await owner.call("postInvitation", { body: { email: known.email, role: "member" } });
    const { pathname, hash } = new URL(body.data.link);
    const { page, leave } = await visit({ origin, path: pathname + hash });
    await page.getByText("You already have an account with this email address").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(testPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Accept invitation" }).click();
    await page.waitForURL(`${origin}/console/w/${workspace.id}/overview`);
    await leave();
  });

  test("of the first start makes the first administrator", async () => {
    const { origin, admin, workspace } = await startConsole({});
    const token = await admin((transaction) => makeFirstLink(transaction));
    const { page, leave, complaints } = await visit({ origin, path: `/console/invitation#${token}` });
    await page.getByRole("heading", { name: "Welcome to Commonplace" }).waitFor();
    expect(await axe(page)).toEqual([]);
    await waitForFocus(page.getByLabel("Email address"));
    await page.keyboard.type("ada@example.com");
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("Password", { exact: true }).fill("too short");
    await page.keyboard.press("Enter");
    await page.getByText(/^Use at least \d+ characters\. You’ve entered 9\.$/).waitFor();
    await waitForFocus(page.getByLabel("Password", { exact: true }));
    await page.getByLabel("Password", { exact: true }).fill(testPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/console/w/${workspace.id}/library`);
    await page.getByRole("link", { name: "Workspaces" }).waitFor();
    expect(unexpected(complaints)).toEqual([]);
    await leave();
  });
});
