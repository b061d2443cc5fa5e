// Warnings by mail at 80 % and 100 % of a month's quota: each once, to the workspace's owners and admins.
import { describe, expect, test } from "bun:test";
import { warnOfQuotas } from "../../src/metering/alerts/quota.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { grantPackage } from "../../src/metering/quota/quota.ts";
import type { Database } from "../../src/platform/database/database.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { drawUnits, useUnits } from "../support/charges.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { openNode } from "../support/engine.ts";
import { firstBilledMonth } from "../support/first-billed-month.ts";
import type { Options } from "../support/service.ts";

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
const origin = "https://snippets.example.com";

/** A workspace with an allowance of 1,000, an owner, an admin and a member. Only the test runs the job. */
const start = async (options: Options = {}) => {
  const started = await startConsole({ wait: never, config: { mail }, ...options });
  await started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { monthly_requests: 1_000 }));
  await started.person({ role: "owner", email: "owner@example.com" });
  await started.person({ role: "admin", email: "admin@example.com" });
  await started.person({ role: "member", email: "member@example.com" });
  return started;
};

const never: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

const look = ({ service }: StartedConsole, database: Database = service.database) =>
  warnOfQuotas(database, { origin, hasMail: true, billedFrom: firstBilledMonth });

const mailsOf = ({ rows }: StartedConsole) =>
  rows<{ recipient: string; subject: string; body: string }>(
    "select recipient, subject, body from mails order by created_at, id",
  );
const subjectsOf = async (started: StartedConsole) => [
  ...new Set((await mailsOf(started)).map(({ subject }) => subject)),
];

const at80 = "Test workspace: 80% of this month's units used";
const at100 = "Test workspace: no units left this month";

describe("a warning", () => {
  test("goes to the owner and the admin when 80 % are used, not one unit before", async () => {
    const started = await start();
    await useUnits(started, 799);
    expect(await look(started)).toBe(0);
    await useUnits(started, 1);
    expect(await look(started)).toBe(1);
    const body = `Hello,

The workspace “Test workspace” has used 800 of 1,000 units for March 2026, which leaves 200.

When no units are left, API requests are refused with status 403.
The next monthly allowance will be credited on April 1, 2026 at 00:00 UTC.

To add units now, buy an add-on package:
${origin}/console/w/${started.workspace.id}/billing

You received this email because you are an owner or admin of the workspace.
`;
    expect(await mailsOf(started)).toEqual([
      { recipient: "owner@example.com", subject: at80, body },
      { recipient: "admin@example.com", subject: at80, body },
    ]);
  });

  test("goes again when all is used, and each only once a month", async () => {
    const started = await start({ at: "2026-03-31T12:00:00.000Z" });
    await useUnits(started, 900);
    for (let round = 0; round < 3; round += 1) await look(started);
    await useUnits(started, 100);
    for (let round = 0; round < 3; round += 1) await look(started);
    expect((await mailsOf(started)).map(({ subject }) => subject)).toEqual([at80, at80, at100, at100]);
    expect((await mailsOf(started)).at(-1)?.body).toBe(`Hello,

The workspace “Test workspace” has used all 1,000 units for March 2026.

API requests are refused with status 403 until you have units again.
The next monthly allowance will be credited on April 1, 2026 at 00:00 UTC.

To add units now, buy an add-on package:
${origin}/console/w/${started.workspace.id}/billing

You received this email because you are an owner or admin of the workspace.
`);
    started.clock.advance(86_400);
    await look(started);
    expect(await mailsOf(started)).toHaveLength(4);
    await useUnits(started, 1_000);
    await look(started);
    expect(await mailsOf(started)).toHaveLength(6);
  });

  test("is not recorded where neither mail nor a webhook could tell anybody", async () => {
    const started = await start();
    await useUnits(started, 1_000);
    expect(await warnOfQuotas(started.service.database, { origin, hasMail: false, billedFrom: firstBilledMonth })).toBe(
      0,
    );
    expect(await look(started)).toBe(1);
  });

  test("of two that became true since the last look, one mail tells all", async () => {
    const started = await start();
    await useUnits(started, 1_000);
    await look(started);
    expect((await mailsOf(started)).map(({ subject }) => subject)).toEqual([at100, at100]);
  });

  test("after a package, the percent is of the new total, and a warning may come again", async () => {
    const started = await start();
    await useUnits(started, 1_000);
    await look(started);
    await started.admin((transaction) => grantPackage(transaction, started.workspace.id, "100K", started.workspace.id));
    expect(await look(started)).toBe(0);
    await useUnits(started, 79_799);
    expect(await look(started)).toBe(0);
    await useUnits(started, 1);
    expect(await look(started)).toBe(1);
    expect(await look(started)).toBe(0);
    const mails = await mailsOf(started);
    expect(mails.map(({ subject }) => subject)).toEqual([at100, at100, at80, at80]);
    expect(mails.at(-1)?.body).toContain("has used 80,800 of 101,000 units for March 2026, which leaves 20,200.");
  });

  test("a quota of nothing is no reason to write", async () => {
    const started = await start();
    await started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { monthly_requests: 0 }));
    expect(await look(started)).toBe(0);
  });

  test("that nobody could be told is told to the first who comes", async () => {
    const started = await startConsole({ wait: never, config: { mail } });
    await useUnits(started, 100_000);
    expect(await look(started)).toBe(0);
    await started.person({ role: "owner", email: "late@example.com" });
    expect(await look(started)).toBe(1);
    expect((await mailsOf(started)).map(({ recipient }) => recipient)).toEqual(["late@example.com"]);
  });

  test("several nodes that check at the same time send only one alert", async () => {
    const started = await start();
    await useUnits(started, 850);
    const nodes = [];
    for (let node = 0; node < 3; node += 1) nodes.push(await openNode(started.dataDirectory, () => started.clock.now));
    try {
      await Promise.all([...nodes, ...nodes, ...nodes].map((node) => look(started, node)));
    } finally {
      for (const node of nodes) await node.close();
    }
    expect((await mailsOf(started)).map(({ subject }) => subject)).toEqual([at80, at80]);
  });

  test("finds each of many workspaces", async () => {
    const started = await start();
    const { createWorkspace } = await import("../../src/accounts/workspaces/workspaces.ts");
    const owner = await started.person({ email: "of-many@example.com" });
    await started.admin(async (transaction) => {
      for (let index = 0; index < 600; index += 1) {
        const { id } = await createWorkspace(transaction, `Workspace ${index}`, 10);
        await drawUnits(transaction, id, index % 100 === 0 ? 9 : 1);
        transaction.insert("memberships", [
          { workspace_id: id, person_id: owner.id, role: "owner", created_at: transaction.now },
        ]);
      }
    });
    expect(await look(started)).toBe(6);
    expect((await subjectsOf(started)).map((subject) => subject.split(":")[0]).sort()).toEqual([
      ...["Workspace 0", "Workspace 100", "Workspace 200", "Workspace 300", "Workspace 400", "Workspace 500"],
    ]);
  });

  test("a name that people wrote has one line in it", async () => {
    const started = await start();
    await started.admin((transaction) =>
      changeWorkspace(transaction, started.workspace.id, { name: "A\r\nBcc: all@example.com\u2028\u202e B" }),
    );
    await useUnits(started, 800);
    await look(started);
    const [first] = await mailsOf(started);
    expect(first?.subject).toBe("A Bcc: all@example.com B: 80% of this month's units used");
    expect(first?.body.split("\n")[2]).toStartWith("The workspace “A Bcc: all@example.com B” has used 800 ");
  });
});

describe("the round", () => {
  /** Pauses that the test ends, and their durations. */
  const heldWaits = () => {
    const held: { milliseconds: number; end: () => void }[] = [];
    const wait: Wait = (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        held.push({ milliseconds, end: resolve });
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    return { held, wait };
  };

  test("looks within two minutes of the start, and then every minute", async () => {
    const { held, wait } = heldWaits();
    const started = await start({ wait });
    await useUnits(started, 800);
    const ended = new Set<object>();
    while ((await mailsOf(started)).length === 0) {
      for (const one of held) if (one.milliseconds <= 120_000 && !ended.has(one)) ended.add(one) && one.end();
      // Lets the released work run.
      await started.admin(async () => undefined);
    }
    expect(await subjectsOf(started)).toEqual([at80]);
    await started.service.stop();
  });
});
