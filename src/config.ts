// Reads the configuration from the environment, once: each setting is checked, and those that belong together become one value.
import { join } from "node:path";
import { requireKnownNames } from "./config/names.ts";
import { parseSetting, type SettingName } from "./config/settings.ts";
import { bytesPerMebibyte } from "./contract/limits.ts";
import type { DatabaseLocation } from "./platform/database/location.ts";
import type { LogFormat, LogLevel } from "./platform/log.ts";
import type { MailSettings } from "./platform/mail/transport.ts";
import { OperatorError } from "./platform/operator-error.ts";
import type { CertificateFiles } from "./platform/tls/certificates.ts";

const list = new Intl.ListFormat("en");

export interface Config {
  readonly dataDirectory: string;
  readonly host: string;
  readonly port: number;
  /** Undefined: no plain listener. */
  readonly httpPort: number | undefined;
  readonly apiPath: string;
  /** Undefined: a certificate for localhost is made. */
  readonly tls: CertificateFiles | undefined;
  readonly trustedProxies: readonly string[];
  /** Origins of pages that may use the API in browsers. */
  readonly corsOrigins: readonly string[];
  readonly requestsPerMinute: number;
  readonly monthlyRequests: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly database: DatabaseLocation;
  /** Most connections to PostgreSQL that one node opens. */
  readonly databaseConnections: number;
  readonly metricsHost: string;
  /** Undefined: no listener for metrics. */
  readonly metricsPort: number | undefined;
  /** Time between SIGTERM and the end of listening, during which the node reports that it is not ready. */
  readonly drainSeconds: number;
  /** Age at which rows of the ledger are folded into daily totals. */
  readonly ledgerDays: number;
  /** Where audit entries are exported to; undefined: nowhere. */
  readonly auditSink: AuditSinkSettings | undefined;
  /** How long audit entries are kept; undefined: forever. */
  readonly auditDays: number | undefined;
  /** Hosts that webhooks may use in whatever network they are. */
  readonly webhookHosts: readonly string[];
  /** How long deleted snippets are kept; undefined: forever; 0: they are deleted at once. */
  readonly trashDays: number | undefined;
  /** The key that is kept outside the database. */
  readonly instanceKey: InstanceKeySettings;
  /** How long former versions of texts are kept; undefined: forever. */
  readonly versions: { readonly keep: number | undefined; readonly days: number | undefined };
  /** What a workspace without a limit of its own may store. */
  readonly storageBytesMax: number;
  /** Undefined: no scheduled backups. */
  readonly backup: BackupSettings | undefined;
  /** Of all backups, whether scheduled or made with a command. Undefined: they are not encrypted. */
  readonly backupEncryption: BackupEncryption | undefined;
  /** Whether the first start creates an API key with access to all teams. */
  readonly createsFirstKey: boolean;
  readonly isConsoleOn: boolean;
  /** When a session ends, however much it is used. */
  readonly sessionDaysMax: number;
  /** `https://host[:port]` as people type it; undefined: derived from the name of the certificate and the port. */
  readonly publicOrigin: string | undefined;
  /** Undefined: no mail is sent, and the console shows links to copy. */
  readonly mail: MailSettings | undefined;
  readonly openId: OpenIdSettings | undefined;
  readonly singleSignOn: SingleSignOnLimits;
  /** The first month that is billed; undefined: billing is off. */
  readonly billedFrom: string | undefined;
  /** Undefined: the operator records payments. */
  readonly stripe: StripeSettings | undefined;
  /** Who bills; undefined: invoices show the address of the instance, and remain drafts. */
  readonly seller: Seller | undefined;
  /** The tax that prices include. 19% is 1900 basis points. */
  readonly tax: { readonly name: string; readonly basis_points: number } | null;
  /** What the numbers of invoices begin with. */
  readonly invoicePrefix: string;
  /** Used for letters that DejaVu Sans lacks; undefined: invoices show their code points. */
  readonly invoiceFont: FontFile | undefined;
}

export interface AuditSinkSettings {
  /** A file or an HTTPS address. */
  readonly target: string;
  readonly header: { readonly name: string; readonly value: string } | undefined;
}

export const instanceKeyLengthMin = 32;

/** Where the instance key is. */
export interface InstanceKeySettings {
  /** The key itself; undefined: it is in the file, which the first start makes. */
  readonly given: string | undefined;
  readonly path: string;
}

/** Scheduled backups. */
export interface BackupSettings {
  readonly directory: string;
  readonly everyHours: number;
  /** How many are kept; older ones are removed. */
  readonly keep: number;
}

/** How backups are encrypted: for public keys of age, or with a passphrase in a file. */
export type BackupEncryption =
  | { readonly kind: "recipients"; readonly recipients: readonly string[] }
  | { readonly kind: "passphrase"; readonly path: string };

/** A font that the operator provides. */
export interface FontFile {
  readonly path: string;
  /** PostScript name of the font in a collection; undefined if the file holds one font. */
  readonly name: string | undefined;
}

/** Signing in through an OpenID Connect provider. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button says. */
  readonly name: string;
}

/** How long a sign-in at the OpenID provider counts, so that a person who was removed there does not keep access here. */
export interface SingleSignOnLimits {
  /** The age at which the session that it opened ends. */
  readonly sessionHours: number;
  /** How long it lets the access tokens of a person work who has no other way to sign in. */
  readonly tokenDays: number;
}

/** Payments through Stripe. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Where Stripe's API is; tests have their own. */
  readonly apiUrl?: string;
}

/** Who bills, as invoices name them. */
export interface Seller {
  readonly name: string;
  /** Line by line. */
  readonly address: string[];
  readonly tax_id: string | null;
  /** Where to pay, line by line. */
  readonly bank: string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws OperatorError that names the setting and says what it must be */
export function readConfig(environment: Environment): Config {
  requireKnownNames(environment);
  const value = <Name extends SettingName>(name: Name) => parseSetting(name, environment[name]);
  const isSet = (name: SettingName) => Boolean(environment[name]);
  /** Whether all of these are set. @throws OperatorError if only some are */
  const areSet = (...names: SettingName[]) => {
    const isAny = names.some(isSet);
    if (isAny && !names.every(isSet)) throw new OperatorError(`${list.format(names)} must be set together`);
    return isAny;
  };

  const dataDirectory = value("COMMONPLACE_DATA_DIRECTORY");
  const backup: BackupSettings = {
    directory: value("COMMONPLACE_BACKUP_DIRECTORY"),
    everyHours: value("COMMONPLACE_BACKUP_HOURS"),
    keep: value("COMMONPLACE_BACKUP_KEEP"),
  };
  const database: DatabaseLocation = isSet("COMMONPLACE_DATABASE_URL")
    ? value("COMMONPLACE_DATABASE_URL")
    : { engine: "sqlite", path: join(dataDirectory, "commonplace.db") };
  const forSqlite = (
    ["COMMONPLACE_BACKUP_DIRECTORY", "COMMONPLACE_BACKUP_RECIPIENTS", "COMMONPLACE_BACKUP_PASSPHRASE_FILE"] as const
  ).find(isSet);
  if (forSqlite && database.engine === "postgres")
    throw new OperatorError(
      `${forSqlite} is for SQLite only. Back up PostgreSQL with pg_dump: see /docs/operate/backup on the service`,
    );
  return {
    dataDirectory,
    host: value("COMMONPLACE_HOST"),
    port: value("COMMONPLACE_HTTPS_PORT"),
    httpPort: value("COMMONPLACE_HTTP_PORT"),
    apiPath: value("COMMONPLACE_API_PATH"),
    tls: areSet("COMMONPLACE_TLS_CERT_FILE", "COMMONPLACE_TLS_KEY_FILE")
      ? { certPath: value("COMMONPLACE_TLS_CERT_FILE"), keyPath: value("COMMONPLACE_TLS_KEY_FILE") }
      : undefined,
    trustedProxies: value("COMMONPLACE_TRUSTED_PROXIES"),
    corsOrigins: value("COMMONPLACE_CORS_ORIGINS"),
    requestsPerMinute: value("COMMONPLACE_REQUESTS_PER_MINUTE"),
    monthlyRequests: value("COMMONPLACE_MONTHLY_REQUESTS"),
    logLevel: value("COMMONPLACE_LOG_LEVEL"),
    logFormat: value("COMMONPLACE_LOG_FORMAT"),
    database,
    databaseConnections: value("COMMONPLACE_DATABASE_CONNECTIONS"),
    metricsHost: value("COMMONPLACE_METRICS_HOST"),
    metricsPort: value("COMMONPLACE_METRICS_PORT"),
    drainSeconds: value("COMMONPLACE_DRAIN_SECONDS"),
    ledgerDays: value("COMMONPLACE_LEDGER_DAYS"),
    auditSink: readAuditSink(value),
    auditDays: value("COMMONPLACE_AUDIT_DAYS"),
    webhookHosts: value("COMMONPLACE_WEBHOOK_HOSTS"),
    trashDays: value("COMMONPLACE_TRASH_DAYS"),
    instanceKey: {
      given: value("COMMONPLACE_INSTANCE_KEY"),
      path: value("COMMONPLACE_INSTANCE_KEY_FILE") || join(dataDirectory, "instance.key"),
    },
    versions: { keep: value("COMMONPLACE_VERSION_KEEP"), days: value("COMMONPLACE_VERSION_DAYS") },
    storageBytesMax: value("COMMONPLACE_STORAGE_MIB") * bytesPerMebibyte,
    backup: backup.directory === "" ? undefined : backup,
    backupEncryption: readBackupEncryption(value),
    createsFirstKey: value("COMMONPLACE_FIRST_KEY"),
    isConsoleOn: value("COMMONPLACE_CONSOLE"),
    sessionDaysMax: value("COMMONPLACE_SESSION_DAYS"),
    publicOrigin: value("COMMONPLACE_URL"),
    mail: areSet("COMMONPLACE_MAIL_URL", "COMMONPLACE_MAIL_FROM")
      ? { url: value("COMMONPLACE_MAIL_URL"), from: value("COMMONPLACE_MAIL_FROM") }
      : undefined,
    openId: readOpenId(value, areSet),
    singleSignOn: {
      sessionHours: value("COMMONPLACE_OIDC_SESSION_HOURS"),
      tokenDays: value("COMMONPLACE_OIDC_TOKEN_DAYS"),
    },
    stripe: areSet("COMMONPLACE_STRIPE_KEY", "COMMONPLACE_STRIPE_WEBHOOK_SECRET")
      ? { secretKey: value("COMMONPLACE_STRIPE_KEY"), webhookSecret: value("COMMONPLACE_STRIPE_WEBHOOK_SECRET") }
      : undefined,
    seller: readSeller(value),
    billedFrom: readBilledFrom(value),
    tax: readTax(value),
    invoicePrefix: value("COMMONPLACE_INVOICE_PREFIX"),
    invoiceFont: value("COMMONPLACE_INVOICE_FONT"),
  };
}

type Value = <Name extends SettingName>(name: Name) => ReturnType<typeof parseSetting<Name>>;

function readOpenId(value: Value, areSet: (...names: SettingName[]) => boolean): OpenIdSettings | undefined {
  const name = value("COMMONPLACE_OIDC_NAME");
  if (!areSet("COMMONPLACE_OIDC_ISSUER", "COMMONPLACE_OIDC_CLIENT_ID", "COMMONPLACE_OIDC_CLIENT_SECRET"))
    return undefined;
  return {
    issuer: value("COMMONPLACE_OIDC_ISSUER"),
    clientId: value("COMMONPLACE_OIDC_CLIENT_ID"),
    clientSecret: value("COMMONPLACE_OIDC_CLIENT_SECRET"),
    name,
  };
}

function readBackupEncryption(value: Value): BackupEncryption | undefined {
  const recipients = value("COMMONPLACE_BACKUP_RECIPIENTS");
  const path = value("COMMONPLACE_BACKUP_PASSPHRASE_FILE");
  if (recipients.length > 0 && path !== "")
    throw new OperatorError("set COMMONPLACE_BACKUP_RECIPIENTS or COMMONPLACE_BACKUP_PASSPHRASE_FILE, not both");
  if (recipients.length > 0) return { kind: "recipients", recipients };
  return path === "" ? undefined : { kind: "passphrase", path };
}

function readAuditSink(value: Value): AuditSinkSettings | undefined {
  const [target, header] = [value("COMMONPLACE_AUDIT_EXPORT"), value("COMMONPLACE_AUDIT_EXPORT_HEADER")];
  if (header && !target?.startsWith("https://"))
    throw new OperatorError("COMMONPLACE_AUDIT_EXPORT_HEADER requires an HTTPS address in COMMONPLACE_AUDIT_EXPORT");
  return target === undefined ? undefined : { target, header };
}

function readBilledFrom(value: Value): string | undefined {
  const month = value("COMMONPLACE_BILLING_FROM");
  if (month === undefined && (value("COMMONPLACE_SELLER_NAME") !== "" || value("COMMONPLACE_STRIPE_KEY") !== ""))
    throw new OperatorError(
      "COMMONPLACE_SELLER_NAME and COMMONPLACE_STRIPE_KEY require COMMONPLACE_BILLING_FROM, the first month to bill",
    );
  return month;
}

function readSeller(value: Value): Seller | undefined {
  const name = value("COMMONPLACE_SELLER_NAME");
  const address = value("COMMONPLACE_SELLER_ADDRESS");
  const taxId = value("COMMONPLACE_SELLER_TAX_ID");
  const bank = value("COMMONPLACE_SELLER_BANK");
  if (name === "" && (address.length > 0 || taxId !== "" || bank.length > 0))
    throw new OperatorError(
      "COMMONPLACE_SELLER_ADDRESS, COMMONPLACE_SELLER_TAX_ID, and COMMONPLACE_SELLER_BANK require COMMONPLACE_SELLER_NAME",
    );
  return name === "" ? undefined : { name, address, tax_id: taxId || null, bank };
}

function readTax(value: Value): Config["tax"] {
  const basis_points = value("COMMONPLACE_TAX_PERCENT");
  const name = value("COMMONPLACE_TAX_NAME");
  if (basis_points > 0 && value("COMMONPLACE_SELLER_TAX_ID") === "")
    throw new OperatorError("COMMONPLACE_TAX_PERCENT requires COMMONPLACE_SELLER_TAX_ID, which invoices must show");
  return basis_points === 0 ? null : { name, basis_points };
}
