// Warnings by mail 14 and 3 days before a key expires: each once, to the workspace's owners and admins.
import { expect, test } from "bun:test";
import { countExpiringSoon, warnOfExpiries } from "../../src/metering/alerts/expiry.ts";
import { changeKey, createKey, deactivateKey } from "../../src/metering/keys/keys.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { startConsole } from "../support/console.ts";
import { openNode } from "../support/engine.ts";

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
const origin = "https://snippets.example.com";
const day = 86_400;
const never: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** A workspace with a key that expires in 20 days, an owner, an admin and a member. Only the test runs the job. */
async function start() {
  const started = await startConsole({ wait: never, config: { mail } });
  for (const role of ["owner", "admin", "member"] as const)
    await started.person({ role, email: `${role}@example.com` });
  const { clock, workspace, service, admin, rows } = started;
  const inDays = (days: number) => new Date(clock.now + days * day * 1_000).toISOString();
  const make = (name: string, days: number) =>
    admin((transaction) => createKey(transaction, workspace.id, name, "all", null, { expiresAt: inDays(days) }));
  return {
    ...started,
    inDays,
    make,
    key: await make("CI", 20),
    look: () => warnOfExpiries(service.database, { origin, hasMail: true, billedFrom: undefined }),
    mails: () =>
      rows<{ recipient: string; subject: string; body: string }>(
        "select recipient, subject, body from mails order by created_at, id",
      ),
  };
}

test("an email is sent 14 and 3 days before a key expires, not earlier, and only once across all nodes", async () => {
  const { clock, look, mails, workspace, service, dataDirectory } = await start();
  clock.advance(6 * day - 0.001);
  expect(await look()).toBe(0);
  clock.advance(0.001);
  const nodes = [await openNode(dataDirectory, () => clock.now), await openNode(dataDirectory, () => clock.now)];
  const looks = [...nodes, service.database].map((node) =>
    warnOfExpiries(node, { origin, hasMail: true, billedFrom: undefined }),
  );
  expect((await Promise.all(looks)).reduce((sum, sent) => sum + sent, 0)).toBe(1);
  for (const node of nodes) await node.close();
  const subject = "Test workspace: the API key “CI” expires on April 4, 2026";
  const body = `Hello,

The API key “CI” in the workspace “Test workspace” expires on April 4, 2026 at 12:00 UTC.

After that, requests with this key are refused with status 401.
To keep this key working, change its expiration date, or create another key to replace it:
${origin}/console/w/${workspace.id}/keys

You received this email because you are an owner or admin of the workspace.
`;
  const first = ["owner@example.com", "admin@example.com"].map((recipient) => ({ recipient, subject, body }));
  expect(await mails()).toEqual(first);
  clock.advance(11 * day - 0.001);
  expect(await look()).toBe(0);
  expect(await service.database.read(countExpiringSoon)).toBe(0);
  clock.advance(0.001);
  expect(await look()).toBe(1);
  expect(await service.database.read(countExpiringSoon)).toBe(1);
  expect(await look()).toBe(0);
  expect(await mails()).toEqual([...first, ...first]);
});

test("another end is announced again; what was made for less time, no longer works, or ended already is not", async () => {
  const { admin, clock, look, mails, make, inDays, key } = await start();
  await make("Trial", 10);
  await make("Demo", 2);
  expect(await look()).toBe(0);
  const off = await make("Off", 16);
  await admin((transaction) => deactivateKey(transaction, off.id));
  clock.advance(7 * day);
  expect(await look()).toBe(2);
  expect(new Set((await mails()).map(({ subject }) => subject))).toEqual(
    new Set([
      "Test workspace: the API key “CI” expires on April 4, 2026",
      "Test workspace: the API key “Trial” expires on March 25, 2026",
    ]),
  );
  await admin((transaction) => changeKey(transaction, key.id, { expiresAt: inDays(30) }));
  clock.advance(16 * day);
  expect(await look()).toBe(1);
  expect((await mails()).at(-1)?.subject).toBe("Test workspace: the API key “CI” expires on April 21, 2026");
});
