// Alerts by email and webhook: settings, signatures, retries, and refused requests.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sendDueDeliveries } from "../../src/metering/alerts/deliveries.ts";
import { warnOfQuotas } from "../../src/metering/alerts/quota.ts";
import { raiseAlert } from "../../src/metering/alerts/raise.ts";
import { warnOfRefusals } from "../../src/metering/alerts/refusals.ts";
import { signatureHeaders, webhookSealingKey } from "../../src/metering/alerts/signature.ts";
import { createKey, deactivateKey } from "../../src/metering/keys/keys.ts";
import type { StoredData } from "../../src/operations/doctor/stored-data.ts";
import { webhookChecks } from "../../src/operations/doctor/webhooks.ts";
import { createPost } from "../../src/operations/webhook-post.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { type Wait, wait } from "../../src/platform/jobs.ts";
import { makeLocalCertificate } from "../../src/platform/tls/make-certificate.ts";
import { useUnits } from "../support/charges.ts";
import { startConsole } from "../support/console.ts";
import { openNode } from "../support/engine.ts";
import { testInstanceKey } from "../support/instance-key.ts";
import { scrape } from "../support/metrics.ts";
import { until } from "../support/nodes.ts";
import { root } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
const context = { origin: "https://snippets.example.com", hasMail: true, billedFrom: undefined };
const minute = 60;
const hour = 60 * minute;

/** The test runs the jobs. */
const never: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
/** Jobs with short intervals run at once: the counts of refused requests are written by one of them. */
const quickly: Wait = (milliseconds, signal) => wait(milliseconds > 10_000 ? milliseconds : 5, signal);

/** A workspace with an owner, and a receiver that answers with `receiver.status`. */
async function start(waiting = never) {
  const { key, cert, ca } = await makeLocalCertificate();
  const receiver = { status: 200, requests: [] as { headers: Headers; body: string }[] };
  const server = Bun.serve({
    port: 0,
    tls: { key, cert },
    fetch: async (request) => {
      receiver.requests.push({ headers: request.headers, body: await request.text() });
      return new Response(null, { status: receiver.status });
    },
  });
  const started = await startConsole({ wait: waiting, config: { mail, webhookHosts: ["localhost"], metricsPort: 0 } });
  const post = createPost({ allowedHosts: ["localhost"], ca });
  const log = { write: () => undefined, flush: () => undefined };
  const outcomes: string[] = [];
  const observer = { attempted: (outcome: string) => outcomes.push(outcome) };
  const deliver = (database: Database = started.service.database) =>
    sendDueDeliveries(
      { database, log, post, sealingKey: webhookSealingKey(testInstanceKey), observer },
      new AbortController().signal,
    );
  const owner = await started.person({ role: "owner", email: "owner@example.com" });
  return {
    ...started,
    owner,
    receiver,
    outcomes,
    deliver,
    url: `https://localhost:${server.port}/hook?token=path-secret`,
    server,
  };
}

/** What the doctor says of the webhooks. */
async function webhookFinding(database: Database) {
  const [check] = webhookChecks;
  if (!check) throw new Error("the doctor has no check of the webhooks");
  return check.examine({ read: (work) => database.read(work) } as StoredData);
}

/** The sample of the documentation, as a receiver would use it. */
async function documentedCheck(): Promise<(headers: Headers, body: string, secret: string, now: number) => boolean> {
  const [, sample] =
    /```ts\n(import \{ createHmac[\s\S]*?)```/.exec(await Bun.file(join(root, "docs/build/webhooks.md")).text()) ?? [];
  const path = join(temporaryDirectory(), "sample.ts");
  await Bun.write(path, sample ?? "");
  return (await import(path)).isFromCommonplace;
}

test("a signature is the one that Standard Webhooks publishes as an example", () => {
  const secret = `whsec_${"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`;
  const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  expect(signatureHeaders([secret], id, '{"test": 2432232314}', "2021-02-25T15:02:10.123Z")).toEqual({
    "webhook-id": id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("an alert goes to the chosen addresses and, signed as documented, to the webhook, once across all nodes", async () => {
  const started = await start();
  const { owner, receiver, deliver, url, server, rows, service, workspace, clock, dataDirectory } = started;
  const isFromCommonplace = await documentedCheck();
  const put = await owner.call("putAlerts", { body: { emails: ["ops@example.com"], webhookUrl: url } });
  const { secret } = put.body.data;
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{32}$/);
  await useUnits(started, 80_000);
  expect([await warnOfQuotas(service.database, context), await warnOfQuotas(service.database, context)]).toEqual([
    1, 0,
  ]);
  expect(await rows("select recipient from mails")).toEqual([{ recipient: "ops@example.com" }]);
  const nodes = [await openNode(dataDirectory, () => clock.now), await openNode(dataDirectory, () => clock.now)];
  const sent = await Promise.all([...nodes, service.database].map((node) => deliver(node)));
  for (const node of nodes) await node.close();
  expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
  const [request, ...more] = receiver.requests;
  const { body = "", headers = new Headers() } = request ?? {};
  const alert = JSON.parse(body);
  expect([more, alert]).toEqual([
    [],
    {
      type: "quota.reached",
      timestamp: new Date(clock.now).toISOString(),
      workspace: { id: workspace.id, name: workspace.name },
      data: { month: "2026-03", percent: 80, units_granted: 100_000, units_used: 80_000, units_left: 20_000 },
    },
  ]);
  expect(isFromCommonplace(headers, body, secret, clock.now)).toBe(true);
  expect(isFromCommonplace(headers, body, secret, clock.now + 301_000)).toBe(false);
  expect(isFromCommonplace(headers, body.replace("80", "81"), secret, clock.now)).toBe(false);
  const otherId = new Headers({ ...Object.fromEntries(headers), "webhook-id": "another" });
  expect(isFromCommonplace(otherId, body, secret, clock.now)).toBe(false);

  // A rotated secret and the one before it both sign, for 24 hours.
  const rotated = (await owner.call("postAlertsSecret")).body.data;
  const checks = async () => {
    expect((await owner.call("postAlertsTest")).status).toBe(200);
    expect((await owner.call("postAlertsTest")).body.error).toBe("delivery_waiting");
    expect(await deliver()).toBe(1);
    const last = receiver.requests.at(-1);
    return [secret, rotated.secret].map((one) =>
      isFromCommonplace(last?.headers ?? new Headers(), last?.body ?? "", one, clock.now),
    );
  };
  expect(await checks()).toEqual([true, true]);
  clock.advance(24 * hour);
  expect(await checks()).toEqual([false, true]);

  // Another address has another secret; what waits for the old one is not sent to it.
  await owner.call("postAlertsTest");
  const confirmed = await started.person({ role: "owner" });
  const other = (await confirmed.call("putAlerts", { body: { webhookUrl: `${url}2` } })).body.data;
  expect([other.secret === rotated.secret, await deliver(), other.deliveries[0].last_failure]).toEqual([
    ...[false, 0, "no_webhook"],
  ]);

  // Neither a secret nor the path of the address is shown where it does not belong.
  const secrets = [secret, rotated.secret, other.secret];
  const exported = (await confirmed.call("getWorkspaceExport")).text;
  expect(exported).toContain('"table":"alert_settings"');
  const shown = [
    (await owner.call("getAlerts")).text,
    (await owner.call("getAuditLogExport")).text,
    exported,
    JSON.stringify(await rows("select * from alert_settings")),
    ...started.lines,
  ].join("\n");
  expect(secrets.filter((one) => shown.includes(one))).toEqual([]);
  expect((await owner.call("getAuditLogExport")).text).not.toContain("path-secret");
  expect(exported).not.toContain("sealed");
  await server.stop(true);
});

test("a delivery is retried for a day with increasing delays and the same ID, and can then be sent again", async () => {
  const started = await start();
  const { owner, receiver, deliver, url, server, service, clock, workspace, outcomes, admin } = started;
  const queuedAt = clock.now;
  await owner.call("putAlerts", { body: { webhookUrl: url } });
  await useUnits(started, 100_000);
  await warnOfQuotas(service.database, context);
  receiver.status = 500;
  const delivery = async () => (await owner.call("getAlerts")).body.data.deliveries[0];
  const delays: number[] = [];
  const failing: string[] = [];
  for (let row = await delivery(); row.state === "waiting"; row = await delivery()) {
    const seconds = (Date.parse(row.next_try_at) - clock.now) / 1_000;
    delays.push(seconds / minute);
    const before = receiver.requests.length;
    if (seconds > 0) {
      clock.advance(seconds - 1);
      await deliver();
      expect(receiver.requests).toHaveLength(before);
      clock.advance(1);
    }
    await deliver();
    expect(receiver.requests).toHaveLength(before + 1);
    failing.push((await webhookFinding(service.database)).severity);
  }
  // Minutes since the attempt before.
  expect(delays).toEqual([0, 1, 5, 15, 30, 60, 120, 240, 240, 240, 240, 240]);
  const failed = await delivery();
  expect(failed).toMatchObject({ state: "failed", tries: 12, last_status: 500, next_try_at: null });
  expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
  const seen = (name: string) => new Set(receiver.requests.map(({ headers }) => headers.get(name)));
  expect(seen("webhook-id")).toEqual(new Set([failed.id]));
  expect(seen("webhook-signature").size).toBe(12);

  // For the first hour, it may recover by itself.
  expect(failing).toEqual([...Array(5).fill("ok"), ...Array(7).fill("warning")]);
  const since = `${new Date(queuedAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  expect((await webhookFinding(service.database)).message).toBe(
    `the webhook of workspace ${workspace.name} (${workspace.id}) at localhost:${server.port} has not accepted any alerts since ${since}: status 500`,
  );

  receiver.status = 302;
  expect((await owner.call("postAlertsDelivery", { query: { deliveryId: failed.id } })).status).toBe(200);
  expect(await deliver()).toBe(0);
  receiver.status = 204;
  clock.advance(minute);
  expect(await deliver()).toBe(1);
  expect(receiver.requests.at(-1)?.headers.get("webhook-id")).toBe(failed.id);
  expect(await delivery()).toMatchObject({ id: failed.id, state: "delivered", tries: 2, last_status: 204 });
  // What failed before the last success is no failure of the webhook as it is now.
  const at = (hours: number) => new Date(clock.now - hours * hour * 1_000).toISOString();
  const row = { workspace_id: workspace.id, type: "quota.reached", body: "{}", state: "failed", tries: 12 };
  const times = { created_at: at(5), next_try_at: at(2), give_up_at: at(2) };
  const addFailed = (hours: number) =>
    admin(async (transaction) =>
      transaction.insert("webhook_deliveries", [
        { ...row, ...times, id: transaction.newId(), last_try_at: at(hours), last_status: 500, last_failure: null },
      ]),
    );
  await addFailed(2);
  expect((await webhookFinding(service.database)).severity).toBe("ok");
  await addFailed(-1);
  expect((await webhookFinding(service.database)).severity).toBe("warning");
  expect(outcomes).toEqual([...Array(13).fill("refused"), "delivered"]);

  // A test is not repeated.
  await server.stop(true);
  await owner.call("postAlertsTest");
  await deliver();
  expect(await delivery()).toMatchObject({
    type: "test",
    state: "failed",
    last_status: null,
    last_failure: "connection",
  });
  clock.advance(30 * 24 * hour + 1);
  const { removeOldDeliveries } = await import("../../src/metering/alerts/deliveries.ts");
  expect([await removeOldDeliveries(service.database), await removeOldDeliveries(service.database)]).toEqual([4, 0]);
});

test("many refused requests with a key raise one alert per hour, for any reason, across all nodes", async () => {
  const started = await start(quickly);
  const { owner, call, key, otherTeam, limitedKey, person, rows, service, clock, admin, workspace, url } = started;
  const look = (database: Database = service.database) => warnOfRefusals(database, context);
  await owner.call("putAlerts", { body: { refusalsMax: 4, webhookUrl: url } });
  const counted = (requests: number) =>
    until(async () => {
      const [row] = await rows<{ sum: number }>("select coalesce(sum(requests), 0) as sum from refused_requests");
      return Number(row?.sum) === requests;
    }, 60_000);
  // Two are refused with 403, which the ledger has, and two with 401, which it does not have.
  const forbidden = { body: { tagName: "T", tagColor: "c", teamId: otherTeam.id }, key: limitedKey.secret };
  for (let index = 0; index < 2; index += 1) expect((await call("POST", "/tag", forbidden)).status).toBe(403);
  await admin((transaction) => deactivateKey(transaction, limitedKey.id));
  for (let index = 0; index < 2; index += 1) expect((await call("POST", "/tag", forbidden)).status).toBe(401);
  expect((await call("GET", "/tag", { key: key.secret, query: { tagId: crypto.randomUUID() } })).status).toBe(404);
  await counted(4);
  expect(await look()).toBe(0);
  await call("POST", "/tag", forbidden);
  await counted(5);
  const open = () => openNode(started.dataDirectory, () => clock.now);
  const nodes = [await open(), await open()];
  const found = await Promise.all([...nodes, service.database].map((node) => look(node)));
  for (const node of nodes) await node.close();
  expect(found.reduce((sum, count) => sum + count, 0)).toBe(1);
  const [mailed, ...more] = await rows<{ recipient: string; subject: string; body: string }>("select * from mails");
  expect([mailed?.recipient, mailed?.subject, more]).toEqual([
    "owner@example.com",
    `Test workspace: the API key “${limitedKey.name}” has many refused requests`,
    [],
  ]);
  expect(mailed?.body).toContain("- 3 with status 401: the key or its secret no longer works\n- 2 with status 403: ");

  // The request log shows each request once.
  const log = (await owner.call("getLog", { query: { keyId: limitedKey.id } })).body.data;
  expect(log.map(({ status, requests }: { status: number; requests?: number }) => [status, requests ?? 1])).toEqual([
    [403, 1],
    [403, 1],
    [401, 3],
  ]);

  // Within the hour, nothing more; afterwards only what is refused anew; and nothing where it is off.
  clock.advance(59 * minute);
  for (let index = 0; index < 5; index += 1) await call("POST", "/tag", forbidden);
  await counted(10);
  expect(await look()).toBe(0);
  clock.advance(minute);
  const confirmed = await person({ role: "admin" });
  await confirmed.call("putAlerts", { body: { isRefusalsOn: false } });
  expect(await look()).toBe(0);
  await confirmed.call("putAlerts", { body: { isRefusalsOn: true } });
  expect([await look(), await look()]).toEqual([1, 0]);
  clock.advance(61 * minute);
  expect(await look()).toBe(0);

  // Where all keys are refused at once, ten of them are announced.
  await admin(async (transaction) => {
    for (let index = 0; index < 12; index += 1) {
      const made = await createKey(transaction, workspace.id, `Key ${index}`, "all", null);
      const counts = { requests: 5, client_address: null, reason: "rate_limit", minute: transaction.now };
      transaction.insert("refused_requests", [{ workspace_id: workspace.id, key_id: made.id, ...counts }]);
    }
  });
  expect([await look(), await look()]).toEqual([10, 0]);

  // The service's own job does not trust the certificate of this receiver, and the metrics say so.
  const isCounted = async () => /_attempts_total\{outcome="certificate"\} [1-9]/.test(await scrape(started));
  await until(isCounted, 60_000);
  expect(started.receiver.requests).toEqual([]);
  await started.server.stop(true);
});

test("an address that is not HTTPS, contains a password, or is on a private network is refused, and nothing changes", async () => {
  const { owner, server } = await start();
  const before = (await owner.call("getAlerts")).text;
  for (const webhookUrl of [
    ...[
      "http://example.com",
      "https://user:password@example.com",
      "https://example.com/#part",
      "example.com",
      "https://",
    ],
    ...[
      "https://127.0.0.1/",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      "https://2130706433/",
      "",
      5,
      "x".repeat(3_000),
    ],
  ])
    expect([webhookUrl, (await owner.call("putAlerts", { body: { webhookUrl } })).status]).toEqual([webhookUrl, 400]);
  for (const body of [{}, { emails: ["no address"] }, { emails: Array(11).fill("a@example.com") }, { refusalsMax: 0 }])
    expect((await owner.call("putAlerts", { body })).status).toBe(400);
  expect((await owner.call("postAlertsTest")).body.error).toBe("no_webhook");
  expect((await owner.call("postAlertsSecret")).body.error).toBe("no_webhook");
  expect((await owner.call("getAlerts")).text.replaceAll(/"requestId":"[^"]*"/g, "")).toBe(
    before.replaceAll(/"requestId":"[^"]*"/g, ""),
  );
  await server.stop(true);
});

test("the address of a webhook is stored as it is called, without line breaks", async () => {
  const { person } = await startConsole({});
  const owner = await person({ role: "owner" });
  const put = (webhookUrl: string) => owner.call("putAlerts", { body: { webhookUrl } });
  const { body } = await put("https://EXAMPLE.com/\r\nX: y");
  expect([body.data.webhook.url, body.data.secret === null]).toEqual(["https://example.com/X:%20y", false]);
  // The same address in another spelling is no new one.
  expect((await put("https://example.com/X:%20y")).body.data.secret).toBeNull();
});

test("a workspace emails at most 50 alerts to an address in 24 hours, and the last one says so", async () => {
  const { person, admin, workspace, rows, clock } = await startConsole({ config: { mail }, wait: never });
  const owner = await person({ role: "owner", email: "flooded@example.com" });
  await owner.call("putAlerts", { body: { emails: ["ops@example.com"] } });
  const raise = (count: number) =>
    admin(async (transaction) => {
      for (let index = 0; index < count; index += 1)
        await raiseAlert(
          transaction,
          { type: "key.refused", workspace: { id: workspace.id, name: "W" }, data: {}, subject: "S", lines: ["L"] },
          context,
        );
    });
  const sent = () => rows<{ body: string }>("select body from mails where recipient = 'ops@example.com' order by id");
  await raise(60);
  const mails = await sent();
  expect(mails).toHaveLength(50);
  const isLast = mails.map(({ body }) => body.includes("50 alerts to this address in the last 24 hours"));
  expect(isLast.indexOf(true)).toBe(49);
  clock.advance(24 * hour);
  await raise(1);
  expect(await sent()).toHaveLength(51);
});
