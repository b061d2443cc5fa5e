// The way out to an SMTP server, and what its refusals mean. The library is loaded with the first mail.
import type { MailRow } from "./mails.store.ts";

/** The SMTP server that mail goes out through. */
export interface MailSettings {
  /** `smtp://` (STARTTLS where the server offers it) or `smtps://`, with user and password where they are needed. */
  readonly url: string;
  readonly from: string;
}

/** Hands one mail over to the server. @throws MailFailure */
export type SendMail = (mail: MailRow, signal: AbortSignal) => Promise<void>;

/** A mail was not taken. Holds nothing that the server said: its words may repeat addresses, or what was sent. */
export class MailFailure extends Error {
  override name = "MailFailure";
  constructor(
    /** What went wrong, in the library's letters: EAUTH, ETIMEDOUT. */
    readonly code: string,
    /** The server's number; undefined where it said none. */
    readonly status: number | undefined,
  ) {
    super(`the mail was not taken: ${code}${status === undefined ? "" : ` ${status}`}`);
  }

  /** The server refuses this mail, and will refuse it again. */
  get isFinal(): boolean {
    return this.isAboutMail && (this.status ?? 0) >= 500;
  }

  /** It is about this mail, not about the server: others may go through. */
  get isAboutMail(): boolean {
    return this.code === "EENVELOPE" || this.code === "EMESSAGE";
  }
}

const connectionSeconds = 10;
const silenceSeconds = 20;
/** However slowly the server speaks. Shorter than the first delay between two tries, so that no mail is sent by two at once. */
const mailSeconds = 45;

/** What a mail under way has left when the service stops: cut off later, it would come twice. */
const graceSecondsDefault = 3;

export interface TransportOptions {
  /** PEM of an authority that is trusted instead of the system's. */
  readonly ca?: string;
  readonly graceSeconds?: number;
}

export function openTransport(
  { url: text, from }: MailSettings,
  { ca, graceSeconds = graceSecondsDefault }: TransportOptions = {},
): SendMail {
  const url = new URL(text);
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isHere = ["localhost", "127.0.0.1", "::1"].includes(host);
  const address = /<([^>]+)>$/.exec(from)?.[1] ?? from;
  const options = {
    host,
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // A password goes out encrypted, or not at all.
    requireTLS: !isSecure && url.password !== "" && !isHere,
    ...(url.username !== "" && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    ...(ca !== undefined && { tls: { ca } }),
    connectionTimeout: connectionSeconds * 1_000,
    greetingTimeout: connectionSeconds * 1_000,
    dnsTimeout: connectionSeconds * 1_000,
    socketTimeout: silenceSeconds * 1_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return async (mail, signal) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport(options);
    const sending = transport.sendMail({
      from,
      to: { name: "", address: mail.recipient },
      envelope: { from: address, to: [mail.recipient] },
      subject: mail.subject,
      text: mail.body,
      date: new Date(mail.created_at),
      // The same however often it is sent, so that whoever gets it twice sees it once.
      messageId: `<${mail.id}@${address.slice(address.indexOf("@") + 1)}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    try {
      await withinTime(sending, signal, graceSeconds);
    } catch (error) {
      throw failureOf(error);
    } finally {
      transport.close();
    }
  };
}

/** The library's promise, or the end of its time: nobody waits for it any longer then. */
function withinTime<T>(sending: Promise<T>, signal: AbortSignal, graceSeconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new MailFailure("ETIMEDOUT", undefined));
    let timer = setTimeout(giveUp, mailSeconds * 1_000);
    const hurry = () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, graceSeconds * 1_000);
    };
    if (signal.aborted) hurry();
    else signal.addEventListener("abort", hurry);
    sending.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", hurry);
    });
  });
}

function failureOf(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  return new MailFailure(
    typeof code === "string" && /^E[A-Z]+$/.test(code) ? code : "EUNKNOWN",
    typeof responseCode === "number" ? responseCode : undefined,
  );
}
