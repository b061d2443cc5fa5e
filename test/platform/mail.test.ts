// Mail through a real SMTP server: sent once, encrypted if possible, retried if the server was down, and deleted afterwards.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { readConfig } from "../../src/config.ts";
import { oneLine, queueMail } from "../../src/platform/mail/outbox.ts";
import { sendDueMails } from "../../src/platform/mail/sender.ts";
import { openTransport } from "../../src/platform/mail/transport.ts";
import { type LocalCertificate, makeLocalCertificate } from "../../src/platform/tls/make-certificate.ts";
import { startConsole } from "../support/console.ts";
import { openNode } from "../support/engine.ts";
import { freePort } from "../support/ports.ts";
import { startService } from "../support/service.ts";

let certificate: LocalCertificate;
beforeAll(async () => {
  certificate = await makeLocalCertificate();
});

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly isSecure: boolean;
}

const servers: SMTPServer[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** An SMTP server with one account. */
async function startSmtp(port: number, options: SMTPServerOptions = {}, host = "127.0.0.1") {
  const received: Received[] = [];
  const server = new SMTPServer({
    key: certificate.key,
    cert: certificate.cert,
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      username === "commonplace" && password === "p@ss:word/1"
        ? done(null, { user: username })
        : done(new Error("wrong password")),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(parts).toString(),
          isSecure: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { received, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

const mailOf = (url: string, from = "Commonplace <snippets@example.com>") => ({ url, from });
const waiting = {
  recipient: "bob@example.org",
  subject: "Invitation to Ümläut",
  body: "The link:\nhttps://a.example/#t\n",
};

/** A service for one test, with a mail queue and a transport that the test chooses. */
async function start(url: string) {
  const started = await startService({});
  const send = openTransport(mailOf(url), { ca: certificate.ca });
  const lines: object[] = [];
  const log = {
    write: (level: string, message: string, fields?: object) => void lines.push({ level, message, ...fields }),
    flush: () => undefined,
  };
  return {
    ...started,
    lines,
    queue: (mail = waiting) => started.admin(async (transaction) => queueMail(transaction, mail)),
    round: () => sendDueMails({ database: started.service.database, log, send }, new AbortController().signal),
    mails: () =>
      started.rows<{ body: string; tries: number; sent_at: string | null; given_up_at: string | null }>(
        "select body, tries, sent_at, given_up_at from mails order by id",
      ),
  };
}

const moment = expect.stringMatching(/^\d{4}-/);

test("over TLS with a password: sender, recipient and text arrive, and the text is forgotten here", async () => {
  const port = freePort();
  const { received } = await startSmtp(port, { secure: true, authOptional: false });
  const { queue, round, mails, lines } = await start(`smtps://commonplace:p%40ss%3Aword%2F1@localhost:${port}`);
  await queue();
  await round();
  await round();
  expect(received).toEqual([
    { from: "snippets@example.com", to: ["bob@example.org"], text: expect.any(String), isSecure: true },
  ]);
  const { text = "" } = received[0] ?? {};
  expect(text).toContain("From: Commonplace <snippets@example.com>");
  expect(text).toContain("To: bob@example.org");
  expect(text).toContain("Subject: =?UTF-8?Q?Invitation_to_=C3=9Cml=C3=A4ut?=");
  expect(text).toContain("Content-Type: text/plain; charset=utf-8");
  expect(text).toContain("https://a.example/#t");
  expect(await mails()).toEqual([{ body: "", tries: 1, sent_at: moment, given_up_at: null }]);
  expect(lines).toEqual([]);
});

test("STARTTLS is used where the server offers it", async () => {
  const port = freePort();
  const { received } = await startSmtp(port);
  const { queue, round } = await start(`smtp://commonplace:p%40ss%3Aword%2F1@localhost:${port}`);
  await queue();
  await round();
  expect(received.map(({ isSecure }) => isSecure)).toEqual([true]);
});

test("a password is sent to another machine only over TLS", async () => {
  const port = freePort();
  let passwords = 0;
  const onAuth: SMTPServerOptions["onAuth"] = (_, __, done) => {
    passwords += 1;
    done(null, { user: "" });
  };
  const bare: SMTPServerOptions = {
    hideSTARTTLS: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth,
  };
  // Any address that is not written as a local one.
  const { received } = await startSmtp(port, bare, "127.0.0.2");
  const { queue, round, mails } = await start(`smtp://commonplace:secret@127.0.0.2:${port}`);
  await queue();
  await round();
  expect({ passwords, received }).toEqual({ passwords: 0, received: [] });
  expect(await mails()).toMatchObject([{ tries: 1, sent_at: null }]);
});

test("a link is sent to another machine only over TLS, unless the operator allows a relay without it", async () => {
  const port = freePort();
  const { received } = await startSmtp(
    port,
    { hideSTARTTLS: true, disabledCommands: ["STARTTLS"], authOptional: true },
    "127.0.0.2",
  );
  const { queue, round, mails } = await start(`smtp://127.0.0.2:${port}`);
  await queue();
  await round();
  expect(received).toEqual([]);
  expect(await mails()).toMatchObject([{ tries: 1, sent_at: null }]);
  const send = openTransport(mailOf(`smtp://127.0.0.2:${port}?tls=optional`));
  const mail = { id: crypto.randomUUID(), ...waiting, created_at: "2026-03-15T12:00:00.000Z", tries: 0 };
  await send(mail, new AbortController().signal);
  expect(received.map(({ isSecure }) => isSecure)).toEqual([false]);
});

test("a server whose certificate is nobody's that is trusted gets nothing", async () => {
  const port = freePort();
  const { received } = await startSmtp(port, { secure: true });
  const send = openTransport(mailOf(`smtps://commonplace:secret@localhost:${port}`));
  const mail = { id: crypto.randomUUID(), ...waiting, created_at: "2026-03-15T12:00:00.000Z", tries: 0 };
  const failure = await send(mail, new AbortController().signal).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "MailFailure", isAboutMail: false });
  expect(received).toEqual([]);
});

test("a wrong password is told without it, and without the address; the mail waits", async () => {
  const port = freePort();
  await startSmtp(port, { secure: true, authOptional: false });
  const { queue, round, mails, lines } = await start(`smtps://commonplace:canary-password@localhost:${port}`);
  await queue();
  await round();
  expect(lines).toEqual([
    {
      level: "warn",
      message: "email not sent",
      mailId: expect.any(String),
      tries: 1,
      code: "EAUTH",
      status: 535,
    },
  ]);
  expect(await mails()).toEqual([{ body: waiting.body, tries: 1, sent_at: null, given_up_at: null }]);
});

test("a server that is away: tried again after growing delays, and sent once it is back", async () => {
  const port = freePort();
  const { queue, round, mails, clock } = await start(`smtp://localhost:${port}`);
  await queue();
  await queue({ ...waiting, recipient: "carol@example.org" });
  await round();
  expect((await mails()).map(({ tries }) => tries)).toEqual([1, 0]);
  await round();
  expect((await mails()).map(({ tries }) => tries)).toEqual([1, 1]);
  await round();
  expect((await mails()).map(({ tries }) => tries)).toEqual([1, 1]);
  clock.advance(60);
  await round();
  await round();
  expect((await mails()).map(({ tries }) => tries)).toEqual([2, 2]);
  clock.advance(60);
  await round();
  expect((await mails()).map(({ tries }) => tries)).toEqual([2, 2]);
  clock.advance(5 * 60);
  const { received } = await startSmtp(port);
  await round();
  expect(received.flatMap(({ to }) => to).sort()).toEqual(["bob@example.org", "carol@example.org"]);
  expect((await mails()).map(({ body, sent_at }) => ({ body, sent_at }))).toEqual([
    { body: "", sent_at: moment },
    { body: "", sent_at: moment },
  ]);
});

test("given up after three days; its text goes then too", async () => {
  const { queue, round, mails, clock } = await start(`smtp://localhost:${freePort()}`);
  await queue();
  for (let hours = 0; hours < 71; hours += 6) {
    await round();
    clock.advance(6 * 60 * 60);
  }
  expect(await mails()).toMatchObject([{ body: waiting.body, given_up_at: null }]);
  await round();
  expect(await mails()).toMatchObject([{ body: "", sent_at: null, given_up_at: moment }]);
  const [{ tries = 0 } = {}] = await mails();
  clock.advance(24 * 60 * 60);
  await round();
  expect((await mails()).map((mail) => mail.tries)).toEqual([tries]);
});

test("an address that the server refuses for good is given up at once, and keeps no other mail waiting", async () => {
  const port = freePort();
  const { received } = await startSmtp(port, {
    onRcptTo: ({ address }, _, done) =>
      address.startsWith("nobody") ? done(Object.assign(new Error("no such user"), { responseCode: 550 })) : done(),
  });
  const { queue, round, mails, lines } = await start(`smtp://localhost:${port}`);
  await queue({ ...waiting, recipient: "nobody@example.org" });
  await queue();
  await round();
  expect(received.map(({ to }) => to)).toEqual([["bob@example.org"]]);
  expect(await mails()).toMatchObject([{ body: "", given_up_at: moment }, { sent_at: moment }]);
  expect(JSON.stringify(lines)).not.toContain("nobody@");
});

test("two nodes at once: each mail is sent by one of them", async () => {
  const port = freePort();
  const { received } = await startSmtp(port);
  const { queue, round, dataDirectory, clock } = await start(`smtp://localhost:${port}`);
  await using other = {
    node: await openNode(dataDirectory, () => clock.now),
    [Symbol.asyncDispose]: () => other.node.close(),
  };
  for (let index = 0; index < 8; index += 1) await queue({ ...waiting, recipient: `to-${index}@example.org` });
  const log = { write: () => undefined, flush: () => undefined };
  const send = openTransport(mailOf(`smtp://localhost:${port}`), { ca: certificate.ca });
  await Promise.all([round(), sendDueMails({ database: other.node, log, send }, new AbortController().signal)]);
  await round();
  expect(received.map(({ to }) => to[0]).sort()).toEqual(
    Array.from({ length: 8 }, (_, index) => `to-${index}@example.org`),
  );
});

test("an end in the middle of a mail leaves it for later", async () => {
  const port = freePort();
  const stopping = new AbortController();
  // The server never answers, and the attempt ends after this time.
  await startSmtp(port, { onMailFrom: () => stopping.abort() });
  const { queue, service, mails } = await start(`smtp://localhost:${port}`);
  await queue();
  const log = { write: () => undefined, flush: () => undefined };
  const send = openTransport(mailOf(`smtp://localhost:${port}`), { ca: certificate.ca, graceSeconds: 0 });
  await sendDueMails({ database: service.database, log, send }, stopping.signal);
  expect(await mails()).toEqual([{ body: waiting.body, tries: 1, sent_at: null, given_up_at: null }]);
});

test("an invitation is mailed by the running service, and its link opens it", async () => {
  const port = freePort();
  let arrived = (_: Received) => {};
  const arrival = new Promise<Received>((resolve) => {
    arrived = resolve;
  });
  const { received } = await startSmtp(port, { hideSTARTTLS: true });
  const push = received.push.bind(received);
  received.push = (...mails) => {
    const [mail] = mails;
    if (mail) arrived(mail);
    return push(...mails);
  };
  const wakes = new Set<() => void>();
  const { person, service, clock, rows } = await startConsole({
    config: { mail: mailOf(`smtp://localhost:${port}`) },
    // The test ends every pause.
    wait: (_, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        wakes.add(resolve);
        signal.addEventListener("abort", () => resolve());
      }),
  });
  const owner = await person({ role: "owner", name: "Ada\r\nBcc: eve@example.com" });
  const { body } = await owner.call("postInvitation", { body: { email: "bob@example.org", role: "admin" } });
  expect(body.data.is_mailed).toBe(true);
  clock.advance(5);
  for (const wake of wakes) wake();
  const { to, text } = await arrival;
  expect(to).toEqual(["bob@example.org"]);
  expect(text).not.toMatch(/^Bcc:/m);
  const plain = text.replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
  expect(plain).toMatch(/\/console\/invitation#[\w-]{43}/);
  await service.stop();
  expect(await rows("select body from mails")).toEqual([{ body: "" }]);
});

test("settings that belong together are asked for together", () => {
  expect(() => readConfig({ COMMONPLACE_MAIL_URL: "smtp://localhost" })).toThrow("must be set together");
});

test("a name in a mail is one short line", () => {
  expect(oneLine("  Ada\r\n\r\nYour account is locked:\u0000 \u202eevil  ")).toBe("Ada Your account is locked: evil");
  expect([...oneLine("x".repeat(500))]).toHaveLength(100);
});
