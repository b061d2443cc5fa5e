// Wrong values of settings, each with the line that refuses it: written by hand, never taken from the code under test.

const port = (name: string, value: string, otherwise = ""): [string, string, string] => [
  name,
  value,
  `${name} must be a whole number from 0 to 65535${otherwise}, not "${value}"`,
];
const perMinute = "COMMONPLACE_REQUESTS_PER_MINUTE";
const monthly = "COMMONPLACE_MONTHLY_REQUESTS";
const proxies = (value: string, entry = value): [string, string, string] => [
  "COMMONPLACE_TRUSTED_PROXIES",
  value,
  `COMMONPLACE_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${entry}"`,
];
const host = (value: string): [string, string, string] => [
  "COMMONPLACE_HOST",
  value,
  `COMMONPLACE_HOST must be an IP address or localhost, not "${value}"`,
];
const basePath = (value: string): [string, string, string] => [
  "COMMONPLACE_BASE_PATH",
  value,
  `COMMONPLACE_BASE_PATH must be a path such as /api, or /, not "${value}"`,
];
const database = "COMMONPLACE_DATABASE_URL must be sqlite:PATH; other databases are not supported yet";

/** Name, value, refusal. */
export const wrongSettings: readonly [string, string, string][] = [
  host("snippets.example.com"),
  host("256.0.0.1"),
  host("localhost:8443"),
  port("COMMONPLACE_PORT", "https"),
  port("COMMONPLACE_PORT", "65536"),
  port("COMMONPLACE_PORT", "-1"),
  port("COMMONPLACE_PORT", "84.43"),
  port("COMMONPLACE_PORT", " 8443"),
  port("COMMONPLACE_PORT", "0x20fb"),
  port("COMMONPLACE_PORT", "off"),
  port("COMMONPLACE_HTTP_PORT", "65536", " or off"),
  port("COMMONPLACE_HTTP_PORT", "OFF", " or off"),
  basePath("api"),
  basePath("/a//b"),
  basePath("/a b"),
  basePath("/a?b"),
  basePath("/ä"),
  ["COMMONPLACE_TLS_CERT", "/a/file.pem", "COMMONPLACE_TLS_CERT and COMMONPLACE_TLS_KEY must be given together"],
  ["COMMONPLACE_TLS_KEY", "/a/file.pem", "COMMONPLACE_TLS_CERT and COMMONPLACE_TLS_KEY must be given together"],
  proxies("proxy.example.com"),
  proxies("10.0.0.1, 10.0.0.0/33", "10.0.0.0/33"),
  proxies("10.0.0.0/"),
  proxies("10.0.0.0/8/8"),
  proxies("::1/129"),
  [perMinute, "0", `${perMinute} must be a whole number from 1 to 1000000000, not "0"`],
  [perMinute, "1000000001", `${perMinute} must be a whole number from 1 to 1000000000, not "1000000001"`],
  [perMinute, "many", `${perMinute} must be a whole number from 1 to 1000000000, not "many"`],
  [monthly, "-1", `${monthly} must be a whole number from 0 to 1000000000000, not "-1"`],
  [monthly, "1000000000001", `${monthly} must be a whole number from 0 to 1000000000000, not "1000000000001"`],
  [monthly, "1e5", `${monthly} must be a whole number from 0 to 1000000000000, not "1e5"`],
  ["COMMONPLACE_LOG", "loud", 'COMMONPLACE_LOG must be one of debug, info, warn, error, off, not "loud"'],
  ["COMMONPLACE_LOG", "INFO", 'COMMONPLACE_LOG must be one of debug, info, warn, error, off, not "INFO"'],
  ["COMMONPLACE_DATABASE_URL", "postgres://localhost/commonplace", database],
  ["COMMONPLACE_DATABASE_URL", "sqlite:", database],
  ["COMMONPLACE_DATABASE_URL", "sqlite::memory:", database],
  ["COMMONPLACE_DATABASE_URL", "/a/file.db", database],
  ["COMMONPLACE_PROT", "8443", "COMMONPLACE_PROT is no setting; see ./commonplace serve --help"],
];
