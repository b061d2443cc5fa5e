// Every setting: its name, default and meaning, read once from the environment, checked, and passed on.
import { isIP } from "node:net";
import { join } from "node:path";
import { consoleLimits } from "./contract/console/limits.ts";
import { limits } from "./contract/limits.ts";
import type { DatabaseLocation } from "./platform/database/location.ts";
import type { LogLevel } from "./platform/log.ts";
import type { MailSettings } from "./platform/mail/transport.ts";
import { OperatorError } from "./platform/operator-error.ts";
import type { CertificateFiles } from "./platform/tls/certificates.ts";

/** Most units of a monthly allowance: every sum stays an exact number. */
export const monthlyRequestsMax = 1_000_000_000_000;

const portMax = 65_535;
/** With what calls in flight get, the end still takes less than 15 s. */
const drainSecondsMax = 10;

/** It stands on a button. */
const providerNameLengthMax = 40;

export interface Config {
  readonly dataDirectory: string;
  readonly host: string;
  readonly port: number;
  /** Undefined: no plain listener. */
  readonly httpPort: number | undefined;
  readonly basePath: string;
  /** Undefined: a certificate for localhost is made. */
  readonly tls: CertificateFiles | undefined;
  readonly trustedProxies: readonly string[];
  readonly requestsPerMinute: number;
  readonly monthlyRequests: number;
  readonly logLevel: LogLevel;
  readonly database: DatabaseLocation;
  /** Connections to PostgreSQL that one node opens at most. */
  readonly databaseConnections: number;
  readonly metricsHost: string;
  /** Undefined: no listener for metrics. */
  readonly metricsPort: number | undefined;
  /** Between SIGTERM and the end of listening, while readiness says no. */
  readonly drainSeconds: number;
  /** Age at which the ledger's rows are folded into daily totals. */
  readonly ledgerDays: number;
  /** Undefined: no backups by schedule. */
  readonly backup: BackupSettings | undefined;
  readonly isConsoleOn: boolean;
  /** `https://host[:port]` as people type it; undefined: made of the certificate's name and the port. */
  readonly publicOrigin: string | undefined;
  /** Undefined: no mail is sent, and links are shown to copy. */
  readonly mail: MailSettings | undefined;
  readonly openId: OpenIdSettings | undefined;
  /** Undefined: the operator records payments. */
  readonly stripe: StripeSettings | undefined;
  /** Who bills; undefined: the instance's address stands for them. */
  readonly seller: Seller | undefined;
  /** Sets what DejaVu Sans has no letters for. Undefined: those are written as their code points. */
  readonly invoiceFont: FontFile | undefined;
}

/** Backups by schedule. */
export interface BackupSettings {
  readonly directory: string;
  readonly everyHours: number;
  /** How many are kept; older ones are removed. */
  readonly keep: number;
}

/** A font of the operator's. */
export interface FontFile {
  readonly path: string;
  /** Which font of a collection, by its PostScript name; undefined where the file holds one. */
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
}

export interface Setting {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
}

/** The settings in the order in which they are shown. */
export const settings = [
  {
    name: "COMMONPLACE_DATA",
    default: "./data",
    meaning: "Data directory: the database and the localhost certificate",
  },
  { name: "COMMONPLACE_HOST", default: "127.0.0.1", meaning: "Address to listen on; 0.0.0.0 for every IPv4 address" },
  { name: "COMMONPLACE_PORT", default: "8443", meaning: "HTTPS port" },
  { name: "COMMONPLACE_HTTP_PORT", default: "8080", meaning: "Plain port that only refuses; off to have none" },
  { name: "COMMONPLACE_BASE_PATH", default: "/api", meaning: "Path before every operation" },
  {
    name: "COMMONPLACE_TLS_CERT",
    default: "",
    meaning: "Certificate chain, PEM file; without it one for localhost is made",
  },
  { name: "COMMONPLACE_TLS_KEY", default: "", meaning: "Private key of the certificate, PEM file" },
  {
    name: "COMMONPLACE_TRUSTED_PROXIES",
    default: "",
    meaning: "Proxies whose X-Forwarded-Proto and -For count: 10.0.0.1,10.1.0.0/16",
  },
  {
    name: "COMMONPLACE_REQUESTS_PER_MINUTE",
    default: String(limits.requestsPerMinuteDefault),
    meaning: "Admitted calls of a key in any 60 seconds",
  },
  {
    name: "COMMONPLACE_MONTHLY_REQUESTS",
    default: String(limits.monthlyRequestsDefault),
    meaning: "Monthly allowance of a new workspace, in units",
  },
  { name: "COMMONPLACE_LOG", default: "info", meaning: "Least severe level to log: debug, info, warn, error or off" },
  {
    name: "COMMONPLACE_DATABASE_URL",
    default: "",
    meaning: "postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH; else in COMMONPLACE_DATA",
  },
  {
    name: "COMMONPLACE_DATABASE_CONNECTIONS",
    default: "10",
    meaning: "Connections to PostgreSQL that this node opens at most",
  },
  {
    name: "COMMONPLACE_LEDGER_DAYS",
    default: "90",
    meaning: "Days after which the ledger's rows are folded into daily totals",
  },
  {
    name: "COMMONPLACE_METRICS_PORT",
    default: "off",
    meaning: "Plain port of /metrics for Prometheus; off to have none",
  },
  { name: "COMMONPLACE_METRICS_HOST", default: "127.0.0.1", meaning: "Address of /metrics" },
  {
    name: "COMMONPLACE_DRAIN_SECONDS",
    default: "0",
    meaning: "Seconds after SIGTERM in which /readyz says no and calls are still answered",
  },
  {
    name: "COMMONPLACE_BACKUP_DIRECTORY",
    default: "",
    meaning: "Directory for backups by schedule (SQLite); without it none are made",
  },
  { name: "COMMONPLACE_BACKUP_HOURS", default: "24", meaning: "Hours between two backups" },
  { name: "COMMONPLACE_BACKUP_KEEP", default: "7", meaning: "Backups that are kept; older ones are removed" },
  { name: "COMMONPLACE_CONSOLE", default: "on", meaning: "The administration area at /console; off to have none" },
  {
    name: "COMMONPLACE_URL",
    default: "",
    meaning: "What people type, https://…; else the certificate's name and the port",
  },
  {
    name: "COMMONPLACE_SMTP_URL",
    default: "",
    meaning: "smtp://USER:PASSWORD@HOST:587 or smtps://…; else links are shown to copy",
  },
  { name: "COMMONPLACE_MAIL_FROM", default: "", meaning: "Sender of mail, such as commonplace@example.com" },
  {
    name: "COMMONPLACE_OIDC_ISSUER",
    default: "",
    meaning: "OpenID Connect provider to sign in with, its https address",
  },
  { name: "COMMONPLACE_OIDC_CLIENT_ID", default: "", meaning: "Client id at the OpenID provider" },
  { name: "COMMONPLACE_OIDC_CLIENT_SECRET", default: "", meaning: "Client secret at the OpenID provider" },
  { name: "COMMONPLACE_OIDC_NAME", default: "single sign-on", meaning: "What the sign-in button calls the provider" },
  {
    name: "COMMONPLACE_STRIPE_KEY",
    default: "",
    meaning: "Secret key of Stripe; without it the operator records payments",
  },
  {
    name: "COMMONPLACE_STRIPE_WEBHOOK_SECRET",
    default: "",
    meaning: "Signing secret of Stripe's webhook to /console/hooks/stripe",
  },
  {
    name: "COMMONPLACE_SELLER_NAME",
    default: "",
    meaning: "Who bills, on invoices; without it the instance's address",
  },
  { name: "COMMONPLACE_SELLER_ADDRESS", default: "", meaning: "Their address, lines divided by ;" },
  { name: "COMMONPLACE_SELLER_TAX_ID", default: "", meaning: "Their tax id, such as DE123456789" },
  {
    name: "COMMONPLACE_INVOICE_FONT",
    default: "",
    meaning: "Font for Chinese, Japanese, Korean in PDF invoices: FILE or FILE.ttc#NAME",
  },
] as const satisfies readonly Setting[];

type SettingName = (typeof settings)[number]["name"];
type Environment = Readonly<Record<string, string | undefined>>;

/** @throws OperatorError that names the setting and what it must be */
export function readConfig(environment: Environment): Config {
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith("COMMONPLACE_") && !settings.some((setting) => setting.name === name),
  );
  if (unknown) throw new OperatorError(`${unknown} is no setting; see ./commonplace serve --help`);
  const read = (name: SettingName): string =>
    environment[name] || settings.find((setting) => setting.name === name)?.default || "";

  const httpPort = read("COMMONPLACE_HTTP_PORT");
  const metricsPort = read("COMMONPLACE_METRICS_PORT");
  const dataDirectory = read("COMMONPLACE_DATA");
  const number = (name: SettingName, min: number, max: number) => integer(name, read(name), min, max);
  const database = read("COMMONPLACE_DATABASE_URL");
  const backupDirectory = read("COMMONPLACE_BACKUP_DIRECTORY");
  const backup = {
    directory: backupDirectory,
    everyHours: number("COMMONPLACE_BACKUP_HOURS", 1, 8_760),
    keep: number("COMMONPLACE_BACKUP_KEEP", 1, 10_000),
  };
  const location: DatabaseLocation =
    database === ""
      ? { engine: "sqlite", path: join(dataDirectory, "commonplace.db") }
      : readDatabaseUrl("COMMONPLACE_DATABASE_URL", database);
  if (backupDirectory !== "" && location.engine === "postgres")
    throw new OperatorError(
      "COMMONPLACE_BACKUP_DIRECTORY is for SQLite; PostgreSQL is backed up with pg_dump: docs/hosting.md",
    );
  return {
    dataDirectory,
    host: readHost("COMMONPLACE_HOST", read("COMMONPLACE_HOST")),
    port: number("COMMONPLACE_PORT", 0, portMax),
    httpPort: httpPort === "off" ? undefined : integer("COMMONPLACE_HTTP_PORT", httpPort, 0, portMax, " or off"),
    basePath: readBasePath(read("COMMONPLACE_BASE_PATH")),
    tls: readTls(read("COMMONPLACE_TLS_CERT"), read("COMMONPLACE_TLS_KEY")),
    trustedProxies: readProxies(read("COMMONPLACE_TRUSTED_PROXIES")),
    requestsPerMinute: number("COMMONPLACE_REQUESTS_PER_MINUTE", 1, 1_000_000_000),
    monthlyRequests: number("COMMONPLACE_MONTHLY_REQUESTS", 0, monthlyRequestsMax),
    logLevel: readLogLevel(read("COMMONPLACE_LOG")),
    database: location,
    databaseConnections: number("COMMONPLACE_DATABASE_CONNECTIONS", 1, 1_000),
    metricsHost: readHost("COMMONPLACE_METRICS_HOST", read("COMMONPLACE_METRICS_HOST")),
    metricsPort:
      metricsPort === "off" ? undefined : integer("COMMONPLACE_METRICS_PORT", metricsPort, 0, portMax, " or off"),
    drainSeconds: number("COMMONPLACE_DRAIN_SECONDS", 0, drainSecondsMax),
    ledgerDays: number("COMMONPLACE_LEDGER_DAYS", 2, 36_500),
    backup: backupDirectory === "" ? undefined : backup,
    isConsoleOn: readSwitch("COMMONPLACE_CONSOLE", read("COMMONPLACE_CONSOLE")),
    publicOrigin: readOrigin("COMMONPLACE_URL", read("COMMONPLACE_URL")),
    mail: readMail(read("COMMONPLACE_SMTP_URL"), read("COMMONPLACE_MAIL_FROM")),
    openId: readOpenId(read),
    stripe: readStripe(read("COMMONPLACE_STRIPE_KEY"), read("COMMONPLACE_STRIPE_WEBHOOK_SECRET")),
    seller: readSeller(read),
    invoiceFont: readFont(read("COMMONPLACE_INVOICE_FONT")),
  };
}

function readSwitch(name: string, text: string): boolean {
  if (text !== "on" && text !== "off") throw new OperatorError(`${name} must be on or off, not "${text}"`);
  return text === "on";
}

/** An https origin without a path; browsers sign people in at no other. */
function readOrigin(name: string, text: string): string | undefined {
  if (text === "") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search || url.hash || url.username || url.password)
    throw new OperatorError(
      `${name} must be an address such as https://snippets.example.com, without a path, not "${text}"`,
    );
  return url.origin;
}

function readMail(url: string, from: string): MailSettings | undefined {
  if ((url === "") !== (from === ""))
    throw new OperatorError("COMMONPLACE_SMTP_URL and COMMONPLACE_MAIL_FROM must be given together");
  if (url === "") return undefined;
  // Never repeats the URL, which may hold a password.
  if (!/^smtps?:\/\/[^/?#]+\/?$/.test(url) || !URL.canParse(url))
    throw new OperatorError(
      "COMMONPLACE_SMTP_URL must be smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT",
    );
  if (!/^(?:[^<>\p{Cc}]* <)?[^\s@<>]+@[^\s@<>]+>?$/u.test(from))
    throw new OperatorError(`COMMONPLACE_MAIL_FROM must be an address such as commonplace@example.com, not "${from}"`);
  return { url, from };
}

function readOpenId(read: (name: SettingName) => string): OpenIdSettings | undefined {
  const name = read("COMMONPLACE_OIDC_NAME");
  if (name.length > providerNameLengthMax)
    throw new OperatorError(`COMMONPLACE_OIDC_NAME must have at most ${providerNameLengthMax} characters`);
  const [issuer, clientId, clientSecret] = [
    read("COMMONPLACE_OIDC_ISSUER"),
    read("COMMONPLACE_OIDC_CLIENT_ID"),
    read("COMMONPLACE_OIDC_CLIENT_SECRET"),
  ];
  if (issuer === "" && clientId === "" && clientSecret === "") return undefined;
  if (issuer === "" || clientId === "" || clientSecret === "")
    throw new OperatorError(
      "COMMONPLACE_OIDC_ISSUER, COMMONPLACE_OIDC_CLIENT_ID and COMMONPLACE_OIDC_CLIENT_SECRET must be given together",
    );
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== "https:")
    throw new OperatorError(`COMMONPLACE_OIDC_ISSUER must be an https address, not "${issuer}"`);
  return { issuer, clientId, clientSecret, name };
}

function readStripe(secretKey: string, webhookSecret: string): Config["stripe"] {
  if ((secretKey === "") !== (webhookSecret === ""))
    throw new OperatorError("COMMONPLACE_STRIPE_KEY and COMMONPLACE_STRIPE_WEBHOOK_SECRET must be given together");
  return secretKey === "" ? undefined : { secretKey, webhookSecret };
}

function readSeller(read: (name: SettingName) => string): Seller | undefined {
  const line = (name: SettingName, text: string): string => {
    const { billingLineLengthMax: max } = consoleLimits;
    if ([...text].length > max || /\p{Cc}/u.test(text))
      throw new OperatorError(`${name} must have at most ${max} characters in a line`);
    return text.trim();
  };
  const name = line("COMMONPLACE_SELLER_NAME", read("COMMONPLACE_SELLER_NAME"));
  const address = read("COMMONPLACE_SELLER_ADDRESS")
    .split(/[;\r\n]+/)
    .map((text) => line("COMMONPLACE_SELLER_ADDRESS", text))
    .filter((text) => text !== "");
  const taxId = line("COMMONPLACE_SELLER_TAX_ID", read("COMMONPLACE_SELLER_TAX_ID"));
  if (address.length > consoleLimits.addressLinesMax)
    throw new OperatorError(`COMMONPLACE_SELLER_ADDRESS must have at most ${consoleLimits.addressLinesMax} lines`);
  if (name === "" && (address.length > 0 || taxId !== ""))
    throw new OperatorError("COMMONPLACE_SELLER_ADDRESS and COMMONPLACE_SELLER_TAX_ID go with COMMONPLACE_SELLER_NAME");
  return name === "" ? undefined : { name, address, tax_id: taxId || null };
}

function readFont(text: string): FontFile | undefined {
  if (text === "") return undefined;
  const [, path = "", name] = /^(.+?\.(?:ttf|otf|ttc|otc))(?:#(.+))?$/i.exec(text) ?? [];
  const isCollection = /c$/i.test(path);
  if (path === "" || isCollection !== (name !== undefined))
    throw new OperatorError(
      `COMMONPLACE_INVOICE_FONT must be a file such as font.ttf, font.otf or font.ttc#NAME, not "${text}"`,
    );
  return { path, name };
}

function integer(name: string, text: string, min: number, max: number, otherwise = ""): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new OperatorError(`${name} must be a whole number from ${min} to ${max}${otherwise}, not "${text}"`);
  return value;
}

function readHost(name: string, text: string): string {
  if (text !== "localhost" && isIP(text) === 0)
    throw new OperatorError(`${name} must be an IP address or localhost, not "${text}"`);
  return text;
}

function readBasePath(text: string): string {
  const path = text === "/" ? "" : text.replace(/\/$/, "");
  if (/^\/console(\/|$)/.test(path))
    throw new OperatorError("COMMONPLACE_BASE_PATH must not be /console or below it, where the administration area is");
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path))
    throw new OperatorError(`COMMONPLACE_BASE_PATH must be a path such as /api, or /, not "${text}"`);
  return path;
}

function readTls(certPath: string, keyPath: string): Config["tls"] {
  if ((certPath === "") !== (keyPath === ""))
    throw new OperatorError("COMMONPLACE_TLS_CERT and COMMONPLACE_TLS_KEY must be given together");
  return certPath === "" ? undefined : { certPath, keyPath };
}

function readProxies(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.filter((entry) => {
    if (entry === "") return false;
    const [address = "", bits, ...more] = entry.split("/");
    const family = isIP(address);
    const bitsMax = family === 6 ? 128 : 32;
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
    if (family === 0 || !isNetwork || more.length > 0)
      throw new OperatorError(
        `COMMONPLACE_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${entry}"`,
      );
    return true;
  });
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error", "off"];

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((candidate) => candidate === text);
  if (!level) throw new OperatorError(`COMMONPLACE_LOG must be one of ${logLevels.join(", ")}, not "${text}"`);
  return level;
}

/** What a database URL names. @throws OperatorError that begins with `name` and never repeats the URL, which may hold a password */
export function readDatabaseUrl(name: string, text: string): DatabaseLocation {
  const path = /^sqlite:(?:\/\/)?([^:?]+)$/.exec(text)?.[1];
  if (path !== undefined) return { engine: "sqlite", path };
  if (/^postgres(ql)?:\/\/[^/?#]+\/[^/?#]+/.test(text) && URL.canParse(text)) return { engine: "postgres", url: text };
  throw new OperatorError(`${name} must be postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH`);
}
