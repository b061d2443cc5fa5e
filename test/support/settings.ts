// Invalid settings, each with the line that refuses it: written by hand, never taken from the code under test.

const port = (name: string, value: string, otherwise = ""): [string, string, string] => [
  name,
  value,
  `${name} must be a whole number from 0 to 65535${otherwise}, not "${value}"`,
];
const proxies = (value: string, entry = value): [string, string, string] => [
  "COMMONPLACE_TRUSTED_PROXIES",
  value,
  `COMMONPLACE_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${entry}"`,
];
const host = (name: string, value: string): [string, string, string] => [
  name,
  value,
  `${name} must be an IP address or localhost, not "${value}"`,
];
const whole = (name: string, min: number, max: number, value: string): [string, string, string] => [
  name,
  value,
  `${name} must be a whole number from ${min} to ${max}, not "${value}"`,
];
const basePath = (value: string): [string, string, string] => [
  "COMMONPLACE_BASE_PATH",
  value,
  `COMMONPLACE_BASE_PATH must be a path such as /api, or /, not "${value}"`,
];
const databaseUrl = (value: string): [string, string, string] => [
  "COMMONPLACE_DATABASE_URL",
  value,
  "COMMONPLACE_DATABASE_URL must be postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH",
];

/** Name, value, refusal. */
export const wrongSettings: readonly [string, string, string][] = [
  host("COMMONPLACE_HOST", "snippets.example.com"),
  host("COMMONPLACE_HOST", "256.0.0.1"),
  host("COMMONPLACE_HOST", "localhost:8443"),
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
  whole("COMMONPLACE_REQUESTS_PER_MINUTE", 1, 1_000_000_000, "0"),
  whole("COMMONPLACE_REQUESTS_PER_MINUTE", 1, 1_000_000_000, "1000000001"),
  whole("COMMONPLACE_REQUESTS_PER_MINUTE", 1, 1_000_000_000, "many"),
  whole("COMMONPLACE_MONTHLY_REQUESTS", 0, 1_000_000_000_000, "-1"),
  whole("COMMONPLACE_MONTHLY_REQUESTS", 0, 1_000_000_000_000, "1000000000001"),
  whole("COMMONPLACE_MONTHLY_REQUESTS", 0, 1_000_000_000_000, "1e5"),
  ["COMMONPLACE_LOG", "loud", 'COMMONPLACE_LOG must be one of debug, info, warn, error, off, not "loud"'],
  ["COMMONPLACE_LOG", "INFO", 'COMMONPLACE_LOG must be one of debug, info, warn, error, off, not "INFO"'],
  ["COMMONPLACE_LOG_FORMAT", "logfmt", 'COMMONPLACE_LOG_FORMAT must be one of auto, text, json, not "logfmt"'],
  databaseUrl("postgres://localhost"),
  databaseUrl("postgres://localhost/"),
  databaseUrl("postgres:///commonplace"),
  databaseUrl("postgres://user:a secret@host:port/name"),
  databaseUrl("mysql://localhost/commonplace"),
  databaseUrl("sqlite:"),
  databaseUrl("sqlite::memory:"),
  databaseUrl("/a/file.db"),
  whole("COMMONPLACE_DATABASE_CONNECTIONS", 1, 1_000, "0"),
  whole("COMMONPLACE_DATABASE_CONNECTIONS", 1, 1_000, "1001"),
  whole("COMMONPLACE_LEDGER_DAYS", 2, 36_500, "1"),
  whole("COMMONPLACE_LEDGER_DAYS", 2, 36_500, "36501"),
  whole("COMMONPLACE_LEDGER_DAYS", 2, 36_500, "90 days"),
  port("COMMONPLACE_METRICS_PORT", "65536", " or off"),
  port("COMMONPLACE_METRICS_PORT", "on", " or off"),
  host("COMMONPLACE_METRICS_HOST", "metrics.example.com"),
  whole("COMMONPLACE_DRAIN_SECONDS", 0, 10, "11"),
  whole("COMMONPLACE_DRAIN_SECONDS", 0, 10, "-1"),
  whole("COMMONPLACE_DRAIN_SECONDS", 0, 10, "0.5"),
  whole("COMMONPLACE_BACKUP_HOURS", 1, 8_760, "0"),
  whole("COMMONPLACE_BACKUP_HOURS", 1, 8_760, "8761"),
  whole("COMMONPLACE_BACKUP_KEEP", 1, 10_000, "0"),
  whole("COMMONPLACE_BACKUP_KEEP", 1, 10_000, "10001"),
  [
    "COMMONPLACE_BASE_PATH",
    "/console/api",
    "COMMONPLACE_BASE_PATH must not be /console or below it, where the administration area is",
  ],
  ["COMMONPLACE_CONSOLE", "yes", 'COMMONPLACE_CONSOLE must be on or off, not "yes"'],
  ...[
    "snippets.example.com",
    "http://snippets.example.com",
    "https://example.com/snippets",
    "https://a:b@example.com",
  ].map((value): [string, string, string] => [
    "COMMONPLACE_URL",
    value,
    `COMMONPLACE_URL must be an address such as https://snippets.example.com, without a path, not "${value}"`,
  ]),
  ["COMMONPLACE_SMTP_URL", "smtp://mail", "COMMONPLACE_SMTP_URL and COMMONPLACE_MAIL_FROM must be given together"],
  ["COMMONPLACE_MAIL_FROM", "a@example.com", "COMMONPLACE_SMTP_URL and COMMONPLACE_MAIL_FROM must be given together"],
  ...["COMMONPLACE_OIDC_ISSUER", "COMMONPLACE_OIDC_CLIENT_ID", "COMMONPLACE_OIDC_CLIENT_SECRET"].map(
    (name): [string, string, string] => [
      name,
      "https://login.example.com",
      "COMMONPLACE_OIDC_ISSUER, COMMONPLACE_OIDC_CLIENT_ID and COMMONPLACE_OIDC_CLIENT_SECRET must be given together",
    ],
  ),
  [
    "COMMONPLACE_STRIPE_KEY",
    "sk",
    "COMMONPLACE_STRIPE_KEY and COMMONPLACE_STRIPE_WEBHOOK_SECRET must be given together",
  ],
  [
    "COMMONPLACE_STRIPE_WEBHOOK_SECRET",
    "wh",
    "COMMONPLACE_STRIPE_KEY and COMMONPLACE_STRIPE_WEBHOOK_SECRET must be given together",
  ],
  ["COMMONPLACE_OIDC_NAME", "n".repeat(41), "COMMONPLACE_OIDC_NAME must have at most 40 characters"],
  ["COMMONPLACE_SELLER_NAME", "n".repeat(101), "COMMONPLACE_SELLER_NAME must have at most 100 characters in a line"],
  ["COMMONPLACE_SELLER_NAME", "two\nlines", "COMMONPLACE_SELLER_NAME must have at most 100 characters in a line"],
  [
    "COMMONPLACE_SELLER_ADDRESS",
    `a; ${"n".repeat(101)}`,
    "COMMONPLACE_SELLER_ADDRESS must have at most 100 characters in a line",
  ],
  ["COMMONPLACE_SELLER_ADDRESS", "a;b;c;d;e;f;g", "COMMONPLACE_SELLER_ADDRESS must have at most 6 lines"],
  ...["COMMONPLACE_SELLER_ADDRESS", "COMMONPLACE_SELLER_TAX_ID"].map((name): [string, string, string] => [
    name,
    "DE 1",
    "COMMONPLACE_SELLER_ADDRESS and COMMONPLACE_SELLER_TAX_ID go with COMMONPLACE_SELLER_NAME",
  ]),
  ...["/usr/share/fonts", "font.woff2", "font.ttc", "font.ttc#", "font.ttf#Name"].map(
    (value): [string, string, string] => [
      "COMMONPLACE_INVOICE_FONT",
      value,
      `COMMONPLACE_INVOICE_FONT must be a file such as font.ttf, font.otf or font.ttc#NAME, not "${value}"`,
    ],
  ),
  ["COMMONPLACE_PROT", "8443", "COMMONPLACE_PROT is no setting; see ./commonplace serve --help"],
];
