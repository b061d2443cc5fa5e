// Every setting: its name, default and meaning, read once from the environment, checked, and passed on.
import { isIP } from "node:net";
import { limits } from "./contract/limits.ts";
import { Refusal } from "./refusal.ts";

/** Most units of a monthly allowance: every sum stays an exact number. */
export const monthlyRequestsMax = 1_000_000_000_000;

export type LogLevel = "debug" | "info" | "warn" | "error" | "off";

export interface Config {
  readonly dataDirectory: string;
  readonly host: string;
  readonly port: number;
  /** Undefined: no plain listener. */
  readonly httpPort: number | undefined;
  readonly basePath: string;
  readonly tls: { readonly certPath: string; readonly keyPath: string } | undefined;
  readonly trustedProxies: readonly string[];
  readonly requestsPerMinute: number;
  readonly monthlyRequests: number;
  readonly logLevel: LogLevel;
  /** Undefined: SQLite in the data directory. */
  readonly databaseUrl: string | undefined;
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
    meaning: "sqlite:PATH; without it commonplace.db in the data directory",
  },
] as const satisfies readonly Setting[];

type SettingName = (typeof settings)[number]["name"];
type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Refusal that names the setting and what it must be */
export function readConfig(environment: Environment): Config {
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith("COMMONPLACE_") && !settings.some((setting) => setting.name === name),
  );
  if (unknown) throw new Refusal(`${unknown} is no setting; see ./commonplace serve --help`);
  const read = (name: SettingName): string =>
    environment[name] || settings.find((setting) => setting.name === name)?.default || "";

  const httpPort = read("COMMONPLACE_HTTP_PORT");
  const databaseUrl = read("COMMONPLACE_DATABASE_URL");
  return {
    dataDirectory: read("COMMONPLACE_DATA"),
    host: readHost(read("COMMONPLACE_HOST")),
    port: integer("COMMONPLACE_PORT", read("COMMONPLACE_PORT"), 0, 65_535),
    httpPort: httpPort === "off" ? undefined : integer("COMMONPLACE_HTTP_PORT", httpPort, 0, 65_535, " or off"),
    basePath: readBasePath(read("COMMONPLACE_BASE_PATH")),
    tls: readTls(read("COMMONPLACE_TLS_CERT"), read("COMMONPLACE_TLS_KEY")),
    trustedProxies: readProxies(read("COMMONPLACE_TRUSTED_PROXIES")),
    requestsPerMinute: integer(
      "COMMONPLACE_REQUESTS_PER_MINUTE",
      read("COMMONPLACE_REQUESTS_PER_MINUTE"),
      1,
      1_000_000_000,
    ),
    monthlyRequests: integer(
      "COMMONPLACE_MONTHLY_REQUESTS",
      read("COMMONPLACE_MONTHLY_REQUESTS"),
      0,
      monthlyRequestsMax,
    ),
    logLevel: readLogLevel(read("COMMONPLACE_LOG")),
    databaseUrl: databaseUrl === "" ? undefined : readDatabaseUrl(databaseUrl),
  };
}

function integer(name: string, text: string, min: number, max: number, otherwise = ""): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new Refusal(`${name} must be a whole number from ${min} to ${max}${otherwise}, not "${text}"`);
  return value;
}

function readHost(text: string): string {
  if (text !== "localhost" && isIP(text) === 0)
    throw new Refusal(`COMMONPLACE_HOST must be an IP address or localhost, not "${text}"`);
  return text;
}

function readBasePath(text: string): string {
  const path = text === "/" ? "" : text.replace(/\/$/, "");
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path))
    throw new Refusal(`COMMONPLACE_BASE_PATH must be a path such as /api, or /, not "${text}"`);
  return path;
}

function readTls(certPath: string, keyPath: string): Config["tls"] {
  if ((certPath === "") !== (keyPath === ""))
    throw new Refusal("COMMONPLACE_TLS_CERT and COMMONPLACE_TLS_KEY must be given together");
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
      throw new Refusal(`COMMONPLACE_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${entry}"`);
    return true;
  });
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error", "off"];

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((candidate) => candidate === text);
  if (!level) throw new Refusal(`COMMONPLACE_LOG must be one of ${logLevels.join(", ")}, not "${text}"`);
  return level;
}

function readDatabaseUrl(text: string): string {
  const path = /^sqlite:(?:\/\/)?([^:?]+)$/.exec(text)?.[1];
  if (path === undefined)
    throw new Refusal("COMMONPLACE_DATABASE_URL must be sqlite:PATH; other databases are not supported yet");
  return path;
}
