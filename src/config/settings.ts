// The table of settings: name, default, meaning and parser of each, in the order in which they are shown.
import { limits } from "../contract/limits.ts";
import {
  integerBetween,
  integerOrForever,
  type Parser,
  parseAddress,
  parseApiPath,
  parseBillingLine,
  parseDatabaseUrl,
  parseFont,
  parseHeader,
  parseHost,
  parseHosts,
  parseHttpsUrl,
  parseInstanceKey,
  parseInvoicePrefix,
  parseLogFormat,
  parseLogLevel,
  parseMailSender,
  parseMailUrl,
  parseMonth,
  parseNetworks,
  parseOrigin,
  parseOrigins,
  parsePercent,
  parsePort,
  parsePortOrOff,
  parseRecipients,
  parseSink,
  parseSwitch,
  parseText,
  textUpTo,
} from "./parsers.ts";

/** Most units of a monthly allowance, so that every sum remains an exact number. */
export const monthlyRequestsMax = 1_000_000_000_000;

/** Including the time for calls in flight, shutdown still takes less than 15 s. */
const drainSecondsMax = 10;

/** The name has to fit on a button. */
const providerNameLengthMax = 40;

/** An empty default means that the setting is not set. */
interface SettingRow {
  readonly default: string;
  readonly meaning: string;
  readonly parse: Parser<unknown>;
  /** The value is or contains a secret, or names a file with one. */
  readonly secret?: "value" | "file";
}

const table = {
  COMMONPLACE_DATA_DIRECTORY: {
    default: "./data",
    meaning: "Data directory with the database and the localhost certificate",
    parse: parseText,
  },
  COMMONPLACE_HOST: {
    default: "127.0.0.1",
    meaning: "IP address to listen on; 0.0.0.0 for all IPv4 addresses",
    parse: parseHost,
  },
  COMMONPLACE_HTTPS_PORT: { default: "8443", meaning: "HTTPS port", parse: parsePort },
  COMMONPLACE_HTTP_PORT: {
    default: "8080",
    meaning: "HTTP port for trusted proxies; refuses all other requests; off disables it",
    parse: parsePortOrOff,
  },
  COMMONPLACE_API_PATH: { default: "/api", meaning: "Path prefix of the API", parse: parseApiPath },
  COMMONPLACE_TLS_CERT_FILE: {
    default: "",
    meaning: "Certificate chain, PEM file; if unset, a localhost certificate is created",
    parse: parseText,
  },
  COMMONPLACE_TLS_KEY_FILE: {
    default: "",
    meaning: "Private key for the certificate, PEM file",
    parse: parseText,
    secret: "file",
  },
  COMMONPLACE_TRUSTED_PROXIES: {
    default: "",
    meaning: "Proxies trusted to set X-Forwarded-…, such as 10.0.0.1,10.1.0.0/16",
    parse: parseNetworks,
  },
  COMMONPLACE_CORS_ORIGINS: {
    default: "",
    meaning: "Origins whose pages may use the API, such as https://app.example.com",
    parse: parseOrigins,
  },
  COMMONPLACE_REQUESTS_PER_MINUTE: {
    default: String(limits.requestsPerMinuteDefault),
    meaning: "Rate limit: requests per API key in any 60-second window",
    parse: integerBetween(1, 1_000_000_000),
  },
  COMMONPLACE_MONTHLY_REQUESTS: {
    default: String(limits.monthlyRequestsDefault),
    meaning: "Monthly allowance of a new workspace, in units",
    parse: integerBetween(0, monthlyRequestsMax),
  },
  COMMONPLACE_LOG_LEVEL: {
    default: "info",
    meaning: "Log level: debug, info, warn, error, or off",
    parse: parseLogLevel,
  },
  COMMONPLACE_LOG_FORMAT: {
    default: "auto",
    meaning: "Log format: text, json, or auto (text in a terminal, JSON elsewhere)",
    parse: parseLogFormat,
  },
  COMMONPLACE_DATABASE_URL: {
    default: "",
    meaning: "postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH; if unset, SQLite",
    parse: parseDatabaseUrl,
    secret: "value",
  },
  COMMONPLACE_DATABASE_CONNECTIONS: {
    default: "10",
    meaning: "Maximum connections to PostgreSQL per node",
    parse: integerBetween(1, 1_000),
  },
  COMMONPLACE_LEDGER_DAYS: {
    default: "90",
    meaning: "Days to keep individual requests before they are folded into daily totals",
    parse: integerBetween(2, 36_500),
  },
  COMMONPLACE_AUDIT_EXPORT: {
    default: "",
    meaning: "File or https://… address that receives each audit entry as a line of JSON",
    parse: parseSink,
    secret: "value",
  },
  COMMONPLACE_AUDIT_EXPORT_HEADER: {
    default: "",
    meaning: "Header to send with audit exports, such as Authorization: Bearer SECRET",
    parse: parseHeader,
    secret: "value",
  },
  COMMONPLACE_AUDIT_DAYS: {
    default: "forever",
    meaning: "Days to keep the entries of the audit logs, or forever",
    parse: integerOrForever(1, 36_500),
  },
  COMMONPLACE_WEBHOOK_HOSTS: {
    default: "",
    meaning: "Hosts on private networks that webhooks may use, separated by commas",
    parse: parseHosts,
  },
  COMMONPLACE_TRASH_DAYS: {
    default: "30",
    meaning: "Days to keep deleted snippets in the trash, or forever; 0 keeps none",
    parse: integerOrForever(0, 36_500),
  },
  COMMONPLACE_INSTANCE_KEY: {
    default: "",
    meaning: "Key that signs sessions and encrypts secrets; if unset, read from a file",
    parse: parseInstanceKey,
    secret: "value",
  },
  COMMONPLACE_INSTANCE_KEY_FILE: {
    default: "",
    meaning: "File with the instance key; if unset, instance.key in the data directory",
    parse: parseText,
    secret: "file",
  },
  COMMONPLACE_VERSION_KEEP: {
    default: "forever",
    meaning: "Number of earlier versions to keep for each variation, or forever",
    parse: integerOrForever(1, 1_000_000),
  },
  COMMONPLACE_VERSION_DAYS: {
    default: "forever",
    meaning: "Days to keep earlier versions after they were written, or forever",
    parse: integerOrForever(1, 36_500),
  },
  COMMONPLACE_STORAGE_MIB: {
    default: String(limits.storageMebibytesDefault),
    meaning: "Default storage limit of a workspace, in MiB",
    parse: integerBetween(0, limits.storageMebibytesMax),
  },
  COMMONPLACE_METRICS_PORT: {
    default: "off",
    meaning: "HTTP port for Prometheus metrics at /metrics; off disables it",
    parse: parsePortOrOff,
  },
  COMMONPLACE_METRICS_HOST: { default: "127.0.0.1", meaning: "IP address to serve /metrics on", parse: parseHost },
  COMMONPLACE_DRAIN_SECONDS: {
    default: "0",
    meaning: "Seconds after SIGTERM during which /readyz fails but requests are served",
    parse: integerBetween(0, drainSecondsMax),
  },
  COMMONPLACE_BACKUP_DIRECTORY: {
    default: "",
    meaning: "Directory for scheduled backups (SQLite only); if unset, no backups",
    parse: parseText,
  },
  COMMONPLACE_BACKUP_HOURS: {
    default: "24",
    meaning: "Hours between scheduled backups",
    parse: integerBetween(1, 8_760),
  },
  COMMONPLACE_BACKUP_KEEP: {
    default: "7",
    meaning: "Number of scheduled backups to keep; older ones are deleted",
    parse: integerBetween(1, 10_000),
  },
  COMMONPLACE_BACKUP_RECIPIENTS: {
    default: "",
    meaning: "Public keys (age format) to encrypt backups with, separated by commas",
    parse: parseRecipients,
  },
  COMMONPLACE_BACKUP_PASSPHRASE_FILE: {
    default: "",
    meaning: "File with a passphrase to encrypt backups with, instead of public keys",
    parse: parseText,
    secret: "file",
  },
  COMMONPLACE_FIRST_KEY: {
    default: "on",
    meaning: "Create an API key for all teams when the service starts for the first time",
    parse: parseSwitch,
  },
  COMMONPLACE_CONSOLE: {
    default: "on",
    meaning: "The web console at /console; off disables it",
    parse: parseSwitch,
  },
  COMMONPLACE_SESSION_DAYS: {
    default: "30",
    meaning: "Days until people must sign in again; a session unused for 14 days also ends",
    parse: integerBetween(1, 3_650),
  },
  COMMONPLACE_URL: {
    default: "",
    meaning: "Public address, https://…; if unset, the certificate's name and the port",
    parse: parseOrigin,
  },
  COMMONPLACE_MAIL_URL: {
    default: "",
    meaning: "smtp://USER:PASSWORD@HOST:587 or smtps://…; if unset, no email is sent",
    parse: parseMailUrl,
    secret: "value",
  },
  COMMONPLACE_MAIL_FROM: {
    default: "",
    meaning: "Sender of emails, such as commonplace@example.com",
    parse: parseMailSender,
  },
  COMMONPLACE_OIDC_ISSUER: {
    default: "",
    meaning: "Issuer URL of an OpenID Connect provider for single sign-on",
    parse: parseHttpsUrl,
  },
  COMMONPLACE_OIDC_CLIENT_ID: { default: "", meaning: "Client ID from the OpenID Connect provider", parse: parseText },
  COMMONPLACE_OIDC_CLIENT_SECRET: {
    default: "",
    meaning: "Client secret from the OpenID Connect provider",
    parse: parseText,
    secret: "value",
  },
  COMMONPLACE_OIDC_NAME: {
    default: "single sign-on",
    meaning: "Name of the provider on the sign-in button",
    parse: textUpTo(providerNameLengthMax),
  },
  COMMONPLACE_OIDC_SESSION_HOURS: {
    default: "12",
    meaning: "Hours until people who used single sign-on must use it again",
    parse: integerBetween(1, 8_760),
  },
  COMMONPLACE_OIDC_TOKEN_DAYS: {
    default: "30",
    meaning: "Days access tokens work after sign-in, for people with only single sign-on",
    parse: integerBetween(1, 366),
  },
  COMMONPLACE_BILLING_FROM: {
    default: "",
    meaning: "First month to bill, such as 2026-12; if unset, nothing is billed",
    parse: parseMonth,
  },
  COMMONPLACE_STRIPE_KEY: {
    default: "",
    meaning: "Stripe secret key; if unset, operators record payments by hand",
    parse: parseText,
    secret: "value",
  },
  COMMONPLACE_STRIPE_WEBHOOK_SECRET: {
    default: "",
    meaning: "Signing secret of the Stripe webhook at /console/hooks/stripe",
    parse: parseText,
    secret: "value",
  },
  COMMONPLACE_SELLER_NAME: {
    default: "",
    meaning: "Seller name on invoices; if unset, the instance's URL",
    parse: parseBillingLine,
  },
  COMMONPLACE_SELLER_ADDRESS: {
    default: "",
    meaning: "Seller address on invoices; use ; for line breaks",
    parse: parseAddress,
  },
  COMMONPLACE_SELLER_TAX_ID: { default: "", meaning: "Seller tax ID, such as DE123456789", parse: parseBillingLine },
  COMMONPLACE_SELLER_BANK: {
    default: "",
    meaning: "Bank details on invoices; use ; for line breaks",
    parse: parseAddress,
  },
  COMMONPLACE_TAX_PERCENT: {
    default: "0",
    meaning: "Tax rate included in prices, in percent, such as 19 or 8.1",
    parse: parsePercent,
  },
  COMMONPLACE_TAX_NAME: { default: "VAT", meaning: "Name of the tax on invoices", parse: parseBillingLine },
  COMMONPLACE_INVOICE_PREFIX: {
    default: "INV-",
    meaning: "Prefix of invoice numbers; numbering starts at 1 for each prefix",
    parse: parseInvoicePrefix,
  },
  COMMONPLACE_INVOICE_FONT: {
    default: "",
    meaning: "PDF invoice font for Chinese, Japanese, and Korean: FILE or FILE.ttc#NAME",
    parse: parseFont,
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof table;

/** The settings with a secret. */
export type SecretSettingName = {
  [Name in SettingName]: (typeof table)[Name] extends { readonly secret: string } ? Name : never;
}[SettingName];

export interface Setting {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
  readonly secret?: "value" | "file";
}

/** The settings in the order in which they are shown. */
export const settings: readonly Setting[] = Object.entries(table).map(([name, row]) => ({ name, ...row }));

/**
 * The value of a setting.
 * @param text the default applies if it is undefined or empty
 * @throws OperatorError that names the setting and says what it must be
 */
export function parseSetting<Name extends SettingName>(name: Name, text: string | undefined): SettingValue<Name> {
  const row: SettingRow = table[name];
  // The row of this name has this parser.
  return row.parse(text || row.default, name) as SettingValue<Name>;
}

type SettingValue<Name extends SettingName> = ReturnType<(typeof table)[Name]["parse"]>;
