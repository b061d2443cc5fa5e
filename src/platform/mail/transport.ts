// Sends mail through an SMTP server and interprets its errors. The library is loaded with the first mail.
import type { MailRow } from "./mails.store.ts";

/** The SMTP server that mail goes out through. */
export interface MailSettings {
  /** `smtp://` (STARTTLS where the server offers it) or `smtps://`, with user and password where they are needed. */
  readonly url: string;
  readonly from: string;
}

/** Sends one mail. @throws MailFailure */
export type SendMail = (mail: MailRow, signal: AbortSignal) => Promise<void>;

/** A mail was not accepted. Holds no text of the server, which may repeat addresses or the mail itself. */
export class MailFailure extends Error {
  override name = "MailFailure";
  constructor(
    /** The library's error code, such as EAUTH or ETIMEDOUT. */
    readonly code: string,
    /** The server's SMTP status; undefined when it sent none. */
    readonly status: number | undefined,
  ) {
    super(`the email was not accepted: ${code}${status === undefined ? "" : ` ${status}`}`);
  }

  /** The server rejects this mail for good. */
  get isFinal(): boolean {
    return this.isAboutMail && (this.status ?? 0) >= 500;
  }

  /** The failure concerns this mail, not the server: other mails may be accepted. */
  get isAboutMail(): boolean {
    return this.code === "EENVELOPE" || this.code === "EMESSAGE";
  }
}

const connectionSeconds = 10;
const silenceSeconds = 20;
/** For one mail, however slow the server is. Shorter than the first delay between two tries, so that no two nodes send it at once. */
const mailSeconds = 45;

/** How long a mail in progress may take once the service stops. A mail that is cut off after the server accepted it is sent twice. */
const graceSecondsDefault = 3;

export interface TransportOptions {
  /** PEM of a certificate authority to trust instead of the system's. */
  readonly ca?: string;
  readonly graceSeconds?: number;
}

/** The way out for a relay in the same network that has no TLS. */
const isUnencryptedAllowed = (url: URL): boolean => url.searchParams.get("tls") === "optional";

export function openTransport(
  { url: text, from }: MailSettings,
  { ca, graceSeconds = graceSecondsDefault }: TransportOptions = {},
): SendMail {
  const url = new URL(text);
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isLocal = ["localhost", "127.0.0.1", "::1"].includes(host);
  const address = /<([^>]+)>$/.exec(from)?.[1] ?? from;
  const options = {
    host,
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // To another machine, a password or a link that opens an account is sent encrypted or not at all, unless the operator allows it.
    requireTLS: !isSecure && !isLocal && !(url.password === "" && isUnencryptedAllowed(url)),
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
      // The same on each try, so that mail programs recognize a duplicate.
      messageId: `<${mail.id}@${address.slice(address.indexOf("@") + 1)}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    try {
      await withinTime(sending, signal, graceSeconds);
    } catch (error) {
      throw toMailFailure(error);
    } finally {
      transport.close();
    }
  };
}

/** Settles like `sending`, or rejects when its time is over: less time once the signal aborts. */
function withinTime<T>(sending: Promise<T>, signal: AbortSignal, graceSeconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new MailFailure("ETIMEDOUT", undefined));
    let timer = setTimeout(giveUp, mailSeconds * 1_000);
    const shortenTime = () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, graceSeconds * 1_000);
    };
    if (signal.aborted) shortenTime();
    else signal.addEventListener("abort", shortenTime);
    sending.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", shortenTime);
    });
  });
}

function toMailFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  return new MailFailure(
    typeof code === "string" && /^E[A-Z]+$/.test(code) ? code : "EUNKNOWN",
    typeof responseCode === "number" ? responseCode : undefined,
  );
}
